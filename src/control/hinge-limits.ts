/**
 * Limits of hinges, as bounds on the accelerations φ̈ of the next step of length T:
 *
 *   speed     |φ̇ + T φ̈| ≤ V
 *   range     after the step it must still be possible to stop before the end by the deceleration a kept in reserve:
 *             φ + T (φ̇ + v) / 2 + v² / 2a ≤ upper with v = φ̇ + T φ̈
 *   momentum  of a wheel, speed times its moment of inertia: a limit of its speed
 *
 * Torques are held within a step, not accelerations, so that speeds end a little off φ̇ + T φ̈: that drift is given, and half of it
 * again is kept clear for what speeds do in between.
 */
import { freeFlyer } from "../dynamics/free-flyer.ts";
import type { Robot } from "../dynamics/robot.ts";
import { homeOf, type Model } from "../model/model.ts";
import type { Note } from "../sim/create-checked.ts";
import { freedomsOf } from "../sim/freedom.ts";
import { type Parameters, PER_FREEDOM, type Values } from "../sim/parameters.ts";

export const LIMIT = {
  hinge: { type: "freedoms", about: "Hinge, freedom of a hinge, or list of them." },
  torque: { type: "numbers", unit: PER_FREEDOM.force, above: 0, optional: true, about: "Largest torque or force." },
  weight: {
    type: "numbers",
    unit: PER_FREEDOM.force,
    above: 0,
    optional: true,
    about: "Torque that counts as one in the sum of squares that is made small; its limit if not given, and 1 without one.",
  },
  speed: { type: "numbers", unit: PER_FREEDOM.speed, above: 0, optional: true, about: "Largest speed." },
  lower: { type: "numbers", unit: PER_FREEDOM.coordinate, optional: true, about: "Lower end of its range." },
  upper: { type: "numbers", unit: PER_FREEDOM.coordinate, optional: true, about: "Upper end of its range." },
  braking: {
    type: "numbers",
    unit: { turn: "rad/s^2", slide: "m/s^2" },
    above: 0,
    optional: true,
    about: "Deceleration kept in reserve to stop before an end of the range; needed with one, and torque must allow it.",
  },
  momentum: {
    type: "numbers",
    unit: "N m s",
    above: 0,
    optional: true,
    about: "Largest momentum of a wheel about its axis: speed times its moment of inertia.",
  },
} as const satisfies Parameters;

export interface HingeLimits {
  /** Per hinge speed of the robot; infinite where there is none. */
  readonly torque: Float64Array;
  /** Torques that count as one. */
  readonly weight: Float64Array;
  /** Whether any speed or range is limited. */
  readonly moving: boolean;
  /** Bounds of φ̈ at a state, speeds drifting by so much while torques are held. */
  bounds(q: Float64Array, u: Float64Array, drift: Float64Array, lower: Float64Array, upper: Float64Array): void;
}

export function hingeLimits(
  model: Model,
  robot: Robot<number>,
  list: readonly Values<typeof LIMIT>[],
  T: number,
  note: Note,
): HingeLimits {
  const n = robot.speeds.length;
  const none = (value: number): Float64Array => new Float64Array(n).fill(value);
  const [torque, speed] = [none(Number.POSITIVE_INFINITY), none(Number.POSITIVE_INFINITY)];
  const weight = none(0);
  const [low, high, braking] = [none(Number.NEGATIVE_INFINITY), none(Number.POSITIVE_INFINITY), none(0)];
  const freedoms = freedomsOf(model);
  const places = robot.speeds.map((u) => freedoms[u]!.q ?? -1);
  const least = (into: Float64Array, j: number, value: number | undefined): void => {
    if (value !== undefined) into[j] = Math.min(into[j]!, value);
  };
  for (const [i, limit] of list.entries()) {
    for (const [k, freedom] of limit.hinge.entries()) {
      const j = robot.speeds.indexOf(freedom.u);
      if (j < 0) {
        note(`limits[${i}].hinge`, `${freedom.name} is not a hinge of the robot with the base "${robot.base.name}"`);
        continue;
      }
      least(torque, j, limit.torque?.[k]);
      least(speed, j, limit.speed?.[k]);
      if (limit.weight) weight[j] = limit.weight[k]!;
      least(high, j, limit.upper?.[k]);
      if (limit.lower) low[j] = Math.max(low[j]!, limit.lower[k]!);
      if (limit.braking) braking[j] = limit.braking[k]!;
      if (limit.momentum) least(speed, j, limit.momentum[k]! / inertiaOf(model, robot, j));
      const ranged = Number.isFinite(low[j]) || Number.isFinite(high[j]);
      if (ranged && freedom.q === undefined)
        note(`limits[${i}]`, `${freedom.name} is a turn of a ball and has no range`, "Limit its speed or torque");
      if (ranged && braking[j] === 0) note(`limits[${i}]`, `the range of ${freedom.name} needs "braking"`);
      if (low[j]! >= high[j]!) note(`limits[${i}]`, `the range of ${freedom.name} is empty: ${low[j]} to ${high[j]}`);
    }
  }

  /** Largest v after the step so that the way to the end, d, is long enough to stop: v²/2a + T v/2 + T φ̇/2 ≤ d. */
  const fastest = (d: number, rate: number, a: number): number => {
    const rest = d - (T * rate) / 2;
    return rest > 0 ? a * (Math.sqrt((T * T) / 4 + (2 * rest) / a) - T / 2) : (2 * rest) / T;
  };

  return {
    torque,
    weight: weight.map((w, j) => (w > 0 ? w : Number.isFinite(torque[j]) ? torque[j]! : 1)),
    moving: speed.some(Number.isFinite) || braking.some((a) => a > 0),
    bounds(q, u, drift, lower, upper) {
      for (let j = 0; j < n; j++) {
        const rate = u[robot.speeds[j]!]!;
        const margin = 0.5 * Math.abs(drift[j]!);
        let most = speed[j]! - margin;
        let least = -most;
        if (braking[j]! > 0) {
          const at = q[places[j]!]!;
          const room = 2 * T * margin;
          most = Math.min(most, fastest(high[j]! - room - at, rate, braking[j]!) - margin);
          least = Math.max(least, -(fastest(at - low[j]! - room, -rate, braking[j]!) - margin));
        }
        lower[j] = (least - rate - drift[j]!) / T;
        upper[j] = (most - rate - drift[j]!) / T;
        if (lower[j]! > upper[j]!) lower[j] = upper[j] = (lower[j]! + upper[j]!) / 2;
      }
    },
  };
}

/** Moment of inertia about the axis of a hinge of all that it carries, at home. */
function inertiaOf(model: Model, robot: Robot<number>, j: number): number {
  const flyer = freeFlyer(model, { base: robot.base.name, outputs: ["Hphi"], target: "interpret" });
  flyer.evaluate(homeOf(model), new Float64Array(model.nu));
  return flyer.values.Hphi[j * (robot.speeds.length + 1)]!;
}
