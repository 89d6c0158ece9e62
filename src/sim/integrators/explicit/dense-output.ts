/**
 * Dense output of one-step methods as a nested polynomial in s on [0, 1] [HNW I, II.6]:
 *
 *   y(t + s h) = y0 + s (F0 + (1 - s) (F1 + s (F2 + (1 - s) (F3 + ...))))                                   (1)
 *
 * F0, F1, F2 are the cubic Hermite polynomial of both ends. The further terms and their slopes vanish at both ends, so the output and its
 * derivative are continuous.
 */

/** Number of terms of the Hermite polynomial. */
export const HERMITE_TERMS = 3;

/** Writes F0, F1, F2 of (1), n components each, to the start of F. */
export function setHermite(
  F: Float64Array,
  h: number,
  y0: Float64Array,
  y1: Float64Array,
  f0: Float64Array,
  f1: Float64Array,
): void {
  const n = y0.length;
  for (let i = 0; i < n; i++) {
    const rise = y1[i]! - y0[i]!;
    const a = h * f0[i]!;
    const b = h * f1[i]!;
    F[i] = rise;
    F[n + i] = a - rise;
    F[2 * n + i] = 2 * rise - a - b;
  }
}

/** Evaluates (1) with `terms` coefficient vectors. */
export function evaluateNested(F: Float64Array, terms: number, s: number, y0: Float64Array, out: Float64Array): void {
  const n = y0.length;
  const [even, odd] = [s, 1 - s];
  let factor = terms % 2 === 0 ? odd : even;
  let row = (terms - 1) * n;
  for (let i = 0; i < n; i++) out[i] = F[row + i]! * factor;
  for (let j = terms - 2; j >= 0; j--) {
    factor = j % 2 === 0 ? even : odd;
    row -= n;
    for (let i = 0; i < n; i++) out[i] = (out[i]! + F[row + i]!) * factor;
  }
  for (let i = 0; i < n; i++) out[i] = y0[i]! + out[i]!;
}
