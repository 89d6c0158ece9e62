/** Parses the loops of a model. */

import { claimName, didYouMean, readName } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { HINGES } from "../hinges/index.ts";
import type { Engagement, Loop } from "../loop.ts";
import { LOOPS, type LoopKindName } from "../loops/index.ts";
import { keysOfLoopKind, type LoopKind, type ModelNames } from "../loops/loop-kind.ts";
import { readLoopSolution, SOLUTION_KEYS } from "../loops/loop-solution.ts";

export const MAX_LOOPS = 10_000;

/** Keys of loops of every kind. */
const COMMON_KEYS = ["name", "kind", "engaged", "engages", "tolerance", ...SOLUTION_KEYS] as const;
const KEYS: readonly string[] = [...new Set([...COMMON_KEYS, ...Object.values(LOOPS).flatMap(keysOfLoopKind)])];

export const ENGAGEMENT_MODES = ["as-found", "as-declared"] as const satisfies readonly Engagement["engages"][];
/** Default tolerance of a loop that engages as declared, m or rad. */
export const DEFAULT_ENGAGEMENT_TOLERANCE = 1e-6;

/** The engaged and the open loops, without those that have a problem. `names` are the names of bodies, frames and hinges, with their paths. */
export function readLoops(
  value: unknown,
  modelNames: ModelNames,
  names: ReadonlyMap<string, string>,
  problems: Problem[],
): { readonly loops: readonly Loop[]; readonly openLoops: readonly Loop[]; readonly paths: ReadonlyMap<string, string> } {
  const items = readArray(value, "loops", "a list of loops", problems) ?? [];
  if (items.length > MAX_LOOPS) {
    problems.push({ path: "loops", message: `at most ${MAX_LOOPS} loops, this has ${items.length}` });
    return { loops: [], openLoops: [], paths: new Map() };
  }
  const usedNames = new Map(names);
  const parsed = Array.from(items).flatMap((item, i) => {
    const loop = readLoop(item, childPath("loops", i), modelNames, usedNames, problems);
    return loop ? [{ loop, isOpen: (item as Fields).engaged === false, path: childPath("loops", i) }] : [];
  });
  return {
    loops: parsed.filter((r) => !r.isOpen).map((r) => r.loop),
    openLoops: parsed.filter((r) => r.isOpen).map((r) => r.loop),
    paths: new Map(parsed.map((r) => [r.loop.name, r.path])),
  };
}

function readLoop(
  value: unknown,
  path: string,
  modelNames: ModelNames,
  usedNames: Map<string, string>,
  problems: Problem[],
): Loop | undefined {
  const fields = readFields(value, path, KEYS, problems);
  if (fields === undefined) return undefined;
  const name = readName(fields.name, childPath(path, "name"), problems);
  claimName(usedNames, name, childPath(path, "name"), problems);
  const kind = readKind(fields.kind, childPath(path, "kind"), problems);
  if (kind === undefined) return undefined;
  refuseOtherKeys(fields, kind, path, problems);
  const engagement = readEngagement(fields, path, problems);
  const solution = readLoopSolution(fields, path, modelNames, problems);
  const kindFields = kind.read(fields, path, modelNames, problems);
  if (kindFields?.type === "coordinates" && solution.chain !== undefined)
    problems.push({
      path: childPath(path, "chain"),
      message: `a ${kind.name} loop has no chain`,
      value: valueText(solution.chain),
      advice: "Leave it out; it belongs to loops between frames",
    });
  return kindFields && ({ name, kind: kind.name, ...engagement, ...solution, ...kindFields } as Loop);
}

function readEngagement(fields: Fields, path: string, problems: Problem[]): Engagement {
  const { engaged, engages = ENGAGEMENT_MODES[0], tolerance = DEFAULT_ENGAGEMENT_TOLERANCE } = fields;
  if (engaged !== undefined && typeof engaged !== "boolean")
    problems.push({ path: childPath(path, "engaged"), message: "must be true or false", value: valueText(engaged) });
  if (!ENGAGEMENT_MODES.some((mode) => mode === engages))
    problems.push({
      path: childPath(path, "engages"),
      message: "must be as-found or as-declared",
      value: valueText(engages),
      advice: didYouMean(engages, ENGAGEMENT_MODES),
    });
  const number = readNumber(tolerance, childPath(path, "tolerance"), problems);
  const isForFound = engages === "as-found" && fields.tolerance !== undefined;
  if (isForFound || !((number ?? 1) > 0))
    problems.push({
      path: childPath(path, "tolerance"),
      message: isForFound ? "a loop that engages as found cannot miss" : "must be positive",
      value: valueText(tolerance),
      ...(isForFound && { advice: "Leave it out, or write engages: as-declared" }),
    });
  return { engages: engages as Engagement["engages"], tolerance: number ?? DEFAULT_ENGAGEMENT_TOLERANCE };
}

function readKind(value: unknown, path: string, problems: Problem[]): LoopKind | undefined {
  if (typeof value === "string" && Object.hasOwn(LOOPS, value)) return LOOPS[value as LoopKindName];
  const advice = didYouMean(value, Object.keys(LOOPS));
  if (value === undefined) problems.push({ path, message: "is missing", advice });
  else if (typeof value === "string" && Object.hasOwn(HINGES, value))
    problems.push({ path, message: `a ${value} hinge blocks nothing`, value: valueText(value), advice: "Leave the loop out" });
  else problems.push({ path, message: "no such kind of loop", value: valueText(value), advice });
  return undefined;
}

/** Reports keys that belong to another kind. */
function refuseOtherKeys(fields: Fields, kind: LoopKind, path: string, problems: Problem[]): void {
  for (const key of KEYS.slice(COMMON_KEYS.length)) {
    if (fields[key] === undefined || keysOfLoopKind(kind).includes(key)) continue;
    const takers = Object.values(LOOPS).filter((k) => keysOfLoopKind(k).includes(key));
    const advice = `Leave it out; it belongs to ${takers.map((k) => k.name).join(", ")}`;
    problems.push({
      path: childPath(path, key),
      message: `a ${kind.name} loop has no ${key}`,
      value: valueText(fields[key]),
      advice,
    });
  }
}
