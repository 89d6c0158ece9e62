/**
 * Keeps a robot where it can still stop. Given accelerations for the next step, the guard asks for a stop from where they lead. If there is
 * one, they stand, and the stop is remembered. If not, they are brought nearer to those of the remembered stop, and if nothing
 * else helps they are those: a stop found at one step can be made from the next one on, so that there always is a way out.
 */
import type { Robot } from "../dynamics/robot.ts";
import type { Model } from "../model/model.ts";
import { advancing, type Stop } from "./stop.ts";

export interface StopGuard {
  /** Part of the weakest torque's limit that a stop from the next sample leaves; negative: limits cannot be promised. */
  readonly reserve: number;
  /** The hinge with that torque, and the torque that it needs. */
  readonly weakest: number;
  readonly needed: number;
  /** Whether there is a stop from this state, which is remembered. */
  begin(q: Float64Array, rates: Float64Array, spin: Float64Array): boolean;
  /** Changes accelerations so that there is a stop from where they lead. `keep`: they keep all bounds. Whether they are changed. */
  guard(q: Float64Array, rates: Float64Array, spin: Float64Array, accelerations: Float64Array, keep: boolean): boolean;
  /** There is no stop any more. */
  lose(): void;
}

/** What a stop must leave of every torque: for what happens between samples and nodes. */
const LEAST = 0.02;
/** Ways towards the remembered stop that are tried before it is taken. */
const TRIES = 3;

export function stopGuard(model: Model, robot: Robot<number>, stop: Stop, T: number): StopGuard {
  const n = robot.speeds.length;
  const advance = advancing(model, robot);
  const vector = (): Float64Array => new Float64Array(n);
  const [kept, nextRates, way, wanted, braking] = [vector(), vector(), vector(), vector(), vector()];
  const next = new Float64Array(model.nq);
  const still = new Float64Array(3);
  let safe = false;
  let reserve = 0;

  const remember = (value: number): boolean => {
    reserve = value;
    safe = value >= LEAST;
    if (safe) kept.set(stop.decelerations);
    return safe;
  };

  /** Reserve of a stop from where accelerations lead. */
  const ahead = (q: Float64Array, rates: Float64Array, spin: Float64Array, accelerations: Float64Array): number => {
    next.set(q);
    for (let j = 0; j < n; j++) {
      nextRates[j] = rates[j]! + T * accelerations[j]!;
      way[j] = 0.5 * T * (rates[j]! + nextRates[j]!);
    }
    advance(next, way, still);
    const fresh = stop.plan(next, nextRates, spin);
    return fresh >= LEAST || !safe ? fresh : stop.reserve(next, nextRates, spin, kept);
  };

  return {
    get reserve() {
      return reserve;
    },
    get weakest() {
      return stop.weakest;
    },
    get needed() {
      return stop.needed;
    },
    lose() {
      safe = false;
      reserve = Math.min(reserve, 0);
    },
    begin: (q, rates, spin) => remember(stop.plan(q, rates, spin)),
    guard(q, rates, spin, accelerations, keep) {
      const full = ahead(q, rates, spin, accelerations);
      if (!safe || (keep && full >= LEAST)) {
        remember(keep ? full : Math.min(full, 0));
        return false;
      }
      for (let j = 0; j < n; j++) {
        wanted[j] = accelerations[j]!;
        braking[j] = -Math.sign(rates[j]!) * Math.min(kept[j]!, Math.abs(rates[j]!) / T);
      }
      // The reserve changes from that of the stop to that of what is wanted: where it is just enough.
      let part = keep && reserve > full ? (reserve - LEAST) / (reserve - full) : 0;
      for (let k = 0; k < TRIES && part > 0.01; k++) {
        for (let j = 0; j < n; j++) accelerations[j] = braking[j]! + part * (wanted[j]! - braking[j]!);
        if (remember(ahead(q, rates, spin, accelerations))) return true;
        safe = true;
        part *= 0.4;
      }
      accelerations.set(braking);
      reserve = LEAST;
      return true;
    },
  };
}
