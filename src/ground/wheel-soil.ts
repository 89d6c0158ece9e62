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
import { arcCosine, arctangent } from "../math/elementary/arctangent.ts";
import { exponential } from "../math/elementary/exponential.ts";
import { power } from "../math/elementary/power.ts";
import { cosine, sine, sinesAndCosines, tangent, UNREDUCED_ANGLE } from "../math/elementary/sincos.ts";
import { type QuadratureRule, quadratureRules } from "./quadrature-rules.ts";
import { forwardShare, LOW_SPEED, limitedSlip, smoothNearZero, smoothSlip } from "./slip.ts";
import type { Soil } from "./soil.ts";
import { sumStresses } from "./stress-sums-js.ts";
import {
  instantiateStressFunctions,
  MAX_POINTS,
  POINT_ARRAYS,
  STRESS_MEMORY_LENGTH,
  STRESS_SLOTS,
  type StressFunctions,
} from "./stress-sums-wasm.ts";

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

export const zeroForces = (): WheelForces => ({ fx: 0, fy: 0, fz: 0, torque: 0, mx: 0, mz: 0, slip: 0, beta: 0 });

/** Below this speed over the ground, m/s, the slip angle fades: of a wheel that spins in place it jumps with the least motion. */
const SLIP_ANGLE_FADE_SPEED = 1e-3;
/** Corners are rounded, so that the law is C1: |β| within this angle, rad; slip at zero, where a heap begins, within this much. */
const BETA_ROUNDING = 5e-4;
const HEAP_SLIP_ROUNDING = 0.01;
/** Shear moduli grow with the slip angle up to here. */
const MAX_SHEAR_BETA = Math.PI / 6;
/** Steps to where the shear turns, and what is near enough: an error there counts with its third power. */
const MAX_NEWTON_STEPS = 8;
const NEWTON_TOLERANCE = 1e-5;
/** A hole as deep as the wheel's radius does not grow: digging fades over this share of the radius. */
const DIGGING_FADE = 0.1;

export class WheelOnSoil {
  readonly forces = zeroForces();
  readonly #soil: Soil;
  readonly #r: number;
  readonly #b: number;
  readonly #rules: readonly QuadratureRule[];
  /** The sums in WebAssembly, if there is any, and what they take; the arrays of the points are in there too. */
  readonly #code: StressFunctions | undefined;
  readonly #numbers: Float64Array;
  readonly #angles: Float64Array;
  readonly #sines: Float64Array;
  readonly #cosines: Float64Array;
  readonly #weights: Float64Array;
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
  // What is being integrated. In fields, because numbers that are handed over cost memory: entry and exit, θm, speeds, and what they give.
  #front = 0;
  #sinFront = 0;
  #cosFront = 0;
  #rear = 0;
  #sinRear = 0;
  #cosRear = 0;
  #middle = 0;
  /** Where stresses are not smooth, as fractions of the way from a stress-free end to θm. */
  readonly #breaks = new Float64Array(3);
  #breakCount = 0;
  #u = 0;
  #v = 0;
  #vy = 0;
  #chi = 0;
  #dug = 0;
  #perKx = 0;
  #perKy = 0;
  #push = 0;
  /** Forces of one way into the ground, as in WheelForces. */
  readonly #sum = new Float64Array(6);

  /** @param gravity for the weight of the soil that is pushed aside, m/s² */
  constructor(soil: Soil, { radius, width, grouser = 0 }: WheelShape, gravity: number) {
    this.#soil = soil;
    this.#r = radius;
    this.#b = width;
    this.#rules = quadratureRules(soil.exponent);
    const compiled = instantiateStressFunctions();
    this.#code = compiled?.code;
    this.#numbers = compiled?.numbers ?? new Float64Array(STRESS_MEMORY_LENGTH);
    const points = (from: number): Float64Array => this.#numbers.subarray(from, from + MAX_POINTS);
    this.#angles = points(POINT_ARRAYS.angles);
    this.#sines = points(POINT_ARRAYS.sines);
    this.#cosines = points(POINT_ARRAYS.cosines);
    this.#weights = points(POINT_ARRAYS.weights);
    this.#pressures = points(POINT_ARRAYS.pressures);
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
    out.slip = rim + vx >= 0 ? limitedSlip(rim, vx) : limitedSlip(-rim, -vx);
    out.beta = vy === 0 ? 0 : arctangent(vy, Math.abs(vx));
    const r = this.#r;
    this.#compact(before);
    const carried = h - dug - this.#rut * r;
    if (!(carried > 0)) return out;
    const soil = this.#soil;
    const speed = Math.sqrt(rim * rim + vx * vx) / LOW_SPEED;
    const chi = speed >= 1 ? 1 : speed * speed * (3 - 2 * speed);
    const sunk = Math.min(carried / r, 1);
    const behind = Math.min((1 - chi * (1 - soil.rear)) * sunk, 1);
    this.#cosFront = 1 - sunk;
    this.#sinFront = Math.sqrt(sunk * (2 - sunk));
    this.#front = arctangent(this.#sinFront, this.#cosFront);
    this.#cosRear = 1 - behind;
    this.#sinRear = -Math.sqrt(behind * (2 - behind));
    this.#rear = arctangent(this.#sinRear, this.#cosRear);
    this.#chi = chi;
    this.#vy = vy;
    this.#dug = dug;
    if (forward > 0) {
      this.#u = rim;
      this.#v = vx;
      this.#oneWay(forward, 1);
    }
    if (forward < 1) {
      this.#u = -rim;
      this.#v = -vx;
      this.#oneWay(1 - forward, -1);
    }
    const area = r * this.#b * (this.#sinFront - this.#sinRear);
    out.fz = Math.max(0, out.fz + soil.damping * area * hRate);
    return out;
  }

  /** Adds a share of the forces on a wheel that enters the ground at its front (`dir` 1) or at its rear (-1); v and u are mirrored then. */
  #oneWay(share: number, dir: number): void {
    const out = this.forces;
    const sum = this.#sum;
    sum[0] = sum[1] = sum[2] = sum[3] = sum[4] = sum[5] = 0;
    const soil = this.#soil;
    const r = this.#r;
    const u = this.#u;
    const v = this.#v;
    const vy = this.#vy;
    const slip = smoothSlip(u, v);
    this.#middle = this.#chi * (soil.a0 + soil.a1 * slip) * this.#front;
    // Of a wheel that hardly moves over the ground the slip angle means nothing.
    const square = v * v + vy * vy;
    const moving = Math.min(square / (SLIP_ANGLE_FADE_SPEED * SLIP_ANGLE_FADE_SPEED), 1);
    const shown = moving * (2 - moving);
    const size = shown * smoothNearZero(Math.min(Math.abs(out.beta), MAX_SHEAR_BETA), BETA_ROUNDING);
    this.#perKx = 1 / (soil.kx0 + soil.kx1 * size);
    this.#perKy = 1 / (soil.ky0 + soil.ky1 * size);
    this.#push = vy === 0 ? 0 : shown * this.#chi * (Math.abs(vy) / Math.sqrt(square)); // |sin β|
    this.#breakCount = 0;
    this.#noteBreak(this.#kink());
    this.#turns();
    let from = 0;
    for (let k = 0; k < this.#breakCount; k++) {
      this.#integrate(from, this.#breaks[k]!);
      from = this.#breaks[k]!;
    }
    this.#integrate(from, 1);
    const dug = this.#dug;
    if (dug > 0 && slip > 0) {
      const high = Math.min(dug, r);
      const spent = exponential(-r * smoothNearZero(slip, HEAP_SLIP_ROUNDING) * (this.#front - this.#rear) * this.#perKx);
      const heap = this.#heap * high * high * (1 - spent);
      sum[0]! += heap;
      sum[3]! += heap * (r - high / 3);
    }
    const side = vy > 0 ? -share : share;
    out.fx += share * dir * sum[0]!;
    out.fy += side * sum[1]!;
    out.fz += share * sum[2]!;
    out.torque += share * dir * sum[3]!;
    out.mx += side * sum[4]!;
    out.mz += side * dir * sum[5]!;
  }

  /** Rate of the depth that paddles dig, at sinkage h. */
  diggingRate(h: number, vx: number, rim: number, dug: number): number {
    const r = this.#r;
    const forward = forwardShare(rim, vx);
    const passed = forward * Math.max(0, rim - vx) + (1 - forward) * Math.max(0, vx - rim);
    const engaged = Math.max(0, Math.min(1, (h - dug) / this.#grouser));
    const room = Math.max(0, Math.min(1, (r - dug) / (DIGGING_FADE * r)));
    return (this.#grouser * engaged * room * passed - dug * Math.abs(vx)) / r;
  }

  /** Depth that paddles dig in steady slip. */
  steadyDiggingDepth(slip: number): number {
    if (this.#grouser === 0 || slip <= 0) return 0;
    const r = this.#r;
    const ratio = (this.#grouser * slip) / (1 - slip);
    return ratio <= (1 - DIGGING_FADE) * r ? ratio : slip < 1 ? (ratio * r) / (DIGGING_FADE * r + ratio) : r;
  }

  /** The rut that a sinkage of `before` leaves, m. */
  rutDepth(before: number): number {
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
  #kink(): number {
    if (this.#rut === 0) return 0;
    const cos = this.#cosFront + this.#deepest - this.#rut;
    return cos >= cosine(this.#middle) ? 1 : (this.#front - arcCosine(cos)) / (this.#front - this.#middle);
  }

  /**
   * Notes where the shear changes its sign, for there its second derivative jumps. It happens in braking, u < v: the displacement j goes with
   * u (θf - θ) - v (sin θf - sin θ), rises from zero, falls up to the bottom and on to cos θ = u/v behind it, and rises again. With θ = θf - 2 y
   * it is zero where
   *
   *   cos(θf - y) sin(y) / y = u / v
   *
   * The left side is hollow from below, so that Newton's steps come near from one side: from the front to the first place, from the rear
   * to the second.
   */
  #turns(): void {
    const u = this.#u;
    const v = this.#v;
    const front = this.#front;
    const rear = this.#rear;
    if (!(u < v && u > v * this.#cosFront)) return;
    const ratio = u / v;
    const atRear = u * (front - rear) - v * (this.#sinFront - this.#sinRear);
    if (atRear >= 0) {
      if (ratio <= this.#cosRear) return; // it falls all the way, and stays above zero
      const lowest = arcCosine(ratio);
      if (u * (front + lowest) >= v * (this.#sinFront + Math.sqrt((1 - ratio) * (1 + ratio)))) return;
      this.#noteTurn(this.#zero(ratio, (front - rear) / 2));
    }
    this.#noteTurn(this.#zero(ratio, (ratio - this.#cosFront) / this.#sinFront));
  }

  #zero(ratio: number, start: number): number {
    const cosFront = this.#cosFront;
    const sinFront = this.#sinFront;
    let y = start;
    for (let k = 0; k < MAX_NEWTON_STEPS; k++) {
      const sin = sine(y);
      const cos = cosine(y);
      const cosBelow = cosFront * cos + sinFront * sin;
      const sinBelow = sinFront * cos - cosFront * sin;
      const value = (cosBelow * sin) / y;
      const step = ((ratio - value) * y) / (cosBelow * cos + sinBelow * sin - value);
      y += step;
      if (!(Math.abs(step) > NEWTON_TOLERANCE * y)) break;
    }
    return this.#front - 2 * y;
  }

  /** Among the breaks, in their order: where an angle is on the way from a stress-free end to θm. */
  #noteTurn(theta: number): void {
    const middle = this.#middle;
    const [front, rear] = [this.#front, this.#rear];
    this.#noteBreak(theta > middle ? (front - theta) / (front - middle) : (theta - rear) / (middle - rear));
  }

  #noteBreak(fraction: number): void {
    if (!(fraction > 0 && fraction < 1)) return;
    const breaks = this.#breaks;
    let at = this.#breakCount++;
    for (; at > 0 && breaks[at - 1]! > fraction; at--) breaks[at] = breaks[at - 1]!;
    breaks[at] = fraction;
  }

  /** The rule for the points of a part of both segments. */
  #rule(part: number): QuadratureRule {
    const rules = this.#rules;
    const last = rules[rules.length - 1]!;
    if (rules.length === 1) return last;
    const middle = this.#middle;
    const u = this.#u;
    const v = this.#v;
    // -dj/dθ goes with u - v cos θ, which is greatest at the end or at the bottom.
    const steep = Math.max(Math.abs(u - v * this.#cosFront), Math.abs(u - v)) * this.#perKx;
    const stretch = part * Math.max(this.#front - middle, middle - this.#rear);
    const reach = stretch * (2 + (this.#r / Math.max(u, LOW_SPEED)) * Math.max(steep, Math.abs(this.#vy) * this.#perKy));
    for (let k = 0; k < rules.length; k++) if (reach <= rules[k]!.upTo) return rules[k]!;
    return last;
  }

  /**
   * Adds the stresses between two fractions of the way from the stress-free ends to θm: from the front, and from the rear, where pressures
   * are those of the front mirrored.
   */
  #integrate(from: number, to: number): void {
    const { positions: at, weights } = this.#rule(to - from);
    const m = at.length;
    const { cohesion, exponent } = this.#soil;
    const r = this.#r;
    const front = this.#front;
    const rear = this.#rear;
    const middle = this.#middle;
    const angles = this.#angles;
    const cosines = this.#cosines;
    const weight = this.#weights;
    const pressures = this.#pressures;
    const part = r * this.#b * (to - from);
    for (let i = 0; i < m; i++) {
      const s = from + (to - from) * at[i]!;
      angles[i] = front + (middle - front) * s;
      angles[m + i] = rear + (middle - rear) * s;
      weight[i] = weights[i]! * part * Math.abs(middle - front);
      weight[m + i] = weights[i]! * part * Math.abs(middle - rear);
    }
    if (this.#code && front <= UNREDUCED_ANGLE && rear >= -UNREDUCED_ANGLE) this.#code.turn(16 * m);
    else sinesAndCosines(angles, this.#sines, cosines, 2 * m);
    const cosFront = this.#cosFront;
    const rut = this.#rut;
    for (let i = 0; i < m; i++) {
      const drop = Math.max(0, cosines[i]! - cosFront);
      const virgin = this.#pressure * (exponent === 1 ? drop + rut : power(drop + rut, exponent));
      pressures[i] = pressures[m + i] = rut > 0 ? Math.min(virgin, this.#again * drop) : virgin;
    }
    const numbers = this.#numbers;
    const perRim = r / Math.max(this.#u, LOW_SPEED);
    numbers[STRESS_SLOTS.front] = front;
    numbers[STRESS_SLOTS.sinFront] = this.#sinFront;
    numbers[STRESS_SLOTS.cosFront] = cosFront;
    numbers[STRESS_SLOTS.u] = perRim * this.#u * this.#perKx;
    numbers[STRESS_SLOTS.v] = perRim * this.#v * this.#perKx;
    numbers[STRESS_SLOTS.cohesion] = cohesion;
    numbers[STRESS_SLOTS.tan] = this.#tan;
    const isAcross = this.#vy !== 0;
    if (isAcross) {
      numbers[STRESS_SLOTS.slope] = -perRim * Math.abs(this.#vy) * this.#perKy;
      numbers[STRESS_SLOTS.push] = (this.#push * this.#d1) / (r * this.#b);
      numbers[STRESS_SLOTS.d2] = 0.5 * this.#d2;
      numbers[STRESS_SLOTS.r] = r;
    }
    if (!this.#code) sumStresses(numbers, 2 * m, isAcross);
    else if (isAcross) this.#code.everything(16 * m);
    else this.#code.along(16 * m);
    const sum = this.#sum;
    sum[0]! += numbers[STRESS_SLOTS.fx]!;
    sum[2]! += numbers[STRESS_SLOTS.fz]!;
    sum[3]! += r * numbers[STRESS_SLOTS.torque]!;
    if (!isAcross) return;
    sum[1]! += numbers[STRESS_SLOTS.fy]!;
    sum[4]! += r * numbers[STRESS_SLOTS.mx]!;
    sum[5]! += r * numbers[STRESS_SLOTS.mz]!;
  }
}
