/** Contact forces in a log. An open contact has no point, so there is no interpolation between an open and a closed contact. */
import type { NumericVec3 } from "castor/model";
import type { DrawnForce } from "castor/sim";
import type { RunLog } from "../../run/run-log.ts";
import { sampleIndexAt } from "../../run/sample-index.ts";

export interface ContactForce {
  readonly point: NumericVec3;
  readonly force: NumericVec3;
}

/** The force at a sample. Undefined if it is zero or not in the log. */
export function contactForceAtSample(log: RunLog, { point, force }: DrawnForce, i: number): ContactForce | undefined {
  const read = (names: readonly string[]): NumericVec3 =>
    names.map((name) => log.column(name)[i] ?? Number.NaN) as unknown as NumericVec3;
  const f = read(force);
  const size = Math.hypot(...f);
  return size > 0 ? { point: read(point), force: f } : undefined;
}

/** The force at any time: linear between two samples with contact, otherwise that of the nearer sample. */
export function contactForceAt(log: RunLog, channels: DrawnForce, t: number): ContactForce | undefined {
  const times = log.column("t");
  const i = sampleIndexAt(times, t);
  const j = Math.min(i + 1, times.length - 1);
  const span = times[j]! - times[i]!;
  const s = span > 0 ? Math.min(1, Math.max(0, (t - times[i]!) / span)) : 0;
  const [a, b] = [contactForceAtSample(log, channels, i), contactForceAtSample(log, channels, j)];
  if (!a || !b) return s < 0.5 ? a : b;
  const between = (x: NumericVec3, y: NumericVec3): NumericVec3 => x.map((v, k) => v + s * (y[k]! - v)) as unknown as NumericVec3;
  return { point: between(a.point, b.point), force: between(a.force, b.force) };
}
