/** A path on the ground from point to point: projection of a position onto it (path length and cross-track error). */
import { ArgumentError } from "../../errors.ts";
import { arctangent } from "../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";

export interface GroundPath {
  /** x and y of the points in turn. */
  readonly points: Float64Array;
  /** Path length from the start to each point, m. */
  readonly lengths: Float64Array;
}

export interface PathProjection {
  /** Path length of the nearest point, m. */
  arcLength: number;
  /** Distance to the left of the path, m. */
  crossTrackError: number;
  /** Direction of the path there, rad. */
  heading: number;
}

/** @throws ArgumentError for fewer than two points, or for equal successive points. */
export function groundPath(points: readonly (readonly [number, number])[]): GroundPath {
  if (points.length < 2) throw new ArgumentError("points", `a path needs at least two points, got ${points.length}`);
  const lengths = new Float64Array(points.length);
  for (let i = 1; i < points.length; i++) {
    const step = hypotenuse(points[i]![0] - points[i - 1]![0], points[i]![1] - points[i - 1]![1]);
    if (!(step > 0)) throw new ArgumentError(`points[${i}]`, `points ${i} and ${i + 1} of the path are the same`);
    lengths[i] = lengths[i - 1]! + step;
  }
  return { points: Float64Array.from(points.flat()), lengths };
}

/** A path that takes a new course: the piece of `path` between two path lengths, followed by the given points. */
export function spliceGroundPath(
  path: GroundPath,
  from: number,
  to: number,
  added: readonly (readonly [number, number])[],
): GroundPath {
  const { points: oldPoints, lengths } = path;
  const end = new Float64Array(2);
  const pointAt = (along: number): readonly [number, number] => {
    pointAtLength(path, along, end);
    return [end[0]!, end[1]!];
  };
  const points: (readonly [number, number])[] = [pointAt(from)];
  for (let i = 0; i < lengths.length; i++)
    if (lengths[i]! > from + SAME_POINT && lengths[i]! < to - SAME_POINT) points.push([oldPoints[2 * i]!, oldPoints[2 * i + 1]!]);
  const all = [...points, pointAt(to), ...added];
  return groundPath(all.filter(([x, y], i) => i === 0 || hypotenuse(x - all[i - 1]![0], y - all[i - 1]![1]) > SAME_POINT));
}

/** Points closer than this count as equal, m. */
const SAME_POINT = 1e-9;

export const pathLength = ({ lengths }: GroundPath): number => lengths.at(-1)!;

/**
 * Projects (x, y) onto the path, between the path lengths `from` and `from + reach`. So a path that comes near itself is followed in order.
 * The first and last segments are extended beyond their ends.
 */
export function projectOntoPath(
  { points, lengths }: GroundPath,
  x: number,
  y: number,
  from: number,
  reach: number,
  out: PathProjection,
): void {
  let nearest = Number.POSITIVE_INFINITY;
  const last = lengths.length - 2;
  for (let i = 0; i <= last; i++) {
    if ((lengths[i + 1]! < from && i < last) || lengths[i]! > from + reach) continue;
    const ax = points[2 * i]!;
    const ay = points[2 * i + 1]!;
    const length = lengths[i + 1]! - lengths[i]!;
    const ux = (points[2 * i + 2]! - ax) / length;
    const uy = (points[2 * i + 3]! - ay) / length;
    let s = (x - ax) * ux + (y - ay) * uy;
    if (i > 0 && s < 0) s = 0;
    if (i < last && s > length) s = length;
    const distance = hypotenuse(x - ax - s * ux, y - ay - s * uy);
    if (!(distance < nearest)) continue;
    nearest = distance;
    out.arcLength = lengths[i]! + s;
    out.crossTrackError = ux * (y - ay) - uy * (x - ax);
    out.heading = arctangent(uy, ux);
  }
}

/** Writes the point at a path length to out[0] and out[1]. The path is extended straight beyond its ends. */
export function pointAtLength({ points, lengths }: GroundPath, along: number, out: Float64Array): void {
  let i = 0;
  while (i < lengths.length - 2 && lengths[i + 1]! < along) i++;
  const f = (along - lengths[i]!) / (lengths[i + 1]! - lengths[i]!);
  out[0] = points[2 * i]! + f * (points[2 * i + 2]! - points[2 * i]!);
  out[1] = points[2 * i + 1]! + f * (points[2 * i + 3]! - points[2 * i + 1]!);
}
