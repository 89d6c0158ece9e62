/** Quadrature rules for the stresses under a wheel: the fewest points that give the required accuracy. */
import { gaussLegendre } from "../math/elementary/gauss-legendre.ts";
import { power } from "../math/elementary/power.ts";

/**
 * Number of points on each side of θm for errors of 1e-10 of the load. With an integer sinkage exponent the integrand is smooth, and the
 * number depends on `upTo`: twice the angle plus the change of the exponent of the shear. Other exponents give a fractional power at the
 * stress-free end, which grading removes.
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

/** Positions of the points as fractions of a segment from its stress-free end, and their weights. */
export interface QuadratureRule {
  readonly upTo: number;
  readonly positions: Float64Array;
  readonly weights: Float64Array;
}

/** The rules for a sinkage exponent, in ascending order of `upTo`. */
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
