/**
 * Contact forces. Each touching candidate has a force at a point (points/point-law.ts) or on a patch (patches/patch-law.ts). They are added to the
 * wrenches on both bodies, to the energies and to the channels.
 */
import type { NumericLoads, Snapshot } from "../../../sim/system/force-element.ts";
import { PER_FRAME } from "./carrier-pair.ts";
import type { ContactDetector } from "./contact-detector.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import type { ContactCandidate } from "./pair-kinds.ts";
import { PER_GRIP } from "./patches/patch-friction.ts";
import { PatchLaw, type PatchLawOptions } from "./patches/patch-law.ts";
import { PointLaw, type PointLawOptions } from "./points/point-law.ts";
import { acts, type TouchMemory } from "./touch-memory.ts";

export interface ContactLawOptions extends PointLawOptions, Omit<PatchLawOptions, "firstState"> {
  /** Pair of shapes of each candidate, and the first channel of each pair that has channels. */
  readonly pairOfCandidate: readonly number[];
  readonly pairChannels: readonly number[];
  /** Frame of the sum of all forces, numbered as carriers: 0 is the world. */
  readonly seenFrom: number;
}

export class ContactLaw {
  /** Number of states: the energy absorbed by contact, three bristle deflections for each candidate, three for each slot of a patch. */
  readonly stateCount: number;
  readonly #pointLaw: PointLaw;
  readonly #patchLaw: PatchLaw;
  readonly #contacts: ContactDetector;
  readonly #options: ContactLawOptions;
  readonly #swapped: Uint8Array;
  /** Sum of the forces on `shapes`, and of their moments about the world's origin. */
  readonly #sum = new Float64Array(6);
  /** Wrenches on the world and on the frames. */
  readonly #wrenches: Float64Array;

  constructor(contacts: ContactDetector, candidates: readonly ContactCandidate[], options: ContactLawOptions) {
    this.#contacts = contacts;
    this.#options = options;
    this.#swapped = Uint8Array.from(candidates, (m) => Number(m.swapped));
    this.#wrenches = new Float64Array(6 * (contacts.frames.length / PER_FRAME));
    this.#pointLaw = new PointLaw(contacts, candidates, options);
    const { bristles } = this.#pointLaw;
    this.#patchLaw = new PatchLaw(contacts, { ...options, firstState: 1 + bristles });
    this.stateCount = 1 + bristles + PER_GRIP * options.slots;
  }

  /** Adds wrenches, energy and channels at a state. */
  apply(s: Snapshot, out: NumericLoads): void {
    if (!this.#begin(s, out)) return;
    const contacts = this.#contacts;
    const W = this.#wrenches;
    const { channels } = out;
    const { hits } = contacts;
    let absorbed = 0;
    let deepest = 0;
    let loads = 0;
    for (let k = 0; k < contacts.count; k++) {
      const m = contacts.touching[k]!;
      if (!acts(s.memory as TouchMemory | undefined, m)) continue;
      channels[0]!++;
      const depth = hits[HIT_SIZE * k]!;
      if (contacts.isPatch[m] === 1) {
        absorbed += this.#applyPatch(k, m, s, out);
        deepest = Math.max(deepest, depth);
        loads += this.#patchLaw.load;
      } else {
        absorbed += this.#applyPoint(k, m, s, out);
        if (depth > deepest) deepest = depth;
        loads += this.#pointLaw.load;
      }
    }
    for (let i = 0; i < out.wrenches.length; i++) out.wrenches[i]! += W[6 + i]!;
    out.zdot[0] = absorbed;
    channels[1] = deepest;
    channels[2] = loads;
    this.#writeTotalForce(channels);
  }

  /** Releases bristles and finds contacts. Returns false if there are none: everything else is zero already. */
  #begin(s: Snapshot, out: NumericLoads): boolean {
    const { channels } = out;
    this.#pointLaw.begin(s, out);
    if (this.#options.slots > 0) this.#patchLaw.begin(s, out);
    channels[9] = s.z[0]!;
    this.#contacts.findContacts(s.frames);
    if (this.#contacts.count === 0) return false;
    for (let i = 0; i < 6; i++) this.#sum[i] = 0;
    for (let i = 0; i < this.#wrenches.length; i++) this.#wrenches[i] = 0;
    return true;
  }

  /** Adds contact k, the point of candidate m. Returns the power that it absorbs. */
  #applyPoint(k: number, m: number, s: Snapshot, out: NumericLoads): number {
    const { hits, frames: F, firstCarrier, secondCarrier } = this.#contacts;
    const point = this.#pointLaw;
    const W = this.#wrenches;
    const sum = this.#sum;
    point.apply(k, m, s, out);
    const fx = point.force[0]!;
    const fy = point.force[1]!;
    const fz = point.force[2]!;
    const h = HIT_SIZE * k;
    const px = hits[h + 4]!;
    const py = hits[h + 5]!;
    const pz = hits[h + 6]!;
    const a = PER_FRAME * firstCarrier[m]!;
    const b = PER_FRAME * secondCarrier[m]!;
    const ax = px - F[a + 9]!;
    const ay = py - F[a + 10]!;
    const az = pz - F[a + 11]!;
    const bx = px - F[b + 9]!;
    const by = py - F[b + 10]!;
    const bz = pz - F[b + 11]!;
    const i = 6 * firstCarrier[m]!;
    W[i]! += ay * fz - az * fy;
    W[i + 1]! += az * fx - ax * fz;
    W[i + 2]! += ax * fy - ay * fx;
    W[i + 3]! += fx;
    W[i + 4]! += fy;
    W[i + 5]! += fz;
    const j = 6 * secondCarrier[m]!;
    W[j]! -= by * fz - bz * fy;
    W[j + 1]! -= bz * fx - bx * fz;
    W[j + 2]! -= bx * fy - by * fx;
    W[j + 3]! -= fx;
    W[j + 4]! -= fy;
    W[j + 5]! -= fz;
    out.potential += point.potential;
    out.dissipated += point.dissipated;
    const sign = this.#swapped[m] === 1 ? -1 : 1;
    sum[0]! += sign * fx;
    sum[1]! += sign * fy;
    sum[2]! += sign * fz;
    sum[3]! += sign * (py * fz - pz * fy);
    sum[4]! += sign * (pz * fx - px * fz);
    sum[5]! += sign * (px * fy - py * fx);
    if (this.#options.pairChannels.length > 0) this.#addPointToPair(h, m, sign, out.channels);
    return point.absorbed;
  }

  /** Adds the last point, whose hit begins at h, to the channels of its pair. Their point is the mean of the contact points, weighted by their loads. */
  #addPointToPair(h: number, m: number, sign: number, channels: Float64Array): void {
    const { pairOfCandidate, pairChannels } = this.#options;
    const { hits } = this.#contacts;
    const { force, load } = this.#pointLaw;
    const c = pairChannels[pairOfCandidate[m]!]!;
    const total = channels[c + 1]! + load;
    const share = total > 0 ? load / total : 1;
    if (hits[h]! > channels[c]!) channels[c] = hits[h]!;
    channels[c + 1] = total;
    for (let n = 0; n < 3; n++) {
      channels[c + 2 + n]! += sign * force[n]!;
      channels[c + 5 + n]! += share * (hits[h + 4 + n]! - channels[c + 5 + n]!);
    }
  }

  /** Adds contact k, the patch of candidate m. Returns the power that it absorbs. */
  #applyPatch(k: number, m: number, s: Snapshot, out: NumericLoads): number {
    const { hits, frames: F, firstCarrier, secondCarrier, areas } = this.#contacts;
    const { pairOfCandidate, pairChannels } = this.#options;
    const patch = this.#patchLaw;
    const W = this.#wrenches;
    const sum = this.#sum;
    patch.apply(k, m, s, out);
    const fx = patch.force[0]!;
    const fy = patch.force[1]!;
    const fz = patch.force[2]!;
    const a = PER_FRAME * firstCarrier[m]!;
    const b = PER_FRAME * secondCarrier[m]!;
    // The same force and torque on both, about the origin of the elastic frame.
    const x = F[a + 9]! - F[b + 9]!;
    const y = F[a + 10]! - F[b + 10]!;
    const z = F[a + 11]! - F[b + 11]!;
    const i = 6 * firstCarrier[m]!;
    const j = 6 * secondCarrier[m]!;
    for (let n = 0; n < 3; n++) {
      W[i + n]! += patch.torque[n]!;
      W[i + 3 + n]! += patch.force[n]!;
      W[j + n]! -= patch.torque[n]!;
      W[j + 3 + n]! -= patch.force[n]!;
    }
    W[j]! -= y * fz - z * fy;
    W[j + 1]! -= z * fx - x * fz;
    W[j + 2]! -= x * fy - y * fx;
    out.potential += patch.potential;
    out.dissipated += patch.dissipated;
    const sign = this.#swapped[m] === 1 ? -1 : 1;
    const h = HIT_SIZE * k;
    const px = hits[h + 4]!;
    const py = hits[h + 5]!;
    const pz = hits[h + 6]!;
    sum[0]! += sign * fx;
    sum[1]! += sign * fy;
    sum[2]! += sign * fz;
    sum[3]! += sign * (py * fz - pz * fy + patch.centreTorque[0]!);
    sum[4]! += sign * (pz * fx - px * fz + patch.centreTorque[1]!);
    sum[5]! += sign * (px * fy - py * fx + patch.centreTorque[2]!);
    if (pairChannels.length > 0) {
      const c = pairChannels[pairOfCandidate[m]!]!;
      const { channels } = out;
      channels[c] = hits[h]!;
      channels[c + 1] = patch.load;
      for (let n = 0; n < 3; n++) {
        channels[c + 2 + n] = sign * patch.force[n]!;
        channels[c + 5 + n] = hits[h + 4 + n]!;
        channels[c + 8 + n] = sign * patch.centreTorque[n]!;
        channels[c + 11 + n] = sign * hits[h + 1 + n]!;
      }
      channels[c + 14] = areas[k]!;
      channels[c + 15] = patch.slip;
      channels[c + 16] = patch.dissipated;
    }
    return this.#powerInto(a, b);
  }

  /** Power that the last patch takes from the motion of the frames at a and b. */
  #powerInto(a: number, b: number): number {
    const F = this.#contacts.frames;
    const { force: f, torque: t } = this.#patchLaw;
    let power = 0;
    const x = F[a + 9]! - F[b + 9]!;
    const y = F[a + 10]! - F[b + 10]!;
    const z = F[a + 11]! - F[b + 11]!;
    for (let n = 0; n < 3; n++) power -= t[n]! * (F[a + 12 + n]! - F[b + 12 + n]!);
    power -= f[0]! * (F[a + 15]! - F[b + 15]! - (F[b + 13]! * z - F[b + 14]! * y));
    power -= f[1]! * (F[a + 16]! - F[b + 16]! - (F[b + 14]! * x - F[b + 12]! * z));
    return power - f[2]! * (F[a + 17]! - F[b + 17]! - (F[b + 12]! * y - F[b + 13]! * x));
  }

  /** Writes the sum of all forces on `shapes` and of their moments, about the origin and in axes of the frame `seenFrom`. */
  #writeTotalForce(channels: Float64Array): void {
    const F = this.#contacts.frames;
    const sum = this.#sum;
    const f = PER_FRAME * this.#options.seenFrom;
    const fx = sum[0]!;
    const fy = sum[1]!;
    const fz = sum[2]!;
    const x = F[f + 9]!;
    const y = F[f + 10]!;
    const z = F[f + 11]!;
    const tx = sum[3]! - (y * fz - z * fy);
    const ty = sum[4]! - (z * fx - x * fz);
    const tz = sum[5]! - (x * fy - y * fx);
    for (let i = 0; i < 3; i++) {
      channels[3 + i] = F[f + i]! * fx + F[f + 3 + i]! * fy + F[f + 6 + i]! * fz;
      channels[6 + i] = F[f + i]! * tx + F[f + 3 + i]! * ty + F[f + 6 + i]! * tz;
    }
  }
}
