/**
 * Contact forces. For each touching candidate, with depth d, normal n (direction of the force on the first body) and relative velocity v of
 * the first body at the contact point:
 *
 *   ḋ = -v·n,   E = k d or k d^1.5,   N = E max(0, 1 + c ḋ)                                        [1]
 *   vt = v - (v·n) n,   friction = -μ N vt / √(vt² + v0²)                                        [2]
 *
 * or, with bristles of length δ and their bend z, in axes of the second body:
 *
 *   ż = vt - s max(0, vt·e) e,   e = z / |z|,   friction = -μ N / δ (z + τ ż), within μ N          [3]
 *
 * with the flow s of bristles beyond δ (see friction/bristle.ts). At rest bristles are springs; in steady slip friction is μ N against the motion. Their stiffness grows with N, so that a contact does not
 * become stiff as it opens. Where [1] has a potential, ∫ E dd is stored and the rest of the power is dissipated; elsewhere all power counts
 * as dissipated.
 */
import type { NumericLoads, Snapshot } from "../../../sim/system/force-element.ts";
import { flowShare } from "../friction/bristle.ts";
import { PER_FRAME } from "./carrier-pair.ts";
import type { ContactDetector } from "./contact-detector.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import type { ContactCandidate } from "./pair-kinds.ts";
import { PatchLaw, type PatchLawOptions, PER_GRIP } from "./patch-law.ts";
import { acts, type TouchMemory } from "./touch-memory.ts";

export interface ContactLawOptions extends Omit<PatchLawOptions, "firstState"> {
  readonly law: "linear" | "hertz";
  readonly stiffness: number;
  readonly bristleBend: number;
  /** Pair of shapes of each candidate, and the first channel of each pair that has channels. */
  readonly pairOfCandidate: readonly number[];
  readonly pairChannels: readonly number[];
  /** Frame of the sum of all forces, numbered as carriers: 0 is the world. */
  readonly seenFrom: number;
}

/** Time constant with which bristles without contact spring back, s. */
const BRISTLE_RELEASE_TIME = 0.01;

export class ContactLaw {
  /** Number of states: the energy absorbed by contact, three bristle deflections for each candidate, three for each slot of a patch. */
  readonly stateCount: number;
  readonly #bristles: number;
  readonly #patchLaw: PatchLaw;
  readonly #contacts: ContactDetector;
  readonly #options: ContactLawOptions;
  readonly #conservative: Uint8Array;
  readonly #swapped: Uint8Array;
  readonly #friction = new Float64Array(3);
  /** Sum of the forces on `shapes`, and of their moments about the world's origin. */
  readonly #sum = new Float64Array(6);
  /** Wrenches on the world and on the frames. */
  readonly #wrenches: Float64Array;

  constructor(contacts: ContactDetector, candidates: readonly ContactCandidate[], options: ContactLawOptions) {
    this.#contacts = contacts;
    this.#options = options;
    this.#conservative = Uint8Array.from(candidates, (m) => Number(m.conservative));
    this.#swapped = Uint8Array.from(candidates, (m) => Number(m.swapped));
    this.#wrenches = new Float64Array(6 * (contacts.frames.length / PER_FRAME));
    const hasBristles = options.bristleBend > 0 && options.friction > 0 && contacts.isPatch.includes(0);
    this.#bristles = hasBristles ? 3 * contacts.size : 0;
    this.#patchLaw = new PatchLaw(contacts, { ...options, firstState: 1 + this.#bristles });
    this.stateCount = 1 + this.#bristles + PER_GRIP * options.slots;
  }

  /** Adds wrenches, energy and channels at a state. */
  apply(s: Snapshot, out: NumericLoads): void {
    if (!this.#begin(s, out)) return;
    const { stiffness, damping, friction, creep, law, pairOfCandidate, pairChannels } = this.#options;
    const contacts = this.#contacts;
    const sum = this.#sum;
    const rub = this.#friction;
    const W = this.#wrenches;
    const { channels } = out;
    const { hits, frames: F } = contacts;
    let absorbed = 0;
    let deepest = 0;
    let loads = 0;
    for (let k = 0; k < contacts.count; k++) {
      const m = contacts.touching[k]!;
      if (!acts(s.memory as TouchMemory | undefined, m)) continue;
      channels[0]!++;
      if (contacts.isPatch[m] === 1) {
        absorbed += this.#applyPatch(k, m, s, out);
        deepest = Math.max(deepest, hits[HIT_SIZE * k]!);
        loads += this.#patchLaw.load;
        continue;
      }
      const h = HIT_SIZE * k;
      const depth = hits[h]!;
      const nx = hits[h + 1]!;
      const ny = hits[h + 2]!;
      const nz = hits[h + 3]!;
      const px = hits[h + 4]!;
      const py = hits[h + 5]!;
      const pz = hits[h + 6]!;
      // The point relative to the origins of both frames, and the velocity of the first body there relative to the second.
      const a = PER_FRAME * contacts.firstCarrier[m]!;
      const b = PER_FRAME * contacts.secondCarrier[m]!;
      const ax = px - F[a + 9]!;
      const ay = py - F[a + 10]!;
      const az = pz - F[a + 11]!;
      const bx = px - F[b + 9]!;
      const by = py - F[b + 10]!;
      const bz = pz - F[b + 11]!;
      let vx = F[a + 15]! + F[a + 13]! * az - F[a + 14]! * ay - (F[b + 15]! + F[b + 13]! * bz - F[b + 14]! * by);
      let vy = F[a + 16]! + F[a + 14]! * ax - F[a + 12]! * az - (F[b + 16]! + F[b + 14]! * bx - F[b + 12]! * bz);
      let vz = F[a + 17]! + F[a + 12]! * ay - F[a + 13]! * ax - (F[b + 17]! + F[b + 12]! * by - F[b + 13]! * bx);
      const rate = -(vx * nx + vy * ny + vz * nz);
      const elastic = stiffness * (law === "linear" ? depth : depth * Math.sqrt(depth));
      const load = elastic * Math.max(0, 1 + damping * rate);
      vx += rate * nx;
      vy += rate * ny;
      vz += rate * nz;
      if (this.#bristles > 0) this.#writeBristleForce(s, out, m, load, h, vx, vy, vz);
      else {
        const factor = (-friction * load) / Math.sqrt(vx * vx + vy * vy + vz * vz + creep * creep);
        rub[0] = factor * vx;
        rub[1] = factor * vy;
        rub[2] = factor * vz;
      }
      const fx = load * nx + rub[0]!;
      const fy = load * ny + rub[1]!;
      const fz = load * nz + rub[2]!;
      const i = 6 * contacts.firstCarrier[m]!;
      W[i]! += ay * fz - az * fy;
      W[i + 1]! += az * fx - ax * fz;
      W[i + 2]! += ax * fy - ay * fx;
      W[i + 3]! += fx;
      W[i + 4]! += fy;
      W[i + 5]! += fz;
      const j = 6 * contacts.secondCarrier[m]!;
      W[j]! -= by * fz - bz * fy;
      W[j + 1]! -= bz * fx - bx * fz;
      W[j + 2]! -= bx * fy - by * fx;
      W[j + 3]! -= fx;
      W[j + 4]! -= fy;
      W[j + 5]! -= fz;
      const frictionLoss = -(rub[0]! * vx + rub[1]! * vy + rub[2]! * vz);
      absorbed += load * rate + frictionLoss;
      if (this.#conservative[m] === 1) {
        out.potential += (law === "linear" ? 0.5 : 0.4) * elastic * depth;
        out.dissipated += (load - elastic) * rate + frictionLoss;
      } else out.dissipated += load * rate + frictionLoss;
      if (depth > deepest) deepest = depth;
      loads += load;
      const sign = this.#swapped[m] === 1 ? -1 : 1;
      sum[0]! += sign * fx;
      sum[1]! += sign * fy;
      sum[2]! += sign * fz;
      sum[3]! += sign * (py * fz - pz * fy);
      sum[4]! += sign * (pz * fx - px * fz);
      sum[5]! += sign * (px * fy - py * fx);
      if (pairChannels.length === 0) continue;
      // Channels of the pair. Its point is the mean of the contact points, weighted by their loads.
      const c = pairChannels[pairOfCandidate[m]!]!;
      const total = channels[c + 1]! + load;
      const share = total > 0 ? load / total : 1;
      if (depth > channels[c]!) channels[c] = depth;
      channels[c + 1] = total;
      channels[c + 2]! += sign * fx;
      channels[c + 3]! += sign * fy;
      channels[c + 4]! += sign * fz;
      channels[c + 5]! += share * (px - channels[c + 5]!);
      channels[c + 6]! += share * (py - channels[c + 6]!);
      channels[c + 7]! += share * (pz - channels[c + 7]!);
    }
    for (let i = 0; i < out.wrenches.length; i++) out.wrenches[i]! += W[6 + i]!;
    out.zdot[0] = absorbed;
    channels[1] = deepest;
    channels[2] = loads;
    this.#writeTotalForce(channels);
  }

  /** Releases bristles and finds contacts. Returns false if there are none: everything else is zero already. */
  #begin(s: Snapshot, out: NumericLoads): boolean {
    const { zdot, channels } = out;
    for (let i = 1; i <= this.#bristles; i++) zdot[i] = -s.z[i]! / BRISTLE_RELEASE_TIME;
    if (this.#options.slots > 0) this.#patchLaw.begin(s, out);
    channels[9] = s.z[0]!;
    this.#contacts.findContacts(s.frames);
    if (this.#contacts.count === 0) return false;
    for (let i = 0; i < 6; i++) this.#sum[i] = 0;
    for (let i = 0; i < this.#wrenches.length; i++) this.#wrenches[i] = 0;
    return true;
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

  /** Writes the bristle force [3] at tangential velocity v to #friction. The hit begins at h. */
  #writeBristleForce(
    s: Snapshot,
    out: NumericLoads,
    m: number,
    load: number,
    h: number,
    vx: number,
    vy: number,
    vz: number,
  ): void {
    const { friction, bristleBend, bristleTime } = this.#options;
    const { hits, frames: F, secondCarrier } = this.#contacts;
    const rub = this.#friction;
    const f = PER_FRAME * secondCarrier[m]!;
    const z = 1 + 3 * m;
    // The deflection and its rate in world axes; the rate is stored in axes of the body.
    const zx = F[f]! * s.z[z]! + F[f + 1]! * s.z[z + 1]! + F[f + 2]! * s.z[z + 2]!;
    const zy = F[f + 3]! * s.z[z]! + F[f + 4]! * s.z[z + 1]! + F[f + 5]! * s.z[z + 2]!;
    const zz = F[f + 6]! * s.z[z]! + F[f + 7]! * s.z[z + 1]! + F[f + 8]! * s.z[z + 2]!;
    const size = Math.sqrt(zx * zx + zy * zy + zz * zz);
    const outward = Math.max(0, vx * zx + vy * zy + vz * zz);
    const flow = size > bristleBend ? (flowShare(size, bristleBend) * outward) / (size * size) : 0;
    const rx = vx - flow * zx;
    const ry = vy - flow * zy;
    const rz = vz - flow * zz;
    for (let i = 0; i < 3; i++) out.zdot[z + i] = F[f + i]! * rx + F[f + 3 + i]! * ry + F[f + 6 + i]! * rz;
    // The tangential part, within μ N.
    let x = zx + bristleTime * rx;
    let y = zy + bristleTime * ry;
    let w = zz + bristleTime * rz;
    const normalPart = x * hits[h + 1]! + y * hits[h + 2]! + w * hits[h + 3]!;
    x -= normalPart * hits[h + 1]!;
    y -= normalPart * hits[h + 2]!;
    w -= normalPart * hits[h + 3]!;
    const scale = (-friction * load) / Math.max(bristleBend, Math.sqrt(x * x + y * y + w * w));
    rub[0] = scale * x;
    rub[1] = scale * y;
    rub[2] = scale * w;
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
