/** The convex hull of points as a polytope with planar faces. */
import { ArgumentError } from "../../errors.ts";
import { mergeTriangles } from "./merge-triangles.ts";
import { LARGEST_GRID_COORDINATE } from "./orientation.ts";
import { type Point3, type Polytope, polytope } from "./polytope.ts";
import { triangleHull } from "./triangle-hull.ts";

/** Largest number of points of a hull. */
export const MOST_HULL_POINTS = 100_000;

/**
 * Thickness of planes relative to the size of the points. Triangles of one plane are one face, also if the points are rounded to single
 * precision, as in STL files. Points that are less than this outside of all planes are left out.
 */
export const HULL_TOLERANCE = 1e-6;

/** The reason why points have no hull, and what to do; undefined if they have one. */
export function hullProblem(points: readonly Point3[]): { readonly message: string; readonly advice: string } | undefined {
  if (points.length < 4)
    return {
      message: `a hull needs at least 4 points, these are ${points.length}`,
      advice: "Add points that are not in one plane",
    };
  if (points.length > MOST_HULL_POINTS)
    return { message: `at most ${MOST_HULL_POINTS} points, these are ${points.length}`, advice: "Use a coarser mesh" };
  const bad = points.findIndex((p) => !p.every(Number.isFinite));
  if (bad >= 0) return { message: `point ${bad + 1} is [${points[bad]!.join(", ")}]`, advice: "Use finite numbers" };
  const start = startOf(points);
  if (typeof start !== "string") return undefined;
  return { message: `all points are ${start}, so their hull has no volume`, advice: "Add points outside of it" };
}

/**
 * The convex hull. Planes have a thickness of HULL_TOLERANCE times the size of the points.
 * @throws ArgumentError if the points have no hull (`hullProblem`)
 */
export function convexHull(points: readonly Point3[]): Polytope {
  const problem = hullProblem(points);
  if (problem) throw new ArgumentError("points", `${problem.message}. ${problem.advice}`);
  const start = startOf(points) as readonly [number, number, number, number];
  const { centre, size } = extentOf(points);
  // Whole numbers have exact differences, which exact tests need. The rounding is below that of the coordinates themselves.
  const scale = LARGEST_GRID_COORDINATE / size;
  const grid = Float64Array.from(points.flatMap((p) => p.map((x, i) => Math.round((x - centre[i]!) * scale))));
  const triangles = triangleHull(grid, start, HULL_TOLERANCE * size * scale);
  const faces = mergeTriangles(points, triangles, HULL_TOLERANCE * size);
  const used = [...new Set(faces.flat())].sort((a, b) => a - b);
  const index = new Map(used.map((point, i) => [point, i]));
  return polytope(
    used.map((point) => points[point]!),
    faces.map((face) => face.map((point) => index.get(point)!)),
  );
}

/** Middle of the box around the points, and its longest edge. */
function extentOf(points: readonly Point3[]): { readonly centre: Point3; readonly size: number } {
  const low: [number, number, number] = [...points[0]!];
  const high: [number, number, number] = [...points[0]!];
  for (const p of points)
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i]!, p[i]!);
      high[i] = Math.max(high[i]!, p[i]!);
    }
  const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return { centre: [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])], size };
}

/** Four corners of the hull that are not in one plane; where all points are, if there are none. */
function startOf(points: readonly Point3[]): readonly [number, number, number, number] | string {
  const { centre, size } = extentOf(points);
  const farthest = (distance: (p: Point3) => number): readonly [number, number] => {
    let best = 0;
    let largest = Number.NEGATIVE_INFINITY;
    for (const [i, p] of points.entries()) {
      const d = distance(p);
      if (d > largest) [largest, best] = [d, i];
    }
    return [best, largest];
  };
  const from = (o: Point3, p: Point3): Point3 => [p[0] - o[0], p[1] - o[1], p[2] - o[2]];
  const [a] = farthest((p) => norm(from(centre, p)));
  const origin = points[a]!;
  const [b, length] = farthest((p) => norm(from(origin, p)));
  // Coordinates of points that are equal within their rounding.
  if (!(length > 4 * Number.EPSILON * largestCoordinate(points))) return `at [${origin.join(", ")}]`;
  const along = from(origin, points[b]!);
  const [c, width] = farthest((p) => norm(cross(along, from(origin, p))) / length);
  if (!(width > HULL_TOLERANCE * size)) return "on one line";
  const normal = cross(along, from(origin, points[c]!));
  const [d, height] = farthest((p) => Math.abs(dot(normal, from(origin, p))) / (length * width));
  return height > HULL_TOLERANCE * size ? [a, b, c, d] : "in one plane";
}

const largestCoordinate = (points: readonly Point3[]): number =>
  points.reduce((largest, p) => Math.max(largest, Math.abs(p[0]), Math.abs(p[1]), Math.abs(p[2])), 0);
const dot = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point3, b: Point3): Point3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (v: Point3): number => Math.sqrt(dot(v, v));
