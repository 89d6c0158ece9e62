/** Damping of virtual links from measured damping ratios of the clamped rod's modes, in three forms. */

import { checkList, checkNumbers, checkOptions, checkVector } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import { realEigenvalues } from "../../math/eigen/real-eigenvalues.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { square } from "../../math/elementary/power.ts";
import { choleskySolver } from "../../math/linear/cholesky.ts";
import { leastSquares } from "../../math/optimise/least-squares.ts";
import { modalDamping } from "../../model/elastic/damping.ts";
import { clampedModes } from "../../model/elastic/joints.ts";
import { checkRod, type RodData, type RodFreedom, rodMass } from "./rod-model.ts";

/** Damping ratio ζ of a logarithmic decrement. */
export const ratioOfDecrement = (decrement: number): number => decrement / hypotenuse(2 * Math.PI, decrement);

export interface MeasuredRatio {
  /** Number of the mode, from 1. */
  readonly mode: number;
  readonly ratio: number;
  /** Relative standard error. */
  readonly error?: number;
  /** The motion that was measured. Default: bending about z. */
  readonly freedom?: RodFreedom;
  /** Mass on the tip while it was measured, kg, and its inertia about the axis of the freedom, kg m². */
  readonly tipMass?: number;
  readonly tipInertia?: number;
}

export interface IdentifiedDamping {
  /** Proportional to stiffness, d = time × k; exact for the slowest measured mode. */
  readonly proportional: { readonly time: number; readonly timeError: number; readonly dampers: readonly number[] };
  /** One damper per joint, none negative, fitted to the ratios; standard errors; and the resulting ratios. */
  readonly dampers: {
    readonly values: readonly number[];
    /** From the errors of the ratios and stiffnesses; NaN if a ratio has no error. */
    readonly errors: readonly number[];
    /** In the order of the measured ratios. */
    readonly ratios: readonly number[];
    readonly feasible: boolean;
  };
  /** Damping matrix with exactly these ratios. Ratios of modes that were not measured are proportional to frequency. */
  readonly matrix: readonly (readonly number[])[];
  /** Contradicting ratios of one mode, in words. */
  readonly contradictions: readonly string[];
}

/** Relative error up to which a ratio counts as met. */
const RATIO_TOLERANCE = 1e-6;
/** Two measurements of one ratio contradict each other beyond this many standard errors; without errors, beyond this relative misfit. */
const SIGMAS = 3;
const LARGEST_MISFIT = 0.1;
/** Dampers below this part of the stiffness-proportional ones are set to zero. */
const NO_DAMPER = 1e-12;
/** Relative step of the differences for standard errors. */
const DIFFERENCE_STEP = 1e-4;

export interface DampingOptions {
  /** Tip mass during the measurements that are given as plain numbers, kg. */
  readonly tipMass?: number;
  /** Standard errors of the stiffnesses. */
  readonly stiffnessErrors?: readonly number[];
  /** Positions where the mass is divided, if not at the joints. */
  readonly cuts?: readonly number[];
}

/** The mass matrix while a ratio was measured. */
type MassOf = (measured: Pick<MeasuredRatio, "tipMass" | "tipInertia">) => Float64Array;

/** Plain numbers among the ratios are those of modes 1, 2, ... @throws ArgumentError for an invalid ratio, or a mode that does not exist. */
export function identifyDamping(
  rod: RodData,
  at: readonly number[],
  k: readonly number[],
  ratios: readonly (number | MeasuredRatio)[],
  options: DampingOptions = {},
): IdentifiedDamping {
  checkRod(rod);
  checkNumbers("at", at, "positions of joints");
  checkVector("k", k, at.length, "one stiffness for each joint");
  checkList("ratios", ratios, "damping ratios");
  checkOptions("options", options, ["tipMass", "stiffnessErrors", "cuts"]);
  const { tipMass = 0, stiffnessErrors = [], cuts = at } = options;
  const ratioList = ratios.map((r, i): MeasuredRatio => (typeof r === "number" ? { mode: i + 1, ratio: r, tipMass } : r));
  checkRatios(ratioList, k.length);
  const freedom = ratioList[0]!.freedom ?? "rz";
  const massOf: MassOf = ({ tipMass: mass = 0, tipInertia = 0 }) =>
    rodMass(rod, at, { freedom, cuts, tipMass: mass, tipInertia });
  const { measured, contradictions } = mergeRepeatedRatios(ratioList);
  const slowest = measured.reduce((a, b) => (b.mode < a.mode ? b : a));
  const omegaOf = (m: MeasuredRatio, stiffness: readonly number[]): number =>
    clampedModes(massOf(m), stiffness).omega[m.mode - 1]!;
  const timeOf = (stiffness: readonly number[], ratio = slowest.ratio): number => (2 * ratio) / omegaOf(slowest, stiffness);
  const { values, feasible, met } = fitDampers(massOf, k, measured);
  // Contributions of each ratio and each stiffness to the variance of the dampers and of the time.
  const variance = { dampers: k.map(() => 0), time: 0 };
  const vary = (sigma: number, changed: (sign: 1 | -1) => { dampers: readonly number[]; time: number }): void => {
    const [up, down] = [changed(1), changed(-1)];
    for (const j of k.keys())
      variance.dampers[j]! += square(((up.dampers[j]! - down.dampers[j]!) / (2 * DIFFERENCE_STEP)) * sigma);
    variance.time += square(((up.time - down.time) / (2 * DIFFERENCE_STEP)) * sigma);
  };
  for (const [i, m] of measured.entries())
    vary(m.error ?? Number.NaN, (sign) => {
      const changedRatios = measured.with(i, { ...m, ratio: m.ratio * (1 + sign * DIFFERENCE_STEP) });
      return {
        dampers: fitDampers(massOf, k, changedRatios, values).values,
        time: timeOf(k, changedRatios[measured.indexOf(slowest)]!.ratio),
      };
    });
  for (const [j, error] of stiffnessErrors.entries())
    if (error > 0 && Number.isFinite(error))
      vary(error / k[j]!, (sign) => {
        const changedStiffnesses = k.with(j, k[j]! * (1 + sign * DIFFERENCE_STEP));
        return { dampers: fitDampers(massOf, changedStiffnesses, measured, values).values, time: timeOf(changedStiffnesses) };
      });
  const D = modalDamping(massOf(slowest), k, allRatios(massOf, k, measured, slowest));
  const n = k.length;
  return {
    proportional: { time: timeOf(k), timeError: Math.sqrt(variance.time), dampers: k.map((v) => timeOf(k) * v) },
    dampers: { values, errors: variance.dampers.map(Math.sqrt), ratios: met, feasible },
    matrix: k.map((_, i) => Array.from(D.subarray(i * n, (i + 1) * n))),
    contradictions,
  };
}

function checkRatios(ratios: readonly MeasuredRatio[], n: number): void {
  if (ratios.length === 0) throw new ArgumentError("ratios", "no damping ratio is given");
  for (const { mode, ratio, tipMass = 0, freedom = "rz" } of ratios) {
    if (!(Number.isInteger(mode) && mode >= 1 && mode <= n))
      throw new ArgumentError(
        "ratios",
        `damping ratio of mode ${mode}: ${n + 1} links have ${n} modes; give more links or leave it out`,
      );
    if (!(ratio >= 0 && ratio < 1)) throw new ArgumentError("ratios", `a damping ratio must be from 0 to below 1, got ${ratio}`);
    if ((ratios[0]!.freedom ?? "rz") !== freedom)
      throw new ArgumentError("ratios", "must be of one freedom; identify the damping of each freedom by itself");
    if (!(tipMass >= 0)) throw new ArgumentError("ratios", `a tip mass must not be negative, got ${tipMass}`);
  }
}

/** Combines several measurements of one mode with the same tip mass into their mean, weighted by their errors. */
function mergeRepeatedRatios(given: readonly MeasuredRatio[]) {
  const groups = new Map<string, MeasuredRatio[]>();
  for (const m of given) {
    const key = `${m.mode}/${m.tipMass ?? 0}/${m.tipInertia ?? 0}`;
    groups.set(key, [...(groups.get(key) ?? []), m]);
  }
  const contradictions: string[] = [];
  const measured = [...groups.values()].map((group): MeasuredRatio => {
    const [first] = group as [MeasuredRatio, ...MeasuredRatio[]];
    if (group.length === 1) return first;
    const haveErrors = group.every((m) => m.error !== undefined);
    const sigmas = group.map((m) => (haveErrors ? m.error! * m.ratio : 1));
    const weight = sigmas.reduce((sum, s) => sum + 1 / square(s), 0);
    const ratio = group.reduce((sum, m, i) => sum + m.ratio / square(sigmas[i]!), 0) / weight;
    const contradict = group.some(
      (m, i) => Math.abs(m.ratio - ratio) > (haveErrors ? SIGMAS * sigmas[i]! : LARGEST_MISFIT * ratio),
    );
    if (contradict)
      contradictions.push(`damping ratios of mode ${first.mode}: ${group.map((m) => +m.ratio.toPrecision(4)).join(", ")}`);
    const { error: _, ...rest } = first;
    return { ...rest, ratio, ...(haveErrors && { error: Math.sqrt(1 / weight) / ratio }) };
  });
  return { measured: measured.sort((a, b) => a.mode - b.mode), contradictions };
}

/** Fits d ≥ 0 to the ratios: first by the linear relation Σ_j Φ_ji² d_j = 2 ζ_i ω_i, then by the exact eigenvalues. */
function fitDampers(
  massOf: MassOf,
  k: readonly number[],
  measured: readonly MeasuredRatio[],
  start?: readonly number[],
): { readonly values: readonly number[]; readonly feasible: boolean; readonly met: readonly number[] } {
  const n = k.length;
  const cases = measured.map((m) => {
    const { mode, ratio } = m;
    const M = massOf(m);
    const { omega, shapes } = clampedModes(M, k);
    return { M, mode, ratio, omega: omega[mode - 1]!, row: k.map((_, j) => square(shapes[j * n + mode - 1]!)) };
  });
  const time = (2 * cases[0]!.ratio) / cases[0]!.omega;
  const scale = k.map((v) => v * (time || 1e-6));
  const dampersOf = (x: Float64Array): number[] => Array.from(x, (v, j) => v * scale[j]!);
  const confine = (x: Float64Array): void => {
    for (let j = 0; j < n; j++) if (!(x[j]! > NO_DAMPER)) x[j] = 0;
  };
  const linear = (d: readonly number[]): number[] =>
    cases.map((c) => c.row.reduce((sum, v, j) => sum + v * d[j]!, 0) / (2 * c.omega));
  const exact = (d: readonly number[]): number[] | undefined => {
    const modelRatios = cases.map((c) => dampedRatios(c.M, k, d)?.[c.mode - 1]);
    return modelRatios.every((z) => z !== undefined) ? (modelRatios as number[]) : undefined;
  };
  const fitRatios = (ratiosOf: (d: readonly number[]) => readonly number[], from: Float64Array) => {
    const residuals = (x: Float64Array): Float64Array => {
      const modelRatios = ratiosOf(dampersOf(x));
      return Float64Array.from(cases, (c, i) => (modelRatios[i]! - c.ratio) / (c.ratio || 1));
    };
    return leastSquares({ residuals, confine, maxSteps: 300 }, from);
  };
  let fit = fitRatios(linear, start ? Float64Array.from(start, (v, j) => v / scale[j]!) : Float64Array.from(k, () => 1));
  let ratiosOf = linear;
  if (exact(dampersOf(fit.x)) !== undefined) {
    ratiosOf = (d) => exact(d) ?? linear(d);
    fit = fitRatios(ratiosOf, fit.x);
  }
  const values = dampersOf(fit.x);
  return { values, feasible: fit.cost < RATIO_TOLERANCE, met: ratiosOf(values) };
}

/** Damping ratios of M ẍ + diag(d) ẋ + diag(k) x = 0, slowest mode first; undefined if a mode does not oscillate. */
function dampedRatios(M: Float64Array, k: readonly number[], d: readonly number[]): readonly number[] | undefined {
  const n = k.length;
  const cholesky = choleskySolver(n);
  if (cholesky.factor(Float64Array.from(M)) >= 0) return undefined;
  const A = new Float64Array(4 * n * n);
  for (let j = 0; j < n; j++) {
    A[j * 2 * n + n + j] = 1;
    const column = new Float64Array(n);
    column[j] = 1;
    cholesky.solve(column);
    for (let i = 0; i < n; i++) {
      A[(n + i) * 2 * n + j] = -column[i]! * k[j]!;
      A[(n + i) * 2 * n + n + j] = -column[i]! * d[j]!;
    }
  }
  const { re, im } = realEigenvalues(A, 2 * n);
  const oscillating = Array.from(re.keys()).filter((i) => im[i]! > 0);
  if (oscillating.length !== n) return undefined;
  const size = (i: number): number => hypotenuse(re[i]!, im[i]!);
  return oscillating.sort((a, b) => size(a) - size(b)).map((i) => -re[i]! / size(i));
}

/** Ratios of modes 1, 2, ... up to the last one measured with this tip mass; missing ones are proportional to frequency. */
function allRatios(
  massOf: MassOf,
  k: readonly number[],
  measured: readonly MeasuredRatio[],
  { tipMass = 0, tipInertia = 0 }: MeasuredRatio,
): number[] {
  const sameTip = measured.filter((m) => (m.tipMass ?? 0) === tipMass && (m.tipInertia ?? 0) === tipInertia);
  const { omega } = clampedModes(massOf({ tipMass, tipInertia }), k);
  return Array.from({ length: sameTip.at(-1)!.mode }, (_, i) => {
    const nearest = sameTip.findLast((m) => m.mode <= i + 1) ?? sameTip[0]!;
    return nearest.ratio * (omega[i]! / omega[nearest.mode - 1]!);
  });
}
