/**
 * Identifies virtual links from measurements: cut positions, joint positions and stiffnesses that minimise
 * Σ w ((α_model - α_measured) / α_measured)² [Yoshikawa and Hosoda 1991, eq. 1], for any number of links and any set of measurements in both
 * planes of bending and in twist. The joints lie at the cuts, as in the paper, or anywhere. The search starts from many points, so that
 * it does not end in the first local minimum. The grid search of the paper is in grid-search.ts.
 */

import { checkList, checkName, checkOptions } from "../../arguments.ts";
import { DivergenceError } from "../../errors.ts";
import { exponential } from "../../math/elementary/exponential.ts";
import { logarithm } from "../../math/elementary/logarithm.ts";
import { type LeastSquaresFit, leastSquares } from "../../math/optimise/least-squares.ts";
import { uniformJointPositions } from "../../model/elastic/joint-positions.ts";
import { checkMeasurements } from "./check-measurements.ts";
import { errorBars } from "./error-bars.ts";
import {
  contradictionsOf,
  freedomOf,
  impliedStiffness,
  type Measurement,
  type MeasurementRow,
  measurementRow,
  weightOf,
} from "./measurement.ts";
import { checkRod, ROD_FREEDOMS, type RodData, type RodFreedom } from "./rod-model.ts";
import { RodParameters } from "./rod-parameters.ts";

/** Where the joints lie: at the cuts of the mass, as in the paper, or anywhere. */
export const JOINT_PLACES: readonly ("at-cuts" | "free")[] = ["at-cuts", "free"];

export interface IdentifyOptions {
  /** Number of virtual links; there is one joint less. */
  readonly links?: number;
  /** Positions from the root where the mass is divided, m, if they are known. */
  readonly cuts?: readonly number[];
  /** "free": the joints need not lie at the cuts. Default "at-cuts". */
  readonly joints?: "at-cuts" | "free";
  /** Shortest distance of the first joint from the root, relative to the rod length. */
  readonly shortestStub?: number;
  readonly starts?: number;
}

/** Stiffnesses of all joints in one freedom, N m/rad. */
export interface IdentifiedFreedom {
  readonly freedom: RodFreedom;
  readonly stiffnesses: readonly number[];
  /** Standard errors; infinite if the measurements do not determine a stiffness. */
  readonly errors: readonly number[];
}

export interface IdentifiedRod {
  /** Where the mass is divided, and where the joints are, m from the root. They are equal unless the joints are free. */
  readonly cuts: readonly number[];
  readonly joints: readonly number[];
  /** Stiffnesses of the first freedom. */
  readonly stiffnesses: readonly number[];
  /** The measured freedoms: bending about z, bending about y, twist. */
  readonly freedoms: readonly IdentifiedFreedom[];
  /** Σ w (relative misfit)², eq. 1. */
  readonly criterion: number;
  readonly rows: readonly MeasurementRow[];
  /** Standard errors; infinite if the measurements do not determine a parameter. `stiffnesses` is for the first freedom. */
  readonly uncertainty: {
    readonly cuts: readonly number[];
    readonly joints: readonly number[];
    readonly stiffnesses: readonly number[];
  };
  /** Source of the standard errors: the given errors, or the quality of the fit. */
  readonly basis: "errors" | "fit" | "none";
  /** Other solutions that fit equally well. For example, two frequencies can have two solutions. The one nearest to a uniform rod is returned. */
  readonly alternatives: readonly { readonly cuts: readonly number[]; readonly stiffnesses: readonly number[] }[];
  /** Parameters that the measurements do not determine, in words. */
  readonly open: readonly string[];
  /** Measurements that contradict the others, in words. */
  readonly contradictions: readonly string[];
}

const DEFAULT_STARTS = 60;
/** Criteria that differ by less count as equal; likewise positions and logarithms of stiffnesses. */
const SAME_COST = 1e-9;
const SAME_PLACE = 1e-3;
/** Parameters with a smaller share of an undetermined combination are not named. */
const NAMED_SHARE = 0.05;

/** @throws ArgumentError for invalid or insufficient measurements. */
export function identify(rod: RodData, measurements: readonly Measurement[], options: IdentifyOptions = {}): IdentifiedRod {
  checkRod(rod);
  checkList("measurements", measurements, "measurements");
  checkOptions("options", options, ["links", "cuts", "joints", "shortestStub", "starts"]);
  const { cuts, joints = "at-cuts", shortestStub = 0, starts = DEFAULT_STARTS } = options;
  checkName("options.joints", joints, JOINT_PLACES, "place of joints");
  const measured = new Set(measurements.map(freedomOf));
  const freedoms = ROD_FREEDOMS.filter((f) => measured.has(f) || (measured.size === 0 && f === "rz"));
  const unknowns = { n: cuts?.length ?? (options.links ?? 3) - 1, freedoms, cuts, freeJoints: joints === "free" };
  checkMeasurements(rod, measurements, unknowns);
  const parameters = new RodParameters(rod, unknowns, shortestStub);
  const [best, ...others] = bestFits(parameters, measurements, starts);
  const { sigma, basis, open } = uncertaintyOf(best, measurements, parameters.names());
  const rows = measurements.map((m) => measurementRow(m, parameters.model(best.x, m)));
  const solutionOf = (x: Float64Array) => ({
    cuts: parameters.cuts(x),
    stiffnesses: freedoms.flatMap((f) => parameters.stiffnesses(x, f)),
  });
  const { n } = unknowns;
  const errorsOf = (name: "cut" | "joint"): readonly number[] => {
    const group = parameters.positions.indexOf(name === "joint" && !unknowns.freeJoints ? "cut" : name);
    return Array.from({ length: n }, (_, j) => (group < 0 ? 0 : sigma[group * n + j]! * rod.length));
  };
  const identified = freedoms.map((freedom): IdentifiedFreedom => {
    const stiffnesses = parameters.stiffnesses(best.x, freedom);
    return { freedom, stiffnesses, errors: stiffnesses.map((k, j) => k * sigma[parameters.firstStiffness(freedom) + j]!) };
  });
  return {
    cuts: parameters.cuts(best.x),
    joints: parameters.joints(best.x),
    stiffnesses: identified[0]!.stiffnesses,
    freedoms: identified,
    criterion: best.cost,
    rows,
    uncertainty: { cuts: errorsOf("cut"), joints: errorsOf("joint"), stiffnesses: identified[0]!.errors },
    basis,
    alternatives: open.length > 0 ? [] : others.map(({ x }) => solutionOf(x)),
    open:
      open.length > 0 || others.length === 0
        ? open
        : [describeAlternatives([best, ...others].map(({ x }) => solutionOf(x).stiffnesses))],
    contradictions: contradictionsOf(rod, rows),
  };
}

/** The fits with the smallest criterion that differ from each other. @throws DivergenceError if there is none */
function bestFits(
  parameters: RodParameters,
  measurements: readonly Measurement[],
  starts: number,
): [LeastSquaresFit, ...LeastSquaresFit[]] {
  const confine = (x: Float64Array): void => parameters.confine(x);
  const residuals = (x: Float64Array): Float64Array =>
    Float64Array.from(measurements, (m) => Math.sqrt(weightOf(m)) * (parameters.model(x, m) / m.value - 1));
  const fits: LeastSquaresFit[] = [];
  for (const start of startingPoints(parameters, measurements, starts)) {
    const fit = leastSquares({ residuals, confine }, start);
    if (Number.isFinite(fit.cost)) fits.push(fit);
  }
  if (fits.length === 0) throw new DivergenceError("no stiffness gives finite values: check the measurements");
  const least = Math.min(...fits.map((fit) => fit.cost));
  return distinctFits(fits.filter((fit) => fit.cost <= least * (1 + SAME_COST) + SAME_COST)) as [
    LeastSquaresFit,
    ...LeastSquaresFit[],
  ];
}

/** Fits that differ in any parameter, the first of each. */
function distinctFits(fits: readonly LeastSquaresFit[]): LeastSquaresFit[] {
  const distinct: LeastSquaresFit[] = [];
  const differs = (a: LeastSquaresFit, b: LeastSquaresFit): boolean => a.x.some((v, i) => Math.abs(v - b.x[i]!) > SAME_PLACE);
  for (const fit of fits) if (distinct.every((other) => differs(other, fit))) distinct.push(fit);
  return distinct;
}

const describeAlternatives = (all: readonly (readonly number[])[]): string =>
  `which is true, stiffnesses ${all.map((k) => k.map((v) => +v.toPrecision(4)).join(", ")).join(" or ")}: they fit equally well`;

/** Start points: positions as for a uniform rod, then random ones; stiffnesses around those of the mean EI or GJ. Always the same numbers. */
function* startingPoints(
  { rod, unknowns, positions }: RodParameters,
  measurements: readonly Measurement[],
  starts: number,
): Generator<Float64Array> {
  const { n, freedoms } = unknowns;
  const stiffnessOf = freedoms.map((freedom) => {
    const implied = measurements.filter((m) => freedomOf(m) === freedom).map((m) => impliedStiffness(rod, m));
    const values = implied.filter(Number.isFinite);
    return exponential(values.reduce((sum, v) => sum + logarithm(v), 0) / Math.max(1, values.length)) || 1;
  });
  const { at, weights } = uniformJointPositions(n);
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
  for (let s = 0; s < starts; s++) {
    const places = s === 0 ? [...at] : Array.from({ length: n }, random).sort((a, b) => a - b);
    const k = stiffnessOf.flatMap((value) =>
      weights.map((w) => logarithm(value / (w * rod.length)) + (s === 0 ? 0 : 2 * random() - 1)),
    );
    yield Float64Array.from([...positions.flatMap(() => places), ...k]);
  }
}

/** Standard errors of the parameters, and the combinations that the measurements do not determine. */
function uncertaintyOf({ J, cost, x, r }: LeastSquaresFit, measurements: readonly Measurement[], names: readonly string[]) {
  const { errors, undetermined } = errorBars(J, r.length, x.length);
  const hasErrors = measurements.every((m) => m.error !== undefined);
  const surplus = r.length - x.length;
  const scale = hasErrors ? 1 : surplus > 0 ? Math.sqrt(cost / surplus) : Number.NaN;
  const basis: IdentifiedRod["basis"] = hasErrors ? "errors" : surplus > 0 ? "fit" : "none";
  return {
    basis,
    sigma: errors.map((v) => (Number.isFinite(v) ? v * scale : v)),
    open: undetermined.map((change) => names.filter((_, j) => Math.abs(change[j]!) > NAMED_SHARE).join(" and ")),
  };
}
