/** Trajectories: speeds and accelerations are derivatives, limits are kept and reached, ends are exact. */
import { describe, expect, it } from "vitest";
import { rotateByQuaternion, rotationVectorBetween } from "../../../src/math/elementary/rotation-vector.ts";
import { throughKnots } from "../../../src/plan/knots.ts";
import { poseSpline } from "../../../src/plan/pose-spline.ts";
import { sCurve, trapezoid } from "../../../src/plan/speed-profiles.ts";
import { straightLine } from "../../../src/plan/straight-line.ts";
import { inSequence, sizeOfSample, slowDown, type Trajectory } from "../../../src/plan/trajectory.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const sample = (trajectory: Trajectory, t: number): Float64Array => {
  const out = new Float64Array(sizeOfSample(trajectory));
  trajectory.at(t, out);
  return out;
};

/** Speeds of a pose by central differences: rotation between two attitudes, in world axes, and difference of two positions. */
function differences(trajectory: Trajectory, t: number, h: number): { speed: number[]; acceleration: number[] } {
  const { nq, nu } = trajectory;
  const [before, after] = [sample(trajectory, t - h), sample(trajectory, t + h)];
  const per = (i: number): number => (after[i]! - before[i]!) / (2 * h);
  let speed = Array.from({ length: nu }, (_, i) => per(i));
  if (nq === 7) {
    const turn = new Float64Array(3);
    rotationVectorBetween(before, after, turn);
    rotateByQuaternion(before, turn, turn);
    speed = [...turn.map((x) => x / (2 * h)), per(4), per(5), per(6)];
  }
  return { speed, acceleration: Array.from({ length: nu }, (_, i) => per(nq + i)) };
}

/** Times without a jump of the acceleration nearby. */
function checkDerivatives(trajectory: Trajectory, scale = 1): void {
  const { nq, nu, duration, breaks } = trajectory;
  const h = 1e-4 * duration;
  for (let k = 1; k < 60; k++) {
    const t = (duration * (k + 0.37)) / 61;
    if (breaks.some((b) => Math.abs(b - t) < 2 * h)) continue;
    const [before, now, after] = [sample(trajectory, t - h), sample(trajectory, t), sample(trajectory, t + h)];
    const { speed, acceleration } = differences(trajectory, t, h);
    const [v, a] = [1e-5 * (scale / duration), 1e-5 * (scale / duration ** 2)]; // h² of the third derivative, of order 1 to 100
    for (let i = 0; i < nu; i++) {
      expect(Math.abs(now[nq + i]! - speed[i]!)).toBeLessThan(v);
      const kink = Math.abs(after[nq + nu + i]! - 2 * now[nq + nu + i]! + before[nq + nu + i]!); // where the jerk jumps
      expect(Math.abs(now[nq + nu + i]! - acceleration[i]!)).toBeLessThan(a + kink);
    }
  }
}

const randomPose = (next: () => number, reach = 2): number[] => {
  const q = Array.from({ length: 4 }, () => next() - 0.5);
  const norm = Math.hypot(...q);
  return [...q.map((x) => x / norm), ...Array.from({ length: 3 }, () => reach * (next() - 0.5))];
};

describe("speed profiles", () => {
  it("the hand path of the canonical robot: 1.2 m at 0.2 m/s in 3 + 3 + 3 s", () => {
    const way = trapezoid(1.2, { speed: 0.2, acceleration: 0.2 / 3 });
    expect(way.duration).toBeCloseTo(9, 12);
    expect(way.breaks.map((t) => Math.round(1e9 * t) / 1e9)).toEqual([0, 3, 6, 9]);
    for (const [t, x, v] of [
      [3, 0.3, 0.2],
      [4.5, 0.6, 0.2],
      [7, 1.2 - 0.5 * (0.2 / 3) * 4, 0.2 - 0.2 / 3],
    ] as const) {
      expect(sample(way, t)[0]).toBeCloseTo(x, 12);
      expect(sample(way, t)[1]).toBeCloseTo(v, 12);
    }
    expect([...sample(way, 9)]).toEqual([1.2, 0, 0]);
    expect(sample(way, 3)[2]).toBe(0); // at a jump: what follows
  });

  it("keep all limits, are at a limit at every time, and end exactly, for all cases of length, speed, acceleration and jerk", () => {
    const next = uniform(3);
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const [length, speed, acceleration, jerk] = Array.from({ length: 4 }, () => 10 ** (3 * next() - 1.5)) as [
        number,
        number,
        number,
        number,
      ];
      for (const way of [trapezoid(length, { speed, acceleration }), sCurve(length, { speed, acceleration, jerk })]) {
        checkDerivatives(way, 100 * length);
        const smooth = way.breaks.length === 0;
        const dt = way.duration / 500;
        const most = { speed: 0, acceleration: 0, back: 0, jerk: 0 };
        let [last, before] = [0, 0];
        for (let k = 0; k <= 500; k++) {
          const [x, v, a] = sample(way, k * dt) as unknown as [number, number, number];
          most.speed = Math.max(most.speed, v);
          most.acceleration = Math.max(most.acceleration, Math.abs(a));
          most.back = Math.max(most.back, (last - x) / length, -v / speed);
          if (smooth && k > 0) most.jerk = Math.max(most.jerk, Math.abs(a - before) / dt);
          [last, before] = [x, a];
        }
        expect(most.back).toBeLessThan(1e-12);
        expect(most.speed).toBeLessThanOrEqual(speed * (1 + 1e-12));
        expect(most.acceleration).toBeLessThanOrEqual(acceleration * (1 + 1e-12));
        expect(most.jerk).toBeLessThanOrEqual(jerk * (1 + 1e-9));
        seen.add(`${smooth} ${most.speed > 0.999 * speed} ${most.acceleration > 0.99 * acceleration}`);
        const end = sample(way, way.duration * (1 - 1e-12));
        expect(Math.abs(end[0]! - length)).toBeLessThan(1e-9 * length);
        expect(Math.abs(end[1]!)).toBeLessThan(1e-11 * way.duration * acceleration);
      }
    }
    // Trapezoids and triangles; S-curves with and without full speed and full acceleration.
    expect(seen.size).toBe(6);
  });

  it("reject invalid lengths and limits", () => {
    const limits = { speed: 1, acceleration: 1, jerk: 1 };
    expect(() => trapezoid(0, limits)).toThrow("length: must be a finite number above 0, got 0");
    expect(() => trapezoid(1, { ...limits, speed: -1 })).toThrow("limits.speed: must be");
    expect(() => sCurve(1, { ...limits, acceleration: 0 })).toThrow("limits.acceleration: must be");
    expect(() => sCurve(1, { ...limits, jerk: Number.NaN })).toThrow("limits.jerk: must be");
  });
});

describe("straight lines", () => {
  it("go straight, turn about one axis, and keep the limits of both", () => {
    const next = uniform(5);
    for (let seed = 0; seed < 40; seed++) {
      const [from, to] = [randomPose(next), randomPose(next)];
      const limits = {
        speed: 0.3,
        acceleration: 0.2,
        angularSpeed: 0.4,
        angularAcceleration: 0.1,
        ...(seed % 2 && { jerk: 0.3 }),
      };
      const line = straightLine(from, to, limits);
      checkDerivatives(line, 100);
      const turn = new Float64Array(3);
      expect(rotationVectorBetween(sample(line, line.duration), to, turn)).toBeLessThan(1e-12);
      for (let i = 4; i < 7; i++) expect(sample(line, line.duration)[i]).toBeCloseTo(to[i]!, 12);
      let [v, w] = [0, 0];
      for (let k = 0; k < 200; k++) {
        const now = sample(line, (k * line.duration) / 200);
        w = Math.max(w, Math.hypot(now[7]!, now[8]!, now[9]!));
        v = Math.max(v, Math.hypot(now[10]!, now[11]!, now[12]!));
        expect(Math.hypot(now[0]!, now[1]!, now[2]!, now[3]!)).toBeCloseTo(1, 12);
      }
      expect(v).toBeLessThan(0.3 + 1e-12);
      expect(w).toBeLessThan(0.4 + 1e-12);
    }
  });

  it("a pure rotation needs angular limits, and the error says so", () => {
    const spot = [1, 0, 0, 0, 1, 2, 3];
    const turned = [Math.cos(0.5), 0, 0, Math.sin(0.5), 1, 2, 3];
    expect(() => straightLine(spot, turned, { speed: 1, acceleration: 1 })).toThrow("angularSpeed and angularAcceleration");
    const line = straightLine(spot, turned, { angularSpeed: 0.5, angularAcceleration: 0.5 });
    expect(line.duration).toBeCloseTo(3, 12);
    checkDerivatives(line, 10);
    expect(() => straightLine(spot, spot, { speed: 1, acceleration: 1 })).toThrow("two different poses");
    expect(() => straightLine(spot, [0, 1, 0, 0, 0, 0, 0], { speed: 1, acceleration: 1 })).toThrow("half turn");
    expect(() => straightLine(spot, [1, 1, 0, 0, 0, 0, 0], { speed: 1, acceleration: 1 })).toThrow("norm 1");
    expect(() => straightLine(spot, [1, 0, 0], { speed: 1, acceleration: 1 })).toThrow("7 numbers");
    expect(() => straightLine(spot, turned, { angularSpeed: 0, angularAcceleration: 0.5 })).toThrow("must be positive");
  });
});

describe("splines through poses", () => {
  it("pass their knots with continuous acceleration, from rest to rest", () => {
    const next = uniform(11);
    for (let seed = 0; seed < 20; seed++) {
      const count = 2 + (seed % 4);
      const times = Array.from({ length: count }, (_, i) => i * (1 + 0.3 * next()));
      const poses = times.map(() => randomPose(next));
      const spline = poseSpline(times, poses);
      checkDerivatives(spline, 3000);
      const turn = new Float64Array(3);
      for (const [i, t] of times.entries()) {
        const now = sample(spline, t);
        expect(rotationVectorBetween(now, poses[i]!, turn)).toBeLessThan(1e-12);
        for (let c = 4; c < 7; c++) expect(now[c]).toBeCloseTo(poses[i]![c]!, 12);
        const [before, after] = [sample(spline, t - 1e-9), sample(spline, t + 1e-9)];
        for (let c = 7; c < 19; c++) expect(Math.abs(before[c]! - after[c]!)).toBeLessThan(1e-5); // 2e-9 s times a jerk
      }
      for (const t of [0, times.at(-1)!]) for (let c = 7; c < 19; c++) expect(sample(spline, t)[c]).toBeCloseTo(0, 12);
    }
  });

  it("reject knots that do not increase, and half turns", () => {
    const pose = [1, 0, 0, 0, 0, 0, 0];
    expect(() => poseSpline([0], [pose])).toThrow("two knots");
    expect(() => poseSpline([1, 2], [pose, pose])).toThrow("begins at t = 0");
    expect(() => poseSpline([0, 1, 1], [pose, pose, pose])).toThrow("got 1 after 1 for knot 3");
    expect(() => poseSpline([0, 1], [pose, [0, 0, 1, 0, 0, 0, 0]])).toThrow("between knots 1 and 2: a half turn");
  });
});

describe("through knots", () => {
  it("from rest to rest, speed and acceleration are the derivatives", () => {
    const way = throughKnots(
      [1, 3, 4],
      [
        [0.5, 1],
        [-1, 1],
        [2, 0],
      ],
    );
    checkDerivatives(way, 300);
    expect([...sample(way, 0)]).toEqual([0.5, 1, 0, 0, 0, 0]);
    expect([...sample(way, 9)]).toEqual([2, 0, 0, 0, 0, 0]);
    for (const [t, x] of [
      [1, 0.5],
      [3, -1],
      [4, 2],
    ] as const) {
      expect(sample(way, t)[0]).toBe(x);
      for (const side of [-1e-9, 1e-9]) for (const k of [2, 4]) expect(sample(way, t + side)[k]).toBeCloseTo(0, 6);
    }
    expect(() => throughKnots([0, 0], [[1], [2]])).toThrow("increasing times, got 0 after 0 for knot 2");
    expect(() => throughKnots([0, 1], [[1], [2, 3]])).toThrow("knot 2 needs 1 positions, got 2 numbers");
    expect(() => throughKnots([0, 1], [[1], [Number.NaN]])).toThrow("got NaN");
    expect(() => throughKnots([], [])).toThrow("at least one knot");
    expect(() => throughKnots([0, 1], [[1]])).toThrow("got 1 for 2");
  });
});

describe("time", () => {
  it("slowed down: the same path, speeds times 1 / k, accelerations times 1 / k²", () => {
    const next = uniform(2);
    const line = straightLine(randomPose(next), randomPose(next), { speed: 0.3, acceleration: 0.2 });
    const slow = slowDown(line, 3.5);
    expect(slow.duration).toBeCloseTo(3.5 * line.duration, 12);
    checkDerivatives(slow, 100);
    for (let k = 0; k < 30; k++) {
      const t = (k * line.duration) / 29.5;
      const [a, b] = [sample(line, t), sample(slow, 3.5 * t)];
      for (let i = 0; i < 7; i++) expect(b[i]).toBeCloseTo(a[i]!, 12);
      for (let i = 7; i < 13; i++) expect(3.5 * b[i]!).toBeCloseTo(a[i]!, 12);
      for (let i = 13; i < 19; i++) expect(3.5 ** 2 * b[i]!).toBeCloseTo(a[i]!, 12);
    }
    expect(() => slowDown(line, 0)).toThrow("k: must be a finite number above 0, got 0");
  });

  it("in sequence: out and back, with the jumps of both", () => {
    const [here, there] = [
      [1, 0, 0, 0, 0, 0, 0],
      [1, 0, 0, 0, -1.2, 0, 0],
    ];
    const limits = { speed: 0.2, acceleration: 0.2 / 3 };
    const both = inSequence([straightLine(here, there, limits), straightLine(there, here, limits)]);
    expect(both.duration).toBeCloseTo(18, 12);
    expect(both.breaks.map((t) => Math.round(1e6 * t) / 1e6)).toEqual([0, 3, 6, 9, 12, 15, 18]);
    expect(sample(both, 9)[4]).toBeCloseTo(-1.2, 12);
    expect(sample(both, 18)[4]).toBeCloseTo(0, 12);
    checkDerivatives(both, 100);
    expect(() => inSequence([])).toThrow("at least one");
    expect(() => inSequence([straightLine(here, there, limits), straightLine(here, there, limits)])).toThrow(
      "begins with coordinate 5",
    );
  });

  it("in sequence: a quaternion and its opposite are the same attitude, and the components go on without a jump", () => {
    const next = uniform(8);
    const poses = Array.from({ length: 5 }, () => randomPose(next));
    const opposite = (pose: readonly number[]): number[] => pose.map((x, i) => (i < 4 ? -x : x));
    const limits = { speed: 0.2, acceleration: 0.1, angularSpeed: 0.3 };
    // Each line begins with the opposite of the quaternion with which the one before ends, or with the same one.
    const lines = poses.slice(1).map((to, i) => straightLine(i % 2 === 0 ? opposite(poses[i]!) : poses[i]!, to, limits));
    const all = inSequence(lines);
    checkDerivatives(all, 100);
    let before = sample(all, 0);
    const steps = 4000;
    for (let k = 1; k <= steps; k++) {
      const now = sample(all, (k * all.duration) / steps);
      for (let i = 0; i < 4; i++) expect(Math.abs(now[i]! - before[i]!)).toBeLessThan((0.3 * all.duration) / steps);
      before = now;
    }
    expect(rotationVectorBetween(before, Float64Array.from(poses.at(-1)!), new Float64Array(3))).toBeLessThan(1e-9);
    expect(() => inSequence([lines[0]!, straightLine(randomPose(next), poses[0]!, limits)])).toThrow(
      "begins with coordinate 1 at",
    );
  });

  it("in sequence: seven hinges are not a pose", () => {
    const still = (value: number): Trajectory => throughKnots([0, 1], [Array(7).fill(value), Array(7).fill(value)]);
    expect(() => inSequence([still(0.5), still(-0.5)])).toThrow("begins with coordinate 1 at -0.5");
  });
});
