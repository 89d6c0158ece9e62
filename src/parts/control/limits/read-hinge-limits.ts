/** Limits of hinges as a file gives them, and their values per hinge speed of a robot. */
import { FREEDOM_UNITS, type Parameters, type ParameterValues } from "../../../declare/parameters.ts";
import { freeFlyer } from "../../../dynamics/free-flying/free-flyer.ts";
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { homeOf, type Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";

export const HINGE_LIMIT = {
  hinge: { type: "freedoms", about: "Hinge, freedom of a hinge, or list of them." },
  torque: { type: "numbers", unit: FREEDOM_UNITS.force, above: 0, optional: true, about: "Largest torque or force." },
  weight: {
    type: "numbers",
    unit: FREEDOM_UNITS.force,
    above: 0,
    optional: true,
    about:
      "Torque that counts as one in the sum of squares that is minimised; if not given, the torque limit, or 1 without a torque limit.",
  },
  speed: { type: "numbers", unit: FREEDOM_UNITS.speed, above: 0, optional: true, about: "Largest speed." },
  lower: { type: "numbers", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Lower end of the range." },
  upper: { type: "numbers", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Upper end of the range." },
  braking: {
    type: "numbers",
    unit: { turn: "rad/s^2", slide: "m/s^2" },
    above: 0,
    optional: true,
    about:
      "Deceleration kept in reserve to stop before an end of the range. Required if there is a range; the torque limit must allow it.",
  },
  momentum: {
    type: "numbers",
    unit: "N m s",
    above: 0,
    optional: true,
    about: "Largest momentum of a wheel about its axis: speed times its moment of inertia.",
  },
} as const satisfies Parameters;

/** Limits per hinge speed of the robot. */
export interface HingeLimitValues {
  /** Infinite where there is no limit. */
  readonly torque: Float64Array;
  readonly speed: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Deceleration kept in reserve; 0 for a hinge without range. */
  readonly braking: Float64Array;
  /** Torques that count as one; 0 where none is given. */
  readonly weight: Float64Array;
}

/** If a hinge is listed several times, its tightest limits count. */
export function readHingeLimits(
  model: Model,
  robot: Robot<number>,
  list: readonly ParameterValues<typeof HINGE_LIMIT>[],
  note: NoteProblem,
): HingeLimitValues {
  const filledArray = (value: number): Float64Array => new Float64Array(robot.speeds.length).fill(value);
  const [torque, speed] = [filledArray(Number.POSITIVE_INFINITY), filledArray(Number.POSITIVE_INFINITY)];
  const [low, high] = [filledArray(Number.NEGATIVE_INFINITY), filledArray(Number.POSITIVE_INFINITY)];
  const [braking, weight] = [filledArray(0), filledArray(0)];
  const reduce = (limits: Float64Array, j: number, value: number | undefined): void => {
    if (value !== undefined) limits[j] = Math.min(limits[j]!, value);
  };
  for (const [i, limit] of list.entries()) {
    for (const [k, freedom] of limit.hinge.entries()) {
      const j = robot.speeds.indexOf(freedom.u);
      if (j < 0) {
        note(`limits[${i}].hinge`, `${freedom.name} is not a hinge of the robot with the base "${robot.base.name}"`);
        continue;
      }
      reduce(torque, j, limit.torque?.[k]);
      reduce(speed, j, limit.speed?.[k]);
      if (limit.weight) weight[j] = limit.weight[k]!;
      reduce(high, j, limit.upper?.[k]);
      if (limit.lower) low[j] = Math.max(low[j]!, limit.lower[k]!);
      if (limit.braking) braking[j] = limit.braking[k]!;
      if (limit.momentum) reduce(speed, j, limit.momentum[k]! / hingeInertiaAtHome(model, robot, j));
      const hasRange = Number.isFinite(low[j]) || Number.isFinite(high[j]);
      if (hasRange && freedom.q === undefined)
        note(`limits[${i}]`, `${freedom.name} is a rotation of a ball hinge and has no range`, "Limit its speed or torque");
      if (hasRange && braking[j] === 0) note(`limits[${i}]`, `the range of ${freedom.name} needs "braking"`);
      if (low[j]! >= high[j]!) note(`limits[${i}]`, `the range of ${freedom.name} is empty: ${low[j]} to ${high[j]}`);
    }
  }
  return { torque, speed, low, high, braking, weight };
}

/** Moment of inertia of everything that a hinge carries, about its axis, at home. */
function hingeInertiaAtHome(model: Model, robot: Robot<number>, j: number): number {
  const flyer = freeFlyer(model, { base: robot.base.name, outputs: ["Hphi"], target: "interpret" });
  flyer.evaluate(homeOf(model), new Float64Array(model.nu));
  return flyer.values.Hphi[j * (robot.speeds.length + 1)]!;
}
