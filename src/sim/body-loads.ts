/**
 * What the force elements together exert on a body by their wrenches, taken at one of its frames, in that frame's axes: the load on an
 * interface. Forces in hinges are not in it. With x along the axis of the interface it is also told as engineers tell it:
 * compression -fx, tension fx, shear √(fy² + fz²), torsion |tx|, bending √(ty² + tz²).
 */

import type { Channel } from "../log/log.ts";
import { hypotenuse } from "../math/hypotenuse.ts";
import type { Frame } from "../model/model.ts";
import type { Layout } from "./layout.ts";
import { PER_FRAME } from "./numeric-elements.ts";

const PARTS = ["tx", "ty", "tz", "fx", "fy", "fz"] as const;

interface LoadChannel extends Channel {
  read(): number;
}

/** Channels load.FRAME.PART, and how to see a sample: poses of all frames (18 numbers each), wrenches at those of the layout. */
export function loadChannels(layout: Layout, frames: readonly Frame[]) {
  const places = layout.frames.map((own) => frames.findIndex((f) => f.name === own.name));
  const now: { poses: Float64Array; wrenches: Float64Array } = { poses: new Float64Array(0), wrenches: new Float64Array(0) };

  /** Torque and force at the frame, in its axes, found once for each sample. */
  let at = -1;
  const load = new Float64Array(6);
  const sum = new Float64Array(6);
  const loadAt = (f: number): Float64Array => {
    if (f === at) return load;
    at = f;
    const { poses, wrenches } = now;
    const [R, p] = [PER_FRAME * f, PER_FRAME * f + 9];
    sum.fill(0);
    for (let k = 0; k < places.length; k++) {
      if (layout.frames[k]!.body !== frames[f]!.body) continue;
      const o = PER_FRAME * places[k]! + 9;
      const [x, y, z] = [poses[o]! - poses[p]!, poses[o + 1]! - poses[p + 1]!, poses[o + 2]! - poses[p + 2]!];
      const [fx, fy, fz] = [wrenches[6 * k + 3]!, wrenches[6 * k + 4]!, wrenches[6 * k + 5]!];
      for (let i = 0; i < 6; i++) sum[i]! += wrenches[6 * k + i]!;
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
    if (!layout.frames.some((own) => own.body === frame.body)) return [];
    const name = (part: string): string => `load.${frame.name}.${part}`;
    const derived: readonly (readonly [string, string, (w: Float64Array) => number])[] = [
      ["compression", "N", (w) => Math.max(0, -w[3]!)],
      ["tension", "N", (w) => Math.max(0, w[3]!)],
      ["shear", "N", (w) => hypotenuse(w[4]!, w[5]!)],
      ["bending", "N m", (w) => hypotenuse(w[1]!, w[2]!)],
      ["torsion", "N m", (w) => Math.abs(w[0]!)],
    ];
    return [
      ...PARTS.map((part, k): LoadChannel => ({ name: name(part), unit: k < 3 ? "N m" : "N", read: () => loadAt(f)[k]! })),
      ...derived.map(([part, unit, of]): LoadChannel => ({ name: name(part), unit, read: () => of(loadAt(f)) })),
    ];
  });
  const see = (poses: Float64Array, wrenches: Float64Array): void => {
    now.poses = poses;
    now.wrenches = wrenches;
    at = -1;
  };
  return { channels, see };
}
