import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { gravityGradient } from "../../../../src/parts/force/environment/gravity-gradient.ts";
import { accountOf } from "../../../fixtures/force-bench.ts";
import { drift, runFor } from "../../../fixtures/force-run.ts";
import { hull } from "../../../fixtures/models/force-machines.ts";

const MU = 3.986004418e14;
const EARTH_ORBIT = 7e6;
const RATE = Math.sqrt(MU / EARTH_ORBIT ** 3);

/** A light rod with a mass at each end, along x of its frame. */
const dumbbell = createModel({
  name: "dumbbell",
  bodies: [
    { name: "rod", mass: 1e-6, inertia: [1e-6, 1e-6, 1e-6], hinge: { kind: "free" } },
    { name: "up", parent: "rod", mass: 10, inertia: "none", hinge: { kind: "fixed", at: [5, 0, 0] } },
    { name: "down", parent: "rod", mass: 10, inertia: "none", hinge: { kind: "fixed", at: [-5, 0, 0] } },
  ],
});
/** One body of the same inertia. */
const bar = hull(20, [1e-6, 500, 500]);

describe("gravity-gradient", () => {
  it("a dumbbell along the vertical librates in pitch at √3 times the orbital rate", () => {
    const tilt = 1e-4;
    const q = [Math.cos(tilt / 2), 0, 0, Math.sin(tilt / 2), 0, 0, 0];
    for (const model of [dumbbell, bar]) {
      const t = 0.8 * ((2 * Math.PI) / RATE);
      const end = runFor(model, [gravityGradient.create("g", { semiMajorAxis: EARTH_ORBIT }, model)], t, {
        q,
        u: [0, 0, RATE, 0, 0, 0],
      });
      const attitude = 2 * Math.atan2(end.q[3]!, end.q[0]!);
      const pitch = attitude - end.z[0]! - 2 * Math.PI * Math.round((attitude - end.z[0]!) / (2 * Math.PI));
      expect(end.z[0]).toBeCloseTo(RATE * t, 9);
      // The libration itself is slower by tilt²/16 of its phase.
      expect(pitch / tilt).toBeCloseTo(Math.cos(Math.sqrt(3) * RATE * t), 6);
      expect(drift(end.run, "energy")).toBeLessThan(1e-8);
    }
  });

  it("is the difference of two-body gravity to first order in size over radius", () => {
    const values = {
      semiMajorAxis: 2.4e7,
      eccentricity: 0.6,
      inclination: 0.9,
      ascendingNode: 0.4,
      argumentOfPerigee: -1.1,
    };
    const model = hull(3, [2, 3, 4]);
    const account = accountOf(model, gravityGradient.create("g", values, model));
    for (const anomaly of [0, 1, 2.5, -2]) {
      const [p, w] = [2.4e7 * (1 - 0.36), values.argumentOfPerigee + anomaly];
      const R = p / (1 + 0.6 * Math.cos(anomaly));
      const [cO, sO, ci, si] = [Math.cos(0.4), Math.sin(0.4), Math.cos(0.9), Math.sin(0.9)];
      const o = [cO * Math.cos(w) - sO * ci * Math.sin(w), sO * Math.cos(w) + cO * ci * Math.sin(w), si * Math.sin(w)];
      const r = [40, -25, 60];
      const state = {
        t: 0,
        q: Float64Array.of(1, 0, 0, 0, ...r),
        u: new Float64Array(6),
        z: Float64Array.of(anomaly),
        held: new Float64Array(0),
      };
      const { net } = account(state);
      const centre = o.map((c) => c * R);
      const there = centre.map((c, i) => c + r[i]!);
      const distance = Math.hypot(...there);
      const exact = there.map((c, i) => -MU * 3 * (c / distance ** 3 - centre[i]! / R ** 3));
      const size = Math.hypot(...exact);
      for (const i of [0, 1, 2]) expect(Math.abs(net[3 + i]! - exact[i]!) / size).toBeLessThan((6 * Math.hypot(...r)) / R);
    }
  });

  it("the orbit closes after Kepler's period and is at the apogee half way", () => {
    const [a, e] = [1e7, 0.4];
    const model = hull(1, [1, 1, 1]);
    const element = gravityGradient.create("g", { semiMajorAxis: a, eccentricity: e }, model);
    const period = 2 * Math.PI * Math.sqrt(a ** 3 / MU);
    expect(runFor(model, [element], period).z[0]).toBeCloseTo(2 * Math.PI, 9);
    expect(runFor(model, [element], period / 2).z[0]).toBeCloseTo(Math.PI, 9);
    const state = { t: 0, q: Float64Array.of(1, 0, 0, 0, 0, 0, 0), u: new Float64Array(6), held: new Float64Array(0) };
    const { channels } = accountOf(model, element)({ ...state, z: Float64Array.of(Math.PI) });
    expect(channels["g.radius"]).toBeCloseTo(a * (1 + e), 7);
  });
});
