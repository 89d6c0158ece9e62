/**
 * A wheel on soil, after Wong and Reece and Ishigami: stresses over the rim, integrated. θ is counted from the downward vertical, positive
 * forward. At low speed, in braking and in reverse the formulas are continued so that they stay finite, and are the published ones as
 * soon as the rim is faster than LOW_SPEED. All SI; nothing is allocated.
 *
 *   σ(θ) = (kc/b + kφ) rⁿ (cos θe - cos θf)ⁿ,  θe = θ ahead of θm, mirrored behind it
 *   τ = (c + σ tan φ)(1 - e^(-j/k)),  jx = r [θf - θ - (1 - s)(sin θf - sin θ)],  jy = r (1 - s)(θf - θ) tan β
 *   Fx = r b ∫ τx cos θ - σ sin θ,  Fz = r b ∫ τx sin θ + σ cos θ,  T = r² b ∫ τx
 *   |Fy| = ∫ r b τy + |sin β| Rb (r - hθ cos θ),  Rb = D1 (c hθ + ½ D2 ρ g hθ²),  hθ = r (cos θ - cos θf)
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
/** Shear moduli grow with the slip angle up to here. */
const MOST_BETA = Math.PI / 6;
/** Points on each side of θm. Whole exponents leave smooth integrands; others have a power at the end, which grading takes away. */
const SMOOTH_POINTS = 8;
const GRADED_POINTS = 24;
const GRADING = 5;

export class WheelOnSoil {
  readonly forces = noForces();
  readonly #soil: Soil;
  readonly #r: number;
  readonly #b: number;
  /** Fractions of a segment from its stress-free end, and their weights. */
  readonly #at: Float64Array;
  readonly #weight: Float64Array;
  readonly #pair = new Float64Array(2);
  readonly #pressures: Float64Array;
  readonly #pressure: number;
  readonly #tan: number;
  readonly #d1: number;
  readonly #d2: number;

  /** @param gravity for the weight of the soil that is pushed aside, m/s² */
  constructor(soil: Soil, { radius, width }: WheelShape, gravity: number) {
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
    this.#d1 = cot + tangent(X + soil.friction);
    this.#d2 = (cot + cot * cot * this.#tan) * soil.density * gravity;
  }

  /**
   * Computes `forces` at sinkage h (of the lowest point below the ground, along the normal) and its rate, speeds of the centre ahead and
   * to the left, and speed r ω of the rim.
   */
  evaluate(h: number, hRate: number, vx: number, vy: number, rim: number): WheelForces {
    const out = this.forces;
    out.fx = out.fy = out.fz = out.torque = out.mx = out.mz = 0;
    const forward = Math.abs(rim) > Math.abs(vx) ? rim : vx;
    const dir = forward < 0 ? -1 : 1;
    const v = dir * vx;
    const u = dir * rim;
    const slip = Math.max(-1, Math.min(1, (u - v) / Math.max(u, v, LOW_SPEED)));
    const beta = v === 0 && vy === 0 ? 0 : arctangent(vy, Math.abs(v));
    out.slip = slip;
    out.beta = beta;
    if (!(h > 0)) return out;
    const soil = this.#soil;
    const r = this.#r;
    const speed = Math.sqrt(rim * rim + vx * vx) / LOW_SPEED;
    const chi = speed >= 1 ? 1 : speed * speed * (3 - 2 * speed);
    const sunk = Math.min(h / r, 1);
    const front = arcCosine(1 - sunk);
    const rear = -arcCosine(1 - Math.min((1 - chi * (1 - soil.rear)) * sunk, 1));
    const middle = chi * (soil.a0 + soil.a1 * slip) * front;
    const size = Math.min(Math.abs(beta), MOST_BETA);
    const kx = soil.kx0 + soil.kx1 * size;
    const ky = soil.ky0 + soil.ky1 * size;
    const push = chi * Math.abs(sine(beta));
    this.#integrate(front, front, middle, u, v, Math.abs(vy), kx, ky, push);
    this.#integrate(front, rear, middle, u, v, Math.abs(vy), kx, ky, push);
    const side = vy > 0 ? -1 : 1;
    out.fx *= dir;
    out.torque *= dir;
    out.fy *= side;
    out.mx *= side;
    out.mz *= side * dir;
    const area = r * this.#b * (sine(front) - sine(rear));
    out.fz = Math.max(0, out.fz + soil.damping * area * hRate);
    return out;
  }

  /** Adds the stresses between the stress-free end and θm: first of the front, then of the rear, whose pressures are the same mirrored. */
  #integrate(
    front: number,
    end: number,
    middle: number,
    u: number,
    v: number,
    across: number,
    kx: number,
    ky: number,
    push: number,
  ): void {
    const out = this.forces;
    const { cohesion, exponent } = this.#soil;
    const r = this.#r;
    const length = Math.abs(middle - end);
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
      const s = this.#at[i]!;
      const theta = end + (middle - end) * s;
      sineAndCosine(theta, pair);
      const sin = pair[0]!;
      const cos = pair[1]!;
      if (end === front) {
        const drop = Math.max(0, cos - cosF);
        pressures[i] = this.#pressure * (exponent === 1 ? drop : power(drop, exponent));
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
      const deep = Math.max(0, r * (cos - cosF));
      const pushed = push * this.#d1 * deep * (cohesion + 0.5 * this.#d2 * deep) * (r - deep * cos);
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

/** Sinkage at which the soil carries a load while the wheel moves steadily at slip s and slip angle β, as on a single-wheel bench. */
export function sinkageUnder(
  load: number,
  wheel: WheelOnSoil,
  { radius }: WheelShape,
  slip: number,
  beta: number,
  rim = 0.05,
): number {
  const vx = slip >= 0 ? (1 - slip) * rim || Number.EPSILON * rim : rim; // standing, it keeps its slip angle
  const turning = slip >= 0 ? rim : (1 + slip) * rim;
  const carried = (h: number): number => wheel.evaluate(h, 0, vx, vx * tangent(beta), turning).fz;
  let [low, high] = [0, radius];
  if (carried(high) < load) return Number.NaN;
  for (let k = 0; k < 200 && high - low > 1e-16 * radius; k++) {
    const middle = (low + high) / 2;
    if (carried(middle) < load) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
