/**
 * What a rover can cross: a plane is fitted to the heights around each cell; its slope, and how far heights stand out from it, say
 * whether a wheel gets over. Cells without a full window of known heights are not crossed.
 */
import type { HeightGrid } from "../ground/heightmap.ts";

export interface TraversabilityLimits {
  /** Half the side of the square window, in cells. */
  readonly window?: number;
  /** Steepest slope, rad. */
  readonly slope?: number;
  /** Largest distance of a height from the plane, m: steps and stones. */
  readonly step?: number;
}

export const LIMITS = { window: 2, slope: (20 * Math.PI) / 180, step: 0.05 } as const;

export interface TraversabilityMap {
  readonly grid: HeightGrid;
  /** Slope of the fitted plane, rad, and largest residual, m, by cell; NaN where the window is not complete. */
  readonly slope: Float64Array;
  readonly residual: Float64Array;
  /** 1 where the rover must not go. */
  readonly blocked: Uint8Array;
  readonly limits: Required<TraversabilityLimits>;
}

/** Cost: window² per cell. */
export function traversabilityOf(grid: HeightGrid, given: TraversabilityLimits = {}): TraversabilityMap {
  const limits = { ...LIMITS, ...given };
  const { columns, rows, heights, dx, dy } = grid;
  const slope = new Float64Array(columns * rows).fill(Number.NaN);
  const residual = new Float64Array(columns * rows).fill(Number.NaN);
  const blocked = new Uint8Array(columns * rows).fill(1);
  const w = limits.window;
  const side = 2 * w + 1;
  // On a full symmetric window the normal equations are diagonal: Σ i = Σ j = Σ i j = 0, Σ i² = side w (w + 1) (2w + 1) / 3.
  const squares = (side * w * (w + 1) * (2 * w + 1)) / 3;
  for (let j = w; j < rows - w; j++)
    for (let i = w; i < columns - w; i++) {
      let [sum, sumX, sumY] = [0, 0, 0];
      for (let b = -w; b <= w; b++)
        for (let a = -w; a <= w; a++) {
          const z = heights[(j + b) * columns + i + a]!;
          sum += z;
          sumX += a * z;
          sumY += b * z;
        }
      const [mean, gx, gy] = [sum / (side * side), sumX / squares, sumY / squares];
      let worst = 0;
      for (let b = -w; b <= w; b++)
        for (let a = -w; a <= w; a++)
          worst = Math.max(worst, Math.abs(heights[(j + b) * columns + i + a]! - mean - gx * a - gy * b));
      const at = j * columns + i;
      slope[at] = Math.atan(Math.hypot(gx / dx, gy / dy));
      residual[at] = Number.isNaN(sum) ? Number.NaN : worst;
      // Written so that what is not known blocks.
      blocked[at] = slope[at]! <= limits.slope && residual[at]! <= limits.step ? 0 : 1;
    }
  return { grid, slope, residual, blocked, limits };
}
