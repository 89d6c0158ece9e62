/** Quadratic programs against the Karush-Kuhn-Tucker conditions, which are necessary and sufficient for a convex G. */
import { describe, expect, it } from "vitest";
import { type QuadraticProgram, quadraticProgram } from "../../../src/math/optimise/quadratic-program.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Rounding in problems with numbers of order 1 to 100 and a condition number of G up to 1e6. */
const KKT = 1e-9;

/** The largest violation of feasibility, stationarity, signs and complementarity. */
function kktViolation({ n, m, G, g, A, lower, upper, xLower, xUpper, x, multipliers }: QuadraticProgram): number {
  let worst = 0;
  const gradient = Float64Array.from(g);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) gradient[i]! += G[Math.max(i, j) * n + Math.min(i, j)]! * x[j]!;
  for (let k = 0; k < m + n; k++) {
    let value = k < m ? 0 : x[k - m]!;
    if (k < m) for (let i = 0; i < n; i++) value += A[k * n + i]! * x[i]!;
    const [low, high] = k < m ? [lower[k]!, upper[k]!] : [xLower[k - m]!, xUpper[k - m]!];
    const multiplier = multipliers[k]!;
    worst = Math.max(worst, low - value, value - high);
    if (low !== high) {
      if (multiplier > 0) worst = Math.max(worst, Math.min(multiplier, Math.abs(value - low)));
      if (multiplier < 0) worst = Math.max(worst, Math.min(-multiplier, Math.abs(value - high)));
    }
    if (k >= m) gradient[k - m]! -= multiplier;
    else for (let i = 0; i < n; i++) gradient[i]! -= multiplier * A[k * n + i]!;
  }
  for (const part of gradient) worst = Math.max(worst, Math.abs(part));
  return worst;
}

interface DrawOptions {
  readonly seed: number;
  /** Rank of G; n if not given. */
  readonly rank?: number;
  /** Number of rows that are equalities. */
  readonly equalities?: number;
  /** The bounds of all rows and variables meet in one point, and every second row is a combination of the rows before it. */
  readonly degenerate?: true;
}

/** A random feasible problem. */
function draw(n: number, m: number, { seed, rank = n, equalities = 0, degenerate }: DrawOptions): QuadraticProgram {
  const next = uniform(seed);
  const signed = (): number => 2 * next() - 1;
  const p = quadraticProgram(n, m);
  const B = Float64Array.from({ length: rank * n }, signed);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) for (let k = 0; k < rank; k++) p.G[i * n + j]! += B[k * n + i]! * B[k * n + j]!;
  if (rank === n) for (let i = 0; i < n; i++) p.G[i * n + i]! += 1e-3;
  for (let i = 0; i < n; i++) p.g[i] = 3 * signed();
  const inside = Float64Array.from({ length: n }, signed);
  const gap = (): number => (degenerate ? 0 : next() < 0.2 ? Number.POSITIVE_INFINITY : next());
  for (let k = 0; k < m; k++) {
    const copied = degenerate && k % 2 === 1 && k > 1;
    let value = 0;
    for (let i = 0; i < n; i++) {
      p.A[k * n + i] = copied ? p.A[(k - 1) * n + i]! - 2 * p.A[(k - 2) * n + i]! : signed();
      value += p.A[k * n + i]! * inside[i]!;
    }
    const touched = next() < 0.5;
    p.lower[k] = k < equalities ? value : value - (degenerate && !touched ? 1 : gap());
    p.upper[k] = k < equalities ? value : value + (degenerate && touched ? 1 : gap());
  }
  for (let i = 0; i < n; i++) {
    p.xLower[i] = inside[i]! - gap() - (degenerate && i % 2 ? 1 : 0);
    p.xUpper[i] = inside[i]! + gap() + (degenerate && i % 2 ? 0 : 1);
  }
  return p;
}

describe("problems with a solution", () => {
  it("solves 1000 random problems, some rows being equalities", () => {
    for (let seed = 0; seed < 1000; seed++) {
      const n = 1 + (seed % 20);
      const p = draw(n, seed % 37, { seed, equalities: (seed * 7) % n });
      expect(p.solve(), `seed ${seed}`).toBe("optimal");
      expect(kktViolation(p), `seed ${seed}`).toBeLessThan(KKT);
    }
  });

  it("solves 500 degenerate problems: more active rows than variables, dependent rows, equal rows", () => {
    for (let seed = 0; seed < 500; seed++) {
      const n = 1 + (seed % 12);
      const p = draw(n, 1 + (seed % 29), { seed, equalities: seed % 5, degenerate: true });
      expect(p.solve(), `seed ${seed}`).toBe("optimal");
      expect(kktViolation(p), `seed ${seed}`).toBeLessThan(KKT);
    }
  });

  it("solves 300 problems with a semidefinite G, including linear programs", () => {
    for (let seed = 0; seed < 300; seed++) {
      const n = 2 + (seed % 9);
      const p = draw(n, seed % 20, { seed, rank: seed % n, equalities: seed % 2 });
      for (let i = 0; i < n; i++) p.xUpper[i] = Math.min(p.xUpper[i]!, 5);
      for (let i = 0; i < n; i++) p.xLower[i] = Math.max(p.xLower[i]!, -5);
      expect(p.solve(), `seed ${seed}`).toBe("optimal");
      expect(kktViolation(p), `seed ${seed}`).toBeLessThan(KKT);
    }
  });

  it("a warm start finds the same point with few changes of the active set", () => {
    let [cold, warm] = [0, 0];
    for (let seed = 0; seed < 200; seed++) {
      const p = draw(12, 24, { seed, equalities: 3 });
      const next = uniform(seed + 5000);
      p.solve();
      for (let i = 0; i < 12; i++) p.g[i]! += 0.02 * (next() - 0.5);
      for (let k = 3; k < 24; k++) p.upper[k]! += 0.002 * next();
      expect(p.solve()).toBe("optimal");
      const x = p.x.slice();
      cold += p.changes;
      expect(p.solve("warm")).toBe("optimal");
      expect(p.changes).toBe([...p.side].filter((s) => s !== 0).length); // the last active set is optimal at once
      expect(kktViolation(p)).toBeLessThan(KKT);
      for (let i = 0; i < 12; i++) expect(Math.abs(p.x[i]! - x[i]!)).toBeLessThan(1e-9);
      p.g[0]! += 0.02;
      p.solve("warm");
      expect(kktViolation(p)).toBeLessThan(KKT);
      warm += p.changes;
    }
    expect(warm).toBeLessThan(cold);
  });

  it("a warm start from any active set finds the optimum", () => {
    for (let seed = 0; seed < 300; seed++) {
      const p = draw(1 + (seed % 10), seed % 23, { seed, equalities: seed % 3 ? 0 : 1 });
      const next = uniform(seed);
      for (let k = 0; k < p.side.length; k++) p.side[k] = Math.floor(3 * next()) - 1;
      expect(p.solve("warm"), `seed ${seed}`).toBe("optimal");
      expect(kktViolation(p), `seed ${seed}`).toBeLessThan(KKT);
    }
  });

  it("closed forms: the nearest point of a box and of a half-space", () => {
    const p = quadraticProgram(3, 1);
    for (let i = 0; i < 3; i++) p.G[4 * i] = 1;
    p.g.set([-3, 0.5, 7]);
    p.lower[0] = Number.NEGATIVE_INFINITY;
    p.upper[0] = Number.POSITIVE_INFINITY;
    p.xLower.fill(-1);
    p.xUpper.fill(2);
    expect(p.solve()).toBe("optimal");
    expect([...p.x]).toEqual([2, -0.5, -1]);
    expect([...p.multipliers]).toEqual([0, -1, 0, 6]);
    p.xLower.fill(Number.NEGATIVE_INFINITY);
    p.xUpper.fill(Number.POSITIVE_INFINITY);
    p.g.fill(0);
    p.A.set([2, 1, 2]);
    p.lower[0] = 9;
    expect(p.solve()).toBe("optimal");
    for (const [i, x] of [2, 1, 2].entries()) expect(p.x[i]).toBeCloseTo(x, 14);
    expect(p.multipliers[0]).toBeCloseTo(1, 14);
  });

  it("solves problems without variables and without rows", () => {
    expect(quadraticProgram(0, 0).solve()).toBe("optimal");
    const free = quadraticProgram(2, 0);
    free.G.set([2, 0, 0, 2]);
    free.g.set([-2, 4]);
    expect(free.solve()).toBe("optimal");
    expect([...free.x]).toEqual([1, -2]);
  });
});

describe("problems without a solution", () => {
  it("names a minimal set of contradicting rows", () => {
    let found = 0;
    for (let seed = 0; seed < 300; seed++) {
      const n = 1 + (seed % 8);
      const m = 4 + (seed % 15);
      const p = draw(n, m, { seed, equalities: seed % n });
      const next = uniform(seed + 77);
      for (let k = 0; k < m; k++)
        if (next() < 0.5) p.lower[k] = p.upper[k] = (Number.isFinite(p.upper[k]!) ? p.upper[k]! : 0) + 3 * next();
      if (p.solve() !== "infeasible") continue;
      found++;
      const rows = p.conflict();
      expect(rows.length).toBeGreaterThan(0);
      const only = (kept: readonly number[]): string => {
        const some = quadraticProgram(n, m);
        some.G.set(p.G);
        some.g.set(p.g);
        some.A.set(p.A);
        for (const name of ["lower", "upper", "xLower", "xUpper"] as const)
          for (let k = 0; k < some[name].length; k++)
            some[name][k] = kept.includes(name.startsWith("x") ? k + m : k)
              ? p[name][k]!
              : name.endsWith("ower")
                ? Number.NEGATIVE_INFINITY
                : Number.POSITIVE_INFINITY;
        return some.solve();
      };
      expect(only(rows), `seed ${seed}`).toBe("infeasible");
      for (const left of rows) expect(only(rows.filter((k) => k !== left)), `seed ${seed}`).toBe("optimal");
    }
    expect(found).toBeGreaterThan(150);
  });

  it("a lower bound above the upper bound is a conflict of one row", () => {
    const p = draw(3, 2, { seed: 1 });
    p.xLower[1] = 2;
    p.xUpper[1] = 1;
    expect(p.solve()).toBe("infeasible");
    expect(p.conflict()).toEqual([2 + 1]);
  });

  it.each([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])("both bounds at %d: no number satisfies the row", (bound) => {
    for (const semidefinite of [{}, { rank: 1 }]) {
      const p = draw(3, 2, { seed: 1, ...semidefinite });
      p.lower[1] = p.upper[1] = bound;
      expect(p.solve()).toBe("infeasible");
      expect(p.conflict()).toEqual([1]);
    }
    const p = draw(3, 2, { seed: 1 });
    p.xLower[0] = p.xUpper[0] = bound;
    expect(p.solve()).toBe("infeasible");
    expect(p.conflict()).toEqual([2]);
  });

  it("a row of zeros is either satisfied or a conflict", () => {
    const p = draw(3, 1, { seed: 1 });
    p.A.fill(0);
    p.lower[0] = -1;
    p.upper[0] = 1;
    expect(p.solve()).toBe("optimal");
    p.lower[0] = 0.5;
    expect(p.solve()).toBe("infeasible");
    expect(p.conflict()).toEqual([0]);
    p.upper[0] = 0.5;
    expect(p.solve()).toBe("infeasible");
  });

  it("returns a direction of unbounded descent", () => {
    const p = quadraticProgram(2, 1);
    p.G.set([1, 1, 1, 1]);
    p.g.set([1, -1]);
    p.A.set([1, 0]);
    p.lower[0] = Number.NEGATIVE_INFINITY;
    p.upper[0] = 4;
    expect(p.solve()).toBe("unbounded");
    expect(p.x[0]! + p.x[1]!).toBeCloseTo(0, 6);
    expect(p.x[0]).toBeLessThan(0);
    p.lower[0] = -4;
    expect(p.solve()).toBe("optimal");
    expect(kktViolation(p)).toBeLessThan(KKT);
  });

  it("a negative eigenvalue of G and NaN are rejected", () => {
    const p = quadraticProgram(2, 1);
    p.G.set([1, 0, 0, -1]);
    expect(p.solve()).toBe("not convex");
    p.G.set([1, 0, Number.NaN, 1]);
    expect(() => p.solve()).toThrow("G[2]: is NaN");
    p.G[2] = 0;
    p.xUpper[1] = Number.NaN;
    expect(() => p.solve()).toThrow("a bound of variable 1 is NaN");
  });
});
