/** Two campaigns with common random numbers, compared case by case: the differences have far less scatter than the results. */
import { studentQuantile } from "../math/statistics/student.ts";
import { upperQuantile } from "./random/normal.ts";
import type { CaseRow } from "./run-case.ts";
import { binomialCdf } from "./statistics/tolerance.ts";
import type { Interval } from "./statistics/wilson.ts";

export interface MeasureDifference extends Interval {
  readonly name: string;
  /** Number of cases that have a value in both. */
  readonly count: number;
  /** Mean of second less first; `low` and `high` are its 95 % interval. */
  readonly mean: number;
  /** The case with the largest difference in size. */
  readonly largest: { readonly value: number; readonly case: number };
}

export interface CampaignComparison {
  /** Number of cases that are valid in both. */
  readonly count: number;
  /** Cases that passed only in the first, and only in the second. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Probability of a split at least as uneven if both were equally good (exact test of McNemar). */
  readonly chance: number;
  readonly measures: readonly MeasureDifference[];
}

/** @param names measures of both campaigns @param first, second rows of each, and the index of each measure in them */
export function compareRows(
  names: readonly string[],
  first: ReadonlyMap<number, CaseRow>,
  second: ReadonlyMap<number, CaseRow>,
  indices: readonly (readonly [number, number])[],
): CampaignComparison {
  const pairs = [...first].flatMap(([index, a]) => {
    const b = second.get(index);
    return b && a.status !== "invalid" && b.status !== "invalid" ? [{ index, a, b }] : [];
  });
  const onlyFirst = pairs.filter(({ a, b }) => a.status === "passed" && b.status === "failed").length;
  const onlySecond = pairs.filter(({ a, b }) => a.status === "failed" && b.status === "passed").length;
  const uneven = onlyFirst + onlySecond;
  return {
    count: pairs.length,
    onlyFirst,
    onlySecond,
    chance: uneven === 0 ? 1 : Math.min(1, 2 * binomialCdf(Math.min(onlyFirst, onlySecond), uneven, 0.5)),
    measures: names.map((name, m) => {
      const [i, j] = indices[m]!;
      const differences = pairs.flatMap(({ index, a, b }) => {
        const [x, y] = [a.measures[i] ?? null, b.measures[j] ?? null];
        return x === null || y === null ? [] : [{ value: y - x, case: index }];
      });
      return differenceOf(name, differences);
    }),
  };
}

function differenceOf(
  name: string,
  differences: readonly { readonly value: number; readonly case: number }[],
): MeasureDifference {
  const n = differences.length;
  const mean = differences.reduce((sum, d) => sum + d.value, 0) / n;
  const variance = differences.reduce((sum, d) => sum + (d.value - mean) ** 2, 0) / (n - 1);
  // Student's t for few cases; for many it is the normal distribution.
  const factor = n > 1000 ? upperQuantile(0.025) : n > 1 ? studentQuantile(0.95, n - 1) : Number.POSITIVE_INFINITY;
  const half = n > 1 ? factor * Math.sqrt(variance / n) : Number.POSITIVE_INFINITY;
  const largest = differences.reduce((best, d) => (Math.abs(d.value) > Math.abs(best.value) ? d : best), { value: 0, case: -1 });
  return { name, count: n, mean: n === 0 ? Number.NaN : mean, low: mean - half, high: mean + half, largest };
}
