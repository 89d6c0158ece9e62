/** Domains and ticks of plot axes. */
import { checkList, checkPositive } from "../../arguments.ts";

export interface AxisScale {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
}

/** A step of 1, 2 or 5 times a power of ten, such that about `count` steps fit into the span. */
export function roundStep(span: number, count: number): number {
  const rough = span / count;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const ratio = rough / ten;
  return (ratio > 7.07 ? 10 : ratio > 3.16 ? 5 : ratio > 1.41 ? 2 : 1) * ten;
}

/** Ticks inside the domain, at multiples of a round step. */
export function ticksBetween(low: number, high: number, count: number): number[] {
  const step = roundStep(high - low, count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => exactMultiple(first + i, step));
}

/** n * step without rounding noise: 3 * 0.1 is 0.3, not 0.30000000000000004. */
const exactMultiple = (n: number, step: number): number => Number((n * step).toPrecision(15));

/** Relative changes below this are rounding errors; such a line is drawn flat. */
const ROUNDING = 1e-13;

/** Smallest and largest value of all columns; NaN is ignored. */
export function extentOf(columns: readonly Float64Array[]): readonly [number, number] | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const column of columns)
    for (const x of column) {
      if (x < low) low = x;
      if (x > high) high = x;
    }
  return low <= high ? [low, high] : undefined;
}

function checkScale(columns: unknown, count: unknown): void {
  checkList("columns", columns, "columns of numbers");
  checkPositive("count", count);
}

/** A domain that contains all values and begins and ends at a tick. */
export function valueScale(columns: readonly Float64Array[], count: number): AxisScale {
  checkScale(columns, count);
  let [low, high] = extentOf(columns) ?? [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= ROUNDING * size) {
    const room = size === 0 ? 1 : 0.1 * size;
    [low, high] = [low - room, high + room];
  }
  const step = roundStep(high - low, count);
  const domain = [
    exactMultiple(Math.floor(low / step + 1e-9), step),
    exactMultiple(Math.ceil(high / step - 1e-9), step),
  ] as const;
  return { domain, ticks: ticksBetween(...domain, count) };
}

/** A logarithmic domain of whole decades, at most fourteen below the largest value. */
export function decadeScale(columns: readonly Float64Array[], count: number): AxisScale {
  checkScale(columns, count);
  const [low, high] = extentOf(columns) ?? [1, 10];
  const top = Math.ceil(Math.log10(high) - 1e-9);
  const bottom = Math.max(top - 14, Math.min(top - 1, Math.floor(Math.log10(low) + 1e-9)));
  const stride = Math.ceil((top - bottom) / count);
  const ticks: number[] = [];
  for (let p = bottom; p <= top; p += stride) ticks.push(Number(`1e${p}`));
  return { domain: [Number(`1e${bottom}`), Number(`1e${top}`)], ticks };
}
