/**
 * Draws every scenario in both themes and two sizes into `artifacts/`: `npm run tool -- pictures.tool`, some of them with `-t NAME`. It takes
 * minutes without a graphics card.
 */
import { afterAll, beforeAll, describe, it } from "vitest";
import { FIRST } from "../studio/src/gallery/fields.ts";
import { NAMES } from "../test/fixtures/built-in.ts";
import { openStudioPage, type StudioPage, waitForRun } from "../test/fixtures/pages/studio-page.ts";
import { artifact, furthest, LOOKS, pictures } from "../test/fixtures/pages/studio-pictures.ts";

/** Longer runs are shown as far as they have come by then, ms. */
const LONG_ENOUGH = 15_000;
/** The scenarios that come first in the gallery are also drawn at these parts of their run. */
const PARTS = [0.1, 0.5, 0.9];

describe("pictures of", () => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage();
  });
  afterAll(() => studio?.close());

  it.each(NAMES)("%s", { timeout: 1_200_000 }, async (name) => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/scenario/${name}`);
    await page.waitForFunction((wanted) => window.studio.state?.source?.name === wanted, name);
    await Promise.race([waitForRun(page), page.waitForTimeout(LONG_ENOUGH)]);
    await page.evaluate(() => window.studio.cancel());
    await page.evaluate(() => window.studio.store.set({ quality: "full" }));
    await pictures(page, name, (await furthest(page)).t, LOOKS);
    const end = await page.evaluate(() => window.studio.endTime());
    for (const part of FIRST.includes(name) ? PARTS : []) await pictures(page, `${name}-${100 * part}`, part * end, LOOKS);
  });

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
