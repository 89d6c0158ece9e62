/**
 * Forces of contact points. For each touching candidate, with depth d, normal n (direction of the force on the first body) and relative
 * velocity v of the first body at the contact point:
 *
 *   ḋ = -v·n,   E = k d or k d^1.5,   N = E max(0, 1 + c ḋ)                                        [1]
 *   vt = v - (v·n) n,   friction = -μ N vt / √(vt² + v0²)                                        [2]
 *
 * or, with bristles of length δ and their bend z, in axes of the second body:
 *
 *   ż = vt - s max(0, vt·e) e,   e = z / |z|,   friction = -μ N / δ (z + τ ż), within μ N          [3]
 *
 * with the flow s of bristles beyond δ (see friction/bristle.ts). At rest bristles are springs; in steady slip friction is
 * μ N against the motion. Their stiffness grows with N, so that a contact does not become stiff as it opens. Where [1] has a potential, ∫ E dd is stored and the rest of the power is dissipated; elsewhere all power counts
 * as dissipated.
 */
import type { NumericLoads, Snapshot } from "../../../../sim/system/force-element.ts";
import { flowShare } from "../../friction/bristle.ts";
import { PER_FRAME } from "../carrier-pair.ts";
import type { ContactDetector } from "../contact-detector.ts";
import { HIT_SIZE } from "../narrow-phase.ts";
import type { ContactCandidate } from "../pair-kinds.ts";

export interface PointLawOptions {
  readonly law: "linear" | "hertz";
  readonly stiffness: number;
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
  readonly bristleBend: number;
  readonly bristleTime: number;
}

/** Time constant with which bristles without contact spring back, s. */
const BRISTLE_RELEASE_TIME = 0.01;

export class PointLaw {
  /** Number of bristle states, which begin at state 1: three deflections for each candidate, or none. */
  readonly bristles: number;
  /** Of the last point: force on the first body, N. */
  readonly force = new Float64Array(3);
  /** Normal load, N; stored energy, J; power dissipated and power absorbed, W. */
  load = 0;
  potential = 0;
  dissipated = 0;
  absorbed = 0;
  readonly #contacts: ContactDetector;
  readonly #options: PointLawOptions;
  readonly #conservative: Uint8Array;
  /** Friction of the last point. */
  readonly #rub = new Float64Array(3);

  constructor(contacts: ContactDetector, candidates: readonly ContactCandidate[], options: PointLawOptions) {
    this.#contacts = contacts;
    this.#options = options;
    this.#conservative = Uint8Array.from(candidates, (m) => Number(m.conservative));
    const hasBristles = options.bristleBend > 0 && options.friction > 0 && contacts.isPatch.includes(0);
    this.bristles = hasBristles ? 3 * contacts.size : 0;
  }

  /** Lets all bristles spring back. Points that touch replace this by their own rates. */
  begin(s: Snapshot, out: NumericLoads): void {
    for (let i = 1; i <= this.bristles; i++) out.zdot[i] = -s.z[i]! / BRISTLE_RELEASE_TIME;
  }

  /** Computes contact k, which is that of candidate m. */
  apply(k: number, m: number, s: Snapshot, out: NumericLoads): void {
    const { stiffness, damping, friction, creep, law } = this.#options;
    const { hits, frames: F, firstCarrier, secondCarrier } = this.#contacts;
    const { force } = this;
    const rub = this.#rub;
    const h = HIT_SIZE * k;
    const depth = hits[h]!;
    const nx = hits[h + 1]!;
    const ny = hits[h + 2]!;
    const nz = hits[h + 3]!;
    // The point relative to the origins of both frames, and the velocity of the first body there relative to the second.
    const a = PER_FRAME * firstCarrier[m]!;
    const b = PER_FRAME * secondCarrier[m]!;
    const ax = hits[h + 4]! - F[a + 9]!;
    const ay = hits[h + 5]! - F[a + 10]!;
    const az = hits[h + 6]! - F[a + 11]!;
    const bx = hits[h + 4]! - F[b + 9]!;
    const by = hits[h + 5]! - F[b + 10]!;
    const bz = hits[h + 6]! - F[b + 11]!;
    let vx = F[a + 15]! + F[a + 13]! * az - F[a + 14]! * ay - (F[b + 15]! + F[b + 13]! * bz - F[b + 14]! * by);
    let vy = F[a + 16]! + F[a + 14]! * ax - F[a + 12]! * az - (F[b + 16]! + F[b + 14]! * bx - F[b + 12]! * bz);
    let vz = F[a + 17]! + F[a + 12]! * ay - F[a + 13]! * ax - (F[b + 17]! + F[b + 12]! * by - F[b + 13]! * bx);
    const rate = -(vx * nx + vy * ny + vz * nz);
    const elastic = stiffness * (law === "linear" ? depth : depth * Math.sqrt(depth));
    const load = elastic * Math.max(0, 1 + damping * rate);
    vx += rate * nx;
    vy += rate * ny;
    vz += rate * nz;
    if (this.bristles > 0) this.#writeBristleForce(s, out, m, load, h, vx, vy, vz);
    else {
      const factor = (-friction * load) / Math.sqrt(vx * vx + vy * vy + vz * vz + creep * creep);
      rub[0] = factor * vx;
      rub[1] = factor * vy;
      rub[2] = factor * vz;
    }
    force[0] = load * nx + rub[0]!;
    force[1] = load * ny + rub[1]!;
    force[2] = load * nz + rub[2]!;
    const frictionLoss = -(rub[0]! * vx + rub[1]! * vy + rub[2]! * vz);
    const isConservative = this.#conservative[m] === 1;
    this.load = load;
    this.absorbed = load * rate + frictionLoss;
    this.potential = isConservative ? (law === "linear" ? 0.5 : 0.4) * elastic * depth : 0;
    this.dissipated = isConservative ? (load - elastic) * rate + frictionLoss : this.absorbed;
  }

  /** Writes the bristle force [3] at tangential velocity v to #rub. The hit begins at h. */
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
    const rub = this.#rub;
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
}
