/**
 * Keeps a robot in states from which it can brake to rest within its limits of torque and distance. Given the accelerations of the next step, the guard plans
 * braking from the state at the end of the step. If braking is possible there, the accelerations are accepted and the plan is stored.
 * If not, they are moved toward those of the stored plan, and in the end replaced by them. A plan found at one step can always be
 * continued from the next step on, so there is always a way to stop.
 *
 * Accelerations are means over a step: change of speed divided by the length of the step.
 */
import type { Robot } from "../../../../dynamics/free-flying/robot.ts";
import type { Model } from "../../../../model/model.ts";
import type { ClearanceScan } from "../clearance-scan.ts";
import { coordinateIntegrator } from "../integrate-coordinates.ts";
import { type BrakingPath, SETTLING_STEPS } from "./braking-path.ts";
import type { BrakingPlanner } from "./braking-plan.ts";

/** A state of the robot. */
export interface BrakingState {
  readonly q: Float64Array;
  /** Hinge speeds. */
  readonly rates: Float64Array;
  /** Angular velocity of the base, and angular momentum about the mass centre; world axes. */
  readonly baseRate: Float64Array;
  readonly momentum: Float64Array;
}

/** A plan must leave this share of every torque limit, for what happens between samples and nodes. */
const LEAST_RESERVE = 0.03;
/** From this reserve on, a continuous law is not changed. */
const AMPLE_RESERVE = 0.15;
/** Largest number of blends with the stored plan that are tried before the plan itself is used. */
const MOST_TRIES = 3;
/** Speed changes that differ by less than this share of the largest speed count as equal. */
const SAME_SPEED_CHANGE = 1e-4;

/** What a guard passes from one step to the next. Plain data. */
export interface BrakingMemory {
  /** Decelerations of the stored plan, and whether it is valid. */
  readonly decelerations: Float64Array;
  hasPlan: boolean;
  /**
   * Smallest reserve while braking from the next sample: share of its limit that the weakest torque leaves, or the smallest distance beyond its
   * limit in units of 1 / LEAST_RESERVE margins. Limits cannot be guaranteed unless it is positive.
   */
  reserve: number;
  /** Share of its limit that the weakest torque leaves. */
  torqueReserve: number;
  /** Smallest distance less its limit in the coming step and while braking from its end, and its pair; infinite if all are far apart. */
  clearance: number;
  nearestPair: number;
  /** The hinge with the weakest torque, and that torque. */
  weakestHinge: number;
  neededTorque: number;
}

export const noBrakingPlan = (n: number): BrakingMemory => ({
  decelerations: new Float64Array(n),
  hasPlan: false,
  reserve: 0,
  torqueReserve: 0,
  clearance: Number.POSITIVE_INFINITY,
  nearestPair: 0,
  weakestHinge: 0,
  neededTorque: 0,
});

/** Distances along a braking path. */
export interface ClearanceCheck {
  readonly scan: ClearanceScan;
  readonly path: BrakingPath;
}

export class BrakingGuard {
  readonly #n: number;
  readonly #T: number;
  readonly #planner: BrakingPlanner;
  readonly #clearance: ClearanceCheck | undefined;
  readonly #integrate: ReturnType<typeof coordinateIntegrator>;
  /** State at the end of the step, and the increments that lead to it. */
  readonly #nextQ: Float64Array;
  readonly #nextRates: Float64Array;
  readonly #increments: Float64Array;
  readonly #baseRotation = new Float64Array(3);
  /** Accelerations: demanded, of the stored plan, and last tried. */
  readonly #demandedAccelerations: Float64Array;
  readonly #brakingAccelerations: Float64Array;
  readonly #triedAccelerations: Float64Array;

  /** @param T length of a step, s */
  constructor(model: Model, robot: Robot<number>, planner: BrakingPlanner, T: number, clearance?: ClearanceCheck) {
    const n = robot.speeds.length;
    const vector = (): Float64Array => new Float64Array(n);
    this.#n = n;
    this.#T = T;
    this.#planner = planner;
    this.#clearance = clearance;
    this.#integrate = coordinateIntegrator(model, robot);
    this.#nextQ = new Float64Array(model.nq);
    [this.#nextRates, this.#increments] = [vector(), vector()];
    [this.#demandedAccelerations, this.#brakingAccelerations, this.#triedAccelerations] = [vector(), vector(), vector()];
  }

  /** Plans braking from a state and stores the plan. Returns whether braking is possible. */
  begin(memory: BrakingMemory, { q, rates, momentum }: BrakingState): boolean {
    memory.torqueReserve = this.#planner.planBraking(q, rates, momentum);
    this.#store(memory, this.#withClearance(memory, q, rates, undefined));
    this.#storeWeakness(memory);
    return memory.hasPlan;
  }

  /**
   * Changes accelerations so that the robot can brake after them. `keepsLimits`: they keep all limits themselves. `realise` finds torques
   * for other accelerations, writes the accelerations that these have in fact, and returns whether they keep all limits. Returns false if
   * braking is impossible and no torques were found.
   */
  limitAccelerations(
    memory: BrakingMemory,
    s: BrakingState,
    accelerations: Float64Array,
    keepsLimits: boolean,
    realise: (accelerations: Float64Array) => boolean,
  ): boolean {
    const isPossible = this.#limit(memory, s, accelerations, keepsLimits, realise);
    this.#storeWeakness(memory);
    return isPossible;
  }

  #limit(
    memory: BrakingMemory,
    s: BrakingState,
    accelerations: Float64Array,
    keepsLimits: boolean,
    realise: (accelerations: Float64Array) => boolean,
  ): boolean {
    const n = this.#n;
    const demandedAccelerations = this.#demandedAccelerations;
    const brakingAccelerations = this.#brakingAccelerations;
    const triedAccelerations = this.#triedAccelerations;
    const full = this.#reserveAfter(memory, s, accelerations);
    if (!memory.hasPlan || (keepsLimits && full >= LEAST_RESERVE)) {
      this.#store(memory, keepsLimits ? full : Math.min(full, 0));
      return true;
    }
    demandedAccelerations.set(accelerations);
    this.writeBraking(memory, s.rates, brakingAccelerations);
    // The reserve changes roughly linearly from the plan's to that of the demand: start where it is just sufficient.
    let blend = keepsLimits && memory.reserve > full ? (memory.reserve - LEAST_RESERVE) / (memory.reserve - full) : 0;
    for (let k = 0; k < MOST_TRIES && blend > 0.01; k++, blend *= 0.4) {
      for (let j = 0; j < n; j++)
        triedAccelerations[j] = accelerations[j] =
          brakingAccelerations[j]! + blend * (demandedAccelerations[j]! - brakingAccelerations[j]!);
      const first = this.#reserveAfter(memory, s, accelerations);
      if (first < LEAST_RESERVE || !realise(accelerations)) continue;
      const isSame = this.#isSame(triedAccelerations, accelerations, s.rates);
      if (this.#store(memory, isSame ? first : this.#reserveAfter(memory, s, accelerations))) return true;
      memory.hasPlan = true;
    }
    accelerations.set(brakingAccelerations);
    memory.hasPlan = realise(accelerations);
    memory.reserve = memory.torqueReserve = memory.hasPlan ? LEAST_RESERVE : 0;
    if (this.#clearance) this.#scanClearance(memory, s.q, s.rates, accelerations, memory.decelerations);
    return memory.hasPlan;
  }

  /**
   * For continuous laws, which store no plan: the smaller the reserve at this state, the closer the accelerations are moved to those of
   * braking. Accelerations that do not keep the limits stay, because nothing better is known. Returns whether they were changed.
   */
  blendTowardBraking(memory: BrakingMemory, s: BrakingState, accelerations: Float64Array, keepsLimits: boolean): boolean {
    const brakingAccelerations = this.#brakingAccelerations;
    memory.reserve = memory.torqueReserve = this.#planner.planBraking(s.q, s.rates, s.momentum);
    this.#storeWeakness(memory);
    if (memory.reserve >= AMPLE_RESERVE || !keepsLimits) return false;
    memory.decelerations.set(this.#planner.decelerations);
    this.writeBraking(memory, s.rates, brakingAccelerations);
    const blend = Math.max(0, (memory.reserve - LEAST_RESERVE) / (AMPLE_RESERVE - LEAST_RESERVE));
    for (let j = 0; j < this.#n; j++)
      accelerations[j] = brakingAccelerations[j]! + blend * (accelerations[j]! - brakingAccelerations[j]!);
    return true;
  }

  /** Stores the planner's last plan if its reserve suffices. Returns whether it does. */
  #store(memory: BrakingMemory, reserve: number): boolean {
    memory.reserve = reserve;
    memory.hasPlan = reserve >= LEAST_RESERVE;
    if (memory.hasPlan) memory.decelerations.set(this.#planner.decelerations);
    return memory.hasPlan;
  }

  #storeWeakness(memory: BrakingMemory): void {
    memory.weakestHinge = this.#planner.weakestHinge;
    memory.neededTorque = this.#planner.neededTorque;
  }

  /** Reserve of braking from the state at the end of a step with these accelerations: by a new plan, or else by the stored one. */
  #reserveAfter(memory: BrakingMemory, { q, rates, baseRate, momentum }: BrakingState, accelerations: Float64Array): number {
    const T = this.#T;
    const nextQ = this.#nextQ;
    const nextRates = this.#nextRates;
    nextQ.set(q);
    for (let j = 0; j < this.#n; j++) {
      nextRates[j] = rates[j]! + T * accelerations[j]!;
      this.#increments[j] = 0.5 * T * (rates[j]! + nextRates[j]!);
    }
    for (let i = 0; i < 3; i++) this.#baseRotation[i] = T * baseRate[i]!;
    this.#integrate(nextQ, this.#increments, this.#baseRotation);
    memory.torqueReserve = this.#planner.planBraking(nextQ, nextRates, momentum);
    const reserve = this.#withClearance(memory, q, rates, accelerations);
    if (reserve >= LEAST_RESERVE || !memory.hasPlan) return reserve;
    memory.torqueReserve = this.#planner.reserveWith(nextQ, nextRates, momentum, memory.decelerations);
    return this.#withClearance(memory, q, rates, accelerations);
  }

  /** The reserve of the planner's last plan, after a step from q with these accelerations if there are any; with that of the distances. */
  #withClearance(memory: BrakingMemory, q: Float64Array, rates: Float64Array, accelerations: Float64Array | undefined): number {
    const { torqueReserve } = memory;
    if (!this.#clearance || torqueReserve < LEAST_RESERVE) return torqueReserve;
    return Math.min(torqueReserve, this.#scanClearance(memory, q, rates, accelerations, this.#planner.decelerations));
  }

  /** Smallest distance along a step and the following stop: stores it, and returns it as a reserve. */
  #scanClearance(
    memory: BrakingMemory,
    q: Float64Array,
    rates: Float64Array,
    accelerations: Float64Array | undefined,
    decelerations: Float64Array,
  ): number {
    const { scan, path } = this.#clearance!;
    path.set(rates, accelerations, decelerations);
    scan.follow(q, path);
    memory.nearestPair = scan.nearestPair;
    memory.clearance = scan.smallest < Number.POSITIVE_INFINITY ? scan.excess[scan.nearestPair]! : Number.POSITIVE_INFINITY;
    return LEAST_RESERVE * scan.smallest;
  }

  #isSame(a: Float64Array, b: Float64Array, rates: Float64Array): boolean {
    let difference = 0;
    let largestRate = 0;
    for (let j = 0; j < this.#n; j++) {
      difference = Math.max(difference, this.#T * Math.abs(a[j]! - b[j]!));
      largestRate = Math.max(largestRate, Math.abs(rates[j]!));
    }
    return difference <= SAME_SPEED_CHANGE * largestRate;
  }

  /** Writes the accelerations of the stored plan over the next step. */
  writeBraking({ decelerations: storedDecelerations }: BrakingMemory, rates: Float64Array, out: Float64Array): void {
    const T = this.#T;
    for (let j = 0; j < this.#n; j++) {
      const speed = Math.abs(rates[j]!);
      out[j] =
        -Math.sign(rates[j]!) *
        (storedDecelerations[j]! > 0 ? Math.min(storedDecelerations[j]!, speed / T) : speed / (SETTLING_STEPS * T));
    }
  }
}
