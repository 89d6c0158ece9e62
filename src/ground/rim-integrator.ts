/** Integrates the stresses over the rim of a wheel by quadrature, in WebAssembly if available. Methods allocate nothing. */
import { power } from "../math/elementary/power.ts";
import { sinesAndCosines, tangent, UNREDUCED_ANGLE } from "../math/elementary/sincos.ts";
import type { CompactedSoil } from "./compacted-soil.ts";
import type { ContactPatch } from "./contact-patch.ts";
import { type QuadratureRule, quadratureRules } from "./quadrature-rules.ts";
import { LOW_SPEED } from "./slip.ts";
import type { Soil } from "./soil.ts";
import { sumStresses } from "./stress-sums-js.ts";
import type { StressFunctions } from "./stress-sums-wasm.ts";
import { instantiateStressFunctions, MAX_POINTS, POINT_ARRAYS, STRESS_MEMORY_LENGTH, STRESS_SLOTS } from "./stress-sums-wasm.ts";

export class RimIntegrator {
  /** Sums of the last contact: fx, fy, fz, torque, mx, mz. */
  readonly sums = new Float64Array(6);
  readonly #soil: Soil;
  readonly #compacted: CompactedSoil;
  readonly #radius: number;
  readonly #width: number;
  readonly #rules: readonly QuadratureRule[];
  /** Undefined without WebAssembly. */
  readonly #functions: StressFunctions | undefined;
  /** Arguments and results of the sums, and the arrays of the points, which are views into it. */
  readonly #slots: Float64Array;
  readonly #angles: Float64Array;
  readonly #sines: Float64Array;
  readonly #cosines: Float64Array;
  readonly #weights: Float64Array;
  readonly #pressures: Float64Array;
  readonly #tanFriction: number;
  /** Coefficients of the bulldozing resistance: D1, and D2 ρ g. */
  readonly #d1: number;
  readonly #d2: number;

  /** @param gravity for the weight of the displaced soil, m/s² */
  constructor(soil: Soil, compacted: CompactedSoil, radius: number, width: number, gravity: number) {
    this.#soil = soil;
    this.#compacted = compacted;
    this.#radius = radius;
    this.#width = width;
    this.#rules = quadratureRules(soil.exponent);
    const instance = instantiateStressFunctions();
    this.#functions = instance?.functions;
    this.#slots = instance?.slots ?? new Float64Array(STRESS_MEMORY_LENGTH);
    const points = (from: number): Float64Array => this.#slots.subarray(from, from + MAX_POINTS);
    this.#angles = points(POINT_ARRAYS.angles);
    this.#sines = points(POINT_ARRAYS.sines);
    this.#cosines = points(POINT_ARRAYS.cosines);
    this.#weights = points(POINT_ARRAYS.weights);
    this.#pressures = points(POINT_ARRAYS.pressures);
    this.#tanFriction = tangent(soil.friction);
    const X = Math.PI / 4 - soil.friction / 2;
    const cot = 1 / tangent(X);
    this.#d1 = cot + tangent(X + soil.friction);
    this.#d2 = (cot + cot * cot * this.#tanFriction) * soil.density * gravity;
  }

  /** Computes `sums` for a contact patch, segment by segment between its breaks. */
  integrate(patch: ContactPatch): void {
    const sums = this.sums;
    sums[0] = sums[1] = sums[2] = sums[3] = sums[4] = sums[5] = 0;
    let from = 0;
    for (let k = 0; k < patch.breakCount; k++) {
      this.#addSegment(patch, from, patch.breaks[k]!);
      from = patch.breaks[k]!;
    }
    this.#addSegment(patch, from, 1);
  }

  /**
   * Adds the stresses between two fractions of the ways from the stress-free ends to θm: one from the front, and one from the rear, where
   * the pressures are those of the front mirrored.
   */
  #addSegment(patch: ContactPatch, from: number, to: number): void {
    const { positions, weights: ruleWeights } = this.#chooseRule(patch, to - from);
    const m = positions.length;
    const { front, rear, middle, cosFront } = patch;
    const [angles, cosines, weights, pressures] = [this.#angles, this.#cosines, this.#weights, this.#pressures];
    const area = this.#radius * this.#width * (to - from);
    for (let i = 0; i < m; i++) {
      const s = from + (to - from) * positions[i]!;
      angles[i] = front + (middle - front) * s;
      angles[m + i] = rear + (middle - rear) * s;
      weights[i] = ruleWeights[i]! * area * Math.abs(middle - front);
      weights[m + i] = ruleWeights[i]! * area * Math.abs(middle - rear);
    }
    if (this.#functions && front <= UNREDUCED_ANGLE && rear >= -UNREDUCED_ANGLE) this.#functions.sinesAndCosines(16 * m);
    else sinesAndCosines(angles, this.#sines, cosines, 2 * m);
    const { exponent } = this.#soil;
    const { pressureScale, reloadStiffness, rut, rebound } = this.#compacted;
    for (let i = 0; i < m; i++) {
      const depth = Math.max(0, cosines[i]! - cosFront);
      // [1] of compacted-soil.ts. With n >= 1 the reloading line is above the curve of fresh soil.
      if (depth < rebound) {
        const reloadPressure = reloadStiffness * depth;
        pressures[i] = exponent >= 1 ? reloadPressure : Math.max(reloadPressure, pressureScale * power(depth, exponent));
      } else pressures[i] = pressureScale * (exponent === 1 ? depth + rut : power(depth + rut, exponent));
      pressures[m + i] = pressures[i]!;
    }
    this.#addSums(patch, m);
  }

  /** Adds the sums over m points of the front and m points of the rear. */
  #addSums(patch: ContactPatch, m: number): void {
    const r = this.#radius;
    const slots = this.#slots;
    const perRim = r / Math.max(patch.u, LOW_SPEED);
    slots[STRESS_SLOTS.front] = patch.front;
    slots[STRESS_SLOTS.sinFront] = patch.sinFront;
    slots[STRESS_SLOTS.cosFront] = patch.cosFront;
    slots[STRESS_SLOTS.u] = perRim * patch.u * patch.perKx;
    slots[STRESS_SLOTS.v] = perRim * patch.v * patch.perKx;
    slots[STRESS_SLOTS.cohesion] = this.#soil.cohesion;
    slots[STRESS_SLOTS.tan] = this.#tanFriction;
    const isLateral = patch.vy !== 0;
    if (isLateral) {
      slots[STRESS_SLOTS.slope] = -perRim * Math.abs(patch.vy) * patch.perKy;
      slots[STRESS_SLOTS.push] = (patch.bulldozing * this.#d1) / (r * this.#width);
      slots[STRESS_SLOTS.d2] = 0.5 * this.#d2;
      slots[STRESS_SLOTS.r] = r;
    }
    if (!this.#functions) sumStresses(slots, 2 * m, isLateral);
    else if (isLateral) this.#functions.sumAll(16 * m);
    else this.#functions.sumLongitudinal(16 * m);
    const sums = this.sums;
    sums[0]! += slots[STRESS_SLOTS.fx]!;
    sums[2]! += slots[STRESS_SLOTS.fz]!;
    sums[3]! += r * slots[STRESS_SLOTS.torque]!;
    if (!isLateral) return;
    sums[1]! += slots[STRESS_SLOTS.fy]!;
    sums[4]! += r * slots[STRESS_SLOTS.mx]!;
    sums[5]! += r * slots[STRESS_SLOTS.mz]!;
  }

  /** The quadrature rule for a segment that is a fraction of both ways. */
  #chooseRule(patch: ContactPatch, fraction: number): QuadratureRule {
    const rules = this.#rules;
    const last = rules[rules.length - 1]!;
    if (rules.length === 1) return last;
    const { u, v, middle } = patch;
    // -dj/dθ is proportional to u - v cos θ, which is greatest at an end or at the bottom.
    const slope = Math.max(Math.abs(u - v * patch.cosFront), Math.abs(u - v)) * patch.perKx;
    const angle = fraction * Math.max(patch.front - middle, middle - patch.rear);
    const reach = angle * (2 + (this.#radius / Math.max(u, LOW_SPEED)) * Math.max(slope, Math.abs(patch.vy) * patch.perKy));
    for (let k = 0; k < rules.length; k++) if (reach <= rules[k]!.upTo) return rules[k]!;
    return last;
  }
}
