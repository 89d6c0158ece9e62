/** What a campaign says beyond counts: bounds of measures, the inputs that matter, Sobol indices, the worst cases. */
import type { Campaign } from "./campaign.ts";
import { casesNeeded } from "./fill.ts";
import type { CaseStatus } from "./run-case.ts";
import { correlationOfRanks, type RankCorrelation, ranksOf } from "./statistics/ranks.ts";
import { type SobolIndex, sobolIndices } from "./statistics/sobol-indices.ts";
import { lowerToleranceBound, quantileInterval, upperToleranceBound } from "./statistics/tolerance.ts";
import type { Interval } from "./statistics/wilson.ts";
import type { CaseBlock } from "./store/case-block.ts";
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
  const blocks: CaseBlock[] = [];
  let total = 0;
  for await (const block of store.blocks(true)) {
    blocks.push(block);
    total += block.cases.length;
  }
  const cases = new Float64Array(total);
  const passed = new Uint8Array(total);
  const columns = new Map<string, Float64Array>();
  for (const { name, type } of campaign.inputs) if (type === "number") columns.set(name, new Float64Array(total));
  for (const { name } of campaign.measures) columns.set(name, new Float64Array(total));
  let count = 0;
  for (const block of blocks)
    for (let i = 0; i < block.cases.length; i++) {
      if (block.status[i] === "invalid" || block.cases[i]! >= needed) continue;
      cases[count] = block.cases[i]!;
      passed[count] = block.status[i] === "passed" ? 1 : 0;
      for (const [k, { name, type }] of campaign.inputs.entries())
        if (type === "number") columns.get(name)![count] = block.inputs[k]![i] as number;
      for (const [k, { name }] of campaign.measures.entries()) columns.get(name)![count] = block.measures[k]![i]!;
      count++;
    }
  const cut = new Map([...columns].map(([name, values]) => [name, values.subarray(0, count)]));
  return { cases: cases.subarray(0, count), passed: passed.subarray(0, count), columns: cut };
}

const WORST = 5;

export function analyseMeasures(campaign: Campaign, data: CaseColumns): readonly MeasureAnalysis[] {
  const ranks = new Map<string, Float64Array>();
  /** Ranks of a column of all cases, computed once. */
  const ranksOfAll = (name: string): Float64Array => {
    const known = ranks.get(name) ?? ranksOf(data.columns.get(name)!);
    ranks.set(name, known);
    return known;
  };
  return campaign.measures.map(({ name, unit }) => analyseMeasure(name, unit, campaign, data, ranksOfAll));
}

function analyseMeasure(
  name: string,
  unit: string,
  campaign: Campaign,
  { cases, passed, columns }: CaseColumns,
  ranksOfAll: (name: string) => Float64Array,
): MeasureAnalysis {
  const values = columns.get(name)!;
  const present = Uint32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]!));
  const isComplete = present.length === values.length;
  const chosen = (column: Float64Array): Float64Array => (isComplete ? column : Float64Array.from(present, (i) => column[i]!));
  const sorted = chosen(values).slice().sort();
  const { content, confidence } = TOLERANCE;
  const [upper, lower] = [upperToleranceBound(sorted, content, confidence), lowerToleranceBound(sorted, content, confidence)];
  const ranksIn = (column: string): Float64Array => (isComplete ? ranksOfAll(column) : ranksOf(chosen(columns.get(column)!)));
  const own = ranksIn(name);
  const sensitivities = campaign.inputs
    .filter(({ type }) => type === "number")
    .map(({ name: input }): Sensitivity => ({ input, ...correlationOfRanks(ranksIn(input), own) }))
    .sort((a, b) => (Math.abs(b.value) || 0) - (Math.abs(a.value) || 0));
  const { sensitivity } = campaign.design;
  return {
    name,
    unit,
    median: quantileInterval(sorted, 0.5),
    ...(upper !== undefined && { upper }),
    ...(lower !== undefined && { lower }),
    sensitivities,
    ...(sensitivity && { sobol: sobolIndices(sensitivity.names, sensitivityRows(sensitivity, cases, values)) }),
    largest: largestOf(present, values).map((i) => ({
      ...{ case: cases[i]!, value: values[i]!, status: passed[i] ? "passed" : "failed" },
    })),
  };
}

/** Indices of the largest values, the largest first; of equal values the first. */
function largestOf(present: Uint32Array, values: Float64Array): readonly number[] {
  const largest: number[] = [];
  for (const i of present) {
    let place = largest.length;
    while (place > 0 && values[i]! > values[largest[place - 1]!]!) place--;
    if (place >= WORST) continue;
    largest.splice(place, 0, i);
    if (largest.length > WORST) largest.pop();
  }
  return largest;
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
