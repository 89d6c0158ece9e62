/** Symmetric elimination of saddle points [M Jᵀ; J 0] with numbers: the same code from which kernels are traced. */
import { describe, expect, test } from "vitest";
import { tracedLDL } from "../../../src/dynamics/loops/multipliers/traced-ldl.ts";
import type { SparsePattern } from "../../../src/math/linear/markowitz.ts";
import { symmetricOrder } from "../../../src/math/linear/symmetric-order.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

interface SaddlePoint {
  readonly pattern: SparsePattern;
  readonly values: number[];
}

/**
 * M of bodies in groups of three, with masses over six orders of magnitude, some zero; each equation couples a few speeds of two groups.
 */
function saddlePoint(groups: number, equations: number, massless: number, random: () => number): SaddlePoint {
  const nu = 3 * groups;
  const entries: (readonly [number, number, number])[] = [];
  for (let g = 0; g < groups; g++) {
    const B = Array.from({ length: 9 }, () => random() - 0.5);
    const size = g < massless ? 0 : 10 ** (6 * random() - 3);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j <= i; j++) {
        const own = [0, 1, 2].reduce((sum, k) => sum + B[3 * i + k]! * B[3 * j + k]!, i === j ? 0.1 : 0);
        if (size > 0) entries.push([3 * g + i, 3 * g + j, size * own]);
      }
  }
  for (let k = 0; k < equations; k++) {
    const [a, b] = [Math.floor(k / 3) % groups, (Math.floor(k / 3) + 1 + Math.floor(random() * (groups - 1))) % groups];
    for (const [g, count] of [
      [a, 3],
      [b, 2],
    ] as const)
      for (let i = 0; i < count; i++) entries.push([nu + k, 3 * g + i, random() - 0.5]);
  }
  const n = nu + equations;
  return {
    pattern: { n, rows: entries.map(([r]) => r), columns: entries.map(([, c]) => c) },
    values: entries.map(([, , v]) => v),
  };
}

/** |b - A x| relative to |A| |x| + |b|, of the worst row. */
function backwardError({ pattern, values }: SaddlePoint, x: readonly number[], b: readonly number[]): number {
  const residual = [...b];
  const size = b.map(Math.abs);
  const take = (row: number, column: number, value: number): void => {
    residual[row]! -= value * x[column]!;
    size[row]! += Math.abs(value * x[column]!);
  };
  for (const [e, value] of values.entries()) {
    const [row, column] = [pattern.rows[e]!, pattern.columns[e]!];
    take(row, column, value);
    if (row !== column) take(column, row, value);
  }
  return Math.max(...residual.map((r, i) => Math.abs(r) / (size[i] || 1)));
}

/** Multipliers up to ten cost one or two of sixteen digits; refinement restores them. */
const PLAIN = 1e-12;
const REFINED = 1e-15;

describe.each([
  { groups: 4, equations: 5, massless: 0 },
  { groups: 7, equations: 15, massless: 0 },
  { groups: 7, equations: 15, massless: 1 },
  { groups: 12, equations: 30, massless: 2 },
])("$groups groups of speeds, $massless of them massless, and $equations equations", (of) => {
  test.each([1, 2, 3, 4, 5])("solved with and without refinement, seed %i", (seed) => {
    const random = uniform(100 * of.groups + 10 * of.massless + seed);
    const system = saddlePoint(of.groups, of.equations, of.massless, random);
    const order = symmetricOrder(system.pattern, system.values)!;
    expect(order.pivots.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: system.pattern.n }, (_, i) => i));
    const factors = tracedLDL(order, system.pattern, system.values);
    const b = Array.from({ length: system.pattern.n }, () => random() - 0.5);
    expect(backwardError(system, factors.substitute(b) as number[], b)).toBeLessThan(PLAIN);
    expect(backwardError(system, factors.solve(b) as number[], b)).toBeLessThan(REFINED);
    expect(factors.growth).toBeGreaterThanOrEqual(order.pivots.length);
    expect(factors.growth).toBeLessThan(1e4);
  });
});

test("growth indicates a pivot that has become small, and a pair whose equation now depends on other unknowns", () => {
  // u₀ and u₁ of masses 1 and 2, and an equation a u₀ + b u₁ = 0
  const pattern = { n: 3, rows: [0, 1, 2, 2], columns: [0, 1, 0, 1] };
  const order = { pivots: [[0, 2], [1]], values: Float64Array.of(-1, 2.25), scale: Float64Array.of(1, 1, 1), work: 0 } as const;
  const growth = (a: number, b: number): number => tracedLDL(order, pattern, [1, 2, a, b]).growth as number;
  expect(growth(1, 0.5)).toBeCloseTo(1 + 0.25 + 1, 14);
  expect(growth(1e-3, 0.5)).toBeGreaterThan(1e6);
  expect(growth(1, 500)).toBeGreaterThan(2e5);
});

test("a singular matrix has no order, and neither has one that would cost too much", () => {
  const pattern = { n: 3, rows: [0, 1, 2, 2], columns: [0, 1, 0, 1] };
  expect(symmetricOrder(pattern, [1, 1, 1, 1])).toBeDefined();
  expect(symmetricOrder(pattern, [1, 1, 0, 0])).toBeUndefined();
  expect(symmetricOrder(pattern, [0, 0, 1, 1])).toBeUndefined();
  expect(symmetricOrder(pattern, [1, 1, 1, 1], 2)).toBeUndefined();
});
