/** Pivot orders as plain data: what is laid out again from a saved order is what the search has found. */
import { expect, test } from "vitest";
import { FormatError } from "../../../src/errors.ts";
import { markowitzOrder, type SparsePattern } from "../../../src/math/linear/markowitz.ts";
import { sparseLU } from "../../../src/math/linear/sparse-lu.ts";
import { symbolicFill } from "../../../src/math/linear/symbolic-fill.ts";
import { restoredSymmetricOrder, savedSymmetricOrder, symmetricOrder } from "../../../src/math/linear/symmetric-order.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** A symmetric pattern with a zero block at the end, as in equations with multipliers, and values of it. */
function constrainedMatrix(n: number, m: number, random: () => number) {
  const places = new Set<number>();
  for (let i = 0; i < n; i++) places.add(i * (n + m) + i);
  for (let k = 0; k < 2 * n; k++) {
    const [i, j] = [Math.floor(random() * n), Math.floor(random() * n)];
    places.add(i * (n + m) + j).add(j * (n + m) + i);
  }
  for (let k = n; k < n + m; k++)
    for (let c = 0; c < 3; c++) {
      const j = Math.floor(random() * n);
      places.add(k * (n + m) + j).add(j * (n + m) + k);
    }
  const list = [...places];
  const pattern: SparsePattern = {
    n: n + m,
    rows: Int32Array.from(list, (p) => Math.floor(p / (n + m))),
    columns: Int32Array.from(list, (p) => p % (n + m)),
  };
  const valueAt = new Map<string, number>();
  const values = Float64Array.from(list, (_, e) => {
    const [i, j] = [pattern.rows[e]!, pattern.columns[e]!];
    const key = `${Math.min(i, j)} ${Math.max(i, j)}`;
    if (!valueAt.has(key)) valueAt.set(key, i === j ? 4 + random() : random() - 0.5);
    return valueAt.get(key)!;
  });
  return { pattern, values };
}

const sorted = (lists: readonly Int32Array[]): number[][] => lists.map((list) => [...list].sort((a, b) => a - b));

test("the fill follows from pattern and order", () => {
  const random = uniform(1);
  for (let trial = 0; trial < 30; trial++) {
    const border = trial % 3;
    const { pattern, values } = constrainedMatrix(12, border, random);
    const order = markowitzOrder(pattern, values, { border, negligible: 1e-12 });
    const { below, right } = symbolicFill(pattern, order);
    expect(sorted(below)).toEqual(sorted(order.below));
    expect(sorted(right)).toEqual(sorted(order.right));
  }
});

test("a restored sparse LU solves with the same bits, also in an order that was found for other values", () => {
  const random = uniform(2);
  for (let trial = 0; trial < 30; trial++) {
    const { pattern, values } = constrainedMatrix(15, 4, random);
    const lu = sparseLU(pattern, { border: 4 });
    expect(lu.save()).toBeNull();
    lu.factor(values);
    const changed = values.map((v) => v * (1 + 0.3 * random()));
    const other = sparseLU(pattern, { border: 4 });
    other.restore(structuredClone(lu.save()), "lu");
    expect(other.save()).toEqual(lu.save());
    const b = Float64Array.from({ length: pattern.n }, random);
    const solutions = [lu, other].map((solver) => {
      const x = new Float64Array(pattern.n);
      if (solver.factor(changed)) solver.solve(b, x);
      else solver.solveBasic(b, x);
      return x;
    });
    expect(solutions[1]).toEqual(solutions[0]);
    expect(other.save()).toEqual(lu.save());
    other.restore(null, "lu");
    expect(other.save()).toBeNull();
  }
});

test("a restored symmetric order is the order that was saved, with the same count of multiplications", () => {
  const random = uniform(3);
  for (let trial = 0; trial < 30; trial++) {
    const { pattern, values } = constrainedMatrix(10, 3, random);
    const order = symmetricOrder(pattern, values);
    if (!order) continue;
    const saved = structuredClone(savedSymmetricOrder(order));
    expect(restoredSymmetricOrder(pattern, saved, order.work, "order")).toEqual(order);
    expect(() => restoredSymmetricOrder(pattern, saved, order.work - 1, "order")).toThrow(FormatError);
  }
});

test("a pivot that is always zero is refused", () => {
  const pattern: SparsePattern = { n: 2, rows: [0, 0, 1], columns: [0, 1, 0] };
  const saved = {
    pivots: Int32Array.of(1, 0),
    widths: Int32Array.of(1, 1),
    values: Float64Array.of(1, 1),
    scale: Float64Array.of(1, 1),
  };
  expect(() => restoredSymmetricOrder(pattern, saved, 100, "order")).toThrow(
    /^order\.pivots\[0\]: must be a pivot that is not always zero, got 1/,
  );
});
