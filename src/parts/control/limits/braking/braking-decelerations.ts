/** Decelerations of a braking plan: as fast as torque limits allow, and fast enough to stay within the ranges of the hinges. */
import type { BrakingKernel } from "./braking-kernel.ts";

export interface BrakingLimits {
  /** Torque limit per hinge speed of the robot, infinite where there is none. */
  readonly torque: Float64Array;
  /** Distance that hinge j may still move in the direction of its speed, less the distance that braking in steps of T costs. */
  stoppingRoom(j: number, q: Float64Array, rate: number): number;
}

/** No hinge is brought to rest in fewer steps than this, unless its range demands it. */
const SHORTEST_STEPS = 4;
/** The deceleration of one hinge alone loads no torque with more than this share of its limit ... */
const SHARE_OF_LIMIT = 0.3;
/** ... and all together load it with at most this share of what the bias torque leaves. */
const SHARE_OF_REMAINDER = 0.5;
/** Smallest factor by which decelerations are reduced to respect SHARE_OF_REMAINDER. */
const LEAST_SCALE = 0.01;

export class DecelerationChoice {
  readonly #kernel: BrakingKernel;
  readonly #limits: BrakingLimits;
  readonly #limitedHinges: Int32Array;
  readonly #step: number;
  readonly #signedAccelerations: Float64Array;

  /** @param limitedHinges indices of hinges with a torque limit; @param step T, s */
  constructor(kernel: BrakingKernel, limits: BrakingLimits, limitedHinges: Int32Array, step: number) {
    this.#kernel = kernel;
    this.#limits = limits;
    this.#limitedHinges = limitedHinges;
    this.#step = step;
    this.#signedAccelerations = new Float64Array(kernel.n);
  }

  /** Least deceleration with which hinge j stays within its range, φ̇² / 2 room; at most the one that stops it at the next sample. */
  leastFor(j: number, q: Float64Array, rates: Float64Array): number {
    const speed = Math.abs(rates[j]!);
    const room = this.#limits.stoppingRoom(j, q, rates[j]!);
    return 0.5 * speed * this.#step < room ? (0.5 * speed * speed) / room : speed / this.#step;
  }

  /** Writes decelerations in proportion to what the torque limits allow at the state that the kernel has evaluated last. */
  choose(q: Float64Array, rates: Float64Array, out: Float64Array): void {
    const { n, H, C } = this.#kernel;
    const { torque } = this.#limits;
    const limitedHinges = this.#limitedHinges;
    const signedAccelerations = this.#signedAccelerations;
    for (let j = 0; j < n; j++) {
      let most = Math.abs(rates[j]!) / (SHORTEST_STEPS * this.#step);
      for (let k = 0; k < limitedHinges.length; k++) {
        const i = limitedHinges[k]!;
        const load = Math.abs(H[i * n + j]!);
        if (most * load > SHARE_OF_LIMIT * torque[i]!) most = (SHARE_OF_LIMIT * torque[i]!) / load;
      }
      signedAccelerations[j] = rates[j]! > 0 ? -most : most;
    }
    let scale = 1;
    for (let k = 0; k < limitedHinges.length; k++) {
      const i = limitedHinges[k]!;
      let load = 0;
      for (let j = 0; j < n; j++) load += H[i * n + j]! * signedAccelerations[j]!;
      const available = SHARE_OF_REMAINDER * (torque[i]! - Math.abs(C[i]!));
      if (Math.abs(load) * scale > available) scale = Math.max(LEAST_SCALE, available / Math.abs(load));
    }
    for (let j = 0; j < n; j++) {
      out[j] = rates[j] === 0 ? 0 : Math.max(scale * Math.abs(signedAccelerations[j]!), this.leastFor(j, q, rates));
    }
  }
}
