/** Convergence of the discretisations of a clamped rod: every scheme and number of joints of the study, by model, linearisation and modes. */
import { identify } from "../../analysis/identification/identify.ts";
import { type Measurement, modelValue } from "../../analysis/identification/measurement.ts";
import { beamRoot } from "../../analysis/identification/rod-model.ts";
import { linearise } from "../../analysis/linearise.ts";
import { modesOf } from "../../analysis/modes/modes.ts";
import { gaussLegendre } from "../../math/elementary/gauss-legendre.ts";
import { leastSquares } from "../../math/optimise/least-squares.ts";
import { type JointPositions, uniformJointPositions } from "../../model/elastic/joint-positions.ts";
import type { ValidationRow, ValidationTable } from "../validation.ts";
import { cantilever, errorsOf, ROOTS, row } from "./rods.ts";

type Scheme = "equal" | "mid" | "stretch" | "gauss" | "ident";

const SCHEMES: Readonly<Record<Scheme, string>> = {
  equal: "equal links",
  mid: "joints in the middle of equal elements",
  stretch: "stretched",
  gauss: "Gauss and Legendre's points",
  ident: "the paper's criterion, frequencies weighted by 100",
};

/** Errors in % of f1, f2, f3, of u_P, φ_P, φ_M, and of f1, f2 with a tip mass of five rod masses; highest frequency over the exact f1. */
interface ConvergenceCase {
  readonly joints: number;
  readonly scheme: Scheme;
  readonly f: readonly number[];
  readonly statics: readonly number[];
  readonly loaded: readonly number[];
  readonly spread: number;
}

const CONVERGENCE_CASES: readonly ConvergenceCase[] = [
  { joints: 1, scheme: "equal", f: [97.047], statics: [-62.5, -50, -50], loaded: [64.392], spread: 2.0 },
  { joints: 1, scheme: "mid", f: [39.333], statics: [-25, 0, 0], loaded: [16.242], spread: 1.4 },
  { joints: 1, scheme: "stretch", f: [39.333], statics: [-25, 0, 0], loaded: [16.242], spread: 1.4 },
  { joints: 1, scheme: "gauss", f: [39.333], statics: [-25, 0, 0], loaded: [16.242], spread: 1.4 },
  { joints: 1, scheme: "ident", f: [0.245], statics: [8.543, 8.415, -18.784], loaded: [-3.891], spread: 1.0 },
  {
    joints: 2,
    scheme: "equal",
    f: [49.445, 58.654],
    statics: [-44.444, -33.333, -33.333],
    loaded: [34.741, 59.424],
    spread: 9.9,
  },
  { joints: 2, scheme: "mid", f: [6.084, 40.874], statics: [-6.25, 0, 0], loaded: [3.402, 16.304], spread: 8.8 },
  { joints: 2, scheme: "stretch", f: [-1.013, 62.615], statics: [0, 0, 0], loaded: [-0.052, 20.339], spread: 10.2 },
  { joints: 2, scheme: "gauss", f: [-1.013, 62.615], statics: [0, 0, 0], loaded: [-0.052, 20.339], spread: 10.2 },
  { joints: 2, scheme: "ident", f: [-0.015, 0.001], statics: [-1.877, 0.751, -0.397], loaded: [0.942, -13.182], spread: 6.3 },
  {
    joints: 3,
    scheme: "equal",
    f: [33.097, 39.065, 33.442],
    statics: [-34.375, -25, -25],
    loaded: [23.829, 37.658],
    spread: 23.4,
  },
  { joints: 3, scheme: "mid", f: [2.611, 9.71, 25.929], statics: [-2.778, 0, 0], loaded: [1.469, 7.676], spread: 22.1 },
  { joints: 3, scheme: "stretch", f: [-0.306, 6.657, 39.285], statics: [0, 0, 0], loaded: [-0.018, 5.603], spread: 24.4 },
  { joints: 3, scheme: "gauss", f: [0.048, -8.346, 96.966], statics: [0, 0, 0], loaded: [0, -3.372], spread: 34.6 },
  { joints: 3, scheme: "ident", f: [-0.001, 0, 0], statics: [-0.077, 0.026, -0.009], loaded: [0.026, 9.099], spread: 17.5 },
  { joints: 4, scheme: "equal", f: [24.869, 28.376, 29.486], statics: [-28, -20, -20], loaded: [18.14, 27.404], spread: 40.9 },
  { joints: 4, scheme: "mid", f: [1.453, 5.21, 7.486], statics: [-1.562, 0, 0], loaded: [0.818, 4.24], spread: 40.1 },
  { joints: 4, scheme: "stretch", f: [-0.151, 3.618, 5.442], statics: [0, 0, 0], loaded: [-0.009, 2.859], spread: 43.4 },
  { joints: 4, scheme: "gauss", f: [-0.006, 0.468, -17.024], statics: [0, 0, 0], loaded: [0, -0.025], spread: 87.7 },
  { joints: 4, scheme: "ident", f: [0, 0, 0], statics: [0, 0, 0], loaded: [-0.005, 3.073], spread: 34.4 },
  {
    joints: 7,
    scheme: "equal",
    f: [14.243, 15.403, 16.347],
    statics: [-17.969, -12.5, -12.5],
    loaded: [10.574, 15.034],
    spread: 117.4,
  },
  { joints: 7, scheme: "mid", f: [0.47, 1.647, 2.645], statics: [-0.51, 0, 0], loaded: [0.265, 1.355], spread: 123.6 },
  { joints: 7, scheme: "stretch", f: [-0.044, 1.137, 2.128], statics: [0, 0, 0], loaded: [-0.003, 0.864], spread: 130.1 },
  { joints: 7, scheme: "gauss", f: [-0.001, -0.051, -0.429], statics: [0, 0, 0], loaded: [0, -0.021], spread: 629.8 },
  { joints: 7, scheme: "ident", f: [0, 0, 0], statics: [0, 0, 0], loaded: [-0.002, 0.982], spread: 118.6 },
  { joints: 15, scheme: "equal", f: [6.658, 6.91, 7.134], statics: [-9.18, -6.25, -6.25], loaded: [5.008, 6.809], spread: 495.2 },
  { joints: 15, scheme: "mid", f: [0.102, 0.355, 0.58], statics: [-0.111, 0, 0], loaded: [0.058, 0.292], spread: 567.5 },
  { joints: 15, scheme: "stretch", f: [-0.009, 0.244, 0.469], statics: [0, 0, 0], loaded: [-0.001, 0.183], spread: 582.8 },
  { joints: 15, scheme: "gauss", f: [0, -0.002, -0.018], statics: [0, 0, 0], loaded: [0, -0.001], spread: 11156.6 },
  { joints: 15, scheme: "ident", f: [0, 0, 0], statics: [0, 0, 0], loaded: [0, 0.048], spread: 590.2 },
];

const TIP_MASS = 5;
/** Tolerances: errors are printed with three decimals, the ratio with one. */
const PERCENT = 6e-4;
const RATIO = 0.06;

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const equalWeights = (at: readonly number[]): JointPositions => ({ at, weights: at.map(() => 1 / at.length) });

function jointPositionsOf({ joints: J, scheme }: ConvergenceCase): JointPositions {
  switch (scheme) {
    case "equal":
      return { at: range(J).map((i) => (i + 1) / (J + 1)), weights: range(J).map(() => 1 / (J + 1)) };
    case "mid":
      return equalWeights(range(J).map((i) => (i + 0.5) / J));
    case "stretch":
      return J === 1
        ? equalWeights([0.5])
        : equalWeights(range(J).map((i) => 0.5 + (i + 1 - (J + 1) / 2) / Math.sqrt(J * J - 1)));
    case "gauss": {
      const { points, weights } = gaussLegendre(J);
      return { at: Array.from(points), weights: Array.from(weights) };
    }
    case "ident":
      return identifiedJoints(J);
  }
}

/** Joints that the paper's criterion identifies from the exact values. With four joints or more the solution is not unique. */
function identifiedJoints(J: number): JointPositions {
  const rod = { length: 1, mass: 1 };
  const exact: readonly Measurement[] = [
    ...range(J).map(
      (i): Measurement => ({ kind: "frequency", mode: i + 1, value: beamRoot(i + 1) ** 2 / (2 * Math.PI), weight: 100 }),
    ),
    { kind: "deflection-by-force", value: 1 / 3 },
    { kind: "slope-by-force", value: 1 / 2 },
    { kind: "deflection-by-moment", value: 1 / 2 },
    { kind: "slope-by-moment", value: 1 },
  ];
  if (!isUnderdetermined(J)) {
    const { cuts, stiffnesses } = identify(rod, exact, { links: J + 1 });
    return { at: cuts, weights: stiffnesses.map((k) => 1 / k) };
  }
  const residuals = (x: Float64Array): Float64Array => {
    const [at, k] = [Array.from(x.subarray(0, J)), Array.from(x.subarray(J), Math.exp)];
    return Float64Array.from(exact, (m) => Math.sqrt(m.weight ?? 1) * (modelValue(rod, at, k, m) / m.value - 1));
  };
  const { at, weights } = uniformJointPositions(J);
  const { x } = leastSquares({ residuals, maxSteps: 300 }, Float64Array.from([...at, ...weights.map((w) => -Math.log(w))]));
  return { at: Array.from(x.subarray(0, J)), weights: Array.from(x.subarray(J), (v) => Math.exp(-v)) };
}

/** True if 2J unknowns exceed the J + 3 independent data. */
const isUnderdetermined = (J: number): boolean => J > 3;

function convergenceRows(expected: ConvergenceCase): { readonly errors: ValidationRow; readonly spread?: ValidationRow } {
  const { joints: J, scheme } = expected;
  const { at, weights } = jointPositionsOf(expected);
  const joints = at.map((x, j) => ({ at: x, stiffness: 1 / weights[j]! }));
  const model = cantilever({ joints });
  const { f, statics } = errorsOf(model);
  const unique = !(scheme === "ident" && isUnderdetermined(J));
  const loaded = modesOf(linearise(cantilever({ joints }, TIP_MASS)))
    .slice(0, 2)
    .map((m, i) => 100 * ((2 * Math.PI * m.frequency) / beamRoot(i + 1, TIP_MASS) ** 2 - 1));
  const name = `${J} joint${J === 1 ? "" : "s"}, ${SCHEMES[scheme]}${unique ? "" : ", one of many (without a mass on the tip)"}`;
  const errors = row(
    name,
    "%",
    [...expected.f, ...expected.statics, ...(unique ? expected.loaded : [])],
    [...f, ...statics, ...(unique ? loaded : [])],
    PERCENT,
  );
  if (!unique) return { errors };
  const fastest = (2 * Math.PI * modesOf(linearise(model)).at(-1)!.frequency) / ROOTS[0] ** 2;
  return { errors, spread: row(name, "", [expected.spread], [fastest], RATIO) };
}

export function convergenceTables(): readonly ValidationTable[] {
  const rows = CONVERGENCE_CASES.map(convergenceRows);
  return [
    {
      title: "Convergence: errors of f1, f2, f3, u_P, φ_P, φ_M, and of f1, f2 with five times its mass on the tip",
      origin: "independent program",
      rows: rows.map((r) => r.errors),
    },
    {
      title: "Convergence: the fastest frequency over the exact first",
      origin: "independent program",
      rows: rows.flatMap((r) => r.spread ?? []),
    },
  ];
}
