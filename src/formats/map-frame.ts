/** What readers of maps share: where a map is, which part of it to read, and how it is refused. */

import { ModelError } from "../errors.ts";
import { isMapProblem, type MapWindow, type Raster, windowPosts } from "../ground/raster.ts";

export interface MapFiles {
  /** Bytes of a file by its path. @throws ModelError if there is none. */
  bytes(path: string): Uint8Array;
}

/** Where and how large a map is, before its heights are read. */
export type MapFrame = Omit<Raster, "heights">;

/** The heights that readers have to fetch: all of them, or posts from `first` to `last`. */
export interface PostsToRead {
  readonly first: readonly [number, number];
  readonly last: readonly [number, number];
}

export const mapError = (path: string, message: string, advice: string): ModelError =>
  new ModelError(path, [{ path: "", message, advice }]);

/**
 * Which posts to read: all, or the window where one is given that the map has. A window that does not fit is refused with better words
 * by whoever asked for it, and needs no heights.
 */
export function postsToRead(frame: MapFrame, path: string, window: MapWindow | undefined): PostsToRead {
  const box = windowPosts(frame, window ?? { fill: "refuse" });
  if (isMapProblem(box)) throw mapError(path, box.message, box.advice);
  return box;
}

/** The raster of a part of a map, to be filled. */
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

/** Sizes that a header may claim. */
export function checkMapSize(columns: number, rows: number, path: string): void {
  const isCount = (n: number): boolean => Number.isInteger(n) && n >= 2 && n <= 1e7;
  if (isCount(columns) && isCount(rows)) return;
  throw mapError(
    path,
    `says that it has ${columns} x ${rows} heights`,
    "A map has 2 to 10,000,000 heights a side: the file is damaged",
  );
}
