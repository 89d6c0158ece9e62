/**
 * Eigenvalues and eigenvectors of a symmetric matrix by Householder tridiagonalisation and implicit QL steps [Golub and Van Loan, 8.3]:
 * for hundreds of rows, for which Jacobi rotations (symmetric-eigen.ts) take too long. Errors are relative to the largest eigenvalue.
 */

import { hypotenuse } from "../elementary/hypotenuse.ts";
import { square } from "../elementary/power.ts";
import type { SymmetricEigen } from "./symmetric-eigen.ts";

const MAX_STEPS = 60;

/** A = V diag(values) Vᵀ with ascending values. A is overwritten. */
export function tridiagonalEigen(A: Float64Array, n: number): SymmetricEigen {
  const d = new Float64Array(n);
  const e = new Float64Array(n);
  const rows = tridiagonalise(A, n, d, e); // Qᵀ: rotations of columns of Q are then contiguous in memory
  for (let l = 0; l < n; l++) deflate(l, n, d, e, rows);
  const order = Array.from(d.keys()).sort((a, b) => d[a]! - d[b]!);
  const vectors = new Float64Array(n * n);
  for (const [k, from] of order.entries()) for (let i = 0; i < n; i++) vectors[i * n + k] = rows[from * n + i]!;
  return { values: Float64Array.from(order, (k) => d[k]!), vectors };
}

/** A = Q T Qᵀ: writes the diagonal of T to d and its subdiagonal to e, and returns Qᵀ by rows. Only the lower half of A is read. */
function tridiagonalise(A: Float64Array, n: number, d: Float64Array, e: Float64Array): Float64Array {
  const Q = new Float64Array(n * n);
  for (let i = 0; i < n; i++) Q[i * n + i] = 1;
  const p = new Float64Array(n);
  const v = new Float64Array(n);
  const betas = new Float64Array(n);
  for (let k = 0; k < n - 1; k++) {
    let below = 0;
    for (let i = k + 2; i < n; i++) below += square(A[i * n + k]!);
    const x = A[(k + 1) * n + k]!;
    if (below === 0) {
      e[k] = x;
      continue;
    }
    const norm = Math.sqrt(x * x + below);
    const pivot = x > 0 ? -norm : norm;
    v[k + 1] = x - pivot;
    for (let i = k + 2; i < n; i++) v[i] = A[i * n + k]!;
    const beta = 1 / (norm * (norm + Math.abs(x))); // H = 1 - beta v vᵀ
    e[k] = pivot;
    // A := H A H = A - v wᵀ - w vᵀ with w = beta A v - (beta² vᵀAv / 2) v
    p.fill(0, k + 1);
    for (let i = k + 1; i < n; i++) {
      const row = i * n;
      const vi = v[i]!;
      let sum = A[row + i]! * vi;
      for (let j = k + 1; j < i; j++) {
        sum += A[row + j]! * v[j]!;
        p[j]! += A[row + j]! * vi;
      }
      p[i]! += sum;
    }
    let half = 0;
    for (let i = k + 1; i < n; i++) {
      p[i]! *= beta;
      half += p[i]! * v[i]!;
    }
    half *= beta / 2;
    for (let i = k + 1; i < n; i++) p[i]! -= half * v[i]!;
    for (let i = k + 1; i < n; i++) {
      const row = i * n;
      const vi = v[i]!;
      const pi = p[i]!;
      for (let j = k + 1; j <= i; j++) A[row + j]! -= vi * p[j]! + pi * v[j]!;
    }
    // The finished column stores v, which is needed for Q.
    for (let i = k + 1; i < n; i++) A[i * n + k] = v[i]!;
    betas[k] = beta;
  }
  for (let i = 0; i < n; i++) d[i] = A[i * n + i]!;
  for (let k = n - 2; k >= 0; k--) if (betas[k] !== 0) applyReflection(A, Q, n, k, betas[k]!, v, p);
  return Q;
}

/** Qᵀ := Qᵀ H_k. Reflections are applied last to first, so Qᵀ is still the identity in rows and columns up to k. */
function applyReflection(
  A: Float64Array,
  Q: Float64Array,
  n: number,
  k: number,
  beta: number,
  v: Float64Array,
  p: Float64Array,
): void {
  for (let i = k + 1; i < n; i++) v[i] = A[i * n + k]!;
  for (let r = k + 1; r < n; r++) {
    const row = r * n;
    let sum = 0;
    for (let j = k + 1; j < n; j++) sum += Q[row + j]! * v[j]!;
    p[r] = beta * sum;
  }
  for (let r = k + 1; r < n; r++) {
    const row = r * n;
    const pr = p[r]!;
    for (let j = k + 1; j < n; j++) Q[row + j]! -= pr * v[j]!;
  }
}

/** QL steps until e[l] is negligible relative to its neighbours on the diagonal. */
function deflate(l: number, n: number, d: Float64Array, e: Float64Array, V: Float64Array): void {
  for (let step = 0; step < MAX_STEPS; step++) {
    let m = l;
    while (m < n - 1 && Math.abs(e[m]!) > Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))) m++;
    if (m === l) return;
    // Wilkinson's shift
    let g = (d[l + 1]! - d[l]!) / (2 * e[l]!);
    let r = hypotenuse(g, 1);
    g = d[m]! - d[l]! + e[l]! / (g + (g >= 0 ? r : -r));
    let [s, c, p] = [1, 1, 0];
    let i = m - 1;
    for (; i >= l; i--) {
      const f = s * e[i]!;
      const b = c * e[i]!;
      r = hypotenuse(f, g);
      e[i + 1] = r;
      if (r === 0) {
        d[i + 1]! -= p;
        e[m] = 0;
        break;
      }
      s = f / r;
      c = g / r;
      g = d[i + 1]! - p;
      r = (d[i]! - g) * s + 2 * c * b;
      p = s * r;
      d[i + 1] = g + p;
      g = c * r - b;
      for (let k = i * n, q = (i + 1) * n; k < (i + 1) * n; k++, q++) {
        const w = V[q]!;
        V[q] = s * V[k]! + c * w;
        V[k] = c * V[k]! - s * w;
      }
    }
    if (r === 0 && i >= l) continue;
    d[l]! -= p;
    e[l] = g;
    e[m] = 0;
  }
}
