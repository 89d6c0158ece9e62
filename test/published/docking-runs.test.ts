/** Whole runs of docking mechanisms, as far as tests have time: the soft capture to its end is in `castor validate`. */
import { describe, expect, it } from "vitest";
import { runScenario } from "../../src/scenario/run.ts";
import { builtIn } from "../fixtures/models/pendulum.ts";

const momentumKept = (audit: readonly { channel: string; absolute: number }[]): void => {
  for (const { channel, absolute } of audit) if (channel.includes("momentum")) expect(absolute).toBeLessThan(1e-6); // N s, N m s
};

describe("docking", () => {
  it("of a probe in a cone: it finds the socket and is latched; half the step or other steps change nothing that matters", async () => {
    const fixed = (step: string) =>
      runScenario(builtIn("probe-cone", "duration=5", `integrator={"name": "rk4", "step": ${step}}`));
    const [fine, coarse, own] = await Promise.all([
      fixed("0.0005"),
      fixed("0.001"),
      runScenario(builtIn("probe-cone", "duration=5")),
    ]);
    const captured = [fine, coarse, own].map(({ run }) => run.timeline.find(({ name }) => name === "latch.engage")!.t);
    expect(captured[1]).toBeCloseTo(4.4179, 3);
    expect(Math.abs(captured[0]! - captured[1]!)).toBeLessThan(1e-4);
    expect(Math.abs(captured[0]! - captured[2]!)).toBeLessThan(1e-5);
    for (const { run, failure } of [fine, coarse, own]) {
      expect(failure).toBeUndefined();
      momentumKept(run.audit);
      expect(run.audit[0]!.absolute).toBeLessThan(1e-3); // J
      // What the vehicles lost is what elements absorbed.
      const at = (name: string, i: number): number => run.log.column(name).at(i)!;
      const absorbed = ["drive", "gimbal", "latch", "cone", "collar"].reduce((sum, e) => sum + at(`${e}.absorbed`, -1), 0);
      expect(at("energy.kinetic", 0) - at("energy.kinetic", -1)).toBeCloseTo(absorbed, 3);
    }
  });

  it("from extension to capture: modes in their order, and a ring that keeps its loops closed", async () => {
    const { run, failure } = await runScenario(builtIn("docking-retract", "duration=4.2"));
    expect(failure).toBeUndefined();
    const modes = run.timeline.flatMap(({ done }) => done.filter((d) => d.startsWith("mode ")));
    expect(modes).toEqual(["mode extend", "mode soft-capture", "mode attenuate"]);
    momentumKept(run.audit);
    expect(run.audit.find((row) => row.channel === "loop closure")!.absolute).toBeLessThan(1e-11);
    expect(run.reasons.align).toBeUndefined(); // it is due later
    expect(run.reasons.undock).toBe("waits for hard-capture");
  });

  it("beyond all reach is a clear miss, and says by what", async () => {
    const { run, failure } = await runScenario(builtIn("docking-soft-capture", "approach.z=1.5", "duration=1"));
    expect(failure).toBeUndefined();
    expect(run.waiting).toEqual(["latch-1.engage", "latch-2.engage", "latch-3.engage", "capture"]);
    expect(run.reasons["latch-1.engage"]).toMatch(/its striker is farther from the axis than 0.015 m, by 1\.\d+ m$/);
    expect(run.audit[0]!.absolute).toBeLessThan(1e-3);
  });
});
