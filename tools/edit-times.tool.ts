/**
 * Measures in the browser the time from a change to the end of the run, for every built-in scenario: `npm run tool -- edit-times`.
 * Choose scenarios with `-t NAME`. Run it on an idle machine. It prints a table and asserts nothing.
 */
import { afterAll, beforeAll, describe, it } from "vitest";
import { NAMES } from "../test/fixtures/built-in.ts";
import { openScenario, openStudioPage, type StudioPage } from "../test/fixtures/pages/studio-page.ts";

/** Milliseconds to the first samples and to the end, of which compiling. */
const changed = ({ page }: StudioPage, path: string, factor: number): Promise<readonly number[]> =>
  page.evaluate(
    ([where, times]) =>
      new Promise<readonly number[]>((resolve) => {
        const { studio } = window;
        const { scenario } = studio.state;
        const { duration, model } = scenario!;
        const body = model.bodies.find(({ mass }) => mass > 0)!;
        const value = times * (where === "duration" ? duration : body.mass);
        const at = where === "duration" ? where : `model.bodies.${body.name}.mass`;
        const began = performance.now();
        let first = 0;
        studio.change([{ path: at, value, from: at }]);
        const stop = studio.store.watch(["runs"], ({ runs, current }) => {
          const run = runs.find(({ id }) => id === current)!;
          if (run.log.length > 0) first ||= performance.now() - began;
          if (run.status === "running") return;
          queueMicrotask(() => stop());
          resolve([first, performance.now() - began, 1000 * (run.summary?.compileSeconds ?? 0)]);
        });
      }),
    [path, factor] as const,
  );

describe("from a change to the end of the run, ms: first samples, all, of which compiling", () => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage();
  });
  afterAll(() => studio?.close());

  it.each(NAMES)("%s", { timeout: 300_000 }, async (name) => {
    await openScenario(studio, name);
    const rows: string[] = [];
    for (const [path, factor] of [
      ["duration", 0.999],
      ["duration", 0.998],
      ["mass", 1.001],
      ["mass", 1.002],
    ] as const) {
      const times = await changed(studio, path, factor);
      rows.push(`${path} ${times.map((t) => t.toFixed(0).padStart(5)).join(" ")}`);
    }
    console.log(`${name.padEnd(28)} ${rows.join(" | ")}`);
  });
});
