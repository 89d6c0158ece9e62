/**
 * Chains whose coordinates follow in closed form from the point that their end must reach [Yaskevich 2018, corrected: docs/docking-method.md].
 * A kind is one file: which branch it fits, according to the axes of the hinges, and the solution for its coordinates.
 */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, dot, minus, plus, scale } from "../../spatial/vec3.ts";
import type { Branch, ChainJoint } from "./branch.ts";

/** The frame in which a chain is solved: its origin O1 on the root, and its axes as rows, in axes of the root. */
export interface ChainFrame {
  readonly origin: NumericVec3;
  readonly axes: readonly [NumericVec3, NumericVec3, NumericVec3];
}

/** A branch with a solution in closed form. */
export interface Chain extends ChainFrame {
  /**
   * Writes the chain's coordinates into q. Their present values select the assembly and the revolution of each angle.
   * @param target pose of the chain's end: the point (3) from O1, then the axes of the closing frame by rows (9), in axes of the chain.
   * @throws UnreachableError
   */
  solve(target: Float64Array, q: Float64Array): void;
}

export interface ChainKind {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly about: string;
  /** Kinds of loop that can close it. */
  readonly closedBy: readonly string[];
  /** Its motions in order, R or P; a cylinder is a slide and a turn in either order. */
  readonly motions: readonly string[];
  /** The chain of a branch with these motions, or a sentence why the branch does not fit. */
  fit(branch: Branch): Chain | string;
}

/** Lengths (m) and cosines that differ by less are equal. */
export const TOLERANCE = 1e-12;

export const norm = (v: NumericVec3): number => euclideanNorm(v);
export const unit = (v: NumericVec3): NumericVec3 => scale(1 / norm(v), v) as NumericVec3;
export const scaled = (k: number, v: NumericVec3): NumericVec3 => scale(k, v) as NumericVec3;
export const difference = (a: NumericVec3, b: NumericVec3): NumericVec3 => minus(a, b) as NumericVec3;
export const vectorSum = (a: NumericVec3, b: NumericVec3): NumericVec3 => plus(a, b) as NumericVec3;
export const dotProduct = (a: NumericVec3, b: NumericVec3): number => dot(a, b) as number;
export const crossProduct = (a: NumericVec3, b: NumericVec3): NumericVec3 => cross(a, b) as NumericVec3;
/** The part of v that is perpendicular to a unit vector n. */
export const perpendicularPart = (v: NumericVec3, n: NumericVec3): NumericVec3 => difference(v, scaled(dotProduct(v, n), n));

/** The intersection of two perpendicular turn axes, or a sentence why there is none. */
export function axisIntersection(a: ChainJoint, b: ChainJoint): NumericVec3 | string {
  const cosine = dotProduct(a.axis, b.axis);
  if (Math.abs(cosine) > TOLERANCE) return `the axes of ${a.name} and ${b.name} have a cosine of ${cosine}, not 0`;
  const between = difference(b.point, a.point);
  const point = vectorSum(a.point, scaled(dotProduct(between, a.axis), a.axis));
  const gap = norm(difference(point, difference(b.point, scaled(dotProduct(between, b.axis), b.axis))));
  return gap < TOLERANCE ? point : `the axes of ${a.name} and ${b.name} pass each other at ${gap} m`;
}

/** 1 if two axes are parallel, -1 if they are antiparallel, 0 otherwise. */
export function parallelSign(a: NumericVec3, b: NumericVec3): 1 | -1 | 0 {
  if (norm(crossProduct(a, b)) > TOLERANCE) return 0;
  return dotProduct(a, b) > 0 ? 1 : -1;
}

/** The angle plus whole revolutions that is nearest to another angle. */
export const nearestAngle = (angle: number, to: number): number => angle + 2 * Math.PI * Math.round((to - angle) / (2 * Math.PI));
