/** Scale factors of the rows and columns of the loop Jacobian. */
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { rowCount } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";

/** Rows of the Jacobian by loop, in the order of loopConstraints(). */
export function rowsByLoop(model: Model): number[][] {
  let next = 0;
  return model.loops.map((loop) => Array.from({ length: rowCount(loop) }, () => next++));
}

/** 1/√A_jj, so that a unit of each speed has the same kinetic energy. A speed without inertia counts as the lightest. */
export function columnScales(
  places: readonly { readonly row: number; readonly column: number }[],
  A: Float64Array,
  nu: number,
): Float64Array {
  const diagonal = new Float64Array(nu);
  for (const [k, { row, column }] of places.entries()) if (row === column) diagonal[row] = A[k]!;
  const most = diagonal.reduce((a, d) => Math.max(a, d), 0);
  const isSome = (d: number): boolean => d > 1e-12 * most;
  const least = diagonal.reduce((a, d) => (isSome(d) ? Math.min(a, d) : a), most);
  return diagonal.map((d) => 1 / Math.sqrt(isSome(d) ? d : least));
}

/** A row that is smaller than this, relative to others of its loop, is rounding and is not scaled up. */
const ROUNDING_ROW = 1e-8;

/** The length of the longest row of each loop. */
export function longestRows(
  places: readonly { readonly row: number; readonly column: number }[],
  J: Float64Array,
  rowsOfLoop: readonly (readonly number[])[],
): number[] {
  const size = new Float64Array(rowsOfLoop.flat().length);
  for (const [k, { row }] of places.entries()) size[row] = hypotenuse(size[row]!, J[k]!);
  return rowsOfLoop.map((rows) => rows.reduce((most, r) => Math.max(most, size[r]!), 0));
}

/** Factors that give each row length 1 in scaled columns. Loops that are only rounding are not scaled up. */
export function rowScales(
  places: readonly { readonly row: number; readonly column: number }[],
  J: Float64Array,
  columnScale: Float64Array,
  rowsOfLoop: readonly (readonly number[])[],
  isRounding: readonly boolean[],
): Float64Array {
  const size = new Float64Array(rowsOfLoop.flat().length);
  for (const [k, { row, column }] of places.entries()) size[row] = hypotenuse(size[row]!, J[k]! * columnScale[column]!);
  for (const [loop, rows] of rowsOfLoop.entries()) {
    const largest = isRounding[loop] ? 0 : rows.reduce((most, r) => Math.max(most, size[r]!), 0);
    for (const r of rows) size[r] = largest > 0 ? 1 / (size[r]! > ROUNDING_ROW * largest ? size[r]! : largest) : 1;
  }
  return size;
}
