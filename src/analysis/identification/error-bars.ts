/** Standard errors and correlations of fitted parameters, and the parameters that the data do not determine. */
import { symmetricEigen } from "../../math/eigen/symmetric-eigen.ts";
import { square } from "../../math/elementary/power.ts";

export interface ErrorBars {
  /** Standard errors for residuals of unit variance; infinite if the data do not determine the parameter. */
  readonly errors: readonly number[];
  /** Correlations of the errors; NaN for parameters that are undetermined. */
  readonly correlations: readonly (readonly number[])[];
  /** Changes of the parameters that do not change the residuals, in the units of the parameters; the largest is 1. */
  readonly undetermined: readonly (readonly number[])[];
}

/**
 * Eigenvalues of the normalised JᵀJ below this are zero. They are squares: differences of simulated curves have relative errors up to about
 * 1e-5, and an eigenvalue of 1e-9 belongs to a change of the curves by 3e-5.
 */
const NO_INFLUENCE = 1e-9;
/** Shares of a direction below this are rounding. */
const NO_SHARE = 1e-3;

/** @param J derivatives of the residuals by rows: ∂r_i / ∂x_j */
export function errorBars(J: Float64Array, rows: number, n: number): ErrorBars {
  const sizes = Array.from({ length: n }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += square(J[i * n + j]!);
    return Math.sqrt(sum);
  });
  // Columns of length 1: the result does not depend on the units of the parameters.
  const A = new Float64Array(n * n);
  for (let a = 0; a < n; a++)
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += J[i * n + a]! * J[i * n + b]!;
      const product = sizes[a]! * sizes[b]!;
      A[a * n + b] = A[b * n + a] = product === 0 ? 0 : sum / product;
    }
  const { values, vectors } = symmetricEigen(A, n);
  const isZero = Array.from(values, (v) => v < NO_INFLUENCE);
  const covariance = new Float64Array(n * n);
  for (let c = 0; c < n; c++) {
    if (isZero[c]) continue;
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) covariance[a * n + b]! += (vectors[a * n + c]! * vectors[b * n + c]!) / values[c]!;
  }
  const isOpen = sizes.map((_, j) => isZero.some((zero, c) => zero && Math.abs(vectors[j * n + c]!) > NO_SHARE));
  return {
    errors: sizes.map((size, j) => (isOpen[j] ? Number.POSITIVE_INFINITY : Math.sqrt(covariance[j * n + j]!) / size)),
    correlations: sizes.map((_, a) =>
      sizes.map((__, b) =>
        isOpen[a] || isOpen[b] ? Number.NaN : covariance[a * n + b]! / Math.sqrt(covariance[a * n + a]! * covariance[b * n + b]!),
      ),
    ),
    undetermined: isZero.flatMap((zero, c) => {
      if (!zero) return [];
      // A parameter without any influence has no size; its direction is its own.
      const change = sizes.map((size, j) => (size === 0 ? vectors[j * n + c]! : vectors[j * n + c]! / size));
      const largest = change.reduce((most, v) => (Math.abs(v) > Math.abs(most) ? v : most), 0);
      return [change.map((v) => (Math.abs(v) > NO_SHARE * Math.abs(largest) ? v / largest : 0))];
    }),
  };
}
