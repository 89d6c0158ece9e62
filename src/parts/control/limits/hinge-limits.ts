/**
 * Limits of hinges, as bounds on the accelerations φ̈ of the next step of length T:
 *
 *   speed     |φ̇ + T φ̈| ≤ V
 *   range     after the step it must still be possible to stop before the end by the deceleration a kept in reserve, in steps of T:
 *             φ + T (φ̇ + v) / 2 + (v + a T / 2)² / 2a ≤ upper with v = φ̇ + T φ̈
 *   momentum  of a wheel, speed times its moment of inertia: a limit of its speed
 *
 * Torques are held within a step, not accelerations, so that speeds end a little off φ̇ + T φ̈: that drift is given, and half of it
 * again is kept clear for what comes next. Within the step, the speed is φ̇ + φ̈ t + b t² + c t³ with b and c by the drift at two
 * nodes, and its peak keeps the limit too: φ̈ ≤ (V - φ̇) / t - b t - c t².
 */

import { FREEDOM_UNITS, type Parameters, type ParameterValues } from "../../../declare/parameters.ts";
import { freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { freedomsOf } from "../../../model/freedoms.ts";
import { homeOf, type Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { coordinateDrift, finalDrift, type SpeedDrift } from "./predict-held-torque.ts";

export const HINGE_LIMIT = {
  hinge: { type: "freedoms", about: "Hinge, freedom of a hinge, or list of them." },
  torque: { type: "numbers", unit: FREEDOM_UNITS.force, above: 0, optional: true, about: "Largest torque or force." },
  weight: {
    type: "numbers",
    unit: FREEDOM_UNITS.force,
    above: 0,
    optional: true,
    about: "Torque that counts as one in the sum of squares that is made small; its limit if not given, and 1 without one.",
  },
  speed: { type: "numbers", unit: FREEDOM_UNITS.speed, above: 0, optional: true, about: "Largest speed." },
  lower: { type: "numbers", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Lower end of its range." },
  upper: { type: "numbers", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Upper end of its range." },
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
  /** Whether any speed or range is limited, and whether those of a hinge are. */
  readonly limitsMotion: boolean;
  limitsMotionOf(j: number): boolean;
  /** φ̇² / 2a that a hinge at q may need to stop, a ≤ braking: how far it may go on, but for what stopping in steps of T costs. */
  stoppingRoom(j: number, q: Float64Array, rate: number): number;
  /** What limits of speed and range a state does not keep, in words; none if it keeps all. Allocates. */
  violations(q: Float64Array, rates: Float64Array): string[];
  /** Bounds of φ̈ at a state, speeds drifting by so much while torques are held. */
  writeBounds(q: Float64Array, u: Float64Array, drift: SpeedDrift, lower: Float64Array, upper: Float64Array): void;
}

/** A coordinate that comes to rest within a step goes this part of T times the drift further than at a constant deceleration. */
const STOPPING_BULGE = 0.15;
const SEARCH_POINTS = 8;
const NEWTON_STEPS = 3;
/** Speeds and coordinates this little beyond a limit are at it. */
const ROUNDING = 1e-9;

export function hingeLimits(
  model: Model,
  robot: Robot<number>,
  list: readonly ParameterValues<typeof HINGE_LIMIT>[],
  /** Length of a step, and time within which a speed may reach its limit. */
  { T, horizon }: { readonly T: number; readonly horizon: number },
  note: NoteProblem,
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
      if (limit.momentum) least(speed, j, limit.momentum[k]! / hingeInertiaAtHome(model, robot, j));
      const ranged = Number.isFinite(low[j]) || Number.isFinite(high[j]);
      if (ranged && freedom.q === undefined)
        note(`limits[${i}]`, `${freedom.name} is a turn of a ball and has no range`, "Limit its speed or torque");
      if (ranged && braking[j] === 0) note(`limits[${i}]`, `the range of ${freedom.name} needs "braking"`);
      if (low[j]! >= high[j]!) note(`limits[${i}]`, `the range of ${freedom.name} is empty: ${low[j]} to ${high[j]}`);
    }
  }

  /** What a speed may change in a step that is so far from its limit. */
  const approached = (room: number): number => (room > 0 ? (room * T) / horizon : room);
  /** Largest v after the step so that the way to the end, d, is long enough to stop: (v + a T/2)²/2a + T v/2 + T φ̇/2 ≤ d. */
  const fastest = (d: number, rate: number, a: number): number => {
    const rest = d - (T * rate) / 2 - (a * T * T) / 8;
    return rest > 0 ? a * (Math.sqrt(T * T + (2 * rest) / a) - T) : (2 * rest) / T;
  };
  /** Largest φ̈ with which a speed that drifts stays within `room` above where it began; `way` 1 looks upward, -1 downward. */
  const steepest = (room: number, { nodes, values }: SpeedDrift, j: number, way: 1 | -1): number => {
    if (room === Number.POSITIVE_INFINITY) return room;
    const rest = Math.max(0, room);
    const part = T / nodes;
    const first = way * values[j]!;
    const second = way * values[n + j]!;
    const b = (8 * first - second) / (4 * part * part);
    const c = (second - 4 * first) / (4 * part * part * part);
    // The least of rest / t - b t - c t² within two parts: near the best of a few times, then by Newton's method.
    let t = 2 * part;
    let most = Number.POSITIVE_INFINITY;
    for (let k = 1; k <= SEARCH_POINTS; k++) {
      const at = (2 * part * k) / SEARCH_POINTS;
      const value = rest / at - b * at - c * at * at;
      if (value >= most) continue;
      t = at;
      most = value;
    }
    for (let k = 0; k < NEWTON_STEPS; k++) {
      const slope = -rest / (t * t) - b - 2 * c * t;
      const bend = (2 * rest) / (t * t * t) - 2 * c;
      if (bend > 0) t = Math.min(2 * part, Math.max(0.5 * t, t - slope / bend));
      most = Math.min(most, rest / t - b * t - c * t * t);
    }
    if (rest === 0 && b < 0) most = Math.min(most, 0); // t = 0
    for (let k = 2; k < nodes; k++) {
      const here = values[k * n + j]!;
      const bulge = Math.abs(here - 2 * values[(k - 1) * n + j]! + values[(k - 2) * n + j]!) / 4; // twice that of a parabola between nodes
      most = Math.min(most, (rest - way * here - bulge) / ((k + 1) * part));
    }
    return most;
  };

  return {
    torque,
    weight: weight.map((w, j) => (w > 0 ? w : Number.isFinite(torque[j]) ? torque[j]! : 1)),
    limitsMotion: speed.some(Number.isFinite) || braking.some((a) => a > 0),
    limitsMotionOf: (j) => Number.isFinite(speed[j]) || braking[j]! > 0,
    stoppingRoom(j, q, rate) {
      if (braking[j] === 0) return Number.POSITIVE_INFINITY;
      const at = q[places[j]!]!;
      const way = rate > 0 ? high[j]! - at : at - low[j]!;
      return Math.max(0, way - (T * Math.abs(rate)) / 2 - (braking[j]! * T * T) / 8);
    },
    violations: (q, rates) =>
      robot.names.flatMap((name, j) => {
        const unit = freedoms[robot.speeds[j]!]!.motion === "turn" ? "rad" : "m";
        const at = braking[j] === 0 ? 0 : q[places[j]!]!;
        const [size, end] = [Math.abs(rates[j]!), at < low[j]! ? low[j]! : high[j]!];
        const words = [];
        if (size > speed[j]! + ROUNDING)
          words.push(`${name} moves at ${toFourDigits(rates[j]!)} ${unit}/s, its limit is ${speed[j]}`);
        if (at < low[j]! - ROUNDING || at > high[j]! + ROUNDING)
          words.push(`${name} is at ${toFourDigits(at)} ${unit}, its range ends at ${end}`);
        return words;
      }),
    writeBounds(q, u, drift, lower, upper) {
      for (let j = 0; j < n; j++) {
        const rate = u[robot.speeds[j]!]!;
        const end = finalDrift(drift, j, n);
        const margin = 0.5 * Math.abs(end);
        let most = approached(speed[j]! - margin - rate - end);
        let least = -approached(speed[j]! - margin + rate + end);
        if (braking[j]! > 0) {
          const at = q[places[j]!]!;
          const beside = coordinateDrift(drift, j, n, T) - 0.5 * T * end; // of T (φ̇ + v) / 2
          const room = STOPPING_BULGE * T * Math.abs(end);
          most = Math.min(most, fastest(high[j]! - room - at - beside, rate, braking[j]!) - rate - end);
          least = Math.max(least, -fastest(at + beside - low[j]! - room, -rate, braking[j]!) - rate - end);
        }
        lower[j] = Math.max(least / T, -steepest(speed[j]! + rate, drift, j, -1));
        upper[j] = Math.min(most / T, steepest(speed[j]! - rate, drift, j, 1));
        if (lower[j]! > upper[j]!) lower[j] = upper[j] = (lower[j]! + upper[j]!) / 2;
      }
    },
  };
}

const toFourDigits = (value: number): number => Number(value.toPrecision(4));

/** Moment of inertia about the axis of a hinge of all that it carries, at home. */
function hingeInertiaAtHome(model: Model, robot: Robot<number>, j: number): number {
  const flyer = freeFlyer(model, { base: robot.base.name, outputs: ["Hphi"], target: "interpret" });
  flyer.evaluate(homeOf(model), new Float64Array(model.nu));
  return flyer.values.Hphi[j * (robot.speeds.length + 1)]!;
}
