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

/** The smallest value. The list may be too long for the arguments of Math.min. */
const smallestOf = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
