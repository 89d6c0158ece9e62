/** Accelerations within limits: no limit is violated, priorities are respected, and no feasible solution is better. */
import { describe, expect, it } from "vitest";
import { LimitedTaskSolver } from "../../../../src/parts/control/limits/limited-task-solver.ts";
import { coldStart } from "../../../../src/parts/control/limits/task-warm-start.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

/** Rounding errors of quadratic programs with numbers of order one. */
const LIMIT = 1e-9;

/** A random problem with rows of two priorities; `room` is the size of the limits relative to typical accelerations. */
function draw(seed: number, n: number, levels: readonly number[], room: number): LimitedTaskSolver {
  const next = uniform(seed);
  const signed = (): number => 2 * next() - 1;
  const m = levels.at(-1)!;
  const scale = Float64Array.from({ length: m }, () => 0.5 + next());
  const weight = Float64Array.from({ length: n }, () => 0.5 + 3 * next());
  const p = new LimitedTaskSolver(n, levels, scale, weight);
  const B = Float64Array.from({ length: n * n }, signed);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      p.H[i * n + j] = i === j ? 0.3 : 0;
      for (let k = 0; k < n; k++) p.H[i * n + j]! += B[i * n + k]! * B[j * n + k]!;
    }
  for (let i = 0; i < m * n; i++) p.J[i] = signed();
  for (let r = 0; r < m; r++) p.b[r] = signed();
  for (let i = 0; i < n; i++) {
    p.C[i] = 0.3 * signed();
    p.torqueUpper[i] = room * (1 + next());
    p.torqueLower[i] = -p.torqueUpper[i]!;
    p.lower[i] = -room * (0.2 + next());
    p.upper[i] = room * (0.2 + next());
  }
  return p;
}

/** Sum of squares of the scaled slack of a level at x, and whether x keeps all limits. */
const torquesAt = ({ H, C }: LimitedTaskSolver, x: Float64Array): Float64Array =>
  C.map((c, i) => x.reduce((sum, v, j) => sum + H[i * x.length + j]! * v, c));
const slackAt = ({ J, b }: LimitedTaskSolver, x: Float64Array): Float64Array =>
  b.map((right, r) => x.reduce((sum, v, j) => sum + J[r * x.length + j]! * v, -right));
const within = (p: LimitedTaskSolver, x: Float64Array): boolean =>
  torquesAt(p, x).every((t, i) => t <= p.torqueUpper[i]! + 1e-12 && t >= p.torqueLower[i]! - 1e-12) &&
  x.every((v, i) => v <= p.upper[i]! + 1e-12 && v >= p.lower[i]! - 1e-12);
const size = (slack: Float64Array, from: number, to: number, scale: Float64Array): number =>
  slack.subarray(from, to).reduce((sum, s, i) => sum + (scale[from + i]! * s) ** 2, 0);

describe("priorities within limits", () => {
  it("with wide limits: tasks are done with least torques", () => {
    for (let seed = 0; seed < 50; seed++) {
      const [n, levels] = [8, [0, 2, 4]];
      const p = draw(seed, n, levels, 1e3);
      p.solve();
      for (const s of p.slack) expect(Math.abs(s)).toBeLessThan(LIMIT);
      expect(p.activeLimits).toBe(0);
      // Least torques: their gradient H W τ is a combination of the rows of J, without a component in their null space.
      const gradient = Float64Array.from({ length: n }, (_, i) =>
        p.tau.reduce((sum, t, k) => sum + p.H[i * n + k]! * t * weightOf(seed, n, 4)[k]!, 0),
      );
      expect(partOutside(p.J, gradient, n, 4)).toBeLessThan(1e-8);
    }
  });

  it("with narrow limits: limits are kept, and no step within them reduces the error of the first priority", () => {
    let slackened = 0;
    for (let seed = 0; seed < 200; seed++) {
      const [n, levels] = [6, [0, 3, 5]];
      const p = draw(seed, n, levels, 0.15);
      p.solve();
      if (p.boundViolation > 0) continue;
      const x = p.phidd.slice();
      const torques = torquesAt(p, x);
      for (let i = 0; i < n; i++) {
        expect(torques[i]! - p.torqueUpper[i]!).toBeLessThan(LIMIT);
        expect(p.torqueLower[i]! - torques[i]!).toBeLessThan(LIMIT);
        expect(x[i]! - p.upper[i]!).toBeLessThan(LIMIT);
        expect(p.lower[i]! - x[i]!).toBeLessThan(LIMIT);
        expect(Math.abs(p.tau[i]! - torques[i]!)).toBeLessThan(LIMIT);
      }
      const scale = scaleOf(seed, 5);
      const first = size(p.slack, 0, 3, scale);
      const second = size(p.slack, 3, 5, scale);
      if (first > 1e-6) slackened++;
      const next = uniform(seed + 1000);
      for (let trial = 0; trial < 200; trial++) {
        const step = 10 ** (-4 * next());
        const other = x.map((v) => v + step * (next() - 0.5));
        if (!within(p, other)) continue;
        const slack = slackAt(p, other);
        const better = size(slack, 0, 3, scale);
        expect(better).toBeGreaterThan(first - 1e-8);
        if (better < first + 1e-12) expect(size(slack, 3, 5, scale)).toBeGreaterThan(second - 1e-5);
      }
    }
    expect(slackened).toBeGreaterThan(50);
  });

  it("a lower priority does not affect a higher one", () => {
    for (let seed = 0; seed < 60; seed++) {
      const both = draw(seed, 6, [0, 3, 5], 0.15);
      both.solve();
      const alone = new LimitedTaskSolver(
        6,
        [0, 3],
        scaleOf(seed, 5).subarray(0, 3),
        Float64Array.from({ length: 6 }, () => 1),
      );
      for (const key of ["H", "C", "torqueLower", "torqueUpper"] as const) alone[key].set(both[key]);
      alone.J.set(both.J.subarray(0, 18));
      alone.b.set(both.b.subarray(0, 3));
      const fresh = draw(seed, 6, [0, 3, 5], 0.15);
      alone.lower.set(fresh.lower);
      alone.upper.set(fresh.upper);
      alone.solve();
      if (alone.boundViolation > 0) continue;
      for (let r = 0; r < 3; r++) expect(Math.abs(both.slack[r]! - alone.slack[r]!)).toBeLessThan(1e-6);
    }
  });

  it("bounds that torques cannot keep are relaxed as little as possible; torque limits never are", () => {
    const p = draw(3, 4, [0, 2], 1);
    p.lower.fill(50);
    p.upper.fill(60);
    p.solve();
    expect(p.boundViolation).toBeGreaterThan(1);
    for (let i = 0; i < 4; i++) expect(Math.abs(p.tau[i]!)).toBeLessThanOrEqual(p.torqueUpper[i]!);
    const torques = torquesAt(p, p.phidd);
    for (let i = 0; i < 4; i++) expect(Math.abs(torques[i]! - p.tau[i]!)).toBeLessThan(1e-6);
  });

  it("returns to the tasks when the limits are wide again", () => {
    const p = draw(5, 6, [0, 3], 0.1);
    const start = coldStart(6, 3);
    p.solve(start);
    expect(start.isRelaxed).toBe(true);
    expect(Math.max(...p.slack.map(Math.abs))).toBeGreaterThan(0.01);
    const wide = draw(5, 6, [0, 3], 100);
    for (const key of ["torqueLower", "torqueUpper", "lower", "upper"] as const) p[key].set(wide[key]);
    p.solve(start);
    p.solve(start);
    expect(start.isRelaxed).toBe(false);
    wide.solve();
    for (let i = 0; i < 6; i++) expect(Math.abs(p.phidd[i]! - wide.phidd[i]!)).toBeLessThan(1e-9);
  });
});

/** The scales and weights of `draw`. */
function scaleOf(seed: number, m: number): Float64Array {
  const next = uniform(seed);
  return Float64Array.from({ length: m }, () => 0.5 + next());
}
function weightOf(seed: number, n: number, m: number): Float64Array {
  const next = uniform(seed);
  for (let i = 0; i < m; i++) next();
  return Float64Array.from({ length: n }, () => 1 / (0.5 + 3 * next()) ** 2);
}

/** Length of the component of g outside the span of the rows of J, by Gram-Schmidt. */
function partOutside(J: Float64Array, g: Float64Array, n: number, m: number): number {
  const basis: Float64Array[] = [];
  const reduce = (v: Float64Array): Float64Array => {
    let rest = v;
    for (let twice = 0; twice < 2; twice++)
      for (const e of basis) {
        const along = rest.reduce((sum, x, i) => sum + x * e[i]!, 0);
        rest = rest.map((x, i) => x - along * e[i]!);
      }
    return rest;
  };
  for (let r = 0; r < m; r++) {
    const v = reduce(J.slice(r * n, (r + 1) * n));
    const length = Math.hypot(...v);
    basis.push(v.map((x) => x / length));
  }
  return Math.hypot(...reduce(g));
}
