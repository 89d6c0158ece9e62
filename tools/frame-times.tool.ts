/**
 * Script time of the page per frame of playback: `npm run tool -- frame-times`, some scenarios with `-t NAME`. Times are processor times of the
 * main thread in full quality, so neither the drawing without a graphics card nor other work of the machine counts. With `CASTOR_PROFILE=1`
 * a profile for the browser's developer tools is written into `artifacts/`.
 */
import { writeFileSync } from "node:fs";
import type { CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openScenario, openStudioPage, type StudioPage } from "../test/fixtures/pages/studio-page.ts";
import { artifact } from "../test/fixtures/pages/studio-pictures.ts";

const SCENARIOS = ["satellite-manipulator", "docking-soft-capture", "docking-apas", "rover-traverse", "rover-six-wheel"];
/** Frames that are measured, after some that compile shaders and scripts. */
const [FIRST_FRAMES, FRAMES] = [10, 30];

describe("script time per frame of", () => {
  let studio: StudioPage;
  let session: CDPSession;
  beforeAll(async () => {
    studio = await openStudioPage();
    session = await studio.page.context().newCDPSession(studio.page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
  });
  afterAll(() => studio?.close());

  async function metrics(): Promise<Readonly<Record<string, number>>> {
    const { metrics } = await session.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  }

  /** Plays the run: a three-hundredth of it per frame, because without a graphics card playback takes its longest step, a tenth of a second. */
  const play = (count: number): Promise<void> =>
    studio.page.evaluate(async (frames) => {
      const { studio } = window;
      const canvas = document.querySelector<HTMLElement>(".view canvas")!;
      const speed = (studio.endTime() - studio.startTime()) / 30;
      studio.store.set({ speed, loop: true, playing: true });
      for (let drawn = 0, time = ""; drawn < frames; ) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (canvas.dataset.time !== time) drawn++;
        time = canvas.dataset.time!;
      }
      studio.store.set({ playing: false });
    }, count);

  it.each(SCENARIOS)("%s", { timeout: 600_000 }, async (name) => {
    const { page } = studio;
    await openScenario(studio, name);
    await page.evaluate(() => window.studio.store.set({ quality: "full" }));
    await page.waitForTimeout(1000);
    await play(FIRST_FRAMES);
    const before = await metrics();
    await play(FRAMES);
    const after = await metrics();
    const perFrame = (key: string): string => ((1000 * (after[key]! - before[key]!)) / FRAMES).toFixed(2);
    console.log(
      `${name}: script ${perFrame("ScriptDuration")} ms, style ${perFrame("RecalcStyleDuration")} ms, layout ${perFrame("LayoutDuration")} ms, all tasks ${perFrame("TaskDuration")} ms per frame`,
    );
    if (process.env.CASTOR_PROFILE !== "1") return;
    await session.send("Profiler.enable");
    await session.send("Profiler.setSamplingInterval", { interval: 200 });
    await session.send("Profiler.start");
    await play(FRAMES);
    const { profile } = await session.send("Profiler.stop");
    writeFileSync(artifact(name).replace(/png$/, "cpuprofile"), JSON.stringify(profile));
  });
});
