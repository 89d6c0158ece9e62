import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Log } from "../../src/log/log.ts";
import { runScenario } from "../../src/scenario/run.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { NAMES } from "../fixtures/built-in.ts";
import { BROWSER } from "../fixtures/pages/browser.ts";
import { builtIn, expectSameColumns } from "../fixtures/pages/studio-log.ts";
import { openScenario, openStudioPage, type StudioPage, waitForRun } from "../fixtures/pages/studio-page.ts";
import { furthest, LOOKS, pictures, seek as seekOn } from "../fixtures/pages/studio-pictures.ts";

/** Longer runs are cancelled after this time, ms, and compared up to there. */
const LONG_ENOUGH = 500;

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
  await studio.page.goto(studio.server.address);
  await studio.page.waitForSelector(".card");
});
afterAll(() => studio?.close());
afterEach(() => expect(studio.complaints.splice(0)).toEqual([]));

const text = (selector: string): Promise<string> => studio.page.locator(selector).first().innerText();

/** The log of the command line, with at least `samples` samples if the run has them. */
async function logOf(scenario: Scenario, samples: number): Promise<Log> {
  const enough = new AbortController();
  const progress = (_: number, log: Log): void => {
    if (log.length >= samples) enough.abort();
  };
  return (await runScenario(scenario, { progress, signal: enough.signal })).run.log;
}

/** Waits until the run has ended, or cancels it after `limit` ms. Returns the number of samples. */
async function runFor(limit: number): Promise<number> {
  const { page } = studio;
  // A busy machine needs long to compile the first kernels; the limit of the test itself ends a run that hangs.
  const hasSamples = (): boolean => {
    const { runs, current } = window.studio.state;
    return (runs.find(({ id }) => id === current)?.log.length ?? 0) > 1;
  };
  await page.waitForFunction(hasSamples, undefined, { timeout: 120_000 });
  await Promise.race([waitForRun(page), page.waitForTimeout(limit)]);
  return page.evaluate(() => {
    window.studio.cancel();
    const { runs, current } = window.studio.state;
    return runs.find(({ id }) => id === current)!.log.length;
  });
}

const scene = (): Promise<Buffer> => studio.page.locator(".view canvas").screenshot();

const seek = (t: number): Promise<void> => seekOn(studio.page, t);

/** Drawing by software takes most of the time of these tests. */
const SMALL = { width: 1000, height: 620 } as const;

describe("every built-in scenario", () => {
  beforeAll(() => studio.page.setViewportSize(SMALL));
  afterAll(() => studio.page.setViewportSize({ width: 1440, height: 900 }));
  it.each(NAMES)(
    "%s opens from the gallery, moves, and has the same numbers as on the command line",
    { timeout: 180_000 },
    async (name) => {
      const { page } = studio;
      await page.click(".brand");
      await page.click(`[data-scenario="${name}"]`);
      await page.waitForFunction((wanted) => window.studio.state.source?.name === wanted, name);
      const samples = await runFor(LONG_ENOUGH);
      const scenario = builtIn(name);
      expect(await text("h1")).toBe(scenario.name);
      const log = await logOf(scenario, samples);
      const count = Math.min(samples, log.length);
      expect(count).toBeGreaterThan(1);
      await expectSameColumns(studio, log, count);

      await seek(0);
      const before = await scene();
      const { t, distance } = await furthest(page);
      if (distance > 0.02) {
        // Slow playback: even the shortest run has not ended before it is paused.
        await page.evaluate(() => window.studio.store.set({ speed: window.studio.endTime() / 1000 }));
        await page.keyboard.press(" ");
        await page.waitForFunction(() => window.studio.state.time > 0);
        await page.keyboard.press(" ");
        expect(await page.evaluate(() => window.studio.state.playing)).toBe(false);
        await page.evaluate(() => window.studio.store.set({ speed: 1 }));
        await seek(t);
        expect((await scene()).equals(before)).toBe(false);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(SMALL.width);
    },
  );

  it("fits on a phone and on a desktop screen, in both themes", { timeout: 180_000 }, async () => {
    await openScenario(studio, "satellite-manipulator");
    await pictures(studio.page, "satellite-manipulator", 3, LOOKS);
    // Plots fill the height of their cells and must not increase it.
    await studio.page.setViewportSize({ width: 390, height: 844 });
    const heights: number[] = [];
    for (const t of [1, 2, 3]) {
      await seek(t);
      heights.push(await studio.page.evaluate(() => document.documentElement.scrollHeight));
    }
    expect(new Set(heights).size).toBe(1);
    // On a desktop screen no text is cut off: titles, the badge, names of channels.
    await studio.page.setViewportSize({ width: 1440, height: 900 });
    const cut = (): Promise<(string | null)[]> =>
      studio.page.evaluate(() =>
        [...document.querySelectorAll(".plot figcaption, .chips, .badge, .run-chip .name, .entry .name")]
          .filter((e) => e.scrollWidth > e.clientWidth + 1 || (e.className === "chips" && e.scrollHeight > e.clientHeight + 1))
          .map((e) => e.textContent),
      );
    // Plots are drawn again some frames after the page has changed its size. Firefox has the fonts of the system, which may be wider.
    if (BROWSER === "chromium") await expect.poll(cut, { timeout: 10_000 }).toEqual([]);
    // A desktop screen with a zoom of 200 %: parts keep their size, and the page scrolls.
    await studio.page.setViewportSize({ width: 720, height: 450 });
    for (const part of [".view", ".plot-body"])
      expect((await studio.page.locator(part).first().boundingBox())!.height, part).toBeGreaterThan(150);
    expect(await studio.page.evaluate(() => document.querySelector(".region-bottom")!.clientHeight)).toBeGreaterThan(400);
    await studio.page.setViewportSize({ width: 1440, height: 900 });
  });
});
