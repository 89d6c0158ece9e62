/**
 * The sparse system of a model with loops,
 *
 *   [ M  -Jᵀ ] [ u̇ ]   [ r     ]
 *   [ J   0  ] [ λ ] = [ -bias ]
 *
 * with M by composite bodies and r by Newton-Euler: its values at a state, and its solution without a compiled pivot order. If equations
 * depend on each other, orthogonal factors or eigenvalues give the smallest multipliers.
 */
import { SingularError } from "../../../errors.ts";
import { compile, type Kernel, type KernelMemory, type Target } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import { type SparseLU, type SparsePattern, sparseLU } from "../../../math/linear/sparse-lu.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";
import { rowCount } from "../../../model/loop.ts";
import { coordinateNames, type Frame, type Model } from "../../../model/model.ts";
import { checkSavedInteger, savedEntries, takeSaved } from "../../../saved-data.ts";
import { roundingLoops } from "../rows/rounding-loops.ts";
import { springStiffnessEntries } from "./assembly-stiffness.ts";
import { constraintWeights, MassMatrixError } from "./dense-rows.ts";
import { systemProgram } from "./loop-programs.ts";
import { type LoopRankReport, loopRankReport, rankTolerance, rowsAreClear } from "./loop-rank.ts";
import { searchedOrder } from "./pivot-order-cache.ts";
import { type MinimumNormSolver, minimumNormSolver } from "./redundant-loops.ts";

/** Options of the kernels of a model with loops. */
export interface LoopKernelOptions {
  readonly target: Target;
  /** Memory of the kernels of the projection. */
  readonly memory: KernelMemory;
  /** Writes the parameters of loops engaged as found into the inputs of a kernel. */
  readonly writeEngagedParameters: (x: Float64Array) => void;
}

type TracedLoopSystem = ReturnType<typeof systemProgram>;

const inputOffsets = (traced: TracedLoopSystem) => offsetsOf(traced.program.inputs);
const outputOffsets = (traced: TracedLoopSystem) => offsetsOf(traced.program.outputs);

export class LoopSystem {
  readonly rows: TracedLoopSystem["rows"];
  readonly pattern: TracedLoopSystem["pattern"];
  /** Right-hand side and solution: nu numbers, then one for each row. */
  readonly b: Float64Array;
  readonly x: Float64Array;
  /** Outputs of the kernel, and their offsets. */
  readonly y: Float64Array;
  readonly out: ReturnType<typeof outputOffsets>;

  readonly #model: Model;
  readonly #writeEngagedParameters: (x: Float64Array) => void;
  readonly #kernel: Kernel;
  readonly #in: ReturnType<typeof inputOffsets>;
  /** Number of variable values of the matrix; the constants follow them. */
  readonly #variableCount: number;
  readonly #constants: readonly number[];
  readonly #values: Float64Array;
  /** Groups of three rows that are not in their loop's own axes. */
  readonly #rotated: TracedLoopSystem["rotated"];
  readonly #loopOfRow: readonly string[];
  readonly #lu: SparseLU;
  readonly #zero: Readonly<Record<"u" | "tau" | "w", Float64Array>>;
  /** Entries of J and its transpose that belong to each loop. */
  readonly #entriesByLoop: () => readonly (readonly number[])[];
  readonly #stiffness: () => ReturnType<typeof springStiffnessEntries>;
  #hasStiffness = false;
  #redundant = 0;
  #isDense: boolean | undefined;
  #minimumNorm: MinimumNormSolver | undefined;

  constructor(model: Model, frames: readonly Frame[], { target, writeEngagedParameters }: LoopKernelOptions) {
    const traced = systemProgram(model, frames);
    const { program, pattern, constants, rows, rotated } = traced;
    const { nu } = model;
    this.#model = model;
    this.#writeEngagedParameters = writeEngagedParameters;
    this.#kernel = compile(program, { target });
    this.#in = inputOffsets(traced);
    this.#variableCount = program.outputs.matrix;
    this.#constants = constants;
    this.#values = new Float64Array(pattern.rows.length);
    this.#values.set(constants, program.outputs.matrix);
    this.#rotated = rotated;
    this.#loopOfRow = rows.map((r) => r.loop);
    this.#lu = sparseLU(pattern);
    this.#zero = { u: new Float64Array(nu), tau: new Float64Array(nu), w: new Float64Array(6 * frames.length) };
    this.#entriesByLoop = lazy(() => entriesByLoop(model, pattern));
    this.#stiffness = lazy(() => springStiffnessEntries(model, pattern, this.#values));
    this.rows = rows;
    this.pattern = pattern;
    this.b = new Float64Array(nu + rows.length);
    this.x = new Float64Array(nu + rows.length);
    this.y = this.#kernel.y;
    this.out = outputOffsets(traced);
  }

  /** Writes a state into the inputs of the system's kernel, or of a kernel with the same inputs. */
  writeState(x: Float64Array, t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void {
    const offsets = this.#in;
    x[offsets.t] = t;
    x.set(q, offsets.q);
    x.set(u, offsets.u);
    x.set(tau, offsets.tau);
    x.set(w, offsets.w);
    this.#writeEngagedParameters(x);
  }

  /** Computes the values of the system at a state. */
  evaluate(t: number, q: Float64Array, u = this.#zero.u, tau = this.#zero.tau, w = this.#zero.w): void {
    const kernel = this.#kernel;
    const values = this.#values;
    this.writeState(kernel.x, t, q, u, tau, w);
    kernel.evaluate();
    const { y } = kernel;
    for (let i = 0; i < this.#variableCount; i++) values[i] = y[this.out.matrix + i]!;
    if (this.#isDense !== false) this.#dropRoundingLoops(q);
    if (!this.#hasStiffness) return;
    for (const { entry, added } of this.#stiffness())
      values[entry] = added + (this.#constants[entry - this.#variableCount] ?? values[entry]!);
  }

  /** Writes the mass matrix, with the stiffness of assembly if that is in use, and J of the last evaluation: dense, by rows. */
  copyDense(M: Float64Array, J: Float64Array): void {
    const { rows, columns } = this.pattern;
    const nu = this.#model.nu;
    M.fill(0);
    J.fill(0);
    for (let e = 0; e < rows.length; e++) {
      if (columns[e]! >= nu) continue;
      if (rows[e]! < nu) M[rows[e]! * nu + columns[e]!] = this.#values[e]!;
      else J[(rows[e]! - nu) * nu + columns[e]!] = this.#values[e]!;
    }
  }

  /** Rotates the three values of each group of rotated rows to the loops' own axes; values of successive rows are `stride` apart. */
  rotateToOwnAxes(v: Float64Array, first: number, stride = 1): void {
    const { y } = this;
    for (let k = 0; k < this.#rotated.length; k++) {
      const rows = this.#rotated[k]!;
      const R = this.out.turns + 9 * k;
      const [a, b, c] = [v[first + stride * rows[0]!]!, v[first + stride * rows[1]!]!, v[first + stride * rows[2]!]!];
      for (let r = 0; r < 3; r++)
        v[first + stride * rows[r]!] = y[R + 3 * r]! * a + y[R + 3 * r + 1]! * b + y[R + 3 * r + 2]! * c;
    }
  }

  /**
   * Solves for x with right-hand side b, rows in the axes of the kernel. If equations depend on each other, the motion is still unique,
   * and the multipliers are the smallest.
   */
  solve(): void {
    this.#isDense ??= this.#hasDependentRows();
    if (!this.#isDense && this.#lu.factor(this.#values)) {
      this.#lu.solve(this.b, this.x);
      this.#redundant = 0;
      return;
    }
    this.#minimumNorm ??= minimumNormSolver(this.pattern, this.#model.nu, this.rows.length);
    const solver = this.#minimumNorm;
    const tolerance = rankTolerance(this.#largestResidual());
    this.#redundant = this.#named(() => solver.solve(this.#values, this.b, this.x, tolerance));
  }

  /** Number of dependent equations in the last solution. */
  get redundant(): number {
    return this.#redundant;
  }

  /** A symmetric pivot order for the values of the last evaluation, if there is one. */
  readonly findOrder = (): SymmetricOrder | undefined => {
    this.#isDense ??= this.#hasDependentRows();
    return this.#isDense ? undefined : searchedOrder(this.pattern, this.#values);
  };

  rankReport(t: number, q: Float64Array): LoopRankReport {
    this.evaluate(t, q);
    return this.#rankReport();
  }

  rowsAreClear(t: number, q: Float64Array, ratio: number): boolean {
    this.evaluate(t, q);
    const { nu } = this.#model;
    return this.#named(() => rowsAreClear(this.pattern, this.#values, nu, this.#loopOfRow, ratio, this.#rotateRows));
  }

  /** Weights W that make M + Jᵀ W J regular (see dense-rows.ts). */
  constraintWeights(t: number, q: Float64Array): Float64Array {
    this.evaluate(t, q);
    return this.#named(() => constraintWeights(this.pattern, this.#values, this.#model.nu, this.rows.length));
  }

  /** Adds spring stiffness to the metric of changes, or removes it again. */
  useStiffness(wanted: boolean): void {
    this.#hasStiffness = wanted && this.#model.springs.length > 0;
    if (!this.#hasStiffness) this.#values.set(this.#constants, this.#variableCount);
  }

  get hasStiffness(): boolean {
    return this.#hasStiffness;
  }

  /** Pivots of the sparse solver, and what is known about dependent equations, as plain data. */
  save(): unknown {
    return { lu: this.#lu.save(), isDense: this.#isDense ?? null, redundant: this.#redundant };
  }

  restore(saved: unknown, path: string): void {
    const entries = savedEntries(saved, ["lu", "isDense", "redundant"], path);
    const { isDense, redundant } = entries;
    const restored = { isDense: isDense === null ? null : false, redundant: 0 };
    takeSaved(restored, { isDense, redundant }, path);
    checkSavedInteger(restored.redundant, 0, this.rows.length, `${path}.redundant`);
    this.#lu.restore(entries.lu, `${path}.lu`);
    this.#isDense = restored.isDense ?? undefined;
    this.#redundant = restored.redundant;
    this.useStiffness(false);
  }

  /** Largest loop residual of the last evaluation. */
  #largestResidual(): number {
    let worst = 0;
    for (let i = 0; i < this.rows.length; i++) worst = Math.max(worst, Math.abs(this.y[this.out.f + i]!));
    return worst;
  }

  /** Rotates the rows of J, nu numbers each, to the axes in which they are named. */
  readonly #rotateRows = (J: Float64Array): void => {
    const { nu } = this.#model;
    for (let column = 0; column < nu; column++) this.rotateToOwnAxes(J, column, nu);
  };

  /** Zeros the rows of loops that are only rounding at q: they constrain nothing. */
  #dropRoundingLoops(q: Float64Array): void {
    const entries = this.#entriesByLoop();
    const lengths = entries.map((list) => Math.sqrt(list.reduce((sum, e) => sum + this.#values[e]! * this.#values[e]!, 0)));
    for (const [k, isRounding] of roundingLoops(this.#model, q, lengths).entries())
      if (isRounding) for (const e of entries[k]!) this.#values[e] = 0;
  }

  /** True if equations depend on each other. It is tested once, on the rows themselves: rounding hides it from a factorisation. */
  #hasDependentRows(): boolean {
    const tolerance = rankTolerance(this.#largestResidual());
    return this.#rankReport(tolerance).rank < this.rows.length;
  }

  /** Rank of the equations at the values of the last evaluation. */
  #rankReport(tolerance?: number): LoopRankReport {
    const { nu } = this.#model;
    return this.#named(() => loopRankReport(this.pattern, this.#values, nu, this.#loopOfRow, tolerance, this.#rotateRows));
  }

  /** Solves, and names the freedom if the mass matrix is singular. */
  #named<T>(solve: () => T): T {
    try {
      return solve();
    } catch (error) {
      if (!(error instanceof MassMatrixError)) throw error;
      const name = coordinateNames(this.#model).u[error.speed]!;
      throw new SingularError(
        `${this.#model.name}: the mass matrix is singular in "${name}": it moves no inertia, and no loop holds it. Give its body mass or inertia`,
        { cause: error },
      );
    }
  }
}

/** The entries of J, and of its transpose, that belong to each loop of a model. */
function entriesByLoop({ nu, loops }: Model, { rows, columns }: SparsePattern): number[][] {
  const loopOfRow = loops.flatMap((loop, k) => Array<number>(rowCount(loop)).fill(k));
  const entries: number[][] = loops.map(() => []);
  for (let e = 0; e < rows.length; e++) {
    const row = Math.max(rows[e]!, columns[e]!) - nu;
    if (row >= 0) entries[loopOfRow[row]!]!.push(e);
  }
  return entries;
}
