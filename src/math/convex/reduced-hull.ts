/** Hulls with fewer corners: those that lie farthest in evenly distributed directions. */
import { cosine, sine } from "../elementary/sincos.ts";
import { convexHull } from "./convex-hull.ts";
import type { Point3, Polytope } from "./polytope.ts";

const GOLDEN_ANGLE = 2.399963229728653;

/** Unit vectors on a spiral from pole to pole, evenly distributed. */
export function fibonacciDirections(count: number): readonly Point3[] {
  return Array.from({ length: count }, (_, k): Point3 => {
    const z = 1 - (2 * k + 1) / count;
    const r = Math.sqrt(1 - z * z);
    const [s, c] = [sine(k * GOLDEN_ANGLE), cosine(k * GOLDEN_ANGLE)];
    return [r * c, r * s, z];
  });
}

export interface ReducedHull {
  readonly hull: Polytope;
  /** Largest distance of a corner of the full hull from the reduced one: so far it is inside. */
  readonly inside: number;
}

/** A hull inside of `full` whose corners are some of its corners, at most `most`. */
export function reducedHull(full: Polytope, most: number): ReducedHull {
  const chosen = new Set<number>();
  for (const [x, y, z] of fibonacciDirections(most)) {
    let best = 0;
    let largest = Number.NEGATIVE_INFINITY;
    for (const [i, p] of full.corners.entries()) {
      const d = x * p[0] + y * p[1] + z * p[2];
      if (d > largest) [largest, best] = [d, i];
    }
    chosen.add(best);
  }
  const hull = convexHull([...chosen].sort((a, b) => a - b).map((i) => full.corners[i]!));
  let inside = 0;
  for (const p of full.corners) {
    let outside = Number.NEGATIVE_INFINITY;
    for (const { normal, offset } of hull.planes)
      outside = Math.max(outside, normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - offset);
    inside = Math.max(inside, outside);
  }
  return { hull, inside };
}
