/** Common functions of map readers: frame of a map, range of posts to read, and errors. */

import { ModelError } from "../errors.ts";
import { isMapProblem, type MapWindow, type Raster, windowPosts } from "../ground/raster.ts";

export interface MapFiles {
  /** Bytes of a file by its path. @throws ModelError if there is none. */
  bytes(path: string): Uint8Array;
}

/** Position, size and spacing of a map, without its heights. */
export type MapFrame = Omit<Raster, "heights">;

/** The heights that readers have to fetch: all of them, or posts from `first` to `last`. */
export interface PostsToRead {
  readonly first: readonly [number, number];
  readonly last: readonly [number, number];
}

export const mapError = (path: string, message: string, advice: string): ModelError =>
  new ModelError(path, [{ path: "", message, advice }]);

/**
 * Range of posts to read: all, or a window within the map.
 * @throws ModelError for a window that does not fit
 */
export function postsToRead(frame: MapFrame, path: string, window: MapWindow | undefined): PostsToRead {
  const range = windowPosts(frame, window ?? { fill: "refuse" });
  if (isMapProblem(range)) throw mapError(path, range.message, range.advice);
  return range;
}

/** An empty raster for a range of posts of a map. */
export function emptyRaster(frame: MapFrame, { first, last }: PostsToRead): Raster & { readonly heights: Float64Array } {
  const [columns, rows] = [last[0] - first[0] + 1, last[1] - first[1] + 1];
  const { dx, dy, about, middle } = frame;
  return {
    columns,
    rows,
    x: frame.x + first[0] * dx,
    y: frame.y + first[1] * dy,
    dx,
    dy,
    about,
    middle,
    heights: new Float64Array(columns * rows),
  };
}

/** Refuses sizes in a header that no map has. */
export function checkMapSize(columns: number, rows: number, path: string): void {
  const isCount = (n: number): boolean => Number.isInteger(n) && n >= 2 && n <= 1e7;
  if (isCount(columns) && isCount(rows)) return;
  throw mapError(
    path,
    `has ${columns} x ${rows} heights according to its header`,
    "A map has 2 to 10,000,000 heights per side: the file is damaged",
  );
}

/** Refuses a height that overflows. */
export function checkHeight(height: number, path: string): void {
  if (!Number.isFinite(height))
    throw mapError(path, `has a height of ${height} m`, "Correct the scale and offset of the heights");
}
