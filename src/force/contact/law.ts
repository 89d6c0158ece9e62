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
import type { Loads, Snapshot } from "../../sim/force-element.ts";
import { type Contacts, PER_FRAME } from "./contacts.ts";
import { HIT } from "./hit.ts";

export interface LawOptions {
  readonly law: "linear" | "hertz";
  readonly stiffness: number;
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
  readonly bristle: number;
  readonly bristleDamping: number;
  /** The pair of each meeting; and how many pairs have channels. */
  readonly owners: readonly number[];
  readonly pairs: number;
  /** Frame of the sum of all forces; -1: the world. */
  readonly seenFrom: number;
}

/** Time in which bristles that touch nothing spring back, s. */
const RELEASE = 0.01;
/** Channels of the whole element, and of a pair. */
const TOTAL = 10;
const PER_PAIR = 8;

export class ContactLaw {
  /** The energy that contact has taken up, then three states of bristles for each meeting. */
  readonly states: number;
  readonly #contacts: Contacts;
  readonly #options: LawOptions;
  readonly #v = new Float64Array(3);
  readonly #force = new Float64Array(3);
  readonly #friction = new Float64Array(3);
  readonly #sum = new Float64Array(6);

  constructor(contacts: Contacts, options: LawOptions) {
    this.#contacts = contacts;
    this.#options = options;
    this.states = 1 + (options.bristle > 0 && options.friction > 0 ? 3 * contacts.meetings.length : 0);
  }

  apply(s: Snapshot, out: Loads): void {
    const { stiffness, damping, friction, creep, law, owners, pairs } = this.#options;
    const contacts = this.#contacts;
    const sum = this.#sum;
    const v = this.#v;
    const force = this.#force;
    const rub = this.#friction;
    sum.fill(0);
    if (this.states > 1) for (let i = 1; i < this.states; i++) out.zdot[i] = -s.z[i]! / RELEASE;
    contacts.find(s.frames);
    const { hits } = contacts;
    let absorbed = 0;
    let deepest = 0;
    let loads = 0;
    for (let k = 0; k < contacts.count; k++) {
      const m = contacts.touching[k]!;
      const { firstOn, secondOn, conservative, swapped } = contacts.meetings[m]!;
      const at = HIT * k;
      const depth = hits[at]!;
      v.fill(0);
      velocity(s.frames, firstOn, hits, at + 4, 1, v);
      velocity(s.frames, secondOn, hits, at + 4, -1, v);
      const nx = hits[at + 1]!;
      const ny = hits[at + 2]!;
      const nz = hits[at + 3]!;
      const rate = -(v[0]! * nx + v[1]! * ny + v[2]! * nz);
      const elastic = stiffness * (law === "linear" ? depth : depth * Math.sqrt(depth));
      const load = elastic * Math.max(0, 1 + damping * rate);
      v[0]! += rate * nx;
      v[1]! += rate * ny;
      v[2]! += rate * nz;
      rub.fill(0);
      if (friction > 0) {
        if (this.states > 1) this.#bristles(s, out, m, load, at);
        else {
          const give = (-friction * load) / Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]! + creep * creep);
          for (let i = 0; i < 3; i++) rub[i] = give * v[i]!;
        }
      }
      force[0] = load * nx + rub[0]!;
      force[1] = load * ny + rub[1]!;
      force[2] = load * nz + rub[2]!;
      wrench(out.wrenches, s.frames, firstOn, hits, at + 4, force, 1);
      wrench(out.wrenches, s.frames, secondOn, hits, at + 4, force, -1);
      const rubbed = -(rub[0]! * v[0]! + rub[1]! * v[1]! + rub[2]! * v[2]!);
      absorbed += load * rate + rubbed;
      if (conservative) {
        out.potential += law === "linear" ? 0.5 * elastic * depth : 0.4 * elastic * depth;
        out.dissipated += (load - elastic) * rate + rubbed;
      } else out.dissipated += load * rate + rubbed;
      deepest = Math.max(deepest, depth);
      loads += load;
      const sign = swapped ? -1 : 1;
      const [px, py, pz] = [hits[at + 4]!, hits[at + 5]!, hits[at + 6]!];
      sum[0]! += sign * force[0]!;
      sum[1]! += sign * force[1]!;
      sum[2]! += sign * force[2]!;
      sum[3]! += sign * (py * force[2]! - pz * force[1]!);
      sum[4]! += sign * (pz * force[0]! - px * force[2]!);
      sum[5]! += sign * (px * force[1]! - py * force[0]!);
      if (pairs > 0) show(out.channels, TOTAL + PER_PAIR * owners[m]!, depth, load, force, sign, hits, at + 4);
    }
    out.zdot[0] = absorbed;
    out.channels[0] = contacts.count;
    out.channels[1] = deepest;
    out.channels[2] = loads;
    this.#seen(s.frames, out.channels);
    out.channels[9] = s.z[0]!;
  }

  /** The velocity along the contact is in #v, the force of the bristles goes to #friction; see [3]. */
  #bristles(s: Snapshot, out: Loads, m: number, load: number, at: number): void {
    const { friction, bristle, bristleDamping } = this.#options;
    const { secondOn } = this.#contacts.meetings[m]!;
    const { hits } = this.#contacts;
    const [v, rub] = [this.#v, this.#friction];
    const z = 1 + 3 * m;
    const speed = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
    const slip = speed / bristle;
    let along = 0;
    // The bend in world axes, first as it is, and then with its rate and along the contact.
    for (let i = 0; i < 3; i++) rub[i] = toWorld(s.frames, secondOn, s.z, z, i);
    const [zx, zy, zz] = [rub[0]!, rub[1]!, rub[2]!];
    const [rx, ry, rz] = [v[0]! - slip * zx, v[1]! - slip * zy, v[2]! - slip * zz];
    for (let i = 0; i < 3; i++) out.zdot[z + i] = toBody(s.frames, secondOn, rx, ry, rz, i);
    rub[0] = zx + bristleDamping * rx;
    rub[1] = zy + bristleDamping * ry;
    rub[2] = zz + bristleDamping * rz;
    for (let i = 0; i < 3; i++) along += rub[i]! * hits[at + 1 + i]!;
    let size = 0;
    for (let i = 0; i < 3; i++) {
      rub[i]! -= along * hits[at + 1 + i]!;
      size += rub[i]! * rub[i]!;
    }
    const scale = (-friction * load) / Math.max(bristle, Math.sqrt(size));
    for (let i = 0; i < 3; i++) rub[i]! *= scale;
  }

  /** The sum of all forces on `shapes`, about and in axes of the frame from which it is seen. */
  #seen(frames: Float64Array, channels: Float64Array): void {
    const sum = this.#sum;
    const f = PER_FRAME * this.#options.seenFrom;
    if (f < 0) {
      for (let i = 0; i < 6; i++) channels[3 + i] = sum[i]!;
      return;
    }
    const [fx, fy, fz] = [sum[0]!, sum[1]!, sum[2]!];
    const [x, y, z] = [frames[f + 9]!, frames[f + 10]!, frames[f + 11]!];
    const [tx, ty, tz] = [sum[3]! - (y * fz - z * fy), sum[4]! - (z * fx - x * fz), sum[5]! - (x * fy - y * fx)];
    for (let i = 0; i < 3; i++) {
      const [a, b, c] = [frames[f + i]!, frames[f + 3 + i]!, frames[f + 6 + i]!];
      channels[3 + i] = a * fx + b * fy + c * fz;
      channels[6 + i] = a * tx + b * ty + c * tz;
    }
  }
}

/** Adds the velocity of a point of a frame, times a sign. */
function velocity(frames: Float64Array, on: number, p: Float64Array, at: number, sign: 1 | -1, out: Float64Array): void {
  if (on < 0) return;
  const f = PER_FRAME * on;
  const x = p[at]! - frames[f + 9]!;
  const y = p[at + 1]! - frames[f + 10]!;
  const z = p[at + 2]! - frames[f + 11]!;
  const wx = frames[f + 12]!;
  const wy = frames[f + 13]!;
  const wz = frames[f + 14]!;
  out[0]! += sign * (frames[f + 15]! + wy * z - wz * y);
  out[1]! += sign * (frames[f + 16]! + wz * x - wx * z);
  out[2]! += sign * (frames[f + 17]! + wx * y - wy * x);
}

/** Adds the wrench of a force at a point to that at the origin of a frame. */
function wrench(
  out: Float64Array,
  frames: Float64Array,
  on: number,
  p: Float64Array,
  at: number,
  force: Float64Array,
  sign: 1 | -1,
): void {
  if (on < 0) return;
  const f = PER_FRAME * on;
  const w = 6 * on;
  const x = p[at]! - frames[f + 9]!;
  const y = p[at + 1]! - frames[f + 10]!;
  const z = p[at + 2]! - frames[f + 11]!;
  const fx = sign * force[0]!;
  const fy = sign * force[1]!;
  const fz = sign * force[2]!;
  out[w]! += y * fz - z * fy;
  out[w + 1]! += z * fx - x * fz;
  out[w + 2]! += x * fy - y * fx;
  out[w + 3]! += fx;
  out[w + 4]! += fy;
  out[w + 5]! += fz;
}

/** Adds a force to the channels of its pair; the point is the mean of its points, weighted by their loads. */
function show(
  channels: Float64Array,
  c: number,
  depth: number,
  load: number,
  force: Float64Array,
  sign: number,
  p: Float64Array,
  at: number,
): void {
  const total = channels[c + 1]! + load;
  const part = total > 0 ? load / total : 1;
  channels[c] = Math.max(channels[c]!, depth);
  channels[c + 1] = total;
  for (let i = 0; i < 3; i++) {
    channels[c + 2 + i]! += sign * force[i]!;
    channels[c + 5 + i]! += part * (p[at + i]! - channels[c + 5 + i]!);
  }
}

/** Component i in the world of a vector in axes of a frame, and the reverse. */
function toWorld(frames: Float64Array, on: number, v: Float64Array, at: number, i: number): number {
  if (on < 0) return v[at + i]!;
  const f = PER_FRAME * on + 3 * i;
  return frames[f]! * v[at]! + frames[f + 1]! * v[at + 1]! + frames[f + 2]! * v[at + 2]!;
}
function toBody(frames: Float64Array, on: number, x: number, y: number, z: number, i: number): number {
  if (on < 0) return i === 0 ? x : i === 1 ? y : z;
  const f = PER_FRAME * on + i;
  return frames[f]! * x + frames[f + 3]! * y + frames[f + 6]! * z;
}
