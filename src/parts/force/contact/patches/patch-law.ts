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
import type { TouchMemory } from "../touch-memory.ts";
import { DampedPressure } from "./damped-pressure.ts";
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
  readonly #pressure: DampedPressure;
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
    this.#pressure = new DampedPressure(options.damping);
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
    this.#addPressure(k, m, growth * modulus[m]!);
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
  #addPressure(k: number, m: number, modulus: number): void {
    const { patches, firstFace, endFace, forms } = this.#contacts;
    const pressure = this.#pressure;
    pressure.add(patches, firstFace[k]!, endFace[k]!, forms[m]!, this.#twist);
    for (let i = 0; i < 6; i++) this.#sum[i] = modulus * pressure.sum[i]!;
    this.load = modulus * pressure.load;
    this.#staticLoad = modulus * pressure.staticLoad;
    this.dissipated = modulus * pressure.lost;
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
