/** Motion of hinges through knots in time, from rest to rest, by quintics. */

import { checkList, checkNumbers } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";
import { square } from "../math/elementary/power.ts";
import type { Trajectory } from "./trajectory.ts";

/**
 * Between two knots each coordinate follows the quintic s = 10 x³ - 15 x⁴ + 6 x⁵, so that the acceleration has no jump. It rests before the
 * first knot and after the last one. One row of positions per knot.
 */
export function throughKnots(times: readonly number[], positions: readonly (readonly number[])[]): Trajectory {
  checkNumbers("times", times, "a time for each knot");
  checkList("positions", positions, "rows of numbers, one for each knot");
  const n = positions[0]?.length ?? 0;
  if (times.length === 0 || n === 0)
    throw new ArgumentError("times", "a motion through knots needs at least one knot with one position");
  if (times.length !== positions.length)
    throw new ArgumentError(
      "positions",
      `a motion through knots needs a row of positions per time, got ${positions.length} for ${times.length}`,
    );
  for (const [i, t] of times.entries()) {
    if (!Number.isFinite(t) || (i > 0 && !(t > times[i - 1]!)))
      throw new ArgumentError(
        `times[${i}]`,
        `knots need increasing times, got ${t}${i > 0 ? ` after ${times[i - 1]}` : ""} for knot ${i + 1}`,
      );
    const invalid =
      positions[i]?.length === n
        ? [...positions[i]!].find((p) => !Number.isFinite(p))
        : `${positions[i]?.length ?? "no"} numbers`;
    if (invalid !== undefined) throw new ArgumentError(`positions[${i}]`, `knot ${i + 1} needs ${n} positions, got ${invalid}`);
  }
  const rows = positions.map((row) => Float64Array.from(row));
  return {
    ...{ nq: n, nu: n, duration: Math.max(0, times.at(-1)!), breaks: [] },
    at(t, out) {
      let i = 0;
      while (i < times.length && times[i]! <= t) i++;
      const from = rows[Math.max(0, i - 1)]!;
      for (let c = 0; c < n; c++) {
        out[c] = from[c]!;
        out[n + c] = 0;
        out[2 * n + c] = 0;
      }
      if (i === 0 || i === times.length) return;
      const duration = times[i]! - times[i - 1]!;
      const x = (t - times[i - 1]!) / duration;
      const s = x * x * x * (10 + x * (6 * x - 15));
      const speed = (30 * square(x * (1 - x))) / duration;
      const acceleration = (60 * x * (1 - x) * (1 - 2 * x)) / square(duration);
      for (let c = 0; c < n; c++) {
        const difference = rows[i]![c]! - from[c]!;
        out[c] = from[c]! + difference * s;
        out[n + c] = difference * speed;
        out[2 * n + c] = difference * acceleration;
      }
    },
  };
}
