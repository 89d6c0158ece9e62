/** LU factors of a dense real matrix with partial pivoting, by rows, allocation-free after making. */

export interface DenseLU {
  readonly n: number;
  /** Factors the n by n matrix given by rows, which it leaves alone. False if a pivot is zero or not finite. */
  factor(A: Float64Array): boolean;
  /** Solves A x = b in place. */
  solve(b: Float64Array): void;
}

export function denseLU(n: number): DenseLU {
  const LU = new Float64Array(n * n);
  const pivotRow = new Int32Array(n);
  const reciprocal = new Float64Array(n);
  return {
    n,
    factor(A) {
      LU.set(A);
      for (let k = 0; k < n; k++) {
        let p = k;
        let largest = Math.abs(LU[k * n + k]!);
        for (let i = k + 1; i < n; i++) {
          const size = Math.abs(LU[i * n + k]!);
          if (size > largest) {
            largest = size;
            p = i;
          }
        }
        if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return false;
        pivotRow[k] = p;
        if (p !== k) swapRows(LU, n, k, p);
        reciprocal[k] = 1 / LU[k * n + k]!;
        for (let i = k + 1; i < n; i++) {
          const multiplier = LU[i * n + k]! * reciprocal[k]!;
          LU[i * n + k] = multiplier;
          if (multiplier !== 0) for (let j = k + 1; j < n; j++) LU[i * n + j]! -= multiplier * LU[k * n + j]!;
        }
      }
      return true;
    },
    solve(b) {
      for (let k = 0; k < n; k++) {
        const p = pivotRow[k]!;
        const value = b[p]!;
        b[p] = b[k]!;
        b[k] = value;
      }
      for (let i = 1; i < n; i++) {
        let sum = b[i]!;
        for (let j = 0; j < i; j++) sum -= LU[i * n + j]! * b[j]!;
        b[i] = sum;
      }
      for (let i = n - 1; i >= 0; i--) {
        let sum = b[i]!;
        for (let j = i + 1; j < n; j++) sum -= LU[i * n + j]! * b[j]!;
        b[i] = sum * reciprocal[i]!;
      }
    },
  };
}

export function swapRows(A: Float64Array, n: number, a: number, b: number): void {
  for (let j = 0; j < n; j++) {
    const value = A[a * n + j]!;
    A[a * n + j] = A[b * n + j]!;
    A[b * n + j] = value;
  }
}
