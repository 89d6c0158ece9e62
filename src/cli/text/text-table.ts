/** Tables as text: numbers of a group have the same number of decimals, and decimal points are aligned. */
import type { Style } from "./terminal.ts";

const MAX_DECIMALS = 12;
/** Values smaller than this fraction of the largest in the group are rounding errors. */
const ROUNDING = 1e-13;

/**
 * Texts of a group of values with the same number of decimals; the largest value has `digits` significant digits. Values that would keep
 * fewer than two digits are written with an exponent, rounding errors as 0.
 */
export function numberCells(values: readonly number[], digits: number): string[] {
  const largest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  const decimalsOfLargest = largest === 0 ? 0 : digits - 1 - Math.floor(Math.log10(largest));
  const decimals = Math.min(MAX_DECIMALS, Math.max(0, decimalsOfLargest));
  return withoutCommonZeros(values.map((v) => (Math.abs(v) <= ROUNDING * largest ? "0" : fixedOrExponential(v, decimals))));
}

function fixedOrExponential(value: number, decimals: number): string {
  const size = Math.abs(value);
  return size < 1e9 && size >= 10 ** (1 - decimals) ? value.toFixed(decimals) : exponentialText(value, 2);
}

/** 0.500, -1.200 → 0.5, -1.2 */
function withoutCommonZeros(texts: readonly string[]): string[] {
  const zeros = texts.map((text) => (text.includes("e") || !text.includes(".") ? Infinity : /\.?0*$/.exec(text)![0].length));
  const common = Math.min(...zeros);
  return texts.map((text, i) => (zeros[i] === Infinity || common === 0 ? text : text.slice(0, -common)));
}

export const exponentialText = (value: number, digits: number): string =>
  Number.isFinite(value) && value !== 0 ? value.toExponential(digits - 1).replace("e+", "e") : String(value);

export interface TextColumn {
  readonly head?: string;
  readonly cells: readonly string[];
  readonly align?: "left" | "right" | "point";
}

const INDENT = "  ";

/** Lines of a table; the first line has the column heads, if there are any. */
export function formatTable(table: readonly TextColumn[], style: Style, gap = "  "): string[] {
  const alignedColumns = table.map((column) => ({ ...column, cells: alignCells(column) }));
  const widths = alignedColumns.map(({ head = "", cells }) => Math.max(head.length, ...cells.map((c) => c.length)));
  const line = (texts: readonly string[], sideOf: readonly ("left" | "right")[]): string =>
    (
      INDENT + texts.map((text, i) => (sideOf[i] === "left" ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join(gap)
    ).trimEnd();
  const sides = table.map(({ align }) => (align === undefined || align === "left" ? "left" : "right"));
  const rows = Array.from({ length: Math.max(...table.map(({ cells }) => cells.length)) }, (_, r) =>
    line(
      alignedColumns.map(({ cells }) => cells[r] ?? ""),
      sides,
    ),
  );
  if (table.every(({ head }) => head === undefined)) return rows;
  const heads = line(
    table.map(({ head = "" }) => head),
    sides,
  );
  return [style.dim(heads), ...rows];
}

/** Cells padded to equal length, with aligned decimal points if `align` is "point". */
function alignCells({ cells, align }: TextColumn): readonly string[] {
  if (align !== "point") return cells;
  const parts = cells.map((text) => /^([-+·\d]*)(.*)$/s.exec(text)!);
  const before = Math.max(0, ...parts.map(([, whole]) => whole!.length));
  const behind = Math.max(0, ...parts.map(([, , rest]) => rest!.length));
  return parts.map(([, whole, rest]) => whole!.padStart(before) + rest!.padEnd(behind));
}
