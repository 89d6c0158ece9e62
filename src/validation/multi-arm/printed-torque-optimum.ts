/**
 * The torque optimum as printed [Yoshida, Kurazume, Umetani 1991, eq. 25 to 30], for comparison:
 *
 *   φ̈ = J# rhs - [A]# W^½ τ_0,   τ_0 = H* J# rhs + C*,   A = W^½ H* (1 - J# J),   J# = Jᵀ (J Jᵀ)⁻¹
 *
 * A has rank n - m. Its other singular values are rounding errors, and inverting them gives torques of 10¹⁶ N m. The outer pseudo-inverse
 * therefore uses the n - m largest singular values only.
 */

import { singularVectors } from "../../math/eigen/singular-values.ts";
import type { TorqueOptimum } from "../../parts/control/tasks/torque-optimum.ts";

/** For m rows of tasks and n hinges; `cost` is W^½ H*, `bias` W^½ C*. Allocates memory; not for hot loops. */
export function literalOptimum(m: number, n: number): TorqueOptimum {
  return (J, rhs, cost, bias, phidd) => {
    const inverse = pseudoInverse(J, m, n, m); // n × m
    const particular = multiply(inverse, rhs, n, m, 1);
    const projector = multiply(inverse, J, n, m, n).map((v, k) => (k % (n + 1) === 0 ? 1 : 0) - v);
    const A = multiply(cost, projector, n, n, n);
    const torque = multiply(cost, particular, n, n, 1).map((v, i) => v + bias[i]!);
    const correction = multiply(pseudoInverse(A, n, n, n - m), torque, n, n, 1);
    for (let j = 0; j < n; j++) phidd[j] = particular[j]! - correction[j]!;
  };
}

/** A (rows × inner) B (inner × columns), by rows. */
function multiply(A: ArrayLike<number>, B: ArrayLike<number>, rows: number, inner: number, columns: number): Float64Array {
  const C = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < inner; k++)
      for (let j = 0; j < columns; j++) C[i * columns + j]! += A[i * inner + k]! * B[k * columns + j]!;
  return C;
}

/** Moore-Penrose inverse of A (rows × columns, by rows) from its `rank` largest singular values. */
function pseudoInverse(A: Float64Array, rows: number, columns: number, rank: number): Float64Array {
  const US = new Float64Array(rows * columns); // A V = U Σ, by columns
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) US[j * rows + i] = A[i * columns + j]!;
  const V = singularVectors(US, rows, columns);
  const sizes = Float64Array.from({ length: columns }, (_, k) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += US[k * rows + i]! ** 2;
    return sum;
  });
  const kept = Array.from(sizes.keys())
    .sort((a, b) => sizes[b]! - sizes[a]!)
    .slice(0, rank);
  const X = new Float64Array(columns * rows);
  for (const k of kept)
    for (let j = 0; j < columns; j++)
      for (let i = 0; i < rows; i++) X[j * rows + i]! += (V[k * columns + j]! * US[k * rows + i]!) / sizes[k]!;
  return X;
}
