/** Convex bodies by their support functions: a core, and a rounding radius around it. Nothing here allocates per call. */
import type { Point3 } from "./polytope.ts";

/** All points within `radius` of a convex core. */
export interface ConvexBody {
  readonly radius: number;
  /** Writes a point of the core that is farthest in a direction of any length. */
  support(x: number, y: number, z: number, out: Float64Array): void;
}

/** The hull of some points: a point, a segment, a polytope. */
export function hullBody(points: readonly Point3[], radius = 0): ConvexBody {
  const coordinates = Float64Array.from(points.flat());
  return {
    radius,
    support(x, y, z, out) {
      let best = 0;
      let largest = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < coordinates.length; i += 3) {
        const height = x * coordinates[i]! + y * coordinates[i + 1]! + z * coordinates[i + 2]!;
        if (height > largest) {
          largest = height;
          best = i;
        }
      }
      out[0] = coordinates[best]!;
      out[1] = coordinates[best + 1]!;
      out[2] = coordinates[best + 2]!;
    },
  };
}

/** The hull of two coaxial discs: a cylinder, a cone, a frustum; a flat disc if the length is 0. */
export interface FrustumSize {
  /** Centre of the first disc, and unit vector from there to the second. */
  readonly at: Point3;
  readonly axis: Point3;
  readonly length: number;
  /** Radii of the first and second disc. */
  readonly first: number;
  readonly second: number;
}

export function frustumBody({ at, axis, length, first, second }: FrustumSize): ConvexBody {
  const [px, py, pz] = at;
  const [ax, ay, az] = axis;
  return {
    radius: 0,
    support(x, y, z, out) {
      const along = x * ax + y * ay + z * az;
      let rx = x - along * ax;
      let ry = y - along * ay;
      let rz = z - along * az;
      // Second pass: directions close to the axis lose the digits of their radial part in the first.
      const rest = rx * ax + ry * ay + rz * az;
      rx -= rest * ax;
      ry -= rest * ay;
      rz -= rest * az;
      const across = Math.sqrt(rx * rx + ry * ry + rz * rz);
      const isSecond = along * length + across * second > across * first;
      const s = isSecond ? length : 0;
      const r = across > 0 ? (isSecond ? second : first) / across : 0;
      out[0] = px + s * ax + r * rx;
      out[1] = py + s * ay + r * ry;
      out[2] = pz + s * az + r * rz;
    },
  };
}
