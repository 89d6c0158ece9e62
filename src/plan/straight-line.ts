/** A straight line in space with a simultaneous rotation about a fixed axis. */

import { checkOptions } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";
import { euclideanNorm } from "../math/elementary/hypotenuse.ts";
import {
  multiplyQuaternions,
  quaternionFromRotationVector,
  rotateByQuaternion,
  rotationVectorBetween,
} from "../math/elementary/rotation-vector.ts";
import { type PoseNumbers, readPose, rejectHalfTurn } from "./pose.ts";
import { type JerkLimits, type SpeedLimits, sCurve, trapezoid } from "./speed-profiles.ts";
import type { Trajectory } from "./trajectory.ts";

export interface LineLimits extends Partial<JerkLimits> {
  /** Limits of the rotation: rad/s, rad/s², rad/s³. Limits that are not given do not apply. */
  readonly angularSpeed?: number;
  readonly angularAcceleration?: number;
  readonly angularJerk?: number;
}

/** Line from pose to pose, as fast as the limits allow: trapezoidal speed, or S-curve speed if a jerk is limited. 7 coordinates, 6 speeds. */
export function straightLine(from: PoseNumbers, to: PoseNumbers, limits: LineLimits): Trajectory {
  const known = ["speed", "acceleration", "jerk", "angularSpeed", "angularAcceleration", "angularJerk"];
  checkOptions("limits", limits, known);
  const [a, b] = [readPose(from, "from"), readPose(to, "to")];
  const displacement = [4, 5, 6].map((i) => b[i]! - a[i]!);
  const turn = new Float64Array(3);
  const angle = rotationVectorBetween(a, b, turn);
  rejectHalfTurn(angle, "a straight line");
  const length = euclideanNorm(displacement);
  if (!(length > 0 || angle > 0))
    throw new ArgumentError("poses", "a straight line needs two different poses, got the same one twice");
  const profile = speedProfile(length, angle, limits);
  const [s, theta, increment] = [new Float64Array(3), new Float64Array(3), new Float64Array(4)];
  const axis = new Float64Array(3);
  rotateByQuaternion(a, turn, axis); // the axis does not move: in world axes the turn goes about R(a) turn
  return {
    ...{ nq: 7, nu: 6, duration: profile.duration, breaks: profile.breaks },
    at(t, out) {
      profile.at(t, s);
      for (let i = 0; i < 3; i++) theta[i] = s[0]! * turn[i]!;
      quaternionFromRotationVector(theta, increment);
      multiplyQuaternions(a, increment, out);
      for (let i = 0; i < 3; i++) {
        out[4 + i] = a[4 + i]! + s[0]! * displacement[i]!;
        out[7 + i] = s[1]! * axis[i]!;
        out[10 + i] = s[1]! * displacement[i]!;
        out[13 + i] = s[2]! * axis[i]!;
        out[16 + i] = s[2]! * displacement[i]!;
      }
    },
  };
}

/** Profile from 0 to 1 whose speed keeps the limits of the line and of the rotation. */
function speedProfile(length: number, angle: number, limits: LineLimits): Trajectory {
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && !(typeof value === "number" && value > 0))
      throw new ArgumentError(`limits.${name}`, `the ${name} of a line must be positive, got ${value}`);
  const smallestLimit = (linear?: number, angular?: number): number =>
    Math.min(
      linear !== undefined && length > 0 ? linear / length : Number.POSITIVE_INFINITY,
      angular !== undefined && angle > 0 ? angular / angle : Number.POSITIVE_INFINITY,
    );
  const speed = smallestLimit(limits.speed, limits.angularSpeed);
  const acceleration = smallestLimit(limits.acceleration, limits.angularAcceleration);
  const jerk = smallestLimit(limits.jerk, limits.angularJerk);
  const required = length > 0 ? ["speed", "acceleration"] : ["angularSpeed", "angularAcceleration"];
  if (!Number.isFinite(speed) || !Number.isFinite(acceleration))
    throw new ArgumentError("limits", `this line needs limits: ${required.join(" and ")}`);
  const speedLimits: SpeedLimits = { speed, acceleration };
  return Number.isFinite(jerk) ? sCurve(1, { ...speedLimits, jerk }) : trapezoid(1, speedLimits);
}
