/** Driving summary from a log: a log made by hand with known values, and runs that get stuck. */
import { describe, expect, it } from "vitest";
import { drivingOf, drivingPeaks } from "../../../src/analysis/driving.ts";
import { Recording } from "../../../src/log/log.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import type { ForceElement } from "../../../src/sim/system/force-element.ts";
import { rover } from "../../fixtures/models/rovers.ts";

const CART = createModel({
  name: "cart",
  bodies: [
    { name: "body", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } },
    { name: "left", parent: "body", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "y" } },
    { name: "right", parent: "body", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "y" } },
  ],
});
const wheel = (name: string): ForceElement => ({
  name: `on-${name}`,
  kind: "any",
  frames: [name],
  channels: ["load", "slip", "sinkage"].map((c) => ({ name: c, unit: "" })),
});
const ELEMENTS: readonly ForceElement[] = [wheel("left"), wheel("right"), { name: "motor", kind: "any", held: ["speed"] }];

/** One sample per second. */
function logOf(samples: number, sample: (t: number) => Readonly<Record<string, number>>) {
  const names = Object.keys(sample(0));
  const log = new Recording([{ name: "t", unit: "s" }, ...names.map((name) => ({ name, unit: "" }))]);
  for (let t = 0; t < samples; t++) log.add([t, ...Object.values(sample(t))]);
  return log;
}
const STILL = { "q.body.qx": 0, "q.body.qy": 0, "q.body.y": 0, "q.body.z": 0 };

describe("driving, from a log", () => {
  it("distance, work, work returned by braking, slip and loads", () => {
    const log = logOf(11, (t) => ({
      ...STILL,
      "q.body.x": 0.2 * t,
      "u.left": 1,
      "u.right": 1,
      "on-left.slip": 0.1,
      "on-right.slip": t === 4 ? -0.5 : -0.1,
      "on-left.load": 50 + t,
      "on-right.load": 40 - t,
      "on-left.sinkage": 0.01,
      "on-right.sinkage": t === 7 ? 0.02 : 0.01,
      "motor.power": t < 5 ? 3 : -1,
    }));
    const found = drivingOf(CART, ELEMENTS, log)!;
    expect(found.distance).toBeCloseTo(2, 12);
    expect(found.time).toBe(10);
    // From the fourth to the fifth second the power falls from 3 to -1; each sign is a triangle over the whole second.
    expect(found.work).toBeCloseTo(4 * 3 + 1.5, 12);
    expect(found.returned).toBeCloseTo(5 * 1 + 0.5, 12);
    expect(found.perMetre).toBeCloseTo(13.5 / 2, 12);
    expect(found.peakPower).toBe(3);
    expect(found.meanSlip).toBeCloseTo((9 * 0.1 + 0.3) / 10, 12);
    expect(found.mostSlip).toEqual({ value: -0.5, wheel: "right", t: 4 });
    expect(found.deepest).toEqual({ value: 0.02, wheel: "right", t: 7 });
    const recorded = log.channels.map(({ name }) => name);
    expect(drivingPeaks(ELEMENTS, recorded)).toEqual([
      { channels: ["on-left.load", "on-right.load"] },
      { channels: ["on-left.sinkage", "on-right.sinkage"], bound: "most" },
    ]);
    const peak = (channel: string, bound: "most" | "least", value: number, at: number) => ({
      channel,
      unit: "",
      bound,
      value,
      at,
    });
    const followed = drivingOf(CART, ELEMENTS, log, {
      peaks: [
        peak("on-left.load", "most", 61, 9.7),
        peak("on-right.load", "most", 44, 0.2),
        peak("on-left.sinkage", "most", 0.03, 1.5),
      ],
    })!;
    expect(followed.mostLoad).toEqual({ value: 61, wheel: "left", t: 9.7 });
    expect(followed.leastLoad).toEqual(found.leastLoad);
    expect(followed.deepest).toEqual(found.deepest); // the other wheel was not followed
    expect(found.leastLoad).toEqual({ value: 30, wheel: "right", t: 10 });
    expect(found.mostLoad).toEqual({ value: 60, wheel: "left", t: 10 });
    expect(found.stuck).toEqual([]);
  });

  it("stuck: spinning wheels and stalled wheels, but not at rest or for a short time", () => {
    const at = (t: number, slip: number, rate: number, wanted: number) => ({
      ...STILL,
      "q.body.x": 0,
      "u.left": rate,
      "u.right": rate,
      "on-left.slip": slip,
      "on-right.slip": slip,
      "on-left.load": 50,
      "on-right.load": t > 10 ? 0 : 50,
      "held.motor.speed": wanted,
    });
    const spinning = drivingOf(
      CART,
      ELEMENTS,
      logOf(30, (t) => (t >= 12 && t < 20 ? at(t, 0.95, 1, 1) : at(t, 0.1, 1, 1))),
    )!;
    expect(spinning.stuck).toEqual([
      { since: 12, until: 20, why: expect.stringMatching(/does not go: slip 0.95.*right in the air/) },
    ]);
    const held = drivingOf(
      CART,
      ELEMENTS,
      logOf(30, (t) => at(t, 0, t < 5 ? 1 : 0.001, 1)),
    )!;
    expect(held.stuck).toEqual([{ since: 5, why: "the motors do not turn the wheels" }]);
    expect(
      drivingOf(
        CART,
        ELEMENTS,
        logOf(30, (t) => at(t, 0, 0, 0)),
      )!.stuck,
    ).toEqual([]);
    expect(
      drivingOf(
        CART,
        ELEMENTS,
        logOf(30, (t) => at(t, t === 7 ? 1 : 0, 1, 1)),
      )!.stuck,
    ).toEqual([]);
  });

  it("leaves out what was not recorded, and is undefined without wheels", () => {
    expect(
      drivingOf(
        CART,
        ELEMENTS,
        logOf(3, () => ({ "on-left.slip": 0 })),
      ),
    ).toEqual({ stuck: [] });
    expect(
      drivingOf(
        CART,
        [],
        logOf(3, () => ({ "u.left": 0 })),
      ),
    ).toBeUndefined();
  });

  // The wheels turn against the motion, alternately faster and slower than the rover slides. This continues in short steps.
  const FIXED = "integrator={name: rk4, step: 0.0005}";
  it("a rover on 30 degrees is stuck, and its work equals that of the energy ledger", async () => {
    const scenario = rover("rover-slope", "terrain.slope.slope=30 deg", FIXED, "duration=9", "sample=0.005");
    const { run, system } = await runScenario(scenario);
    const found = drivingOf(system.model, system.layout.elements, run.log)!;
    expect(found.stuck).toHaveLength(1);
    expect(found.stuck[0]!.why).toMatch(/the wheels turn and the rover does not go: slip (0\.9|1)/);
    const supplied = run.log.column("energy.supplied").at(-1)!;
    expect(Math.abs(found.work! - found.returned! - supplied)).toBeLessThan(1e-3 * supplied);
  });
});
