/** The table of cases: columns of a campaign, rows as columns of values, and its text as CSV. */
import type { Campaign } from "../campaign.ts";
import type { Column } from "../dispersions/kind.ts";
import type { CaseRow } from "../run-case.ts";

/** Columns of values by name. Numbers that are missing are null. */
export type TableColumns = ReadonlyMap<string, readonly (number | string | null)[]>;

export interface TableSchema {
  readonly inputs: readonly Column[];
  readonly measures: readonly { readonly name: string; readonly unit: string }[];
  /** Only if the campaign has histories. */
  readonly histories?: readonly { readonly name: string; readonly unit: string }[];
}

export const schemaOf = ({ inputs, measures, histories }: Campaign): TableSchema => ({
  inputs,
  measures: measures.map(({ name, unit }) => ({ name, unit })),
  ...(histories && { histories: histories.list.map(({ name, unit }) => ({ name, unit })) }),
});

/** The columns that are the same on every machine, with their types, in the order of the table. */
export const resultColumns = ({ inputs, measures }: TableSchema): readonly Pick<Column, "name" | "type">[] => [
  { name: "case", type: "number" },
  { name: "status", type: "text" },
  { name: "reason", type: "text" },
  ...inputs.map(({ name, type }) => ({ name, type })),
  ...measures.map(({ name }) => ({ name, type: "number" as const })),
];

/** The entries of a row in the order of `resultColumns`. */
export const resultCells = (row: CaseRow): readonly (number | string | null)[] => [
  row.case,
  row.status,
  row.reason,
  ...row.inputs,
  ...row.measures,
];

/** CSV text of rows in the order of their cases, without times and machines: the same bytes from every way to compute them. */
export function* csvTable(schema: TableSchema, rows: Iterable<CaseRow>): Generator<string> {
  yield `${resultColumns(schema)
    .map(({ name }) => csvText(name))
    .join(",")}\n`;
  for (const row of rows) yield `${resultCells(row).map(csvCell).join(",")}\n`;
}

const csvCell = (cell: number | string | null): string =>
  cell === null ? "" : typeof cell === "number" ? numberText(cell) : csvText(cell);
const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));
const csvText = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
