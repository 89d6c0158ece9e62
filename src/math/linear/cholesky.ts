/** Cholesky factorisation A = L Lᵀ of a symmetric positive definite matrix by rows. Methods allocate nothing. */

export interface Cholesky {
  readonly n: number;
  /** Factors A, whose lower half is read and not changed. Returns the first column whose pivot is not positive, or -1. */
  factor(A: Float64Array): number;
  /** Solves A x = b in place. */
  solve(b: Float64Array): void;
  /** Solves L x = b in place. */
  solveLower(b: Float64Array): void;
  /** Solves Lᵀ x = b in place. */
  solveUpper(b: Float64Array): void;
  /** Solves L X = B in place for all columns of B, which is stored by rows. */
  solveLowerAll(B: Float64Array, columns: number): void;
  /** Solves Lᵀ X = B in place for all columns of B, which is stored by rows. */
  solveUpperAll(B: Float64Array, columns: number): void;
}

/** A pivot below this fraction of its diagonal entry is rounding. */
const PIVOT_TOLERANCE = 1e-14;

export function choleskySolver(n: number): Cholesky {
  const L = new Float64Array(n * n);
  return {
    n,
    factor(A) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          let sum = A[i * n + j]!;
          for (let k = 0; k < j; k++) sum -= L[i * n + k]! * L[j * n + k]!;
          if (j < i) L[i * n + j] = sum / L[j * n + j]!;
          else if (sum > PIVOT_TOLERANCE * A[i * n + i]!) L[i * n + i] = Math.sqrt(sum);
          else return i;
        }
      }
      return -1;
    },
    solve(b) {
      solveLower(b);
      solveUpper(b);
    },
    solveLower,
    solveUpper,
    solveLowerAll(B, columns) {
      for (let i = 0; i < n; i++) {
        for (let k = 0; k < i; k++) addRowMultiple(B, columns, i, k, -L[i * n + k]!);
        divideRow(B, columns, i, L[i * n + i]!);
      }
    },
    solveUpperAll(B, columns) {
      for (let i = n - 1; i >= 0; i--) {
        for (let k = i + 1; k < n; k++) addRowMultiple(B, columns, i, k, -L[k * n + i]!);
        divideRow(B, columns, i, L[i * n + i]!);
      }
    },
  };

  function solveLower(b: Float64Array): void {
    for (let i = 0; i < n; i++) {
      let sum = b[i]!;
      for (let k = 0; k < i; k++) sum -= L[i * n + k]! * b[k]!;
      b[i] = sum / L[i * n + i]!;
    }
  }

  function solveUpper(b: Float64Array): void {
    for (let i = n - 1; i >= 0; i--) {
      let sum = b[i]!;
      for (let k = i + 1; k < n; k++) sum -= L[k * n + i]! * b[k]!;
      b[i] = sum / L[i * n + i]!;
    }
  }
}

/** Row i += factor × row k. */
function addRowMultiple(B: Float64Array, columns: number, i: number, k: number, factor: number): void {
  if (factor === 0) return;
  const [to, from] = [i * columns, k * columns];
  for (let j = 0; j < columns; j++) B[to + j]! += factor * B[from + j]!;
}

/** Row i /= divisor. */
function divideRow(B: Float64Array, columns: number, i: number, divisor: number): void {
  for (let j = i * columns; j < (i + 1) * columns; j++) B[j]! /= divisor;
}
