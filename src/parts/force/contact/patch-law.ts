/**
 * Forces of contact patches. At the points of a patch, with pressure p, share of the area dA and normal n (outward from the rigid solid), and with
 * the velocity v of the elastic solid there relative to the rigid one:
 *
 *   dF = g p max(0, 1 + c ḋ) n dA,   ḋ = -v·n                                                                          [1]
 *
 * The work of p is stored, as the potential U (pressure/patch-finder.ts); that of c is dissipated: ḋ (max(0, 1 + c ḋ) - 1) is never negative. Points
 * that approach are pressed more than points that leave, so the size of the patch gives resistance to rolling.
 *
 * Friction acts at the centre of pressure, along two tangents and about the normal. With ℓ = ∫ p r dA / ∫ p dA, the mean distance from the centre, the
 * three speeds are w = (v·t₁, v·t₂, ℓ ω·n). The grip x is a spring that slips at |x| = 1:
 *
 *   friction = -μ N limited(limited(x) + (c / μ + τ / δ) w),   limited(·): its direction, and at most 1 in size, τ bristleTime          [2]
 *   ẋ = w / δ                            |x| < 1, or w·x < 0: it sticks, without creep
 *   ẋ = κ (w - β (w·e) e) / δ            |x| > 1: it slips; e = x / |x|, β = min(1, 4 (|x| - 1))                              [3]
 *
 * The energy of the spring is (g - 1) U, with g = 1 + μ²/2 |x|²: it is proportional to that of the pressure, so a grip stores nothing when it opens, and
 * holds again when a load that has decreased for a short time returns. Hence g in [1], and δ = μ U / N follows from the work of [2] while the
 * grip sticks (exactly, unless its rounding is too large: `energyShares`). The stiffness μ N / δ = N² / U is between one and two times that of the normal direction. Close to the first touch δ is at least δ₀, and
 * friction is smaller by the same factor as δ would be.
 *
 * In slip |x| tends to 1.25. κ = 1 - β (1 - κ₀) with κ₀ = min(1, δ / (T |w|)) lets x follow the direction of fast slip within T and not faster, which
 * would make the motion stiff. All other work is dissipated, and is never negative: in [2] because the limit is a convex set that contains limited(x), in
 * [3] because |x| (1 - β) <= 1. The torque about the normal is ℓ times the third part, at most μ ∫ p r dA.
 */
import type { NumericLoads, Snapshot } from "../../../sim/system/force-element.ts";
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
  /** Modulus of each candidate, Pa, and δ₀, m. */
  readonly modulus: Float64Array;
  readonly leastSlip: Float64Array;
  /** Of each candidate: the values of U / (N d) that it may have; undefined for any. */
  readonly energyShares: readonly (readonly number[] | undefined)[];
  /** Number of the first grip state, and of slots. */
  readonly firstState: number;
  readonly slots: number;
}

/** Time constant T with which a grip follows fast slip, and with which one without load springs back, s. */
const SLIP_TIME = 0.002;
const RELEASE_TIME = 0.01;
/** Range of |x| above 1 in which slip begins. */
const FLOW_RANGE = 0.25;
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

  /** Lets all grips spring back; without load they store no energy. Patches that are loaded replace this by their own rates. */
  begin(s: Snapshot, out: NumericLoads): void {
    const { firstState, slots } = this.#options;
    for (let i = firstState; i < firstState + PER_GRIP * slots; i++) out.zdot[i] = -s.z[i]! / RELEASE_TIME;
  }

  /** Computes contact k, which is that of candidate m. */
  apply(k: number, m: number, s: Snapshot, out: NumericLoads): void {
    const { modulus, friction } = this.#options;
    const a = PER_FRAME * this.#contacts.firstCarrier[m]!;
    const b = PER_FRAME * this.#contacts.secondCarrier[m]!;
    const memory = s.memory as TouchMemory | undefined;
    const slot = memory === undefined || friction === 0 ? -1 : slotOfCandidate(memory.grips, m);
    const growth = slot < 0 ? 1 : 1 + 0.5 * friction * friction * this.#squareOfGrip(slot, s);
    this.#takeTwist(a, b);
    const radius = this.#addPressure(k, growth * modulus[m]!, a);
    const energy = modulus[m]! * this.#contacts.energies[k]!;
    this.potential = growth * energy;
    this.slip = 0;
    this.#rotateSums(a);
    if (this.load > 0 && this.#takeAxes(k, slot, memory, a, b, radius) && friction > 0) {
      if (slot >= 0) this.#grip(k, m, slot, energy, s, out);
      else this.#creep();
      this.#addFriction(k, a, radius);
    }
    // Unknown ground: the step must fail.
    if (!(this.#contacts.hits[HIT_SIZE * k]! < Number.POSITIVE_INFINITY)) this.force[2] = Number.NaN;
    this.#takeCentreTorque(k, a);
  }

  #squareOfGrip(slot: number, { z }: Snapshot): number {
    const i = this.#options.firstState + PER_GRIP * slot;
    return z[i]! * z[i]! + z[i + 1]! * z[i + 1]! + z[i + 2]! * z[i + 2]!;
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

  /** Friction [2] with the rates [3]: fills #pull, the force against w. `energy` is U. */
  #grip(k: number, m: number, slot: number, energy: number, s: Snapshot, out: NumericLoads): void {
    const { damping, friction, bristleTime, leastSlip, energyShares, firstState } = this.#options;
    const w = this.#w;
    const pull = this.#pull;
    const i = firstState + PER_GRIP * slot;
    const x0 = s.z[i]!;
    const x1 = s.z[i + 1]!;
    const x2 = s.z[i + 2]!;
    const size = Math.sqrt(x0 * x0 + x1 * x1 + x2 * x2);
    const depth = this.#contacts.hits[HIT_SIZE * k]!;
    const share0 = energy / (this.load * depth);
    const energyShare = energyShares[m] === undefined ? share0 : nearestOf(energyShares[m]!, share0);
    const elasticSlip = friction * energyShare * depth;
    const slip = Math.max(elasticSlip, leastSlip[m]!);
    const limit = friction * this.load * (elasticSlip / slip);
    // The spring's part, within the limit, and damping; then both within the limit.
    const share = size > 1 ? 1 / size : 1;
    const viscous = damping / friction + bristleTime / slip;
    pull[0] = share * x0 + viscous * w[0]!;
    pull[1] = share * x1 + viscous * w[1]!;
    pull[2] = share * x2 + viscous * w[2]!;
    const whole = Math.sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    const scale = whole > 1 ? limit / whole : limit;
    for (let n = 0; n < 3; n++) pull[n]! *= scale;
    const outward = w[0]! * x0 + w[1]! * x1 + w[2]! * x2;
    let rate = 1 / slip;
    let back = 0;
    if (size > 1 && outward > 0) {
      const beta = Math.min(1, (size - 1) / FLOW_RANGE);
      const fast = (SLIP_TIME / slip) * Math.sqrt(w[0]! * w[0]! + w[1]! * w[1]! + w[2]! * w[2]!);
      if (fast > 1) rate *= 1 - beta * (1 - 1 / fast);
      back = (rate * beta * outward) / (size * size);
    }
    const rate0 = rate * w[0]! - back * x0;
    const rate1 = rate * w[1]! - back * x1;
    const rate2 = rate * w[2]! - back * x2;
    out.zdot[i] = rate0;
    out.zdot[i + 1] = rate1;
    out.zdot[i + 2] = rate2;
    const work = pull[0]! * w[0]! + pull[1]! * w[1]! + pull[2]! * w[2]!;
    this.dissipated += work - friction * friction * energy * (x0 * rate0 + x1 * rate1 + x2 * rate2);
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

function nearestOf(values: readonly number[], x: number): number {
  let best = values[0]!;
  for (let i = 1; i < values.length; i++) if (Math.abs(values[i]! - x) < Math.abs(best - x)) best = values[i]!;
  return best;
}

const NO_AXES = new Float64Array(0);
