/**
 * Fits the parameters of a simulation to measured histories: least squares of the differences, each in units of the noise of its channel. The
 * noise is given, or estimated from the differences that remain. For given weights the search is by Levenberg and Marquardt, with
 * derivatives by differences between simulations.
 */
import { ArgumentError } from "../../errors.ts";
import type { CurveFit, CurveProblem } from "./curve-problem.ts";
import { type Minimum, searchMinimum } from "./curve-search.ts";
import { describeFit } from "./fit-summary.ts";

/** A random start differs from the given one by up to this part of the scale. */
const START_RANGE = 0.5;
/** Minima are different if an unknown differs by more than this part of its scale. */
const SAME_MINIMUM = 1e-2;

/** @throws ArgumentError if there are too few samples, or no motion at the start. */
export function fitCurves(problem: CurveProblem): CurveFit {
  const { unknowns, curves, starts = 1 } = problem;
  const samples = curves.reduce((sum, { values }) => sum + values.length, 0);
  if (samples <= unknowns.length)
    throw new ArgumentError(
      "curves",
      `${samples} measured samples cannot determine ${unknowns.length} unknowns and their errors: at least ${unknowns.length + 1} are needed`,
    );
  const scales = unknowns.map(({ start, scale = Math.abs(start) || 1 }) => scale);
  let runs = 0;
  const counted: CurveProblem = {
    ...problem,
    simulate(values, portion) {
      runs++;
      return problem.simulate(values, portion);
    },
  };
  const first = Float64Array.from(unknowns, ({ start }, j) => start / scales[j]!);
  const minima = startingPoints(first, starts).flatMap((start) => searchMinimum(counted, start, scales) ?? []);
  if (minima.length === 0) throw new ArgumentError("unknowns", "the start values give no motion");
  const best = minima.reduce((a, b) => (b.unlikelihood < a.unlikelihood ? b : a));
  const others = distinctMinima(minima, best).map(({ fit, unlikelihood }) => ({
    values: Array.from(fit.x, (v, j) => v * scales[j]!),
    unlikelihood: unlikelihood - best.unlikelihood,
  }));
  return { ...describeFit(problem, best.fit, best.noise, scales), others, runs };
}

/** The given start, then random ones near it. Always the same numbers. */
function startingPoints(first: Float64Array, count: number): Float64Array[] {
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
  return Array.from({ length: count }, (_, s) => first.map((v) => (s === 0 ? v : v + START_RANGE * (2 * random() - 1))));
}

/** Minima that differ from the best one and from each other, the most likely first. */
function distinctMinima(minima: readonly Minimum[], best: Minimum): readonly Minimum[] {
  const distinct = [best];
  const differ = (a: Minimum, b: Minimum): boolean => a.fit.x.some((v, j) => Math.abs(v - b.fit.x[j]!) > SAME_MINIMUM);
  for (const minimum of [...minima].sort((a, b) => a.unlikelihood - b.unlikelihood))
    if (minimum.fit.converged && distinct.every((other) => differ(other, minimum))) distinct.push(minimum);
  return distinct.slice(1);
}
