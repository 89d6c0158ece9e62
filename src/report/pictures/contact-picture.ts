/** Picture of contact forces: the machine at the time of the largest total force, with an arrow at each contact point. */

import type { Log } from "../../log/log.ts";
import type { Model } from "../../model/model.ts";
import type { DrawnForce } from "../../sim/system/force-element.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { shortNumber } from "../numbers.ts";
import type { Picture } from "../report-data.ts";
import { recordedPoses } from "./recorded-poses.ts";
import { fitView, posturesSvg, strokesInWorld, strokesOf } from "./stick-figure.ts";

/** Length of the longest arrow, relative to the extent of the picture. */
const LONGEST_ARROW = 0.25;

/** The picture, or undefined if the log has no contact force or not all coordinates. */
export function contactPicture(model: Model, log: Log, forces: readonly DrawnForce[]): Picture | undefined {
  const recordedNames = new Set(log.channels.map((c) => c.name));
  const recordedForces = forces.filter(({ point, force }) => [...point, ...force].every((name) => recordedNames.has(name)));
  const posesAt = recordedPoses(model, log);
  if (recordedForces.length === 0 || posesAt === undefined) return undefined;
  const read = (names: readonly string[], i: number): NumericVec3 =>
    names.map((name) => log.column(name)[i]!) as unknown as NumericVec3;
  const sizes = recordedForces.map(({ force }) => {
    const [x, y, z] = force.map((name) => log.column(name)) as [Float64Array, Float64Array, Float64Array];
    return Float64Array.from(x, (_, i) => Math.hypot(x[i]!, y[i]!, z[i]!));
  });
  let [sample, largestTotal] = [0, 0];
  for (let i = 0; i < log.length; i++) {
    const sum = sizes.reduce((total, size) => total + size[i]!, 0);
    if (sum > largestTotal) [sample, largestTotal] = [i, sum];
  }
  if (largestTotal === 0) return undefined;
  const strokes = strokesInWorld(strokesOf(model), posesAt(sample));
  const activeForces = recordedForces.flatMap(({ point, force }, k) =>
    sizes[k]![sample]! > 0 ? [{ point: read(point, sample), force: read(force, sample) }] : [],
  );
  const points = [...strokes.flatMap(({ from, to }) => [from, to]), ...activeForces.map(({ point }) => point)];
  const extent = Math.max(...[0, 1, 2].map((c) => rangeOf(points.map((p) => p[c]!))), 1e-9);
  const longest = Math.max(...activeForces.map(({ force }) => Math.hypot(...force)));
  const arrows = activeForces.map(({ point, force }) => ({
    from: point,
    to: point.map((x, c) => x + ((LONGEST_ARROW * extent) / longest) * force[c]!) as unknown as NumericVec3,
  }));
  const view = fitView([...points, ...arrows.map(({ to }) => to)]);
  const t = log.column("t")[sample]!;
  return {
    title: "Contact forces",
    about: `At ${shortNumber(t, 4)} s, when the total is largest: ${shortNumber(largestTotal, 4)} N in total, longest arrow ${shortNumber(longest, 4)} N. ${view.about}`,
    svg: posturesSvg([strokes], [], view, arrows),
  };
}

const rangeOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
