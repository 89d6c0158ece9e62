/**
 * Poses of the bodies at any time of a run. Between samples, hinge coordinates follow Hermite cubics through values and rates, and quaternions
 * follow great circles. The poses come from the library's kernel, so hinges stay closed for every sample period.
 */
import { compileAsync, coordinateNames, type Kernel, type Model, programs } from "castor";
import type { RunLog } from "../../run/run-log.ts";
import { sampleIndexAt } from "../../run/sample-index.ts";

/** Numbers per pose: rotation matrix by rows (9), then position (3). */
export const POSE_SIZE = 12;

/** A coordinate that is interpolated by a cubic. */
interface InterpolatedCoordinate {
  readonly index: number;
  readonly channel: string;
  /** Channel of the speed that is its time derivative. */
  readonly rate: string | undefined;
}

export class RunMotion {
  readonly model: Model;
  readonly #kernel: Kernel;
  readonly #scalars: readonly InterpolatedCoordinate[];
  /** First index and channels of each quaternion. */
  readonly #quaternions: readonly { readonly index: number; readonly channels: readonly string[] }[];
  readonly #start: Float64Array;
  readonly #q: Float64Array;
  #log: RunLog | undefined;

  private constructor(model: Model, kernel: Kernel, start: Float64Array) {
    this.model = model;
    this.#kernel = kernel;
    this.#start = start;
    this.#q = Float64Array.from(start);
    const names = coordinateNames(model);
    const scalars: InterpolatedCoordinate[] = [];
    const quaternions: { index: number; channels: string[] }[] = [];
    for (const { hinge } of model.bodies) {
      let [q, u] = [hinge.q, hinge.u];
      for (const element of hinge.elements) {
        const quaternionAt = element.quaternion;
        if (quaternionAt !== undefined)
          quaternions.push({ index: q + quaternionAt, channels: [0, 1, 2, 3].map((k) => `q.${names.q[q + quaternionAt + k]!}`) });
        // After the quaternion follow three positions, after the angular velocity their rates.
        const first = quaternionAt === undefined ? 0 : quaternionAt + 4;
        const firstRate = quaternionAt === undefined ? 0 : 3;
        for (let k = first; k < element.nq; k++)
          scalars.push({ index: q + k, channel: `q.${names.q[q + k]!}`, rate: `u.${names.u[u + firstRate + k - first]!}` });
        q += element.nq;
        u += element.nu;
      }
    }
    this.#scalars = scalars;
    this.#quaternions = quaternions;
  }

  static async create(model: Model, start: Float64Array): Promise<RunMotion> {
    return new RunMotion(model, await compileAsync(programs.bodyPoses(model)), start);
  }

  /** Sets the log. Without a log, or without samples, the machine is at its start. */
  setLog(log: RunLog | undefined): void {
    this.#log = log;
  }

  get log(): RunLog | undefined {
    return this.#log;
  }

  /** Coordinates and poses of all bodies at a time. Valid until the next call. */
  at(t: number): { readonly q: Float64Array; readonly poses: Float64Array } {
    const log = this.#log;
    if (log === undefined || log.length === 0) this.#q.set(this.#start);
    else this.#interpolate(log, t);
    return this.#computePoses();
  }

  /** The same at a sample. */
  atSample(i: number): { readonly q: Float64Array; readonly poses: Float64Array } {
    const log = this.#log!;
    for (const { index, channel } of this.#scalars) this.#q[index] = log.column(channel)[i] ?? this.#start[index]!;
    for (const { index, channels } of this.#quaternions)
      for (const [k, channel] of channels.entries()) this.#q[index + k] = log.column(channel)[i] ?? this.#start[index + k]!;
    return this.#computePoses();
  }

  /** The same for given coordinates. */
  posesFor(q: Float64Array): { readonly q: Float64Array; readonly poses: Float64Array } {
    this.#q.set(q);
    return this.#computePoses();
  }

  #computePoses(): { readonly q: Float64Array; readonly poses: Float64Array } {
    this.#kernel.x.set(this.#q);
    this.#kernel.evaluate();
    return { q: this.#q, poses: this.#kernel.y };
  }

  #interpolate(log: RunLog, t: number): void {
    const times = log.column("t");
    const i = Math.min(sampleIndexAt(times, t), Math.max(0, times.length - 2));
    const j = Math.min(i + 1, times.length - 1);
    const span = times[j]! - times[i]!;
    const s = span > 0 ? Math.min(1, Math.max(0, (t - times[i]!) / span)) : 0;
    for (const { index, channel, rate } of this.#scalars) {
      const values = log.column(channel);
      if (values.length === 0) this.#q[index] = this.#start[index]!;
      else this.#q[index] = hermiteCubic(values[i]!, values[j]!, rateAt(log, rate, i), rateAt(log, rate, j), span, s);
    }
    for (const { index, channels } of this.#quaternions) {
      const columns = channels.map((channel) => log.column(channel));
      if (columns.some((column) => column.length === 0)) this.#q.set(this.#start.subarray(index, index + 4), index);
      else slerp(columns, i, j, s, this.#q, index);
    }
  }
}

const rateAt = (log: RunLog, channel: string | undefined, i: number): number | undefined =>
  channel === undefined ? undefined : log.column(channel)[i];

/** Hermite cubic through the values a and b with rates da and db over a span h, at the fraction s. Linear without rates. */
export function hermiteCubic(a: number, b: number, da: number | undefined, db: number | undefined, h: number, s: number): number {
  if (da === undefined || db === undefined) return a + (b - a) * s;
  const r = 1 - s;
  return a * r * r * (1 + 2 * s) + b * s * s * (3 - 2 * s) + h * s * r * (da * r - db * s);
}

/** Spherical linear interpolation from quaternion i to quaternion j, the shorter way. Writes to out[at..at+3]. */
export function slerp(columns: readonly Float64Array[], i: number, j: number, s: number, out: Float64Array, at: number): void {
  let dot = 0;
  for (const column of columns) dot += column[i]! * column[j]!;
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const [wa, wb] = sine < 1e-6 ? [1 - s, s] : [Math.sin((1 - s) * angle) / sine, Math.sin(s * angle) / sine];
  let norm = 0;
  for (const [k, column] of columns.entries()) {
    out[at + k] = wa * column[i]! + sign * wb * column[j]!;
    norm += out[at + k]! ** 2;
  }
  for (let k = 0; k < 4; k++) out[at + k]! /= Math.sqrt(norm);
}
