/** The loops of a model, read from a description. */
import { type Problem, shown } from "./errors.ts";
import { HINGES } from "./hinges/index.ts";
import type { Loop } from "./loop.ts";
import { keysOf, type LoopKind, type Places } from "./loop-kind.ts";
import { LOOPS, type LoopKindName } from "./loops/index.ts";
import { claimName, didYouMean, readName } from "./names.ts";
import { childPath, type Fields, readArray, readFields } from "./reading.ts";

export const MOST_LOOPS = 10_000;

const KEYS: readonly string[] = [...new Set(["name", "kind", ...Object.values(LOOPS).flatMap(keysOf)])];

/** The loops without those that have a problem; `names` are those of bodies, frames and hinges, with their paths. */
export function readLoops(
  value: unknown,
  places: Places,
  names: ReadonlyMap<string, string>,
  problems: Problem[],
): readonly Loop[] {
  const items = readArray(value, "loops", "a list of loops", problems) ?? [];
  if (items.length > MOST_LOOPS) {
    problems.push({ path: "loops", message: `at most ${MOST_LOOPS} loops, this has ${items.length}` });
    return [];
  }
  const taken = new Map(names);
  return Array.from(items).flatMap((item, i) => readLoop(item, childPath("loops", i), places, taken, problems) ?? []);
}

function readLoop(
  value: unknown,
  path: string,
  places: Places,
  taken: Map<string, string>,
  problems: Problem[],
): Loop | undefined {
  const fields = readFields(value, path, KEYS, problems);
  if (fields === undefined) return undefined;
  const name = readName(fields.name, childPath(path, "name"), problems);
  claimName(taken, name, childPath(path, "name"), problems);
  const kind = readKind(fields.kind, childPath(path, "kind"), problems);
  if (kind === undefined) return undefined;
  refuseOtherKeys(fields, kind, path, problems);
  const rest = kind.read(fields, path, places, problems);
  return rest && { name, kind: kind.name, ...rest };
}

function readKind(value: unknown, path: string, problems: Problem[]): LoopKind | undefined {
  if (typeof value === "string" && Object.hasOwn(LOOPS, value)) return LOOPS[value as LoopKindName];
  const advice = didYouMean(value, Object.keys(LOOPS));
  if (value === undefined) problems.push({ path, message: "is missing", advice });
  else if (typeof value === "string" && Object.hasOwn(HINGES, value))
    problems.push({ path, message: `a ${value} hinge blocks nothing`, value: shown(value), advice: "Leave the loop out" });
  else problems.push({ path, message: "no such kind of loop", value: shown(value), advice });
  return undefined;
}

/** Keys that another kind has. */
function refuseOtherKeys(fields: Fields, kind: LoopKind, path: string, problems: Problem[]): void {
  for (const key of KEYS.slice(2)) {
    if (fields[key] === undefined || keysOf(kind).includes(key)) continue;
    const takers = Object.values(LOOPS).filter((k) => keysOf(k).includes(key));
    const advice = `Leave it out; it belongs to ${takers.map((k) => k.name).join(", ")}`;
    problems.push({
      path: childPath(path, key),
      message: `a ${kind.name} loop has no ${key}`,
      value: shown(fields[key]),
      advice,
    });
  }
}
