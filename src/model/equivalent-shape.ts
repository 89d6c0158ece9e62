/**
 * A shape for a body without shapes: the solid of uniform density with the body's mass and inertia. Along principal axes a box with
 * edges a, b, c has I_x = m (b² + c²) / 12, so a² = 6 (I_y + I_z - I_x) / m. A long body with an axis of symmetry is shown as
 * a cylinder: I_z = m r² / 2, I_x = m (3 r² + l²) / 12.
 */
import { checkLeast, checkMembers } from "../arguments.ts";
import { symmetricEigen } from "../math/eigen/symmetric-eigen.ts";
import type { Mat3 } from "../spatial/rotation.ts";
import type { BodyShape } from "./body-shape.ts";
import type { Body } from "./model.ts";

/** Smallest edge relative to the longest: thin rods and plates stay visible. */
const THINNEST = 0.05;
/** A rod is at least this many times longer than thick. */
const SLENDER = 2.5;
/** A body is round if its two smaller moments differ by less than this, relatively. */
const ROUND = 0.1;

/** Returns undefined for a body without mass. `pointRadius` is the radius of a point mass, m. */
export function equivalentShape(body: Pick<Body, "mass" | "com" | "inertia">, pointRadius: number): BodyShape | undefined {
  checkMembers("body", body, ["mass", "com", "inertia"], "a body of a model");
  checkLeast("pointRadius", pointRadius, 0);
  const { mass, com, inertia } = body;
  if (!(mass > 0)) return undefined;
  const { moments, R } = principal(inertia);
  // A real body has no negative square here; published inertias may have one.
  const squares = moments.map((I, i) => Math.max(0, (6 * (moments[(i + 1) % 3]! + moments[(i + 2) % 3]! - I)) / mass));
  const [a, b, c] = squares.map(Math.sqrt) as [number, number, number];
  const [x, y, z] = moments;
  const placement = { R, p: com };
  if (!(c > 0)) return { kind: "sphere", radius: pointRadius, placement };
  if (c > SLENDER * Math.max(a, b) && y - x <= ROUND * y) {
    const radius = Math.sqrt((2 * z) / mass);
    const length = Math.sqrt(Math.max(0, (6 * (x + y)) / mass - 3 * radius * radius));
    if (length > 0) return { kind: "cylinder", radius: Math.max(radius, (THINNEST / 2) * length), length, placement };
  }
  const thick = (edge: number): number => Math.max(edge, THINNEST * c);
  return { kind: "box", size: [thick(a), thick(b), c], placement };
}

/** Principal moments with the largest first, so that the longest edge is along z. Columns of R are the principal axes. */
function principal(inertia: Mat3<number>): { readonly moments: readonly [number, number, number]; readonly R: Mat3<number> } {
  const { values, vectors } = symmetricEigen(Float64Array.from(inertia.flat()), 3);
  // Equal moments keep the order of the axes, so that a cube keeps the orientation of its body.
  const order = [0, 1, 2].sort((i, j) => values[j]! - values[i]!);
  const column = (k: number): number[] => [0, 1, 2].map((row) => vectors[3 * row + order[k]!]!);
  const [u, v, w] = [column(0), column(1), column(2)];
  const det =
    u[0]! * (v[1]! * w[2]! - v[2]! * w[1]!) - u[1]! * (v[0]! * w[2]! - v[2]! * w[0]!) + u[2]! * (v[0]! * w[1]! - v[1]! * w[0]!);
  const first = det < 0 ? u.map((x) => -x) : u;
  return {
    moments: order.map((k) => values[k]!) as unknown as readonly [number, number, number],
    R: [0, 1, 2].map((row) => [first[row]!, v[row]!, w[row]!]) as unknown as Mat3<number>,
  };
}
