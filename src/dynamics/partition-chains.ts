/**
 * Coordinates of dependent chains in closed form [Yaskevich 2018, corrected: docking.md 1.7]. The place of a chain is its first hinge
 * centre O1 and its frame E on the root R(k); y is the vector from O1 to the point that it must reach, in axes of E.
 */
import { cosine, sine } from "../math/sincos.ts";
import type { Vec3 } from "../spatial/vec3.ts";

type V3 = Vec3<number>;

/** Which of the two assemblies: the sign of the angle f3 at O1, from the reached point to the elbow. Frozen when assembled. */
export type Elbow = 1 | -1;

export type Chain =
  /** Turns about y, then z, then a slide along x; the end is at length + p3 along x. */
  | { readonly kind: "R2P1R3"; readonly length: number }
  /** Crank about z along x, its pin `offset` further along z; rod about z, then y, along x. */
  | { readonly kind: "R1R2R3"; readonly crank: number; readonly rod: number; readonly offset: number; readonly elbow: Elbow }
  /** The same in the plane: turns about z. */
  | { readonly kind: "RR"; readonly crank: number; readonly rod: number; readonly elbow: Elbow }
  /** A turn about z, then a slide along x; the end is at length + p2. */
  | { readonly kind: "RP"; readonly length: number };

/** The chain cannot be where it should: how far off, in metres. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** Writes the coordinates of a chain whose end is at y into q. @throws UnreachableError */
export function solveChain(chain: Chain, y: V3, q: Float64Array): void {
  switch (chain.kind) {
    case "R2P1R3":
      legTo(chain.length, y, q);
      return;
    case "R1R2R3": {
      const h = chain.offset - y[2];
      if (!(Math.abs(h) < chain.rod))
        throw new UnreachableError(`R1R2R3: ${Math.abs(h)} m off the crank's plane, and the rod has ${chain.rod} m`);
      triangle(chain.crank, Math.sqrt(chain.rod ** 2 - h * h), y, chain.elbow, q, chain.kind);
      q[2] = Math.asin(h / chain.rod);
      return;
    }
    case "RR":
      triangle(chain.crank, chain.rod, y, chain.elbow, q, chain.kind);
      return;
    case "RP":
      q[0] = Math.atan2(y[1], y[0]);
      q[1] = Math.hypot(y[0], y[1]) - chain.length;
  }
}

/** p1 about y, p2 about z, p3 along x. Singular where y has neither x nor z. */
function legTo(length: number, [x, y, z]: V3, q: Float64Array): void {
  const rho = Math.hypot(x, z);
  if (rho === 0)
    throw new UnreachableError("R2P1R3: the leg is along the axis of its first hinge, whose angle is not determined");
  q[0] = Math.atan2(-z, x);
  q[1] = Math.atan2(y, rho);
  q[2] = Math.hypot(rho, y) - length;
}

/** Two turns about z of a crank and a rod (projected length) from the origin to (x, y). */
function triangle(crank: number, rod: number, [x, y]: V3, elbow: Elbow, q: Float64Array, kind: string): void {
  const reach = Math.hypot(x, y);
  const cosP2 = -(crank * crank + rod * rod - reach * reach) / (2 * crank * rod);
  const cosF3 = (crank * crank + reach * reach - rod * rod) / (2 * crank * reach);
  if (!(Math.abs(cosP2) < 1 && Math.abs(cosF3) < 1))
    throw new UnreachableError(
      `${kind}: the point is ${reach} m away in the crank's plane; reached are ${Math.abs(crank - rod)} to ${crank + rod} m`,
    );
  const f3 = elbow * Math.acos(cosF3);
  const f4 = Math.atan2(-x, y);
  q[0] = wrapped(Math.PI / 2 + f3 + f4);
  q[1] = -elbow * Math.acos(cosP2);
}

/** Into (-π, π]. */
const wrapped = (angle: number): number => Math.atan2(sine(angle), cosine(angle));
