/**
 * Kinematics and statics of a platform on legs [Merlet, Parallel Robots, chapters 4 and 9]: a ring that sliding legs carry on a base. With the
 * unit vector a along leg i and the vector r from the ring's origin to the joint at the leg's end,
 *
 *   rate of leg i = a · v + (r × a) · ω                                             (1)
 *   wrench of the legs on the ring = Jᵀ f,   row i of J = [(r × a)ᵀ, aᵀ]            (2)
 *
 * Twists and wrenches are those of the ring relative to the base, angular first, at the ring's origin and in axes of the base. The legs are
 * hinged to the base on their axes, and their inertia is neglected.
 */
import type { Freedom } from "../../../declare/freedom.ts";
import { ArgumentError, SingularError } from "../../../errors.ts";
import { quaternionFromMatrix, rotationVectorFromQuaternion } from "../../../math/elementary/rotation-vector.ts";
import { pivotedQR } from "../../../math/linear/pivoted-qr.ts";
import type { Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { apply } from "../../../spatial/rotation.ts";
import type { NumericVec3 } from "../../../spatial/vec3.ts";

export interface PlatformLeg {
  readonly hinge: Freedom;
  /** Frame at the joint with the ring; the body of the hinge if not given. */
  readonly joint: string | undefined;
}

/** Frames before those of the legs, and numbers per frame: R by rows, position, angular and linear velocity. */
const [BASE, RING, SENSOR, FIRST_LEG] = [0, 1, 2, 3];
const FRAME = 18;
const [POSITION, ANGULAR, LINEAR] = [9, 12, 15];
/** Legs whose lines are closer to dependence than this, relative to 1, cannot exert the wrench. */
const DEPENDENT = 1e-6;
/** Largest difference between the measured rate of a leg and equation (1): its absolute part in m/s, and relative to the speeds. */
const RATE_TOLERANCE = [1e-6, 1e-4] as const;

export class Platform {
  /** Frames that `take` needs, in this order: base, ring, sensor, then one for each leg. */
  readonly frames: readonly string[];
  /** Rotation vector of the ring from the base's attitude, and displacement of its origin from home, in axes of the base. */
  readonly pose = new Float64Array(6);
  readonly twist = new Float64Array(6);
  readonly #legs: readonly Freedom[];
  readonly #home: NumericVec3;
  /** Axis of each leg, in axes of the body that slides, and the frame of that body. */
  readonly #axes: readonly NumericVec3[];
  readonly #bodies: readonly number[];
  readonly #joints: readonly number[];
  /** Jᵀ by columns: (r × a), a of each leg. */
  readonly #columns: Float64Array;
  readonly #qr: ReturnType<typeof pivotedQR>;
  readonly #quaternion = new Float64Array(4);
  readonly #matrix = new Float64Array(9);
  readonly #scratch = new Float64Array(6);

  constructor(base: string, ring: string, sensor: string, home: NumericVec3, legs: readonly PlatformLeg[], model: Model) {
    const bodies = legs.map(({ hinge }) => model.bodies.find((body) => body.hinge.name === hinge.hinge)!);
    const frames = [base, ring, sensor];
    const indexOf = (frame: string): number => {
      if (!frames.includes(frame, FIRST_LEG)) frames.push(frame);
      return frames.indexOf(frame, FIRST_LEG);
    };
    this.#legs = legs.map(({ hinge }) => hinge);
    this.#home = home;
    this.#axes = bodies.map(({ hinge }) => {
      const { axis } = hinge.elements.at(-1)!.screw!;
      return apply(hinge.onBody.R, axis) as NumericVec3;
    });
    this.#bodies = bodies.map(({ name }) => indexOf(name));
    this.#joints = legs.map(({ joint }, i) => indexOf(joint ?? bodies[i]!.name));
    this.frames = frames;
    this.#columns = new Float64Array(6 * legs.length);
    this.#qr = pivotedQR(6, legs.length);
  }

  /** Takes a state. @throws ArgumentError if a leg does not move as equation (1) says, SingularError if the legs are dependent */
  take({ frames: f, u, t }: Snapshot): void {
    this.#takePose(f);
    this.#takeTwist(f);
    const { twist } = this;
    const columns = this.#columns;
    const [r, a] = [this.#scratch.subarray(0, 3), this.#scratch.subarray(3)];
    for (let i = 0; i < this.#legs.length; i++) {
      toBaseAxes(f, FRAME * this.#joints[i]! + POSITION, FRAME * RING + POSITION, r);
      this.#axisInBase(f, i, a);
      const o = 6 * i;
      columns[o] = r[1]! * a[2]! - r[2]! * a[1]!;
      columns[o + 1] = r[2]! * a[0]! - r[0]! * a[2]!;
      columns[o + 2] = r[0]! * a[1]! - r[1]! * a[0]!;
      let [rate, size] = [0, 0];
      for (let k = 0; k < 3; k++) columns[o + 3 + k] = a[k]!;
      for (let k = 0; k < 6; k++) {
        rate += columns[o + k]! * twist[k]!;
        size += Math.abs(columns[o + k]! * twist[k]!);
      }
      const measured = u[this.#legs[i]!.u]!;
      if (!(Math.abs(rate - measured) <= RATE_TOLERANCE[0] + RATE_TOLERANCE[1] * (size + Math.abs(measured))))
        throw new ArgumentError(
          `legs[${i}]`,
          `${this.#legs[i]!.name} slides at ${measured} m/s at t = ${t} s, but the motion of the ring gives ${rate} m/s: is it a leg ` +
            "between base and ring, hinged to the base on its axis, and is its joint with the ring the origin of the frame?",
        );
    }
    this.#qr.factor(columns, DEPENDENT);
    if (this.#qr.rank < this.#legs.length)
      throw new SingularError(`the legs of the ring are singular at t = ${t} s: they cannot exert every wrench`);
  }

  /** Forces of the legs with Jᵀ f = wrench (2); with fewer than six legs, the nearest wrench in N and N m. */
  forces(wrench: Float64Array, out: Float64Array): void {
    const b = this.#scratch;
    b.set(wrench);
    this.#qr.applyQTransposed(b);
    this.#qr.solve(b, out);
  }

  /** Writes a wrench at the sensor, in its axes, as a wrench at the ring's origin in axes of the base. */
  fromSensor({ frames: f }: Snapshot, wrench: Float64Array, out: Float64Array): void {
    const [S, B] = [FRAME * SENSOR, FRAME * BASE];
    const w = this.#scratch;
    for (let half = 0; half < 6; half += 3)
      for (let k = 0; k < 3; k++) {
        const row = S + 3 * k;
        w[half + k] = f[row]! * wrench[half]! + f[row + 1]! * wrench[half + 1]! + f[row + 2]! * wrench[half + 2]!;
      }
    const R = FRAME * RING + POSITION;
    const x = f[S + POSITION]! - f[R]!;
    const y = f[S + POSITION + 1]! - f[R + 1]!;
    const z = f[S + POSITION + 2]! - f[R + 2]!;
    w[0]! += y * w[5]! - z * w[4]!;
    w[1]! += z * w[3]! - x * w[5]!;
    w[2]! += x * w[4]! - y * w[3]!;
    for (let half = 0; half < 6; half += 3)
      for (let k = 0; k < 3; k++)
        out[half + k] = f[B + k]! * w[half]! + f[B + 3 + k]! * w[half + 1]! + f[B + 6 + k]! * w[half + 2]!;
  }

  #takePose(f: Float64Array): void {
    const [B, R] = [FRAME * BASE, FRAME * RING];
    const M = this.#matrix; // R_BR
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++)
        M[3 * r + c] = f[B + r]! * f[R + c]! + f[B + 3 + r]! * f[R + 3 + c]! + f[B + 6 + r]! * f[R + 6 + c]!;
    quaternionFromMatrix(M, 0, this.#quaternion);
    rotationVectorFromQuaternion(this.#quaternion, this.pose);
    const p = this.#scratch;
    toBaseAxes(f, R + POSITION, B + POSITION, p);
    for (let k = 0; k < 3; k++) this.pose[3 + k] = p[k]! - this.#home[k]!;
  }

  #takeTwist(f: Float64Array): void {
    const [B, R] = [FRAME * BASE, FRAME * RING];
    const { twist } = this;
    const x = f[R + POSITION]! - f[B + POSITION]!;
    const y = f[R + POSITION + 1]! - f[B + POSITION + 1]!;
    const z = f[R + POSITION + 2]! - f[B + POSITION + 2]!;
    const [wx, wy, wz] = [f[B + ANGULAR]!, f[B + ANGULAR + 1]!, f[B + ANGULAR + 2]!];
    const v = this.#scratch;
    v[0] = f[R + LINEAR]! - f[B + LINEAR]! - (wy * z - wz * y);
    v[1] = f[R + LINEAR + 1]! - f[B + LINEAR + 1]! - (wz * x - wx * z);
    v[2] = f[R + LINEAR + 2]! - f[B + LINEAR + 2]! - (wx * y - wy * x);
    for (let k = 0; k < 3; k++) {
      twist[k] = 0;
      twist[3 + k] = 0;
      for (let j = 0; j < 3; j++) {
        const R_WB = f[B + 3 * j + k]!;
        twist[k]! += R_WB * (f[R + ANGULAR + j]! - f[B + ANGULAR + j]!);
        twist[3 + k]! += R_WB * v[j]!;
      }
    }
  }

  /** Writes the axis of leg i in axes of the base. */
  #axisInBase(f: Float64Array, i: number, out: Float64Array): void {
    const axis = this.#axes[i]!;
    const L = FRAME * this.#bodies[i]!;
    const B = FRAME * BASE;
    out.fill(0);
    for (let j = 0; j < 3; j++) {
      const world = f[L + 3 * j]! * axis[0] + f[L + 3 * j + 1]! * axis[1] + f[L + 3 * j + 2]! * axis[2];
      for (let k = 0; k < 3; k++) out[k]! += f[B + 3 * j + k]! * world;
    }
  }
}

/** Notes legs that are not slides along an axis of their body. */
export function checkLegs(legs: readonly PlatformLeg[], model: Model, note: NoteProblem): void {
  if (legs.length < 1 || legs.length > 6) note("legs", `a ring has one to six legs, this has ${legs.length}`);
  for (const [i, { hinge }] of legs.entries()) {
    const { elements, nu } = model.bodies.find((body) => body.hinge.name === hinge.hinge)!.hinge;
    if (hinge.motion !== "slide" || hinge.speedInHinge !== nu - 1 || !elements.at(-1)!.screw)
      note("legs", `${hinge.name} is not a slide along an axis of its body`, "Name the prismatic hinge of the leg");
    if (legs.findIndex((leg) => leg.hinge.u === hinge.u) !== i) note("legs", `${hinge.name} is listed twice`);
  }
}

/** Writes the vector from one position to another in axes of the base, whose rotation is at the start of `f`. */
function toBaseAxes(f: Float64Array, to: number, from: number, out: Float64Array): void {
  const x = f[to]! - f[from]!;
  const y = f[to + 1]! - f[from + 1]!;
  const z = f[to + 2]! - f[from + 2]!;
  for (let k = 0; k < 3; k++) out[k] = f[k]! * x + f[3 + k]! * y + f[6 + k]! * z;
}
