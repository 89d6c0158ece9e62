/**
 * The factors L D Lᵀ of a sparse symmetric matrix as a traced program. The pivot order is fixed (math/linear/symmetric-order.ts), so
 * elimination and substitution are straight-line code without indices. An output shows how well the order suits the numbers.
 */
import { abs, add, div, mul, mulByUnsharedConstant, neg, type Scalar, square, sub } from "../../../kernel/trace/scalar.ts";
import type { SparsePattern } from "../../../math/linear/markowitz.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";

export interface TracedLDL {
  /** Solves A x = b. */
  substitute(b: readonly Scalar[]): Scalar[];
  /** The same with one step of refinement. */
  solve(b: readonly Scalar[]): Scalar[];
  /**
   * A sum of squares: of the ratios of pivots at the choice of the order to their present values, and of the multipliers by which pairs
   * determine their first unknown from others. The rounding of an unrefined solution grows at most in proportion to it.
   */
  readonly growth: Scalar;
}

/** An eliminated pivot: multipliers of the later unknowns, one for each unknown of the pivot, and the solution of its own block. */
interface EliminatedPivot {
  readonly pivot: readonly number[];
  readonly below: readonly (readonly [row: number, multipliers: readonly Scalar[]])[];
  readonly solve: (b: readonly Scalar[]) => readonly Scalar[];
}

/** @param values the values of the pattern's entries; those above the diagonal are ignored. */
export function tracedLDL(order: SymmetricOrder, pattern: SparsePattern, values: readonly Scalar[]): TracedLDL {
  const rows = Array.from({ length: pattern.n }, () => new Map<number, Scalar>());
  const entries: { readonly row: number; readonly column: number; readonly value: Scalar }[] = [];
  const put = (row: number, column: number, value: Scalar): void => {
    rows[row]!.set(column, value);
    rows[column]!.set(row, value);
  };
  for (const [e, value] of values.entries()) {
    const [row, column] = [pattern.rows[e]!, pattern.columns[e]!];
    if (row < column) continue;
    entries.push({ row, column, value });
    put(row, column, value);
  }
  let growth: Scalar = 0;

  const pivots = order.pivots.map((pivot, k): EliminatedPivot => {
    const [first, second] = pivot;
    const later = [...new Set(pivot.flatMap((p) => [...rows[p]!.keys()]))].filter((p) => p !== first && p !== second);
    const columns = later.map((row) => pivot.map((p): Scalar => rows[p]!.get(row) ?? 0));
    const entry = (p: number, q: number): Scalar => rows[p]!.get(q) ?? 0;
    const { solve, shrinkage } =
      second === undefined
        ? singlePivot(entry(first, first), order.values[k]!)
        : pivotPair(entry(first, first), entry(first, second), entry(second, second), order.values[k]!);
    growth = add(growth, shrinkage);
    for (const row of later) for (const p of pivot) rows[row]!.delete(p);
    const multipliers = columns.map(solve);
    for (const [p, row] of later.entries()) {
      const L = multipliers[p]!;
      if (second !== undefined)
        growth = add(growth, mulByUnsharedConstant(square(L[0]!), squared(order.scale[row]! / order.scale[first]!)));
      for (let q = p; q < later.length; q++) {
        const change = columns[q]!.reduce((sum, value, r) => add(sum, mul(L[r]!, value)), 0);
        if (change !== 0) put(row, later[q]!, sub(entry(row, later[q]!), change));
      }
    }
    return { pivot, below: later.map((row, p) => [row, multipliers[p]!]), solve };
  });

  const substitute = (b: readonly Scalar[]): Scalar[] => {
    const x = [...b];
    for (const { pivot, below } of pivots)
      for (const [row, L] of below) for (const [r, p] of pivot.entries()) x[row] = sub(x[row]!, mul(L[r]!, x[p]!));
    for (const { pivot, below, solve } of pivots.toReversed()) {
      const solution = solve(pivot.map((p) => x[p]!));
      for (const [r, p] of pivot.entries()) x[p] = below.reduce((sum, [row, L]) => sub(sum, mul(L[r]!, x[row]!)), solution[r]!);
    }
    return x;
  };
  return {
    growth,
    substitute,
    solve(b) {
      const x = substitute(b);
      const residual = [...b];
      const subtract = (row: number, column: number, value: Scalar): void => {
        residual[row] = sub(residual[row]!, mul(value, x[column]!));
      };
      for (const { row, column, value } of entries) {
        subtract(row, column, value);
        if (row !== column) subtract(column, row, value);
      }
      const correction = substitute(residual);
      return x.map((value, i) => add(value, correction[i]!));
    },
  };
}

/** A pivot block: its solution, and the square of its shrinkage since the order was chosen. */
interface PivotBlock {
  readonly solve: EliminatedPivot["solve"];
  readonly shrinkage: Scalar;
}

const squared = (value: number): number => value * value;

function singlePivot(a: Scalar, initialValue: number): PivotBlock {
  const reciprocal = div(1, a);
  return { solve: ([v]) => [mul(reciprocal, v!)], shrinkage: mulByUnsharedConstant(square(reciprocal), squared(initialValue)) };
}

/** Block [a b; b c]. In most cases c = 0, and the zeros that follow from it fold. */
function pivotPair(a: Scalar, b: Scalar, c: Scalar, initialValue: number): PivotBlock {
  if (c === 0) {
    const reciprocal = div(1, b);
    return {
      solve([v, w]) {
        const x = mul(reciprocal, w!);
        return [x, mul(reciprocal, sub(v!, mul(a, x)))];
      },
      shrinkage: mulByUnsharedConstant(square(reciprocal), Math.abs(initialValue)),
    };
  }
  const reciprocal = div(1, sub(mul(a, c), square(b)));
  const [ar, br, cr] = [a, b, c].map((v) => mul(reciprocal, v)) as [Scalar, Scalar, Scalar];
  return {
    solve: ([v, w]) => [sub(mul(cr, v!), mul(br, w!)), add(neg(mul(br, v!)), mul(ar, w!))],
    shrinkage: abs(mulByUnsharedConstant(reciprocal, initialValue)), // a determinant has the order of a square
  };
}
