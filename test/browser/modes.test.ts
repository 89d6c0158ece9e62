/** Modes in the studio: the numbers of the command line, a picture that moves, and the way back to the run. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modalAnalysis } from "../../src/analysis/modes/modal-analysis.ts";
import type { Mode } from "../../src/analysis/modes/modes.ts";
import { elasticRods, rodSections } from "../../studio/src/view/geometry/elastic-rods.ts";
import { machineExtent } from "../../studio/src/view/geometry/machine-extent.ts";
import { displayShapes } from "../../studio/src/view/geometry/shapes.ts";
import { ModeMotion } from "../../studio/src/view/motion/mode-motion.ts";
import { RunMotion } from "../../studio/src/view/motion/run-motion.ts";
import { castor, workFolder } from "../fixtures/installed.ts";
import { builtIn } from "../fixtures/models/pendulum.ts";
import { openScenario, openStudioPage, type StudioPage } from "../fixtures/pages/studio-page.ts";

describe("a mode in the scene", () => {
  const { model, forces, q, u } = builtIn("flexible-cantilever");
  const { modes } = modalAnalysis(model, forces, { q, u });

  it("bends the rod smoothly with the given amplitude, and swings about the rest shape", async () => {
    const motion = await RunMotion.create(model, q);
    const extent = machineExtent(model, motion.at(0).poses, displayShapes(model));
    const shown = { mode: modes[0]!, q, number: 1, amplitude: 0.2, phase: 0.25 };
    const mode = new ModeMotion(motion, extent, shown);
    const [rod] = elasticRods(model);
    const middle = (phase: number): readonly (readonly number[])[] =>
      rodSections(rod!, motion.posesFor(mode.at({ ...shown, phase })).poses).map(({ at }) => at);
    const [out, back] = [middle(0.25), middle(0.75)];
    expect(Math.max(...middle(0).map(([, y]) => Math.abs(y!)))).toBeLessThan(1e-12);
    expect(Math.abs(out.at(-1)![1]!) / (0.2 * extent.radius)).toBeCloseTo(1, 1);
    for (const [i, at] of out.entries()) expect(at[1]!).toBeCloseTo(-back[i]![1]!, 12);
    // First shape of a clamped beam: monotonic, with 0.34 of the tip deflection at half length.
    const after = out.findIndex(([x]) => x! >= 0.5);
    const [a, b] = [out[after - 1]!, out[after]!];
    const half = (a[1]! + ((0.5 - a[0]!) / (b[0]! - a[0]!)) * (b[1]! - a[1]!)) / out.at(-1)![1]!;
    expect(Math.abs(half - 0.34)).toBeLessThan(0.02);
    const turns = out.slice(2).map((p, i) => Math.atan2(p[1]! - out[i + 1]![1]!, p[0]! - out[i + 1]![0]!));
    const corner = Math.max(...turns.slice(1).map((a, i) => Math.abs(a - turns[i]!)));
    expect(corner).toBeLessThan(0.25 * Math.abs(turns.at(-1)! - turns[0]!)); // the curvature is spread over the rod, not concentrated at joints
  });
});

describe("the Modes panel", () => {
  let studio: StudioPage;
  beforeAll(async () => {
    studio = await openStudioPage();
  });
  afterAll(() => studio?.close());

  const ready = (): Promise<unknown> =>
    studio.page.waitForFunction(() => !["computing", undefined].includes(window.studio.state.modes?.status));
  const drawn = (): Promise<unknown> =>
    studio.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const scene = (): Promise<Buffer> => studio.page.locator(".view canvas").screenshot();

  it("has the numbers of castor modes, moves the scene, and closes with Escape", async () => {
    const { page } = studio;
    await openScenario(studio, "flexible-cantilever");
    await page.getByRole("tab", { name: "Modes" }).click();
    await ready();
    const { stdout } = castor(workFolder(), ["modes", "flexible-cantilever", "--json"]);
    const expected = JSON.parse(stdout) as { modes: (Omit<Mode, "shape" | "shapeIm"> & Record<"shape" | "shapeIm", number[]>)[] };
    const found = await page.evaluate(() =>
      window.studio.state.modes!.result!.modes.map((mode) => ({
        ...mode,
        shape: [...mode.shape],
        shapeIm: [...mode.shapeIm],
      })),
    );
    expect(found).toHaveLength(expected.modes.length);
    for (const [i, { eigenvalue, frequency, dampingRatio, shape, kind }] of expected.modes.entries()) {
      expect(found[i]!.kind).toBe(kind);
      expect(Math.abs(found[i]!.frequency / frequency - 1)).toBeLessThan(1e-12);
      expect(Math.abs(found[i]!.dampingRatio / dampingRatio - 1)).toBeLessThan(1e-12);
      expect(Math.abs(found[i]!.eigenvalue.re / eigenvalue.re - 1)).toBeLessThan(1e-12);
      for (const [k, v] of shape.entries()) expect(Math.abs(found[i]!.shape[k]! - v)).toBeLessThan(1e-10);
    }
    expect(await page.locator(".modes-table tbody tr").count()).toBe(4);
    expect(await page.locator(".modes-remark").first().textContent()).toContain("Not at rest there: unbalanced forces up to 9.3");
    // The first vibration mode plays; the arrow key moves to the next.
    expect(await page.evaluate(() => window.studio.state.playing)).toBe(true);
    await page.getByRole("radio", { name: "1" }).focus();
    await page.keyboard.press("ArrowDown");
    await drawn();
    expect(await page.locator(".view .legend").textContent()).toMatch(/mode 2, 44\.91 Hz, shown 90 times slower/);
    await page.getByRole("button", { name: "Pause the mode" }).click();
    const at = async (phase: number): Promise<Buffer> => {
      await page.evaluate((to) => window.studio.store.set({ phase: to }), phase);
      await drawn();
      return scene();
    };
    const [out, back] = [await at(0.25), await at(0.75)];
    expect(out.equals(back)).toBe(false);
    expect(page.url()).toContain("mode=2");
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => window.studio.state.modes)).toBeUndefined();
    expect(await page.getByRole("tab", { name: "Plots" }).getAttribute("aria-selected")).toBe("true");
    await drawn(); // the description of the scene changes with the next frame
    expect(await page.locator(".view canvas").getAttribute("aria-label")).toContain("at 0 s");
    expect(page.url()).not.toContain("mode");
  });

  it("uses the current time, locked hinges and the nearest equilibrium, and is restored from an address", async () => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/scenario/flexible-two-link?mode=1&lock=motor-1,motor-2&rest=`);
    await ready();
    const { model, forces, q } = builtIn("flexible-two-link");
    const held = modalAnalysis(model, forces, { q, locked: ["motor-1", "motor-2"], about: "rest", count: 12 });
    const frequencies = (): Promise<number[]> =>
      page.evaluate(() => window.studio.state.modes!.result!.modes.map(({ frequency }) => frequency));
    expect(await frequencies()).toEqual(held.modes.map(({ frequency }) => frequency));
    await page.getByRole("checkbox", { name: "about the nearest equilibrium" }).uncheck();
    await page.waitForFunction(() => window.studio.endTime() > 0.2);
    await page.evaluate(() => window.studio.seek(0.2));
    await page.waitForFunction(() => (window.studio.state.modes!.result?.t ?? 0) > 0.19);
    const state = await page.evaluate(() => {
      const run = window.studio.state.runs.at(-1)!;
      const t = window.studio.state.modes!.result!.t;
      const at = run.log.column("t").indexOf(t);
      const row = (kind: string): number[] =>
        run.log.channels.filter(({ name }) => name.startsWith(kind)).map(({ name }) => run.log.column(name)[at]!);
      return { t, q: row("q."), u: row("u.") };
    });
    const [qt, ut] = [Float64Array.from(state.q), Float64Array.from(state.u)];
    const then = modalAnalysis(model, forces, { q: qt, u: ut, t: state.t, locked: ["motor-1", "motor-2"], count: 12 });
    expect(await frequencies()).toEqual(then.modes.map(({ frequency }) => frequency));
    expect(await page.locator(".modes-remark").first().textContent()).toContain("Not in steady motion there");
  });

  it("reports that nothing vibrates, and problems in an address", async () => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/scenario/asymmetric-top?mode=&set=state.u={}`);
    await ready();
    expect(await page.locator(".modes-remark").textContent()).toBe("Nothing vibrates: there is no restoring force.");
    expect(await page.evaluate(() => window.studio.state.modes!.chosen)).toBeUndefined();
    await page.goto(`${server.address}#/scenario/flexible-cantilever?mode=1&lock=rood`);
    await page.waitForSelector(".problems:has-text('there is no such hinge or freedom, got rood')");
    expect(await page.evaluate(() => window.studio.state.modes)).toBeUndefined(); // opened without the modes
    expect(studio.complaints).toEqual([]);
  });
});
