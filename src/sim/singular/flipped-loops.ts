/**
 * Detects loops whose equations are satisfied in a flipped position. The rows only demand that directions are perpendicular. They are also
 * satisfied if an axis points the opposite way, or if the axes of a weld are exchanged.
 */
import { relativeMotion } from "../../dynamics/loops/rows/constraint-rows.ts";
import type { LinkTree } from "../../dynamics/tree/link-tree.ts";
import { arcCosine } from "../../math/elementary/arctangent.ts";
import type { Loop } from "../../model/loop.ts";
import { apply } from "../../spatial/rotation.ts";
import { dot } from "../../spatial/vec3.ts";

/** Largest angle between directions that the loop aligns, in rad, if at least one of them is off by about 90 deg or more; otherwise 0. */
export function flippedLoopAngle(linkTree: LinkTree, loop: Loop, q: Float64Array, nu: number): number {
  if (loop.type === "coordinates" || !loop.aligned) return 0;
  const { R } = relativeMotion(linkTree, loop, [...q], new Array<number>(nu).fill(0));
  const cosine = Math.min(1, ...loop.aligned.map((axis) => dot(axis, apply(R, axis)) as number));
  return cosine > FLIPPED_COSINE ? 0 : arcCosine(Math.max(-1, cosine));
}

/** Cosine below which an axis counts as flipped. Exchanged axes are exactly perpendicular, so the limit is above zero by more than rounding. */
const FLIPPED_COSINE = 0.1;
