/** Runs of scenarios: identical to the bare simulation bit for bit, repeatable, and stopped by conditions or the caller. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { csvLog } from "../../../src/formats/log/log-csv.ts";
import type { Log } from "../../../src/log/log.ts";
import { formatScenario } from "../../../src/scenario/format.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { runScenario, type ScenarioRun } from "../../../src/scenario/run.ts";
import { channelDifferences, verifyScenario } from "../../../src/scenario/verify.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { builtIn, load, loadWithOverrides, PENDULUM, SCENARIOS } from "../../fixtures/models/pendulum.ts";

const textOf = (log: Log): string => [...csvLog(log)].join("");
const last = (log: Log, channel: string): number => log.column(channel).at(-1)!;

describe("a run", () => {
  it("equals the simulation of the prepared scenario", async () => {
    const scenario = load(PENDULUM);
    const { run, seconds, failure } = await runScenario(scenario);
    const { system, start, options } = prepareScenario(scenario);
    expect(textOf(run.log)).toBe(textOf(simulate(system, start, options).log));
    expect(run).toMatchObject({ end: "complete", t: 2, counts: { steps: 200 } });
    expect([seconds > 0, failure]).toEqual([true, undefined]);
  });

  it.each(SCENARIOS)("%s gives the same bytes twice, also after saving, and passes its audit", async (name) => {
    const scenario = builtIn(name, name === "dumbbell-in-orbit" ? "duration=10 min" : "duration=2");
    const { run, failure } = await runScenario(scenario);
    expect(failure).toBeUndefined();
    expect(textOf((await runScenario(scenario)).run.log)).toBe(textOf(run.log));
    expect(textOf((await runScenario(load(formatScenario(scenario)))).run.log)).toBe(textOf(run.log));
  });

  it("records the given channels and those of the plots", async () => {
    const { run } = await runScenario(loadWithOverrides(PENDULUM, "channels=[u.*, frame.bob.z, damper.*]", "duration=0.1"));
    expect(run.log.channels.map((c) => c.name)).toEqual(["t", "q.rod", "u.rod", "damper.rod", "frame.bob.z"]);
  });

  it("reports the quantity that failed the audit, and keeps the log until then", async () => {
    const { run, failure } = await runScenario(loadWithOverrides(PENDULUM, "integrator.step=0.2", "audit.energy=1e-12"));
    expect(failure).toMatchObject({ name: "AuditError", message: expect.stringContaining("energy drifted by") });
    expect(run.log.length).toBeGreaterThan(0);
    expect(run.t).toBeLessThan(2);
  });

  it("is refused if the initial state violates the audit", async () => {
    const scenario = builtIn("four-bar", "audit.loopClosure=1e-18");
    await expect(runScenario(scenario)).rejects.toThrow(/state: is not a valid initial state: .*loop closure/);
  });

  it("does not audit the momentum of a machine whose root has a prescribed motion", async () => {
    const scenario = load(`
castor: 1
name: driven root
model:
  name: driven root
  bodies:
    - { name: bus, mass: 10, inertia: [1, 1, 1], hinge: { kind: general, freedoms: [x, y, z, rx, ry, rz] } }
    - { name: arm, parent: bus, mass: 1, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1], hinge: { kind: revolute } }
  loops: [{ name: drive, kind: prescribed, hinge: bus.x, motion: { amplitude: 0.1, frequency: 3 } }]
state: { u: { arm: 1 } }
duration: 1
audit: { energy: 1e-6 }
`);
    const { failure, run } = await runScenario(scenario);
    expect(failure).toBeUndefined();
    expect(run.audit.map((row) => row.channel)).not.toContain("linear momentum");
  });

  it("reports a motion that cannot be integrated", async () => {
    const { failure } = await runScenario(loadWithOverrides(PENDULUM, "forces.damper.stiffness=1e25", "audit.energy=1e29"));
    expect(failure?.name).toMatch(/AuditError|StepError/);
  });

  it("yields to the event loop, reports progress, and ends when it is aborted", async () => {
    const scenario = loadWithOverrides(PENDULUM, "duration=1000", "integrator.step=0.0001", "sample=1");
    const interrupt = new AbortController();
    const shown: number[] = [];
    const { run } = await runScenario(scenario, {
      signal: interrupt.signal,
      progress: (t) => {
        shown.push(t);
        if (shown.length === 3) interrupt.abort();
      },
    });
    expect(run.end).toBe("interrupted");
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect(last(run.log, "t")).toBeLessThanOrEqual(run.t);
    expect(run.t).toBeLessThan(1000);
  });
});

describe("a stop condition", () => {
  it("ends the run when it becomes true, accurate to rounding, and the log ends there", async () => {
    const { run } = await runScenario(loadWithOverrides(PENDULUM, 'stop=["q.rod < 0", "t > 1.5"]'));
    expect(run).toMatchObject({ end: "stopped by event", events: [{ name: "q.rod < 0", t: run.t }] });
    expect(Math.abs(last(run.log, "q.rod"))).toBeLessThan(1e-14);
    expect(last(run.log, "t")).toBe(run.t);
    const later = await runScenario(loadWithOverrides(PENDULUM, "stop=t - 1.2345 > 0"));
    expect(later.run.t).toBeCloseTo(1.2345, 12);
  });

  it("can use any channel: energies, forces, frames, reactions", async () => {
    for (const condition of [
      "energy.kinetic > 2",
      "frame.bob.vx * frame.bob.vx > 1",
      "reaction.rod.fz > 22",
      "held.motor.torque > 0",
      "energy.balance - energy.dissipated < -17.35",
    ]) {
      const { run } = await runScenario(loadWithOverrides(PENDULUM, `stop=["${condition}"]`));
      expect([condition, run.end]).toEqual([condition, "stopped by event"]);
    }
  });

  it("that never becomes true changes nothing", async () => {
    const [with_, without] = await Promise.all([
      runScenario(loadWithOverrides(PENDULUM, "stop=q.rod > 1", "integrator.name=rkg")),
      runScenario(loadWithOverrides(PENDULUM, "integrator.name=rkg")),
    ]);
    expect(with_.run.end).toBe("complete");
    expect(last(with_.run.log, "q.rod")).toBeCloseTo(last(without.run.log, "q.rod"), 14);
  });

  it("that is true at the start is a problem", () => {
    expect(() => prepareScenario(loadWithOverrides(PENDULUM, "stop=q.rod > 0.1"))).toThrow(/true at the start/);
    expect(() => prepareScenario(loadWithOverrides(PENDULUM, "stop=u.rod / u.rod > 1"))).toThrow(/no value at the start/);
    expect(() => prepareScenario(loadWithOverrides(PENDULUM, "stop=u.rod > 0"))).not.toThrow();
  });
});

describe("a model that cannot be compiled", () => {
  it("is reported as a problem of the scenario", () => {
    const rod = "elastic: { length: 1, mass: 1, joints: [{ at: 0, stiffness: 10 }] }, hinge: { kind: revolute }";
    const attempt = (): unknown => prepareScenario(load(`{ model: { name: m, bodies: [{ name: rod, ${rod} }] }, duration: 1 }`));
    expect(attempt).toThrow(ModelError);
    expect(attempt).toThrow(/model: cannot be compiled: the hinge of rod has no inertia.*Give the body mass/);
  });
});

describe("verification", () => {
  it.each(SCENARIOS)("of %s: every formulation gives the same motion", async (name) => {
    const { agree, runs, differences } = await verifyScenario(
      builtIn(name, name === "dumbbell-in-orbit" ? "duration=2 h" : "duration=8"),
    );
    expect(runs.map((r) => r.system.formulation)).toEqual(expect.arrayContaining(["articulated", "kane", "matrix"]));
    expect(differences.filter((d) => !d.pass)).toEqual([]);
    expect(agree).toBe(true);
  });

  it("detects a difference larger than the tolerance", async () => {
    const { agree, differences } = await verifyScenario(builtIn("satellite-manipulator", "duration=4"), { tolerance: 1e-17 });
    expect(agree).toBe(false);
    const worst = differences.find((d) => d.channel.name === "q.waist")!;
    expect(worst.difference).toBeGreaterThan(0);
    expect(worst.difference).toBeLessThan(1e-10);
    expect(new Set(worst.between).size).toBe(2);
  });

  it("a channel that is not a number is a disagreement", () => {
    const log = (value: number): Log => ({
      channels: [
        { name: "t", unit: "s" },
        { name: "q.rod", unit: "rad" },
      ],
      length: 2,
      column: (name) => (name === "t" ? Float64Array.of(0, 0.5) : Float64Array.of(1, value)),
    });
    const run = (formulation: string, value: number) => ({ run: { log: log(value) }, system: { formulation } }) as ScenarioRun;
    const [none, one, all] = [
      [1, 1],
      [1, Number.NaN],
      [Number.NaN, Number.NaN],
    ].map(([a, b]) => channelDifferences([run("kane", a!), run("matrix", b!)], 1e-8)[1]!);
    expect(none).toMatchObject({ difference: 0, pass: true });
    expect(one).toMatchObject({ difference: Number.NaN, pass: false, at: 0.5, between: ["matrix", "kane"] });
    expect(all).toMatchObject({ difference: Number.NaN, pass: false, at: 0.5 });
  });

  it("works with controllers and events", async () => {
    expect((await verifyScenario(loadWithOverrides(PENDULUM, "stop=q.rod < -0.05"))).agree).toBe(true);
    const stops = "forces.stop={kind: stop, hinge: rod, lower: -0.1, stiffness: 5000, damping: 0.2}";
    expect((await verifyScenario(loadWithOverrides(PENDULUM, stops, "integrator={name: dop853}"))).agree).toBe(true);
  });
});
