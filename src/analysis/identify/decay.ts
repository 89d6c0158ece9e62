/** Frequency and damping ratio of a decaying vibration, y = e^{-ζωt} (a cos ω_d t + b sin ω_d t) + c, from samples with noise. */
import { choleskyOf } from "../../math/cholesky.ts";
import { leastSquares } from "./least-squares.ts";

export interface Decay {
  /** Undamped, Hz, and its standard error. */
  readonly frequency: number;
  readonly frequencyError: number;
  readonly dampingRatio: number;
  readonly dampingRatioError: number;
  /** Standard deviation of what is left. */
  readonly noise: number;
}

/** @throws RangeError where there are too few samples, or no vibration in them. */
export function fitDecay(times: readonly number[], values: readonly number[]): Decay {
  const n = times.length;
  if (n < 12 || values.length !== n)
    throw new RangeError(`a decay needs at least 12 samples of time and value, got ${n} and ${values.length}`);
  const mean = values.reduce((a, b) => a + b, 0) / n;
  const span = times[n - 1]! - times[0]!;
  const omega = strongest(
    times,
    values.map((v) => v - mean),
    span,
  );
  const size = Math.max(...values.map((v) => Math.abs(v - mean)));
  if (!(size > 0 && span > 0)) throw new RangeError("nothing vibrates in the samples");
  const t0 = times[0]!;
  const residuals = (x: Float64Array): Float64Array => {
    const [w, z, a, b, c] = x as unknown as [number, number, number, number, number];
    const wd = w * omega * Math.sqrt(Math.max(1e-12, 1 - z * z));
    return Float64Array.from(times, (t, i) => {
      const s = t - t0;
      return (Math.exp(-z * w * omega * s) * (a * Math.cos(wd * s) + b * Math.sin(wd * s)) +
        c -
        (values[i]! - mean) / size) as number;
    });
  };
  const confine = (x: Float64Array): void => {
    x[1] = Math.min(0.99, Math.max(-0.5, x[1]!));
  };
  let best: ReturnType<typeof leastSquares> | undefined;
  for (const z of [0.001, 0.01, 0.05, 0.2])
    for (const [a, b] of [
      [0.7, 0.7],
      [-0.7, 0.7],
    ]) {
      const fit = leastSquares({ residuals, confine, most: 200 }, Float64Array.of(1, z, a!, b!, 0));
      if (fit.cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = fit;
    }
  const { x, J, cost } = best!;
  const noise = Math.sqrt(cost / (n - 5));
  const error = standardErrors(J, n, 5).map((v) => v * noise);
  return {
    frequency: (x[0]! * omega) / (2 * Math.PI),
    frequencyError: (error[0]! * omega) / (2 * Math.PI),
    dampingRatio: x[1]!,
    dampingRatioError: error[1]!,
    noise: noise * size,
  };
}

/** The frequency, rad/s, at which the samples hold most, from periodograms finer and finer. */
function strongest(times: readonly number[], values: readonly number[], span: number): number {
  const power = (w: number): number => {
    let [c, s] = [0, 0];
    for (const [i, t] of times.entries()) {
      c += values[i]! * Math.cos(w * t);
      s += values[i]! * Math.sin(w * t);
    }
    return c * c + s * s;
  };
  const step = Math.PI / (2 * span);
  const last = (Math.PI * (times.length - 1)) / span;
  let best = step;
  for (let w = 2 * step; w <= last; w += step) if (power(w) > power(best)) best = w;
  return best;
}

/** Roots of the diagonal of (Jᵀ J)⁻¹. */
function standardErrors(J: Float64Array, rows: number, n: number): number[] {
  const A = new Float64Array(n * n);
  for (let i = 0; i < rows; i++)
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) A[a * n + b]! += J[i * n + a]! * J[i * n + b]!;
  const cholesky = choleskyOf(n);
  if (cholesky.factor(A) >= 0) return new Array<number>(n).fill(Number.POSITIVE_INFINITY);
  return Array.from({ length: n }, (_, j) => {
    const e = new Float64Array(n);
    e[j] = 1;
    cholesky.solve(e);
    return Math.sqrt(e[j]!);
  });
}
