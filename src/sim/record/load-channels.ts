/**
 * Loads on an interface: the sum of all wrenches that force elements exert on a body, at one of its frames and in its axes. Forces in hinges
 * are not included. If x is the axis of the interface, the usual load components follow: compression -fx, tension fx, shear √(fy² + fz²),
 * torsion |tx|, bending √(ty² + tz²).
 */
import type { Channel } from "../../log/log.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import type { Frame } from "../../model/model.ts";
import type { Layout } from "../system/layout.ts";

const PARTS = ["tx", "ty", "tz", "fx", "fy", "fz"] as const;

interface LoadChannel extends Channel {
  /** Frames whose poses the channel needs. */
  readonly frames: readonly number[];
  read(): number;
}

/** Channels load.FRAME.PART. `see` takes a sample: the poses of frames (18 numbers each, from `start`) and the wrenches at the layout's frames. */
export function loadChannels(layout: Layout, frames: readonly Frame[]) {
  const frameNumbers = layout.frames.map((layoutFrame) => frames.findIndex((f) => f.name === layoutFrame.name));
  const sample: { poses: Float64Array; start: Int32Array; wrenches: Float64Array } = {
    poses: new Float64Array(0),
    start: new Int32Array(0),
    wrenches: new Float64Array(0),
  };
  /** For each frame, the indices of the layout's frames on the same body. */
  const onSameBody = frames.map((frame) =>
    layout.frames.flatMap((layoutFrame, k) => (layoutFrame.body === frame.body ? [k] : [])),
  );

  /** Torque and force at a frame in its axes, computed once per sample. */
  let current = -1;
  const load = new Float64Array(6);
  const sum = new Float64Array(6);
  const loadAt = (f: number): Float64Array => {
    if (f === current) return load;
    current = f;
    const { poses, start, wrenches } = sample;
    const R = start[f]!;
    const p = R + 9;
    sum.fill(0);
    for (const k of onSameBody[f]!) {
      const o = start[frameNumbers[k]!]! + 9;
      const w = 6 * k;
      const x = poses[o]! - poses[p]!;
      const y = poses[o + 1]! - poses[p + 1]!;
      const z = poses[o + 2]! - poses[p + 2]!;
      const fx = wrenches[w + 3]!;
      const fy = wrenches[w + 4]!;
      const fz = wrenches[w + 5]!;
      for (let i = 0; i < 6; i++) sum[i]! += wrenches[w + i]!;
      sum[0]! += y * fz - z * fy;
      sum[1]! += z * fx - x * fz;
      sum[2]! += x * fy - y * fx;
    }
    for (let c = 0; c < 3; c++)
      for (let half = 0; half < 6; half += 3)
        load[half + c] = poses[R + c]! * sum[half]! + poses[R + 3 + c]! * sum[half + 1]! + poses[R + 6 + c]! * sum[half + 2]!;
    return load;
  };

  const channels = frames.flatMap((frame, f): LoadChannel[] => {
    if (onSameBody[f]!.length === 0) return [];
    const neededFrames = [f, ...onSameBody[f]!.map((k) => frameNumbers[k]!)];
    const name = (part: string): string => `load.${frame.name}.${part}`;
    const derived: readonly (readonly [string, string, (w: Float64Array) => number])[] = [
      ["compression", "N", (w) => Math.max(0, -w[3]!)],
      ["tension", "N", (w) => Math.max(0, w[3]!)],
      ["shear", "N", (w) => hypotenuse(w[4]!, w[5]!)],
      ["bending", "N m", (w) => hypotenuse(w[1]!, w[2]!)],
      ["torsion", "N m", (w) => Math.abs(w[0]!)],
    ];
    return [
      ...PARTS.map(
        (part, k): LoadChannel => ({
          name: name(part),
          unit: k < 3 ? "N m" : "N",
          frames: neededFrames,
          read: () => loadAt(f)[k]!,
        }),
      ),
      ...derived.map(
        ([part, unit, of]): LoadChannel => ({ name: name(part), unit, frames: neededFrames, read: () => of(loadAt(f)) }),
      ),
    ];
  });
  const see = (poses: Float64Array, start: Int32Array, wrenches: Float64Array): void => {
    sample.poses = poses;
    sample.start = start;
    sample.wrenches = wrenches;
    current = -1;
  };
  return { channels, see };
}
