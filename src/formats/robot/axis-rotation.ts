/** Rotation that turns z into a given direction. */
import { axisVector } from "../../spatial/axis.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";

/** A rotation R with R z = axis / |axis|: the smallest one if the axis points up, else half a turn about x before it. */
export function axisRotation(axis: Vec3<number>): Mat3<number> {
  const [x, y, z] = axisVector(axis);
  if (z >= 0) return smallestRotation(x, y, z);
  const [a, b, c] = smallestRotation(-x, -y, -z);
  const turned = ([i, j, k]: Vec3<number>): Vec3<number> => [i, -j, -k];
  return [turned(a), turned(b), turned(c)];
}

/** Rodrigues' formula about z × axis = (-y, x, 0), with the cosine z. */
function smallestRotation(x: number, y: number, z: number): Mat3<number> {
  const k = 1 / (1 + z);
  return [
    [1 - k * x * x, -k * x * y, x],
    [-k * x * y, 1 - k * y * y, y],
    [-x, -y, z],
  ];
}
