/** Files of measurements: a rod, what was measured of it, and how to search. */

import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber, readNumbers } from "../../declare/plain-data.ts";
import { readQuantity, type SiUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { type MeasuredRatio, ratioOfDecrement } from "./damping.ts";
import { type Decay, fitDecays } from "./decay.ts";
import type { GridOptions } from "./grid-search.ts";
import type { IdentifyOptions, Measurement } from "./identify.ts";
import { type RodData, STATIC_KINDS } from "./rod-model.ts";

export interface IdentifyFile {
  readonly name: string;
  readonly rod: RodData;
  readonly measurements: readonly Measurement[];
  readonly ratios: readonly MeasuredRatio[];
  readonly decays: readonly (Decay & { readonly mode: number })[];
  readonly options: IdentifyOptions;
  readonly grid?: GridOptions;
}

const KEYS = ["castor", "name", "length", "mass", "diameter", "links", "cuts", "shortestStub", "measurements", "grid"];
const KINDS = ["frequency", ...STATIC_KINDS, "damping-ratio", "decrement", "decay"];
/** Of a value by itself, and of the load that it was measured under. */
const UNITS: Readonly<Record<Measurement["kind"], { readonly own: SiUnit; readonly load: SiUnit }>> = {
  frequency: { own: "Hz", load: "" },
  "deflection-by-force": { own: "m/N", load: "N" },
  "slope-by-force": { own: "", load: "N" },
  "deflection-by-moment": { own: "", load: "N m" },
  "slope-by-moment": { own: "", load: "N m" },
};
const MEASUREMENT_KEYS = ["kind", "mode", "modes", "value", "load", "weight", "error", "tipMass", "step", "values"];
const MAX_MEASUREMENTS = 200;
const DEFAULT_LINKS = 3;
const MAX_LINKS = 13;

/** Measurements from plain data; undefined after a problem. */
export function readIdentification(data: unknown, problems: Problem[]): IdentifyFile | undefined {
  const fields = readFields(data, "", KEYS, problems);
  return fields && readFileFields(fields, problems);
}

function readFileFields(fields: Fields, problems: Problem[]): IdentifyFile | undefined {
  const before = problems.length;
  const positive = (from: Fields, key: string, unit: SiUnit, path: string): number | undefined => {
    const value = readQuantity(from[key], unit, childPath(path, key), problems);
    if (value !== undefined && !(value > 0))
      problems.push({ path: childPath(path, key), message: "must be positive", value: valueText(value) });
    return value;
  };
  const length = positive(fields, "length", "m", "");
  const mass = positive(fields, "mass", "kg", "");
  const diameter = fields.diameter === undefined ? undefined : positive(fields, "diameter", "m", "");
  const { links, cuts } = readLinks(fields, length, problems);
  const joints = cuts?.length ?? (links ?? DEFAULT_LINKS) - 1;
  const shortestStub = fields.shortestStub === undefined ? undefined : readNumber(fields.shortestStub, "shortestStub", problems);
  if (shortestStub !== undefined && !(shortestStub >= 0 && shortestStub < 1))
    problems.push({
      path: "shortestStub",
      message: "must be from 0 to below 1: a part of the length",
      value: valueText(shortestStub),
    });
  const items = (readArray(fields.measurements, "measurements", "a list of measurements", problems) ?? []).slice(
    0,
    MAX_MEASUREMENTS,
  );
  const measurements: Measurement[] = [];
  const ratios: MeasuredRatio[] = [];
  const decays: (Decay & { mode: number })[] = [];
  for (const [i, item] of items.entries()) {
    const path = childPath("measurements", i);
    const m = readFields(item, path, MEASUREMENT_KEYS, problems);
    if (m === undefined) continue;
    if (typeof m.kind !== "string" || !KINDS.includes(m.kind)) {
      problems.push({
        path: childPath(path, "kind"),
        message: "no such kind of measurement",
        value: valueText(m.kind),
        advice: didYouMean(m.kind, KINDS),
      });
      continue;
    }
    const before = problems.length;
    const mode = m.mode === undefined ? 1 : readMode(m.mode, joints, childPath(path, "mode"), problems);
    const tipMass = m.tipMass === undefined ? 0 : (readQuantity(m.tipMass, "kg", childPath(path, "tipMass"), problems) ?? 0);
    if (tipMass < 0)
      problems.push({ path: childPath(path, "tipMass"), message: "must not be negative", value: valueText(tipMass) });
    reportForeignKeys(m, path, problems);
    const optional = (key: "weight" | "error"): Partial<Record<"weight" | "error", number>> => {
      const value = m[key] === undefined ? undefined : positive(m, key, "", path);
      return value === undefined ? {} : { [key]: value };
    };
    const tip = tipMass > 0 && { tipMass };
    const [weight, error] = [optional("weight"), optional("error")];
    if (m.kind === "decay") {
      const modes = m.modes === undefined ? [mode] : readModes(m.modes, joints, childPath(path, "modes"), problems);
      if (problems.length > before) continue;
      for (const [k, decay] of (readDecays(m, modes.length, path, problems) ?? []).entries()) {
        const own = modes[k]!;
        const { frequency, frequencyError, dampingRatio, dampingRatioError } = decay;
        decays.push({ ...decay, mode: own });
        const relative = { error: frequencyError / frequency, ...weight, ...error };
        measurements.push({ kind: "frequency", mode: own, value: frequency, ...tip, ...relative });
        if (dampingRatio >= 0) ratios.push({ mode: own, ratio: dampingRatio, error: dampingRatioError / dampingRatio, ...tip });
      }
    } else if (m.kind === "damping-ratio" || m.kind === "decrement") {
      const value = readNumber(m.value, childPath(path, "value"), problems);
      if (value === undefined) continue;
      const isRatio = m.kind === "damping-ratio";
      if (!(value >= 0 && (!isRatio || value < 1)))
        problems.push({
          path: childPath(path, "value"),
          message: isRatio ? "must be from 0 to below 1" : "must not be negative",
          value: valueText(value),
        });
      else ratios.push({ mode, ratio: isRatio ? value : ratioOfDecrement(value), ...error, ...tip });
    } else {
      const { own, load: loadUnit } = UNITS[m.kind as Measurement["kind"]];
      const load = m.load === undefined ? 1 : positive(m, "load", loadUnit, path);
      const value = positive(m, "value", m.load === undefined ? own : m.kind.startsWith("slope") ? "rad" : "m", path);
      if (value !== undefined && load !== undefined)
        measurements.push({ kind: m.kind as Measurement["kind"], mode, value: value / load, ...tip, ...weight, ...error });
    }
  }
  const grid = fields.grid === undefined ? undefined : readGrid(fields.grid, joints, problems);
  if (problems.length > before || length === undefined || mass === undefined) return undefined;
  return {
    name: typeof fields.name === "string" ? fields.name : "rod",
    rod: { length, mass, ...(diameter !== undefined && { diameter }) },
    measurements,
    ratios,
    decays,
    options: {
      ...(links !== undefined && { links }),
      ...(cuts && { cuts }),
      ...(shortestStub !== undefined && { shortestStub }),
    },
    ...(grid && { grid }),
  };
}

/** How many links, or where they are cut. */
function readLinks(fields: Fields, length: number | undefined, problems: Problem[]): Pick<IdentifyOptions, "links" | "cuts"> {
  const links = fields.links === undefined ? undefined : readNumber(fields.links, "links", problems);
  const isCount = (n: number): boolean => Number.isInteger(n) && n >= 2 && n <= MAX_LINKS;
  if (links !== undefined && !isCount(links))
    problems.push({ path: "links", message: `must be a whole number from 2 to ${MAX_LINKS}`, value: valueText(links) });
  if (fields.cuts === undefined) return links !== undefined && isCount(links) ? { links } : {};
  const items = readArray(fields.cuts, "cuts", "a list of distances from the root", problems) ?? [];
  if (items.length === 0 || items.length >= MAX_LINKS)
    problems.push({ path: "cuts", message: `must list 1 to ${MAX_LINKS - 1} distances, has ${items.length}` });
  else if (links !== undefined && isCount(links) && links !== items.length + 1)
    problems.push({
      path: "links",
      message: `must be ${items.length + 1}, one more than the ${items.length} cuts`,
      value: valueText(links),
      advice: "Leave links out where cuts are given",
    });
  const cuts = items.slice(0, MAX_LINKS).map((v, i) => readQuantity(v, "m", childPath("cuts", i), problems));
  for (const [i, x] of cuts.entries()) {
    const least = i === 0 ? 0 : cuts[i - 1];
    if (x === undefined || least === undefined || length === undefined) continue;
    if (x >= least && (i === 0 || x > least) && x < length) continue;
    const message = i === 0 ? "must lie between the root and the tip" : "must lie beyond the cut before it, and before the tip";
    problems.push({ path: childPath("cuts", i), message: `${message} at ${length} m`, value: valueText(x) });
  }
  return { cuts: cuts.map((x) => x ?? 0) };
}

/** What another kind has. */
function reportForeignKeys(m: Fields, path: string, problems: Problem[]): void {
  const isStatic = (STATIC_KINDS as readonly unknown[]).includes(m.kind);
  const taken = ["kind", "tipMass", "weight", "error"].concat(
    m.kind === "decay" ? ["mode", "modes", "step", "values"] : isStatic ? ["value", "load"] : ["mode", "value"],
  );
  for (const key of Object.keys(m))
    if (!taken.includes(key) && MEASUREMENT_KEYS.includes(key))
      problems.push({
        path: childPath(path, key),
        message: `a measurement of kind ${m.kind} has no ${key}`,
        value: valueText(m[key]),
        advice: `It has ${taken.slice(1).join(", ")}`,
      });
}

function readMode(value: unknown, most: number, path: string, problems: Problem[]): number {
  const mode = readNumber(value, path, problems);
  if (mode === undefined || (Number.isInteger(mode) && mode >= 1 && mode <= most)) return mode ?? 1;
  problems.push({
    path,
    message: `must be a whole number from 1 to ${most}: ${most + 1} links have ${most} modes`,
    value: valueText(value),
    advice: "Give more links, or leave it out",
  });
  return 1;
}

/** Rising, as the frequencies in the curve are. */
function readModes(value: unknown, most: number, path: string, problems: Problem[]): readonly number[] {
  const items = readArray(value, path, "a list of modes", problems) ?? [];
  const modes = items.slice(0, MAX_LINKS).map((item, i) => readMode(item, most, childPath(path, i), problems));
  if (modes.length === 0 || modes.some((mode, i) => i > 0 && mode <= modes[i - 1]!))
    problems.push({ path, message: "must list the modes that swing in the curve, slowest first", value: valueText(value) });
  return modes;
}

function readDecays(m: Fields, modes: number, path: string, problems: Problem[]): readonly Decay[] | undefined {
  const step = readQuantity(m.step, "s", childPath(path, "step"), problems);
  if (step !== undefined && !(step > 0))
    problems.push({ path: childPath(path, "step"), message: "must be positive", value: valueText(step) });
  const items = readArray(m.values, childPath(path, "values"), "a list of numbers", problems);
  const values = items && readNumbers(items, childPath(path, "values"), items.length, problems);
  if (step === undefined || !(step > 0) || values === undefined) return undefined;
  try {
    return fitDecays(
      values.map((_, i) => i * step),
      values,
      modes,
    );
  } catch (error) {
    problems.push({ path: childPath(path, "values"), message: (error as Error).message });
    return undefined;
  }
}

function readGrid(value: unknown, joints: number, problems: Problem[]): GridOptions | undefined {
  const fields = readFields(value, "grid", ["cut", "stub", "stiffness", "longest"], problems);
  if (fields === undefined) return undefined;
  const number = (key: string, usual: number): number =>
    fields[key] === undefined ? usual : (readNumber(fields[key], childPath("grid", key), problems) ?? usual);
  const grid = {
    cut: number("cut", 0.01),
    stub: number("stub", 0.01),
    stiffness: number("stiffness", Number.NaN),
    longest: number("longest", 1),
  };
  if (!(grid.stiffness > 0))
    problems.push({
      path: "grid.stiffness",
      message: "must be positive: the step of the stiffnesses, N m/rad",
      value: valueText(fields.stiffness),
    });
  if (!(grid.cut >= 0.002 && grid.cut <= 0.25))
    problems.push({ path: "grid.cut", message: "must be from 0.002 to 0.25", value: valueText(fields.cut) });
  else if (Math.abs(Math.round(1 / grid.cut) * grid.cut - 1) > 1e-9)
    problems.push({
      path: "grid.cut",
      message: "must divide the length into equal parts",
      value: valueText(fields.cut),
      advice: `Try ${+(1 / Math.round(1 / grid.cut)).toPrecision(6)}`,
    });
  if (!(grid.stub >= 0 && grid.stub < 1))
    problems.push({
      path: "grid.stub",
      message: "must be from 0 to below 1: a part of the length",
      value: valueText(fields.stub),
    });
  if (!(grid.longest > 0 && grid.longest <= 1))
    problems.push({
      path: "grid.longest",
      message: "must be above 0 and at most 1: a part of the length",
      value: valueText(fields.longest),
    });
  if (joints !== 2)
    problems.push({
      path: "grid",
      message: `is the paper's, for three links, and there are ${joints + 1}`,
      advice: "Leave it out; the free search takes any number of links",
    });
  return grid;
}
