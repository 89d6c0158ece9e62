/**
 * Keeps a robot where it can still stop. Given the accelerations of the next step, the guard looks for a stop from where they lead. If there
 * is one, they stand, and the stop is remembered. If not, they are brought nearer to those of the remembered stop, and if nothing
 * else helps they are those: a stop found at one step can be made from the next one on, so that there always is a way out.
 *
 * Accelerations are means over a step: by what speeds change, divided by its length.
 */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import type { Model } from "../../../model/model.ts";
import type { BrakingPlanner } from "./braking-plan.ts";
import { coordinateIntegrator } from "./integrate-coordinates.ts";

/** A state of the robot. */
export interface BrakingState {
  readonly q: Float64Array;
  /** Speeds of the hinges, angular velocity of the base, and angular momentum about the mass centre. */
  readonly rates: Float64Array;
  readonly turn: Float64Array;
  readonly spin: Float64Array;
}

export interface BrakingGuard {
  /** Part of the weakest torque's limit that a stop from the next sample leaves; not positive: limits cannot be promised. */
  readonly reserve: number;
  /** The hinge whose torque that is, and the torque. */
  readonly weakestHinge: number;
  readonly neededTorque: number;
  /** Looks for a stop from here; whether there is one, which is remembered. */
  begin(s: BrakingState): boolean;
  /**
   * Changes accelerations so that there is a stop from where they lead. `within`: they keep all limits themselves. `make` finds the torques
   * for others, writes the accelerations that they have in fact, and tells whether these keep all limits. Returns false if there
   * is no stop and no torques were made.
   */
  limitAccelerations(
    s: BrakingState,
    accelerations: Float64Array,
    within: boolean,
    make: (accelerations: Float64Array) => boolean,
  ): boolean;
  /**
   * For continuous laws, which remember nothing: the less the reserve here, the nearer accelerations are brought to those of a stop.
   * `within` as above: what does not keep limits stays, because nothing better is known. Whether they are changed.
   */
  blendTowardBraking(s: BrakingState, accelerations: Float64Array, within: boolean): boolean;
}

/** What a stop must leave of every torque: for what happens between samples and nodes. */
const LEAST_RESERVE = 0.03;
/** Reserve from which on a continuous law does what it is asked for. */
const AMPLE_RESERVE = 0.15;
/** Ways towards the remembered stop that are tried before it is taken. */
const MOST_TRIES = 3;
/** Steps within which a hinge comes to rest that rested when the stop was found. */
const SETTLING_STEPS = 4;
/** Changes of speed by less than this part of the largest speed need no second look. */
const SAME_SPEED_CHANGE = 1e-4;

export function brakingGuard(model: Model, robot: Robot<number>, stop: BrakingPlanner, T: number): BrakingGuard {
  const n = robot.speeds.length;
  const advance = coordinateIntegrator(model, robot);
  const vector = (size = n): Float64Array => new Float64Array(size);
  const [kept, nextRates, way, wanted, braking, asked] = [vector(), vector(), vector(), vector(), vector(), vector()];
  const next = vector(model.nq);
  const turned = vector(3);
  let safe = false;
  let reserve = 0;

  const remember = (value: number): boolean => {
    reserve = value;
    safe = value >= LEAST_RESERVE;
    if (safe) kept.set(stop.decelerations);
    return safe;
  };

  /** Reserve of a stop from where accelerations lead. */
  const ahead = ({ q, rates, turn, spin }: BrakingState, accelerations: Float64Array): number => {
    next.set(q);
    for (let j = 0; j < n; j++) {
      nextRates[j] = rates[j]! + T * accelerations[j]!;
      way[j] = 0.5 * T * (rates[j]! + nextRates[j]!);
    }
    for (let i = 0; i < 3; i++) turned[i] = T * turn[i]!;
    advance(next, way, turned);
    const fresh = stop.planBraking(next, nextRates, spin);
    return fresh >= LEAST_RESERVE || !safe ? fresh : stop.reserveWith(next, nextRates, spin, kept);
  };

  const isSame = (a: Float64Array, b: Float64Array, rates: Float64Array): boolean => {
    let [most, size] = [0, 0];
    for (let j = 0; j < n; j++) {
      most = Math.max(most, T * Math.abs(a[j]! - b[j]!));
      size = Math.max(size, Math.abs(rates[j]!));
    }
    return most <= SAME_SPEED_CHANGE * size;
  };

  /** Accelerations of the remembered stop. */
  const brake = (rates: Float64Array): void => {
    for (let j = 0; j < n; j++) {
      const speed = Math.abs(rates[j]!);
      braking[j] = -Math.sign(rates[j]!) * (kept[j]! > 0 ? Math.min(kept[j]!, speed / T) : speed / (SETTLING_STEPS * T));
    }
  };

  return {
    get reserve() {
      return reserve;
    },
    get weakestHinge() {
      return stop.weakestHinge;
    },
    get neededTorque() {
      return stop.neededTorque;
    },
    begin: ({ q, rates, spin }) => remember(stop.planBraking(q, rates, spin)),
    limitAccelerations(s, accelerations, within, make) {
      const full = ahead(s, accelerations);
      if (!safe || (within && full >= LEAST_RESERVE)) {
        remember(within ? full : Math.min(full, 0));
        return true;
      }
      wanted.set(accelerations);
      brake(s.rates);
      // The reserve changes from that of the stop to that of what is wanted: where it is just enough.
      let part = within && reserve > full ? (reserve - LEAST_RESERVE) / (reserve - full) : 0;
      for (let k = 0; k < MOST_TRIES && part > 0.01; k++, part *= 0.4) {
        for (let j = 0; j < n; j++) asked[j] = accelerations[j] = braking[j]! + part * (wanted[j]! - braking[j]!);
        const first = ahead(s, accelerations);
        if (first < LEAST_RESERVE || !make(accelerations)) continue;
        if (remember(isSame(asked, accelerations, s.rates) ? first : ahead(s, accelerations))) return true;
        safe = true;
      }
      accelerations.set(braking);
      safe = make(accelerations);
      reserve = safe ? LEAST_RESERVE : 0;
      return safe;
    },
    blendTowardBraking(s, accelerations, within) {
      reserve = stop.planBraking(s.q, s.rates, s.spin);
      if (reserve >= AMPLE_RESERVE || !within) return false;
      kept.set(stop.decelerations);
      brake(s.rates);
      const part = Math.max(0, (reserve - LEAST_RESERVE) / (AMPLE_RESERVE - LEAST_RESERVE));
      for (let j = 0; j < n; j++) accelerations[j] = braking[j]! + part * (accelerations[j]! - braking[j]!);
      return true;
    },
  };
}
