/** Files of measurements: a rod, what was measured of it, and how to search. */
import { readDocument } from "../../formats/document.ts";
import { readQuantity, type SiUnit } from "../../formats/quantity.ts";
import { type Problem, shown } from "../../model/errors.ts";
import { didYouMean } from "../../model/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber, readNumbers } from "../../model/reading.ts";
import { ratioOfDecrement } from "./damping.ts";
import { type Decay, fitDecay } from "./decay.ts";
import type { GridOptions } from "./grid.ts";
import type { IdentifyOptions, Measurement } from "./identify.ts";
import { type RodData, STATIC_KINDS } from "./rod-model.ts";

export interface IdentifyFile {
  readonly name: string;
  readonly rod: RodData;
  readonly measurements: readonly Measurement[];
  /** Damping ratios of modes 1, 2, ..., as far as all before them are known; and the tip mass at which they were measured. */
  readonly ratios: readonly number[];
  readonly ratioTipMass: number;
  readonly decays: readonly (Decay & { readonly mode: number })[];
  readonly options: IdentifyOptions;
  readonly grid?: GridOptions;
}

const KEYS = ["castor", "name", "length", "mass", "diameter", "links", "cuts", "shortestStub", "measurements", "grid"];
const KINDS = ["frequency", ...STATIC_KINDS, "damping-ratio", "decrement", "decay"];
const UNITS: Readonly<Record<string, SiUnit>> = { frequency: "Hz", "deflection-by-force": "m/N" };
const MOST = 200;

/** @throws ModelError with every problem of the text, each with its line. */
export function parseIdentifyFile(text: string, source = "measurements"): IdentifyFile {
  const document = readDocument(text, source);
  const problems: Problem[] = [...document.problems];
  const fields = readFields(document.data, "", KEYS, problems);
  const file = fields && readFile(fields, problems);
  if (file === undefined || problems.length > 0) throw document.error(problems);
  return file;
}

function readFile(fields: Fields, problems: Problem[]): IdentifyFile | undefined {
  const before = problems.length;
  const positive = (from: Fields, key: string, unit: SiUnit, path: string): number | undefined => {
    const value = readQuantity(from[key], unit, childPath(path, key), problems);
    if (value !== undefined && !(value > 0))
      problems.push({ path: childPath(path, key), message: "must be positive", value: shown(value) });
    return value;
  };
  const length = positive(fields, "length", "m", "");
  const mass = positive(fields, "mass", "kg", "");
  const diameter = fields.diameter === undefined ? undefined : positive(fields, "diameter", "m", "");
  const links = fields.links === undefined ? undefined : readNumber(fields.links, "links", problems);
  const shortestStub = fields.shortestStub === undefined ? undefined : readNumber(fields.shortestStub, "shortestStub", problems);
  const cuts =
    fields.cuts === undefined
      ? undefined
      : (readArray(fields.cuts, "cuts", "a list of distances", problems) ?? []).map(
          (v, i) => readQuantity(v, "m", childPath("cuts", i), problems) ?? 0,
        );
  const items = (readArray(fields.measurements, "measurements", "a list of measurements", problems) ?? []).slice(0, MOST);
  const measurements: Measurement[] = [];
  const ratios: number[] = [];
  const decays: (Decay & { mode: number })[] = [];
  let ratioTipMass = 0;
  for (const [i, item] of items.entries()) {
    const path = childPath("measurements", i);
    const m = readFields(item, path, ["kind", "mode", "value", "weight", "error", "tipMass", "step", "values"], problems);
    if (m === undefined) continue;
    if (typeof m.kind !== "string" || !KINDS.includes(m.kind)) {
      problems.push({
        path: childPath(path, "kind"),
        message: "no such kind of measurement",
        value: shown(m.kind),
        advice: didYouMean(m.kind, KINDS),
      });
      continue;
    }
    const mode = m.mode === undefined ? 1 : (readNumber(m.mode, childPath(path, "mode"), problems) ?? 1);
    const tipMass = m.tipMass === undefined ? 0 : (readQuantity(m.tipMass, "kg", childPath(path, "tipMass"), problems) ?? 0);
    const optional = (key: "weight" | "error"): Partial<Record<"weight" | "error", number>> => {
      const value = m[key] === undefined ? undefined : positive(m, key, "", path);
      return value === undefined ? {} : { [key]: value };
    };
    const common = { mode, ...(tipMass > 0 && { tipMass }), ...optional("weight"), ...optional("error") };
    if (m.kind === "decay") {
      const decay = readDecay(m, path, problems);
      if (decay === undefined) continue;
      decays.push({ ...decay, mode });
      measurements.push({ error: decay.frequencyError / decay.frequency, ...common, kind: "frequency", value: decay.frequency });
      ratios[mode - 1] = decay.dampingRatio;
      ratioTipMass = tipMass;
    } else if (m.kind === "damping-ratio" || m.kind === "decrement") {
      const value = readNumber(m.value, childPath(path, "value"), problems);
      if (value === undefined) continue;
      if (value < 0) problems.push({ path: childPath(path, "value"), message: "must not be negative", value: shown(value) });
      ratios[mode - 1] = m.kind === "decrement" ? ratioOfDecrement(value) : value;
      ratioTipMass = tipMass;
    } else {
      const value = positive(m, "value", UNITS[m.kind] ?? "", path);
      if (value !== undefined) measurements.push({ ...common, kind: m.kind as Measurement["kind"], value });
    }
  }
  const grid = fields.grid === undefined ? undefined : readGrid(fields.grid, problems);
  if (problems.length > before || length === undefined || mass === undefined) return undefined;
  const gapless = ratios.slice(0, [...ratios, undefined].indexOf(undefined));
  return {
    name: typeof fields.name === "string" ? fields.name : "rod",
    rod: { length, mass, ...(diameter !== undefined && { diameter }) },
    measurements,
    ratios: gapless,
    ratioTipMass,
    decays,
    options: {
      ...(links !== undefined && { links }),
      ...(cuts && { cuts }),
      ...(shortestStub !== undefined && { shortestStub }),
    },
    ...(grid && { grid }),
  };
}

function readDecay(m: Fields, path: string, problems: Problem[]): Decay | undefined {
  const step = readQuantity(m.step, "s", childPath(path, "step"), problems);
  const items = readArray(m.values, childPath(path, "values"), "a list of numbers", problems);
  const values = items && readNumbers(items, childPath(path, "values"), items.length, problems);
  if (step === undefined || values === undefined) return undefined;
  try {
    return fitDecay(
      values.map((_, i) => i * step),
      values,
    );
  } catch (error) {
    problems.push({ path: childPath(path, "values"), message: (error as Error).message });
    return undefined;
  }
}

function readGrid(value: unknown, problems: Problem[]): GridOptions | undefined {
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
      value: shown(fields.stiffness),
    });
  if (!(grid.cut >= 0.002 && grid.cut <= 0.25))
    problems.push({ path: "grid.cut", message: "must be from 0.002 to 0.25", value: shown(fields.cut) });
  return grid;
}
