/**
 * Forces on a wheel on soil after Wong and Reece, and Ishigami: stresses integrated over the rim. θ is counted from the downward vertical,
 * positive forward. At low speed, in braking and in reverse the formulas are continued so that they stay finite. They are the published
 * ones if the rim is faster than LOW_SPEED. All quantities in SI units. Evaluation allocates nothing.
 *
 *   σ(θ) = (kc/b + kφ) rⁿ (cos θe - cos θf)ⁿ,  θe = θ ahead of θm, mirrored behind it
 *   τ = (c + σ tan φ)(1 - e^(-j/k)),  jx = r [θf - θ - (1 - s)(sin θf - sin θ)],  jy = r (1 - s)(θf - θ) tan β
 *   Fx = r b ∫ τx cos θ - σ sin θ,  Fz = r b ∫ τx sin θ + σ cos θ,  T = r² b ∫ τx
 *   |Fy| = ∫ r b τy + |sin β| Rb (r - hθ cos θ),  Rb = D1 (c hθ + ½ D2 ρ g hθ²),  hθ = r (cos θ - cos θf)
 *
 * compacted-soil.ts describes soil on which wheels went before.
 *
 * Grousers of height h_g carry soil from under the wheel to behind it. Balance of volume over the contact, of length r: the wheel sinks by
 * an additional depth D, which in steady slip is h_g s / (1 - s), and the loose heap behind pushes with its passive earth pressure
 * [Rankine]:
 *
 *   r Ḋ = h_g (r ω - v) - D v,   Fx += ½ ρ g b tan²(π/4 + φ/2) D² (1 - e^(-j/k)),  j = r s (θf - θr)
 */
import { checkLeast, checkMembers, checkPositive } from "../arguments.ts";
import { arctangent } from "../math/elementary/arctangent.ts";
import { exponential } from "../math/elementary/exponential.ts";
import { tangent } from "../math/elementary/sincos.ts";
import { CompactedSoil } from "./compacted-soil.ts";
import { ContactPatch } from "./contact-patch.ts";
import { RimIntegrator } from "./rim-integrator.ts";
import { addShearReversals } from "./shear-reversals.ts";
import { forwardShare, LOW_SPEED, limitedSlip, smoothNearZero, smoothSlip } from "./slip.ts";
import { checkSoil, type Soil } from "./soil.ts";

export interface WheelShape {
  readonly radius: number;
  readonly width: number;
  /** Height of the grousers (paddles) that dig, m; none if not given. */
  readonly grouser?: number;
}

/** @throws ArgumentError if `shape` is not the shape of a wheel */
function checkWheelShape(shape: WheelShape): void {
  checkMembers("shape", shape, [], "an object with the radius and width of a wheel");
  checkPositive("shape.radius", shape.radius);
  checkPositive("shape.width", shape.width);
  if (shape.grouser !== undefined) checkLeast("shape.grouser", shape.grouser, 0);
}

/** Forces on the wheel in its contact axes (x ahead, y left, z along the normal), moments about its centre. */
export interface WheelForces {
  fx: number;
  fy: number;
  fz: number;
  /** Torque of the soil against the rotation: the moment about y is -torque. */
  torque: number;
  mx: number;
  mz: number;
  slip: number;
  /** Slip angle, rad, with the sign of the lateral speed. */
  beta: number;
}

export const zeroForces = (): WheelForces => ({ fx: 0, fy: 0, fz: 0, torque: 0, mx: 0, mz: 0, slip: 0, beta: 0 });

/**
 * Below this speed over the ground, m/s, the slip angle fades out: for a wheel that spins in place it would jump with the smallest motion.
 */
const SLIP_ANGLE_FADE_SPEED = 1e-3;
/** The law is made C1 by rounding its corners: |β| below this angle, rad, and the force of the heap below this slip. */
const BETA_ROUNDING = 5e-4;
const HEAP_SLIP_ROUNDING = 0.01;
/** The shear moduli grow with the slip angle up to this angle. */
const MAX_SHEAR_BETA = Math.PI / 6;
/** Digging ends at a depth of one radius: it fades out over this fraction of the radius. */
const DIGGING_FADE = 0.1;

export class WheelOnSoil {
  readonly forces = zeroForces();
  readonly #soil: Soil;
  readonly #radius: number;
  readonly #width: number;
  readonly #grouser: number;
  /** Passive earth pressure of the heap behind the wheel: force per squared height, N/m². */
  readonly #heapStiffness: number;
  readonly #compacted: CompactedSoil;
  readonly #patch = new ContactPatch();
  readonly #integrator: RimIntegrator;

  /** @param gravity for the weight of the displaced soil, m/s² */
  constructor(soil: Soil, shape: WheelShape, gravity: number) {
    checkSoil(soil);
    checkWheelShape(shape);
    checkLeast("gravity", gravity, 0);
    const { radius, width, grouser = 0 } = shape;
    this.#soil = soil;
    this.#radius = radius;
    this.#width = width;
    this.#grouser = grouser;
    const cot = 1 / tangent(Math.PI / 4 - soil.friction / 2);
    this.#heapStiffness = 0.5 * soil.density * gravity * width * cot * cot;
    this.#compacted = new CompactedSoil(soil, radius, width);
    this.#integrator = new RimIntegrator(soil, this.#compacted, radius, width, gravity);
  }

  /**
   * Computes `forces`.
   *
   * @param h sinkage of the lowest point below the ground, along the normal, m
   * @param hRate its rate, m/s
   * @param vx speed of the centre ahead, m/s
   * @param vy speed of the centre to the left, m/s
   * @param rim speed r ω of the rim, m/s
   * @param dug depth that the grousers have dug, m
   * @param before depth that earlier wheels reached, m
   */
  evaluate(h: number, hRate: number, vx: number, vy: number, rim: number, dug = 0, before = 0): WheelForces {
    const out = this.forces;
    out.fx = out.fy = out.fz = out.torque = out.mx = out.mz = 0;
    const forward = forwardShare(rim, vx);
    out.slip = rim + vx >= 0 ? limitedSlip(rim, vx) : limitedSlip(-rim, -vx);
    out.beta = vy === 0 ? 0 : arctangent(vy, Math.abs(vx));
    const r = this.#radius;
    this.#compacted.setEarlierDepth(before);
    const depth = h - dug - this.#compacted.rut * r;
    if (!(depth > 0)) return out;
    const soil = this.#soil;
    const patch = this.#patch;
    const relativeSpeed = Math.sqrt(rim * rim + vx * vx) / LOW_SPEED;
    const speedBlend = relativeSpeed >= 1 ? 1 : relativeSpeed * relativeSpeed * (3 - 2 * relativeSpeed);
    const frontDepth = Math.min(depth / r, 1);
    const rearDepth = Math.min((1 - speedBlend * (1 - soil.rear)) * frontDepth, 1);
    patch.cosFront = 1 - frontDepth;
    patch.sinFront = Math.sqrt(frontDepth * (2 - frontDepth));
    patch.front = arctangent(patch.sinFront, patch.cosFront);
    patch.cosRear = 1 - rearDepth;
    patch.sinRear = -Math.sqrt(rearDepth * (2 - rearDepth));
    patch.rear = arctangent(patch.sinRear, patch.cosRear);
    patch.speedBlend = speedBlend;
    patch.vy = vy;
    patch.dug = dug;
    if (forward > 0) {
      patch.u = rim;
      patch.v = vx;
      this.#addOneDirection(forward, 1);
    }
    if (forward < 1) {
      patch.u = -rim;
      patch.v = -vx;
      this.#addOneDirection(1 - forward, -1);
    }
    const area = r * this.#width * (patch.sinFront - patch.sinRear);
    out.fz = Math.max(0, out.fz + soil.damping * area * hRate);
    return out;
  }

  /**
   * Adds a share of the forces on a wheel that enters the ground at its front (`direction` 1) or at its rear (-1, with u and v mirrored).
   */
  #addOneDirection(share: number, direction: number): void {
    const out = this.forces;
    const soil = this.#soil;
    const patch = this.#patch;
    const { u, v, vy, speedBlend, dug } = patch;
    const slip = smoothSlip(u, v);
    patch.middle = speedBlend * (soil.a0 + soil.a1 * slip) * patch.front;
    const squaredSpeed = v * v + vy * vy;
    const t = Math.min(squaredSpeed / (SLIP_ANGLE_FADE_SPEED * SLIP_ANGLE_FADE_SPEED), 1);
    const fade = t * (2 - t);
    const absBeta = fade * smoothNearZero(Math.min(Math.abs(out.beta), MAX_SHEAR_BETA), BETA_ROUNDING);
    patch.perKx = 1 / (soil.kx0 + soil.kx1 * absBeta);
    patch.perKy = 1 / (soil.ky0 + soil.ky1 * absBeta);
    patch.bulldozing = vy === 0 ? 0 : fade * speedBlend * (Math.abs(vy) / Math.sqrt(squaredSpeed));
    patch.breakCount = 0;
    this.#compacted.addBreaks(patch);
    addShearReversals(patch);
    this.#integrator.integrate(patch);
    const sums = this.#integrator.sums;
    if (dug > 0 && slip > 0) {
      const r = this.#radius;
      const height = Math.min(dug, r);
      const shearDecay = exponential(-r * smoothNearZero(slip, HEAP_SLIP_ROUNDING) * (patch.front - patch.rear) * patch.perKx);
      const heapForce = this.#heapStiffness * height * height * (1 - shearDecay);
      sums[0]! += heapForce;
      sums[3]! += heapForce * (r - height / 3);
    }
    const lateralShare = vy > 0 ? -share : share;
    out.fx += share * direction * sums[0]!;
    out.fy += lateralShare * sums[1]!;
    out.fz += share * sums[2]!;
    out.torque += share * direction * sums[3]!;
    out.mx += lateralShare * sums[4]!;
    out.mz += lateralShare * direction * sums[5]!;
  }

  /** Rate Ḋ of the depth that the grousers dig, at sinkage h, m/s. */
  diggingRate(h: number, vx: number, rim: number, dug: number): number {
    const r = this.#radius;
    const forward = forwardShare(rim, vx);
    const slipSpeed = forward * Math.max(0, rim - vx) + (1 - forward) * Math.max(0, vx - rim);
    const engagement = Math.max(0, Math.min(1, (h - dug) / this.#grouser));
    const fade = Math.max(0, Math.min(1, (r - dug) / (DIGGING_FADE * r)));
    return (this.#grouser * engagement * fade * slipSpeed - dug * Math.abs(vx)) / r;
  }

  /** Depth D that the grousers dig in steady slip, m. */
  steadyDiggingDepth(slip: number): number {
    if (this.#grouser === 0 || slip <= 0) return 0;
    const r = this.#radius;
    const depth = (this.#grouser * slip) / (1 - slip);
    return depth <= (1 - DIGGING_FADE) * r ? depth : slip < 1 ? (depth * r) / (DIGGING_FADE * r + depth) : r;
  }

  /** Depth of the rut that is left by a sinkage of `before`, m. */
  rutDepth(before: number): number {
    this.#compacted.setEarlierDepth(before);
    return this.#compacted.rut * this.#radius;
  }
}
