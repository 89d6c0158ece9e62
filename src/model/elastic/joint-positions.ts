/**
 * Positions of the joints of an elastic body, and the share of its compliance in each. Joints at x with compliances c bend the tip like
 * the true body if Σ c, Σ c x and Σ c x² are the moments of the body's compliance along its length. Then deflection and slope of the
 * tip under force and moment are exact, from two joints on. One joint can be right under a force only.
 */

import { tridiagonalEigen } from "../../math/eigen/tridiagonal-eigen.ts";
import { cubeRoot } from "../../math/elementary/cube-root.ts";
import { integerPower, square } from "../../math/elementary/power.ts";

/** Positions, and shares of the compliance, both relative to the whole. */
export interface JointPositions {
  readonly at: readonly number[];
  readonly weights: readonly number[];
}

/**
 * Symmetric sets for a uniform body. Besides the tip's compliance these natural frequencies of the clamped body are exact: the second (J = 3),
 * the first two (4), the first three (5, 6). One half is listed; the other half is its mirror image.
 */
const CALIBRATED: Readonly<Record<number, JointPositions>> = {
  3: { at: [0.13359417591940165, 0.5], weights: [1 / 3.222077470084377, 1 / 2.636557459701726] },
  4: { at: [0.07189743189829173, 0.3338664900406314], weights: [1 / 5.5863310086137385, 1 / 3.1153460152988393] },
  5: {
    at: [0.03839513213492224, 0.22724413505274843, 0.5],
    weights: [1 / 9.292400589633193, 1 / 3.970695761435882, 1 / 3.55770219178383],
  },
  6: {
    at: [0.043980215163875014, 0.20779505586560948, 0.40795671783234544],
    weights: [1 / 9.034925556217438, 1 / 5.0099872364201525, 1 / 5.271006286930713],
  },
};

/** For a uniform body: calibrated sets if available, else equal joints, stretched so that the second moment is exact. */
export function uniformJointPositions(joints: number): JointPositions {
  const calibrated = CALIBRATED[joints];
  if (calibrated) {
    const mirroredCount = calibrated.at.length - (joints % 2);
    const mirrored = (values: readonly number[], image: (v: number) => number): number[] => [
      ...values,
      ...values.slice(0, mirroredCount).reverse().map(image),
    ];
    return { at: mirrored(calibrated.at, (x) => 1 - x), weights: mirrored(calibrated.weights, (w) => w) };
  }
  if (joints === 1) return { at: [1 / 3], weights: [3 / 4] };
  const J = joints;
  const at = Array.from({ length: J }, (_, i) => 0.5 + (i + 1 - (J + 1) / 2) / Math.sqrt(J * J - 1));
  return { at, weights: at.map(() => 1 / J) };
}

/** Number of cells for integrals along a tapered body. */
const CELLS = 2048;

/** Integrals of a density over [0, 1] from the root to the edge of each cell, times 1, x and x², by Simpson's rule. */
export type MomentIntegrals = readonly [Float64Array, Float64Array, Float64Array];

export function momentIntegrals(density: (x: number) => number): MomentIntegrals {
  const h = 1 / CELLS;
  const sums: MomentIntegrals = [new Float64Array(CELLS + 1), new Float64Array(CELLS + 1), new Float64Array(CELLS + 1)];
  for (let i = 0; i < CELLS; i++) {
    const x = [i * h, (i + 0.5) * h, (i + 1) * h] as const;
    const f = x.map(density) as [number, number, number];
    for (const [k, sum] of sums.entries())
      sum[i + 1] =
        sum[i]! + (h / 6) * (f[0] * integerPower(x[0], k) + 4 * f[1] * integerPower(x[1], k) + f[2] * integerPower(x[2], k));
  }
  return sums;
}

/**
 * Maximum number of joints at Gauss nodes. With more, the outer nodes crowd at the ends, and the highest frequency grows with their fourth
 * power.
 */
const MAX_GAUSS_JOINTS = 6;

/**
 * For any compliance along the body; one density for each freedom. Few joints sit at the nodes of Gauss's rule for the mean density: with
 * four of them slow modes are accurate to one per cent. More joints sit in cells with equal integrals of the cube root of the compliance,
 * so that joints are dense where the body bends, but not only there; each joint is at the centre of compliance of its cell. The shares
 * of each freedom are those of the cells, times the quadratic that makes its moments exact (moments 0 and 1 for two joints; for one
 * joint, the tip's deflection and slope under a force are exact).
 */
export function taperedJointPositions(
  joints: number,
  densities: readonly ((x: number) => number)[],
): { readonly at: readonly number[]; readonly weights: readonly (readonly number[])[] } {
  const integrals = densities.map(momentIntegrals);
  const totals = integrals.map(([zeroth]) => zeroth[CELLS]!);
  const mean = (x: number): number => densities.reduce((sum, f, i) => sum + f(x) / totals[i]!, 0) / densities.length;
  const meanIntegrals = momentIntegrals(mean);
  const [, first, second] = meanIntegrals.map((sum) => sum[CELLS]!) as [number, number, number];
  if (joints === 1) {
    const at = 1 - (1 - 2 * first + second) / (1 - first);
    return { at: [at], weights: integrals.map(([m0, m1]) => [(1 - m1[CELLS]! / m0[CELLS]!) / (1 - at)]) };
  }
  if (joints <= MAX_GAUSS_JOINTS) {
    const { at, weights } = gaussJointPositions(joints, mean);
    const approximate = densities.map((f) => at.map((x, j) => (weights[j]! * f(x)) / mean(x)));
    const shares = integrals.map((sums, i) => sharesWithExactMoments(at, approximate[i]!, sums));
    if (shares.flat().every((w) => w > 0)) return { at, weights: shares };
  }
  const [sharedIntegral] = momentIntegrals((x) => cubeRoot(mean(x)));
  const edges = Array.from({ length: joints + 1 }, (_, j) => cellAtSum(sharedIntegral, (j / joints) * sharedIntegral[CELLS]!));
  const cellIntegral = (sum: Float64Array, j: number): number =>
    interpolateSum(sum, edges[j + 1]!) - interpolateSum(sum, edges[j]!);
  const at = Array.from({ length: joints }, (_, j) => cellIntegral(meanIntegrals[1], j) / cellIntegral(meanIntegrals[0], j));
  return {
    at,
    weights: integrals.map((sums) =>
      sharesWithExactMoments(
        at,
        at.map((_, j) => cellIntegral(sums[0], j)),
        sums,
      ),
    ),
  };
}

/**
 * Gauss's rule of a density over [0, 1]. The nodes are the eigenvalues of the tridiagonal matrix of its orthogonal polynomials, which
 * Stieltjes' recursion gives on the points of Simpson's rule. The weights are the squares of the first components of the eigenvectors.
 */
function gaussJointPositions(joints: number, density: (x: number) => number): JointPositions {
  const points = Array.from({ length: 2 * CELLS + 1 }, (_, i) => i / (2 * CELLS));
  const mass = points.map((x, i) => density(x) * (i === 0 || i === 2 * CELLS ? 1 : i % 2 === 1 ? 4 : 2));
  const T = new Float64Array(joints * joints);
  let [previous, polynomial] = [points.map(() => 0), points.map(() => 1)];
  let norm = 0;
  for (let k = 0; k < joints; k++) {
    const lastNorm = norm;
    norm = mass.reduce((sum, m, i) => sum + m * square(polynomial[i]!), 0);
    const centre = mass.reduce((sum, m, i) => sum + m * points[i]! * square(polynomial[i]!), 0) / norm;
    const factor = k === 0 ? 0 : norm / lastNorm;
    T[k * joints + k] = centre;
    if (k > 0) T[k * joints + k - 1] = T[(k - 1) * joints + k] = Math.sqrt(factor);
    [previous, polynomial] = [polynomial, points.map((x, i) => (x - centre) * polynomial[i]! - factor * previous[i]!)];
  }
  const { values, vectors } = tridiagonalEigen(T, joints);
  return { at: Array.from(values), weights: Array.from(vectors.subarray(0, joints), (v) => v * v) };
}

/** Shares close to the given ones that have the exact moments of the density. */
function sharesWithExactMoments(at: readonly number[], approximate: readonly number[], sums: MomentIntegrals): readonly number[] {
  const totalCompliance = sums[0][CELLS]!;
  const target = sums.slice(0, Math.min(3, at.length)).map((sum) => sum[CELLS]! / totalCompliance);
  const A = target.map((_, i) =>
    target.map((_, k) => at.reduce((sum, x, j) => sum + (approximate[j]! / totalCompliance) * integerPower(x, i + k), 0)),
  );
  const coefficients = solveSmall(A, target);
  return at.map(
    (x, j) => (approximate[j]! / totalCompliance) * coefficients.reduce((sum, ck, k) => sum + ck * integerPower(x, k), 0),
  );
}

const interpolateSum = (sum: Float64Array, cell: number): number => {
  const i = Math.min(CELLS - 1, Math.floor(cell));
  return sum[i]! + (cell - i) * (sum[i + 1]! - sum[i]!);
};

/** Position, in cells, at which an increasing sum reaches a value. */
function cellAtSum(sum: Float64Array, value: number): number {
  let [low, high] = [0, CELLS];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sum[middle]! < value) low = middle;
    else high = middle;
  }
  return low + (value - sum[low]!) / (sum[high]! - sum[low]!);
}

/** Solves A x = b by elimination; A is small, symmetric and positive definite. */
function solveSmall(A: number[][], b: number[]): number[] {
  const n = b.length;
  for (let k = 0; k < n; k++)
    for (let i = k + 1; i < n; i++) {
      const f = A[i]![k]! / A[k]![k]!;
      for (let j = k; j < n; j++) A[i]![j]! -= f * A[k]![j]!;
      b[i]! -= f * b[k]!;
    }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) b[k]! -= A[k]![j]! * b[j]!;
    b[k]! /= A[k]![k]!;
  }
  return b;
}
