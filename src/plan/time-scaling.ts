/**
 * How much slower a motion must be to keep load limits. Along a path every load is τ = a s̈ + b ṡ² + c: inertia, a part that grows with the
 * square of the speed, and the load at rest. A motion from rest that is k times slower needs τ_moving / k² + c.
 */
import { checkList, checkMembers, checkNumbers } from "../arguments.ts";
import { ArgumentError, UnreachableError } from "../errors.ts";

/** Loads along a motion: one row per time, one number per limited load. */
export interface LoadSamples {
  readonly times: ArrayLike<number>;
  readonly loads: readonly ArrayLike<number>[];
  /** The part of each load at rest (gravity, a spring); zero if not given. */
  readonly atRest?: readonly ArrayLike<number>[];
}

export interface Slowing {
  /** Smallest slowdown that keeps the limits. Below 1 the motion could be faster. */
  readonly factor: number;
  /** Index of the deciding load, and its time in the given motion. */
  readonly load: number;
  readonly time: number;
}

/** The smallest k with |τ_moving / k² + τ_rest| ≤ limit for every load at every time. */
export function slowingFor(samples: LoadSamples, limits: readonly number[]): Slowing {
  checkMembers("samples", samples, ["times", "loads"], "an object with times and loads");
  const { times, loads, atRest } = samples;
  checkNumbers("samples.times", times);
  checkList("samples.loads", loads, "rows of loads, one for each time");
  checkList("limits", limits, "limits, one for each load");
  for (const [i, limit] of limits.entries())
    if (!(limit > 0)) throw new ArgumentError(`limits[${i}]`, `limits of loads must be positive, got ${limit} for load ${i + 1}`);
  if (loads.length === 0 || loads.length !== times.length)
    throw new ArgumentError("loads", `slowing down needs loads at each time, got ${loads.length} rows for ${times.length} times`);
  let slowest: Slowing = { factor: 0, load: 0, time: times[0]! };
  for (const [row, values] of loads.entries()) {
    if (values.length !== limits.length)
      throw new ArgumentError(`samples.loads[${row}]`, `row ${row + 1} has ${values.length} loads for ${limits.length} limits`);
    for (const [load, limit] of limits.entries()) {
      const rest = atRest?.[row]?.[load] ?? 0;
      if (Math.abs(rest) >= limit)
        throw new UnreachableError(
          `load ${load + 1} is ${rest} at rest at t = ${times[row]}, beyond its limit of ${limit}: no slower motion helps`,
        );
      const moving = values[load]! - rest;
      if (!Number.isFinite(moving))
        throw new ArgumentError(
          `loads[${row}][${load}]`,
          `load ${load + 1} at t = ${times[row]} is ${values[load]}; loads must be finite`,
        );
      const factor = Math.sqrt(Math.abs(moving) / (limit - Math.sign(moving) * rest));
      if (factor > slowest.factor) slowest = { factor, load, time: times[row]! };
    }
  }
  return slowest;
}
