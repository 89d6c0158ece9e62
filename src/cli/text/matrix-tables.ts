/** Tables of Jacobians and mass matrices. */
import type { Style, TextFormat } from "./terminal.ts";
import { formatTable, numberCells, type TextColumn } from "./text-table.ts";

const DIGITS = 4;
/** Maximum number of rows of a printed mass matrix. */
const LARGEST_MATRIX = 40;

export const NO_FREEDOMS = "  the model has no freedoms";

/** Jacobian of a frame, transposed: one row per speed, so that the table stays narrow for any model. */
export function jacobianTable(speeds: readonly string[], jacobian: readonly (readonly number[])[], style: Style): string[] {
  if (speeds.length === 0) return [NO_FREEDOMS];
  const heads = ["wx", "wy", "wz", "vx", "vy", "vz"];
  return formatTable(
    [
      { head: "", cells: speeds },
      ...jacobian.map((row, k): TextColumn => ({ head: heads[k]!, cells: matrixCells(row), align: "point" })),
    ],
    style,
  );
}

/** Texts of matrix elements; exact zeros are shown as dots. */
const matrixCells = (values: readonly number[]): string[] =>
  numberCells(values, DIGITS).map((text, i) => (values[i] === 0 ? "·" : text));

/** Lower triangle of a symmetric matrix over speeds, in blocks of as many columns as fit the width. */
export function symmetricTable(
  speeds: readonly string[],
  matrix: readonly (readonly number[])[],
  { style, width }: TextFormat,
): string[] {
  const nu = speeds.length;
  if (nu === 0) return [NO_FREEDOMS];
  if (nu > LARGEST_MATRIX) return [`  ${nu} × ${nu} elements, printed only with --json`];
  const names = speeds.map((name, i) => `${String(i + 1).padStart(2)} ${name}`);
  const table = matrix.map((_, j): TextColumn => {
    const texts = matrixCells(matrix.slice(j).map((row) => row[j]!));
    return { head: String(j + 1), cells: [...Array<string>(j).fill(""), ...texts], align: "point" };
  });
  const lines: string[] = [];
  for (let first = 0; first < nu; ) {
    const block = (count: number): string[] =>
      formatTable(
        [{ head: "", cells: names }, ...table.slice(first, first + count)].map((c) => ({ ...c, cells: c.cells.slice(first) })),
        style,
        " ",
      );
    const isTooWide = (count: number): boolean =>
      block(count)
        .slice(1)
        .some((line) => line.length > width);
    let count = nu - first;
    while (count > 1 && isTooWide(count)) count--;
    lines.push(...(first > 0 ? [""] : []), ...block(count));
    first += count;
  }
  return lines;
}
