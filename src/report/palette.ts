/**
 * Line colours that colour-blind people can distinguish: those of Okabe and Ito, ordered so that neighbours also differ in lightness, and
 * darkened or lightened until each has a contrast of 3 to its background. Further lines use the same colours with dashes.
 */
import type { Series } from "./report-data.ts";

export interface PlotPalette {
  readonly lines: readonly string[];
}

export const LIGHT: PlotPalette = { lines: ["#0072b2", "#d55e00", "#009e73", "#b0579a", "#c98500", "#3b9bd6", "#4d4d4d"] };
export const DARK: PlotPalette = { lines: ["#4aa8e8", "#ff8a3d", "#2fc79a", "#e08fc4", "#f0b429", "#9ad1f5", "#c8ccd2"] };

/** Dash patterns, in pixels of stroke and gap, one per round through the colours; an empty pattern is a solid line. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** Dashes of a measured curve: where it agrees with the simulated one below it, both are visible. */
export const MEASURED_DASH: readonly number[] = [2, 7];

export const lineColour = (palette: PlotPalette, line: number): string => palette.lines[line % palette.lines.length]!;

export const lineDash = (palette: PlotPalette, line: number): readonly number[] =>
  DASHES[Math.floor(line / palette.lines.length) % DASHES.length]!;

/** Dash pattern of a line of a plot. */
export const seriesDash = ({ values }: Pick<Series, "values">, line: number): readonly number[] =>
  values === undefined ? lineDash(LIGHT, line) : MEASURED_DASH;
