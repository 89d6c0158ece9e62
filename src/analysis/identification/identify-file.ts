/** Measurement files: a rod, its measurements, and the options of the search. */

import { childPath, type Fields, readArray, readFields, readNumber } from "../../declare/plain-data.ts";
import { readQuantity } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { MeasuredRatio } from "./damping.ts";
import type { Decay } from "./decay.ts";
import type { GridOptions } from "./grid-search.ts";
import { type IdentifyOptions, JOINT_PLACES } from "./identify.ts";
import { freedomOf, type Measurement } from "./measurement.ts";
import { readGridOptions } from "./read-grid-options.ts";
import { readMeasurements, readPositive } from "./read-measurements.ts";
import { gyration, MAX_LINKS, type RodData } from "./rod-model.ts";

export interface IdentifyFile {
  readonly name: string;
  readonly rod: RodData;
  readonly measurements: readonly Measurement[];
  readonly ratios: readonly MeasuredRatio[];
  readonly decays: readonly (Decay & { readonly mode: number })[];
  readonly options: IdentifyOptions;
  readonly grid?: GridOptions;
}

const KEYS = [
  ...["castor", "name", "length", "mass", "diameter", "width", "height", "polarInertia"],
  ...["links", "cuts", "joints", "shortestStub", "measurements", "grid"],
];
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
  const section = readSection(fields, problems);
  const { links, cuts } = readLinks(fields, length, problems);
  const joints = cuts?.length ?? (links ?? DEFAULT_LINKS) - 1;
  const places = readJointPlaces(fields.joints, problems);
  const shortestStub = readShortestStub(fields.shortestStub, problems);
  const measured = readMeasurements(fields.measurements, joints, problems);
  const grid = fields.grid === undefined ? undefined : readGridOptions(fields.grid, joints, problems);
  if (length === undefined || mass === undefined) return undefined;
  const rod = { length, mass, ...section };
  checkTwist(rod, measured.measurements, problems);
  if (grid && places === "free")
    problems.push({ path: "grid", message: "is for joints at the cuts", advice: "Leave out grid, or joints: free" });
  if (problems.length > before) return undefined;
  return {
    name: typeof fields.name === "string" ? fields.name : "rod",
    rod,
    ...measured,
    options: {
      ...(links !== undefined && { links }),
      ...(cuts && { cuts }),
      ...(places && { joints: places }),
      ...(shortestStub !== undefined && { shortestStub }),
    },
    ...(grid && { grid }),
  };
}

/** Diameter of a round rod, or width and height of a box; and the polar inertia. */
function readSection(fields: Fields, problems: Problem[]): Omit<RodData, "length" | "mass"> {
  const keys = { diameter: "m", width: "m", height: "m", polarInertia: "kg m" } as const;
  const section = Object.fromEntries(
    Object.entries(keys).flatMap(([key, unit]) =>
      fields[key] === undefined ? [] : [[key, readPositive(fields, key, unit, "", problems)] as const],
    ),
  ) as Omit<RodData, "length" | "mass">;
  if (fields.diameter !== undefined && (fields.width !== undefined || fields.height !== undefined))
    problems.push({ path: "diameter", message: "the section is given twice", advice: "Give diameter, or width and height" });
  return section;
}

/** Frequencies of twist need the inertia of the rod about its axis. */
function checkTwist(rod: RodData, measurements: readonly Measurement[], problems: Problem[]): void {
  if (gyration(rod, "rx") > 0 || !measurements.some((m) => m.kind === "frequency" && freedomOf(m) === "rx")) return;
  problems.push({
    path: "polarInertia",
    message: "is missing: frequencies of twist are given, and the inertia against twist is not known",
    advice: "Give diameter, width and height, or polarInertia in kg m",
  });
}

function readJointPlaces(value: unknown, problems: Problem[]): IdentifyOptions["joints"] {
  if (value === undefined) return undefined;
  const place = JOINT_PLACES.find((p) => p === value);
  if (place === undefined)
    problems.push({
      path: "joints",
      message: `must be ${JOINT_PLACES.join(" or ")}`,
      value: valueText(value),
      advice: "free: the joints need not lie where the mass is divided",
    });
  return place;
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
