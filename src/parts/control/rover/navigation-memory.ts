/** The memory of the controller `guide` as plain data. */
import type { SavedData } from "../../../declare/saved-data.ts";
import { type GroundPath, groundPath } from "../../../plan/ground-path.ts";
import { NAVIGATION_STATES, type NavigationLaw, type NavigationMemory } from "./navigation-law.ts";

/** A copy that later updates do not change. */
export const encodeNavigation = ({ explorer, path, ...rest }: NavigationMemory): unknown => ({
  ...structuredClone(rest),
  explorer: explorer?.encode(),
  path: path && { points: path.points.slice() }, // lengths along the path follow from its points
});

/** @throws ModelError if the data are not those of this law */
export function decodeNavigation(law: NavigationLaw, saved: SavedData): NavigationMemory {
  const explorer = saved.has("explorer") ? law.newExplorer() : undefined;
  explorer?.decode(saved.raw("explorer"));
  const [place, lookedAt] = [saved.child("place"), saved.child("lookedAt")];
  return {
    explorer,
    place: {
      arcLength: place.number("arcLength"),
      crossTrackError: place.number("crossTrackError"),
      heading: place.number("heading"),
    },
    path: saved.has("path") ? decodePath(saved.child("path")) : undefined,
    intent: saved.has("intent") ? decodeIntent(saved.child("intent")) : undefined,
    state: saved.integer("state", 0, NAVIGATION_STATES.length - 1),
    why: saved.text("why"),
    slippingSince: saved.number("slippingSince"),
    turning: saved.flag("turning"),
    lookedAt: [lookedAt.number("0"), lookedAt.number("1")],
    reportedObstacles: saved.integer("reportedObstacles", 0, explorer?.obstacles ?? 0),
    tilt: saved.number("tilt"),
    distanceToGoal: saved.number("distanceToGoal"),
    speed: saved.number("speed"),
    slip: saved.number("slip"),
  };
}

function decodePath(saved: SavedData): GroundPath {
  const points = saved.numbers("points");
  const isPath = points.length % 2 === 0 && points.length >= 4 && points.every(Number.isFinite);
  const pairs = Array.from({ length: points.length >> 1 }, (_, i) => [points[2 * i]!, points[2 * i + 1]!] as const);
  const isMoving = pairs.every(([x, y], i) => i === 0 || x !== pairs[i - 1]![0] || y !== pairs[i - 1]![1]);
  return isPath && isMoving
    ? groundPath(pairs)
    : saved.refuse("points", "must have two different points or more, x and y of each");
}

function decodeIntent(saved: SavedData): NonNullable<NavigationMemory["intent"]> {
  const pairs = (key: "way" | "obstacles"): Float64Array => {
    const numbers = saved.numbers(key);
    return numbers.length % 2 === 0 ? numbers : saved.refuse(key, "must have x and y of every point");
  };
  return { way: pairs("way"), obstacles: pairs("obstacles"), cell: saved.number("cell") };
}
