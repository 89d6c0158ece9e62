/** Least squares with kinks against enumeration: the optimum is the minimum of a piece, or of the intersection of a piece with kinks. */
import { describe, expect, test } from "vitest";
import { denseLU } from "../../../src/math/linear/dense-lu.ts";
import { KinkedLeastSquares } from "../../../src/math/optimise/kinked-least-squares.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

interface Problem {
  readonly a: Float64Array;
  /** By columns. */
  readonly B: Float64Array;
  readonly below: Float64Array;
  readonly above: Float64Array;
  readonly columns: number;
}

function drawProblem(seed: number): Problem {
  const next = uniform(seed ^ 0x4b1e);
  const count = 2 + Math.floor(5 * next());
  const columns = 1 + Math.floor(Math.min(count, 3) * next());
  const draw = (size: number): Float64Array => Float64Array.from({ length: size }, () => 2 * next() - 1);
  const a = draw(count);
  const B = draw(count * columns);
  if (seed % 5 === 0) for (let i = 0; i < count; i++) a[i] = B[i]!; // every kink meets in one point
  const slopes = draw(2 * count).map((v) => (seed % 3 === 0 ? 20 : 2) * v);
  const below = Float64Array.from({ length: count }, (_, i) => Math.min(slopes[i]!, slopes[count + i]!));
  const above = Float64Array.from({ length: count }, (_, i) => Math.max(slopes[i]!, slopes[count + i]!));
  if (seed % 4 === 0) below[0] = above[0]!; // no kink
  return { a, B, below, above, columns };
}

const objective = ({ below, above }: Problem, y: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += y[i]! * y[i]! + (y[i]! < 0 ? below[i]! : above[i]!) * y[i]!;
  return sum;
};

/** y of the least F over all candidates: each entry has one of its slopes or is held at zero. */
function enumerate(problem: Problem): Float64Array {
  const { a, B, below, above, columns } = problem;
  const count = a.length;
  let best = a;
  for (let code = 0; code < 3 ** count; code++) {
    const choice = Array.from({ length: count }, (_, i) => Math.floor(code / 3 ** i) % 3);
    const held = choice.flatMap((c, i) => (c === 2 ? [i] : []));
    if (held.length > columns) continue;
    const size = columns + held.length;
    const K = new Float64Array(size * size);
    const right = new Float64Array(size);
    for (let k = 0; k < columns; k++) {
      for (let j = 0; j < columns; j++)
        for (let i = 0; i < count; i++) K[k * size + j]! += 2 * B[k * count + i]! * B[j * count + i]!;
      for (let i = 0; i < count; i++)
        right[k]! -= B[k * count + i]! * (2 * a[i]! + (choice[i] === 2 ? 0 : choice[i] === 0 ? below[i]! : above[i]!));
      for (const [h, i] of held.entries()) K[k * size + columns + h] = K[(columns + h) * size + k] = B[k * count + i]!;
    }
    for (const [h, i] of held.entries()) right[columns + h] = -a[i]!;
    const lu = denseLU(size);
    try {
      lu.factor(K);
    } catch {
      continue; // kinks that depend on each other
    }
    lu.solve(right);
    const y = a.map((v, i) => {
      let sum = v;
      for (let k = 0; k < columns; k++) sum += B[k * count + i]! * right[k]!;
      return held.includes(i) ? 0 : sum;
    });
    if (y.every(Number.isFinite) && objective(problem, y) < objective(problem, best)) best = y;
  }
  return best;
}

describe("kinked least squares", () => {
  test("is the best of all candidates, 300 random problems", () => {
    for (let seed = 0; seed < 300; seed++) {
      const problem = drawProblem(seed);
      const count = problem.a.length;
      const solver = new KinkedLeastSquares(count, 4);
      solver.B.set(problem.B);
      solver.y.set(problem.a);
      solver.below.set(problem.below);
      solver.above.set(problem.above);
      expect(solver.solve(problem.columns), `rounds of seed ${seed}`).toBeLessThan(20 * (count + 1));
      const expected = enumerate(problem);
      for (let i = 0; i < count; i++) expect(Math.abs(solver.y[i]! - expected[i]!), `seed ${seed}`).toBeLessThan(1e-9);
    }
  });

  test("without kinks: y = a - Q Qᵀ (a + slope / 2), also with columns that depend on each other", () => {
    const solver = new KinkedLeastSquares(3, 2);
    solver.B.set([1, 1, 0, 2, 2, 0]);
    solver.y.set([3, 1, 5]);
    solver.below.set([2, 4, 6]);
    solver.above.set([2, 4, 6]);
    solver.solve(2);
    // Along (1, 1, 0)/√2: components (3 + 1)/√2 of a and (2 + 4)/√2 of the slope.
    expect([...solver.y].map((v) => +v.toFixed(12))).toEqual([3 - 2 - 1.5, 1 - 2 - 1.5, 5]);
  });
});
