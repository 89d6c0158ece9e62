/**
 * Draws every scenario in both themes and two sizes into `artifacts/`: `npm run tool -- pictures.tool`, some of them with `-t NAME`, the
 * scenarios that come first in the gallery with `-t first`. These are drawn at three times, and one sheet shows all their pictures. It takes
 * minutes without a graphics card.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, it } from "vitest";
import { FIRST } from "../studio/src/gallery/fields.ts";
import { NAMES } from "../test/fixtures/built-in.ts";
import { openStudioPage, type StudioPage, waitForRun } from "../test/fixtures/pages/studio-page.ts";
import { artifact, furthest, LOOKS, pictures } from "../test/fixtures/pages/studio-pictures.ts";

/** Longer runs are shown as far as they have come by then, ms. */
const LONG_ENOUGH = 15_000;
/** The scenarios that come first in the gallery are also drawn at these parts of their run. */
const PARTS = [0.1, 0.5, 0.9];
/** Sizes of a wide and a narrow picture on a sheet, px. */
const SHEET = { 1440: [720, 450], 390: [240, 519] } as const;

describe("pictures of", () => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage();
  });
  afterAll(() => studio?.close());

  const cases = NAMES.map((name) => ({ name, place: FIRST.includes(name) ? "first" : "other" }));
  it.each(cases)("$name, $place", { timeout: 1_200_000 }, async ({ name }) => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/scenario/${name}`);
    await page.waitForFunction((wanted) => window.studio.state?.source?.name === wanted, name);
    await Promise.race([waitForRun(page), page.waitForTimeout(LONG_ENOUGH)]);
    await page.evaluate(() => window.studio.cancel());
    await page.evaluate(() => window.studio.store.set({ quality: "full" }));
    await pictures(page, name, (await furthest(page)).t, LOOKS);
    const end = await page.evaluate(() => window.studio.endTime());
    for (const part of FIRST.includes(name) ? PARTS : []) await pictures(page, `${name}-${100 * part}`, part * end, LOOKS);
    if (FIRST.includes(name)) await sheet(name);
  });

  /** The pictures of a scenario at all times: wide ones on top, narrow ones below. */
  async function sheet(name: string): Promise<void> {
    const pictures = LOOKS.flatMap(([theme, width]) =>
      PARTS.map((part) => ({ theme, width, path: artifact(`${name}-${100 * part}-${theme}-${width}`) })),
    ).map(({ width, path }, i) => {
      const [w, h] = SHEET[width];
      const at =
        width === 1440
          ? [w * Math.floor(i / PARTS.length), h * (i % PARTS.length)]
          : [w * (i - 2 * PARTS.length), 3 * SHEET[1440][1]];
      return { data: readFileSync(path).toString("base64"), at, w, h };
    });
    const text = await studio.page.evaluate(async (parts) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [1440, 1869];
      const context = canvas.getContext("2d")!;
      context.imageSmoothingQuality = "high";
      for (const { data, at, w, h } of parts) {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        context.drawImage(image, at[0]!, at[1]!, w - 3, h - 3);
      }
      return canvas.toDataURL("image/png").split(",")[1]!;
    }, pictures);
    writeFileSync(artifact(`sheet-${name}`), Buffer.from(text, "base64"));
  }

  it("the gallery", async () => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/`);
    for (const [theme, width, height] of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.evaluate((wanted) => window.studio.store.set({ theme: wanted }), theme);
      await page.waitForTimeout(LONG_ENOUGH);
      await page.screenshot({ path: artifact(`gallery-${theme}-${width}`), fullPage: true });
    }
  });
});
