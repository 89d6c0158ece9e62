/** References: a constant, or a smooth motion through knots in time. */
import type { Table } from "../sim/parameters.ts";

/**
 * Position, speed and acceleration at t, into out[0..2]. From knot to knot the motion goes from rest to rest by the quintic
 * s = 10 x³ - 15 x⁴ + 6 x⁵, so that the acceleration has no jump; before the first knot and after the last it rests.
 */
export function follow({ x: times, y: positions }: Table, t: number, out: Float64Array): void {
  let i = 0;
  while (i < times.length && times[i]! <= t) i++;
  const from = positions[Math.max(0, i - 1)]!;
  out[0] = from;
  out[1] = 0;
  out[2] = 0;
  if (i === 0 || i === times.length) return;
  const duration = times[i]! - times[i - 1]!;
  const x = (t - times[i - 1]!) / duration;
  const way = positions[i]! - from;
  out[0] = from + way * x ** 3 * (10 + x * (6 * x - 15));
  out[1] = (way / duration) * 30 * (x * (1 - x)) ** 2;
  out[2] = (way / duration ** 2) * 60 * x * (1 - x) * (1 - 2 * x);
}
