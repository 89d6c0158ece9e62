/**
 * Where a wheel meets the ground: a disc of radius r about the axle a through c. The contact normal n is that of the ground where the
 * lowest point of the disc along n stands, found by iteration; one point, so the ground must not be more curved than the wheel.
 */
import type { Terrain } from "../ground/terrain.ts";
import type { DrawnForce } from "../sim/force-element.ts";

/** Steps of the search: each gains a factor of about r × curvature. */
const STEPS = 4;

/** Numbers of a frame in a snapshot: R by rows, p, ω, v. */
const [POSITION, SPIN, VELOCITY] = [9, 12, 15];

export class WheelContact {
  /** Normal of the ground, and the contact axes ahead (a × n) and to the left. */
  readonly n = new Float64Array(3);
  readonly ahead = new Float64Array(3);
  readonly left = new Float64Array(3);
  /** From the wheel's centre to the lowest point of the rim. */
  readonly arm = new Float64Array(3);
  readonly axle = new Float64Array(3);
  /** Depth of that point below the ground along n, and its rate. */
  sinkage = 0;
  sinking = 0;
  /** Speeds of the centre along the contact axes, and speed r ω of the rim. */
  vx = 0;
  vy = 0;
  rim = 0;
  readonly #ground = new Float64Array(3);
  readonly #radius: number;
  readonly #axis: readonly number[];

  /** @param axis of the wheel's frame, of length 1 */
  constructor(radius: number, axis: readonly number[]) {
    this.#radius = radius;
    this.#axis = axis;
  }

  /** Finds the contact of the wheel whose frame begins at `at` in a snapshot's frames. False where the ground is not known. */
  locate(frames: Float64Array, at: number, terrain: Terrain): boolean {
    const { n, axle, arm } = this;
    const r = this.#radius;
    const [ax, ay, az] = this.#axis as readonly [number, number, number];
    for (let i = 0; i < 3; i++) axle[i] = frames[at + 3 * i]! * ax + frames[at + 3 * i + 1]! * ay + frames[at + 3 * i + 2]! * az;
    const cx = frames[at + POSITION]!;
    const cy = frames[at + POSITION + 1]!;
    const cz = frames[at + POSITION + 2]!;
    let x = cx;
    let y = cy;
    for (let k = 0; k < STEPS; k++) {
      this.#normal(terrain, x, y);
      const along = n[0]! * axle[0]! + n[1]! * axle[1]! + n[2]! * axle[2]!;
      const ux = n[0]! - along * axle[0]!;
      const uy = n[1]! - along * axle[1]!;
      const uz = n[2]! - along * axle[2]!;
      const size = -r / Math.sqrt(ux * ux + uy * uy + uz * uz);
      arm[0] = size * ux;
      arm[1] = size * uy;
      arm[2] = size * uz;
      x = cx + arm[0]!;
      y = cy + arm[1]!;
    }
    this.#normal(terrain, x, y);
    // The ground stands straight above or below the rim's point: (0, 0, z - z_rim) · n.
    this.sinkage = (this.#ground[0]! - cz - arm[2]!) * n[2]!;
    this.#axes();
    const vx = frames[at + VELOCITY]!;
    const vy = frames[at + VELOCITY + 1]!;
    const vz = frames[at + VELOCITY + 2]!;
    const { ahead, left } = this;
    this.vx = vx * ahead[0]! + vy * ahead[1]! + vz * ahead[2]!;
    this.vy = vx * left[0]! + vy * left[1]! + vz * left[2]!;
    this.sinking = -(vx * n[0]! + vy * n[1]! + vz * n[2]!);
    this.rim = r * (frames[at + SPIN]! * axle[0]! + frames[at + SPIN + 1]! * axle[1]! + frames[at + SPIN + 2]! * axle[2]!);
    return !Number.isNaN(this.sinkage);
  }

  #normal(terrain: Terrain, x: number, y: number): void {
    const { n } = this;
    terrain.sample(x, y, this.#ground);
    const zx = this.#ground[1]!;
    const zy = this.#ground[2]!;
    const size = 1 / Math.sqrt(1 + zx * zx + zy * zy);
    n[0] = -zx * size;
    n[1] = -zy * size;
    n[2] = size;
  }

  #axes(): void {
    const { n, axle, ahead, left } = this;
    cross(axle, n, ahead);
    const size = 1 / Math.sqrt(ahead[0]! ** 2 + ahead[1]! ** 2 + ahead[2]! ** 2);
    for (let i = 0; i < 3; i++) ahead[i]! *= size;
    cross(n, ahead, left);
  }
}

/** Channels of a wheel's contact for pictures, after its own; `showContact` writes them. */
export const CONTACT_CHANNELS = [
  { name: "px", unit: "m" },
  { name: "py", unit: "m" },
  { name: "pz", unit: "m" },
  { name: "fx", unit: "N" },
  { name: "fy", unit: "N" },
  { name: "fz", unit: "N" },
] as const;
export const DRAWN_CONTACT: readonly DrawnForce[] = [{ name: "", point: ["px", "py", "pz"], force: ["fx", "fy", "fz"] }];

/** The lowest point of the rim and the force there, into channels from `first` on. */
export function showContact(
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
export function powerOf(frames: Float64Array, at: number, torque: Float64Array, force: Float64Array): number {
  let power = 0;
  for (let i = 0; i < 3; i++) power += torque[i]! * frames[at + SPIN + i]! + force[i]! * frames[at + VELOCITY + i]!;
  return power;
}
