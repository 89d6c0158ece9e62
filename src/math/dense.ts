/** Products of dense matrices by rows. */

/** A B, of m by k and k by n. */
export function product(A: Float64Array, B: Float64Array, m: number, k: number, n: number): Float64Array {
  const C = new Float64Array(m * n);
  for (let i = 0; i < m; i++)
    for (let l = 0; l < k; l++) {
      const a = A[i * k + l]!;
      if (a !== 0) for (let j = 0; j < n; j++) C[i * n + j]! += a * B[l * n + j]!;
    }
  return C;
}

/** Aᵀ B, of k by m and k by n. */
export function transposedProduct(A: Float64Array, B: Float64Array, k: number, m: number, n: number): Float64Array {
  const C = new Float64Array(m * n);
  for (let l = 0; l < k; l++)
    for (let i = 0; i < m; i++) {
      const a = A[l * m + i]!;
      if (a !== 0) for (let j = 0; j < n; j++) C[i * n + j]! += a * B[l * n + j]!;
    }
  return C;
}

/** Column j of an m by n matrix. */
export const columnOf = (A: Float64Array, m: number, n: number, j: number): Float64Array =>
  Float64Array.from({ length: m }, (_, i) => A[i * n + j]!);

export function identityMatrix(n: number): Float64Array {
  const I = new Float64Array(n * n);
  for (let i = 0; i < n; i++) I[i * n + i] = 1;
  return I;
}

/** Aᵀ of an m by n matrix. */
export function transposed(A: Float64Array, m: number, n: number): Float64Array {
  const T = new Float64Array(n * m);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) T[j * m + i] = A[i * n + j]!;
  return T;
}
