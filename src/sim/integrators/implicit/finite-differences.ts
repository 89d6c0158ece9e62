import type { Derivative } from "../integrator.ts";

const RELATIVE_STEP = Math.sqrt(Number.EPSILON);

/**
 * Jacobian by rows from one-sided differences. `typical` is the magnitude below which a component counts as zero. The columns of the last
 * `integrals` components are not written, because nothing depends on them.
 */
export function differenceJacobian(
  f: Derivative,
  t: number,
  y: Float64Array,
  f0: Float64Array,
  typical: number,
  J: Float64Array,
  shifted: Float64Array,
  f1: Float64Array,
  integrals = 0,
): void {
  const n = y.length;
  shifted.set(y);
  for (let j = 0; j < n - integrals; j++) {
    const size = RELATIVE_STEP * Math.max(Math.abs(y[j]!), typical);
    shifted[j] = y[j]! + (f0[j]! < 0 ? -size : size);
    const step = shifted[j]! - y[j]!;
    f(t, shifted, f1);
    for (let i = 0; i < n; i++) J[i * n + j] = (f1[i]! - f0[i]!) / step;
    shifted[j] = y[j]!;
  }
}
