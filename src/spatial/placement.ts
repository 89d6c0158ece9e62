/** Placement of a frame on its carrier (a body or another frame). */
import type { Scalar } from "../kernel/trace/scalar.ts";
import type { Mat3 } from "./rotation.ts";
import type { Vec3 } from "./vec3.ts";

/** R maps components in the frame to components in the carrier; p is the origin of the frame in carrier axes. */
export interface Placement<S extends Scalar = number, T extends Scalar = number> {
  readonly R: Mat3<T>;
  readonly p: Vec3<S>;
}
