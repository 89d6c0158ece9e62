/**
 * Plans how a robot is brought to rest within its torque limits. A braking plan is a deceleration a_j for each hinge:
 *
 *   |φ̇_j(t)| = |φ̇_j| - a_j t until the hinge rests, a_j ≥ φ̇_j² / 2 room, room to the end of its range               (1)
 *
 * By (1) speeds only decrease and ranges are kept. The torques τ = H* φ̈ + C* remain to be checked: while braking, and afterwards, when they
 * hold the hinges while the robot tumbles with its angular momentum (braking-torques.ts). The remainder of a braking plan is itself a plan
 * with the same decelerations. So a robot that never leaves the states from which it can brake never has to violate a limit.
 *
 * The number of nodes grows with the rotation of the hinges. A plan that needs more than MOST_INTERVALS intervals counts as infeasible.
 */
import type { Robot } from "../../../../dynamics/free-flying/robot.ts";
import { homeOf, type Model } from "../../../../model/model.ts";
import { TorqueReserve } from "../torque-reserve.ts";
import { type BrakingLimits, DecelerationChoice } from "./braking-decelerations.ts";
import { BrakingKernel } from "./braking-kernel.ts";
import { BrakingTorques } from "./braking-torques.ts";

/** Number of intervals between nodes: first try, second try where the first is not conclusive, and upper limit. */
const COARSE_INTERVALS = 4;
const FINE_INTERVALS = 24;
const MOST_INTERVALS = 60;
/** A reserve below this is computed again with FINE_INTERVALS. */
const DOUBTFUL_RESERVE = 0.1;

export class BrakingPlanner {
  /** Decelerations of the last plan. */
  readonly decelerations: Float64Array;
  /**
   * Hinge whose torque is nearest to its limit, or the first beyond it, and the torque that it needs there. The torque is NaN where the
   * hinge turns so far on the way that the plan would need too many intervals.
   */
  weakestHinge = 0;
  neededTorque = 0;
  readonly #kernel: BrakingKernel;
  readonly #reserve: TorqueReserve;
  readonly #choice: DecelerationChoice;
  readonly #torques: BrakingTorques;

  /** @param T length of a step, s */
  constructor(model: Model, robot: Robot<number>, limits: BrakingLimits, T: number) {
    this.#kernel = new BrakingKernel(model, robot);
    this.#reserve = new TorqueReserve(limits.torque);
    this.#choice = new DecelerationChoice(this.#kernel, limits, this.#reserve.limitedHinges, T);
    this.#torques = new BrakingTorques(this.#kernel, this.#reserve, homeOf(model));
    this.decelerations = new Float64Array(this.#kernel.n);
  }

  /** Chooses decelerations for a state. Returns the share of its limit that the weakest torque leaves; negative if the torques do not suffice. */
  planBraking(q: Float64Array, rates: Float64Array, momentum: Float64Array): number {
    this.#kernel.evaluateAt(q, rates, momentum);
    this.#choice.choose(q, rates, this.decelerations);
    return this.#reserveOfPlan(q, rates, momentum);
  }

  /** The same with given decelerations where they are positive, increased where the ranges demand it. */
  reserveWith(q: Float64Array, rates: Float64Array, momentum: Float64Array, given: Float64Array): number {
    this.#kernel.evaluateAt(q, rates, momentum);
    this.#choice.choose(q, rates, this.decelerations);
    for (let j = 0; j < this.#kernel.n; j++)
      if (given[j]! > 0) this.decelerations[j] = Math.max(given[j]!, this.#choice.leastFor(j, q, rates));
    return this.#reserveOfPlan(q, rates, momentum);
  }

  #reserveOfPlan(q: Float64Array, rates: Float64Array, momentum: Float64Array): number {
    const reserve = this.#reserve;
    const intervals = this.#torques.prepare(rates, this.decelerations);
    this.#torques.follow(rates, momentum, Math.min(MOST_INTERVALS, Math.max(COARSE_INTERVALS, intervals)));
    if (reserve.smallest < DOUBTFUL_RESERVE && reserve.smallestAtNodes > reserve.smallest && intervals < FINE_INTERVALS) {
      this.#kernel.evaluateAt(q, rates, momentum);
      this.#torques.follow(rates, momentum, FINE_INTERVALS);
    }
    this.weakestHinge = reserve.weakestHinge;
    this.neededTorque = reserve.neededTorque;
    if (intervals <= MOST_INTERVALS || reserve.smallest < 0) return reserve.smallest;
    this.weakestHinge = this.#torques.fastestHinge;
    this.neededTorque = Number.NaN;
    return 0;
  }
}
