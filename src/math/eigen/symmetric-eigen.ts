/** Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi rotations, to full accuracy. */

export interface SymmetricEigen {
  /** In no particular order. */
  readonly values: Float64Array;
  /** By rows; column k belongs to value k. */
  readonly vectors: Float64Array;
}

const MAX_SWEEPS = 60;

/** Arrays for the result, for callers that solve repeatedly without allocating. */
export const allocateSymmetricEigen = (n: number): SymmetricEigen => ({
  values: new Float64Array(n),
  vectors: new Float64Array(n * n),
});

/** A = V diag(values) Vᵀ. A is overwritten. */
export function symmetricEigen(A: Float64Array, n: number, result: SymmetricEigen = allocateSymmetricEigen(n)): SymmetricEigen {
  const { values, vectors } = result;
  vectors.fill(0);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(A[i * n + i]!));
  const negligible = 1e-18 * largest;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let isChanged = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const off = A[p * n + q]!;
        if (Math.abs(off) <= Math.max(Number.EPSILON * Math.sqrt(Math.abs(A[p * n + p]! * A[q * n + q]!)), negligible)) continue;
        isChanged = true;
        rotatePlane(A, vectors, n, p, q);
      }
    }
    if (!isChanged) break;
  }
  for (let i = 0; i < n; i++) values[i] = A[i * n + i]!;
  return result;
}

/** Applies the rotation that makes A_pq zero. */
function rotatePlane(A: Float64Array, V: Float64Array, n: number, p: number, q: number): void {
  const theta = (A[q * n + q]! - A[p * n + p]!) / (2 * A[p * n + q]!);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const kp = A[k * n + p]!;
    const kq = A[k * n + q]!;
    A[k * n + p] = c * kp - s * kq;
    A[k * n + q] = s * kp + c * kq;
  }
  for (let k = 0; k < n; k++) {
    const pk = A[p * n + k]!;
    const qk = A[q * n + k]!;
    A[p * n + k] = c * pk - s * qk;
    A[q * n + k] = s * pk + c * qk;
    const vp = V[k * n + p]!;
    const vq = V[k * n + q]!;
    V[k * n + p] = c * vp - s * vq;
    V[k * n + q] = s * vp + c * vq;
  }
  A[p * n + q] = 0;
  A[q * n + p] = 0;
}
