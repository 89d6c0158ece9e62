/** What a campaign says beyond counts: bounds of measures, the inputs that matter, Sobol indices, the worst cases. */
import type { Campaign } from "./campaign.ts";
import { casesNeeded } from "./fill.ts";
import type { CaseRow, CaseStatus } from "./run-case.ts";
import { type RankCorrelation, rankCorrelation } from "./statistics/ranks.ts";
import { type SobolIndex, sobolIndices } from "./statistics/sobol-indices.ts";
import { lowerToleranceBound, quantileInterval, upperToleranceBound } from "./statistics/tolerance.ts";
import type { Interval } from "./statistics/wilson.ts";
import type { CaseStore } from "./store/store.ts";

/** Contents and confidence of the tolerance bounds. */
export const TOLERANCE = { content: 0.997, confidence: 0.9 } as const;

export interface Sensitivity extends RankCorrelation {
  /** Column of the input. */
  readonly input: string;
}

export interface MeasureAnalysis {
  readonly name: string;
  readonly unit: string;
  /** 95 % interval of the median. */
  readonly median: Interval;
  /** 99.7 % of all cases are below `upper` with a confidence of 90 %, and as many above `lower`; undefined with fewer than 767 cases. */
  readonly upper?: number;
  readonly lower?: number;
  /** Rank correlations with the numeric inputs, the strongest first. */
  readonly sensitivities: readonly Sensitivity[];
  /** For designs of the kind sensitivity. */
  readonly sobol?: readonly SobolIndex[];
  /** Cases with the largest values, the largest first. */
  readonly largest: readonly { readonly case: number; readonly value: number; readonly status: CaseStatus }[];
}

/** Rows of valid cases as columns. */
export interface CaseColumns {
  readonly cases: Float64Array;
  readonly passed: Uint8Array;
  /** By the names of numeric inputs and of measures; a missing value is NaN. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/** All valid cases that count, as columns of numbers. */
export async function readColumns(store: CaseStore, campaign: Campaign): Promise<CaseColumns> {
  const needed = (await casesNeeded(store, campaign)) ?? campaign.cases;
  const rows: CaseRow[] = [];
  for await (const row of store.rows()) if (row.case < needed && row.status !== "invalid") rows.push(row);
  const columns = new Map<string, Float64Array>();
  for (const [i, { name, type }] of campaign.inputs.entries())
    if (type === "number")
      columns.set(
        name,
        Float64Array.from(rows, (row) => row.inputs[i] as number),
      );
  for (const [i, { name }] of campaign.measures.entries())
    columns.set(
      name,
      Float64Array.from(rows, (row) => row.measures[i] ?? Number.NaN),
    );
  return {
    cases: Float64Array.from(rows, (row) => row.case),
    passed: Uint8Array.from(rows, (row) => (row.status === "passed" ? 1 : 0)),
    columns,
  };
}

const WORST = 5;

export const analyseMeasures = (campaign: Campaign, data: CaseColumns): readonly MeasureAnalysis[] =>
  campaign.measures.map(({ name, unit }) => analyseMeasure(name, unit, campaign, data));

function analyseMeasure(
  name: string,
  unit: string,
  campaign: Campaign,
  { cases, passed, columns }: CaseColumns,
): MeasureAnalysis {
  const values = columns.get(name)!;
  const present = Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]!));
  const sorted = Float64Array.from(present, (i) => values[i]!).sort();
  const { content, confidence } = TOLERANCE;
  const [upper, lower] = [upperToleranceBound(sorted, content, confidence), lowerToleranceBound(sorted, content, confidence)];
  const chosen = (column: Float64Array): Float64Array => Float64Array.from(present, (i) => column[i]!);
  const own = chosen(values);
  const sensitivities = campaign.inputs
    .filter(({ type }) => type === "number")
    .map(({ name: input }): Sensitivity => ({ input, ...rankCorrelation(chosen(columns.get(input)!), own) }))
    .sort((a, b) => (Math.abs(b.value) || 0) - (Math.abs(a.value) || 0));
  const largest = [...present].sort((a, b) => values[b]! - values[a]!).slice(0, WORST);
  const { sensitivity } = campaign.design;
  return {
    name,
    unit,
    median: quantileInterval(sorted, 0.5),
    ...(upper !== undefined && { upper }),
    ...(lower !== undefined && { lower }),
    sensitivities,
    ...(sensitivity && { sobol: sobolIndices(sensitivity.names, sensitivityRows(sensitivity, cases, values)) }),
    largest: largest.map((i) => ({ case: cases[i]!, value: values[i]!, status: passed[i] ? "passed" : "failed" })),
  };
}

/** Values of a sensitivity design by rows; missing cases are NaN. */
function sensitivityRows(
  { rows, names }: { readonly rows: number; readonly names: readonly string[] },
  cases: Float64Array,
  values: Float64Array,
): readonly Float64Array[] {
  const width = names.length + 2;
  const table = Array.from({ length: rows }, () => new Float64Array(width).fill(Number.NaN));
  for (const [i, index] of cases.entries()) table[Math.floor(index / width)]![index % width] = values[i]!;
  return table;
}
