/**
 * Contact point of a wheel: a disc of radius r about the axle a through c. The contact normal n is that of the ground at the lowest point of
 * the disc along n, found by iteration. There is one contact point, so the ground must not be more curved than the wheel.
 *
 * Depth of the lowest point and its rate, with the axis ahead x = a × n / |a × n|; the second term is the change of the lean:
 *
 *   h = -n·(c - p_ground) + r |a × n|,   ḣ = -n·(v_c + ω × arm) = -n·v_c - r (n·a) (ω·x)                                        [1]
 *
 * On curved ground [1] neglects the change of n, which is smaller by h times the curvature.
 */
import type { Terrain } from "../../../ground/terrain.ts";
import type { DrawnForce } from "../../../sim/system/force-element.ts";

/** Number of iterations: each reduces the error by a factor of about r × curvature. */
const NORMAL_ITERATIONS = 4;

/** Numbers of a frame in a snapshot: R by rows, p, ω, v. */
const [POSITION, SPIN, VELOCITY] = [9, 12, 15];

/** Velocity that damps the normal force: [1], or the normal velocity of the centre. */
export type DampingVelocity = "rim" | "centre";

export class WheelContact {
  /** Normal of the ground, and the contact axes ahead (a × n) and to the left. */
  readonly n = new Float64Array(3);
  readonly ahead = new Float64Array(3);
  readonly left = new Float64Array(3);
  /** Arm from the wheel's centre to the lowest point of the rim. */
  readonly arm = new Float64Array(3);
  readonly axle = new Float64Array(3);
  /** Depth of the lowest point below the ground along n, and the velocity that damps: its rate, or -n·v_c. */
  sinkage = 0;
  sinkRate = 0;
  /** Speeds of the centre along the contact axes, and circumferential speed r ω of the rim. */
  vx = 0;
  vy = 0;
  rimSpeed = 0;
  readonly #ground = new Float64Array(3);
  readonly #radius: number;
  readonly #ax: number;
  readonly #ay: number;
  readonly #az: number;
  readonly #dampedBy: DampingVelocity;

  /** @param axis axle in axes of the wheel's frame, a unit vector */
  constructor(radius: number, axis: readonly number[], dampedBy: DampingVelocity) {
    this.#radius = radius;
    this.#dampedBy = dampedBy;
    [this.#ax, this.#ay, this.#az] = axis as readonly [number, number, number];
  }

  /** Finds the contact of the wheel whose frame begins at `first` in a snapshot's frames. Returns false if the ground is not known. */
  locate(frames: Float64Array, first: number, terrain: Terrain): boolean {
    const ground = this.#ground;
    const r = this.#radius;
    const ax = frames[first]! * this.#ax + frames[first + 1]! * this.#ay + frames[first + 2]! * this.#az;
    const ay = frames[first + 3]! * this.#ax + frames[first + 4]! * this.#ay + frames[first + 5]! * this.#az;
    const az = frames[first + 6]! * this.#ax + frames[first + 7]! * this.#ay + frames[first + 8]! * this.#az;
    const cx = frames[first + POSITION]!;
    const cy = frames[first + POSITION + 1]!;
    const cz = frames[first + POSITION + 2]!;
    terrain.sample(cx, cy, ground);
    let zx = ground[1]!;
    let zy = ground[2]!;
    let armX = 0;
    let armY = 0;
    let armZ = 0;
    for (let k = 0; k < NORMAL_ITERATIONS; k++) {
      // The component of the normal (-z_x, -z_y, 1) perpendicular to the axle, scaled to length r.
      const along = az - zx * ax - zy * ay;
      const ux = -zx - along * ax;
      const uy = -zy - along * ay;
      const uz = 1 - along * az;
      const size = -r / Math.sqrt(ux * ux + uy * uy + uz * uz);
      armX = size * ux;
      armY = size * uy;
      armZ = size * uz;
      terrain.sample(cx + armX, cy + armY, ground);
      if (ground[1] === zx && ground[2] === zy) break; // converged
      zx = ground[1]!;
      zy = ground[2]!;
    }
    const nz = 1 / Math.sqrt(1 + zx * zx + zy * zy);
    const nx = -zx * nz;
    const ny = -zy * nz;
    // Vertical distance of the rim's point from the ground, projected onto n: (0, 0, z - z_rim) · n.
    this.sinkage = (ground[0]! - cz - armZ) * nz;
    const fx = ay * nz - az * ny;
    const fy = az * nx - ax * nz;
    const fz = ax * ny - ay * nx;
    const size = 1 / Math.sqrt(fx * fx + fy * fy + fz * fz);
    const vx = frames[first + VELOCITY]!;
    const vy = frames[first + VELOCITY + 1]!;
    const vz = frames[first + VELOCITY + 2]!;
    const { n, axle, arm, ahead, left } = this;
    n[0] = nx;
    n[1] = ny;
    n[2] = nz;
    axle[0] = ax;
    axle[1] = ay;
    axle[2] = az;
    arm[0] = armX;
    arm[1] = armY;
    arm[2] = armZ;
    ahead[0] = fx * size;
    ahead[1] = fy * size;
    ahead[2] = fz * size;
    cross(n, ahead, left);
    this.vx = vx * ahead[0]! + vy * ahead[1]! + vz * ahead[2]!;
    this.vy = vx * left[0]! + vy * left[1]! + vz * left[2]!;
    const wx = frames[first + SPIN]!;
    const wy = frames[first + SPIN + 1]!;
    const wz = frames[first + SPIN + 2]!;
    this.sinkRate = -(vx * nx + vy * ny + vz * nz);
    if (this.#dampedBy === "rim")
      this.sinkRate -= r * (nx * ax + ny * ay + nz * az) * (wx * ahead[0]! + wy * ahead[1]! + wz * ahead[2]!);
    this.rimSpeed = r * (wx * ax + wy * ay + wz * az);
    return !Number.isNaN(this.sinkage);
  }
}

/** Channels of the contact point and force, for pictures. `writeContactChannels` writes them after the wheel's own channels. */
export const CONTACT_CHANNELS = [
  { name: "px", unit: "m" },
  { name: "py", unit: "m" },
  { name: "pz", unit: "m" },
  { name: "fx", unit: "N" },
  { name: "fy", unit: "N" },
  { name: "fz", unit: "N" },
] as const;
export const DRAWN_CONTACT: readonly DrawnForce[] = [{ name: "", point: ["px", "py", "pz"], force: ["fx", "fy", "fz"] }];

/** Writes the lowest point of the rim and the force there to the channels from `first` on. */
export function writeContactChannels(
  channels: Float64Array,
  first: number,
  frames: Float64Array,
  arm: Float64Array,
  force: Float64Array,
): void {
  for (let i = 0; i < 3; i++) {
    channels[first + i] = frames[POSITION + i]! + arm[i]!;
    channels[first + 3 + i] = force[i]!;
  }
}

/** out = a × b */
export function cross(a: Float64Array, b: Float64Array, out: Float64Array): void {
  out[0] = a[1]! * b[2]! - a[2]! * b[1]!;
  out[1] = a[2]! * b[0]! - a[0]! * b[2]!;
  out[2] = a[0]! * b[1]! - a[1]! * b[0]!;
}

/** Power of a wrench (torque, force) on a frame of a snapshot. */
export function wrenchPower(frames: Float64Array, first: number, torque: Float64Array, force: Float64Array): number {
  let power = 0;
  for (let i = 0; i < 3; i++) power += torque[i]! * frames[first + SPIN + i]! + force[i]! * frames[first + VELOCITY + i]!;
  return power;
}
