/** Bounds of contact parts: balls, and planes in front of them. */
import { square } from "../../../math/elementary/power.ts";
import type { ContactPart } from "./narrow-phase.ts";

/** Numbers of a bound: centre and radius, then the normal of the plane in front of it, zero if there is none. */
export const BOUND_SIZE = 7;

type PartBound = Omit<ContactPart, "data">;

export const boundNumbers = ({ centre, reach, front = [0, 0, 0] }: PartBound): number[] => [...centre, reach, ...front];

/** A ball around parts, centred in the middle of the box of their centres. */
export function boundingBall(parts: readonly ContactPart[]): PartBound {
  const centre = [0, 1, 2].map((i) => {
    const values = parts.map((p) => p.centre[i]!);
    return 0.5 * (smallestOf(values) - smallestOf(values.map((x) => -x)));
  }) as [number, number, number];
  const reaches = parts.map((p) => Math.sqrt(p.centre.reduce((sum, c, i) => sum + square(c - centre[i]!), 0)) + p.reach);
  return { centre, reach: -smallestOf(reaches.map((r) => -r)) };
}

/** Gap between the bounds that begin at `m` of A and of B, the first placed by X; not positive where they overlap. */
export function gapOfBounds(A: Float64Array, B: Float64Array, m: number, X: Float64Array): number {
  const cx = A[m]!;
  const cy = A[m + 1]!;
  const cz = A[m + 2]!;
  const x = X[0]! * cx + X[1]! * cy + X[2]! * cz + X[9]! - B[m]!;
  const y = X[3]! * cx + X[4]! * cy + X[5]! * cz + X[10]! - B[m + 1]!;
  const z = X[6]! * cx + X[7]! * cy + X[8]! * cz + X[11]! - B[m + 2]!;
  const inFront = x * B[m + 4]! + y * B[m + 5]! + z * B[m + 6]! - A[m + 3]!;
  const r = A[m + 3]! + B[m + 3]!;
  const square = x * x + y * y + z * z;
  return square > r * r ? Math.max(inFront, Math.sqrt(square) - r) : inFront;
}

/** The smallest value. The list may be too long for the arguments of Math.min. */
const smallestOf = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
