/**
 * Forces of contact patches. At the points of a patch, with pressure p, share of the area dA and normal n (outward from the rigid solid), and with
 * the velocity v of the elastic solid there relative to the rigid one:
 *
 *   dF = g p max(0, 1 + c ḋ) n dA,   ḋ = -v·n                                                                          [1]
 *
 * The work of p is stored, as the potential U (pressure/patch-finder.ts); that of c is dissipated: ḋ (max(0, 1 + c ḋ) - 1) is never negative. Points
 * that approach are pressed more than points that leave, so the size of the patch gives resistance to rolling. The factor g and friction
 * are in patch-friction.ts.
 */
import type { NumericLoads, Snapshot } from "../../../../sim/system/force-element.ts";
import { PER_FRAME } from "../carrier-pair.ts";
import type { ContactDetector } from "../contact-detector.ts";
import { HIT_SIZE } from "../narrow-phase.ts";
import { PER_FACE, PER_NODE } from "../pressure/patch-store.ts";
import type { TouchMemory } from "../touch-memory.ts";
import { slotOfCandidate } from "./grip-slots.ts";
import { PatchFriction, type PatchFrictionOptions, PER_GRIP, RELEASE_TIME } from "./patch-friction.ts";

export interface PatchLawOptions extends PatchFrictionOptions {
  /** Modulus of each candidate, Pa. */
  readonly modulus: Float64Array;
  /** Number of slots. */
  readonly slots: number;
}

/** Mean distance from the centre of a disc over the square root of its area: 2 / (3 √π). */
const MEAN_RADIUS = 0.3761263890318375;

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
  readonly #friction: PatchFriction;
  /** Relative twist in axes of the elastic frame, about its origin: ω, v. */
  readonly #twist = new Float64Array(6);
  /** Sums over the patch in these axes: torque, force. */
  readonly #sum = new Float64Array(6);
  /** Normal load without damping, N. */
  #staticLoad = 0;

  constructor(contacts: ContactDetector, options: PatchLawOptions) {
    this.#contacts = contacts;
    this.#options = options;
    this.#friction = new PatchFriction(contacts, options);
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
    const growth = slot < 0 ? 1 : 1 + 0.5 * friction * friction * this.#friction.squareOfGrip(slot, s);
    this.#takeTwist(a, b);
    this.#addPressure(k, growth * modulus[m]!);
    const radius = MEAN_RADIUS * Math.sqrt(this.#contacts.areas[k]!);
    const energy = modulus[m]! * this.#contacts.energies[k]!;
    this.potential = growth * energy;
    this.slip = 0;
    this.#rotateSums(a);
    if (this.load > 0 && this.#friction.takeAxes(k, slot, memory, a, b, radius)) {
      this.slip = this.#friction.slip;
      if (friction > 0) {
        this.dissipated +=
          slot < 0
            ? this.#friction.creep(this.load)
            : this.#friction.grip(k, m, slot, this.load, this.#staticLoad, energy, s, out);
        this.#friction.addForce(k, a, radius, this.force, this.torque);
      }
    } else if (slot >= 0 && this.#staticLoad > 0)
      this.dissipated += this.#friction.release(k, m, slot, this.#staticLoad, energy, s, out);
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

  /** Sums [1] over the patch. */
  #addPressure(k: number, modulus: number): void {
    const { damping } = this.#options;
    const { patches, firstFace, endFace } = this.#contacts;
    const { nodes, faces } = patches;
    const V = this.#twist;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let tx = 0;
    let ty = 0;
    let tz = 0;
    let lost = 0;
    let sx = 0;
    let sy = 0;
    let sz = 0;
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
      let still = 0;
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
        still += weight;
        load += damped;
        mx += damped * x;
        my += damped * y;
        mz += damped * z;
      }
      sx += still * nx;
      sy += still * ny;
      sz += still * nz;
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
    this.#staticLoad = modulus * Math.sqrt(sx * sx + sy * sy + sz * sz);
    this.dissipated = modulus * lost;
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
