/** What a validation is: values from a paper or an independent computation, and how to compute them here. One file for each source. */
import type { Override } from "../scenario/override.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** One quantity, of one or several numbers. */
export interface ValidationRow {
  readonly quantity: string;
  readonly unit: string;
  readonly published: readonly number[];
  readonly ours: readonly number[];
  /** Largest difference of any of the numbers. */
  readonly tolerance: number;
}

/** Rows that come from one run. */
export interface ValidationTable {
  /** What was run, and what the rows are compared with. */
  readonly title: string;
  readonly rows: readonly ValidationRow[];
}

export interface Validation {
  readonly name: string;
  readonly title: string;
  /** Where the published values come from. */
  readonly source: string;
  /** The built-in scenario that it runs. */
  readonly scenario: string;
  /** Runs what is to be compared. `load` gives built-in scenarios by name, changed as wanted. */
  tables(load: LoadBuiltIn): Promise<readonly ValidationTable[]>;
}

/** A validation with its results. */
export interface Validated {
  readonly validation: Validation;
  readonly tables: readonly ValidationTable[];
}

export type LoadBuiltIn = (name: string, overrides?: readonly Override[]) => Scenario;

/** A change of a scenario, for the files of this folder. */
export const change = (path: string, value: unknown): Override => ({ path, value, from: "validation" });

/** Largest difference of a row; NaN if a number is. */
export function errorOf({ published, ours }: ValidationRow): number {
  let error = 0;
  for (const [i, value] of published.entries()) {
    const difference = Math.abs(value - ours[i]!);
    if (!(difference <= error)) error = difference;
  }
  return error;
}

export const passes = (row: ValidationRow): boolean => errorOf(row) <= row.tolerance;
