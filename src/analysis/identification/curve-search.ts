/**
 * Search for a minimum of the differences between simulated and measured curves. It begins with the first part of the curves: there the
 * phase of a vibration is right to less than half a period even for wrong stiffnesses, and the search does not end in a local minimum
 * with some periods too many.
 */
import { logarithm } from "../../math/elementary/logarithm.ts";
import { type LeastSquaresFit, leastSquares, sumOfSquares } from "../../math/optimise/least-squares.ts";
import type { CurveProblem } from "./curve-problem.ts";
import { estimatedNoise, spreadOf } from "./fit-summary.ts";

const DEFAULT_STEPS = 60;
/** Relative decrease of the criterion that is too small for another step. */
const ENOUGH = 1e-9;
/** The weights are right when no noise changes by more than this. */
const SAME_NOISE = 1e-3;
const MAX_WEIGHTINGS = 8;
/**
 * Smallest step of differences. The step is the root of the accuracy of the curves: a vibration of many periods turns a small change of a
 * stiffness into a large change of its phase, so the step must be smaller than the cube root, which is the rule for slow functions.
 */
const SMALLEST_STEP = 1e-5;
/** First parts of the curves that are fitted before the whole ones, with few steps. */
const PORTIONS = [1 / 16, 1 / 8, 1 / 4, 1 / 2];
const STEPS_OF_PORTION = 8;
const ENOUGH_OF_PORTION = 1e-3;
/** A first part has at least this many samples per unknown. */
const SAMPLES_PER_UNKNOWN = 3;
/**
 * A first part may not determine all unknowns. A change of an unknown by its scale therefore counts as much as differences of this part of the
 * spread of the curves.
 */
const TIE = 0.01;

/** A minimum of the criterion. The residuals of the fit are in units of the noise. */
export interface Minimum {
  readonly fit: LeastSquaresFit;
  readonly noise: readonly number[];
  /** -2 log of the likelihood, up to a constant: it compares minima with different estimates of the noise. */
  readonly unlikelihood: number;
}

/** Searches from a start, in units of the scales. Undefined if there is no motion at the start. */
export function searchMinimum(problem: CurveProblem, start: Float64Array, scales: readonly number[]): Minimum | undefined {
  const { unknowns, curves, maxSteps = DEFAULT_STEPS } = problem;
  const search = new CurveSearch(problem, scales);
  let noise: readonly number[] = curves.map((curve) => curve.noise ?? (spreadOf(curve.values) || 1));
  const given = Float64Array.from(start);
  search.confine(given);
  const cost = sumOfSquares(search.residuals(given, noise, 1));
  if (!Number.isFinite(cost)) return undefined;
  const near = search.throughPortions(given);
  let x = sumOfSquares(search.residuals(near, noise, 1)) < cost ? near : given;
  for (let weighting = 1; ; weighting++) {
    const weights = noise;
    const residuals = (v: Float64Array): Float64Array => search.residuals(v, weights, 1);
    const fit = leastSquares({ residuals, maxSteps, enough: ENOUGH, ...search.settings }, x);
    const next = estimatedNoise(curves, fit.r, noise, unknowns.length);
    const isSame = next.every((v, c) => Math.abs(v - weights[c]!) <= SAME_NOISE * v);
    // With one channel the noise is a common factor, which does not move the minimum.
    if (isSame || weighting === MAX_WEIGHTINGS || curves.length === 1) return inUnitsOf(next, fit, noise, curves);
    noise = next;
    x = fit.x;
  }
}

class CurveSearch {
  readonly settings: { readonly confine: (x: Float64Array) => void; readonly differenceStep: number };

  constructor(
    readonly problem: CurveProblem,
    readonly scales: readonly number[],
  ) {
    const differenceStep = Math.max(SMALLEST_STEP, Math.sqrt(problem.accuracy));
    this.settings = { confine: (x) => this.confine(x), differenceStep };
  }

  confine(x: Float64Array): void {
    for (const [j, { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }] of this.problem.unknowns.entries())
      x[j] = Math.min(Math.max(x[j]!, least / this.scales[j]!), most / this.scales[j]!);
  }

  /** Differences in units of the noise, for the first part of every curve; infinite without a motion. */
  residuals(x: Float64Array, noise: readonly number[], portion: number): Float64Array {
    const { curves, simulate } = this.problem;
    const model = simulate(
      Array.from(x, (v, j) => v * this.scales[j]!),
      portion,
    );
    const r = new Float64Array(this.#samples(portion)).fill(Number.POSITIVE_INFINITY);
    let i = 0;
    for (const [c, { values }] of curves.entries()) {
      const count = samplesIn(values, portion);
      for (let k = 0; k < count; k++, i++) if (model) r[i] = (model[c]![k]! - values[k]!) / noise[c]!;
    }
    return r;
  }

  /** Fits longer and longer parts of the curves. */
  throughPortions(start: Float64Array): Float64Array {
    const { unknowns, curves } = this.problem;
    const spreads = curves.map(({ values }) => spreadOf(values) || 1);
    const n = unknowns.length;
    let x = start;
    for (const portion of PORTIONS) {
      const samples = this.#samples(portion);
      if (samples < SAMPLES_PER_UNKNOWN * n) continue;
      const residuals = (v: Float64Array): Float64Array => {
        const r = new Float64Array(samples + n);
        r.set(this.residuals(v, spreads, portion));
        for (let j = 0; j < n; j++) r[samples + j] = TIE * Math.sqrt(samples) * (v[j]! - start[j]!);
        return r;
      };
      x = leastSquares({ residuals, maxSteps: STEPS_OF_PORTION, enough: ENOUGH_OF_PORTION, ...this.settings }, x).x;
    }
    return x;
  }

  #samples(portion: number): number {
    return this.problem.curves.reduce((sum, { values }) => sum + samplesIn(values, portion), 0);
  }
}

/** Number of samples in the first part of a curve. */
export const samplesIn = (values: { readonly length: number }, portion: number): number => Math.ceil(portion * values.length);

/** The same fit with residuals in units of another noise. */
function inUnitsOf(
  noise: readonly number[],
  fit: LeastSquaresFit,
  before: readonly number[],
  curves: CurveProblem["curves"],
): Minimum {
  const n = fit.x.length;
  const [r, J] = [Float64Array.from(fit.r), Float64Array.from(fit.J)];
  let i = 0;
  let constant = 0;
  for (const [c, { values }] of curves.entries()) {
    const factor = before[c]! / noise[c]!;
    constant += 2 * values.length * logarithm(noise[c]!);
    for (let k = 0; k < values.length; k++, i++) {
      r[i]! *= factor;
      for (let j = 0; j < n; j++) J[i * n + j]! *= factor;
    }
  }
  const cost = sumOfSquares(r);
  return { fit: { ...fit, r, J, cost }, noise, unlikelihood: cost + constant };
}
