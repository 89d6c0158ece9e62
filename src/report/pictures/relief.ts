/** Shaded relief of the ground with contour lines; the sun is in the upper left. Drawn as SVG paths, so that the file is small. */
import type { Terrain } from "../../ground/terrain.ts";
import { extentOf, roundStep, ticksBetween } from "../plots/axis-scale.ts";
import { ringsAbove, type ValueGrid } from "./contours.ts";

/** A rectangle of the ground, in metres. */
export interface GroundWindow {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly width: number;
}

export interface ReliefPicture {
  /** SVG that fills the window. */
  readonly svg: string;
  /** Lowest and highest ground, and the height between contour lines. Undefined if the ground is level or not known. */
  readonly heights?: readonly [number, number];
  readonly step?: number;
}

const CELLS = 110;
const SHADE_BANDS = 14;
const CONTOUR_LINES = 9;
/** Slopes are scaled for the shading such that the steepest become about this. */
const SHOWN_SLOPE = 0.9;
/** Ground with a smaller height difference is level, m. */
const LEVEL_GROUND = 1e-4;
const SUN = [-0.5, 0.5, Math.SQRT1_2] as const;
const [SHADOW, LIT] = [
  [112, 99, 84],
  [246, 239, 226],
] as const;
const PLAIN_COLOUR = shade(0.72);
const UNKNOWN_COLOUR = "#8a8f96";

/** @param project from metres to pixels */
export function drawRelief(
  terrain: Terrain,
  window: GroundWindow,
  project: (x: number, y: number) => readonly [number, number],
): ReliefPicture {
  const cell = Math.max(window.length, window.width) / CELLS;
  const columns = Math.max(2, Math.round(window.length / cell) + 1);
  const rows = Math.max(2, Math.round(window.width / cell) + 1);
  const [dx, dy] = [window.length / (columns - 1), window.width / (rows - 1)];
  const [heights, slopesX, slopesY] = [0, 1, 2].map(() => new Float64Array(columns * rows)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const out = new Float64Array(3);
  for (let k = 0; k < heights.length; k++) {
    terrain.sample(window.x + (k % columns) * dx, window.y + Math.floor(k / columns) * dy, out);
    [heights[k], slopesX[k], slopesY[k]] = [out[0]!, out[1]!, out[2]!];
  }
  const [low, high] = extentOf([heights]) ?? [0, 0];
  const path = (grid: ValueGrid, level: number): string =>
    ringsAbove(grid, level)
      .map((ring) => {
        let d = "";
        for (let k = 0; k < ring.length; k += 2) {
          const [px, py] = project(window.x + ring[k]! * dx, window.y + ring[k + 1]! * dy);
          d += `${k === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`;
        }
        return `${d}Z`;
      })
      .join("");
  const knownGround = { values: heights.map((z) => (Number.isFinite(z) ? 1 : Number.NaN)), columns, rows };
  const ground = `<path d="${path({ values: new Float64Array(columns * rows), columns, rows }, 0)}" fill="${UNKNOWN_COLOUR}"/><path d="${path(knownGround, 0)}" fill="${PLAIN_COLOUR}"/>`;
  if (!(high - low > LEVEL_GROUND)) return { svg: ground };

  const sizes = slopesX
    .map((a, k) => Math.hypot(a, slopesY[k]!))
    .filter(Number.isFinite)
    .sort();
  const slopeFactor = Math.min(4, SHOWN_SLOPE / Math.max(sizes[Math.floor(0.98 * (sizes.length - 1))]!, 1e-6));
  const light = slopesX.map((a, k) => {
    const [sx, sy] = [slopeFactor * a, slopeFactor * slopesY[k]!];
    return (SUN[2] - SUN[0] * sx - SUN[1] * sy) / Math.sqrt(1 + sx * sx + sy * sy);
  });
  const lights = { values: light, columns, rows };
  const [dark, bright] = extentOf([light])!;
  // A plane has the same brightness everywhere and needs no shading.
  const bands =
    bright - dark < 1e-3
      ? []
      : Array.from({ length: SHADE_BANDS }, (_, k) => {
          const level = dark + ((bright - dark) * k) / SHADE_BANDS;
          return `<path d="${path(lights, level)}" fill="${shade(Math.max(0, Math.min(1, level + (0.5 * (bright - dark)) / SHADE_BANDS)))}"/>`;
        });
  const levels = ticksBetween(low, high, CONTOUR_LINES);
  const lines = levels.map((level) => `<path d="${path({ values: heights, columns, rows }, level)}"/>`);
  return {
    svg: `<g fill-rule="evenodd">${ground}${bands.join("")}</g><g fill="none" stroke="#4b3f30" stroke-width="0.7" opacity="0.4">${lines.join("")}</g>`,
    heights: [low, high],
    step: roundStep(high - low, CONTOUR_LINES),
  };
}

function shade(light: number): string {
  return `#${SHADOW.map((dark, i) =>
    Math.round(dark + (LIT[i]! - dark) * light)
      .toString(16)
      .padStart(2, "0"),
  ).join("")}`;
}
