/** Where a frame sits on its carrier. */
import type { Scalar } from "../kernel/trace/scalar.ts";
import type { Mat3 } from "./rotation.ts";
import type { Vec3 } from "./vec3.ts";

/** R maps components of the frame to the carrier's, p is its origin in carrier axes. */
export interface Placement<S extends Scalar = number, T extends Scalar = number> {
  readonly R: Mat3<T>;
  readonly p: Vec3<S>;
}
