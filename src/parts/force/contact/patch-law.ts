/**
 * Forces of contact patches. At the points of a patch, with pressure p, share of the area dA and normal n (outward from the rigid solid), and with
 * the velocity v of the elastic solid there relative to the rigid one:
 *
 *   dF = p max(0, 1 + c ḋ) n dA,   ḋ = -v·n                                                                            [1]
 *
 * The work of p is stored (the potential of pressure/patch-finder.ts); that of c is dissipated: ḋ (max(0, 1 + c ḋ) - 1) is never negative. Points that
 * approach are pressed more than points that leave, so the size of the patch gives resistance to rolling.
 *
 * Friction acts at the centre of pressure, along two tangents and about the normal. With ℓ = ∫ p r dA / ∫ p dA, the mean distance from the centre, the
 * three speeds are w = (v·t₁, v·t₂, ℓ ω·n). The grip y, in √J, is a spring with stiffness k that slips at its limit N μ:
 *
 *   friction = -limited(√k limited(y) + b w),   b = c N + k bristleTime,   limited(·): its direction, and at most μ N in size        [2]
 *   ẏ = √k (w - s max(0, w·e) e) - e max(0, |y| - 1.1 Y) / T,   e = y / |y|,   Y = μ N / √k                                    [3]
 *
 * with the flow s of bristles (friction/bristle.ts). Below the limit ẏ = √k w: there is no creep. |y|²/2 is stored. The rest of the work is dissipated and
 * never negative: in [2] because the limit is a convex set that contains the spring's part; in [3] both flows are along y. The last term
 * of [3] releases a grip whose load decreases. The torque about the normal is ℓ times the third part, at most μ ∫ p r dA.
 */
import type { NumericLoads, Snapshot } from "../../../sim/system/force-element.ts";
import { FLOW_RANGE, flowShare } from "../friction/bristle.ts";
import { PER_FRAME } from "./carrier-pair.ts";
import type { ContactDetector } from "./contact-detector.ts";
import { PER_AXES, slotOfCandidate, writeTangent } from "./grip-slots.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import { PER_FACE, PER_NODE } from "./pressure/patch-store.ts";
import type { TouchMemory } from "./touch-memory.ts";

export interface PatchLawOptions {
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
  readonly bristleTime: number;
  /** Modulus of each candidate, Pa, and stiffness k of its grip, N/m. */
  readonly modulus: Float64Array;
  readonly grip: Float64Array;
  /** Number of the first grip state, and of slots. */
  readonly firstState: number;
  readonly slots: number;
}

/** Time constant T with which a grip without load springs back, s. */
const RELEASE_TIME = 0.01;
export const PER_GRIP = 3;

export class PatchLaw {
  /** Of the last patch: force on the elastic solid, its torque about the origin of the elastic frame, its torque about the centre of pressure. */
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  readonly centreTorque = new Float64Array(3);
  /** Normal load, N; stored energy, J; power dissipated, W; slip speed at the centre of pressure, m/s. */
  load = 0;
  potential = 0;
  dissipated = 0;
  slip = 0;
  readonly #contacts: ContactDetector;
  readonly #options: PatchLawOptions;
  /** Relative twist in axes of the elastic frame, about its origin: ω, v. */
  readonly #twist = new Float64Array(6);
  /** Sums over the patch in these axes: torque, force. */
  readonly #sum = new Float64Array(6);
  /** Tangents and normal in world axes. */
  readonly #axes = new Float64Array(9);
  readonly #tangent = new Float64Array(3);
  readonly #w = new Float64Array(3);
  readonly #pull = new Float64Array(3);

  constructor(contacts: ContactDetector, options: PatchLawOptions) {
    this.#contacts = contacts;
    this.#options = options;
  }

  /** Lets all grips spring back. Patches that are loaded replace this by their own rates. */
  begin(s: Snapshot, out: NumericLoads): void {
    const { firstState, slots } = this.#options;
    let square = 0;
    for (let i = firstState; i < firstState + PER_GRIP * slots; i++) {
      const y = s.z[i]!;
      square += y * y;
      out.zdot[i] = -y / RELEASE_TIME;
    }
    out.potential += 0.5 * square;
    out.dissipated += square / RELEASE_TIME;
  }

  /** Computes contact k, which is that of candidate m. */
  apply(k: number, m: number, s: Snapshot, out: NumericLoads): void {
    const { modulus, friction } = this.#options;
    const a = PER_FRAME * this.#contacts.firstCarrier[m]!;
    const b = PER_FRAME * this.#contacts.secondCarrier[m]!;
    this.#takeTwist(a, b);
    const radius = this.#addPressure(k, modulus[m]!, a);
    this.potential = modulus[m]! * this.#contacts.energies[k]!;
    this.slip = 0;
    this.#rotateSums(a);
    const memory = s.memory as TouchMemory | undefined;
    const slot = memory === undefined ? -1 : slotOfCandidate(memory.grips, m);
    if (this.load > 0 && this.#takeAxes(k, slot, memory, a, b, radius) && friction > 0) {
      if (slot >= 0) this.#grip(m, slot, s, out);
      else this.#creep();
      this.#addFriction(k, a, radius);
    }
    // Unknown ground: the step must fail.
    if (!(this.#contacts.hits[HIT_SIZE * k]! < Number.POSITIVE_INFINITY)) this.force[2] = Number.NaN;
    this.#takeCentreTorque(k, a);
  }

  /** Writes the relative twist of the elastic frame at a to the rigid one at b. */
  #takeTwist(a: number, b: number): void {
    const F = this.#contacts.frames;
    const V = this.#twist;
    const x = F[a + 9]! - F[b + 9]!;
    const y = F[a + 10]! - F[b + 10]!;
    const z = F[a + 11]! - F[b + 11]!;
    const wx = F[a + 12]! - F[b + 12]!;
    const wy = F[a + 13]! - F[b + 13]!;
    const wz = F[a + 14]! - F[b + 14]!;
    const vx = F[a + 15]! - (F[b + 15]! + F[b + 13]! * z - F[b + 14]! * y);
    const vy = F[a + 16]! - (F[b + 16]! + F[b + 14]! * x - F[b + 12]! * z);
    const vz = F[a + 17]! - (F[b + 17]! + F[b + 12]! * y - F[b + 13]! * x);
    for (let i = 0; i < 3; i++) {
      V[i] = F[a + i]! * wx + F[a + 3 + i]! * wy + F[a + 6 + i]! * wz;
      V[3 + i] = F[a + i]! * vx + F[a + 3 + i]! * vy + F[a + 6 + i]! * vz;
    }
  }

  /** Sums [1] over the patch. Returns ℓ. */
  #addPressure(k: number, modulus: number, a: number): number {
    const { damping } = this.#options;
    const { patches, firstFace, endFace, hits, frames: F } = this.#contacts;
    const { nodes, faces } = patches;
    const V = this.#twist;
    const h = HIT_SIZE * k;
    // The centre of pressure in axes of the elastic frame.
    const px = hits[h + 4]! - F[a + 9]!;
    const py = hits[h + 5]! - F[a + 10]!;
    const pz = hits[h + 6]! - F[a + 11]!;
    const cx = F[a]! * px + F[a + 3]! * py + F[a + 6]! * pz;
    const cy = F[a + 1]! * px + F[a + 4]! * py + F[a + 7]! * pz;
    const cz = F[a + 2]! * px + F[a + 5]! * py + F[a + 8]! * pz;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let tx = 0;
    let ty = 0;
    let tz = 0;
    let weights = 0;
    let moments = 0;
    let lost = 0;
    const first = firstFace[k]!;
    let node = first === 0 ? 0 : faces[PER_FACE * first - 1]!;
    for (let f = PER_FACE * first; f < PER_FACE * endFace[k]!; f += PER_FACE) {
      const nx = faces[f]!;
      const ny = faces[f + 1]!;
      const nz = faces[f + 2]!;
      // -v·n at the point x is rate - x·(n × ω).
      const rate = -(V[3]! * nx + V[4]! * ny + V[5]! * nz);
      const gx = ny * V[2]! - nz * V[1]!;
      const gy = nz * V[0]! - nx * V[2]!;
      const gz = nx * V[1]! - ny * V[0]!;
      let load = 0;
      let mx = 0;
      let my = 0;
      let mz = 0;
      for (const end = faces[f + 3]!; node < end; node++) {
        const i = PER_NODE * node;
        const x = nodes[i]!;
        const y = nodes[i + 1]!;
        const z = nodes[i + 2]!;
        const weight = nodes[i + 3]!;
        const approach = rate - (x * gx + y * gy + z * gz);
        const factor = damping * approach > -1 ? 1 + damping * approach : 0;
        const damped = weight * factor;
        lost += (damped - weight) * approach;
        load += damped;
        mx += damped * x;
        my += damped * y;
        mz += damped * z;
        weights += weight;
        moments += weight * Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz));
      }
      fx += load * nx;
      fy += load * ny;
      fz += load * nz;
      tx += my * nz - mz * ny;
      ty += mz * nx - mx * nz;
      tz += mx * ny - my * nx;
    }
    const sum = this.#sum;
    sum[0] = modulus * tx;
    sum[1] = modulus * ty;
    sum[2] = modulus * tz;
    sum[3] = modulus * fx;
    sum[4] = modulus * fy;
    sum[5] = modulus * fz;
    this.load = modulus * Math.sqrt(fx * fx + fy * fy + fz * fz);
    this.dissipated = modulus * lost;
    return weights > 0 ? moments / weights : 0;
  }

  #rotateSums(a: number): void {
    const F = this.#contacts.frames;
    const sum = this.#sum;
    for (let i = 0; i < 3; i++) {
      const r = a + 3 * i;
      this.torque[i] = F[r]! * sum[0]! + F[r + 1]! * sum[1]! + F[r + 2]! * sum[2]!;
      this.force[i] = F[r]! * sum[3]! + F[r + 1]! * sum[4]! + F[r + 2]! * sum[5]!;
    }
  }

  /** Takes the axes of friction and the three speeds w along them. Returns false if loads from opposite sides leave no normal. */
  #takeAxes(k: number, slot: number, memory: TouchMemory | undefined, a: number, b: number, radius: number): boolean {
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

  /** Friction [2] with the rates [3]: fills #pull, the force against w. */
  #grip(m: number, slot: number, s: Snapshot, out: NumericLoads): void {
    const { damping, friction, bristleTime, grip, firstState } = this.#options;
    const w = this.#w;
    const pull = this.#pull;
    const z = firstState + PER_GRIP * slot;
    const root = Math.sqrt(grip[m]!);
    const limit = friction * this.load;
    const limitGrip = limit / root;
    const y0 = s.z[z]!;
    const y1 = s.z[z + 1]!;
    const y2 = s.z[z + 2]!;
    const size = Math.sqrt(y0 * y0 + y1 * y1 + y2 * y2);
    // The spring's part, within the limit, and damping; then both within the limit.
    const share = size > limitGrip ? limitGrip / size : 1;
    const viscous = damping * this.load + grip[m]! * bristleTime;
    pull[0] = root * share * y0 + viscous * w[0]!;
    pull[1] = root * share * y1 + viscous * w[1]!;
    pull[2] = root * share * y2 + viscous * w[2]!;
    const whole = Math.sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    if (whole > limit) for (let i = 0; i < 3; i++) pull[i]! *= limit / whole;
    // Flow along y: that of bristles, and the release of a grip beyond its limit.
    const outward = size > limitGrip ? Math.max(0, w[0]! * y0 + w[1]! * y1 + w[2]! * y2) / size : 0;
    const beyond = size - (1 + FLOW_RANGE) * limitGrip;
    const flow = outward > 0 ? root * flowShare(size, limitGrip) * outward : 0;
    const back = size > 0 ? (flow + (beyond > 0 ? beyond / RELEASE_TIME : 0)) / size : 0;
    const rate0 = root * w[0]! - back * y0;
    const rate1 = root * w[1]! - back * y1;
    const rate2 = root * w[2]! - back * y2;
    out.zdot[z] = rate0;
    out.zdot[z + 1] = rate1;
    out.zdot[z + 2] = rate2;
    const work = pull[0]! * w[0]! + pull[1]! * w[1]! + pull[2]! * w[2]!;
    this.dissipated += work - (y0 * rate0 + y1 * rate1 + y2 * rate2);
    out.dissipated -= (size * size) / RELEASE_TIME; // of `begin`
  }

  /** Regularised friction of a patch that has no grip: before the start of a run, or if more patches touch than there are slots. */
  #creep(): void {
    const { friction, creep } = this.#options;
    const w = this.#w;
    const pull = this.#pull;
    const speed = w[0]! * w[0]! + w[1]! * w[1]! + w[2]! * w[2]!;
    const factor = (friction * this.load) / Math.sqrt(speed + creep * creep);
    for (let i = 0; i < 3; i++) pull[i] = factor * w[i]!;
    this.dissipated += factor * speed;
  }

  /** Adds friction at the centre of pressure. */
  #addFriction(k: number, a: number, radius: number): void {
    const { hits, frames: F } = this.#contacts;
    const { force, torque } = this;
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

  #takeCentreTorque(k: number, a: number): void {
    const { hits, frames: F } = this.#contacts;
    const { force, torque, centreTorque } = this;
    const h = HIT_SIZE * k;
    const x = hits[h + 4]! - F[a + 9]!;
    const y = hits[h + 5]! - F[a + 10]!;
    const z = hits[h + 6]! - F[a + 11]!;
    centreTorque[0] = torque[0]! - (y * force[2]! - z * force[1]!);
    centreTorque[1] = torque[1]! - (z * force[0]! - x * force[2]!);
    centreTorque[2] = torque[2]! - (x * force[1]! - y * force[0]!);
  }
}

const NO_AXES = new Float64Array(0);
