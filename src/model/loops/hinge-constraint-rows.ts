/** The rows of a hinge that closes a loop, derived from its elements. Directions that no element frees are blocked. */
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, dot, UNIT_VECTORS } from "../../spatial/vec3.ts";
import type { HingeElement } from "../hinge.ts";
import { fixedAlongRow, type LoopRow, perpendicularRow, screwRow } from "../loop.ts";

const AXIS_NAMES = ["x", "y", "z"] as const;

/** Rows of a chain of elements: slides in F axes first, then turns. A chain in another order has no rows of this simple form. */
export function rowsOfHinge(elements: readonly HingeElement[]): LoopRow[] {
  if (elements.some((e) => e.nu === 6)) return [];
  const screw = elements.find((e) => e.screw?.turn && e.screw.slide !== 0)?.screw;
  const slides = elements.flatMap((e) => (e.screw && !e.screw.turn ? [e.screw.axis] : []));
  const turns = elements.flatMap((e) => (e.screw?.turn ? [e.screw.axis] : []));
  const balls = elements.filter((e) => e.nu === 3).length;
  const rows = orthogonalComplement(screw ? [screw.axis] : slides).map((c) => fixedAlongRow(`force ${directionName(c)}`, c));
  if (balls === 0) rows.push(...rotationRows(turns));
  if (screw) {
    const [a, b] = orthogonalComplement([screw.axis]) as [NumericVec3, NumericVec3];
    const [x, y] = (dot(cross(a, b), screw.axis) as number) > 0 ? [a, b] : [b, a]; // the turn is positive from x to y
    rows.push(screwRow(`screw ${directionName(screw.axis)}`, screw.axis, x, y, screw.slide));
  }
  return rows;
}

/** Directions that a hinge keeps aligned: all if it has no turn, the axis if it has one. */
export function directionsAlignedBy(elements: readonly HingeElement[]): readonly NumericVec3[] {
  if (elements.some((e) => e.nu > 1)) return [];
  const turns = elements.flatMap((e) => (e.screw?.turn ? [e.screw.axis] : []));
  return turns.length === 0 ? UNIT_VECTORS : turns.length === 1 ? turns : [];
}

/** Rows that block the rotations about other than the given axes (each about its axis as the previous turn has left it). */
function rotationRows(axes: readonly NumericVec3[]): LoopRow[] {
  const [a, b] = axes;
  if (!a)
    return [0, 1, 2].map((i) =>
      perpendicularRow(`torque ${AXIS_NAMES[(i + 2) % 3]}`, UNIT_VECTORS[i as 0], UNIT_VECTORS[((i + 1) % 3) as 0]),
    );
  if (b) return [perpendicularRow(`torque ${directionName(a)} × ${directionName(b)}`, a, b)];
  return orthogonalComplement([a]).map((c, i, both) => perpendicularRow(`torque ${directionName(both[1 - i]!)}`, c, a));
}

/** Unit vectors that complete orthonormal vectors to an orthonormal basis; coordinate axes if possible. */
export function orthogonalComplement(given: readonly NumericVec3[]): NumericVec3[] {
  const vectors: NumericVec3[] = [];
  for (const e of UNIT_VECTORS) {
    let remainder: NumericVec3 = e;
    for (const g of [...given, ...vectors]) {
      const k = dot(remainder, g) as number;
      remainder = [remainder[0] - k * g[0], remainder[1] - k * g[1], remainder[2] - k * g[2]];
    }
    const size = euclideanNorm(remainder);
    if (size > 0.5 && given.length + vectors.length < 3)
      vectors.push([remainder[0] / size, remainder[1] / size, remainder[2] / size]);
  }
  return vectors;
}

/** A direction as text: "x", "-y", "(0.6, 0.8, 0)". */
export function directionName(v: NumericVec3): string {
  const i = v.findIndex((c) => Math.abs(c) === 1);
  return i < 0 ? `(${v.map((c) => c.toPrecision(3)).join(", ")})` : `${v[i]! < 0 ? "-" : ""}${AXIS_NAMES[i]}`;
}
