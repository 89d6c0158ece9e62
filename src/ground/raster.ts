/** A map of heights from a file, in map coordinates, and the window of it that becomes terrain. */
import type { HeightGrid } from "./heightmap.ts";

/** Posts (grid points) in rows from south to north, x running fastest, in metres of the map projection. */
export interface Raster {
  readonly columns: number;
  readonly rows: number;
  /** Map coordinates of the first post, and distances between posts, m. */
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  /** Heights, m. NaN: unknown. */
  readonly heights: Float64Array | Float32Array;
  /** Centre of the whole map; the raster may be a part of it. */
  readonly middle: readonly [number, number];
  /** Format and projection, for people. */
  readonly about: string;
}

/** Maximum number of posts, 8 bytes each. A larger map needs a window. */
export const MAX_POSTS = 16e6;

/** Treatment of unknown heights: "refuse" them, or take the height of the "nearest" known post. */
export const HOLE_FILLS = ["refuse", "nearest"] as const;
export type HoleFill = (typeof HOLE_FILLS)[number];

export interface MapWindow {
  /** Map coordinates of the new origin; the centre of the map if not given. */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** Sides of the window, centred at the origin; the whole map if not given. */
  readonly length?: number | undefined;
  readonly width?: number | undefined;
  /** Height in the map that becomes zero; the height at the origin if not given. */
  readonly height?: number | undefined;
  readonly fill: HoleFill;
}

export interface MapProblem {
  readonly message: string;
  readonly advice: string;
}

export const isMapProblem = (result: object): result is MapProblem => "advice" in result;

/** The window of a map as a height grid about the origin, or the reason why that is impossible. */
export function heightGridFromRaster(raster: Raster, window: MapWindow): HeightGrid | MapProblem {
  const { dx, dy } = raster;
  const range = windowPosts(raster, window);
  if (isMapProblem(range)) return range;
  const { first, last, origin } = range;
  const [columns, rows] = [last[0] - first[0] + 1, last[1] - first[1] + 1];
  const heights = new Float64Array(columns * rows);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) heights[j * columns + i] = raster.heights[(first[1] + j) * raster.columns + first[0] + i]!;
  const holes = countHoles(heights, columns);
  if (holes.count === heights.length)
    return { message: "all heights in the window are unknown", advice: "Choose another window" };
  if (holes.count > 0 && window.fill === "refuse") {
    const [x, y] = [raster.x + (first[0] + holes.i) * dx, raster.y + (first[1] + holes.j) * dy];
    return {
      message:
        `${holes.count} of ${heights.length} heights in the window are unknown, the first in column ${first[0] + holes.i}, row ` +
        `${first[1] + holes.j} from the south (map x = ${formatCoordinate(x)} m, y = ${formatCoordinate(y)} m)`,
      advice: "Choose another window, or write fill: nearest",
    };
  }
  if (holes.count > 0) fillNearest(heights, columns, rows);
  const originIndex =
    Math.round((origin[1] - raster.y) / dy - first[1]) * columns + Math.round((origin[0] - raster.x) / dx - first[0]);
  const zeroHeight = window.height ?? heights[originIndex]!;
  for (let k = 0; k < heights.length; k++) heights[k]! -= zeroHeight;
  const shiftedStart = (axis: 0 | 1, from: number, step: number): number => from + first[axis] * step - origin[axis];
  return { heights, columns, rows, x: shiftedStart(0, raster.x, dx), y: shiftedStart(1, raster.y, dy), dx, dy };
}

const formatCoordinate = (v: number): string => String(+v.toPrecision(9));

interface PostRange {
  readonly first: readonly [number, number];
  readonly last: readonly [number, number];
  readonly origin: readonly [number, number];
}

/** The posts of a window, plus one more on each side if the map has it, because the surface is bicubic. */
export function windowPosts(raster: Omit<Raster, "heights">, window: MapWindow): PostRange | MapProblem {
  const { columns, rows, x, y, dx, dy } = raster;
  const origin = [window.x ?? raster.middle[0], window.y ?? raster.middle[1]] as const;
  const extent = `the map goes from x = ${formatCoordinate(x)} to ${formatCoordinate(x + (columns - 1) * dx)} m and from y = ${formatCoordinate(y)} to ${formatCoordinate(y + (rows - 1) * dy)} m`;
  const range = (from: number, step: number, count: number, middle: number, size: number | undefined): [number, number] => {
    if (size === undefined) return [0, count - 1];
    const index = (v: number): number => (v - from) / step;
    const low = Math.floor(index(middle - size / 2) + 1e-9) - 1;
    const high = Math.ceil(index(middle + size / 2) - 1e-9) + 1;
    // The extra post is dropped at the border of the map.
    return [low === -1 ? 0 : low, high === count ? count - 1 : high];
  };
  const [i0, i1] = range(x, dx, columns, origin[0], window.length);
  const [j0, j1] = range(y, dy, rows, origin[1], window.width);
  const inside = (v: number, from: number, step: number, count: number): boolean => v >= from && v <= from + (count - 1) * step;
  if (!inside(origin[0], x, dx, columns) || !inside(origin[1], y, dy, rows))
    return {
      message: `the origin x = ${formatCoordinate(origin[0])} m, y = ${formatCoordinate(origin[1])} m is outside the map`,
      advice: `In map coordinates: ${extent}`,
    };
  if (i0 < 0 || j0 < 0 || i1 >= columns || j1 >= rows)
    return { message: "the window reaches beyond the map", advice: `Make it smaller or move it: ${extent}` };
  if (i1 - i0 < 1 || j1 - j0 < 1)
    return {
      message: "the window has fewer than two posts per side",
      advice: `Make it larger: posts are ${formatCoordinate(dx)} m apart`,
    };
  const posts = (i1 - i0 + 1) * (j1 - j0 + 1);
  if (posts > MAX_POSTS)
    return {
      message: `the window has ${posts} heights; the maximum is ${MAX_POSTS}`,
      advice: "Give a smaller length and width around the area of interest",
    };
  return { first: [i0, j0], last: [i1, j1], origin };
}

/** The centre of a map. */
export const rasterCentre = ({ columns, rows, x, y, dx, dy }: Omit<Raster, "heights" | "about" | "middle">): [number, number] => [
  x + ((columns - 1) / 2) * dx,
  y + ((rows - 1) / 2) * dy,
];

/** The number of unknown heights, and column i and row j of the first. */
export function countHoles(heights: Float64Array | Float32Array, columns: number): { count: number; i: number; j: number } {
  const holes = { count: 0, i: 0, j: 0 };
  for (let k = 0; k < heights.length; k++) {
    if (!Number.isNaN(heights[k]!)) continue;
    if (holes.count++ > 0) continue;
    holes.i = k % columns;
    holes.j = (k - holes.i) / columns;
  }
  return holes;
}

/** Gives every hole the height of the nearest known post, by number of steps to neighbours; among equals the first in order. */
function fillNearest(heights: Float64Array, columns: number, rows: number): void {
  let front: number[] = [];
  for (let k = 0; k < heights.length; k++) {
    if (Number.isNaN(heights[k]!)) continue;
    const i = k % columns;
    const isHole = (index: number, exists: boolean): boolean => exists && Number.isNaN(heights[index]!);
    const [left, right] = [isHole(k - 1, i > 0), isHole(k + 1, i < columns - 1)];
    if (left || right || isHole(k - columns, k >= columns) || isHole(k + columns, k < heights.length - columns)) front.push(k);
  }
  while (front.length > 0) {
    const next: number[] = [];
    for (const k of front) {
      const i = k % columns;
      const j = (k - i) / columns;
      const spread = (to: number): void => {
        if (!Number.isNaN(heights[to]!)) return;
        heights[to] = heights[k]!;
        next.push(to);
      };
      if (i > 0) spread(k - 1);
      if (i < columns - 1) spread(k + 1);
      if (j > 0) spread(k - columns);
      if (j < rows - 1) spread(k + columns);
    }
    front = next;
  }
}
