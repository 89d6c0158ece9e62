/** Memory of the page while a large scenario is changed again and again. CASTOR_EDITS=30 is the long form. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openScenario, openStudioPage, type StudioPage, waitForRun } from "../fixtures/pages/studio-page.ts";

const EDITS = Number(process.env.CASTOR_EDITS ?? 5);
/** The heap after the last edit, relative to the heap after the third. */
const MAX_GROWTH = 1.3;

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage({ width: 1000 });
});
afterAll(() => studio?.close());

/** Size of the heap after garbage collection, MB. Only Chromium tells it. */
async function heapSize(): Promise<number> {
  const session = await studio.page.context().newCDPSession(studio.page);
  for (let k = 0; k < 3; k++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1e6;
}

it.runIf(process.env.CASTOR_BROWSER !== "firefox")(
  `the heap stays within ${MAX_GROWTH} of its size after the third of ${EDITS} edits of docking-soft-capture`,
  { timeout: 900_000 },
  async () => {
    const { page } = studio;
    await openScenario(studio, "docking-soft-capture");
    let third = 0;
    for (let edit = 1; edit <= EDITS; edit++) {
      const path = "model.bodies.ring.mass";
      await page.evaluate((change) => window.studio.change([change]), { path, value: 20 + edit, from: `set ${path}` });
      await waitForRun(page);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      if (edit === 3) third = await heapSize();
    }
    expect(third).toBeGreaterThan(5);
    const last = await heapSize();
    console.log(`heap after edit 3: ${third.toFixed(1)} MB, after edit ${EDITS}: ${last.toFixed(1)} MB`);
    expect(last / third).toBeLessThan(MAX_GROWTH);
    expect(studio.complaints).toEqual([]);
  },
);
