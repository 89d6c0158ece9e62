/**
 * Sequential partitioning as straight-line code for one choice of dependents [docs/docking-method.md]: equations (3) to (11) on full
 * matrices. Zeros of A and J fold during tracing; the result is the elimination that the paper leaves to a symbolic system. With
 * zeros kept as inputs, the same equations show the operation count without that elimination.
 */
import { type Program, trace } from "../../kernel/trace/program.ts";
import { abs, add, div, min, mul, neg, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import type { PartitionChoice, StageChoice } from "./partition-stages.ts";

/** A p̈ = b, J p̈ + g = 0: A and J as full matrices, by rows. */
export interface TracedSystem {
  readonly A: readonly (readonly Scalar[])[];
  readonly b: readonly Scalar[];
  readonly J: readonly (readonly Scalar[])[];
  readonly g: readonly Scalar[];
}

export interface TracedSolution {
  /** p̈, and the multipliers; those of dropped equations are zero. */
  readonly udot: Scalar[];
  readonly lambda: Scalar[];
  /** The smallest pivot of the closures, relative to its value where the dependents were chosen. */
  readonly smallestPivotRatio: Scalar;
}

/** One row operation: row i minus factor times row p. */
interface RowStep {
  i: number;
  readonly p: number;
  readonly factor: Scalar;
}

interface SolvedStage {
  readonly choice: StageChoice;
  /** Slots of the stage's rows, in the order of their pivots. */
  readonly slots: readonly number[];
  readonly steps: readonly RowStep[];
  readonly U: readonly (readonly Scalar[])[];
  /** Reciprocals of the diagonal of U. */
  readonly reciprocals: readonly Scalar[];
  readonly H: readonly (readonly Scalar[])[];
  readonly h: readonly Scalar[];
}

type ScalarRow = Scalar[];

/** @param J0 values of J where the dependents were chosen. They determine the order of the rows. */
export function tracedPartition(
  { A, b, J, g }: TracedSystem,
  choice: PartitionChoice,
  J0: readonly (readonly number[])[],
): TracedSolution {
  const nu = b.length;
  const rows: ScalarRow[] = J.map((row, i) => [...row, g[i]!]);
  const numericRows = J0.map((row) => [...row]);
  let smallest: Scalar = 1;
  // backward formulation (3), (4) and solution (7), (8)
  const stages = choice.stages.map((stage): SolvedStage => {
    const solvedStage = closeStage(stage, rows, numericRows, nu);
    smallest = min(smallest, solvedStage.smallest);
    return solvedStage;
  });

  // backward reduction (10)
  const matrix = A.map((row) => [...row]);
  const force = [...b];
  const remaining = new Set(Array.from({ length: nu }, (_, u) => u));
  const keptRows = stages.map(({ choice: { dependents }, H, h }) => {
    for (const d of dependents) remaining.delete(d);
    const others = [...remaining];
    const isStage = (j: number): boolean => remaining.has(j) || dependents.includes(j);
    const kept = dependents.map((d) => ({ row: matrix[d]!.map((v, j) => (isStage(j) ? v : 0)), force: force[d]! }));
    reduce(matrix, force, dependents, others, H, h);
    return kept;
  });

  // solution (11), forward (6)
  const udot = new Array<Scalar>(nu).fill(0);
  const x0 = solveSymmetric(
    choice.independents.map((i) => choice.independents.map((j) => matrix[i]![j]!)),
    choice.independents.map((i) => force[i]!),
  );
  for (const [k, i] of choice.independents.entries()) udot[i] = x0[k]!;
  for (const {
    choice: { dependents },
    H,
    h,
  } of [...stages].reverse())
    for (const [k, d] of dependents.entries())
      udot[d] = H[k]!.reduce<Scalar>((sum, value, j) => add(sum, mul(value, udot[j]!)), h[k]!);

  // loop forces: Cᵀ λ = A_di p_ï + A_dd p_d̈ - b_d with A, b of the stage
  const lambda = new Array<Scalar>(J.length).fill(0);
  for (let s = stages.length - 1; s >= 0; s--) loopForces(stages[s]!, keptRows[s]!, udot, lambda);
  return { udot, lambda, smallestPivotRatio: smallest };
}

/** Gauss elimination of the stage's rows in the columns of its dependents. The remaining rows keep their slots for a later stage. */
function closeStage(
  choice: StageChoice,
  rows: ScalarRow[],
  numericRows: number[][],
  nu: number,
): SolvedStage & { readonly smallest: Scalar } {
  const { dependents } = choice;
  const m = dependents.length;
  const slots = [...choice.rows];
  const stageRows = slots.map((s) => rows[s]!);
  const numbers = slots.map((s) => numericRows[s]!);
  const steps: RowStep[] = [];
  const reciprocals: Scalar[] = [];
  let smallest: Scalar = 1;
  for (const [p, d] of dependents.entries()) {
    let best = p;
    for (let i = p + 1; i < stageRows.length; i++) if (Math.abs(numbers[i]![d]!) > Math.abs(numbers[best]![d]!)) best = i;
    for (const list of [slots, stageRows, numbers] as unknown[][]) [list[p], list[best]] = [list[best], list[p]];
    for (const step of steps) if (step.i === p || step.i === best) step.i = p + best - step.i;
    const pivot = stageRows[p]![d]!;
    smallest = min(smallest, abs(mul(1 / numbers[p]![d]!, pivot)));
    const reciprocal = div(1, pivot);
    reciprocals.push(reciprocal);
    for (let i = p + 1; i < stageRows.length; i++) {
      const factor = mul(stageRows[i]![d]!, reciprocal);
      const ratio = numbers[i]![d]! / numbers[p]![d]!;
      steps.push({ i, p, factor });
      stageRows[i] = stageRows[i]!.map((value, j) => (j === d ? 0 : sub(value, mul(factor, stageRows[p]![j]!))));
      numbers[i] = numbers[i]!.map((value, j) => (j === d ? 0 : value - ratio * numbers[p]![j]!));
    }
  }
  // p_d = H p_i + h, from the last dependent to the first
  const H: ScalarRow[] = [];
  const isDependent = new Set(dependents);
  for (let k = m - 1; k >= 0; k--) {
    const row = stageRows[k]!;
    H[k] = Array.from({ length: nu + 1 }, (_, j) => {
      if (isDependent.has(j)) return 0;
      let sum = neg(row[j]!);
      for (let l = k + 1; l < m; l++) sum = sub(sum, mul(row[dependents[l]!]!, H[l]![j]!));
      return mul(sum, reciprocals[k]!);
    });
  }
  for (let i = m; i < stageRows.length; i++) {
    rows[choice.rows[i]!] = stageRows[i]!;
    numericRows[choice.rows[i]!] = numbers[i]!;
  }
  return {
    choice,
    slots,
    steps,
    reciprocals,
    U: stageRows.slice(0, m).map((row) => dependents.map((d) => row[d]!)),
    H: H.map((row) => row.slice(0, nu)),
    h: H.map((row) => row[nu]!),
    smallest,
  };
}

/** A ← A_ii + A_id H + Hᵀ (A_di + A_dd H), b ← b_i - A_id h + Hᵀ (b_d - A_dd h), in place; symmetric. */
function reduce(
  A: ScalarRow[],
  b: Scalar[],
  dependents: readonly number[],
  others: readonly number[],
  H: readonly (readonly Scalar[])[],
  h: readonly Scalar[],
): void {
  const combination = (values: readonly Scalar[], factors: (k: number) => Scalar): Scalar =>
    values.reduce<Scalar>((sum, value, k) => add(sum, mul(value, factors(k))), 0);
  const A_dd = dependents.map((d) => dependents.map((e) => A[d]![e]!));
  const Y = dependents.map((d, k) =>
    others.map((j) =>
      add(
        A[d]![j]!,
        combination(A_dd[k]!, (e) => H[e]![j]!),
      ),
    ),
  );
  const y = dependents.map((d, k) =>
    sub(
      b[d]!,
      combination(A_dd[k]!, (e) => h[e]!),
    ),
  );
  for (const [r, i] of others.entries()) {
    const A_id = dependents.map((d) => A[i]![d]!);
    const column = H.map((row) => row[i]!);
    b[i] = add(
      sub(
        b[i]!,
        combination(A_id, (k) => h[k]!),
      ),
      combination(column, (k) => y[k]!),
    );
    for (const [c, j] of others.slice(0, r + 1).entries()) {
      const value = add(
        add(
          A[i]![j]!,
          combination(A_id, (k) => H[k]![j]!),
        ),
        combination(column, (k) => Y[k]![c]!),
      );
      A[i]![j] = A[j]![i] = value;
    }
  }
}

/** Multipliers of the rows of a stage, from those of the rows that it left to later stages. */
function loopForces(
  { choice, slots, steps, U, reciprocals }: SolvedStage,
  keptRows: readonly { readonly row: readonly Scalar[]; readonly force: Scalar }[],
  udot: readonly Scalar[],
  lambda: Scalar[],
): void {
  const m = choice.dependents.length;
  const z = choice.rows.map((slot, i) => (i < m ? 0 : lambda[slot]!));
  for (let k = 0; k < m; k++) {
    let sum: Scalar = neg(keptRows[k]!.force);
    for (const [j, value] of keptRows[k]!.row.entries()) sum = add(sum, mul(value, udot[j]!));
    for (let l = 0; l < k; l++) sum = sub(sum, mul(U[l]![k]!, z[l]!));
    z[k] = mul(sum, reciprocals[k]!);
  }
  for (const { i, p, factor } of [...steps].reverse()) z[p] = sub(z[p]!, mul(factor, z[i]!));
  for (const [i, slot] of slots.entries()) lambda[slot] = z[i]!;
}

/** Solves A x = b for a symmetric positive definite A by L D Lᵀ. */
function solveSymmetric(A: readonly (readonly Scalar[])[], b: readonly Scalar[]): Scalar[] {
  const n = b.length;
  const L: ScalarRow[] = A.map(() => []);
  const reciprocal: Scalar[] = [];
  const y: Scalar[] = [];
  for (let i = 0; i < n; i++) {
    const scaled: ScalarRow = [];
    let diagonal = A[i]![i]!;
    let sum = b[i]!;
    for (let j = 0; j < i; j++) {
      let value = A[i]![j]!;
      for (let k = 0; k < j; k++) value = sub(value, mul(scaled[k]!, L[j]![k]!));
      scaled[j] = value;
      L[i]![j] = mul(value, reciprocal[j]!);
      diagonal = sub(diagonal, mul(value, L[i]![j]!));
      sum = sub(sum, mul(L[i]![j]!, y[j]!));
    }
    reciprocal[i] = div(1, diagonal);
    y[i] = sum;
  }
  const x: Scalar[] = [];
  for (let i = n - 1; i >= 0; i--) {
    let sum = mul(y[i]!, reciprocal[i]!);
    for (let k = i + 1; k < n; k++) sum = sub(sum, mul(L[k]![i]!, x[k]!));
    x[i] = sum;
  }
  return x;
}

interface SystemEntries {
  readonly A: readonly { readonly row: number; readonly column: number }[];
  readonly J: readonly { readonly row: number; readonly column: number }[];
}

/**
 * The reduction alone, with inputs A, J, b and g: the nonzero entries of the model ("eliminated"), or all entries of the full matrices
 * ("kept").
 */
export function reductionProgram(
  name: string,
  nu: number,
  m: number,
  structure: SystemEntries,
  choice: PartitionChoice,
  J0: readonly (readonly number[])[],
  zeros: "eliminated" | "kept",
): Program {
  const lower = Array.from({ length: nu }, (_, row) => Array.from({ length: row + 1 }, (_, column) => ({ row, column }))).flat();
  const fullJ = Array.from({ length: m }, (_, row) => Array.from({ length: nu }, (_, column) => ({ row, column }))).flat();
  const [entriesA, entriesJ] = zeros === "kept" ? [lower, fullJ] : [structure.A, structure.J];
  return trace(`${name} reduction, zeros ${zeros}`, { A: entriesA.length, J: entriesJ.length, b: nu, g: m }, (given) => {
    const A = Array.from({ length: nu }, () => new Array<Scalar>(nu).fill(0));
    const J = Array.from({ length: m }, () => new Array<Scalar>(nu).fill(0));
    for (const [k, { row, column }] of entriesA.entries()) A[row]![column] = A[column]![row] = given.A[k]!;
    for (const [k, { row, column }] of entriesJ.entries()) J[row]![column] = given.J[k]!;
    const { udot, lambda } = tracedPartition({ A, b: given.b, J, g: given.g }, choice, J0);
    return { udot, lambda };
  });
}
