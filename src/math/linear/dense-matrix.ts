/** Products, columns and transposes of dense matrices stored by rows. */

/** A B, of m by k and k by n. */
export function matrixProduct(A: Float64Array, B: Float64Array, m: number, k: number, n: number): Float64Array {
  const C = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    let l = 0;
    for (; l + 3 < k; l += 4)
      addFourRowMultiples(C, i * n, n, B, l * n, A[i * k + l]!, A[i * k + l + 1]!, A[i * k + l + 2]!, A[i * k + l + 3]!);
    for (; l < k; l++) addRowMultiple(C, i * n, n, B, l * n, A[i * k + l]!);
  }
  return C;
}

/** Aᵀ B, of k by m and k by n. */
export function transposedProduct(A: Float64Array, B: Float64Array, k: number, m: number, n: number): Float64Array {
  const C = new Float64Array(m * n);
  let l = 0;
  for (; l + 3 < k; l += 4)
    for (let i = 0, a = l * m; i < m; i++, a++)
      addFourRowMultiples(C, i * n, n, B, l * n, A[a]!, A[a + m]!, A[a + 2 * m]!, A[a + 3 * m]!);
  for (; l < k; l++) for (let i = 0; i < m; i++) addRowMultiple(C, i * n, n, B, l * n, A[l * m + i]!);
  return C;
}

/** C += a B, for the rows of n entries that begin at `to` in C and at `from` in B. */
function addRowMultiple(C: Float64Array, to: number, n: number, B: Float64Array, from: number, a: number): void {
  if (a !== 0) for (let j = 0; j < n; j++) C[to + j]! += a * B[from + j]!;
}

/** C += a B₀ + b B₁ + c B₂ + d B₃ for four consecutive rows of B: C is read and written once for all four. */
function addFourRowMultiples(
  C: Float64Array,
  to: number,
  n: number,
  B: Float64Array,
  from: number,
  a: number,
  b: number,
  c: number,
  d: number,
): void {
  if (b === 0 && c === 0 && d === 0) {
    addRowMultiple(C, to, n, B, from, a);
    return;
  }
  const [f1, f2, f3] = [from + n, from + 2 * n, from + 3 * n];
  for (let j = 0; j < n; j++) C[to + j] = C[to + j]! + a * B[from + j]! + b * B[f1 + j]! + c * B[f2 + j]! + d * B[f3 + j]!;
}

/** Column j of an m by n matrix. */
export const matrixColumn = (A: Float64Array, m: number, n: number, j: number): Float64Array =>
  Float64Array.from({ length: m }, (_, i) => A[i * n + j]!);

export function identityMatrix(n: number): Float64Array {
  const I = new Float64Array(n * n);
  for (let i = 0; i < n; i++) I[i * n + i] = 1;
  return I;
}

/** Aᵀ of an m by n matrix. */
export function transposeMatrix(A: Float64Array, m: number, n: number): Float64Array {
  const T = new Float64Array(n * m);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) T[j * m + i] = A[i * n + j]!;
  return T;
}
