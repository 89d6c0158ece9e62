/** Finds the contact patch of an elastic and a rigid solid. */
import type { PatchStore } from "./patch-store.ts";

export interface PatchFinder {
  /** H, the depth at which the pressure at the deepest point would be the modulus. */
  readonly depth: number;
  /** Form of its patches: points with weights, or triangles with linear pressure. */
  readonly form: "points" | "triangles";
  /**
   * Values of U / (N d), potential by load and depth, of shallow patches, if the potential is a difference of larger numbers: then its rounding would
   * disturb friction, and the nearest of these values is used for it.
   */
  readonly energyShares?: readonly number[];
  /**
   * Adds the patch to `out`, in axes of the elastic solid's body, and writes its depth and its potential for a modulus of 1. `X` is the pose of
   * the elastic solid's body in axes of the other: R by rows (9), p (3). Returns the depth if it is positive; otherwise nothing was added, and
   * the negative value is a lower bound of the gap, 0 if unknown.
   */
  find(X: Float64Array, out: PatchStore): number;
}
