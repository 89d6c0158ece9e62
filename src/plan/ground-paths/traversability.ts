/**
 * Terrain that a rover can cross. A plane is fitted to the heights around each cell. Its slope and the largest residual decide whether a wheel
 * gets over it. Cells without a complete window of known heights are blocked.
 */
import { checkCount, checkOptions } from "../../arguments.ts";
import { checkHeights, type HeightGrid } from "../../ground/heightmap.ts";
import { arctangent } from "../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";

export interface TraversabilityLimits {
  /** Half side of the square window, in cells. */
  readonly window?: number;
  /** Steepest slope, rad. */
  readonly slope?: number;
  /** Largest distance of a height from the plane, m: steps and stones. */
  readonly step?: number;
}

export const DEFAULT_TRAVERSABILITY = { window: 2, slope: (20 * Math.PI) / 180, step: 0.05 } as const;

export interface TraversabilityMap {
  readonly grid: HeightGrid;
  /** Slope of the fitted plane, rad, and largest residual, m, by cell; NaN if the window is not complete. */
  readonly slope: Float64Array;
  readonly residual: Float64Array;
  /** 1 if the rover must not enter the cell. */
  readonly blocked: Uint8Array;
  readonly limits: Required<TraversabilityLimits>;
}

/**
 * Computes the map. The heights may be finer than the cells, `detail` of them per cell side, so that stones between cell centres are seen. Every
 * detail-th height is then the centre of a cell. Cost: (window × detail)² per cell.
 */
export function traversabilityOf(fine: HeightGrid, given: TraversabilityLimits = {}, detail = 1): TraversabilityMap {
  checkHeights(fine);
  checkOptions("limits", given, ["window", "slope", "step"]);
  checkCount("detail", detail, 1);
  const limits = { ...DEFAULT_TRAVERSABILITY, ...given };
  const grid = detail === 1 ? fine : cellCentres(fine, detail);
  const { columns, rows } = grid;
  const { heights, dx, dy } = fine;
  const slope = new Float64Array(columns * rows).fill(Number.NaN);
  const residual = new Float64Array(columns * rows).fill(Number.NaN);
  const blocked = new Uint8Array(columns * rows).fill(1);
  const half = limits.window * detail;
  const side = 2 * half + 1;
  // On a full symmetric window the normal equations are diagonal: Σ i = Σ j = Σ i j = 0, Σ i² = side w (w + 1) (2w + 1) / 3.
  const squares = (side * half * (half + 1) * (2 * half + 1)) / 3;
  for (let j = limits.window; j < rows - limits.window; j++)
    for (let i = limits.window; i < columns - limits.window; i++) {
      const middle = detail * (j * fine.columns + i);
      let [sum, sumX, sumY] = [0, 0, 0];
      for (let b = -half; b <= half; b++)
        for (let a = -half; a <= half; a++) {
          const z = heights[middle + b * fine.columns + a]!;
          sum += z;
          sumX += a * z;
          sumY += b * z;
        }
      const [mean, gx, gy] = [sum / (side * side), sumX / squares, sumY / squares];
      let worst = 0;
      for (let b = -half; b <= half; b++)
        for (let a = -half; a <= half; a++)
          worst = Math.max(worst, Math.abs(heights[middle + b * fine.columns + a]! - mean - gx * a - gy * b));
      const cell = j * columns + i;
      slope[cell] = arctangent(hypotenuse(gx / dx, gy / dy), 1);
      residual[cell] = Number.isNaN(sum) ? Number.NaN : worst;
      // Written so that NaN blocks the cell.
      blocked[cell] = slope[cell]! <= limits.slope && residual[cell]! <= limits.step ? 0 : 1;
    }
  return { grid, slope, residual, blocked, limits };
}

/** Every detail-th height along both axes. */
function cellCentres({ heights, columns, rows, x, y, dx, dy }: HeightGrid, detail: number): HeightGrid {
  const size = { columns: Math.floor((columns - 1) / detail) + 1, rows: Math.floor((rows - 1) / detail) + 1 };
  const centres = new Float64Array(size.columns * size.rows);
  for (let k = 0; k < centres.length; k++)
    centres[k] = heights[detail * (Math.floor(k / size.columns) * columns + (k % size.columns))]!;
  return { heights: centres, ...size, x, y, dx: detail * dx, dy: detail * dy };
}
