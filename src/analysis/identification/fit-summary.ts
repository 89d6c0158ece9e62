/** Error bars and quality of a fit of curves. */
import { square } from "../../math/elementary/power.ts";
import type { LeastSquaresFit } from "../../math/optimise/least-squares.ts";
import { studentQuantile } from "../../math/statistics/student.ts";
import type { CurveFit, CurveProblem, FittedCurve, FoundUnknown, MeasuredCurve } from "./curve-problem.ts";
import { errorBars } from "./error-bars.ts";

const PROBABILITY = 0.95;
/** Noise is never smaller than this part of the spread: a perfect fit must not divide by zero. */
const SMALLEST_NOISE = 1e-12;

const meanSquare = (values: Float64Array): number => values.reduce((sum, v) => sum + v * v, 0) / Math.max(1, values.length);

/** Root mean square about the mean. */
export function spreadOf(values: Float64Array): number {
  const mean = values.reduce((sum, v) => sum + v, 0) / Math.max(1, values.length);
  return Math.sqrt(meanSquare(values.map((v) => v - mean)));
}

/** The part of the residuals of each curve, in the unit of the curve. */
function residualsByCurve(curves: readonly MeasuredCurve[], r: Float64Array, noise: readonly number[]): readonly Float64Array[] {
  let first = 0;
  return curves.map(({ values }, c) => {
    const part = r.slice(first, first + values.length).map((v) => v * noise[c]!);
    first += values.length;
    return part;
  });
}

/** Standard deviation of the noise of each curve: as given, or from its residuals. The unknowns have consumed their share of the samples. */
export function estimatedNoise(
  curves: readonly MeasuredCurve[],
  r: Float64Array,
  noise: readonly number[],
  unknowns: number,
): readonly number[] {
  const share = (r.length - unknowns) / r.length;
  return residualsByCurve(curves, r, noise).map((residuals, c) => {
    const { values, noise: given } = curves[c]!;
    const floor = SMALLEST_NOISE * (spreadOf(values) || 1);
    return given ?? Math.max(Math.sqrt(meanSquare(residuals) / share), floor);
  });
}

/** @param fit with residuals in units of the noise, and parameters in units of their scales */
export function describeFit(
  { unknowns, curves }: CurveProblem,
  fit: LeastSquaresFit,
  noise: readonly number[],
  scales: readonly number[],
): Omit<CurveFit, "others" | "runs"> {
  const n = unknowns.length;
  const rows = fit.r.length;
  const freedoms = rows - n;
  const bounds = unknowns.map(({ least, most }, j) => {
    const value = fit.x[j]! * scales[j]!;
    return least !== undefined && value <= least ? "least" : most !== undefined && value >= most ? "most" : undefined;
  });
  // Unknowns at a bound are held there; the errors are those of the others.
  const free = unknowns.flatMap((_, j) => (bounds[j] === undefined ? [j] : []));
  const J = new Float64Array(rows * free.length);
  for (let i = 0; i < rows; i++) for (const [a, j] of free.entries()) J[i * free.length + a] = fit.J[i * n + j]!;
  const bars = errorBars(J, rows, free.length);
  const t = studentQuantile(PROBABILITY, freedoms);
  const found = unknowns.map(({ name, start }, j): FoundUnknown => {
    const value = fit.x[j]! * scales[j]!;
    const error = bounds[j] === undefined ? bars.errors[free.indexOf(j)]! * scales[j]! : 0;
    const bound = bounds[j];
    return { name, start, value, error, interval: [value - t * error, value + t * error], ...(bound && { bound }) };
  });
  const inAll = (values: readonly number[], other: number): number[] =>
    unknowns.map((_, j) => (free.includes(j) ? values[free.indexOf(j)]! : other));
  const none = free.map(() => Number.NaN);
  return {
    unknowns: found,
    curves: fittedCurves(curves, fit.r, noise),
    correlations: unknowns.map((_, j) => inAll(free.includes(j) ? bars.correlations[free.indexOf(j)]! : none, Number.NaN)),
    undetermined: bars.undetermined.map((change) => inAll(change, 0)),
    criterion: fit.cost,
    freedoms,
    t,
    converged: fit.converged,
  };
}

const fittedCurves = (curves: readonly MeasuredCurve[], r: Float64Array, noise: readonly number[]): readonly FittedCurve[] =>
  residualsByCurve(curves, r, noise).map((residuals, c) => {
    const curve = curves[c]!;
    return {
      name: curve.name,
      samples: residuals.length,
      residuals,
      rms: Math.sqrt(meanSquare(residuals)),
      spread: spreadOf(curve.values),
      noise: noise[c]!,
      isNoiseGiven: curve.noise !== undefined,
      autocorrelation: autocorrelationOf(residuals),
    };
  });

/** Correlation of each value with the one before it. */
function autocorrelationOf(values: Float64Array): number {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  let [product, squares] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    squares += square(values[i]! - mean);
    if (i > 0) product += (values[i]! - mean) * (values[i - 1]! - mean);
  }
  return squares > 0 ? product / squares : 0;
}
