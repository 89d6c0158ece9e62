/** Plot data of the report page: columns packed as text, thinned if they are long. */
import type { Log } from "../../log/log.ts";
import { unitText } from "../numbers.ts";
import { seriesDash } from "../palette.ts";
import { extentOf } from "../plots/axis-scale.ts";
import { denseLines, plotData } from "../plots/plot-data.ts";
import type { Plot } from "../report-data.ts";

/** A column of numbers offset + scale * f, with f as base64 of little-endian floats. */
export interface PackedColumn {
  readonly bits: 32 | 64;
  readonly offset: number;
  readonly scale: number;
  readonly data: string;
}

export interface PagePlot {
  readonly unit: string;
  readonly logarithmic: boolean;
  /** Index into the columns. */
  readonly time: number;
  readonly series: readonly PageSeries[];
  readonly drawnSamples: number;
}

export interface PageSeries {
  readonly column: number;
  readonly dash: readonly number[];
  readonly dense: boolean;
  readonly isMeasured: boolean;
  /** Number of significant digits that show the changes of this series, at most MAX_DIGITS. */
  readonly digits: number;
}

export interface PageData {
  readonly timeUnit: string;
  readonly plots: readonly PagePlot[];
  readonly columns: readonly PackedColumn[];
}

/** Approximate number of values in all plots of a page; they take 800 kB of text. */
const NUMBERS_PER_PAGE = 150_000;
/** Maximum number of samples per plot, and minimum number: fewer samples would look rough. */
const MAX_SAMPLES = 6000;
const MIN_SAMPLES = 1000;
/** More digits of a value beside a line are noise. */
const MAX_DIGITS = 8;

export function pageData(log: Log, plots: readonly Plot[]): PageData {
  const total = plots.reduce((sum, { series }) => sum + series.length + 1, 0);
  const points = Math.max(MIN_SAMPLES, Math.min(MAX_SAMPLES, Math.floor(NUMBERS_PER_PAGE / Math.max(1, total))));
  const columns: PackedColumn[] = [];
  const indexByKey = new Map<string, number>();
  /** Index of the column. Plots of the same channel share one column if they show the same samples. */
  const columnIndex = (column: PackedColumn): number => {
    const key = `${column.offset} ${column.scale} ${column.data}`;
    const index = indexByKey.get(key) ?? columns.push(column) - 1;
    indexByKey.set(key, index);
    return index;
  };
  return {
    timeUnit: unitText(log.channels[0]?.unit ?? ""),
    plots: plots.map((plot): PagePlot => {
      const { time, columns: values } = plotData(log, plot, points);
      const dense = denseLines({ time, columns: values }, plot.scale === "log");
      return {
        unit: unitText(plot.unit),
        logarithmic: plot.scale === "log",
        time: columnIndex({ bits: 64, offset: 0, scale: 1, data: base64(Float64Array.from(time)) }),
        series: values.map((column, i) => ({
          column: columnIndex(packColumn(column)),
          dash: seriesDash(plot.series[i]!, i),
          dense: dense[i]!,
          isMeasured: plot.series[i]!.values !== undefined,
          digits: significantDigits(column),
        })),
        drawnSamples: time.length,
      };
    }),
    columns,
  };
}

/** Packs a column as 32-bit floats: half the size, with an error of 10⁻⁷ of the range of the column, which no screen resolves. */
export function packColumn(column: Float64Array): PackedColumn {
  const [low, high] = extentOf([column]) ?? [0, 0];
  // If the range contains zero, zero must stay exact. Far from zero, small changes must be kept: 75.2557 J ± 10⁻¹⁰.
  const offset = low <= 0 === high >= 0 ? 0 : Math.abs(low + high) / 2 > 10 * (high - low) ? low / 2 + high / 2 : 0;
  const scale = 2 ** Math.floor(Math.log2(Math.max(high - offset, offset - low) || 1)); // a power of two: 0.5 stays 0.5
  return { bits: 32, offset, scale, data: base64(Float32Array.from(column, (x) => (x - offset) / scale)) };
}

function significantDigits(column: Float64Array): number {
  const [low, high] = extentOf([column]) ?? [0, 0];
  const size = Math.max(Math.abs(low), Math.abs(high));
  return high > low ? Math.min(MAX_DIGITS, Math.max(5, Math.ceil(Math.log10(size / (high - low))) + 3)) : 6;
}

const base64 = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");
