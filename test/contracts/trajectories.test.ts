/** Contract of trajectory generators: limits hold on a dense grid, with an excess of at most 1e-9, between all grid points and knots. */
import { describe, expect, it } from "vitest";
import { UnreachableError } from "../../src/errors.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { homeOf } from "../../src/model/model.ts";
import type { PathLoads } from "../../src/plan/grid-step.ts";
import { throughKnots } from "../../src/plan/knots.ts";
import { pathLoads } from "../../src/plan/path-loads.ts";
import { reorient } from "../../src/plan/reorient.ts";
import { sCurve, trapezoid } from "../../src/plan/speed-profiles.ts";
import { straightLine } from "../../src/plan/straight-line.ts";
import { timeOptimal } from "../../src/plan/time-optimal.ts";
import { slowingFor } from "../../src/plan/time-scaling.ts";
import { sizeOfSample, slowDown, type Trajectory } from "../../src/plan/trajectory.ts";
import { uniform } from "../fixtures/models/random-model.ts";
import { ROBOT, start } from "../fixtures/models/two-arm-robot.ts";

const EXCESS = 1e-9;
const POINTS = 4000;

/** Visits a trajectory on a dense grid. Neighbouring times are not multiples of any grid step. */
function visitDensely(trajectory: Trajectory, visit: (sample: Float64Array, t: number) => void): void {
  const sample = new Float64Array(sizeOfSample(trajectory));
  for (let k = 0; k <= POINTS; k++) {
    const t = (trajectory.duration * (k + 0.371 * (k % 2))) / POINTS;
    trajectory.at(t, sample);
    visit(sample, t);
  }
}

/** Largest load along a motion s(t), relative to its limit. */
function largestLoad(loads: PathLoads, limits: readonly number[], motion: Trajectory): number {
  const [a, b, c] = [0, 1, 2].map(() => new Float64Array(loads.count)) as [Float64Array, Float64Array, Float64Array];
  let most = 0;
  visitDensely(motion, ([s, speed, acceleration], t) => {
    if (t >= motion.duration) return; // at rest at the end
    loads.at(s!, a, b, c);
    for (const [i, limit] of limits.entries())
      most = Math.max(most, Math.abs(a[i]! * acceleration! + b[i]! * speed! ** 2 + c[i]!) / limit);
  });
  return most;
}

/** Length of three components. */
const lengthAt = (sample: Float64Array, from: number): number => Math.hypot(sample[from]!, sample[from + 1]!, sample[from + 2]!);

describe("limits on a dense grid", () => {
  it("speed profiles: speed, acceleration and jerk", () => {
    const next = uniform(21);
    for (let k = 0; k < 60; k++) {
      const [length, speed, acceleration, jerk] = Array.from({ length: 4 }, () => 10 ** (4 * next() - 2)) as [
        number,
        number,
        number,
        number,
      ];
      const limits = { speed, acceleration, jerk };
      for (const profile of [trapezoid(length, limits), sCurve(length, limits)]) {
        const hasJumps = profile.breaks.length > 0;
        const most = { speed: 0, acceleration: 0, jerk: 0 };
        let [before, last] = [Number.NaN, Number.NaN];
        visitDensely(profile, ([_, v, a], t) => {
          most.speed = Math.max(most.speed, Math.abs(v!));
          most.acceleration = Math.max(most.acceleration, Math.abs(a!));
          // The difference of accelerations has rounding errors of the acceleration.
          if (!hasJumps && t > last) most.jerk = Math.max(most.jerk, (Math.abs(a! - before) - 1e-12 * acceleration) / (t - last));
          [before, last] = [a!, t];
        });
        for (const key of ["speed", "acceleration", "jerk"] as const)
          expect(most[key], key).toBeLessThanOrEqual(limits[key] * (1 + EXCESS));
      }
    }
  });

  it("straight lines: speed and acceleration of the line and of the rotation", () => {
    const next = uniform(22);
    const pose = (): number[] => {
      const q = Array.from({ length: 4 }, () => next() - 0.5);
      const norm = Math.hypot(...q);
      return [...q.map((x) => x / norm), next(), next(), next()];
    };
    for (let k = 0; k < 20; k++) {
      const limits = {
        ...{ speed: 0.1 + next(), acceleration: 0.1 + next(), angularSpeed: 0.1 + next(), angularAcceleration: 0.1 + next() },
        ...(k % 2 === 0 && { jerk: 0.1 + next(), angularJerk: 0.1 + next() }),
      };
      const most = { angularSpeed: 0, speed: 0, angularAcceleration: 0, acceleration: 0 };
      const keys = Object.keys(most) as (keyof typeof most)[];
      visitDensely(straightLine(pose(), pose(), limits), (sample) => {
        for (const [i, key] of keys.entries()) most[key] = Math.max(most[key], lengthAt(sample, 7 + 3 * i));
      });
      for (const key of keys) expect(most[key], key).toBeLessThanOrEqual(limits[key] * (1 + EXCESS));
    }
  });

  it("time-optimal motions along random paths, for any number of steps", () => {
    let refused = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const next = uniform(seed);
      const count = 1 + Math.floor(4 * next());
      const rest = seed <= 40 ? 0.45 : 0.9;
      const k = Array.from({ length: 9 * count }, () => 2 * next() - 1);
      const w = Array.from({ length: 3 * count }, () => 1 + 12 * next());
      const loads: PathLoads = {
        count,
        at(s, a, b, c) {
          // Inertias that change their sign, and loads at rest below 0.9; above 40 also loads at rest beyond their limits.
          for (let i = 0; i < count; i++) {
            a[i] = k[9 * i]! + k[9 * i + 1]! * Math.sin(w[3 * i]! * s + k[9 * i + 2]!);
            b[i] = 3 * k[9 * i + 3]! + 5 * k[9 * i + 4]! * Math.sin(w[3 * i + 1]! * s + k[9 * i + 5]!);
            c[i] = rest * (k[9 * i + 6]! + k[9 * i + 7]! * Math.cos(w[3 * i + 2]! * s + k[9 * i + 8]!));
          }
        },
      };
      const limits = Array.from({ length: count }, () => 0.95 + next());
      for (const steps of [3, 40, 500])
        try {
          const most = largestLoad(loads, limits, timeOptimal(loads, limits, { steps }));
          expect(most, `path ${seed}, ${steps} steps`).toBeLessThanOrEqual(1 + EXCESS);
        } catch (error) {
          if (!(error instanceof UnreachableError) || seed <= 40) throw error;
          refused++;
        }
    }
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(55);
  });

  it("time-optimal motions of an arm: paths that rest at knots, with jumps, and straight", () => {
    const arm = createModel({
      name: "arm",
      gravity: [0, 0, -9.81],
      bodies: [
        { name: "upper", mass: 4, com: [0.3, 0, 0], inertia: [0.02, 0.2, 0.2], hinge: { kind: "revolute", axis: "y" } },
        {
          ...{ name: "fore", parent: "upper", mass: 3, com: [0.2, 0, 0], inertia: [0.01, 0.1, 0.1] },
          hinge: { kind: "revolute", axis: "y", at: [0.6, 0, 0] },
        },
      ],
    });
    const [from, to] = [
      [0.6, -0.4],
      [-0.9, 0.8],
    ];
    const profile = slowDown(trapezoid(1, { speed: 1, acceleration: 3 }), 1 / (1 + 1 / 3));
    const along: Trajectory = {
      ...{ nq: 2, nu: 2, duration: 1, breaks: profile.breaks },
      at(s, out) {
        const one = new Float64Array(3);
        profile.at(s, one);
        for (let i = 0; i < 2; i++)
          for (let k = 0; k < 3; k++) out[2 * k + i] = (k === 0 ? from[i]! : 0) + one[k]! * (to[i]! - from[i]!);
      },
    };
    const paths = [throughKnots([0, 1], [from, to]), throughKnots([0, 0.43, 1], [from, [0, 0.3], to]), along];
    const limits = [60, 15];
    for (const [k, path] of paths.entries()) {
      const loads = pathLoads(arm, path, { q0: homeOf(arm), hinges: ["upper", "fore"] });
      for (const steps of [50, 500])
        expect(largestLoad(loads, limits, timeOptimal(loads, limits, { steps })), `path ${k}`).toBeLessThanOrEqual(1 + EXCESS);
    }
    // The same motion slowed down uniformly, with its loads at the same dense grid.
    const loads = pathLoads(arm, paths[0]!, { q0: homeOf(arm), hinges: ["upper", "fore"] });
    const uniformMotion: Trajectory = {
      ...{ nq: 1, nu: 1, duration: 1, breaks: [] },
      at: (t, out) => out.set([t, 1, 0]),
    };
    const samples: { times: number[]; loads: number[][]; atRest: number[][] } = { times: [], loads: [], atRest: [] };
    const [a, b, c] = [0, 1, 2].map(() => new Float64Array(2)) as [Float64Array, Float64Array, Float64Array];
    visitDensely(uniformMotion, (_, t) => {
      loads.at(t, a, b, c);
      samples.times.push(t);
      samples.loads.push([0, 1].map((i) => b[i]! + c[i]!));
      samples.atRest.push([...c]);
    });
    const { factor } = slowingFor(samples, limits);
    const slowed = slowDown(uniformMotion, factor);
    expect(largestLoad(loads, limits, slowed)).toBeLessThanOrEqual(1 + EXCESS);
    expect(largestLoad(loads, limits, slowed)).toBeGreaterThan(1 - EXCESS);
  });

  it("loops that turn a base: the reach of every hinge", () => {
    const hinges = ["shoulder-yaw", "elbow"];
    const q0 = start();
    for (const reach of [0.6, 1.1]) {
      const { trajectory } = reorient(ROBOT, { hinges, q0, reach, rotation: [0, 0.002, 0.01], duration: 10, harmonics: 3 });
      const home = new Float64Array(sizeOfSample(trajectory));
      trajectory.at(0, home);
      let most = 0;
      visitDensely(trajectory, (sample) => {
        for (let i = 0; i < 2; i++) most = Math.max(most, Math.abs(sample[i]! - home[i]!));
      });
      expect(most).toBeLessThanOrEqual(reach * (1 + EXCESS));
      expect(most).toBeGreaterThan(0.7 * reach);
    }
  });
});
