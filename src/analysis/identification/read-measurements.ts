/** Reads the measurements of a measurement file. */
import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber, readNumbers } from "../../declare/plain-data.ts";
import { readQuantity, type SiUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { type MeasuredRatio, ratioOfDecrement } from "./damping.ts";
import { type Decay, fitDecays } from "./decay.ts";
import type { Measurement } from "./measurement.ts";
import { MAX_LINKS, ROD_FREEDOMS, type RodFreedom, STATIC_KINDS } from "./rod-model.ts";

export interface Measurements {
  readonly measurements: Measurement[];
  readonly ratios: MeasuredRatio[];
  readonly decays: (Decay & { readonly mode: number })[];
}

const KINDS = ["frequency", ...STATIC_KINDS, "damping-ratio", "decrement", "decay"];
const MEASUREMENT_KEYS = [
  ...["kind", "freedom", "mode", "modes", "value", "load", "weight", "error", "tipMass", "tipInertia", "step", "values"],
];
const MAX_MEASUREMENTS = 200;
/** Unit of a value without a load, and unit of the load. */
const UNITS: Readonly<Record<Measurement["kind"], { readonly perLoad: SiUnit; readonly load: SiUnit }>> = {
  frequency: { perLoad: "Hz", load: "" },
  "deflection-by-force": { perLoad: "m/N", load: "N" },
  "slope-by-force": { perLoad: "", load: "N" },
  "deflection-by-moment": { perLoad: "", load: "N m" },
  "slope-by-moment": { perLoad: "", load: "N m" },
  "twist-by-torque": { perLoad: "", load: "N m" },
};

/** The keys that all kinds share, after reading. */
interface CommonFields {
  readonly mode: number;
  readonly freedom: { readonly freedom?: RodFreedom };
  readonly tip: { readonly tipMass?: number; readonly tipInertia?: number };
  readonly weight: { readonly weight?: number };
  readonly error: { readonly error?: number };
}

/** @param joints number of joints, which is also the number of modes */
export function readMeasurements(list: unknown, joints: number, problems: Problem[]): Measurements {
  const items = (readArray(list, "measurements", "a list of measurements", problems) ?? []).slice(0, MAX_MEASUREMENTS);
  const into: Measurements = { measurements: [], ratios: [], decays: [] };
  for (const [i, item] of items.entries()) {
    const path = childPath("measurements", i);
    const fields = readFields(item, path, MEASUREMENT_KEYS, problems);
    if (fields !== undefined) readMeasurement(fields, path, joints, problems, into);
  }
  return into;
}

function readMeasurement(fields: Fields, path: string, joints: number, problems: Problem[], into: Measurements): void {
  const { kind } = fields;
  if (typeof kind !== "string" || !KINDS.includes(kind)) {
    problems.push({
      path: childPath(path, "kind"),
      message: "no such kind of measurement",
      value: valueText(kind),
      advice: didYouMean(kind, KINDS),
    });
    return;
  }
  const before = problems.length;
  const common = readCommonFields(fields, path, joints, problems);
  if (kind === "decay") {
    const modes =
      fields.modes === undefined ? [common.mode] : readModes(fields.modes, joints, childPath(path, "modes"), problems);
    if (problems.length === before) addDecays(fields, modes, path, problems, common, into);
  } else if (kind === "damping-ratio" || kind === "decrement") addRatio(fields, path, problems, common, into);
  else addValue(fields, kind as Measurement["kind"], path, problems, common, into);
}

function readCommonFields(fields: Fields, path: string, joints: number, problems: Problem[]): CommonFields {
  const mode = fields.mode === undefined ? 1 : readMode(fields.mode, joints, childPath(path, "mode"), problems);
  const notNegative = (key: "tipMass" | "tipInertia", unit: SiUnit): number => {
    const value = fields[key] === undefined ? 0 : (readQuantity(fields[key], unit, childPath(path, key), problems) ?? 0);
    if (value < 0) problems.push({ path: childPath(path, key), message: "must not be negative", value: valueText(value) });
    return value;
  };
  const [tipMass, tipInertia] = [notNegative("tipMass", "kg"), notNegative("tipInertia", "kg m^2")];
  const freedom = readFreedom(fields, path, problems);
  reportForeignKeys(fields, path, problems);
  const optional = (key: "weight" | "error"): number | undefined =>
    fields[key] === undefined ? undefined : readPositive(fields, key, "", path, problems);
  const [weight, error] = [optional("weight"), optional("error")];
  return {
    mode,
    freedom: freedom === undefined || freedom === "rz" ? {} : { freedom },
    tip: { ...(tipMass > 0 && { tipMass }), ...(tipInertia > 0 && { tipInertia }) },
    weight: weight === undefined ? {} : { weight },
    error: error === undefined ? {} : { error },
  };
}

/** The freedom of a measurement. A deflection or slope is a bending, and a twist by a torque is a twist. */
function readFreedom({ kind, freedom }: Fields, path: string, problems: Problem[]): RodFreedom | undefined {
  if (freedom === undefined) return undefined;
  const isBending = kind !== "twist-by-torque" && (STATIC_KINDS as readonly unknown[]).includes(kind);
  const allowed = kind === "twist-by-torque" ? ["rx"] : isBending ? ["rz", "ry"] : ROD_FREEDOMS;
  if ((allowed as readonly unknown[]).includes(freedom)) return freedom as RodFreedom;
  problems.push({
    path: childPath(path, "freedom"),
    message: `a measurement of kind ${kind} has the freedom ${allowed.join(" or ")}`,
    value: valueText(freedom),
    advice: "rz is bending about z, ry bending about y, rx twist",
  });
  return undefined;
}

/** Fits the decay curve, and adds a frequency and a damping ratio per mode. */
function addDecays(
  fields: Fields,
  modes: readonly number[],
  path: string,
  problems: Problem[],
  { freedom, tip, weight, error }: CommonFields,
  { measurements, ratios, decays }: Measurements,
): void {
  for (const [k, decay] of (readDecays(fields, modes.length, path, problems) ?? []).entries()) {
    const mode = modes[k]!;
    const { frequency, frequencyError, dampingRatio, dampingRatioError } = decay;
    decays.push({ ...decay, mode });
    const relative = { error: frequencyError / frequency, ...weight, ...error };
    measurements.push({ kind: "frequency", mode, value: frequency, ...freedom, ...tip, ...relative });
    if (dampingRatio >= 0)
      ratios.push({ mode, ratio: dampingRatio, error: dampingRatioError / dampingRatio, ...freedom, ...tip });
  }
}

function addRatio(
  fields: Fields,
  path: string,
  problems: Problem[],
  { mode, freedom, tip, error }: CommonFields,
  { ratios }: Measurements,
): void {
  const value = readNumber(fields.value, childPath(path, "value"), problems);
  if (value === undefined) return;
  const isRatio = fields.kind === "damping-ratio";
  if (value >= 0 && (!isRatio || value < 1))
    ratios.push({ mode, ratio: isRatio ? value : ratioOfDecrement(value), ...error, ...freedom, ...tip });
  else
    problems.push({
      path: childPath(path, "value"),
      message: isRatio ? "must be from 0 to below 1" : "must not be negative",
      value: valueText(value),
    });
}

/** Adds a frequency, or a deflection or slope per unit load. */
function addValue(
  fields: Fields,
  kind: Measurement["kind"],
  path: string,
  problems: Problem[],
  { mode, freedom, tip, weight, error }: CommonFields,
  { measurements }: Measurements,
): void {
  const { perLoad, load: loadUnit } = UNITS[kind];
  const load = fields.load === undefined ? 1 : readPositive(fields, "load", loadUnit, path, problems);
  const unit = fields.load === undefined ? perLoad : /^(slope|twist)/.test(kind) ? "rad" : "m";
  const value = readPositive(fields, "value", unit, path, problems);
  if (value !== undefined && load !== undefined)
    measurements.push({ kind, mode, value: value / load, ...freedom, ...tip, ...weight, ...error });
}

export function readPositive(fields: Fields, key: string, unit: SiUnit, path: string, problems: Problem[]): number | undefined {
  const value = readQuantity(fields[key], unit, childPath(path, key), problems);
  if (value !== undefined && !(value > 0))
    problems.push({ path: childPath(path, key), message: "must be positive", value: valueText(value) });
  return value;
}

/** Reports keys that belong to other kinds of measurement. */
function reportForeignKeys(fields: Fields, path: string, problems: Problem[]): void {
  const isStatic = (STATIC_KINDS as readonly unknown[]).includes(fields.kind);
  const allowed = ["kind", "freedom", "tipMass", "tipInertia", "weight", "error"].concat(
    fields.kind === "decay" ? ["mode", "modes", "step", "values"] : isStatic ? ["value", "load"] : ["mode", "value"],
  );
  for (const key of Object.keys(fields))
    if (!allowed.includes(key) && MEASUREMENT_KEYS.includes(key))
      problems.push({
        path: childPath(path, key),
        message: `a measurement of kind ${fields.kind} has no ${key}`,
        value: valueText(fields[key]),
        advice: `It has ${allowed.slice(1).join(", ")}`,
      });
}

function readMode(value: unknown, modeCount: number, path: string, problems: Problem[]): number {
  const mode = readNumber(value, path, problems);
  if (mode === undefined || (Number.isInteger(mode) && mode >= 1 && mode <= modeCount)) return mode ?? 1;
  problems.push({
    path,
    message: `must be a whole number from 1 to ${modeCount}: ${modeCount + 1} links have ${modeCount} modes`,
    value: valueText(value),
    advice: "Give more links, or leave it out",
  });
  return 1;
}

/** Modes in increasing order, as the frequencies in the curve. */
function readModes(value: unknown, modeCount: number, path: string, problems: Problem[]): readonly number[] {
  const items = readArray(value, path, "a list of modes", problems) ?? [];
  const modes = items.slice(0, MAX_LINKS).map((item, i) => readMode(item, modeCount, childPath(path, i), problems));
  if (modes.length === 0 || modes.some((mode, i) => i > 0 && mode <= modes[i - 1]!))
    problems.push({ path, message: "must list the modes in the curve, slowest first", value: valueText(value) });
  return modes;
}

function readDecays(fields: Fields, modes: number, path: string, problems: Problem[]): readonly Decay[] | undefined {
  const step = readQuantity(fields.step, "s", childPath(path, "step"), problems);
  if (step !== undefined && !(step > 0))
    problems.push({ path: childPath(path, "step"), message: "must be positive", value: valueText(step) });
  const items = readArray(fields.values, childPath(path, "values"), "a list of numbers", problems);
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
