/** Speed profiles along a path: from rest to rest as fast as limits allow. One coordinate, the distance. */

import { ArgumentError } from "../errors.ts";
import { cubeRoot } from "../math/elementary/cube-root.ts";
import { square } from "../math/elementary/power.ts";
import type { Trajectory } from "./trajectory.ts";

export interface SpeedLimits {
  readonly speed: number;
  readonly acceleration: number;
}

export interface JerkLimits extends SpeedLimits {
  /** Largest rate of the acceleration, m/s³. */
  readonly jerk: number;
}

/** Constant acceleration, constant speed, constant deceleration; without the middle phase if the distance is short. */
export function trapezoid(length: number, limits: SpeedLimits): Trajectory {
  checkLimits(length, limits, ["speed", "acceleration"]);
  const { acceleration: a } = limits;
  const speed = Math.min(limits.speed, Math.sqrt(length * a));
  const rise = speed / a;
  const cruise = Math.max(0, length / speed - rise);
  return constantJerkPhases(length, [
    [rise, a, 0],
    [cruise, 0, 0],
    [rise, -a, 0],
  ]);
}

/** Speed profile with limited jerk: the acceleration has no jumps, and each of up to seven phases has constant jerk. */
export function sCurve(length: number, limits: JerkLimits): Trajectory {
  checkLimits(length, limits, ["speed", "acceleration", "jerk"]);
  const { jerk } = limits;
  const speedOfFullRamps = square(limits.acceleration) / jerk; // speed gained where the acceleration just reaches its limit
  let speed = limits.speed;
  if (length < speed * riseTime(speed, limits)) {
    // Too short for full speed: speed × rise time = length.
    const a = limits.acceleration;
    const withPlateau = 0.5 * (Math.sqrt(speedOfFullRamps * speedOfFullRamps + 4 * length * a) - speedOfFullRamps);
    speed = withPlateau >= speedOfFullRamps ? withPlateau : jerk * square(cubeRoot(length / (2 * jerk)));
  }
  const rise = riseTime(speed, limits);
  const ramp = speed >= speedOfFullRamps ? limits.acceleration / jerk : rise / 2;
  const a = jerk * ramp;
  const plateau = Math.max(0, rise - 2 * ramp);
  return constantJerkPhases(length, [
    [ramp, 0, jerk],
    [plateau, a, 0],
    [ramp, a, -jerk],
    [Math.max(0, length / speed - rise), 0, 0],
    [ramp, 0, -jerk],
    [plateau, -a, 0],
    [ramp, -a, jerk],
  ]);
}

/** Time from rest to a speed. */
const riseTime = (speed: number, { acceleration, jerk }: JerkLimits): number =>
  speed >= square(acceleration) / jerk ? acceleration / jerk + speed / acceleration : 2 * Math.sqrt(speed / jerk);

function checkLimits(length: number, limits: SpeedLimits, names: readonly string[]): void {
  const check = (argument: string, value: unknown): void => {
    if (typeof value !== "number" || !(value > 0 && Number.isFinite(value)))
      throw new ArgumentError(argument, `must be a finite number above 0, got ${String(value)}`);
  };
  check("length", length);
  for (const name of names)
    check(`limits.${name}`, (limits as Readonly<Record<never, never>> as Partial<Record<string, number>> | undefined)?.[name]);
}

/** Trajectory of phases [duration, acceleration at the start, jerk], from rest. */
function constantJerkPhases(length: number, parts: readonly (readonly [number, number, number])[]): Trajectory {
  const kept = parts.filter(([duration]) => duration > 0);
  const table: Float64Array[] = []; // start, way, speed, acceleration, jerk
  let [t, x, v, before] = [0, 0, 0, 0];
  const breaks: number[] = [];
  for (const [duration, a, jerk] of kept) {
    if (Math.abs(a - before) > 1e-9 * Math.abs(kept[0]![1])) breaks.push(t);
    table.push(Float64Array.of(t, x, v, a, jerk));
    x += duration * (v + duration * (a / 2 + (duration * jerk) / 6));
    v += duration * (a + (duration * jerk) / 2);
    before = a + duration * jerk;
    t += duration;
  }
  if (Math.abs(before) > 1e-9 * Math.abs(kept[0]![1])) breaks.push(t);
  const duration = t;
  return {
    ...{ nq: 1, nu: 1, duration, breaks },
    at(time, out) {
      if (time < 0 || time >= duration) {
        out[0] = time < 0 ? 0 : length;
        out[1] = 0;
        out[2] = 0;
        return;
      }
      let i = table.length - 1;
      while (table[i]![0]! > time) i--;
      const phase = table[i]!;
      const d = time - phase[0]!;
      out[0] = phase[1]! + d * (phase[2]! + d * (phase[3]! / 2 + (d * phase[4]!) / 6));
      out[1] = phase[2]! + d * (phase[3]! + (d * phase[4]!) / 2);
      out[2] = phase[3]! + d * phase[4]!;
    },
  };
}
