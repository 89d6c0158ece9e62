/**
 * A wheel on soil, after Wong and Reece and Ishigami: stresses over the rim, integrated. θ is counted from the downward vertical, positive
 * forward. At low speed, in braking and in reverse the formulas are continued so that they stay finite, and are the published ones as
 * soon as the rim is faster than LOW_SPEED. All SI; nothing is allocated.
 *
 *   σ(θ) = (kc/b + kφ) rⁿ (cos θe - cos θf)ⁿ,  θe = θ ahead of θm, mirrored behind it
 *   τ = (c + σ tan φ)(1 - e^(-j/k)),  jx = r [θf - θ - (1 - s)(sin θf - sin θ)],  jy = r (1 - s)(θf - θ) tan β
 *   Fx = r b ∫ τx cos θ - σ sin θ,  Fz = r b ∫ τx sin θ + σ cos θ,  T = r² b ∫ τx
 *   |Fy| = ∫ r b τy + |sin β| Rb (r - hθ cos θ),  Rb = D1 (c hθ + ½ D2 ρ g hθ²),  hθ = r (cos θ - cos θf)
 *
 * Where a wheel went before, down to z_u, the soil is compacted: it lies p_u / k_u below the surface that is loaded anew, and carries
 * along the line of unloading until it is as deep again [Wong 2010, repetitive loading]:
 *
 *   p(z) = min(k_u (z - z_p), (kc/b + kφ) zⁿ),  k_u = A_u z_u,  z_p = z_u - p_u / k_u
 *
 * Paddles of height h_g carry soil from under the wheel to behind it. Balance of volume over the contact, of length r: the wheel sinks by
 * D more, which in steady slip is h_g s / (1 - s), and the loose heap behind pushes with its passive earth pressure [Rankine]:
 *
 *   r Ḋ = h_g (r ω - v) - D v,   Fx += ½ ρ g b tan²(π/4 + φ/2) D² (1 - e^(-j/k)),  j = r s (θf - θr)
 */
import { arcCosine, arctangent } from "../math/arctangent.ts";
import { exponential } from "../math/exponential.ts";
import { gaussLegendre } from "../math/gauss-legendre.ts";
import { power } from "../math/power.ts";
import { cosine, sine, sineAndCosine, tangent } from "../math/sincos.ts";
import type { Soil } from "./soil.ts";

export interface WheelShape {
  readonly radius: number;
  readonly width: number;
  /** Height of paddles (grousers) that dig, m; none if not given. */
  readonly grouser?: number;
}

/** Forces on the wheel in its contact axes (x ahead, y left, z along the normal), moments about its centre. */
export interface WheelForces {
  fx: number;
  fy: number;
  fz: number;
  /** Torque that the soil takes: the moment about y is -torque. */
  torque: number;
  mx: number;
  mz: number;
  slip: number;
  /** Slip angle, signed as the motion across. */
  beta: number;
}

export const noForces = (): WheelForces => ({ fx: 0, fy: 0, fz: 0, torque: 0, mx: 0, mz: 0, slip: 0, beta: 0 });

/** Below these speeds, m/s, slip is taken against them, and pressure becomes Bekker's static one. */
const LOW_SPEED = 0.02;
/**
 * The wheel enters the ground ahead where r ω + v > 0, else behind: the sign of the larger of both. Within this sum of speeds, m/s, forces
 * of both ways are mixed, C1, or a wheel that stands, slides aside and trembles would turn its steering to and fro by the whole moment of
 * the shear.
 */
const BOTH_WAYS = 0.001;
/** Below this speed over the ground, m/s, the slip angle fades: of a wheel that spins in place it jumps with the least motion. */
const HARDLY = 1e-3;
/** Corners are rounded, so that the law is C1: |β| within this angle, rad; slip within this much beyond ±1, and at zero where a heap begins. */
const STRAIGHT = 5e-4;
const SPENT = 0.1;
const PUSHING = 0.01;
/** Shear moduli grow with the slip angle up to here. */
const MOST_BETA = Math.PI / 6;
/** Points on each side of θm. Whole exponents leave smooth integrands; others have a power at the end, which grading takes away. */
const SMOOTH_POINTS = 8;
const GRADED_POINTS = 24;
const GRADING = 5;
/** A hole as deep as the wheel's radius does not grow: digging fades over this share of the radius. */
const FADING = 0.1;

export class WheelOnSoil {
  readonly forces = noForces();
  /** Of one way into the ground. */
  readonly #sum = noForces();
  readonly #soil: Soil;
  readonly #r: number;
  readonly #b: number;
  /** Fractions of a segment from its stress-free end, and their weights. */
  readonly #at: Float64Array;
  readonly #weight: Float64Array;
  readonly #pair = new Float64Array(2);
  readonly #pressures: Float64Array;
  readonly #pressure: number;
  readonly #grouser: number;
  /** Passive pressure of the heap behind, N for each m² of its height squared. */
  readonly #heap: number;
  /** Of compacted soil, lengths in radii: stiffness of reloading (Pa), depth of the rut, and depth that was reached. */
  #again = 0;
  #rut = 0;
  #deepest = 0;
  readonly #tan: number;
  readonly #d1: number;
  readonly #d2: number;

  /** @param gravity for the weight of the soil that is pushed aside, m/s² */
  constructor(soil: Soil, { radius, width, grouser = 0 }: WheelShape, gravity: number) {
    this.#soil = soil;
    this.#r = radius;
    this.#b = width;
    const smooth = Number.isInteger(soil.exponent);
    const { points, weights } = gaussLegendre(smooth ? SMOOTH_POINTS : GRADED_POINTS);
    const grading = smooth ? 1 : GRADING;
    this.#at = points.map((s) => power(s, grading));
    this.#weight = weights.map((w, i) => w * grading * power(points[i]!, grading - 1));
    this.#pressures = new Float64Array(points.length);
    this.#pressure = (soil.kc / width + soil.kphi) * power(radius, soil.exponent);
    this.#tan = tangent(soil.friction);
    const X = Math.PI / 4 - soil.friction / 2;
    const cot = 1 / tangent(X);
    this.#grouser = grouser;
    this.#heap = 0.5 * soil.density * gravity * width * cot * cot;
    this.#d1 = cot + tangent(X + soil.friction);
    this.#d2 = (cot + cot * cot * this.#tan) * soil.density * gravity;
  }

  /**
   * Computes `forces` at sinkage h (of the lowest point below the ground, along the normal) and its rate, speeds of the centre ahead and
   * to the left, and speed r ω of the rim. The wheel has dug itself in by `dug`, and wheels before were as deep as `before`.
   */
  evaluate(h: number, hRate: number, vx: number, vy: number, rim: number, dug = 0, before = 0): WheelForces {
    const out = this.forces;
    out.fx = out.fy = out.fz = out.torque = out.mx = out.mz = 0;
    const forward = forwardShare(rim, vx);
    out.slip = rim + vx >= 0 ? slipOf(rim, vx) : slipOf(-rim, -vx);
    out.beta = vx === 0 && vy === 0 ? 0 : arctangent(vy, Math.abs(vx));
    const r = this.#r;
    this.#compact(before);
    const carried = h - dug - this.#rut * r;
    if (!(carried > 0)) return out;
    const soil = this.#soil;
    const speed = Math.sqrt(rim * rim + vx * vx) / LOW_SPEED;
    const chi = speed >= 1 ? 1 : speed * speed * (3 - 2 * speed);
    const sunk = Math.min(carried / r, 1);
    const front = arcCosine(1 - sunk);
    const rear = -arcCosine(1 - Math.min((1 - chi * (1 - soil.rear)) * sunk, 1));
    if (forward > 0) this.#oneWay(forward, 1, vx, vy, rim, chi, front, rear, dug);
    if (forward < 1) this.#oneWay(1 - forward, -1, -vx, vy, -rim, chi, front, rear, dug);
    const area = r * this.#b * (sine(front) - sine(rear));
    out.fz = Math.max(0, out.fz + soil.damping * area * hRate);
    return out;
  }

  /** Adds a share of the forces on a wheel that enters the ground at its front (`dir` 1) or at its rear (-1); v and u are mirrored then. */
  #oneWay(
    share: number,
    dir: number,
    v: number,
    vy: number,
    u: number,
    chi: number,
    front: number,
    rear: number,
    dug: number,
  ): void {
    const out = this.forces;
    const sum = this.#sum;
    sum.fx = sum.fy = sum.fz = sum.torque = sum.mx = sum.mz = 0;
    const soil = this.#soil;
    const r = this.#r;
    const slip = smoothSlip(u, v);
    const middle = chi * (soil.a0 + soil.a1 * slip) * front;
    // Of a wheel that hardly moves over the ground the slip angle means nothing.
    const moving = Math.min((v * v + vy * vy) / (HARDLY * HARDLY), 1);
    const shown = moving * (2 - moving);
    const size = shown * rounded(Math.min(Math.abs(out.beta), MOST_BETA), STRAIGHT);
    const kx = soil.kx0 + soil.kx1 * size;
    const ky = soil.ky0 + soil.ky1 * size;
    const push = shown * chi * Math.abs(sine(out.beta));
    const kink = this.#kink(front, middle);
    const across = Math.abs(vy);
    if (kink > 0) {
      this.#integrate(front, front, middle, 0, kink, u, v, across, kx, ky, push);
      this.#integrate(front, rear, middle, 0, kink, u, v, across, kx, ky, push);
    }
    if (kink < 1) {
      this.#integrate(front, front, middle, kink, 1, u, v, across, kx, ky, push);
      this.#integrate(front, rear, middle, kink, 1, u, v, across, kx, ky, push);
    }
    if (dug > 0 && slip > 0) {
      const high = Math.min(dug, r);
      const heap = this.#heap * high * high * (1 - exponential((-r * rounded(slip, PUSHING) * (front - rear)) / kx));
      sum.fx += heap;
      sum.torque += heap * (r - high / 3);
    }
    const side = vy > 0 ? -share : share;
    out.fx += share * dir * sum.fx;
    out.fz += share * sum.fz;
    out.torque += share * dir * sum.torque;
    out.fy += side * sum.fy;
    out.mx += side * sum.mx;
    out.mz += side * dir * sum.mz;
  }

  /** Rate of the depth that paddles dig, at sinkage h. */
  digging(h: number, vx: number, rim: number, dug: number): number {
    const r = this.#r;
    const forward = forwardShare(rim, vx);
    const passed = forward * Math.max(0, rim - vx) + (1 - forward) * Math.max(0, vx - rim);
    const engaged = Math.max(0, Math.min(1, (h - dug) / this.#grouser));
    const room = Math.max(0, Math.min(1, (r - dug) / (FADING * r)));
    return (this.#grouser * engaged * room * passed - dug * Math.abs(vx)) / r;
  }

  /** Depth that paddles dig in steady slip. */
  steadyDigging(slip: number): number {
    if (this.#grouser === 0 || slip <= 0) return 0;
    const r = this.#r;
    const ratio = (this.#grouser * slip) / (1 - slip);
    return ratio <= (1 - FADING) * r ? ratio : slip < 1 ? (ratio * r) / (FADING * r + ratio) : r;
  }

  /** The rut that a sinkage of `before` leaves, m. */
  rutOf(before: number): number {
    this.#compact(before);
    return this.#rut * this.#r;
  }

  #compact(before: number): void {
    this.#again = this.#rut = this.#deepest = 0;
    if (!(before > 0)) return;
    const deep = before / this.#r;
    this.#deepest = deep;
    const most = this.#pressure * power(deep, this.#soil.exponent);
    // Never softer than the way to the deepest point: nothing shallow springs back above the ground.
    this.#again = Math.max(this.#soil.reload * before * this.#r, most / deep);
    this.#rut = deep - most / this.#again;
  }

  /** Where reloading ends and sinking goes on, as a fraction of the way from the stress-free end to θm; 0 on fresh ground. */
  #kink(front: number, middle: number): number {
    if (this.#rut === 0) return 0;
    const cos = cosine(front) + this.#deepest - this.#rut;
    return cos >= cosine(middle) ? 1 : (front - arcCosine(cos)) / (front - middle);
  }

  /**
   * Adds the stresses between two fractions of the way from the stress-free end to θm: first of the front, then of the rear, whose
   * pressures are the same mirrored.
   */
  #integrate(
    front: number,
    end: number,
    middle: number,
    from: number,
    to: number,
    u: number,
    v: number,
    across: number,
    kx: number,
    ky: number,
    push: number,
  ): void {
    const out = this.#sum;
    const { cohesion, exponent } = this.#soil;
    const r = this.#r;
    const length = Math.abs(middle - end) * (to - from);
    const sinF = sine(front);
    const cosF = cosine(front);
    const perRim = r / Math.max(u, LOW_SPEED);
    const pair = this.#pair;
    const pressures = this.#pressures;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let torque = 0;
    let mx = 0;
    let mz = 0;
    for (let i = 0; i < this.#at.length; i++) {
      const s = from + (to - from) * this.#at[i]!;
      const theta = end + (middle - end) * s;
      sineAndCosine(theta, pair);
      const sin = pair[0]!;
      const cos = pair[1]!;
      if (end === front) {
        const drop = Math.max(0, cos - cosF);
        const deep = drop + this.#rut;
        const virgin = this.#pressure * (exponent === 1 ? deep : power(deep, exponent));
        pressures[i] = this.#rut > 0 ? Math.min(virgin, this.#again * drop) : virgin;
      }
      const sigma = pressures[i]!;
      const strength = cohesion + sigma * this.#tan;
      const jx = perRim * (u * (front - theta) - v * (sinF - sin));
      const tx = jx < 0 ? -strength * (1 - exponential(jx / kx)) : strength * (1 - exponential(-jx / kx));
      const w = this.#weight[i]! * length;
      const wrb = w * r * this.#b;
      fx += wrb * (tx * cos - sigma * sin);
      fz += wrb * (tx * sin + sigma * cos);
      torque += wrb * r * tx;
      if (across === 0) continue;
      const ty = strength * (1 - exponential((-perRim * across * (front - theta)) / ky));
      const aside = Math.max(0, r * (cos - cosF));
      const pushed = push * this.#d1 * aside * (cohesion + 0.5 * this.#d2 * aside) * (r - aside * cos);
      const side = wrb * ty + w * pushed;
      fy += side;
      mx += side * r * cos;
      mz += side * r * sin;
    }
    out.fx += fx;
    out.fy += fy;
    out.fz += fz;
    out.torque += torque;
    out.mx += mx;
    out.mz += mz;
  }
}

/** How far the wheel goes forwards, 0 to 1. */
function forwardShare(rim: number, vx: number): number {
  const t = 0.5 + (rim + vx) / (2 * BOTH_WAYS);
  return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
}

/** Slip of a wheel that goes forwards, as far as it likes. */
const slipping = (u: number, v: number): number => (u - v) / Math.max(u, v, LOW_SPEED);
const slipOf = (u: number, v: number): number => Math.max(-1, Math.min(1, slipping(u, v)));

/** The same with a smooth end: beyond ±1 it goes a little further before it comes back to stay. */
function smoothSlip(u: number, v: number): number {
  const free = slipping(u, v);
  const t = (Math.abs(free) - 1) / SPENT;
  if (t <= 0) return free;
  const end = t >= 1 ? 1 : 1 + SPENT * t * (1 - t) * (1 - t);
  return free < 0 ? -end : end;
}

/** A positive number with a horizontal tangent at zero, itself from `from` on. */
function rounded(size: number, from: number): number {
  const t = size / from;
  return t >= 1 ? size : size * t * (2 - t);
}
