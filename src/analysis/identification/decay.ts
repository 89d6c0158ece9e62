/**
 * Frequencies and damping ratios of a decaying vibration with one or several modes, from noisy samples:
 *
 *   y = c + Σ e^{-ζ ω t} (a cos ω_d t + b sin ω_d t),   ω_d = ω √(1 - ζ²).
 *
 * a, b and c are linear parameters: they are solved for given ω and ζ, and only ω and ζ are searched (variable projection).
 */

import { checkCount, checkNumbers } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import { exponential } from "../../math/elementary/exponential.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { choleskySolver } from "../../math/linear/cholesky.ts";
import { type LeastSquaresFit, leastSquares } from "../../math/optimise/least-squares.ts";

export interface Decay {
  /** Undamped frequency, Hz, and its standard error. */
  readonly frequency: number;
  readonly frequencyError: number;
  readonly dampingRatio: number;
  readonly dampingRatioError: number;
  /** Amplitude of the envelope at the first sample. */
  readonly amplitude: number;
  /** Standard deviation of the residual. */
  readonly noise: number;
}

/** Smallest number of samples per mode, so that noise can be separated from motion. */
const SAMPLES_PER_MODE = 12;
const STARTING_RATIOS = [0.001, 0.005, 0.02, 0.08, 0.3];

/** Fits one mode. @throws ArgumentError for too few samples, or without a vibration. */
export const fitDecay = (times: readonly number[], values: readonly number[]): Decay => fitDecays(times, values, 1)[0]!;

/** Fits `modes` modes; returns them slowest first. @throws ArgumentError for too few samples, or without a vibration. */
export function fitDecays(times: readonly number[], values: readonly number[], modes: number): readonly Decay[] {
  checkNumbers("times", times, "a time for each value");
  checkNumbers("values", values, "a value for each time");
  checkCount("modes", modes, 1);
  const n = times.length;
  if (n < SAMPLES_PER_MODE * modes || values.length !== n)
    throw new ArgumentError(
      "times",
      `a decay of ${modes} mode${modes === 1 ? "" : "s"} needs at least ${SAMPLES_PER_MODE * modes} samples of time and value, got ${n} and ${values.length}`,
    );
  const mean = values.reduce((a, b) => a + b, 0) / n;
  const span = times[n - 1]! - times[0]!;
  const size = Math.max(...values.map((v) => Math.abs(v - mean)));
  if (!(size > 0 && span > 0)) throw new ArgumentError("values", "nothing vibrates in the samples");
  const curve = new DecaySamples(
    Float64Array.from(times, (t) => t - times[0]!),
    Float64Array.from(values, (v) => (v - mean) / size),
  );
  const confine = (x: Float64Array): void => {
    for (let k = 1; k < x.length; k += 2) x[k] = Math.min(0.99, Math.max(-0.5, x[k]!));
  };
  // One mode after the other. Each starts at the strongest frequency in the residual of the others.
  let parameters: number[] = [];
  let fit: LeastSquaresFit | undefined;
  for (let k = 0; k < modes; k++) {
    const omega = dominantFrequency(curve.times, curve.residual(Float64Array.from(parameters)), span);
    const costOf = (z: number): number =>
      curve.residual(Float64Array.of(...parameters, omega, z)).reduce((sum, r) => sum + r * r, 0);
    const starts = STARTING_RATIOS.map((z) => ({ z, cost: costOf(z) })).sort((a, b) => a.cost - b.cost);
    const scales = Float64Array.from([...parameters, omega, 0], (v, i) => (i % 2 === 0 ? v : 1));
    const unscale = (x: Float64Array): Float64Array => x.map((v, i) => v * scales[i]!);
    fit = undefined;
    for (const { z } of starts.slice(0, 2)) {
      const start = Float64Array.from([...parameters, omega, z], (v, i) => v / scales[i]!);
      const candidate = leastSquares({ residuals: (x) => curve.residual(unscale(x)), confine, maxSteps: 100 }, start);
      if (!(candidate.cost >= (fit?.cost ?? Number.POSITIVE_INFINITY))) fit = candidate;
    }
    if (fit === undefined) throw new ArgumentError("values", "nothing vibrates in the samples");
    parameters = Array.from(unscale(fit.x));
    if (k + 1 === modes) return decaysOf(curve, fit, parameters, scales, size);
  }
  return [];
}

function decaysOf(
  curve: DecaySamples,
  { J, cost }: LeastSquaresFit,
  found: readonly number[],
  scales: Float64Array,
  size: number,
): Decay[] {
  const [n, unknowns] = [curve.times.length, found.length];
  const noise = Math.sqrt(cost / (n - 2 * unknowns - 1));
  const error = standardErrors(J, n, unknowns).map((v, i) => v * noise * scales[i]!);
  const linear = curve.amplitudes(Float64Array.from(found));
  const decays = Array.from(
    { length: unknowns / 2 },
    (_, k): Decay => ({
      frequency: found[2 * k]! / (2 * Math.PI),
      frequencyError: error[2 * k]! / (2 * Math.PI),
      dampingRatio: found[2 * k + 1]!,
      dampingRatioError: error[2 * k + 1]!,
      amplitude: size * hypotenuse(linear[2 * k]!, linear[2 * k + 1]!),
      noise: noise * size,
    }),
  );
  return decays.sort((a, b) => a.frequency - b.frequency);
}

/** Samples, and their residual with the best a, b, c for given [ω, ζ, ω, ζ, ...]. */
class DecaySamples {
  constructor(
    readonly times: Float64Array,
    readonly values: Float64Array,
  ) {}

  /** a, b of each mode, then c. */
  amplitudes(x: Float64Array): Float64Array {
    return this.#project(x).factors;
  }

  residual(x: Float64Array): Float64Array {
    const { columns, factors } = this.#project(x);
    return this.values.map((v, i) => columns.reduce((rest, column, j) => rest - factors[j]! * column[i]!, v));
  }

  #project(x: Float64Array): { readonly columns: readonly Float64Array[]; readonly factors: Float64Array } {
    const columns: Float64Array[] = [];
    for (let k = 0; k < x.length; k += 2) {
      const [w, z] = [x[k]!, x[k + 1]!];
      const wd = w * Math.sqrt(Math.max(1e-12, 1 - z * z));
      const envelope = this.times.map((t) => exponential(-z * w * t));
      columns.push(
        envelope.map((e, i) => e * cosine(wd * this.times[i]!)),
        envelope.map((e, i) => e * sine(wd * this.times[i]!)),
      );
    }
    columns.push(this.values.map(() => 1));
    const m = columns.length;
    const A = new Float64Array(m * m);
    const factors = new Float64Array(m);
    for (const [i, a] of columns.entries()) {
      for (let j = 0; j <= i; j++) A[i * m + j] = A[j * m + i] = a.reduce((sum, v, s) => sum + v * columns[j]![s]!, 0);
      A[i * m + i]! *= 1 + 1e-13; // two modes at one place: their sum is what counts
      factors[i] = a.reduce((sum, v, s) => sum + v * this.values[s]!, 0);
    }
    const cholesky = choleskySolver(m);
    if (cholesky.factor(A) >= 0) return { columns, factors: factors.fill(0) };
    cholesky.solve(factors);
    return { columns, factors };
  }
}

/** Frequency with the largest power in the samples, rad/s, from a periodogram with twice the resolution of the time span. */
function dominantFrequency(times: Float64Array, values: Float64Array, span: number): number {
  const step = Math.PI / (2 * span);
  const last = (Math.PI * (times.length - 1)) / span;
  // From one frequency to the next the phase of each sample increases by a constant angle.
  const [turnC, turnS] = [times.map((t) => cosine(step * t)), times.map((t) => sine(step * t))];
  const [c, s] = [Float64Array.from(turnC), Float64Array.from(turnS)];
  let best = { omega: step, power: 0 };
  for (let omega = 2 * step; omega <= last; omega += step) {
    let [re, im] = [0, 0];
    for (let i = 0; i < times.length; i++) {
      const next = c[i]! * turnC[i]! - s[i]! * turnS[i]!;
      s[i] = s[i]! * turnC[i]! + c[i]! * turnS[i]!;
      c[i] = next;
      re += values[i]! * next;
      im += values[i]! * s[i]!;
    }
    const power = re * re + im * im;
    if (power > best.power) best = { omega, power };
  }
  return best.omega;
}

/** Square roots of the diagonal of (Jᵀ J)⁻¹. */
function standardErrors(J: Float64Array, rows: number, n: number): number[] {
  const A = new Float64Array(n * n);
  for (let i = 0; i < rows; i++)
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) A[a * n + b]! += J[i * n + a]! * J[i * n + b]!;
  const cholesky = choleskySolver(n);
  if (cholesky.factor(A) >= 0) return new Array<number>(n).fill(Number.POSITIVE_INFINITY);
  return Array.from({ length: n }, (_, j) => {
    const e = new Float64Array(n);
    e[j] = 1;
    cholesky.solve(e);
    return Math.sqrt(e[j]!);
  });
}
