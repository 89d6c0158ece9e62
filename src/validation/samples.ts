/** Values of a run's log at given times. */
import type { Log } from "../log/log.ts";

/** Sample times are computed, not summed: they differ from round numbers by rounding only. */
const SAME_TIME = 1e-9;

/** The channels at the sample at t; where the log has both sides of a jump, on one of them. @throws RangeError if there is none. */
export function valuesAt(log: Log, t: number, channels: readonly string[], side: "before" | "after" = "before"): number[] {
  const isThere = (at: number): boolean => Math.abs(at - t) <= SAME_TIME * Math.max(1, t);
  const sample = side === "before" ? log.column("t").findIndex(isThere) : log.column("t").findLastIndex(isThere);
  if (sample < 0) throw new RangeError(`the log has no sample at t = ${t} s`);
  return channels.map((name) => log.column(name)[sample]!);
}

/** Of all samples, the value furthest from another. */
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

/** The largest size of any of some channels. */
export function largestOf(log: Log, channels: readonly string[]): number {
  let largest = 0;
  for (const channel of channels) for (const x of log.column(channel)) if (!(Math.abs(x) <= largest)) largest = Math.abs(x);
  return largest;
}
