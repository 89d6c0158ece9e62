import { expect, test } from "vitest";
import { loopRankReport, rowsAreClear } from "../../../src/dynamics/loops/multipliers/loop-rank.ts";
import { minimumNormSolver } from "../../../src/dynamics/loops/multipliers/redundant-loops.ts";
import { symmetricEigen } from "../../../src/math/eigen/symmetric-eigen.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Dense [M -Jᵀ; J 0] of any size; rows of J after the first `rank` are combinations of these, with an error `off`. */
function redundantSystem(nu: number, m: number, rank: number, off: number, seed: number) {
  const next = uniform(seed);
  const draw = (): number => 2 * next() - 1;
  const C = Array.from({ length: nu }, () => Array.from({ length: nu }, draw));
  const M = C.map((a, i) => C.map((b, j) => a.reduce((sum, v, k) => sum + v * b[k]!, 0) + (i === j ? 0.1 : 0)));
  const J = Array.from({ length: rank }, () => Array.from({ length: nu }, draw));
  while (J.length < m) {
    const shares = J.slice(0, rank).map(draw);
    J.push(Array.from({ length: nu }, (_, j) => shares.reduce((sum, s, i) => sum + s * J[i]![j]!, off * draw())));
  }
  const entries: [number, number, number][] = [];
  for (const [i, row] of M.entries()) for (const [j, v] of row.entries()) entries.push([i, j, v]);
  for (const [i, row] of J.entries()) for (const [j, v] of row.entries()) entries.push([nu + i, j, v], [j, nu + i, -v]);
  const pattern = {
    n: nu + m,
    rows: Int32Array.from(entries, ([i]) => i),
    columns: Int32Array.from(entries, ([, j]) => j),
  };
  const right = Array.from({ length: nu }, draw);
  const udot = Array.from({ length: nu }, draw); // the rate of some motion, so the rows do not contradict each other
  const b = Float64Array.from([...right, ...J.map((row) => row.reduce((sum, v, j) => sum + v * udot[j]!, 0))]);
  return { pattern, values: Float64Array.from(entries, ([, , v]) => v), M, J, b };
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((sum, v, i) => sum + v * b[i]!, 0);

test.each([
  [6, 4, 4],
  [6, 9, 5],
  [7, 17, 7],
  [3, 5, 0],
  [8, 12, 3],
])("%i speeds, %i rows of which %i are independent: the motion, and the smallest multipliers", (nu, m, rank) => {
  for (let seed = 1; seed <= 5; seed++) {
    const { pattern, values, M, J, b } = redundantSystem(nu, m, rank, 0, seed);
    const x = new Float64Array(nu + m);
    expect(minimumNormSolver(pattern, nu, m).solve(values, b, x)).toBe(m - rank);
    const [udot, lambda] = [x.slice(0, nu), x.slice(nu)];
    for (let i = 0; i < nu; i++)
      expect(dot(M[i]!, udot) - J.reduce((sum, row, k) => sum + row[i]! * lambda[k]!, 0)).toBeCloseTo(b[i]!, 8);
    for (let i = 0; i < m; i++) expect(dot(J[i]!, udot)).toBeCloseTo(b[nu + i]!, 8);
    // Smallest: λ has no component in the null space of Jᵀ.
    const gram = Float64Array.from(J.flatMap((row) => J.map((other) => dot(row, other))));
    const eigen = symmetricEigen(gram, m);
    const largest = Math.max(...eigen.values);
    for (let k = 0; k < m; k++) {
      if (eigen.values[k]! > 1e-10 * largest) continue;
      const direction = Float64Array.from({ length: m }, (_, i) => eigen.vectors[i * m + k]!);
      expect(dot(direction, lambda)).toBeCloseTo(0, 8);
    }
  }
});

test("if rows are neither clearly dependent nor independent, singular values decide, and the motion does not jump", () => {
  const [nu, m, rank] = [6, 8, 5];
  const udot = [1e-10, 1e-8, 3e-7, 3e-6, 1e-2].map((off) => {
    const { pattern, values, b } = redundantSystem(nu, m, rank, off, 3);
    const x = new Float64Array(nu + m);
    const redundant = minimumNormSolver(pattern, nu, m).solve(values, b, x, 1e-5);
    expect(redundant).toBe(off < 3e-6 ? 3 : off > 3e-6 ? 2 : redundant);
    return x.slice(0, nu);
  });
  for (const motion of udot.slice(0, 3)) for (let i = 0; i < nu; i++) expect(motion[i]).toBeCloseTo(udot[0]![i]!, 5);
});

test("rows that bounds call clear have singular values above the ratio; dependent rows are never clear", () => {
  const loopsOf = (m: number): string[] => Array.from({ length: m }, (_, i) => (i % 2 === 0 ? "first" : "second"));
  let clear = 0;
  for (let seed = 1; seed <= 40; seed++)
    for (const [nu, m, rank, off] of [
      [8, 5, 5, 0],
      [8, 6, 5, 0],
      [8, 6, 5, 1e-2],
      [8, 6, 5, 1e-8],
    ] as const) {
      const { pattern, values } = redundantSystem(nu, m, rank, off, seed);
      const report = loopRankReport(pattern, values, nu, loopsOf(m));
      for (const ratio of [1e-1, 1e-2, 1e-3]) {
        if (!rowsAreClear(pattern, values, nu, loopsOf(m), ratio)) continue;
        clear++;
        expect(report.rank).toBe(m);
        expect(report.singularValues[m - 1]! / report.singularValues[0]!).toBeGreaterThan(ratio);
      }
      if (rank < m && off === 0) expect(rowsAreClear(pattern, values, nu, loopsOf(m), 1e-3)).toBe(false);
    }
  expect(clear).toBeGreaterThan(50);
});

test("a loop that is only rounding is not clear", () => {
  const { pattern, values } = redundantSystem(4, 2, 2, 0, 3);
  const rounding = values.map((v, e) => (Math.max(pattern.rows[e]!, pattern.columns[e]!) === 5 ? 1e-14 * v : v));
  expect(rowsAreClear(pattern, values, 4, ["a", "b"], 1e-3)).toBe(true);
  expect(rowsAreClear(pattern, rounding, 4, ["a", "b"], 1e-3)).toBe(false);
});
