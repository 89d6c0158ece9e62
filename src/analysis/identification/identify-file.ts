/** Measurement files: a rod, its measurements, and the options of the search. */

import { childPath, type Fields, readArray, readFields, readNumber } from "../../declare/plain-data.ts";
import { readQuantity } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { MeasuredRatio } from "./damping.ts";
import type { Decay } from "./decay.ts";
import type { GridOptions } from "./grid-search.ts";
import type { IdentifyOptions, Measurement } from "./identify.ts";
import { readGridOptions } from "./read-grid-options.ts";
import { readMeasurements, readPositive } from "./read-measurements.ts";
import { MAX_LINKS, type RodData } from "./rod-model.ts";

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
const DEFAULT_LINKS = 3;

/** Reads a measurement file from plain data. Undefined if there are problems. */
export function readIdentification(data: unknown, problems: Problem[]): IdentifyFile | undefined {
  const fields = readFields(data, "", KEYS, problems);
  return fields && readFileFields(fields, problems);
}

function readFileFields(fields: Fields, problems: Problem[]): IdentifyFile | undefined {
  const before = problems.length;
  const length = readPositive(fields, "length", "m", "", problems);
  const mass = readPositive(fields, "mass", "kg", "", problems);
  const diameter = fields.diameter === undefined ? undefined : readPositive(fields, "diameter", "m", "", problems);
  const { links, cuts } = readLinks(fields, length, problems);
  const joints = cuts?.length ?? (links ?? DEFAULT_LINKS) - 1;
  const shortestStub = readShortestStub(fields.shortestStub, problems);
  const measured = readMeasurements(fields.measurements, joints, problems);
  const grid = fields.grid === undefined ? undefined : readGridOptions(fields.grid, joints, problems);
  if (problems.length > before || length === undefined || mass === undefined) return undefined;
  return {
    name: typeof fields.name === "string" ? fields.name : "rod",
    rod: { length, mass, ...(diameter !== undefined && { diameter }) },
    ...measured,
    options: {
      ...(links !== undefined && { links }),
      ...(cuts && { cuts }),
      ...(shortestStub !== undefined && { shortestStub }),
    },
    ...(grid && { grid }),
  };
}

function readShortestStub(value: unknown, problems: Problem[]): number | undefined {
  const shortestStub = value === undefined ? undefined : readNumber(value, "shortestStub", problems);
  if (shortestStub !== undefined && !(shortestStub >= 0 && shortestStub < 1))
    problems.push({
      path: "shortestStub",
      message: "must be from 0 to below 1: a part of the length",
      value: valueText(shortestStub),
    });
  return shortestStub;
}

/** Number of links, or positions of the cuts. */
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
