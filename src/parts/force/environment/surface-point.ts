/** Points of surfaces that are fixed to frames, for pressure forces; and the sum of these forces. */

import type { Parameters } from "../../../declare/parameters.ts";
import { add, type Scalar } from "../../../kernel/trace/scalar.ts";
import type { TracedLoads, TracedMotion } from "../../../sim/system/force-element.ts";
import { apply, type Mat3 } from "../../../spatial/rotation.ts";
import { cross, dot, plus, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";

export const SURFACE_PARAMETERS = {
  on: { type: "frame", about: "Frame or body that carries the surface." },
  area: { type: "number", unit: "m^2", above: 0, about: "Area." },
  at: { type: "vector", unit: "m", default: [0, 0, 0], about: "Centre of the surface in axes of the frame." },
} as const satisfies Parameters;

export const PLATE_PARAMETERS = {
  ...SURFACE_PARAMETERS,
  normal: { type: "direction", default: "x", about: "Outward normal in axes of the frame." },
  twoSided: { type: "boolean", default: false, about: "Both sides are exposed, not only the one of the normal." },
} as const satisfies Parameters;

export interface SurfacePoint {
  readonly on: string;
  readonly R: Mat3;
  /** From the frame's origin to the point, position and velocity of the point, in world axes. */
  readonly arm: Vec3;
  readonly point: Vec3;
  readonly velocity: Vec3;
}

export function surfacePoint(s: TracedMotion, { on, at }: { readonly on: string; readonly at: Vec3<number> }): SurfacePoint {
  const { R, p, w, v } = s.frame(on);
  const arm = apply(R, at);
  return { on, R, arm, point: plus(p, arm), velocity: plus(v, cross(w, arm)) };
}

/** Adds forces at points of surfaces to the loads, and collects their sum and their power. */
export class SurfaceForces {
  #force: Vec3 = ZERO3;
  #power: Scalar = 0;

  add(out: TracedLoads, { on, arm, velocity }: SurfacePoint, force: Vec3): void {
    out.wrench(on, cross(arm, force), force);
    this.#force = plus(this.#force, force);
    this.#power = add(this.#power, dot(force, velocity));
  }

  channels(out: TracedLoads): void {
    for (const [i, name] of (["fx", "fy", "fz"] as const).entries()) out.channel(name, "N", this.#force[i]!);
    out.channel("power", "W", this.#power);
  }

  get power(): Scalar {
    return this.#power;
  }
}

/** Names of the frames of surfaces, each once. */
export const framesOf = (surfaces: readonly { readonly on: string }[]): readonly string[] => [
  ...new Set(surfaces.map(({ on }) => on)),
];
