/** A validation: expected values with their origin, and the computation of the same values here. One file for each source. */
import type { Override } from "../scenario/override.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** Origins of expected values, with the text that the table shows. */
export const VALIDATION_ORIGINS = {
  paper: "printed in the paper",
  measurement: "measured, printed in the paper",
  "closed form": "closed form",
  "conservation law": "conservation law",
  "independent program": "independent program",
  "other tool": "other tool",
  "other method of Castor": "other method of Castor",
} as const;

export type ValidationOrigin = keyof typeof VALIDATION_ORIGINS;

/** One quantity of one or several numbers. */
export interface ValidationRow {
  readonly quantity: string;
  readonly unit: string;
  /** Origin of the expected values. Default: the origin of the table. */
  readonly origin?: ValidationOrigin;
  readonly expected: readonly number[];
  readonly ours: readonly number[];
  /** Largest permitted difference of any of the numbers. */
  readonly tolerance: number;
}

/** Rows that come from one run. */
export interface ValidationTable {
  /** The run, and the source of the expected values. */
  readonly title: string;
  readonly origin: ValidationOrigin;
  readonly rows: readonly ValidationRow[];
}

export interface Validation {
  readonly name: string;
  readonly title: string;
  /** Source of the expected values. */
  readonly source: string;
  /** What limits the agreement, in full sentences. */
  readonly remark?: string;
  /** The built-in scenario that the validation runs; none if it builds its own models. */
  readonly scenario?: string;
  /** Computes the tables. `load` returns a built-in scenario by name, with changes. */
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

/** Largest difference of a row; NaN if one of its numbers is NaN. */
export function errorOf({ expected, ours }: ValidationRow): number {
  let error = 0;
  for (const [i, value] of expected.entries()) {
    const difference = Math.abs(value - ours[i]!);
    if (!(difference <= error)) error = difference;
  }
  return error;
}

export const passes = (row: ValidationRow): boolean => errorOf(row) <= row.tolerance;
