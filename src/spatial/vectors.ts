/** Spatial motion and force vectors: pairs of 3-vectors, angular first, about the origin of a frame and in its axes. */
import { add, type Scalar } from "../kernel/trace/scalar.ts";
import { type AxisIndex, type PoseTransformable, requireSameFrame } from "./pose.ts";
import { apply, type Mat3 } from "./rotation.ts";
import { cross, dot, minus, plus, scale, turnVector, type Vec3, ZERO3 } from "./vec3.ts";

/** A velocity, or an acceleration without its centripetal part: angular part, and linear part of the origin of the frame. */
export class Motion implements PoseTransformable<Motion> {
  constructor(
    readonly frame: string,
    readonly angular: Vec3,
    readonly linear: Vec3,
  ) {}

  static zero(frame: string): Motion {
    return new Motion(frame, ZERO3, ZERO3);
  }

  /** The same components, labelled with another frame. */
  withFrame(frame: string): Motion {
    return new Motion(frame, this.angular, this.linear);
  }

  plus(other: Motion): Motion {
    requireSameFrame(this.frame, other.frame, "sum of motions");
    return new Motion(this.frame, plus(this.angular, other.angular), plus(this.linear, other.linear));
  }

  times(k: Scalar): Motion {
    return new Motion(this.frame, scale(k, this.angular), scale(k, this.linear));
  }

  /** Power of a force on this motion. */
  dot(force: Force): Scalar {
    requireSameFrame(this.frame, force.frame, "power");
    return add(dot(this.angular, force.torque), dot(this.linear, force.force));
  }

  turned(axis: AxisIndex, c: Scalar, s: Scalar): Motion {
    return new Motion(this.frame, turnVector(this.angular, axis, c, s), turnVector(this.linear, axis, c, s));
  }

  rotated(R: Mat3): Motion {
    return new Motion(this.frame, apply(R, this.angular), apply(R, this.linear));
  }

  /** v_O = v_I - w × p for the outer origin O, with p = O→I. */
  shifted(p: Vec3): Motion {
    return new Motion(this.frame, this.angular, minus(this.linear, cross(this.angular, p)));
  }
}

/** A wrench: torque about the origin of the frame, and force. */
export class Force implements PoseTransformable<Force> {
  constructor(
    readonly frame: string,
    readonly torque: Vec3,
    readonly force: Vec3,
  ) {}

  static zero(frame: string): Force {
    return new Force(frame, ZERO3, ZERO3);
  }

  /** The same components, labelled with another frame. */
  withFrame(frame: string): Force {
    return new Force(frame, this.torque, this.force);
  }

  plus(other: Force): Force {
    requireSameFrame(this.frame, other.frame, "sum of forces");
    return new Force(this.frame, plus(this.torque, other.torque), plus(this.force, other.force));
  }

  minus(other: Force): Force {
    requireSameFrame(this.frame, other.frame, "difference of forces");
    return new Force(this.frame, minus(this.torque, other.torque), minus(this.force, other.force));
  }

  times(k: Scalar): Force {
    return new Force(this.frame, scale(k, this.torque), scale(k, this.force));
  }

  turned(axis: AxisIndex, c: Scalar, s: Scalar): Force {
    return new Force(this.frame, turnVector(this.torque, axis, c, s), turnVector(this.force, axis, c, s));
  }

  rotated(R: Mat3): Force {
    return new Force(this.frame, apply(R, this.torque), apply(R, this.force));
  }

  /** n_O = n_I + p × f for the outer origin O, with p = O→I. */
  shifted(p: Vec3): Force {
    return new Force(this.frame, plus(this.torque, cross(p, this.force)), this.force);
  }
}
