/** The memory of the controller `guide` as plain data. */
import { type GroundPath, groundPath } from "../../../plan/ground-paths/ground-path.ts";
import { checkSavedInteger, refuseSaved, savedArray, savedEntries, takeFiniteSaved } from "../../../saved-data.ts";
import type { Intent } from "../../../sim/run/controller.ts";
import { NAVIGATION_STATES, type NavigationLaw, type NavigationMemory } from "./navigation-law.ts";

/** A copy that later updates do not change. Absent entries are null. Lengths along the path follow from its points. */
export const encodeNavigation = ({ explorer, path, intent, ...rest }: NavigationMemory): unknown => ({
  ...structuredClone(rest),
  explorer: explorer?.encode() ?? null,
  path: path?.points.slice() ?? null,
  intent: intent ? structuredClone(intent) : null,
});

const emptyMemory = (law: NavigationLaw) => ({
  ...law.startPursuit(0),
  state: 0,
  why: "",
  lookedAt: [0, 0] as const,
  reportedObstacles: 0,
  distanceToGoal: 0,
});

/** @throws FormatError if the data are not those of this law */
export function decodeNavigation(law: NavigationLaw, data: unknown, name: string): NavigationMemory {
  const memory = emptyMemory(law);
  const keys = [...(Object.keys(memory) as (keyof typeof memory)[]), "explorer", "path", "intent"] as const;
  const { explorer: learned, path, intent, ...rest } = savedEntries(data, keys, name);
  takeFiniteSaved(memory, rest, name);
  const explorer = learned === null ? undefined : law.newExplorer();
  explorer?.decode(learned, `${name}.explorer`);
  checkSavedInteger(memory.state, 0, NAVIGATION_STATES.length - 1, `${name}.state`);
  checkSavedInteger(memory.reportedObstacles, 0, explorer?.obstacles ?? 0, `${name}.reportedObstacles`);
  return {
    ...memory,
    explorer,
    path: path === null ? undefined : decodePath(path, `${name}.path`),
    intent: intent === null ? undefined : decodeIntent(intent, `${name}.intent`),
  };
}

export function decodePath(saved: unknown, where: string): GroundPath {
  const points = decodePoints(saved, where);
  const pairs = Array.from({ length: points.length / 2 }, (_, i) => [points[2 * i]!, points[2 * i + 1]!] as const);
  const isMoving = pairs.every(([x, y], i) => i === 0 || x !== pairs[i - 1]![0] || y !== pairs[i - 1]![1]);
  if (pairs.length < 2 || !points.every(Number.isFinite) || !isMoving)
    refuseSaved(where, "must have two points or more, each different from the one before", saved);
  return groundPath(pairs);
}

export function decodeIntent(saved: unknown, where: string): Intent {
  const { way, obstacles, cell } = savedEntries(saved, ["way", "obstacles", "cell"], where);
  if (typeof cell !== "number") refuseSaved(`${where}.cell`, "must be a number", cell);
  return {
    way: decodePoints(way, `${where}.way`),
    obstacles: decodePoints(obstacles, `${where}.obstacles`),
    cell: cell as number,
  };
}

/** x and y of points in turn. */
function decodePoints(saved: unknown, where: string): Float64Array {
  const points = savedArray(saved, Float64Array, where);
  if (points.length % 2 !== 0) refuseSaved(where, "must have x and y of every point", saved);
  return points;
}
