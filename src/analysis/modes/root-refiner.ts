/** Refinement of single roots of P(λ) = λ² [1 0; 0 0] + λ D + K. */
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { sine } from "../../math/elementary/sincos.ts";
import { complexLU } from "../../math/linear/complex-lu.ts";
import { transposeMatrix } from "../../math/linear/dense-matrix.ts";

export interface ComplexRoot {
  readonly re: number;
  readonly im: number;
}

/** Refines an approximate root: inverse iteration for its vectors, then the root from these. The first `masses` of m rows have λ². */
export function rootRefiner(D: Float64Array, K: Float64Array, masses: number, m: number) {
  const [lu, Pr, Pi] = [complexLU(m), new Float64Array(m * m), new Float64Array(m * m)];
  const [Dt, Kt] = [transposeMatrix(D, m, m), transposeMatrix(K, m, m)];
  const symmetric = largest(D.map((v, i) => v - Dt[i]!)) + largest(K.map((v, i) => v - Kt[i]!)) === 0;

  const set = ({ re, im }: ComplexRoot, d: Float64Array, k: Float64Array): void => {
    const [a2, b2] = [re * re - im * im, 2 * re * im];
    for (let i = 0; i < m * m; i++) {
      Pr[i] = re * d[i]! + k[i]!;
      Pi[i] = im * d[i]!;
    }
    for (let i = 0; i < masses; i++) {
      Pr[i * m + i]! += a2;
      Pi[i * m + i]! += b2;
    }
  };
  const vector = (
    { re, im }: ComplexRoot,
    d: Float64Array,
    k: Float64Array,
    seed: number,
  ): readonly [Float64Array, Float64Array] => {
    for (let off = 1e-11; off < 1; off *= 10) {
      set({ re: re * (1 + off), im: im * (1 + off) }, d, k);
      if (lu.factor(Pr, Pi)) break;
    }
    // Different start vectors, so that equal roots get different shapes.
    const x = Float64Array.from({ length: m }, (_, i) => 1 + 0.5 * sine((i + 1) * (seed + 1)));
    const y = new Float64Array(m);
    for (let step = 0; step < 3; step++) {
      lu.solve(x, y);
      normalisePhase(x, y);
    }
    return [x, y];
  };

  return (root: ComplexRoot, seed: number): ComplexRoot & { readonly w: Float64Array; readonly wIm: Float64Array } => {
    const [w, wIm] = vector(root, D, K, seed);
    const [x, xIm] = symmetric ? [w, wIm] : vector(root, Dt, Kt, seed);
    // xᵀ P w and xᵀ P' w, P' = 2 λ [1 0; 0 0] + P₁
    set(root, D, K);
    const P = bilinearForm(x, xIm, Pr, Pi, w, wIm, m);
    const slope = bilinearForm(x, xIm, D, undefined, w, wIm, m);
    let [overlapRe, overlapIm] = [0, 0];
    for (let i = 0; i < masses; i++) {
      overlapRe += x[i]! * w[i]! - xIm[i]! * wIm[i]!;
      overlapIm += x[i]! * wIm[i]! + xIm[i]! * w[i]!;
    }
    const sr = slope.re + 2 * (root.re * overlapRe - root.im * overlapIm);
    const si = slope.im + 2 * (root.re * overlapIm + root.im * overlapRe);
    const size = sr * sr + si * si;
    const step = { re: (P.re * sr + P.im * si) / size, im: (P.im * sr - P.re * si) / size };
    // At a multiple root the step is meaningless.
    if (!(hypotenuse(step.re, step.im) < 1e-3 * hypotenuse(root.re, root.im))) return { ...root, w, wIm };
    return { re: root.re - step.re, im: root.im === 0 ? 0 : root.im - step.im, w, wIm };
  };
}

/** aᵀ P b of complex vectors. */
function bilinearForm(
  a: Float64Array,
  aIm: Float64Array,
  P: Float64Array,
  PIm: Float64Array | undefined,
  b: Float64Array,
  bIm: Float64Array,
  m: number,
): ComplexRoot {
  let [re, im] = [0, 0];
  for (let i = 0; i < m; i++) {
    let [x, y] = [0, 0];
    for (let j = 0; j < m; j++) {
      const [p, q] = [P[i * m + j]!, PIm ? PIm[i * m + j]! : 0];
      x += p * b[j]! - q * bIm[j]!;
      y += p * bIm[j]! + q * b[j]!;
    }
    re += a[i]! * x - aIm[i]! * y;
    im += a[i]! * y + aIm[i]! * x;
  }
  return { re, im };
}

/** Multiplies a complex vector by a number so that its largest component is 1. */
export function normalisePhase(x: Float64Array, y: Float64Array): void {
  let pivot = 0;
  for (let i = 1; i < x.length; i++) if (hypotenuse(x[i]!, y[i]!) > hypotenuse(x[pivot]!, y[pivot]!)) pivot = i;
  const [c, s] = [x[pivot]!, y[pivot]!];
  const normSquared = c * c + s * s;
  for (let i = 0; i < x.length; i++) {
    const real = (x[i]! * c + y[i]! * s) / normSquared;
    y[i] = (y[i]! * c - x[i]! * s) / normSquared;
    x[i] = real;
  }
}

const largest = (A: Float64Array): number => A.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
