/**
 * Interpolation in Chebyshev polynomials on [-1, 1], at the points x_j = -cos(π j / N), j = 0 ... N. The points of N are among those of 2 N,
 * so a finer interpolant uses the values of a coarser one. For smooth functions the coefficients decay geometrically, and the last ones
 * estimate the error [Trefethen, Approximation Theory and Approximation Practice, chapters 3 and 7].
 */
import { cosine } from "../elementary/sincos.ts";

/** Numbers of intervals that are used, each twice the one before. */
export const CHEBYSHEV_LEVELS = [4, 8, 16] as const;
/** The finest level. Values are stored for its points; a coarser level uses every second or fourth of them. */
export const FINEST = 16;

/** cos(π k / FINEST) for k = 0 ... 2 FINEST - 1. */
const COSINES = Float64Array.from({ length: 2 * FINEST }, (_, k) => cosine((Math.PI * k) / FINEST));

/** Point j of the finest level, in [-1, 1]. */
export const chebyshevPoint = (j: number): number => (2 * j === FINEST ? 0 : -COSINES[j]!);

/** The time of point j of the finest level on [a, b]. Both ends are exact. */
export const chebyshevTime = (j: number, a: number, b: number): number =>
  j === 0 ? a : j === FINEST ? b : 0.5 * (a + b) + 0.5 * (b - a) * chebyshevPoint(j);

/** By level N: factors T_k(x_j) = cos(k (π - π j / N)), of which the first and the last of each row are halved, row k after row k - 1. */
const FACTORS: Readonly<Record<number, Float64Array>> = Object.fromEntries(
  CHEBYSHEV_LEVELS.map((N) => [
    N,
    Float64Array.from({ length: (N + 1) * (N + 1) }, (_, i) => {
      const [k, j] = [Math.floor(i / (N + 1)), i % (N + 1)];
      const factor = COSINES[(k * (FINEST - (j * FINEST) / N)) % (2 * FINEST)]!;
      return (j === 0 || j === N ? 0.5 : 1) * factor;
    }),
  ]),
);

/**
 * Writes the coefficients c_0 ... c_N of the interpolant Σ c_k T_k from values at the points of the finest level, of which those of level N
 * are used. `values` and `out` start at `at`.
 */
export function chebyshevCoefficients(values: Float64Array, N: number, out: Float64Array, at: number): void {
  const stride = FINEST / N;
  const factors = FACTORS[N]!;
  for (let k = 0, row = 0; k <= N; k++, row += N + 1) {
    let sum = 0;
    for (let j = 0; j <= N; j++) sum += values[at + j * stride]! * factors[row + j]!;
    out[at + k] = ((k === 0 || k === N ? 1 : 2) / N) * sum;
  }
}

/** Σ c_k T_k(x), k = 0 ... N, by Clenshaw's recurrence. `c` starts at `at`. */
export function chebyshevValue(c: Float64Array, N: number, x: number, at: number): number {
  let b1 = 0;
  let b2 = 0;
  for (let k = N; k > 0; k--) {
    const b = c[at + k]! + 2 * x * b1 - b2;
    b2 = b1;
    b1 = b;
  }
  return c[at]! + x * b1 - b2;
}

/** Factor of the last coefficients in the estimate of the error. */
const CAUTION = 2;

/**
 * Estimated error of the interpolant: the coefficients that were left out are together about as large as the last three. Near a kink they
 * decay like 1 / k², and the sum of those that were left out is larger by a factor of about N.
 */
export function chebyshevError(c: Float64Array, N: number, at: number): number {
  const last = Math.abs(c[at + N]!) + Math.abs(c[at + N - 1]!) + Math.abs(c[at + N - 2]!);
  const middle = Math.abs(c[at + N / 2 + 1]!) + Math.abs(c[at + N / 2]!) + Math.abs(c[at + N / 2 - 1]!);
  return CAUTION * (last * N <= middle ? last : Math.min(N * last, (N * last * last) / middle));
}

/** Σ |c_k|, k = 1 ... N: no value differs from c_0 by more. */
export function chebyshevSpread(c: Float64Array, N: number, at: number): number {
  let sum = 0;
  for (let k = 1; k <= N; k++) sum += Math.abs(c[at + k]!);
  return sum;
}

/** Points per interval at which a function is compared before its minimum is refined, and the number of refinements. */
const GRID_PER_INTERVAL = 4;
const REFINEMENTS = 30;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** The points by level. */
const GRIDS: Readonly<Record<number, Float64Array>> = Object.fromEntries(
  CHEBYSHEV_LEVELS.map((N) => {
    const points = GRID_PER_INTERVAL * N;
    return [N, Float64Array.from({ length: points + 1 }, (_, j) => -cosine((Math.PI * j) / points))];
  }),
);

/** Argument of the smallest value on [-1, 1] of a function that an interpolant of level N defines. Every local minimum of a grid is refined. */
export function smallestAt(f: (x: number) => number, N: number): number {
  const points = GRID_PER_INTERVAL * N;
  const grid = GRIDS[N]!;
  let best = -1;
  let bestValue = f(-1);
  let before = Number.POSITIVE_INFINITY;
  let here = bestValue;
  for (let j = 1; j <= points; j++) {
    const after = f(grid[j]!);
    if (after < bestValue) {
      best = grid[j]!;
      bestValue = after;
    }
    if (j > 1 && here <= before && here <= after) {
      const x = goldenSection(f, grid[j - 2]!, grid[j]!);
      const value = f(x);
      if (value < bestValue) {
        best = x;
        bestValue = value;
      }
    }
    before = here;
    here = after;
  }
  return best;
}

/** Argument of a minimum within [a, b]. */
function goldenSection(f: (x: number) => number, a: number, b: number): number {
  let left = a;
  let right = b;
  let x1 = right - GOLDEN * (right - left);
  let x2 = left + GOLDEN * (right - left);
  let f1 = f(x1);
  let f2 = f(x2);
  for (let i = 0; i < REFINEMENTS; i++) {
    if (f1 <= f2) {
      right = x2;
      x2 = x1;
      f2 = f1;
      x1 = right - GOLDEN * (right - left);
      f1 = f(x1);
    } else {
      left = x1;
      x1 = x2;
      f1 = f2;
      x2 = left + GOLDEN * (right - left);
      f2 = f(x2);
    }
  }
  return f1 <= f2 ? x1 : x2;
}
