/** A row of the table as one line of JSON, for journals and queues: every number comes back with its bits, the sign of zero too. */
import type { CaseRow } from "../run-case.ts";

export const rowText = ({ case: index, status, reason, inputs, measures, histories, seconds, host }: CaseRow): string =>
  `{"case":${index},"status":"${status}","reason":${JSON.stringify(reason)},"inputs":${cellsText(inputs)},"measures":${cellsText(measures)},${histories ? `"histories":${JSON.stringify(histories)},` : ""}"seconds":${JSON.stringify(seconds)},"host":${JSON.stringify(host)}}`;

/** JSON.stringify writes -0 as 0; JSON.parse reads -0. */
const cellsText = (cells: readonly (number | string | null)[]): string =>
  `[${cells.map((cell) => (Object.is(cell, -0) ? "-0" : JSON.stringify(cell))).join(",")}]`;

/** A row, or undefined for text that is not one, such as a line that was cut off. */
export function parseRow(text: string): CaseRow | undefined {
  try {
    const row: unknown = JSON.parse(text);
    return isRow(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

/** True for an object with the members of a row. */
export function isRow(value: unknown): value is CaseRow {
  if (typeof value !== "object" || value === null) return false;
  const { case: index, status, reason, inputs, measures, histories, seconds, host } = value as Readonly<Record<string, unknown>>;
  return (
    Number.isSafeInteger(index) &&
    (index as number) >= 0 &&
    (status === "passed" || status === "failed" || status === "invalid") &&
    typeof reason === "string" &&
    Array.isArray(inputs) &&
    inputs.every((cell) => typeof cell === "string" || typeof cell === "number") &&
    Array.isArray(measures) &&
    measures.every(isNumberOrNull) &&
    (histories === undefined ||
      (Array.isArray(histories) && histories.every((values) => Array.isArray(values) && values.every(isNumberOrNull)))) &&
    typeof seconds === "number" &&
    typeof host === "string"
  );
}

const isNumberOrNull = (cell: unknown): cell is number | null => cell === null || typeof cell === "number";
