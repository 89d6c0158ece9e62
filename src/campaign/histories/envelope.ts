/** Envelopes of histories: at each time the extremes over all cases, and quantiles of at most some thousand of them. */
import type { Campaign } from "../campaign.ts";
import { casesNeeded } from "../fill.ts";
import type { CaseStatus } from "../run-case.ts";
import { sampleQuantile } from "../statistics/quantile.ts";
import type { CaseStore } from "../store/store.ts";
import type { HistoryValues } from "./histories.ts";

export interface HistoryEnvelope {
  readonly name: string;
  readonly unit: string;
  readonly times: Float64Array;
  /** Number of valid cases. */
  readonly cases: number;
  /** Over all cases; NaN at times at which no case has a value. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** 5 %, 50 % and 95 % of the cases. */
  readonly low: Float64Array;
  readonly median: Float64Array;
  readonly high: Float64Array;
  /** The first cases that failed. */
  readonly failed: readonly { readonly case: number; readonly values: Float64Array }[];
}

/** Largest number of cases for quantiles, and of failed cases that are drawn. */
const MOST_CASES = 4000;
const MOST_FAILED = 20;

/** The envelope of one history, filled case by case. */
class EnvelopeBuilder {
  readonly #samples: number;
  readonly #least: Float64Array;
  readonly #most: Float64Array;
  #kept: Float64Array[] = [];
  readonly #failed: { readonly case: number; readonly values: Float64Array }[] = [];
  #cases = 0;
  /** Every so many cases are kept. */
  #stride = 1;

  constructor(samples: number) {
    this.#samples = samples;
    this.#least = new Float64Array(samples).fill(Number.NaN);
    this.#most = new Float64Array(samples).fill(Number.NaN);
  }

  add(index: number, status: CaseStatus, written: HistoryValues): void {
    const values = Float64Array.from({ length: this.#samples }, (_, i) => written[i] ?? Number.NaN);
    for (const [i, value] of values.entries()) {
      if (Number.isNaN(value)) continue;
      if (!(value >= this.#least[i]!)) this.#least[i] = value;
      if (!(value <= this.#most[i]!)) this.#most[i] = value;
    }
    if (this.#cases % this.#stride === 0) this.#kept.push(values);
    this.#cases++;
    if (this.#kept.length === MOST_CASES) {
      this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
      this.#stride *= 2;
    }
    if (status === "failed" && this.#failed.length < MOST_FAILED) this.#failed.push({ case: index, values });
  }

  envelope(name: string, unit: string, sample: number): HistoryEnvelope {
    const [low, median, high] = [0.05, 0.5, 0.95].map(() => new Float64Array(this.#samples)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let i = 0; i < this.#samples; i++) {
      const sorted = Float64Array.from(this.#kept, (values) => values[i]!)
        .filter((v) => !Number.isNaN(v))
        .sort();
      low[i] = sampleQuantile(sorted, 0.05);
      median[i] = sampleQuantile(sorted, 0.5);
      high[i] = sampleQuantile(sorted, 0.95);
    }
    const times = Float64Array.from({ length: this.#samples }, (_, i) => i * sample);
    const [least, most] = [this.#least, this.#most];
    return { name, unit, times, cases: this.#cases, least, most, low, median, high, failed: this.#failed };
  }
}

/** Envelopes of all histories of the valid cases that count. */
export async function readEnvelopes(store: CaseStore, campaign: Campaign): Promise<readonly HistoryEnvelope[]> {
  const { histories } = campaign;
  if (histories === undefined) return [];
  const needed = (await casesNeeded(store, campaign)) ?? campaign.cases;
  const builders = histories.list.map(() => new EnvelopeBuilder(histories.samples));
  for await (const { case: index, status, histories: values } of store.histories())
    if (status !== "invalid" && index < needed) for (const [k, own] of values.entries()) builders[k]!.add(index, status, own);
  return histories.list.map(({ name, unit }, k) => builders[k]!.envelope(name, unit, histories.sample));
}
