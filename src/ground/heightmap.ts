/** Terrain from a grid of heights by bicubic interpolation (Catmull-Rom). Slopes are continuous, as wheels need it. */
import { checkCount, checkMembers, checkNumber, checkPositive } from "../arguments.ts";
import { ArgumentError, valueText } from "../errors.ts";
import { square } from "../math/elementary/power.ts";
import { checkTerrain, type Terrain } from "./terrain.ts";

export interface HeightGrid {
  /** Heights by rows of constant y, x running fastest, m. NaN: unknown. */
  readonly heights: Float64Array;
  readonly columns: number;
  readonly rows: number;
  /** Position of the first height, and distances between heights, m. */
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** @throws ArgumentError with the entry of the grid that is wrong */
export function checkGrid(grid: Omit<HeightGrid, "heights">): void {
  checkMembers("grid", grid, [], "an object with columns, rows, x, y, dx and dy");
  checkCount("grid.columns", grid.columns, 1);
  checkCount("grid.rows", grid.rows, 1);
  checkNumber("grid.x", grid.x);
  checkNumber("grid.y", grid.y);
  checkPositive("grid.dx", grid.dx);
  checkPositive("grid.dy", grid.dy);
}

/** Checks a grid with its heights, which may be NaN. @throws ArgumentError */
export function checkHeights(grid: HeightGrid): void {
  checkGrid(grid);
  const count = grid.columns * grid.rows;
  if (!(ArrayBuffer.isView(grid.heights) && grid.heights.length === count))
    throw new ArgumentError(
      "grid.heights",
      `must be a Float64Array of ${count} numbers (columns times rows), got ${grid.heights?.length ?? valueText(grid.heights)}`,
    );
}

/** Samples the heights of a terrain on a grid. */
export function gridOf(terrain: Terrain, grid: Omit<HeightGrid, "heights">): HeightGrid {
  checkTerrain(terrain);
  checkGrid(grid);
  const { columns, rows, x, y, dx, dy } = grid;
  const heights = new Float64Array(columns * rows);
  const out = new Float64Array(3);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      terrain.sample(x + i * dx, y + j * dy, out);
      heights[j * columns + i] = out[0]!;
    }
  return { heights, columns, rows, x, y, dx, dy };
}

/**
 * The surface through the heights. In the cells at the border, the missing neighbours are extrapolated linearly. Beyond the border, and if
 * one of the 16 heights around the point is unknown, the result is NaN.
 */
export function heightmap(grid: HeightGrid): Terrain {
  checkHeights(grid);
  const { heights, columns, rows, x: x0, y: y0, dx, dy } = grid;
  const wx = new Float64Array(8);
  const wy = new Float64Array(8);
  const value = (i: number, j: number): number => {
    // One row beyond the border: linear extrapolation.
    if (i < 0) return 2 * value(0, j) - value(1, j);
    if (i >= columns) return 2 * value(columns - 1, j) - value(columns - 2, j);
    if (j < 0) return 2 * value(i, 0) - value(i, 1);
    if (j >= rows) return 2 * value(i, rows - 1) - value(i, rows - 2);
    return heights[j * columns + i]!;
  };
  return {
    steepest: steepestOf(grid),
    sample(x, y, out) {
      const X = (x - x0) / dx;
      const Y = (y - y0) / dy;
      if (!(X >= 0 && X <= columns - 1 && Y >= 0 && Y <= rows - 1)) {
        out.fill(Number.NaN);
        return;
      }
      const i = Math.min(Math.floor(X), columns - 2);
      const j = Math.min(Math.floor(Y), rows - 2);
      weights(X - i, wx);
      weights(Y - j, wy);
      let z = 0;
      let zx = 0;
      let zy = 0;
      for (let b = 0; b < 4; b++) {
        let row = 0;
        let slope = 0;
        for (let a = 0; a < 4; a++) {
          const h = value(i + a - 1, j + b - 1);
          row += wx[a]! * h;
          slope += wx[4 + a]! * h;
        }
        z += wy[b]! * row;
        zx += wy[b]! * slope;
        zy += wy[4 + b]! * row;
      }
      out[0] = z;
      out[1] = zx / dx;
      out[2] = zy / dy;
    },
  };
}

/**
 * Upper bound of the slope of the surface. Along a row, the slope is a sum of three differences of heights with weights whose sizes add up
 * to 1.5 at most; across, those of four rows add up to 1.25 at most.
 */
function steepestOf({ heights, columns, rows, dx, dy }: HeightGrid): number {
  let alongX = 0;
  let alongY = 0;
  for (let k = 0; k < heights.length; k++) {
    const x = (k + 1) % columns === 0 ? 0 : Math.abs(heights[k + 1]! - heights[k]!);
    const y = k + columns < columns * rows ? Math.abs(heights[k + columns]! - heights[k]!) : 0;
    if (x > alongX) alongX = x;
    if (y > alongY) alongY = y;
  }
  return 1.5 * 1.25 * Math.sqrt(square(alongX / dx) + square(alongY / dy));
}

/** Weights of four consecutive heights at t in [0, 1] between the middle two, and the derivatives of the weights. */
function weights(t: number, w: Float64Array): void {
  const t2 = t * t;
  const t3 = t2 * t;
  w[0] = -0.5 * t + t2 - 0.5 * t3;
  w[1] = 1 - 2.5 * t2 + 1.5 * t3;
  w[2] = 0.5 * t + 2 * t2 - 1.5 * t3;
  w[3] = -0.5 * t2 + 0.5 * t3;
  w[4] = -0.5 + 2 * t - 1.5 * t2;
  w[5] = -5 * t + 4.5 * t2;
  w[6] = 0.5 + 4 * t - 4.5 * t2;
  w[7] = -t + 1.5 * t2;
}
