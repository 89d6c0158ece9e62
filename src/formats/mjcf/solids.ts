/** Volumes and inertias of the primitive shapes of MJCF. */
import type { Vec3 } from "../../spatial/vec3.ts";

/** Volume, and principal moments about the centre for the density 1. Lengths along z. */
export interface GeomSolid {
  readonly volume: number;
  readonly moments: Vec3<number>;
}

const boxMoments = (m: number, [x, y, z]: Vec3<number>): Vec3<number> => [
  (m * (y * y + z * z)) / 3,
  (m * (x * x + z * z)) / 3,
  (m * (x * x + y * y)) / 3,
];

/** @param size half lengths and radii as MJCF gives them */
export function solidOf(type: string, [a, b, c]: Vec3<number>): GeomSolid | undefined {
  switch (type) {
    case "sphere":
      return ellipsoid(a, a, a);
    case "ellipsoid":
      return ellipsoid(a, b, c);
    case "box":
      return { volume: 8 * a * b * c, moments: boxMoments(8 * a * b * c, [a, b, c]) };
    case "cylinder":
      return cylinder(a, 2 * b);
    case "capsule":
      return capsule(a, 2 * b);
    default:
      return undefined;
  }
}

function ellipsoid(a: number, b: number, c: number): GeomSolid {
  const volume = (4 / 3) * Math.PI * a * b * c;
  const moments: Vec3<number> = [(volume * (b * b + c * c)) / 5, (volume * (a * a + c * c)) / 5, (volume * (a * a + b * b)) / 5];
  return { volume, moments };
}

function cylinder(radius: number, length: number): GeomSolid {
  const volume = Math.PI * radius * radius * length;
  const across = (volume * (3 * radius * radius + length * length)) / 12;
  return { volume, moments: [across, across, (volume * radius * radius) / 2] };
}

/** A cylinder with half balls; the centre of a half ball is 3/8 r beyond its flat face. */
function capsule(radius: number, length: number): GeomSolid {
  const middle = cylinder(radius, length);
  const balls = (4 / 3) * Math.PI * radius ** 3;
  const along = (2 / 5) * balls * radius * radius;
  const across = along + balls * (length * length * 0.25 + (3 / 8) * radius * length);
  return {
    volume: middle.volume + balls,
    moments: [middle.moments[0] + across, middle.moments[1] + across, middle.moments[2] + along],
  };
}
