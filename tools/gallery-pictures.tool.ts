/**
 * Draws the pictures of the gallery into `studio/public/pictures`: `npm run tool -- gallery-pictures`, one of them with `-t NAME`. Each
 * scenario has a picture at the moment that is furthest from the start, and a strip with moments of its run; one has the large picture at the
 * top of the page. Run it again when the scenes look different. It takes about half an hour without a graphics card.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { HEIGHT, HERO_HEIGHT, HERO_WIDTH, MOMENTS, WIDTH } from "../studio/src/gallery/card-picture.ts";
import { HERO } from "../studio/src/gallery/fields.ts";
import { NAMES } from "../test/fixtures/built-in.ts";
import { openStudioPage, type StudioPage, waitForRun } from "../test/fixtures/pages/studio-page.ts";
import { furthest, seek } from "../test/fixtures/pages/studio-pictures.ts";

const FOLDER = fileURLToPath(new URL("../studio/public/pictures", import.meta.url));
/** Width of the strip relative to the picture. */
const STRIP_SCALE = 0.5;
const [PICTURE_QUALITY, STRIP_QUALITY] = [0.8, 0.5];
/** Part of the run, and width of the view, of the large picture. It shows the left part of the view, so the machine is right of its middle. */
const [HERO_PART, HERO_VIEW] = [0.12, 2250];
/** Long runs, ms. */
const PATIENCE = 300_000;

/** Only the scene, in a size. */
const styleOf = (width: number, height: number): string =>
  `.view { position: fixed !important; inset: 0 auto auto 0; width: ${width}px; height: ${height}px; z-index: 99 }
  .view > :not(canvas) { display: none !important }`;

describe("pictures of the gallery", () => {
  let studio: StudioPage;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    studio = await openStudioPage({ width: 1100 });
    await studio.page.emulateMedia({ colorScheme: "light" });
    studio.page.setDefaultTimeout(PATIENCE);
  });
  afterAll(() => studio?.close());

  async function open(name: string, width: number, height: number): Promise<void> {
    const { page, server } = studio;
    await page.goto("about:blank");
    await page.goto(`${server.address}#/scenario/${name}`);
    await waitForRun(page);
    await page.evaluate(
      (css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [sheet];
      },
      styleOf(width, height),
    );
    // Arrows of forces would hide small machines.
    await page.evaluate(() => window.studio.store.set({ quality: "full", layers: { "contact-forces": false } }));
    await page.waitForTimeout(900); // meshes, and what is drawn late
  }

  it.each(NAMES)("%s", { timeout: 600_000 }, async (name) => {
    const { page } = studio;
    await open(name, WIDTH, HEIGHT);
    const { t: best } = await furthest(page);
    const end = await page.evaluate(() => window.studio.endTime());
    const shot = async (t: number): Promise<string> => {
      await seek(page, t);
      await page.waitForFunction(
        (time) => document.querySelector<HTMLElement>(".view canvas")?.dataset.time === String(time),
        t,
        { timeout: 120_000 },
      );
      return (await page.locator(".view").screenshot()).toString("base64");
    };
    const picture = await shot(best);
    const moments: string[] = [];
    for (let k = 0; k < MOMENTS; k++) moments.push(await shot((k * end) / (MOMENTS - 1)));
    writeFileSync(join(FOLDER, `${name}.webp`), await packed([picture], 1, PICTURE_QUALITY));
    writeFileSync(join(FOLDER, `${name}-motion.webp`), await packed(moments, STRIP_SCALE, STRIP_QUALITY));
  });

  it("hero", { timeout: 600_000 }, async () => {
    const { page } = studio;
    await page.setViewportSize({ width: HERO_VIEW, height: 2 * HERO_HEIGHT });
    await open(HERO, HERO_VIEW, HERO_HEIGHT);
    await seek(page, HERO_PART * (await page.evaluate(() => window.studio.endTime())));
    await page.waitForTimeout(500);
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: HERO_WIDTH, height: HERO_HEIGHT } });
    writeFileSync(
      join(FOLDER, "hero.webp"),
      await packed([picture.toString("base64")], 1, PICTURE_QUALITY, [HERO_WIDTH, HERO_HEIGHT]),
    );
  });

  /** The pictures below each other as one WebP file. */
  async function packed(
    pictures: readonly string[],
    scale: number,
    quality: number,
    [width, height] = [WIDTH, HEIGHT],
  ): Promise<Buffer> {
    const text = await studio.page.evaluate(
      async (job) => {
        const [w, h] = [Math.round(job.width * job.scale), Math.round(job.height * job.scale)];
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [w, h * job.pictures.length];
        const context = canvas.getContext("2d")!;
        context.imageSmoothingQuality = "high";
        for (const [k, data] of job.pictures.entries()) {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          context.drawImage(image, 0, k * h, w, h);
        }
        return canvas.toDataURL("image/webp", job.quality).split(",")[1]!;
      },
      { pictures, scale, quality, width, height },
    );
    return Buffer.from(text, "base64");
  }
});
