/** An axis given by name, or by components of any length. */
import { euclideanNorm } from "../math/elementary/hypotenuse.ts";
import { UNIT_VECTORS, type Vec3 } from "./vec3.ts";

export type AxisName = "x" | "y" | "z";
export type Axis = AxisName | Vec3<number>;

export const UNIT_VECTOR_BY_NAME: Readonly<Record<AxisName, Vec3<number>>> = {
  x: UNIT_VECTORS[0],
  y: UNIT_VECTORS[1],
  z: UNIT_VECTORS[2],
};

/** The unit vector of an axis given by name or by components of any length. */
export function axisVector(axis: Axis): Vec3<number> {
  if (typeof axis === "string") return UNIT_VECTOR_BY_NAME[axis];
  const length = euclideanNorm(axis);
  return axis.map((a) => a / length) as unknown as Vec3<number>;
}
