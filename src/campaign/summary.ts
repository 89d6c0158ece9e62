/** Summary of a campaign from its store: counts, the probability of success, and the distribution of each measure. */
import type { Campaign } from "./campaign.ts";
import { casesNeeded } from "./fill.ts";
import type { CaseStatus } from "./run-case.ts";
import { sampleQuantile } from "./statistics/quantile.ts";
import { type Interval, wilsonInterval } from "./statistics/wilson.ts";
import type { CaseStore } from "./store/store.ts";

export interface MeasureSummary {
  readonly name: string;
  readonly unit: string;
  /** Number of valid cases that have a value. */
  readonly count: number;
  readonly mean: number;
  /** Standard deviation of the cases. */
  readonly deviation: number;
  readonly least: { readonly value: number; readonly case: number };
  readonly most: { readonly value: number; readonly case: number };
  /** Quantiles by probability. */
  readonly quantiles: Readonly<Record<string, number>>;
}

export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
  /** The first case. */
  readonly case: number;
}

export interface CampaignSummary {
  /** Cases that count, and cases of them that are in the store. */
  readonly cases: number;
  readonly done: number;
  readonly counts: Readonly<Record<CaseStatus, number>>;
  /** Fraction of valid cases that have passed, with its 95 % Wilson interval; undefined without criteria or valid cases. */
  readonly probability?: Interval & { readonly value: number };
  readonly measures: readonly MeasureSummary[];
  /** Reasons of failed and of invalid cases, most frequent first. */
  readonly failed: readonly ReasonCount[];
  readonly invalid: readonly ReasonCount[];
  /** Sum of the times of all cases, s. */
  readonly seconds: number;
}

export const QUANTILES: readonly number[] = [0.01, 0.05, 0.5, 0.95, 0.99];

/** Values of a measure that grow without a list of boxed numbers. */
class GrowingValues {
  #values = new Float64Array(1024);
  count = 0;
  sum = 0;
  squares = 0;
  least = { value: Number.POSITIVE_INFINITY, case: -1 };
  most = { value: Number.NEGATIVE_INFINITY, case: -1 };

  add(value: number, index: number): void {
    if (this.count === this.#values.length) {
      const wider = new Float64Array(2 * this.count);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.count++] = value;
    const change = value - this.sum;
    this.sum += change / this.count; // running mean [Welford]
    this.squares += change * (value - this.sum);
    if (value < this.least.value) this.least = { value, case: index };
    if (value > this.most.value) this.most = { value, case: index };
  }

  sorted(): Float64Array {
    return this.#values.slice(0, this.count).sort();
  }
}

export async function summariseCampaign(store: CaseStore, campaign: Campaign): Promise<CampaignSummary> {
  const needed = (await casesNeeded(store, campaign)) ?? campaign.cases;
  const counts: Record<CaseStatus, number> = { passed: 0, failed: 0, invalid: 0 };
  const reasons = { failed: new Map<string, ReasonCount>(), invalid: new Map<string, ReasonCount>() };
  const values = campaign.measures.map(() => new GrowingValues());
  let seconds = 0;
  for await (const { cases, status, reasons: texts, seconds: times, measures } of store.blocks()) {
    let count = 0;
    while (count < cases.length && cases[count]! < needed) count++;
    for (let i = 0; i < count; i++) {
      const own = status[i]!;
      counts[own]++;
      seconds += times[i]!;
      if (own !== "passed") countReason(reasons[own], texts[i]!, cases[i]!);
    }
    for (const [k, column] of measures.entries())
      for (let i = 0; i < count; i++)
        if (status[i] !== "invalid" && !Number.isNaN(column[i]!)) values[k]!.add(column[i]!, cases[i]!);
  }
  const valid = counts.passed + counts.failed;
  const done = valid + counts.invalid;
  const hasCriteria = campaign.success.length > 0;
  return {
    cases: needed,
    done,
    counts,
    ...(hasCriteria && valid > 0 && { probability: { value: counts.passed / valid, ...wilsonInterval(counts.passed, valid) } }),
    measures: campaign.measures.map(({ name, unit }, i) => measureSummary(name, unit, values[i]!)),
    failed: mostFrequent(reasons.failed),
    invalid: mostFrequent(reasons.invalid),
    seconds,
  };
}

/** Largest number of different reasons that are counted one by one. */
const MAX_REASONS = 1000;

function countReason(reasons: Map<string, ReasonCount>, reason: string, index: number): void {
  const known = reasons.get(reason);
  if (known || reasons.size < MAX_REASONS)
    reasons.set(reason, { reason, count: (known?.count ?? 0) + 1, case: known?.case ?? index });
}

const mostFrequent = (reasons: ReadonlyMap<string, ReasonCount>): readonly ReasonCount[] =>
  [...reasons.values()].sort((a, b) => b.count - a.count || a.case - b.case);

function measureSummary(name: string, unit: string, values: GrowingValues): MeasureSummary {
  const sorted = values.sorted();
  const { count, sum: mean, squares, least, most } = values;
  return {
    name,
    unit,
    count,
    mean: count === 0 ? Number.NaN : mean,
    deviation: count < 2 ? Number.NaN : Math.sqrt(squares / (count - 1)),
    least: count === 0 ? { value: Number.NaN, case: -1 } : least,
    most: count === 0 ? { value: Number.NaN, case: -1 } : most,
    quantiles: Object.fromEntries(QUANTILES.map((p) => [String(p), sampleQuantile(sorted, p)])),
  };
}

/** Result of a campaign as a whole: "invalid" if cases are invalid or missing, "failed" if its requirement is not met. */
export function campaignVerdict(
  { require, success }: Campaign,
  { counts, probability, cases, done }: CampaignSummary,
): CaseStatus {
  if (counts.invalid > 0 || done < cases) return "invalid";
  if (success.length === 0) return "passed";
  if (!require) return counts.failed > 0 ? "failed" : "passed";
  const reached = probability === undefined ? 0 : require.proven ? probability.low : probability.value;
  return reached >= require.probability ? "passed" : "failed";
}
