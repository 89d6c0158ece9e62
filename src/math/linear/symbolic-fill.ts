/** Fill of a sparse elimination from its pattern and pivot order alone. */
import type { PivotOrder, SparsePattern } from "./markowitz.ts";

/** For each pivot the rows below it in its column and the columns right of it in its row: the same sets as by `markowitzOrder`. */
export function symbolicFill(
  pattern: SparsePattern,
  { rank, rows: pivotRows, columns: pivotColumns }: Pick<PivotOrder, "rank" | "rows" | "columns">,
): Pick<PivotOrder, "below" | "right"> {
  const rows = Array.from({ length: pattern.n }, () => new Set<number>());
  const columns = Array.from({ length: pattern.n }, () => new Set<number>());
  for (let e = 0; e < pattern.rows.length; e++) {
    rows[pattern.rows[e]!]!.add(pattern.columns[e]!);
    columns[pattern.columns[e]!]!.add(pattern.rows[e]!);
  }
  const below: Int32Array[] = [];
  const right: Int32Array[] = [];
  for (let k = 0; k < rank; k++) {
    const [row, column] = [rows[pivotRows[k]!]!, columns[pivotColumns[k]!]!];
    row.delete(pivotColumns[k]!);
    column.delete(pivotRows[k]!);
    for (const c of row) columns[c]!.delete(pivotRows[k]!);
    for (const r of column) {
      rows[r]!.delete(pivotColumns[k]!);
      for (const c of row) {
        rows[r]!.add(c);
        columns[c]!.add(r);
      }
    }
    below.push(Int32Array.from(column));
    right.push(Int32Array.from(row));
  }
  return { below, right };
}
