/** Values of channels at any time, linear between samples. Layers use them for arrows. */

import type { RunLog } from "../../run/run-log.ts";
import { sampleIndexAt } from "../../run/sample-index.ts";

export const XYZ = ["x", "y", "z"] as const;

/** The value of a channel. Undefined if the log does not contain it, or not yet. */
export function channelValueAt(log: RunLog, name: string, t: number): number | undefined {
  const [times, values] = [log.column("t"), log.column(name)];
  if (values.length === 0) return undefined;
  const i = sampleIndexAt(times, t);
  if (i >= values.length) return undefined; // not computed yet
  const j = Math.min(i + 1, values.length - 1);
  const span = times[j]! - times[i]!;
  const s = span > 0 ? Math.min(1, Math.max(0, (t - times[i]!) / span)) : 0;
  return values[i]! + s * (values[j]! - values[i]!);
}

export function channelVectorAt(log: RunLog, names: readonly string[], t: number): [number, number, number] | undefined {
  const values = names.map((name) => channelValueAt(log, name, t));
  return values.every((v) => v !== undefined) ? (values as [number, number, number]) : undefined;
}

/** Largest norm in the log of the vector of three channels. */
export function longestVector(log: RunLog, names: readonly string[]): number {
  const [x, y, z] = names.map((name) => log.column(name)) as [Float64Array, Float64Array, Float64Array];
  let largest = 0;
  const length = Math.min(x.length, y.length, z.length); // channels that are being computed are shorter
  for (let i = 0; i < length; i++) {
    const square = x[i]! * x[i]! + y[i]! * y[i]! + z[i]! * z[i]!;
    if (square > largest) largest = square;
  }
  return Math.sqrt(largest);
}
