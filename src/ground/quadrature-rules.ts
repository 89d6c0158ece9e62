/** Where stresses under a wheel are taken to be summed: fewest points for the accuracy that is wanted. */
import { gaussLegendre } from "../math/elementary/gauss-legendre.ts";
import { power } from "../math/elementary/power.ts";

/**
 * Points on each side of θm. Whole exponents leave smooth integrands: twice the angle and the change of the exponents of the shear say how
 * many points are needed for errors of 1e-10 of the load. Other exponents have a power at the end, which grading takes away.
 */
const SMOOTH_RULES = [
  { upTo: 1, points: 5 },
  { upTo: 2, points: 6 },
  { upTo: 3, points: 7 },
  { upTo: 5, points: 8 },
  { upTo: Number.POSITIVE_INFINITY, points: 10 },
] as const;
const GRADED_POINTS = 24;
const GRADING = 5;

/** Where points stand, as fractions of a segment from its stress-free end, and their weights. */
export interface QuadratureRule {
  readonly upTo: number;
  readonly positions: Float64Array;
  readonly weights: Float64Array;
}

/** Rules in order of how far they reach. */
export const quadratureRules = (exponent: number): readonly QuadratureRule[] =>
  Number.isInteger(exponent)
    ? SMOOTH_RULES.map(({ upTo, points }) => gradedRule(points, 1, upTo))
    : [gradedRule(GRADED_POINTS, GRADING, Number.POSITIVE_INFINITY)];

function gradedRule(points: number, grading: number, upTo: number): QuadratureRule {
  const rule = gaussLegendre(points);
  return {
    upTo,
    positions: rule.points.map((s) => power(s, grading)),
    weights: rule.weights.map((w, i) => w * grading * power(rule.points[i]!, grading - 1)),
  };
}
