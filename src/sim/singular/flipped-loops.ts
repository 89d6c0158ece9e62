/**
 * Loops that are closed by their equations, but turned over: rows say that directions are perpendicular, and so they are too where an axis
 * points the other way, or where the axes of a weld have changed places.
 */
import { relativeMotion } from "../../dynamics/loops/rows/constraint-rows.ts";
import type { LinkTree } from "../../dynamics/tree/link-tree.ts";
import { arcCosine } from "../../math/elementary/arctangent.ts";
import type { Loop } from "../../model/loop.ts";
import { apply } from "../../spatial/rotation.ts";
import { dot } from "../../spatial/vec3.ts";

/** The largest angle between directions that the loop holds together, where one is at least a right angle off; else zero. */
export function flippedLoopAngle(machine: LinkTree, loop: Loop, q: Float64Array, nu: number): number {
  if (loop.type === "coordinates" || !loop.aligned) return 0;
  const { R } = relativeMotion(machine, loop, [...q], new Array<number>(nu).fill(0));
  const cosine = Math.min(1, ...loop.aligned.map((axis) => dot(axis, apply(R, axis)) as number));
  return cosine > FLIPPED_COSINE ? 0 : arcCosine(Math.max(-1, cosine));
}

/** Axes that have changed places are at right angles: rounding must not decide. */
const FLIPPED_COSINE = 0.1;
