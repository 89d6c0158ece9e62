/**
 * Identifies virtual links from measurements: cut positions and stiffnesses that minimise Σ w ((α_model - α_measured) / α_measured)²
 * [Yoshikawa and Hosoda 1991, eq. 1], for any number of links and any set of measurements. The search starts from many points, so that it
 * does not end in the first local minimum. The grid search of the paper is in grid-search.ts.
 */

import { checkList, checkOptions } from "../../arguments.ts";
import { ArgumentError, DivergenceError } from "../../errors.ts";
import { tridiagonalEigen } from "../../math/eigen/tridiagonal-eigen.ts";
import { exponential } from "../../math/elementary/exponential.ts";
import { logarithm } from "../../math/elementary/logarithm.ts";
import { cube, square } from "../../math/elementary/power.ts";
import { type LeastSquaresFit, leastSquares } from "../../math/optimise/least-squares.ts";
import { uniformJointPositions } from "../../model/elastic/joint-positions.ts";
import { beamRoot, checkRod, type RodData, rodCompliance, rodFrequencies, type StaticKind } from "./rod-model.ts";

export interface Measurement {
  readonly kind: "frequency" | StaticKind;
  /** Mode of a frequency, from 1. */
  readonly mode?: number;
  /** Hz, m/N, rad/N, rad/(N m). */
  readonly value: number;
  /** Mass on the tip while it was measured, kg. */
  readonly tipMass?: number;
  /** w of eq. 1. */
  readonly weight?: number;
  /** Relative standard error; the weight is one over its square. */
  readonly error?: number;
}

export interface IdentifyOptions {
  /** Number of virtual links; there is one joint less. */
  readonly links?: number;
  /** Joint positions from the root, m, if they are known. */
  readonly cuts?: readonly number[];
  /** Shortest first link relative to the rod length. */
  readonly shortestStub?: number;
  readonly starts?: number;
}

export interface IdentifiedRod {
  readonly cuts: readonly number[];
  readonly stiffnesses: readonly number[];
  /** Σ w (relative misfit)², eq. 1. */
  readonly criterion: number;
  readonly rows: readonly {
    readonly measurement: Measurement;
    readonly model: number;
    readonly misfit: number;
    readonly sigmas: number;
  }[];
  /** Standard errors; infinite if the measurements do not determine a parameter. */
  readonly uncertainty: { readonly cuts: readonly number[]; readonly stiffnesses: readonly number[] };
  /** Source of the standard errors: the given errors, or the quality of the fit. */
  readonly basis: "errors" | "fit" | "none";
  /** Other solutions that fit equally well. For example, two frequencies can have two solutions. The one nearest to a uniform rod is returned. */
  readonly alternatives: readonly { readonly cuts: readonly number[]; readonly stiffnesses: readonly number[] }[];
  /** Parameters that the measurements do not determine, in words. */
  readonly open: readonly string[];
  /** Measurements that contradict the others, in words. */
  readonly contradictions: readonly string[];
}

/** Deviations beyond this many standard errors are contradictions; without errors, beyond this relative misfit. */
const SIGMAS = 3;
const LARGEST_MISFIT = 0.1;
const UNDETERMINED = 1e-9;
const DEFAULT_STARTS = 60;
/** Criteria that differ by less count as equal; likewise positions and logarithms of stiffnesses. */
const SAME_COST = 1e-9;
const SAME_PLACE = 1e-3;

export const weightOf = ({ weight, error }: Measurement): number => weight ?? (error === undefined ? 1 : 1 / (error * error));

/** Measurements with neither error nor weight, if others have an error: they have almost no influence then. */
export const measurementsWithoutWeight = (measurements: readonly Measurement[]): readonly string[] =>
  measurements.some((m) => m.error !== undefined)
    ? measurements.filter((m) => m.error === undefined && m.weight === undefined).map(measurementName)
    : [];

/** Model value of a measurement. */
export function modelValue(
  rod: RodData,
  at: readonly number[],
  k: readonly number[],
  { kind, mode = 1, tipMass = 0 }: Measurement,
): number {
  return kind === "frequency" ? (rodFrequencies(rod, at, k, tipMass)[mode - 1] ?? Number.NaN) : rodCompliance(rod, at, k, kind);
}

/** @throws ArgumentError for invalid or insufficient measurements. */
export function identify(rod: RodData, measurements: readonly Measurement[], options: IdentifyOptions = {}): IdentifiedRod {
  checkRod(rod);
  checkList("measurements", measurements, "measurements");
  checkOptions("options", options, ["links", "cuts", "shortestStub", "starts"]);
  const { cuts, shortestStub = 0, starts = DEFAULT_STARTS } = options;
  const n = cuts?.length ?? (options.links ?? 3) - 1;
  checkMeasurements(rod, measurements, n, cuts);
  const searchesCuts = cuts === undefined;
  const cutsOf = (x: Float64Array): readonly number[] =>
    searchesCuts ? Array.from(x.subarray(0, n), (v) => v * rod.length) : cuts;
  const stiffnessesOf = (x: Float64Array): number[] => Array.from(x.subarray(searchesCuts ? n : 0), exponential);
  const gap = 1e-4;
  const confine = (x: Float64Array): void => {
    if (!searchesCuts) return;
    for (let j = 0; j < n; j++) x[j] = Math.max(x[j]!, j === 0 ? shortestStub : x[j - 1]! + gap);
    for (let j = n - 1; j >= 0; j--) x[j] = Math.min(x[j]!, j === n - 1 ? 1 - gap : x[j + 1]! - gap);
  };
  const residuals = (x: Float64Array): Float64Array => {
    const [cutPositions, k] = [cutsOf(x), stiffnessesOf(x)];
    return Float64Array.from(measurements, (m) => Math.sqrt(weightOf(m)) * (modelValue(rod, cutPositions, k, m) / m.value - 1));
  };
  const fits: LeastSquaresFit[] = [];
  for (const start of startingPoints(rod, measurements, n, searchesCuts, starts)) {
    const fit = leastSquares({ residuals, confine }, start);
    if (Number.isFinite(fit.cost)) fits.push(fit);
  }
  if (fits.length === 0) throw new DivergenceError("no stiffness gives finite values: check the measurements");
  const least = Math.min(...fits.map((fit) => fit.cost));
  const [best, ...others] = distinctFits(fits.filter((fit) => fit.cost <= least * (1 + SAME_COST) + SAME_COST)) as [
    LeastSquaresFit,
    ...LeastSquaresFit[],
  ];
  const [cutPositions, k] = [cutsOf(best.x), stiffnessesOf(best.x)];
  const names = [...(searchesCuts ? cutPositions.map((_, j) => `cut ${j + 1}`) : []), ...k.map((_, j) => `stiffness ${j + 1}`)];
  const { sigma, basis, open } = uncertaintyOf(best, measurements, names);
  const rows = measurements.map((measurement) => {
    const model = modelValue(rod, cutPositions, k, measurement);
    const misfit = model / measurement.value - 1;
    return { measurement, model, misfit, sigmas: measurement.error === undefined ? Number.NaN : misfit / measurement.error };
  });
  return {
    cuts: cutPositions,
    stiffnesses: k,
    criterion: best.cost,
    rows,
    uncertainty: {
      cuts: searchesCuts ? cutPositions.map((_, j) => sigma[j]! * rod.length) : cutPositions.map(() => 0),
      stiffnesses: k.map((value, j) => sigma[(searchesCuts ? n : 0) + j]! * value),
    },
    basis,
    alternatives: open.length > 0 ? [] : others.map(({ x }) => ({ cuts: cutsOf(x), stiffnesses: stiffnessesOf(x) })),
    open:
      open.length > 0 || others.length === 0 ? open : [describeAlternatives([best, ...others].map(({ x }) => stiffnessesOf(x)))],
    contradictions: contradictionsOf(rod, rows),
  };
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

function checkMeasurements(
  rod: RodData,
  measurements: readonly Measurement[],
  n: number,
  cuts: readonly number[] | undefined,
): void {
  if (!(Number.isInteger(n) && n >= 1 && n <= 12))
    throw new ArgumentError("links", `two to thirteen links can be identified, got ${n + 1}`);
  for (const m of measurements) {
    if (!(m.value > 0 && Number.isFinite(m.value)))
      throw new ArgumentError("measurements", `${measurementName(m)} must be positive, got ${m.value}`);
    if (m.kind === "frequency" && !((m.mode ?? 1) >= 1 && (m.mode ?? 1) <= n))
      throw new ArgumentError(
        "measurements",
        `${measurementName(m)}: ${n + 1} links have ${n} modes; give more links or leave it out`,
      );
  }
  for (const [j, x] of (cuts ?? []).entries())
    if (!(x >= 0 && x > (cuts![j - 1] ?? -1) && x < rod.length))
      throw new ArgumentError(`cuts[${j}]`, `cut ${j + 1} must lie beyond the one before it and before the tip, got ${x}`);
  // A slope by a force and a deflection by a moment are the same number.
  const keyOf = (m: Measurement): string =>
    m.kind === "frequency" ? `f${m.mode ?? 1}/${m.tipMass ?? 0}` : m.kind === "deflection-by-moment" ? "slope-by-force" : m.kind;
  const distinctKeys = new Set(measurements.map(keyOf));
  const unknowns = (cuts === undefined ? 2 : 1) * n;
  if (distinctKeys.size >= unknowns) return;
  const missing = [
    ...Array.from({ length: n }, (_, i) => `f${i + 1}/0`),
    ...["deflection-by-force", "slope-by-force", "slope-by-moment"],
  ].filter((w) => !distinctKeys.has(w));
  const missingText = missing.map((w) => (w.startsWith("f") ? `frequency of mode ${w.slice(1, -2)}` : w)).join(", ");
  throw new ArgumentError(
    "measurements",
    `${unknowns} unknowns (${cuts === undefined ? "cuts and stiffnesses" : "stiffnesses"} of ${n} joints), but ${distinctKeys.size} independent ${distinctKeys.size === 1 ? "measurement" : "measurements"}. ` +
      `Measure also ${missingText || "with masses on the tip"}${cuts === undefined ? "; or give the cuts" : ""}`,
  );
}

export const measurementName = ({ kind, mode = 1, tipMass = 0 }: Measurement): string =>
  (kind === "frequency" ? `frequency ${mode}` : kind) + (tipMass > 0 ? ` with ${tipMass} kg` : "");

/** EI of the uniform clamped rod that has this value: the stiffness according to one measurement alone. */
export function impliedEI({ length, mass }: RodData, { kind, mode = 1, value, tipMass = 0 }: Measurement): number {
  if (kind === "deflection-by-force") return cube(length) / (3 * value);
  if (kind === "slope-by-moment") return length / value;
  if (kind !== "frequency") return square(length) / (2 * value);
  return mass * cube(length) * square((2 * Math.PI * value) / square(beamRoot(mode, tipMass / mass)));
}

/** Start points: cuts as for a uniform rod, then random ones; stiffnesses around those of the mean EI. Always the same numbers. */
function* startingPoints(
  rod: RodData,
  measurements: readonly Measurement[],
  n: number,
  free: boolean,
  starts: number,
): Generator<Float64Array> {
  const impliedValues = measurements.map((m) => impliedEI(rod, m)).filter(Number.isFinite);
  const EI = exponential(impliedValues.reduce((sum, v) => sum + logarithm(v), 0) / Math.max(1, impliedValues.length)) || 1;
  const { at, weights } = uniformJointPositions(n);
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
  for (let s = 0; s < starts; s++) {
    const positions = s === 0 ? [...at] : Array.from({ length: n }, random).sort((a, b) => a - b);
    const k = weights.map((w) => logarithm(EI / (w * rod.length)) + (s === 0 ? 0 : 2 * random() - 1));
    yield Float64Array.from(free ? [...positions, ...k] : k);
  }
}

/** Standard errors from the eigenvectors of JᵀJ. Directions with almost no influence on the measurements are undetermined. */
function uncertaintyOf({ J, cost, x, r }: LeastSquaresFit, measurements: readonly Measurement[], names: readonly string[]) {
  const [n, rows] = [x.length, r.length];
  const A = new Float64Array(n * n);
  for (let a = 0; a < n; a++)
    for (let b = 0; b < n; b++) for (let i = 0; i < rows; i++) A[a * n + b]! += J[i * n + a]! * J[i * n + b]!;
  // A parameter at its bound does not vary.
  const varies = names.map((_, j) => A[j * n + j]! > 0);
  for (const [j, v] of varies.entries()) if (!v) A[j * n + j] = 1;
  const { values, vectors } = tridiagonalEigen(A, n);
  const largest = Math.max(...values);
  const hasErrors = measurements.every((m) => m.error !== undefined);
  const surplus = rows - n;
  const scale = hasErrors ? 1 : surplus > 0 ? cost / surplus : Number.NaN;
  const sigma = new Float64Array(n);
  const open: string[] = [];
  for (let c = 0; c < n; c++) {
    const isDetermined = values[c]! > UNDETERMINED * largest;
    if (!isDetermined) open.push(names.filter((_, j) => Math.abs(vectors[j * n + c]!) > 0.2).join(" and "));
    for (let j = 0; j < n; j++) {
      const share = square(vectors[j * n + c]!);
      if (!isDetermined && share > 1e-6) sigma[j] = Number.POSITIVE_INFINITY;
      else if (isDetermined) sigma[j]! += (share / values[c]!) * scale;
    }
  }
  const basis: IdentifiedRod["basis"] = hasErrors ? "errors" : surplus > 0 ? "fit" : "none";
  return { sigma: sigma.map((v, j) => (varies[j] ? Math.sqrt(v) : 0)), basis, open };
}

export function contradictionsOf(rod: RodData, rows: IdentifiedRod["rows"]): readonly string[] {
  const contradicting = rows.filter(({ misfit, sigmas }) =>
    Number.isNaN(sigmas) ? Math.abs(misfit) > LARGEST_MISFIT : Math.abs(sigmas) > SIGMAS,
  );
  if (contradicting.length === 0) return [];
  const implied = rows
    .map(({ measurement }) => ({ name: measurementName(measurement), EI: impliedEI(rod, measurement) }))
    .filter(({ EI }) => Number.isFinite(EI));
  const worst = contradicting
    .map(({ measurement, misfit, sigmas }) => {
      const amount = `${misfit > 0 ? "+" : ""}${(100 * misfit).toPrecision(3)} %`;
      return `${measurementName(measurement)} is off by ${amount}${Number.isNaN(sigmas) ? "" : `, ${Math.abs(sigmas).toPrecision(2)} standard errors`}`;
    })
    .join("; ");
  const list = implied.map(({ name, EI }) => `${name} ${+EI.toPrecision(3)}`).join(", ");
  return [
    `the measurements contradict each other; in the best fit ${worst}`,
    `EI of a uniform rod, N m², by each of them alone: ${list}`,
  ];
}
