/**
 * The forces of contact. At each meeting that touches, with depth d, normal n (the way of the force on the first body) and relative
 * velocity v of the first body at the point:
 *
 *   ḋ = -v·n,   E = k d or k d^1.5,   N = E max(0, 1 + c ḋ)                                        [1]
 *   vt = v - (v·n) n,   friction = -μ N vt / √(vt² + v0²)                                        [2]
 *
 * or, with bristles of length δ and their bend z, in axes of the second body:
 *
 *   ż = vt - |vt| z / δ,   friction = -μ N / δ (z + τ ż), within μ N                              [3]
 *
 * At rest these are springs, in steady slip μ N against the motion. Their stiffness grows with N, so that nothing is stiff as a contact
 * opens. Where [1] has a potential, ∫ E dd is stored, and the rest of the power is lost; elsewhere all power counts as lost.
 */
import type { NumericLoads, Snapshot } from "../../../sim/system/force-element.ts";
import { type ContactDetector, PER_FRAME } from "./contact-detector.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import type { ContactCandidate } from "./pair-kinds.ts";

export interface ContactLawOptions {
  readonly law: "linear" | "hertz";
  readonly stiffness: number;
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
  readonly bristleBend: number;
  readonly bristleTime: number;
  /** The pair of each meeting; and how many pairs have channels. */
  readonly owners: readonly number[];
  readonly pairs: number;
  /** Frame of the sum of all forces, as in Contacts: 0 is the world. */
  readonly seenFrom: number;
}

/** Time in which bristles that touch nothing spring back, s. */
const BRISTLE_RELEASE_TIME = 0.01;
/** Channels of the whole element, and of a pair. */
const TOTAL_CHANNEL_COUNT = 10;
const CHANNELS_PER_PAIR = 8;

export class ContactLaw {
  /** The energy that contact has taken up, then three states of bristles for each meeting. */
  readonly stateCount: number;
  readonly #contacts: ContactDetector;
  readonly #options: ContactLawOptions;
  readonly #conservative: Uint8Array;
  readonly #swapped: Uint8Array;
  readonly #friction = new Float64Array(3);
  readonly #sum = new Float64Array(6);
  /** Wrenches on the world and on the frames. */
  readonly #wrenches: Float64Array;

  constructor(contacts: ContactDetector, meetings: readonly ContactCandidate[], options: ContactLawOptions) {
    this.#contacts = contacts;
    this.#options = options;
    this.#conservative = Uint8Array.from(meetings, (m) => Number(m.conservative));
    this.#swapped = Uint8Array.from(meetings, (m) => Number(m.swapped));
    this.#wrenches = new Float64Array(6 * (contacts.frames.length / PER_FRAME));
    this.stateCount = 1 + (options.bristleBend > 0 && options.friction > 0 ? 3 * contacts.size : 0);
  }

  apply(s: Snapshot, out: NumericLoads): void {
    const { stiffness, damping, friction, creep, law, owners, pairs } = this.#options;
    const contacts = this.#contacts;
    const sum = this.#sum;
    const rub = this.#friction;
    const W = this.#wrenches;
    const { channels } = out;
    for (let i = 1; i < this.stateCount; i++) out.zdot[i] = -s.z[i]! / BRISTLE_RELEASE_TIME;
    channels[9] = s.z[0]!;
    contacts.findContacts(s.frames);
    if (contacts.count === 0) return; // all that is zero has been made so
    for (let i = 0; i < 6; i++) sum[i] = 0;
    for (let i = 0; i < W.length; i++) W[i] = 0;
    const { hits, frames: F } = contacts;
    let absorbed = 0;
    let deepest = 0;
    let loads = 0;
    for (let k = 0; k < contacts.count; k++) {
      const m = contacts.touching[k]!;
      const at = HIT_SIZE * k;
      const depth = hits[at]!;
      const nx = hits[at + 1]!;
      const ny = hits[at + 2]!;
      const nz = hits[at + 3]!;
      const px = hits[at + 4]!;
      const py = hits[at + 5]!;
      const pz = hits[at + 6]!;
      // The point from the origins of both frames, and its velocity on the first as seen from the second.
      const a = PER_FRAME * contacts.firstOn[m]!;
      const b = PER_FRAME * contacts.secondOn[m]!;
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
      if (this.stateCount > 1) this.#bristles(s, out, m, load, at, vx, vy, vz);
      else {
        const give = (-friction * load) / Math.sqrt(vx * vx + vy * vy + vz * vz + creep * creep);
        rub[0] = give * vx;
        rub[1] = give * vy;
        rub[2] = give * vz;
      }
      const fx = load * nx + rub[0]!;
      const fy = load * ny + rub[1]!;
      const fz = load * nz + rub[2]!;
      const i = 6 * contacts.firstOn[m]!;
      W[i]! += ay * fz - az * fy;
      W[i + 1]! += az * fx - ax * fz;
      W[i + 2]! += ax * fy - ay * fx;
      W[i + 3]! += fx;
      W[i + 4]! += fy;
      W[i + 5]! += fz;
      const j = 6 * contacts.secondOn[m]!;
      W[j]! -= by * fz - bz * fy;
      W[j + 1]! -= bz * fx - bx * fz;
      W[j + 2]! -= bx * fy - by * fx;
      W[j + 3]! -= fx;
      W[j + 4]! -= fy;
      W[j + 5]! -= fz;
      const rubbed = -(rub[0]! * vx + rub[1]! * vy + rub[2]! * vz);
      absorbed += load * rate + rubbed;
      if (this.#conservative[m] === 1) {
        out.potential += (law === "linear" ? 0.5 : 0.4) * elastic * depth;
        out.dissipated += (load - elastic) * rate + rubbed;
      } else out.dissipated += load * rate + rubbed;
      if (depth > deepest) deepest = depth;
      loads += load;
      const sign = this.#swapped[m] === 1 ? -1 : 1;
      sum[0]! += sign * fx;
      sum[1]! += sign * fy;
      sum[2]! += sign * fz;
      sum[3]! += sign * (py * fz - pz * fy);
      sum[4]! += sign * (pz * fx - px * fz);
      sum[5]! += sign * (px * fy - py * fx);
      if (pairs === 0) continue;
      // The channels of its pair; the point is the mean of the pair's points, weighted by their loads.
      const c = TOTAL_CHANNEL_COUNT + CHANNELS_PER_PAIR * owners[m]!;
      const total = channels[c + 1]! + load;
      const part = total > 0 ? load / total : 1;
      if (depth > channels[c]!) channels[c] = depth;
      channels[c + 1] = total;
      channels[c + 2]! += sign * fx;
      channels[c + 3]! += sign * fy;
      channels[c + 4]! += sign * fz;
      channels[c + 5]! += part * (px - channels[c + 5]!);
      channels[c + 6]! += part * (py - channels[c + 6]!);
      channels[c + 7]! += part * (pz - channels[c + 7]!);
    }
    const { wrenches } = out;
    for (let i = 0; i < wrenches.length; i++) wrenches[i]! += W[6 + i]!;
    out.zdot[0] = absorbed;
    channels[0] = contacts.count;
    channels[1] = deepest;
    channels[2] = loads;
    this.#see(channels);
  }

  /** The force of bristles at velocity v along the contact, to #friction; see [3]. */
  #bristles(s: Snapshot, out: NumericLoads, m: number, load: number, at: number, vx: number, vy: number, vz: number): void {
    const { friction, bristleBend, bristleTime } = this.#options;
    const { hits, frames: F, secondOn } = this.#contacts;
    const rub = this.#friction;
    const f = PER_FRAME * secondOn[m]!;
    const z = 1 + 3 * m;
    const slip = Math.sqrt(vx * vx + vy * vy + vz * vz) / bristleBend;
    // The bend and its rate in world axes, the rate back in axes of the body.
    const zx = F[f]! * s.z[z]! + F[f + 1]! * s.z[z + 1]! + F[f + 2]! * s.z[z + 2]!;
    const zy = F[f + 3]! * s.z[z]! + F[f + 4]! * s.z[z + 1]! + F[f + 5]! * s.z[z + 2]!;
    const zz = F[f + 6]! * s.z[z]! + F[f + 7]! * s.z[z + 1]! + F[f + 8]! * s.z[z + 2]!;
    const rx = vx - slip * zx;
    const ry = vy - slip * zy;
    const rz = vz - slip * zz;
    for (let i = 0; i < 3; i++) out.zdot[z + i] = F[f + i]! * rx + F[f + 3 + i]! * ry + F[f + 6 + i]! * rz;
    // Along the contact, and within μ N.
    let x = zx + bristleTime * rx;
    let y = zy + bristleTime * ry;
    let w = zz + bristleTime * rz;
    const away = x * hits[at + 1]! + y * hits[at + 2]! + w * hits[at + 3]!;
    x -= away * hits[at + 1]!;
    y -= away * hits[at + 2]!;
    w -= away * hits[at + 3]!;
    const scale = (-friction * load) / Math.max(bristleBend, Math.sqrt(x * x + y * y + w * w));
    rub[0] = scale * x;
    rub[1] = scale * y;
    rub[2] = scale * w;
  }

  /** The sum of all forces on `shapes`, about the origin and in axes of the frame from which it is seen. */
  #see(channels: Float64Array): void {
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
