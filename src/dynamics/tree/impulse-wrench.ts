/** An impulse that is given at a point of a frame, as a wrench at the frame's origin. */
import { checkName, checkOptions, checkVector } from "../../arguments.ts";
import { apply, type Mat3 } from "../../spatial/rotation.ts";
import { cross, type NumericVec3, plus, type Vec3 } from "../../spatial/vec3.ts";

export const IMPULSE_AXES = ["world", "body"] as const;

export interface AppliedImpulse {
  /** A frame or body, by name. */
  readonly frame: string;
  /** Point of application in axes of the frame; its origin if not given. */
  readonly at?: NumericVec3;
  /** Impulse in N s and its moment in N m s. */
  readonly force?: NumericVec3;
  readonly torque?: NumericVec3;
  /** Axes of `force` and `torque`: the world's (default) or the frame's own. */
  readonly axes?: "world" | "body";
}

/** @throws ArgumentError */
export function checkImpulse(argument: string, impulse: AppliedImpulse): void {
  checkOptions(argument, impulse, ["frame", "at", "force", "torque", "axes"]);
  if (impulse.axes !== undefined) checkName(`${argument}.axes`, impulse.axes, IMPULSE_AXES, "axes");
  for (const key of ["at", "force", "torque"] as const)
    if (impulse[key] !== undefined) checkVector(`${argument}.${key}`, impulse[key], 3);
}

/** The impulse and its moment about the frame's origin, in world axes: torque + R at × force. R is R_WE of the frame. */
export function impulseWrench(
  { at = [0, 0, 0], force = [0, 0, 0], torque = [0, 0, 0], axes = "world" }: AppliedImpulse,
  R: Mat3<number>,
): { readonly torque: Vec3<number>; readonly force: Vec3<number> } {
  const F = (axes === "world" ? force : apply(R, force)) as Vec3<number>;
  const T = (axes === "world" ? torque : apply(R, torque)) as Vec3<number>;
  return { torque: plus(T, cross(apply(R, at), F)) as Vec3<number>, force: F };
}
