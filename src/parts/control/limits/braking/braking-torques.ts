/**
 * Torques τ = H* φ̈ + C* that a robot needs while its hinges brake, and afterwards to hold them at rest.
 *
 * They are computed at the nodes t = end (k/N)², short intervals first, where speeds are high. Between the moments at which hinges come to
 * rest the torques are smooth. A hinge that comes to rest near a node counts there both as braking and as resting. How much torques may
 * exceed their values at nodes is estimated by second differences.
 */

import type { TorqueReserve } from "../torque-reserve.ts";
import type { BrakingKernel } from "./braking-kernel.ts";

/** Largest rotation of an inertia-changing hinge between nodes, rad. */
const LARGEST_TURN = 0.4;
/** An angular momentum that loads torques at home with less than this share of their limits is negligible. */
const NEGLIGIBLE_LOAD = 1e-8;

export class BrakingTorques {
  /** Hinge that turns most within an interval; from the last `prepare`. */
  fastestHinge = 0;
  readonly #kernel: BrakingKernel;
  readonly #reserve: TorqueReserve;
  /** Signed accelerations while braking, braking times of the hinges, and the time at which all are at rest. */
  readonly #brakingAccelerations: Float64Array;
  readonly #durations: Float64Array;
  #end = 0;
  /** Accelerations of hinges that brake from the node before to the node after. */
  readonly #steadyAccelerations: Float64Array;
  /** Number and indices of hinges that come to rest in between. */
  #endingCount = 0;
  readonly #endingHinges: Int32Array;
  /** Torques with all of these hinges still braking, at the last node and the two before it. */
  readonly #torque: Float64Array;
  readonly #torque1: Float64Array;
  readonly #torque2: Float64Array;
  /** Largest torques with any of these hinges braking or resting, at the same nodes. */
  readonly #most: Float64Array;
  readonly #most1: Float64Array;
  readonly #most2: Float64Array;
  /** Hinge angles covered since the start, and since the last node; rotation of the base since the last node. */
  readonly #coveredAngles: Float64Array;
  readonly #increments: Float64Array;
  readonly #baseRotation = new Float64Array(3);
  readonly #lastBaseRate = new Float64Array(3);
  /** C* at rest for six angular momenta. */
  readonly #holdingTorques: Float64Array;
  /** Square of the angular momentum below which the attitude of the base does not matter. */
  readonly #negligible: number;

  constructor(kernel: BrakingKernel, reserve: TorqueReserve, home: Float64Array) {
    const vector = (): Float64Array => new Float64Array(kernel.n);
    this.#kernel = kernel;
    this.#reserve = reserve;
    [this.#brakingAccelerations, this.#durations, this.#steadyAccelerations] = [vector(), vector(), vector()];
    [this.#torque, this.#torque1, this.#torque2] = [vector(), vector(), vector()];
    [this.#most, this.#most1, this.#most2] = [vector(), vector(), vector()];
    [this.#coveredAngles, this.#increments] = [vector(), vector()];
    this.#endingHinges = new Int32Array(kernel.n);
    this.#holdingTorques = new Float64Array(6 * kernel.n);
    reserve.reset();
    kernel.evaluateAt(home, vector(), this.#baseRotation);
    this.#includeHoldingTorques(1);
    this.#negligible = NEGLIGIBLE_LOAD / Math.max(1 - reserve.smallest, Number.MIN_VALUE);
  }

  /** Braking times of the hinges from these speeds. Returns the number of intervals that the motion needs. */
  prepare(rates: Float64Array, decelerations: Float64Array): number {
    const durations = this.#durations;
    this.#end = 0;
    for (let j = 0; j < this.#kernel.n; j++) {
      this.#brakingAccelerations[j] = rates[j]! > 0 ? -decelerations[j]! : decelerations[j]!;
      durations[j] = rates[j] === 0 ? 0 : Math.abs(rates[j]!) / decelerations[j]!;
      this.#end = Math.max(this.#end, durations[j]!);
    }
    // With t = end (k/N)² no hinge turns more within an interval than 2 |φ̇| √(duration end) / N.
    const turningHinges = this.#kernel.inertiaChangingHinges;
    let most = 0;
    for (let k = 0; k < turningHinges.length; k++) {
      const j = turningHinges[k]!;
      const turn = 2 * Math.abs(rates[j]!) * Math.sqrt(durations[j]! * this.#end);
      if (turn <= most) continue;
      most = turn;
      this.fastestHinge = j;
    }
    return Math.ceil(most / LARGEST_TURN);
  }

  /** Computes the reserve of torque along the prepared motion. The kernel has been evaluated at its start. Ends at a violated limit. */
  follow(rates: Float64Array, momentum: Float64Array, intervals: number): void {
    const kernel = this.#kernel;
    this.#reserve.reset();
    const square = momentum[0]! * momentum[0]! + momentum[1]! * momentum[1]! + momentum[2]! * momentum[2]!;
    this.#coveredAngles.fill(0);
    let last = 0;
    let t = 0;
    let lastStep = 0;
    for (let k = 0; k <= intervals; k++) {
      const share = (k + 1) / intervals;
      const next = k < intervals ? this.#end * (share * share) : this.#end;
      if (k > 0) {
        this.#rotateBase(t - last, lastStep);
        lastStep = t - last;
        this.#moveHinges(rates, t);
        if (square < this.#negligible) this.#baseRotation.fill(0);
        kernel.integrate(kernel.q, this.#increments, this.#baseRotation);
        kernel.evaluate();
      }
      this.#sortHinges(last, next);
      this.#includeTorques(k);
      if (this.#reserve.smallest < 0) return;
      last = t;
      t = next;
    }
    if (square >= this.#negligible) this.#includeHoldingTorques(Math.sqrt(square));
  }

  /** Rotation of the base over a step, its angular velocity extrapolated linearly from the step before. */
  #rotateBase(step: number, lastStep: number): void {
    const { baseRate } = this.#kernel;
    const lastBaseRate = this.#lastBaseRate;
    for (let i = 0; i < 3; i++) {
      this.#baseRotation[i] =
        step * (baseRate[i]! + (lastStep > 0 ? (0.5 * step * (baseRate[i]! - lastBaseRate[i]!)) / lastStep : 0));
      lastBaseRate[i] = baseRate[i]!;
    }
  }

  /** Increments of the hinges up to time t, and their speeds then. */
  #moveHinges(rates: Float64Array, t: number): void {
    const brakingAccelerations = this.#brakingAccelerations;
    const durations = this.#durations;
    const coveredAngles = this.#coveredAngles;
    const { n, rates: ratesNow } = this.#kernel;
    for (let j = 0; j < n; j++) {
      const time = Math.min(t, durations[j]!);
      const total = rates[j]! * time + 0.5 * brakingAccelerations[j]! * time * time;
      this.#increments[j] = total - coveredAngles[j]!;
      coveredAngles[j] = total;
      ratesNow[j] = t < durations[j]! ? rates[j]! + brakingAccelerations[j]! * t : 0;
    }
  }

  /** Sorts the hinges into those that brake all the time between two nodes, and those that come to rest. */
  #sortHinges(from: number, to: number): void {
    const durations = this.#durations;
    this.#endingCount = 0;
    for (let j = 0; j < this.#kernel.n; j++) {
      this.#steadyAccelerations[j] = durations[j]! > to ? this.#brakingAccelerations[j]! : 0;
      if (durations[j]! <= to && durations[j]! > from) this.#endingHinges[this.#endingCount++] = j;
    }
  }

  /** Includes the torques at node k, where the kernel has been evaluated. */
  #includeTorques(k: number): void {
    const { n, H, C } = this.#kernel;
    const reserve = this.#reserve;
    const { limitedHinges } = reserve;
    const brakingAccelerations = this.#brakingAccelerations;
    const steadyAccelerations = this.#steadyAccelerations;
    const endingHinges = this.#endingHinges;
    const torque = this.#torque;
    const torque1 = this.#torque1;
    const torque2 = this.#torque2;
    const most = this.#most;
    const most1 = this.#most1;
    const most2 = this.#most2;
    for (let c = 0; c < limitedHinges.length; c++) {
      const i = limitedHinges[c]!;
      const row = i * n;
      let total = C[i]!;
      for (let j = 0; j < n; j++) total += H[row + j]! * steadyAccelerations[j]!;
      let low = total;
      let high = total;
      for (let s = 0; s < this.#endingCount; s++) {
        const load = H[row + endingHinges[s]!]! * brakingAccelerations[endingHinges[s]!]!;
        total += load;
        if (load < 0) low += load;
        else high += load;
      }
      torque2[i] = torque1[i]!;
      torque1[i] = torque[i]!;
      torque[i] = total;
      most2[i] = most1[i]!;
      most1[i] = most[i]!;
      most[i] = high > -low ? high : low;
      reserve.include(i, most[i]!, 0);
      if (k < 2) continue;
      const bulge = Math.abs(total - 2 * torque1[i]! + torque2[i]!) / 8;
      reserve.include(i, most2[i]!, bulge);
      reserve.include(i, most1[i]!, bulge);
      reserve.include(i, most[i]!, bulge);
    }
  }

  /**
   * Includes the torques that hold the hinges at rest, for every direction of an angular momentum L of this size in the robot. They are
   * the quadratic forms C* = Lᵀ Q L, whose largest value is bounded by the Frobenius norm of Q.
   */
  #includeHoldingTorques(size: number): void {
    const { n, C, rates, momentum } = this.#kernel;
    const reserve = this.#reserve;
    const holdingTorques = this.#holdingTorques;
    rates.fill(0);
    for (let k = 0; k < 6; k++) {
      for (let i = 0; i < 3; i++) momentum[i] = k === i || (k >= 3 && k - 3 !== i) ? size : 0;
      this.#kernel.evaluate();
      for (let i = 0; i < n; i++) holdingTorques[k * n + i] = C[i]!;
    }
    for (let c = 0; c < reserve.limitedHinges.length; c++) {
      const i = reserve.limitedHinges[c]!;
      const xx = holdingTorques[i]!;
      const yy = holdingTorques[n + i]!;
      const zz = holdingTorques[2 * n + i]!;
      const yz = holdingTorques[3 * n + i]! - yy - zz; // 2 Q_yz, and so on
      const xz = holdingTorques[4 * n + i]! - xx - zz;
      const xy = holdingTorques[5 * n + i]! - xx - yy;
      reserve.include(i, Math.sqrt(xx * xx + yy * yy + zz * zz + 0.5 * (yz * yz + xz * xz + xy * xy)), 0);
    }
  }
}
