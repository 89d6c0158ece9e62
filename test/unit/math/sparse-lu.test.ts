import { describe, expect, test } from "vitest";
import { type SparsePattern, sparseLU } from "../../../src/math/linear/sparse-lu.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Backward error of a solution with threshold pivoting and one refinement: a few units in the last place. */
const BACKWARD = 1e-14;

interface Matrix {
  readonly pattern: SparsePattern;
  readonly values: Float64Array;
}

function matrix(n: number, entries: readonly (readonly [number, number, number])[]): Matrix {
  return {
    pattern: { n, rows: entries.map(([r]) => r), columns: entries.map(([, c]) => c) },
    values: Float64Array.from(entries, ([, , v]) => v),
  };
}

/** A permuted diagonal, so that the matrix can be regular, plus random entries. */
function randomMatrix(n: number, perRow: number, random: () => number): Matrix {
  const places = new Map<number, number>();
  const permutation = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [permutation[i], permutation[j]] = [permutation[j]!, permutation[i]!];
  }
  const value = (): number => (random() - 0.5) * 10 ** (4 * random() - 2);
  for (let i = 0; i < n; i++) places.set(i * n + permutation[i]!, value());
  for (let k = 0; k < perRow * n; k++) places.set(Math.floor(random() * n * n), value());
  return matrix(
    n,
    [...places].map(([at, v]) => [Math.floor(at / n), at % n, v] as const),
  );
}

function multiply({ pattern, values }: Matrix, x: Float64Array): Float64Array {
  const b = new Float64Array(pattern.n);
  for (const [e, v] of values.entries()) b[pattern.rows[e]!]! += v * x[pattern.columns[e]!]!;
  return b;
}

/** max |b - A x| / (|A| |x| + |b|), by rows. */
function backwardError(A: Matrix, x: Float64Array, b: Float64Array): number {
  const r = multiply(A, x).map((v, i) => Math.abs(v - b[i]!));
  const scale = multiply({ ...A, values: A.values.map(Math.abs) }, x.map(Math.abs)).map((v, i) => v + Math.abs(b[i]!));
  return Math.max(...r.map((v, i) => (v === 0 ? 0 : v / scale[i]!)));
}

test("solves random sparse systems of many patterns", () => {
  const random = uniform(2);
  for (let trial = 0; trial < 60; trial++) {
    const n = 1 + Math.floor(random() * 60);
    const A = randomMatrix(n, 1 + 3 * random(), random);
    const lu = sparseLU(A.pattern);
    const b = Float64Array.from({ length: n }, () => random() - 0.5);
    const x = new Float64Array(n);
    expect(lu.factor(A.values)).toBe(true);
    lu.solve(b, x);
    expect(backwardError(A, x, b)).toBeLessThan(BACKWARD);
    expect(lu.rank).toBe(n);
    expect(lu.dependent).toEqual({ row: -1, column: -1 });
  }
});

describe("the pivot order", () => {
  /** Pattern of a chain of bodies: dense blocks of 4, each coupled to the next. */
  const chain = (links: number): Matrix => {
    const random = uniform(3);
    const entries: [number, number, number][] = [];
    for (let i = 0; i < links; i++)
      for (let r = 0; r < 4; r++)
        for (let c = 0; c < 4; c++) {
          entries.push([4 * i + r, 4 * i + c, random() + (r === c ? 3 : 0)]);
          if (i > 0 && c < 2) entries.push([4 * i + r, 4 * i - 4 + c, random()], [4 * i - 4 + c, 4 * i + r, random()]);
        }
    return matrix(4 * links, entries);
  };

  test("keeps the fill of a chain proportional to its length", () => {
    const perLink = [20, 200].map((links) => {
      const A = chain(links);
      const lu = sparseLU(A.pattern);
      lu.factor(A.values);
      return lu.fill / links;
    });
    expect(perLink[1]! / perLink[0]!).toBeLessThan(1.1);
  });

  test("an arrow matrix is eliminated without fill", () => {
    const n = 30;
    const entries = Array.from(
      { length: n },
      (_, i): [number, number, number][] =>
      i === 0 ? [[0, 0, 5]] : [[i, i, 2], [0, i, 1], [i, 0, 1]], // biome-ignore format: one entry after the other
    ).flat();
    const A = matrix(n, entries);
    const lu = sparseLU(A.pattern);
    lu.factor(A.values);
    expect(lu.fill).toBe(A.values.length);
  });

  test("is kept while the values change a little", () => {
    const A = chain(10);
    const lu = sparseLU(A.pattern);
    for (let k = 0; k < 20; k++) lu.factor(A.values.map((v) => v * (1 + 0.01 * k)));
    expect(lu.pivotSearches).toBe(1);
  });

  test("is searched again if a pivot becomes small, and the solution stays accurate", () => {
    const A = (small: number): Matrix => matrix(2, [[0, 0, small], [0, 1, 1], [1, 0, 1], [1, 1, small]]); // biome-ignore format: a matrix
    const lu = sparseLU(A(3).pattern);
    const b = Float64Array.of(1, 2);
    const x = new Float64Array(2);
    for (const small of [3, 1e-3, 1e-9, 0, -4]) {
      expect(lu.factor(A(small).values)).toBe(true);
      lu.solve(b, x);
      expect(backwardError(A(small), x, b)).toBeLessThan(BACKWARD);
    }
    expect(lu.pivotSearches).toBeGreaterThan(1);
  });

  test("remains valid if entries of the pattern are zero at first", () => {
    const random = uniform(5);
    const A = randomMatrix(25, 3, random);
    const lu = sparseLU(A.pattern);
    const sparse = A.values.map((v, e) => (e < 25 || random() < 0.5 ? v : 0)); // the permuted diagonal stays
    const b = Float64Array.from({ length: 25 }, () => random() - 0.5);
    const x = new Float64Array(25);
    for (const values of [sparse, A.values]) {
      expect(lu.factor(values)).toBe(true);
      lu.solve(b, x);
      expect(backwardError({ ...A, values }, x, b)).toBeLessThan(BACKWARD);
    }
  });
});

test.each([30, 60, 100])(
  "the mass matrix of a straight chain of %i is regular, although its pivots are small relative to its entries",
  (n) => {
    // Point masses at unit distances in relative angles: Σ_k (k - i)(k - j) over k beyond both; the determinant is one.
    const entries = Array.from({ length: n * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      let sum = 0;
      for (let k = Math.max(i, j) + 1; k <= n; k++) sum += (k - i) * (k - j);
      return [i, j, sum] as const;
    });
    const A = matrix(n, entries);
    const lu = sparseLU(A.pattern);
    expect(lu.factor(A.values)).toBe(true);
    const [b, x] = [new Float64Array(n), new Float64Array(n)];
    for (const [i, j, v] of entries) b[i]! += v * Math.cos(j); // x is cos j
    lu.solve(b, x);
    const [residual, size] = [b.slice(), new Float64Array(n)];
    for (const [i, j, v] of entries) {
      residual[i]! -= v * x[j]!;
      size[i]! += Math.abs(v * x[j]!);
    }
    for (let i = 0; i < n; i++) expect(Math.abs(residual[i]!)).toBeLessThan(1e-14 * size[i]!);
  },
);

describe("a singular matrix", () => {
  test("its rank is found, and a dependent row and column are named", () => {
    const random = uniform(4);
    for (let trial = 0; trial < 20; trial++) {
      const n = 12;
      const A = randomMatrix(n, 2, random);
      const dense = Array.from({ length: n }, () => new Float64Array(n));
      for (const [e, v] of A.values.entries()) dense[A.pattern.rows[e]!]![A.pattern.columns[e]!] = v;
      dense[7] = dense[3]!.map((v, c) => 0.7 * v - 1.3 * dense[5]![c]!);
      const B = matrix(
        n,
        dense.flatMap((row, r) => [...row].flatMap((v, c) => (v === 0 ? [] : [[r, c, v] as const]))),
      );
      const lu = sparseLU(B.pattern);
      expect(lu.factor(B.values)).toBe(false);
      expect(lu.rank).toBe(n - 1);
      expect([3, 5, 7]).toContain(lu.dependent.row);
      expect(() => lu.solve(new Float64Array(n), new Float64Array(n))).toThrow(Error);
    }
  });

  test("a column without entries is the dependent one", () => {
    const A = matrix(2, [[0, 0, 1], [1, 0, 2]]); // biome-ignore format: a matrix
    const lu = sparseLU(A.pattern);
    expect(lu.factor(A.values)).toBe(false);
    expect(lu.dependent.column).toBe(1);
  });

  test("is distinguished from a badly scaled one", () => {
    const A = matrix(3, [[0, 0, 1e-12], [1, 1, 1e12], [2, 2, 1], [0, 2, 1e-12]]); // biome-ignore format: a matrix
    const lu = sparseLU(A.pattern);
    expect(lu.factor(A.values)).toBe(true);
  });

  test("can become regular again", () => {
    const pattern = { n: 1, rows: [0], columns: [0] };
    const lu = sparseLU(pattern);
    expect(lu.factor(Float64Array.of(0))).toBe(false);
    expect(lu.factor(Float64Array.of(Number.NaN))).toBe(false);
    expect(lu.factor(Float64Array.of(2))).toBe(true);
    const x = new Float64Array(1);
    lu.solve(Float64Array.of(1), x);
    expect(x[0]).toBe(0.5);
  });
});

describe("a border that is eliminated last", () => {
  /** [D -Cᵀ; C 0] for a regular D: m equations C of n unknowns, the last of them combinations of the others. */
  function bordered(n: number, m: number, dependent: number, random: () => number): Matrix {
    const C = Array.from({ length: m }, () => Array.from({ length: n }, () => 2 * random() - 1));
    for (let i = m - dependent; i < m; i++) C[i] = C[i]!.map((_, j) => 0.6 * C[0]![j]! - 1.7 * C[1]![j]! * (i - m + 2));
    const entries: [number, number, number][] = [];
    for (let i = 0; i < n; i++) entries.push([i, i, 1 + random()]);
    for (const [i, row] of C.entries()) for (const [j, v] of row.entries()) entries.push([n + i, j, v], [j, n + i, -v]);
    return matrix(n + m, entries);
  }

  test("the number of dependent equations is found, and the others are solved", () => {
    const random = uniform(14);
    for (const dependent of [0, 1, 2]) {
      const [n, m] = [7, 4];
      const A = bordered(n, m, dependent, random);
      const lu = sparseLU(A.pattern, { border: m });
      const b = multiply(
        A,
        Float64Array.from({ length: n + m }, () => random() - 0.5),
      );
      expect(lu.factor(A.values)).toBe(dependent === 0);
      expect(lu.rank).toBe(n + m - dependent);
      expect(Math.min(n + m, ...lu.unpivoted.rows, ...lu.unpivoted.columns)).toBeGreaterThanOrEqual(n);
      const x = new Float64Array(n + m);
      const rest = lu.solveBasic(b, x);
      expect(Math.max(...rest.map(Math.abs))).toBeLessThan(1e-13);
      expect(backwardError(A, x, b)).toBeLessThan(1e-13);
      const none = new Float64Array(n + m);
      for (let k = 0; k < dependent; k++) {
        lu.nullVector(k, none);
        expect(Math.max(...none.map(Math.abs))).toBeGreaterThanOrEqual(1);
        expect(Math.max(...multiply(A, none).map(Math.abs))).toBeLessThan(1e-13);
      }
      expect(() => lu.nullVector(dependent, none)).toThrow(Error);
    }
  });

  test("the residual shows by how much dependent equations contradict the others", () => {
    const A = bordered(7, 4, 1, uniform(15));
    const lu = sparseLU(A.pattern, { border: 4 });
    const b = new Float64Array(11);
    lu.factor(A.values);
    b[lu.unpivoted.rows[0]!] = 2.5;
    expect(lu.solveBasic(b, new Float64Array(11))[lu.unpivoted.rows[0]!]).toBeCloseTo(2.5, 12);
  });

  test("the order is kept while rows stay dependent, and searched again when they become independent", () => {
    const A = bordered(7, 4, 1, uniform(16));
    const lu = sparseLU(A.pattern, { border: 4 });
    const scaled = (k: number): Float64Array => A.values.map((v, e) => (e < 7 ? v * (1 + k) : v));
    for (const k of [0, 0.1, 0.2]) expect(lu.factor(scaled(k))).toBe(false);
    expect(lu.pivotSearches).toBe(1);
    const free = A.values.slice();
    free[7 + 2 * 7 * 3]! += 0.3; // C_30; its entry in -Cᵀ follows
    free[7 + 2 * 7 * 3 + 1]! -= 0.3;
    expect(lu.factor(free)).toBe(true);
    expect(lu.factor(A.values)).toBe(false);
  });

  test("entries below the given limit count as zero", () => {
    const A = matrix(4, [[0, 0, 1], [1, 1, 1], [2, 0, 1], [0, 2, -1], [3, 0, 1], [0, 3, -1], [3, 1, 1e-5], [1, 3, -1e-5]]); // biome-ignore format: a matrix
    expect(sparseLU(A.pattern, { border: 2 }).factor(A.values)).toBe(true);
    expect(sparseLU(A.pattern, { border: 2 }).factor(A.values, 1e-8)).toBe(false);
  });
});
