/**
 * Friction of contact patches. It acts at the centre of pressure, along two tangents and about the normal. With ℓ = 2/3 √(A / π), the
 * mean distance from the centre of a disc with the area A of the patch, the three speeds are w = (v·t₁, v·t₂, ℓ ω·n). The grip x is a spring that slips at |x| = 1:
 *
 *   friction = -μ N limited(limited(c x) + (d / μ + τ / δ) w),   limited(·): its direction, and at most 1 in size; d damping, τ bristleTime   [1]
 *   ẋ = κ (w - β (w·e) e) / δ                    w·x >= 0: it grows, and slips at |x| > 1; e = x / |x|, β = 4 (|x| - 1) within 0 and 1
 *   ẋ = (κ w + (1 - κ) σ (w·e) e) / δ            w·x < 0: it springs back; σ = min(1, 5 |x|)                                       [2]
 *
 * If w is slow, κ = c = 1: below the limit it sticks, a spring without creep. The energy of the spring is (g - 1) U, with g = 1 + μ²/2 |x|²: it is
 * proportional to that of the pressure, so a grip stores nothing when it opens, and holds again when a load that has decreased for a short time
 * returns. Hence the factor g of the pressure in patch-law.ts, and δ = μ U / N follows from the work of [1] while the grip sticks (exactly, unless its
 * rounding is too large: `energyShares`). The stiffness μ N / δ = N² / U is between one and two times that of the normal direction.
 *
 * κ = min(1, δ / (T |w|)) lets x follow fast slip within T and not faster, which would make the motion stiff: a patch that has just touched has a
 * small δ. T is between `GRIP_TIME` and, in slip, `SLIP_TIME`. In slip |x| tends to 1.25. c = κ + (1 - κ) σ, and 1 for |x| > 1/5. All work that
 * is not stored is dissipated, and is never negative: in [1] because the limit is a convex set that contains limited(c x), in [2] because
 * |x| (1 - β) <= 1, κ <= 1 and c <= κ + (1 - κ) σ where the grip springs back. All rates are continuous, at w·e = 0 and x = 0 too.
 *
 * Close to the first touch δ is at least δ₀. Let s = μ U / N₀ with the load N₀ without damping, and a = min(1, s / δ₀), which grows from zero
 * with the depth. There friction is smaller by δ / δ₀ and by a, and the rate is a ẋ - (1 - a) x / T₀ with the time T₀ of release. So forces and rates
 * grow from zero: a rate that jumps at the first touch would stop an integrator.
 *
 * The torque about the normal is ℓ times the third part, at most μ N ℓ. ℓ depends on the area only: sums of |r| over the points of a patch would
 * depend on how it is divided into triangles, and the torque would jump.
 */
import type { NumericLoads, Snapshot } from "../../../../sim/system/force-element.ts";
import type { ContactDetector } from "../contact-detector.ts";
import { HIT_SIZE } from "../narrow-phase.ts";
import type { TouchMemory } from "../touch-memory.ts";
import { PER_AXES, writeTangent } from "./grip-slots.ts";

export interface PatchFrictionOptions {
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
  readonly bristleTime: number;
  /** δ₀ of each candidate, m. */
  readonly leastSlip: Float64Array;
  /** Of each candidate: the values of U / (N d) that it may have; undefined for any. */
  readonly energyShares: readonly (readonly number[] | undefined)[];
  /** Number of the first grip state. */
  readonly firstState: number;
}

/** Time constant T₀ with which a grip without load springs back, s. */
export const RELEASE_TIME = 0.01;

/** Time constant T with which a grip follows fast slip, s. */
const SLIP_TIME = 0.002;
/** The same with which it grows, and the size above which it springs back without delay. */
const GRIP_TIME = 5e-4;
const SMALL_GRIP = 0.2;
/** Range of |x| above 1 in which slip begins. */
const FLOW_RANGE = 0.25;
export const PER_GRIP = 3;

export class PatchFriction {
  /** Slip speed at the centre of pressure when the axes were taken, m/s. */
  slip = 0;
  readonly #contacts: ContactDetector;
  readonly #options: PatchFrictionOptions;
  /** Tangents and normal in world axes. */
  readonly #axes = new Float64Array(9);
  readonly #tangent = new Float64Array(3);
  readonly #w = new Float64Array(3);
  /** The force against w. */
  readonly #pull = new Float64Array(3);

  constructor(contacts: ContactDetector, options: PatchFrictionOptions) {
    this.#contacts = contacts;
    this.#options = options;
  }

  /** |x|² of the grip of a slot. */
  squareOfGrip(slot: number, { z }: Snapshot): number {
    const i = this.#options.firstState + PER_GRIP * slot;
    return z[i]! * z[i]! + z[i + 1]! * z[i + 1]! + z[i + 2]! * z[i + 2]!;
  }

  /** Takes the axes of friction and the three speeds w along them. Returns false if loads from opposite sides leave no normal. */
  takeAxes(k: number, slot: number, memory: TouchMemory | undefined, a: number, b: number, radius: number): boolean {
    const { hits, frames: F } = this.#contacts;
    const axes = this.#axes;
    const t = this.#tangent;
    const w = this.#w;
    const h = HIT_SIZE * k;
    const nx = hits[h + 1]!;
    const ny = hits[h + 2]!;
    const nz = hits[h + 3]!;
    if (nx === 0 && ny === 0 && nz === 0) return false;
    writeTangent(
      memory === undefined || slot < 0 ? NO_AXES : memory.grips.axes,
      PER_AXES * slot,
      F[b]! * nx + F[b + 3]! * ny + F[b + 6]! * nz,
      F[b + 1]! * nx + F[b + 4]! * ny + F[b + 7]! * nz,
      F[b + 2]! * nx + F[b + 5]! * ny + F[b + 8]! * nz,
      t,
    );
    for (let i = 0; i < 3; i++) axes[i] = F[b + 3 * i]! * t[0]! + F[b + 3 * i + 1]! * t[1]! + F[b + 3 * i + 2]! * t[2]!;
    axes[3] = ny * axes[2]! - nz * axes[1]!;
    axes[4] = nz * axes[0]! - nx * axes[2]!;
    axes[5] = nx * axes[1]! - ny * axes[0]!;
    axes[6] = nx;
    axes[7] = ny;
    axes[8] = nz;
    const ax = hits[h + 4]! - F[a + 9]!;
    const ay = hits[h + 5]! - F[a + 10]!;
    const az = hits[h + 6]! - F[a + 11]!;
    const bx = hits[h + 4]! - F[b + 9]!;
    const by = hits[h + 5]! - F[b + 10]!;
    const bz = hits[h + 6]! - F[b + 11]!;
    const vx = F[a + 15]! + F[a + 13]! * az - F[a + 14]! * ay - (F[b + 15]! + F[b + 13]! * bz - F[b + 14]! * by);
    const vy = F[a + 16]! + F[a + 14]! * ax - F[a + 12]! * az - (F[b + 16]! + F[b + 14]! * bx - F[b + 12]! * bz);
    const vz = F[a + 17]! + F[a + 12]! * ay - F[a + 13]! * ax - (F[b + 17]! + F[b + 12]! * by - F[b + 13]! * bx);
    w[0] = axes[0]! * vx + axes[1]! * vy + axes[2]! * vz;
    w[1] = axes[3]! * vx + axes[4]! * vy + axes[5]! * vz;
    const spin = (F[a + 12]! - F[b + 12]!) * nx + (F[a + 13]! - F[b + 13]!) * ny + (F[a + 14]! - F[b + 14]!) * nz;
    w[2] = radius * spin;
    this.slip = Math.sqrt(w[0] * w[0] + w[1] * w[1]);
    return true;
  }

  /**
   * Friction [1] with the rates [2] of a patch with the normal load N, the same without damping, and the potential U, `energy`. Returns the
   * power dissipated.
   */
  grip(
    k: number,
    m: number,
    slot: number,
    load: number,
    staticLoad: number,
    energy: number,
    s: Snapshot,
    out: NumericLoads,
  ): number {
    const { damping, friction, bristleTime, leastSlip, firstState } = this.#options;
    const w = this.#w;
    const pull = this.#pull;
    const i = firstState + PER_GRIP * slot;
    const x0 = s.z[i]!;
    const x1 = s.z[i + 1]!;
    const x2 = s.z[i + 2]!;
    const size = Math.sqrt(x0 * x0 + x1 * x1 + x2 * x2);
    const staticSlip = this.#staticSlip(k, m, staticLoad, energy);
    const elasticSlip = staticSlip * (staticLoad / load);
    const onset = Math.min(1, staticSlip / leastSlip[m]!);
    const slip = Math.max(elasticSlip, leastSlip[m]!);
    const limit = friction * load * (elasticSlip / slip) * onset;
    const speed = Math.sqrt(w[0]! * w[0]! + w[1]! * w[1]! + w[2]! * w[2]!);
    const outward = w[0]! * x0 + w[1]! * x1 + w[2]! * x2;
    const beta = size > 1 ? Math.min(1, (size - 1) / FLOW_RANGE) : 0;
    const reach = (GRIP_TIME + beta * (SLIP_TIME - GRIP_TIME)) * speed;
    const follow = reach > slip ? slip / reach : 1;
    const part = size < SMALL_GRIP ? size / SMALL_GRIP : 1;
    // The spring's part, within the limit, and damping; then both within the limit.
    const share = size > 1 ? 1 / size : follow + (1 - follow) * part;
    const viscous = damping / friction + bristleTime / slip;
    pull[0] = share * x0 + viscous * w[0]!;
    pull[1] = share * x1 + viscous * w[1]!;
    pull[2] = share * x2 + viscous * w[2]!;
    const whole = Math.sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    const scale = whole > 1 ? limit / whole : limit;
    for (let n = 0; n < 3; n++) pull[n]! *= scale;
    const rate = (onset * follow) / slip;
    // Along x: less if it slips, and all of it if it springs back.
    const along = outward > 0 ? -follow * beta : (1 - follow) * part;
    const back = size > 0 ? (onset * along * outward) / (slip * size * size) : 0;
    const change = back - (1 - onset) / RELEASE_TIME;
    const rate0 = rate * w[0]! + change * x0;
    const rate1 = rate * w[1]! + change * x1;
    const rate2 = rate * w[2]! + change * x2;
    out.zdot[i] = rate0;
    out.zdot[i + 1] = rate1;
    out.zdot[i + 2] = rate2;
    const work = pull[0]! * w[0]! + pull[1]! * w[1]! + pull[2]! * w[2]!;
    return work - friction * friction * energy * (x0 * rate0 + x1 * rate1 + x2 * rate2);
  }

  /** Lets a grip spring back whose patch has a potential but no load, because its bodies leave each other fast. Returns the power dissipated. */
  release(k: number, m: number, slot: number, staticLoad: number, energy: number, s: Snapshot, out: NumericLoads): number {
    const { friction, leastSlip, firstState } = this.#options;
    const onset = Math.min(1, this.#staticSlip(k, m, staticLoad, energy) / leastSlip[m]!);
    const rate = (1 - onset) / RELEASE_TIME;
    const first = firstState + PER_GRIP * slot;
    for (let i = first; i < first + PER_GRIP; i++) out.zdot[i] = -rate * s.z[i]!;
    return friction * friction * energy * rate * this.squareOfGrip(slot, s);
  }

  /** μ U / N₀ of a patch that has a potential. */
  #staticSlip(k: number, m: number, staticLoad: number, energy: number): number {
    const { friction, energyShares } = this.#options;
    const depth = this.#contacts.hits[HIT_SIZE * k]!;
    const exact = energy / (staticLoad * depth);
    const share = energyShares[m] === undefined ? exact : nearestOf(energyShares[m]!, exact);
    return friction * share * depth;
  }

  /** Regularised friction of a patch that has no grip: before the start of a run, or if more patches touch than there are slots. Returns the power dissipated. */
  creep(load: number): number {
    const { friction, creep } = this.#options;
    const w = this.#w;
    const pull = this.#pull;
    const speed = w[0]! * w[0]! + w[1]! * w[1]! + w[2]! * w[2]!;
    const factor = (friction * load) / Math.sqrt(speed + creep * creep);
    for (let i = 0; i < 3; i++) pull[i] = factor * w[i]!;
    return factor * speed;
  }

  /** Adds the last friction, at the centre of pressure, to the force and to the torque about the origin of the elastic frame at a. */
  addForce(k: number, a: number, radius: number, force: Float64Array, torque: Float64Array): void {
    const { hits, frames: F } = this.#contacts;
    const axes = this.#axes;
    const pull = this.#pull;
    const h = HIT_SIZE * k;
    const x = hits[h + 4]! - F[a + 9]!;
    const y = hits[h + 5]! - F[a + 10]!;
    const z = hits[h + 6]! - F[a + 11]!;
    const fx = -(pull[0]! * axes[0]! + pull[1]! * axes[3]!);
    const fy = -(pull[0]! * axes[1]! + pull[1]! * axes[4]!);
    const fz = -(pull[0]! * axes[2]! + pull[1]! * axes[5]!);
    const spin = -radius * pull[2]!;
    force[0]! += fx;
    force[1]! += fy;
    force[2]! += fz;
    torque[0]! += y * fz - z * fy + spin * axes[6]!;
    torque[1]! += z * fx - x * fz + spin * axes[7]!;
    torque[2]! += x * fy - y * fx + spin * axes[8]!;
  }
}

function nearestOf(values: readonly number[], x: number): number {
  let best = values[0]!;
  for (let i = 1; i < values.length; i++) if (Math.abs(values[i]! - x) < Math.abs(best - x)) best = values[i]!;
  return best;
}

const NO_AXES = new Float64Array(0);
