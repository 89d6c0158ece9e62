/**
 * Eigenvalues of a real matrix: balancing, reduction to Hessenberg form by Householder reflections, then Francis double QR steps
 * [Golub and Van Loan, 7.5].
 */

import { hypotenuse } from "../elementary/hypotenuse.ts";
import { square } from "../elementary/power.ts";

export interface ComplexValues {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Maximum number of QR steps per eigenvalue. */
const MAX_STEPS = 60;

/**
 * The eigenvalues of A, n by n, by rows, which is overwritten. Conjugate pairs are adjacent. All are NaN if the iteration does not
 * converge.
 */
export function realEigenvalues(A: Float64Array, n: number): ComplexValues {
  balance(A, n);
  reduceToHessenberg(A, n);
  return francisQR(A, n);
}

/** A := D⁻¹ A D with powers of two on the diagonal of D, until rows and columns have similar norms. */
function balance(A: Float64Array, n: number): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let i = 0; i < n; i++) {
      let [rowNorm, columnNorm] = [0, 0];
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        rowNorm += Math.abs(A[i * n + j]!);
        columnNorm += Math.abs(A[j * n + i]!);
      }
      if (rowNorm === 0 || columnNorm === 0) continue;
      const f = powerOfTwoNearRoot(rowNorm / columnNorm);
      if (f === 1 || columnNorm * f + rowNorm / f > 0.95 * (rowNorm + columnNorm)) continue;
      isChanged = true;
      for (let j = 0; j < n; j++) A[i * n + j]! /= f;
      for (let j = 0; j < n; j++) A[j * n + i]! *= f;
    }
  }
}

/** The power of two f with 1/2 <= x / f² < 2, for 0 < x < ∞. */
function powerOfTwoNearRoot(x: number): number {
  let f = 1;
  for (let rest = x; rest >= 2; rest *= 0.25) f *= 2;
  for (let rest = x; rest < 0.5; rest *= 4) f *= 0.5;
  return f;
}

/** Reduces A to Hessenberg form in place: zeros below the first subdiagonal. */
function reduceToHessenberg(A: Float64Array, n: number): void {
  const v = new Float64Array(n);
  const p = new Float64Array(n);
  for (let k = 0; k < n - 2; k++) {
    let below = 0;
    for (let i = k + 2; i < n; i++) below += square(A[i * n + k]!);
    if (below === 0) continue;
    const x = A[(k + 1) * n + k]!;
    const norm = Math.sqrt(x * x + below);
    const pivot = x > 0 ? -norm : norm;
    v[k + 1] = x - pivot;
    for (let i = k + 2; i < n; i++) v[i] = A[i * n + k]!;
    const beta = 1 / (norm * (norm + Math.abs(x)));
    p.fill(0, k);
    for (let i = k + 1; i < n; i++) for (let j = k; j < n; j++) p[j]! += v[i]! * A[i * n + j]!;
    for (let i = k + 1; i < n; i++) for (let j = k; j < n; j++) A[i * n + j]! -= beta * v[i]! * p[j]!;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = k + 1; j < n; j++) sum += A[i * n + j]! * v[j]!;
      sum *= beta;
      for (let j = k + 1; j < n; j++) A[i * n + j]! -= sum * v[j]!;
    }
    for (let i = k + 2; i < n; i++) A[i * n + k] = 0;
  }
}

/** Eigenvalues of a Hessenberg matrix, which is overwritten. */
function francisQR(H: Float64Array, n: number): ComplexValues {
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  const h = (i: number, j: number): number => H[i * n + j]!;
  let largestEntry = 0;
  for (let i = 0; i < n * n; i++) largestEntry = Math.max(largestEntry, Math.abs(H[i]!));
  let shift = 0;
  for (let last = n - 1, steps = 0; last >= 0; ) {
    let low = last;
    for (; low > 0; low--) {
      const neighbours = Math.abs(h(low - 1, low - 1)) + Math.abs(h(low, low)) || largestEntry;
      if (Math.abs(h(low, low - 1)) <= Number.EPSILON * neighbours) {
        H[low * n + low - 1] = 0;
        break;
      }
    }
    if (low === last) {
      re[last] = h(last, last) + shift;
      im[last] = 0;
      last--;
      steps = 0;
      continue;
    }
    if (low === last - 1) {
      writeBlockEigenvalues(h(low, low) + shift, h(low, last), h(last, low), h(last, last) + shift, low, re, im);
      last -= 2;
      steps = 0;
      continue;
    }
    if (++steps > MAX_STEPS) {
      re.fill(Number.NaN);
      return { re, im };
    }
    let [x, y, w] = [h(last, last), h(last - 1, last - 1), h(last, last - 1) * h(last - 1, last)];
    if (steps % 10 === 0) {
      // Exceptional shift: the usual shift does not converge.
      shift += x;
      for (let i = 0; i <= last; i++) H[i * n + i]! -= x;
      const s = Math.abs(h(last, last - 1)) + Math.abs(h(last - 1, last - 2));
      x = y = 0.75 * s;
      w = -0.4375 * s * s;
    }
    francisDoubleStep(H, n, low, last, x, y, w);
  }
  return { re, im };
}

/** Writes the eigenvalues of [[a, b], [c, d]] as numbers k and k + 1. */
function writeBlockEigenvalues(a: number, b: number, c: number, d: number, k: number, re: Float64Array, im: Float64Array): void {
  const p = (a - d) / 2;
  const q = p * p + b * c;
  if (q >= 0) {
    const z = p + (p >= 0 ? Math.sqrt(q) : -Math.sqrt(q));
    re[k] = d + z;
    re[k + 1] = z === 0 ? d : d - (b * c) / z;
    im[k] = im[k + 1] = 0;
  } else {
    re[k] = re[k + 1] = d + p;
    im[k] = Math.sqrt(-q);
    im[k + 1] = -im[k]!;
  }
}

/** One implicit double QR step with the shifts x, y, w (trace and product) on the active block low..last. */
function francisDoubleStep(H: Float64Array, n: number, low: number, last: number, x: number, y: number, w: number): void {
  // Two consecutive small subdiagonal entries let the step begin at a later row m.
  let [p, q, r] = [0, 0, 0];
  let m = last - 2;
  for (; m >= low; m--) {
    const z = H[m * n + m]!;
    p = ((x - z) * (y - z) - w) / H[(m + 1) * n + m]! + H[m * n + m + 1]!;
    q = H[(m + 1) * n + m + 1]! - z - (x - z) - (y - z);
    r = H[(m + 2) * n + m + 1]!;
    const scale = Math.abs(p) + Math.abs(q) + Math.abs(r);
    p /= scale;
    q /= scale;
    r /= scale;
    if (m === low) break;
    const u = Math.abs(H[m * n + m - 1]!) * (Math.abs(q) + Math.abs(r));
    const v = Math.abs(p) * (Math.abs(H[(m - 1) * n + m - 1]!) + Math.abs(z) + Math.abs(H[(m + 1) * n + m + 1]!));
    if (u <= Number.EPSILON * v) break;
  }
  for (let i = m + 2; i <= last; i++) {
    H[i * n + i - 2] = 0;
    if (i > m + 2) H[i * n + i - 3] = 0;
  }
  for (let k = m; k < last; k++) {
    const hasThirdRow = k < last - 1;
    if (k > m) {
      p = H[k * n + k - 1]!;
      q = H[(k + 1) * n + k - 1]!;
      r = hasThirdRow ? H[(k + 2) * n + k - 1]! : 0;
    }
    const norm = hypotenuse(p, q, r);
    if (norm === 0) continue;
    const s = p >= 0 ? norm : -norm;
    if (k > m) H[k * n + k - 1] = -s;
    else if (low !== m) H[k * n + k - 1] = -H[k * n + k - 1]!;
    const v1 = q / (p + s);
    const v2 = r / (p + s);
    const a = (p + s) / s;
    const b = q / s;
    const c = r / s;
    for (let j = k; j <= last; j++) {
      const sum = H[k * n + j]! + v1 * H[(k + 1) * n + j]! + (hasThirdRow ? v2 * H[(k + 2) * n + j]! : 0);
      H[k * n + j]! -= a * sum;
      H[(k + 1) * n + j]! -= b * sum;
      if (hasThirdRow) H[(k + 2) * n + j]! -= c * sum;
    }
    for (let i = low, end = Math.min(last, k + 3); i <= end; i++) {
      const sum = a * H[i * n + k]! + b * H[i * n + k + 1]! + (hasThirdRow ? c * H[i * n + k + 2]! : 0);
      H[i * n + k]! -= sum;
      H[i * n + k + 1]! -= v1 * sum;
      if (hasThirdRow) H[i * n + k + 2]! -= v2 * sum;
    }
  }
}
