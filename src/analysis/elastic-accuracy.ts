/** Accuracy of the natural frequencies of an elastic body with its joints, clamped at its root. */
import { gaussLegendre } from "../math/elementary/gauss-legendre.ts";
import type { ElasticDescription } from "../model/description.ts";
import {
  clampedMass,
  clampedModes,
  DEFAULT_JOINTS,
  jointsOf,
  segmentsOf,
  withMeasuredFrequency,
} from "../model/elastic/joints.ts";
import { type JointFreedom, type Rod, rodOf } from "../model/elastic/rod.ts";
import { undampedModes } from "./modes/modes.ts";

export interface FreedomAccuracy {
  readonly freedom: JointFreedom;
  /** Relative error of each of the first frequencies. */
  readonly errors: readonly number[];
}

/** Number of frequencies that are judged, and of joints beyond which they are not. */
const JUDGED = 4;
const MOST_JUDGED_JOINTS = 60;
/** Number of trial functions and of integration points of the reference. The first four frequencies of a smooth rod have ten digits. */
const TRIALS = 16;
const POINTS = 48;

/** Errors of the first frequencies in each freedom. Empty if the joints are listed, because the rod between them is not known. */
export function elasticAccuracy(elastic: ElasticDescription): readonly FreedomAccuracy[] {
  const { joints: count = DEFAULT_JOINTS } = elastic;
  const rod = rodOf(elastic, "", []);
  if (rod === undefined || typeof count !== "number" || count > MOST_JUDGED_JOINTS) return [];
  const placed = jointsOf(count, rod, "", []) ?? [];
  const segments = segmentsOf(rod, placed);
  const joints = withMeasuredFrequency(elastic.measured, rod, placed, segments);
  return rod.freedoms.map((freedom, i) => {
    const stiffness = joints.map((joint) => joint.stiffness[i]!);
    const { omega } = clampedModes(clampedMass(freedom, joints, segments), stiffness);
    const exact = rodFrequencies(rod, freedom);
    return { freedom, errors: Array.from({ length: Math.min(JUDGED, count) }, (_, k) => omega[k]! / exact[k]! - 1) };
  });
}

/**
 * ω of the clamped rod itself, ascending, by Ritz's method: ∫ k φ'' ψ'' = ω² ∫ (μ φ ψ + ι φ' ψ') for bending, ∫ k φ' ψ' = ω² ∫ ι φ ψ for
 * stretch and twist. The trial functions are Legendre's polynomials times x² or x, so that they are clamped at the root.
 */
function rodFrequencies({ length, mass, rotary, stiffness }: Rod, freedom: JointFreedom): Float64Array {
  const [M, K] = [new Float64Array(TRIALS * TRIALS), new Float64Array(TRIALS * TRIALS)];
  const bends = freedom === "ry" || freedom === "rz";
  const { points, weights } = gaussLegendre(POINTS);
  for (const [p, x] of points.entries()) {
    const weight = weights[p]! * length;
    const { value, slope, curvature } = trialFunctions(x, bends ? 2 : 1, length);
    const k = stiffness[freedom]!(x);
    const ofValue = freedom === "rx" ? rotary.x(x) : mass(x);
    const ofSlope = bends ? rotary[freedom === "ry" ? "y" : "z"](x) : 0;
    const bent = bends ? curvature : slope;
    for (let i = 0; i < TRIALS; i++)
      for (let j = 0; j < TRIALS; j++) {
        M[i * TRIALS + j]! += weight * (ofValue * value[i]! * value[j]! + ofSlope * slope[i]! * slope[j]!);
        K[i * TRIALS + j]! += weight * k * bent[i]! * bent[j]!;
      }
  }
  return undampedModes(M, K, TRIALS).values.map(Math.sqrt);
}

/** Values and derivatives along the rod of x^power P(2 x - 1), x from 0 to 1, for the first Legendre polynomials P. */
function trialFunctions(x: number, power: 1 | 2, length: number) {
  const s = 2 * x - 1;
  // P, P' and P'' by (n + 1) P_{n+1} = (2 n + 1) s P_n - n P_{n-1} and its derivatives.
  const [P, P1, P2] = [new Float64Array(TRIALS), new Float64Array(TRIALS), new Float64Array(TRIALS)];
  for (let n = 0; n < TRIALS; n++) {
    if (n < 2) {
      P[n] = n === 0 ? 1 : s;
      P1[n] = n;
      continue;
    }
    const [a, b] = [(2 * n - 1) / n, (n - 1) / n];
    P[n] = a * s * P[n - 1]! - b * P[n - 2]!;
    P1[n] = a * (P[n - 1]! + s * P1[n - 1]!) - b * P1[n - 2]!;
    P2[n] = a * (2 * P1[n - 1]! + s * P2[n - 1]!) - b * P2[n - 2]!;
  }
  const [factor, factor1, factor2] = power === 1 ? [x, 1, 0] : [x * x, 2 * x, 2];
  return {
    value: P.map((v) => factor * v),
    slope: P.map((v, n) => (factor1 * v + 2 * factor * P1[n]!) / length),
    curvature: P.map((v, n) => (factor2 * v + 4 * factor1 * P1[n]! + 4 * factor * P2[n]!) / (length * length)),
  };
}
