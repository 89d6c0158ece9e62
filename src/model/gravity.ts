/** Uniform gravity: a vector, or the name of a world. On its surface z is up. */

import { didYouMean } from "../declare/names.ts";
import { readVec3 } from "../declare/plain-data.ts";
import { type Problem, valueText } from "../errors.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import { ZERO3 } from "../spatial/vec3.ts";

/** At the surface, m/s². */
export const GRAVITIES = { earth: 9.81, moon: 1.62, mars: 3.71 } as const;

export type GravityName = keyof typeof GRAVITIES;

export function readGravity(value: unknown, problems: Problem[]): Vec3<number> | undefined {
  if (value === undefined) return ZERO3;
  if (typeof value !== "string") return readVec3(value, "gravity", problems);
  if (Object.hasOwn(GRAVITIES, value)) return [0, 0, -GRAVITIES[value as GravityName]];
  problems.push({
    path: "gravity",
    message: "must be three numbers, or a world by name",
    value: valueText(value),
    advice: didYouMean(value, Object.keys(GRAVITIES)),
  });
  return undefined;
}
