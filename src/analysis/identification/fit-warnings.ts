/** What a user must know about a fit before trusting it, in words. */
import { square } from "../../math/elementary/power.ts";
import type { CurveFit, FittedCurve } from "./curve-problem.ts";

/** Residuals above this part of the measured spread: the model does not follow the measurement. */
const BAD_FIT = 0.3;
/** A given noise is contradicted if the mean square in units of it differs from 1 by more than this many standard deviations. */
const SIGMAS = 4;
/** White residuals have an autocorrelation with a standard deviation of 1 / √samples. */
const COLOURED = 3.5;
/** Errors above this part of the value are worth a remark. */
const POOR = 0.5;
const NEARLY_DEPENDENT = 0.99;
/** Other minima count if their likelihood is within this of the best: a factor of e⁻⁵ or so. */
const RIVAL = 10;

const short = (value: number): string => `${+value.toPrecision(3)}`;
const percent = (part: number): string => `${+(100 * part).toPrecision(3)} %`;

export function fitWarnings(fit: CurveFit): readonly string[] {
  return [
    ...(fit.converged ? [] : ["The search did not converge: give better starts, or bounds."]),
    ...badFits(fit),
    ...fit.undetermined.map((change) => undeterminedText(fit, change)),
    ...fit.unknowns.flatMap(({ name, bound }) =>
      bound ? [`${name} is at its bound (${bound}): the errors of the others hold for this value.`] : [],
    ),
    ...poorlyDetermined(fit),
    ...dependentPairs(fit),
    ...fit.curves.flatMap(colouredText),
    ...otherMinima(fit),
  ];
}

function badFits({ curves }: CurveFit): readonly string[] {
  const bad = curves.filter(({ rms, spread }) => rms > BAD_FIT * spread);
  const wrong = curves.filter(
    ({ rms, noise, isNoiseGiven, samples }) => isNoiseGiven && square(rms / noise) - 1 > SIGMAS * Math.sqrt(2 / samples),
  );
  return [
    ...bad.map(
      ({ name, rms, spread }) =>
        `Bad fit: the difference of ${name} is ${percent(rms / spread)} of its variation. The search may have ended in a local minimum, or the model is wrong. Give other starts, several of them (starts: 10), or a shorter time.`,
    ),
    ...wrong
      .filter((curve) => !bad.includes(curve))
      .map(
        ({ name, rms, noise }) =>
          `The difference of ${name} is ${short(rms / noise)} times its given noise: the model does not explain the measurement, or the noise is larger. The errors hold for the given noise.`,
      ),
  ];
}

/** Names the unknowns that only have an effect together. */
function undeterminedText({ unknowns }: CurveFit, change: readonly number[]): string {
  const involved = unknowns.flatMap(({ name }, j) => (change[j] === 0 ? [] : [{ name, part: change[j]! }]));
  if (involved.length === 1)
    return `Undetermined: ${involved[0]!.name} has no influence on the measured channels. Remove it from the unknowns.`;
  const together = involved.map(({ name, part }) => `${name} by ${part > 0 ? "+" : ""}${short(part)} %`).join(", ");
  return `Undetermined: ${involved.map(({ name }) => name).join(" and ")} have an effect only in combination. The measured channels do not change if all of these change together: ${together} (of their scales). Fix one of them, or measure something else.`;
}

const poorlyDetermined = ({ unknowns }: CurveFit): readonly string[] =>
  unknowns.flatMap(({ name, value, error }) =>
    Number.isFinite(error) && error > POOR * Math.abs(value)
      ? [`${name} is poorly determined: its standard error is ${percent(error / Math.abs(value))} of its value.`]
      : [],
  );

const dependentPairs = ({ unknowns, correlations }: CurveFit): readonly string[] =>
  unknowns.flatMap(({ name }, a) =>
    unknowns
      .slice(a + 1)
      .flatMap((other, k) =>
        Math.abs(correlations[a]![a + 1 + k]!) > NEARLY_DEPENDENT
          ? [
              `${name} and ${other.name} are hard to tell apart: the correlation of their errors is ${+correlations[a]![a + 1 + k]!.toPrecision(4)}.`,
            ]
          : [],
      ),
  );

function colouredText({ name, autocorrelation: rho, samples }: FittedCurve): readonly string[] {
  if (Math.abs(rho) * Math.sqrt(samples) <= COLOURED) return [];
  if (rho < 0) return [`The residuals of ${name} alternate (autocorrelation ${short(rho)}): the noise is not white.`];
  // The mean of n samples with correlation ρ from one to the next has the error of n (1 - ρ) / (1 + ρ) independent ones.
  const factor = Math.sqrt((1 + rho) / Math.max(1e-6, 1 - rho));
  return [
    `The residuals of ${name} are correlated (${short(rho)} from sample to sample), because the model or the sensor is not exact. The errors are too small, by a factor of up to about ${+factor.toPrecision(2)}.`,
  ];
}

function otherMinima({ unknowns, others }: CurveFit): readonly string[] {
  const rivals = others.filter(({ unlikelihood }) => unlikelihood < RIVAL);
  return rivals.map(
    ({ values }) =>
      `Another minimum fits as well: ${unknowns.map(({ name }, j) => `${name} ${+values[j]!.toPrecision(4)}`).join(", ")}.`,
  );
}
