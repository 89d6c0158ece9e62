/** Picture of contact forces: the machine at the time of the largest total force, with an arrow at each contact point. */

import { bodyPoses } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import type { Log } from "../../log/log.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import type { DrawnForce } from "../../sim/system/force-element.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import type { Picture } from "../report-data.ts";
import { fitView, posturesSvg, strokesInWorld, strokesOf } from "./postures.ts";

/** Length of the longest arrow, relative to the extent of the picture. */
const LONGEST_ARROW = 0.25;

/** The picture, or undefined if the log has no contact force or not all coordinates. */
export function contactPicture(model: Model, log: Log, forces: readonly DrawnForce[]): Picture | undefined {
  const recorded = new Set(log.channels.map((c) => c.name));
  const coordinates = coordinateNames(model).q.map((name) => `q.${name}`);
  const there = forces.filter(({ point, force }) => [...point, ...force].every((name) => recorded.has(name)));
  if (there.length === 0 || !coordinates.every((name) => recorded.has(name))) return undefined;
  const read = (names: readonly string[], i: number): NumericVec3 =>
    names.map((name) => log.column(name)[i]!) as unknown as NumericVec3;
  const sizes = there.map(({ force }) => {
    const [x, y, z] = force.map((name) => log.column(name)) as [Float64Array, Float64Array, Float64Array];
    return Float64Array.from(x, (_, i) => Math.hypot(x[i]!, y[i]!, z[i]!));
  });
  let [sample, most] = [0, 0];
  for (let i = 0; i < log.length; i++) {
    const sum = sizes.reduce((total, size) => total + size[i]!, 0);
    if (sum > most) [sample, most] = [i, sum];
  }
  if (most === 0) return undefined;
  const kernel = compile(bodyPoses(model));
  for (const [i, name] of coordinates.entries()) kernel.x[i] = log.column(name)[sample]!;
  kernel.evaluate();
  const strokes = strokesInWorld(strokesOf(model), kernel.y);
  const acting = there.flatMap(({ point, force }, k) =>
    sizes[k]![sample]! > 0 ? [{ point: read(point, sample), force: read(force, sample) }] : [],
  );
  const machine = [...strokes.flatMap(({ from, to }) => [from, to]), ...acting.map(({ point }) => point)];
  const extent = Math.max(...[0, 1, 2].map((c) => rangeOf(machine.map((p) => p[c]!))), 1e-9);
  const longest = Math.max(...acting.map(({ force }) => Math.hypot(...force)));
  const arrows = acting.map(({ point, force }) => ({
    from: point,
    to: point.map((x, c) => x + ((LONGEST_ARROW * extent) / longest) * force[c]!) as unknown as NumericVec3,
  }));
  const view = fitView([...machine, ...arrows.map(({ to }) => to)]);
  const t = log.column("t")[sample]!;
  return {
    title: "Contact forces",
    about: `At ${roundedText(t)} s, when the total is largest: ${roundedText(most)} N in total, longest arrow ${roundedText(longest)} N. ${view.about}`,
    svg: posturesSvg([strokes], [], view, arrows),
  };
}

const rangeOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const roundedText = (value: number): string => String(Number(value.toPrecision(4)));
