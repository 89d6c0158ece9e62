/**
 * Limits of hinges, as bounds of the accelerations φ̈ of the next step of length T:
 *
 *   speed     |φ̇ + T φ̈| ≤ V
 *   range     after the step it must still be possible to stop before the end with the reserved deceleration a, in steps of T:
 *             φ + T (φ̇ + v) / 2 + (v + a T / 2)² / 2a ≤ upper with v = φ̇ + T φ̈
 *   momentum  of a wheel, speed times its moment of inertia: a limit of its speed
 *
 * Torques are held within a step, accelerations are not. So speeds end a little off φ̇ + T φ̈. This drift is an input
 * (predict-held-torque.ts), and half of it is added as a margin for the following step. Within the step the speed is φ̇ + φ̈ t + b t² + c t³
 * with b and c from the drift at two nodes. Its peak keeps the limit too: φ̈ ≤ (V - φ̇) / t - b t - c t².
 */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import type { Model } from "../../../model/model.ts";
import { coordinateDrift, finalDrift, type SpeedDrift } from "./predict-held-torque.ts";
import type { HingeLimitValues } from "./read-hinge-limits.ts";

/** A coordinate that comes to rest within a step moves this share of T times the drift further than at a constant deceleration. */
const STOPPING_BULGE = 0.15;
/** Number of times at which the peak of the speed is searched, and of Newton steps that refine it. */
const SEARCH_POINTS = 8;
const NEWTON_STEPS = 3;
/** A speed or coordinate beyond a limit by less than this counts as at the limit. */
const ROUNDING = 1e-9;

export class HingeLimits {
  /** Torque limit per hinge speed of the robot, infinite where there is none. */
  readonly torque: Float64Array;
  /** Torques that count as one. */
  readonly weight: Float64Array;
  /** True if any speed or range is limited. */
  readonly limitsMotion: boolean;
  readonly #robot: Robot<number>;
  readonly #values: HingeLimitValues;
  /** Index of the coordinate of each hinge speed; -1 for the rotations of a ball hinge. */
  readonly #coordinates: readonly number[];
  readonly #units: readonly ("rad" | "m")[];
  readonly #T: number;
  readonly #horizon: number;

  /** @param times length T of a step, and time within which a speed may reach its limit, s */
  constructor(
    model: Model,
    robot: Robot<number>,
    values: HingeLimitValues,
    { T, horizon }: { readonly T: number; readonly horizon: number },
  ) {
    const freedoms = freedomsOf(model);
    const { torque, speed, braking, weight } = values;
    this.#robot = robot;
    this.#values = values;
    this.#coordinates = robot.speeds.map((u) => freedoms[u]!.q ?? -1);
    this.#units = robot.speeds.map((u) => (freedoms[u]!.motion === "turn" ? "rad" : "m"));
    this.#T = T;
    this.#horizon = horizon;
    this.torque = torque;
    this.weight = weight.map((w, j) => (w > 0 ? w : Number.isFinite(torque[j]) ? torque[j]! : 1));
    this.limitsMotion = speed.some(Number.isFinite) || braking.some((a) => a > 0);
  }

  /** True if the speed or the range of hinge j is limited. */
  limitsMotionOf(j: number): boolean {
    return Number.isFinite(this.#values.speed[j]) || this.#values.braking[j]! > 0;
  }

  /** Distance φ̇² / 2a, a ≤ braking, that hinge j at q has to stop, less the distance that stopping in steps of T costs. */
  stoppingRoom(j: number, q: Float64Array, rate: number): number {
    const { braking, low, high } = this.#values;
    const T = this.#T;
    if (braking[j] === 0) return Number.POSITIVE_INFINITY;
    const coordinate = q[this.#coordinates[j]!]!;
    const distance = rate > 0 ? high[j]! - coordinate : coordinate - low[j]!;
    return Math.max(0, distance - (T * Math.abs(rate)) / 2 - (braking[j]! * T * T) / 8);
  }

  /** One message for each limit of speed or range that a state violates. Allocates. */
  violations(q: Float64Array, rates: Float64Array): string[] {
    const { speed, braking, low, high } = this.#values;
    return this.#robot.names.flatMap((name, j) => {
      const unit = this.#units[j]!;
      const coordinate = braking[j] === 0 ? 0 : q[this.#coordinates[j]!]!;
      const end = coordinate < low[j]! ? low[j]! : high[j]!;
      const messages = [];
      if (Math.abs(rates[j]!) > speed[j]! + ROUNDING)
        messages.push(`${name} moves at ${toFourDigits(rates[j]!)} ${unit}/s, its limit is ${speed[j]}`);
      if (coordinate < low[j]! - ROUNDING || coordinate > high[j]! + ROUNDING)
        messages.push(`${name} is at ${toFourDigits(coordinate)} ${unit}, its range ends at ${end}`);
      return messages;
    });
  }

  /** Writes the bounds of φ̈ at a state, with the drift of the speeds while torques are held. */
  writeBounds(q: Float64Array, u: Float64Array, drift: SpeedDrift, lower: Float64Array, upper: Float64Array): void {
    const { speed, braking, low, high } = this.#values;
    const { speeds } = this.#robot;
    const n = speeds.length;
    const T = this.#T;
    for (let j = 0; j < n; j++) {
      const rate = u[speeds[j]!]!;
      const end = finalDrift(drift, j, n);
      const margin = 0.5 * Math.abs(end);
      let most = this.#allowedChange(speed[j]! - margin - rate - end);
      let least = -this.#allowedChange(speed[j]! - margin + rate + end);
      if (braking[j]! > 0) {
        const coordinate = q[this.#coordinates[j]!]!;
        const offset = coordinateDrift(drift, j, n, T) - 0.5 * T * end; // of the coordinate from φ + T (φ̇ + v) / 2
        const room = STOPPING_BULGE * T * Math.abs(end);
        most = Math.min(most, largestFinalSpeed(high[j]! - room - coordinate - offset, rate, braking[j]!, T) - rate - end);
        least = Math.max(least, -largestFinalSpeed(coordinate + offset - low[j]! - room, -rate, braking[j]!, T) - rate - end);
      }
      lower[j] = Math.max(least / T, -this.#largestAcceleration(speed[j]! + rate, drift, j, -1));
      upper[j] = Math.min(most / T, this.#largestAcceleration(speed[j]! - rate, drift, j, 1));
      if (lower[j]! > upper[j]!) lower[j] = upper[j] = (lower[j]! + upper[j]!) / 2;
    }
  }

  /** Change of a speed that is allowed in one step, at a distance `room` from its limit. */
  #allowedChange(room: number): number {
    return room > 0 ? (room * this.#T) / this.#horizon : room;
  }

  /**
   * Largest φ̈ with which the drifting speed of hinge j stays within `room` of its start: the minimum of room / t - b t - c t² over the step.
   * `direction` is 1 for the upper limit, -1 for the lower.
   */
  #largestAcceleration(room: number, { nodes, values }: SpeedDrift, j: number, direction: 1 | -1): number {
    if (room === Number.POSITIVE_INFINITY) return room;
    const n = this.#robot.speeds.length;
    const rest = Math.max(0, room);
    const interval = this.#T / nodes;
    const first = direction * values[j]!;
    const second = direction * values[n + j]!;
    const b = (8 * first - second) / (4 * interval * interval);
    const c = (second - 4 * first) / (4 * interval * interval * interval);
    // Within the first two intervals: the best of a few times, refined by Newton's method.
    let t = 2 * interval;
    let most = Number.POSITIVE_INFINITY;
    for (let k = 1; k <= SEARCH_POINTS; k++) {
      const time = (2 * interval * k) / SEARCH_POINTS;
      const value = rest / time - b * time - c * time * time;
      if (value >= most) continue;
      t = time;
      most = value;
    }
    for (let k = 0; k < NEWTON_STEPS; k++) {
      const slope = -rest / (t * t) - b - 2 * c * t;
      const curvature = (2 * rest) / (t * t * t) - 2 * c;
      if (curvature > 0) t = Math.min(2 * interval, Math.max(0.5 * t, t - slope / curvature));
      most = Math.min(most, rest / t - b * t - c * t * t);
    }
    if (rest === 0 && b < 0) most = Math.min(most, 0); // t = 0
    // After them: at the nodes, with twice the deviation of a parabola between them.
    for (let k = 2; k < nodes; k++) {
      const value = values[k * n + j]!;
      const bulge = Math.abs(value - 2 * values[(k - 1) * n + j]! + values[(k - 2) * n + j]!) / 4;
      most = Math.min(most, (rest - direction * value - bulge) / ((k + 1) * interval));
    }
    return most;
  }
}

/** Largest speed v at the end of the step with which the hinge can stop within the distance d: (v + a T/2)²/2a + T v/2 + T φ̇/2 ≤ d. */
function largestFinalSpeed(d: number, rate: number, a: number, T: number): number {
  const rest = d - (T * rate) / 2 - (a * T * T) / 8;
  return rest > 0 ? a * (Math.sqrt(T * T + (2 * rest) / a) - T) : (2 * rest) / T;
}

const toFourDigits = (value: number): number => Number(value.toPrecision(4));
