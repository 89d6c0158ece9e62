/** Poses of all bodies from the coordinates in a log. */

import { bodyPoses } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import type { Log } from "../../log/log.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";

/** A point in a picture plane. */
export type PicturePoint = readonly [number, number];

/**
 * A function that returns the poses of all bodies at a sample, or between two: per body the rotation matrix by rows (9) and the position (3).
 * Returns undefined if the log does not contain all coordinates.
 */
export function recordedPoses(model: Model, log: Log): ((sample: number) => Float64Array) | undefined {
  const names = coordinateNames(model).q.map((name) => `q.${name}`);
  const recordedNames = new Set(log.channels.map((c) => c.name));
  if (!names.every((name) => recordedNames.has(name))) return undefined;
  const columns = names.map((name) => log.column(name));
  const kernel = compile(bodyPoses(model));
  return (sample) => {
    const [k, part] = [Math.floor(sample), sample - Math.floor(sample)];
    for (const [i, column] of columns.entries())
      kernel.x[i] = part === 0 ? column[k]! : (1 - part) * column[k]! + part * column[k + 1]!;
    kernel.evaluate();
    return kernel.y.slice();
  };
}

/** A point of a body in world axes, p_W = p_WB + R_WB p; `body` < 0 is the world. */
export const worldPoint = (poses: Float64Array, body: number, p: NumericVec3): NumericVec3 => {
  if (body < 0) return p;
  const start = 12 * body;
  const [x, y, z] = p;
  return [
    poses[start + 9]! + poses[start]! * x + poses[start + 1]! * y + poses[start + 2]! * z,
    poses[start + 10]! + poses[start + 3]! * x + poses[start + 4]! * y + poses[start + 5]! * z,
    poses[start + 11]! + poses[start + 6]! * x + poses[start + 7]! * y + poses[start + 8]! * z,
  ];
};
