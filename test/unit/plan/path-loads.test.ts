/** Time-optimal motion of machines: torques keep their limits and reach them, and no uniform slowing is as fast. */
import { describe, expect, it } from "vitest";
import { inverseDynamics } from "../../../src/dynamics/programs.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { homeOf, type Model } from "../../../src/model/model.ts";
import { throughKnots } from "../../../src/plan/knots.ts";
import { pathLoads } from "../../../src/plan/path-loads.ts";
import { timeOptimal } from "../../../src/plan/time-optimal.ts";
import { slowingFor } from "../../../src/plan/time-scaling.ts";
import { ROBOT, start } from "../../fixtures/models/two-arm-robot.ts";

const arm: Model = createModel({
  name: "arm",
  gravity: [0, 0, -9.81],
  bodies: [
    { name: "upper", mass: 4, com: [0.3, 0, 0], inertia: [0.02, 0.2, 0.2], hinge: { kind: "revolute", axis: "y" } },
    {
      name: "fore",
      parent: "upper",
      mass: 3,
      com: [0.2, 0, 0],
      inertia: [0.01, 0.1, 0.1],
      hinge: { kind: "revolute", axis: "y", at: [0.6, 0, 0] },
    },
  ],
});
/** A straight path in hinge space: s from 0 to 1, no rest in between. */
const straight = (from: readonly number[], to: readonly number[]) => ({
  ...{ nq: from.length, nu: from.length, duration: 1, breaks: [] },
  at(s: number, out: Float64Array) {
    for (const [i, a] of from.entries()) {
      out[i] = a + s * (to[i]! - a);
      out[from.length + i] = to[i]! - a;
      out[2 * from.length + i] = 0;
    }
  },
});

describe("an arm on the ground, lifted", () => {
  const path = straight([0.6, -0.4], [-0.9, 0.8]);
  const q0 = homeOf(arm);
  const loads = pathLoads(arm, path, { q0, hinges: ["upper", "fore"] });
  const limits = [60, 15];

  it("a s̈ + b ṡ² + c is the torque of inverse dynamics", () => {
    const kernel = compile(inverseDynamics(arm));
    const [a, b, c, sample] = [2, 2, 2, 6].map((k) => new Float64Array(k)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (const [s, speed, acceleration] of [
      [0.1, 2, -3],
      [0.5, -1, 4],
      [0.9, 0, 1],
    ] as const) {
      // biome-ignore format: rows
      loads.at(s, a, b, c);
      path.at(s, sample);
      kernel.x.set([
        ...sample.slice(0, 2),
        ...sample.slice(2, 4).map((v) => v * speed),
        ...sample.slice(2, 4).map((v) => v * acceleration),
      ]);
      kernel.evaluate();
      for (let i = 0; i < 2; i++) expect(a[i]! * acceleration + b[i]! * speed ** 2 + c[i]!).toBeCloseTo(kernel.y[i]!, 10);
    }
  });

  it("is time-optimal: torques stay within limits, and one limit is reached almost always", () => {
    const law = timeOptimal(loads, limits, { steps: 600 });
    const [a, b, c, now] = [2, 2, 2, 3].map((k) => new Float64Array(k)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    let reached = 0;
    for (let k = 1; k < 300; k++) {
      law.at((k * law.duration) / 300, now);
      loads.at(now[0]!, a, b, c);
      const ratio = Math.max(...limits.map((l, i) => Math.abs(a[i]! * now[2]! + b[i]! * now[1]! ** 2 + c[i]!) / l));
      expect(ratio).toBeLessThanOrEqual(1 + 1e-9);
      if (ratio > 0.98) reached++;
    }
    expect(reached).toBeGreaterThan(290);
    // A quintic with the same path, made just slow enough.
    const smooth = throughKnots([0, 1], [[0], [1]]);
    const samples = Array.from({ length: 400 }, (_, k) => {
      smooth.at(k / 400, now);
      loads.at(now[0]!, a, b, c);
      return { t: k / 400, load: [0, 1].map((i) => a[i]! * now[2]! + b[i]! * now[1]! ** 2 + c[i]!), rest: [...c] };
    });
    const given = { times: samples.map((x) => x.t), loads: samples.map((x) => x.load), atRest: samples.map((x) => x.rest) };
    expect(law.duration).toBeLessThan(0.9 * slowingFor(given, limits).factor);
  });

  it("reports a load that exceeds its limit at rest", () => {
    expect(() => timeOptimal(loads, [10, 15])).toThrow("cannot be travelled");
  });
});

it("a floating robot: no load at rest, and the torques of its generalised inertia", () => {
  const q0 = start();
  const hinges = ["shoulder-yaw", "elbow"];
  const path = straight([q0[7]!, q0[9]!], [q0[7]! + 0.5, q0[9]! + 0.6]);
  const loads = pathLoads(ROBOT, path, { q0, hinges });
  const [a, b, c] = [0, 0, 0].map(() => new Float64Array(2)) as [Float64Array, Float64Array, Float64Array];
  loads.at(0.4, a, b, c);
  expect(Math.max(...c.map(Math.abs))).toBeLessThan(1e-12);
  const law = timeOptimal(loads, [30, 30], { steps: 200 });
  expect(timeOptimal(loads, [7.5, 7.5], { steps: 200 }).duration).toBeCloseTo(2 * law.duration, 6); // exact scaling from rest
});

it("rejects paths and hinges that do not match", () => {
  const path = straight([0, 0], [1, 1]);
  expect(() => pathLoads(arm, path, { q0: homeOf(arm), hinges: ["upper"] })).toThrow("2 coordinates for 1 hinges");
  expect(() => pathLoads(arm, path, { q0: homeOf(arm), hinges: ["upper", "knee"] })).toThrow('"knee" is not a hinge');
  expect(() => pathLoads(ROBOT, path, { q0: start(), hinges: ["elbow", "base.x"] })).toThrow(
    "base.x is not a hinge that the floating base carries",
  );
  expect(() => pathLoads(arm, { ...path, duration: 2 }, { q0: homeOf(arm), hinges: ["upper", "fore"] })).toThrow(
    "must be 1, got 2",
  );
});
