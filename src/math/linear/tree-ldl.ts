/**
 * Factorisation M = Lᵀ D L of a symmetric positive definite matrix with the pattern of a tree: row i is nonzero only at i and its
 * ancestors. The elimination runs from the leaves to the root, so there is no fill-in: L has the pattern of M.
 *
 * Storage: row i holds the path from its root to i, root first, packed one row after the other. The ancestors of an ancestor are a
 * prefix of the path, so every inner loop runs over two contiguous prefixes.
 */

/** A pivot below this fraction of its diagonal entry is only rounding. */
export const ROUNDING_LEVEL = 64 * Number.EPSILON;

export interface TreePattern {
  readonly n: number;
  /** Parent of each row, smaller than the row; -1 for a root. */
  readonly parent: Int32Array;
  /** Number of ancestors of each row. */
  readonly depth: Int32Array;
  /** Index of the first packed value of row i; entry (i, ancestor j) is at start[i] + depth[j]. */
  readonly start: Int32Array;
  /** Number of packed values. */
  readonly size: number;
}

/** Builds the pattern of a tree from the parent of each row. */
export function treePattern(parents: ArrayLike<number>): TreePattern {
  const n = parents.length;
  const parent = Int32Array.from(parents);
  const depth = new Int32Array(n);
  const start = new Int32Array(n);
  let size = 0;
  for (let i = 0; i < n; i++) {
    const p = parent[i]!;
    if (p >= i) throw new Error(`tree pattern: row ${i} has parent ${p}; a parent must have a smaller index than its child`);
    depth[i] = p < 0 ? 0 : depth[p]! + 1;
    start[i] = size;
    size += depth[i]! + 1;
  }
  return { n, parent, depth, start, size };
}

/**
 * Overwrites the packed M with its factors: D on the diagonal, L below it. Returns -1, or the first row (leaves first) whose pivot is not
 * positive beyond rounding; the factors are then useless. Cost: sum over rows of depth²/2.
 */
export function factorTree({ n, parent, depth, start }: TreePattern, M: Float64Array, diagonal: Float64Array): number {
  for (let i = 0; i < n; i++) diagonal[i] = M[start[i]! + depth[i]!]!;
  for (let k = n - 1; k >= 0; k--) {
    const row = start[k]!;
    const pivot = M[row + depth[k]!]!;
    if (!(pivot > ROUNDING_LEVEL * diagonal[k]! && pivot < Number.POSITIVE_INFINITY)) return k;
    const inverse = 1 / pivot;
    for (let i = parent[k]!; i >= 0; i = parent[i]!) {
      const to = start[i]!;
      const last = depth[i]!;
      const factor = M[row + last]! * inverse;
      for (let e = 0; e <= last; e++) M[to + e]! -= factor * M[row + e]!;
      M[row + last] = factor;
    }
  }
  return -1;
}

/** Overwrites b with the solution of Lᵀ D L x = b. */
export function solveTree({ n, parent, depth, start }: TreePattern, factors: Float64Array, b: Float64Array): void {
  for (let k = n - 1; k >= 0; k--) {
    const value = b[k]!;
    const row = start[k]!;
    for (let i = parent[k]!; i >= 0; i = parent[i]!) b[i]! -= factors[row + depth[i]!]! * value;
  }
  for (let k = 0; k < n; k++) {
    const row = start[k]!;
    let value = b[k]! / factors[row + depth[k]!]!;
    for (let i = parent[k]!; i >= 0; i = parent[i]!) value -= factors[row + depth[i]!]! * b[i]!;
    b[k] = value;
  }
}

/** y := M x for a packed M that is not factored. */
export function multiplyTree({ n, parent, depth, start }: TreePattern, M: Float64Array, x: Float64Array, y: Float64Array): void {
  for (let k = 0; k < n; k++) {
    const row = start[k]!;
    let sum = M[row + depth[k]!]! * x[k]!;
    for (let i = parent[k]!; i >= 0; i = parent[i]!) {
      sum += M[row + depth[i]!]! * x[i]!;
      y[i]! += M[row + depth[i]!]! * x[k]!;
    }
    y[k] = sum;
  }
}

/** roots := 1/√D of the factors. */
export function treeInverseRoots({ n, depth, start }: TreePattern, factors: Float64Array, roots: Float64Array): void {
  for (let i = 0; i < n; i++) roots[i] = 1 / Math.sqrt(factors[start[i]! + depth[i]!]!);
}

/**
 * b := D^-½ L⁻ᵀ b, the first half of a solution: coordinates in which M is the unit matrix. The vector begins at `offset` in b. It is
 * nonzero only in `rows`, which are ascending and contain their ancestors.
 */
export function solveTreeFirstHalf(
  { parent, depth, start }: TreePattern,
  factors: Float64Array,
  roots: Float64Array,
  rows: Int32Array,
  b: Float64Array,
  offset: number,
): void {
  for (let r = rows.length - 1; r >= 0; r--) {
    const k = rows[r]!;
    const value = b[offset + k]!;
    if (value === 0) continue;
    const row = start[k]!;
    for (let i = parent[k]!; i >= 0; i = parent[i]!) b[offset + i]! -= factors[row + depth[i]!]! * value;
    b[offset + k] = value * roots[k]!;
  }
}

/** x := L⁻¹ D^-½ x, the second half of a solution. */
export function solveTreeSecondHalf(
  { n, parent, depth, start }: TreePattern,
  factors: Float64Array,
  roots: Float64Array,
  x: Float64Array,
): void {
  for (let k = 0; k < n; k++) {
    const row = start[k]!;
    let value = x[k]! * roots[k]!;
    for (let i = parent[k]!; i >= 0; i = parent[i]!) value -= factors[row + depth[i]!]! * x[i]!;
    x[k] = value;
  }
}
