/** Tables of vectors with columns x, y, z. */
import type { Style } from "./terminal.ts";
import { formatTable, numberCells, type TextColumn } from "./text-table.ts";

const DIGITS = 7;
const XYZ = ["x", "y", "z"] as const;

/** A named vector, or a single number. */
export interface VectorRow {
  readonly name: string;
  readonly values: readonly number[];
  readonly unit: string;
}

/** Rows of one or three numbers, each row with its own number of decimals. */
export function vectorTable(rows: readonly VectorRow[], style: Style): string[] {
  const texts = rows.map(({ values }) => numberCells(values, DIGITS));
  return formatTable(
    [
      { head: "", cells: rows.map(({ name }) => name) },
      ...XYZ.map((head, k): TextColumn => ({ head, cells: texts.map((row) => row[k] ?? ""), align: "point" })),
      { head: "", cells: rows.map(({ unit }) => unit) },
    ],
    style,
  );
}

/** A force or torque of a hinge or loop. */
export interface LoadRow {
  readonly name: string;
  readonly kind: "force" | "torque";
  readonly values: readonly number[];
}

/** Rows of forces and torques; all forces have the same number of decimals, and all torques. */
export function loadRowsTable(rows: readonly LoadRow[], style: Style): string[] {
  const units = rows.map(({ kind }) => (kind === "force" ? "N" : "N m"));
  const texts = cellsByUnit(
    rows.map(({ values }) => values),
    units,
  );
  return formatTable(
    [
      { head: "", cells: rows.map(({ name }) => name) },
      { head: "", cells: rows.map(({ kind }) => kind) },
      ...XYZ.map((head, k): TextColumn => ({ head, cells: texts.map((row) => row[k]!), align: "point" })),
      { head: "", cells: units },
    ],
    style,
  );
}

/** Texts of rows of values; the rows of each unit have the same number of decimals. */
export function cellsByUnit(rows: readonly (readonly number[])[], units: readonly string[]): string[][] {
  const texts: string[][] = [];
  for (const unit of new Set(units)) {
    const indices = units.flatMap((u, i) => (u === unit ? [i] : []));
    const cells = numberCells(
      indices.flatMap((i) => rows[i]!),
      DIGITS,
    );
    for (const i of indices) texts[i] = cells.splice(0, rows[i]!.length);
  }
  return texts;
}
