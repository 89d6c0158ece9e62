/**
 * Draws the pictures of the documentation into `docs/`: `npm run tool -- docs-pictures`, one of them with `-t NAME`. The pictures
 * `rover-*.png` are written by `castor run`. Look at the pictures before you keep them.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openStudioPage, type StudioPage, waitForRun } from "../test/fixtures/pages/studio-page.ts";
import { seek } from "../test/fixtures/pages/studio-pictures.ts";

const DOCS = fileURLToPath(new URL("../docs", import.meta.url));
const DESK = { width: 1360, height: 850 };
const PHONE = { width: 390, height: 844 };

const SHOWN = {
  studio: { scenario: "satellite-manipulator", t: 3.2, theme: "light", size: DESK },
  "studio-rover": { scenario: "rover-traverse", t: 103, theme: "light", size: DESK },
  "studio-docking": { scenario: "docking-soft-capture", t: 3.5, theme: "dark", size: DESK },
  "studio-probe": { scenario: "probe-cone", t: 60, theme: "light", size: DESK },
  "studio-modes": { scenario: "flexible-satellite?mode=12", t: 0, theme: "light", size: DESK },
  "studio-phone": { scenario: "stewart-platform", t: 0.2, theme: "dark", size: PHONE },
} as const;

describe("pictures of the documentation", () => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage();
  });
  afterAll(() => studio?.close());

  it.each(Object.entries(SHOWN))("%s", { timeout: 600_000 }, async (name, { scenario, t, theme, size }) => {
    const { page, server } = studio;
    await page.setViewportSize(size);
    await page.goto("about:blank");
    await page.goto(`${server.address}#/scenario/${scenario}`);
    await waitForRun(page);
    // The time that is shown is that of a run after a change: its code is there.
    for (let k = 0; k < 3; k++) {
      await page.evaluate(() => window.studio.run());
      await waitForRun(page);
    }
    const message = page.locator('[aria-label="Close the message"]:visible');
    if ((await message.count()) > 0) await message.click();
    const moving = page.getByRole("button", { name: "Pause the mode" });
    if ((await moving.count()) > 0) await moving.click();
    await page.mouse.move(0, 0); // nothing is under the pointer
    await page.evaluate(() => window.studio.store.set({ phase: 0.25 }));
    await page.evaluate((wanted) => window.studio.store.set({ theme: wanted, quality: "full" }), theme);
    await page.waitForTimeout(1500); // what is drawn late
    await seek(page, t);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(DOCS, `${name}.png`) });
  });

  it("studio-gallery", { timeout: 120_000 }, async () => {
    // A new visitor has no recent scenarios.
    const page = await studio.page
      .context()
      .browser()!
      .newPage({ viewport: { width: 1120, height: 700 } });
    await page.goto(`${studio.server.address}#/`);
    await page.evaluate(() => window.studio.store.set({ theme: "light" }));
    await page.waitForTimeout(15_000);
    await page.screenshot({ path: join(DOCS, "studio-gallery.png") });
  });
});
