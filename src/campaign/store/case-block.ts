/** Rows of cases as columns: a million cases as numbers in arrays, and not as objects. */
import type { CaseRow, CaseStatus } from "../run-case.ts";
import type { TableSchema } from "./table.ts";

/** Rows in the order of their cases. */
export interface CaseBlock {
  readonly cases: Int32Array;
  readonly status: readonly CaseStatus[];
  readonly reasons: readonly string[];
  readonly seconds: Float64Array;
  /** Numbers or words, in the order of the table. */
  readonly inputs: readonly (Float64Array | readonly string[])[];
  /** In the order of the table; NaN for a measure without a value. */
  readonly measures: readonly Float64Array[];
}

/** The rows of a block from index `from` to before `end`. */
export const partOf = (block: CaseBlock, from: number, end: number): CaseBlock =>
  from === 0 && end === block.cases.length
    ? block
    : {
        cases: block.cases.subarray(from, end),
        status: block.status.slice(from, end),
        reasons: block.reasons.slice(from, end),
        seconds: block.seconds.subarray(from, end),
        inputs: block.inputs.map((column) =>
          column instanceof Float64Array ? column.subarray(from, end) : column.slice(from, end),
        ),
        measures: block.measures.map((column) => column.subarray(from, end)),
      };

export const blockOfRows = (rows: readonly CaseRow[], { inputs, measures }: TableSchema): CaseBlock => ({
  cases: Int32Array.from(rows, (row) => row.case),
  status: rows.map((row) => row.status),
  reasons: rows.map((row) => row.reason),
  seconds: Float64Array.from(rows, (row) => row.seconds),
  inputs: inputs.map(({ type }, i) =>
    type === "number" ? Float64Array.from(rows, (row) => row.inputs[i] as number) : rows.map((row) => String(row.inputs[i])),
  ),
  measures: measures.map((_, i) => Float64Array.from(rows, (row) => row.measures[i] ?? Number.NaN)),
});
