/** An external load on a model. */
import type { Vec3 } from "../spatial/vec3.ts";

/** Force and torque at the origin of a frame, in world axes. */
export interface Wrench {
  /** Name of a frame or body. */
  readonly frame: string;
  readonly torque: Vec3<number>;
  readonly force: Vec3<number>;
}
