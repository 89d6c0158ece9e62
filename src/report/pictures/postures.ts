/**
 * Picture of a motion: the machine as lines from hinge to hinge at a few times, earlier ones paler, and the paths of its named frames.
 * Drawn from the log alone, so it exists for every run that recorded all coordinates.
 */

import type { Log } from "../../log/log.ts";
import type { Model } from "../../model/model.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { minus } from "../../spatial/vec3.ts";
import { shortNumber } from "../numbers.ts";
import { roundStep } from "../plots/axis-scale.ts";
import type { Picture } from "../report-data.ts";
import { recordedPoses, worldPoint } from "./recorded-poses.ts";
import { centroid, distance, fitView, posturesSvg, strokesInWorld, strokesOf } from "./stick-figure.ts";

/** Approximate number of postures. */
const POSTURES = 5;
const TRAIL_POINTS = 1000;
const MAX_TRAILS = 6;
/** If the machine travels farther than this many times its size, each posture is centred. */
const FAR_TRAVEL = 8;

/** The picture, or undefined if the log does not contain all coordinates or the model has nothing to draw. */
export function posturePicture(model: Model, log: Log): Picture | undefined {
  const strokes = strokesOf(model);
  const posesAt = recordedPoses(model, log);
  if (log.length === 0 || posesAt === undefined || strokes.length === 0) return undefined;
  const time = log.column("t");
  const every = roundStep(Math.max(time.at(-1)! - time[0]!, 1e-9), POSTURES);
  const samples = samplesEvery(time, every);
  const postures = samples.map((sample) => strokesInWorld(strokes, posesAt(sample)));
  const trackedFrames = model.frames.slice(0, MAX_TRAILS);
  const count = Math.min(TRAIL_POINTS, log.length);
  const posesOverTime = Array.from({ length: trackedFrames.length > 0 ? count : 0 }, (_, k) =>
    posesAt(Math.round((k * (log.length - 1)) / Math.max(1, count - 1))),
  );
  const trails = trackedFrames.map(({ body, placement }) => posesOverTime.map((poses) => worldPoint(poses, body, placement.p)));
  const centres = postures.map((lines) => centroid(lines.flatMap(({ from, to }) => [from, to])));
  const size = Math.max(...postures.map((lines, k) => Math.max(...lines.map(({ to }) => distance(to, centres[k]!)))));
  const isFarTravel = Math.max(...centres.map((p) => distance(p, centres[0]!))) > FAR_TRAVEL * size;
  const shift = (k: number): NumericVec3 => (isFarTravel ? centres[k]! : [0, 0, 0]);
  const shiftedPostures = postures.map((lines, k) =>
    lines.map((line) => ({
      ...line,
      from: minus(line.from, shift(k)) as NumericVec3,
      to: minus(line.to, shift(k)) as NumericVec3,
    })),
  );
  const points = shiftedPostures.flatMap((lines) => lines.flatMap(({ from, to }) => [from, to]));
  const view = fitView([...points, ...(isFarTravel ? [] : trails.flat())]);
  const about = [
    `One posture every ${shortNumber(every, 4)} s${samples.length > 1 ? `; the last one, at ${shortNumber(time[samples.at(-1)!]!, 4)} s, is opaque` : ""}.`,
    ...(trails.length > 0 && !isFarTravel ? [`Thin lines: path of ${trackedFrames.map((f) => f.name).join(", ")}.`] : []),
    ...(isFarTravel ? ["Each posture is centred."] : []),
    view.about,
  ].join(" ");
  return { title: "Postures", about, svg: posturesSvg(shiftedPostures, isFarTravel ? [] : trails, view) };
}

/** First sample at or after each multiple of the step, and the last sample. */
function samplesEvery(time: Float64Array, every: number): number[] {
  const chosen: number[] = [];
  for (let k = 0; ; k++) {
    const t0 = time[0]! + k * every;
    const sample = time.findIndex((t) => t >= t0 - 1e-9 * Math.max(1, Math.abs(t0)));
    if (sample < 0) break;
    if (chosen.at(-1) !== sample) chosen.push(sample);
  }
  if (chosen.at(-1) !== time.length - 1 && time.at(-1)! - time[chosen.at(-1) ?? 0]! > 0.25 * every) chosen.push(time.length - 1);
  return chosen;
}
