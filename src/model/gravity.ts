/** Uniform gravity: a vector, or the name of a world. On its surface z is up. */

import type { Parameter } from "../declare/parameters.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import { ZERO3 } from "../spatial/vec3.ts";

/** At the surface, m/s². */
export const GRAVITIES = { earth: 9.81, moon: 1.62, mars: 3.71 } as const;

export type GravityName = keyof typeof GRAVITIES;

const FORMS = "3 numbers, or a world by name";

export const GRAVITY = {
  type: "either",
  optional: true,
  about: `Uniform gravity in world axes, or the name of a world, along -z (${Object.entries(GRAVITIES)
    .map(([name, g]) => `${name} ${g}`)
    .join(", ")} m/s^2); none if not given.`,
  forms: FORMS,
  of: [
    { type: "vector", unit: "m/s^2", about: "Uniform gravity in world axes." },
    { type: "choice", of: Object.keys(GRAVITIES), refusal: `must be ${FORMS}`, about: "A world." },
  ],
} as const satisfies Parameter;

export const gravityVector = (gravity: Vec3<number> | GravityName | undefined): Vec3<number> =>
  typeof gravity === "string" ? [0, 0, -GRAVITIES[gravity]] : (gravity ?? ZERO3);
