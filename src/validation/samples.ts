/** Values of a run's log at given times. */
import { ArgumentError } from "../errors.ts";
import type { Log } from "../log/log.ts";

/** Sample times are products, not sums: they differ from round numbers by rounding only. */
const SAME_TIME = 1e-9;

/** Values of channels at the sample at t. At a jump the log has two samples; `side` selects one. @throws ArgumentError without a sample at t. */
export function valuesAt(log: Log, t: number, channels: readonly string[], side: "before" | "after" = "before"): number[] {
  const isThere = (at: number): boolean => Math.abs(at - t) <= SAME_TIME * Math.max(1, t);
  const sample = side === "before" ? log.column("t").findIndex(isThere) : log.column("t").findLastIndex(isThere);
  if (sample < 0) throw new ArgumentError("t", `the log has no sample at t = ${t} s`);
  return channels.map((name) => log.column(name)[sample]!);
}

/** The value of all samples that is furthest from a given value. */
export function valueFurthestFrom(log: Log, channel: string, value: number): number {
  let furthest = value;
  for (const x of log.column(channel)) if (!(Math.abs(x - value) <= Math.abs(furthest - value))) furthest = x;
  return furthest;
}

/** The largest length of a vector of channels NAME.x, NAME.y, NAME.z. */
export function largestLength(log: Log, name: string): number {
  const [x, y, z] = ["x", "y", "z"].map((axis) => log.column(`${name}.${axis}`));
  let largest = 0;
  for (let i = 0; i < log.length; i++) {
    const length = Math.hypot(x![i]!, y![i]!, z![i]!);
    if (!(length <= largest)) largest = length;
  }
  return largest;
}

/** Largest magnitude of several channels. */
export function largestOf(log: Log, channels: readonly string[]): number {
  let largest = 0;
  for (const channel of channels) for (const x of log.column(channel)) if (!(Math.abs(x) <= largest)) largest = Math.abs(x);
  return largest;
}

/** Weights of Boole's rule for four intervals of the length h, over h. */
const BOOLE = [14 / 45, 64 / 45, 24 / 45, 64 / 45, 14 / 45];

/** Integral over time of recorded values between jumps (two samples at one time), by Boole's rule. Four intervals at a time are equal. */
export function integralOf(log: Log, values: Float64Array): number {
  const t = log.column("t");
  let integral = 0;
  for (let i = 0; i + 1 < t.length; ) {
    if (t[i + 1]! === t[i]!) {
      i++;
      continue;
    }
    const h = (t[i + 4]! - t[i]!) / 4;
    for (const [k, weight] of BOOLE.entries()) integral += weight * h * values[i + k]!;
    i += 4;
  }
  return integral;
}
