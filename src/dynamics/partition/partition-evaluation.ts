/** The values of A, b, J and g of sequential partitioning at a state, and their scaling. */
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import type { Model } from "../../model/model.ts";
import { engagedParameterWriter } from "../formulation.ts";
import { roundingLoops } from "../loops/rows/rounding-loops.ts";
import { RANK_TOLERANCE, type ScaledJacobian } from "./choose-dependents.ts";
import { columnScales, longestRows, rowScales, rowsByLoop } from "./jacobian-scales.ts";
import { type PartitionProgram, partitionProgram } from "./system-program.ts";

const inputOffsets = (structure: PartitionProgram) => offsetsOf(structure.program.inputs);
const outputOffsets = (structure: PartitionProgram) => offsetsOf(structure.program.outputs);

interface EvaluationOptions {
  readonly wrenches?: readonly string[];
  readonly target?: Target;
  readonly engagedParameters?: Float64Array;
}

export class PartitionEvaluation {
  readonly structure: PartitionProgram;
  /** Number of equations of the loops. */
  readonly m: number;
  /** Values of A (lower half) and J at the last evaluation. */
  readonly A: Float64Array;
  readonly J: Float64Array;
  /** Rows of each loop, in the order of the model's loops. */
  readonly rowsOfLoop: readonly (readonly number[])[];
  readonly #model: Model;
  readonly #nu: number;
  /** Coordinates of the last evaluation. */
  readonly #q: Float64Array;
  readonly #kernel: Kernel;
  readonly #in: ReturnType<typeof inputOffsets>;
  readonly #out: ReturnType<typeof outputOffsets>;
  readonly #writeEngagedParameters: (x: Float64Array) => void;
  readonly #ones: Float64Array;
  readonly #zero: Readonly<Record<"u" | "tau" | "w", Float64Array>>;

  constructor(model: Model, { wrenches, target = "wasm", engagedParameters }: EvaluationOptions) {
    const { nu } = model;
    this.structure = partitionProgram(model, wrenches);
    const { program, rows, A, J } = this.structure;
    this.m = rows.length;
    this.A = new Float64Array(A.length);
    this.J = new Float64Array(J.length);
    this.#model = model;
    this.#nu = nu;
    this.#q = new Float64Array(model.nq);
    this.#kernel = compile(program, { target });
    this.#in = inputOffsets(this.structure);
    this.#out = outputOffsets(this.structure);
    this.#writeEngagedParameters = engagedParameterWriter(engagedParameters);
    this.rowsOfLoop = rowsByLoop(model);
    this.#ones = new Float64Array(nu).fill(1);
    this.#zero = { u: new Float64Array(nu), tau: new Float64Array(nu), w: new Float64Array(program.inputs.w) };
  }

  evaluate(t: number, q: Float64Array, u = this.#zero.u, tau = this.#zero.tau, w = this.#zero.w): void {
    const { x, y } = this.#kernel;
    const { A, J } = this;
    this.#q.set(q);
    x[this.#in.t] = t;
    x.set(q, this.#in.q);
    x.set(u, this.#in.u);
    x.set(tau, this.#in.tau);
    x.set(w, this.#in.w);
    this.#writeEngagedParameters(x);
    this.#kernel.evaluate();
    for (let i = 0; i < A.length; i++) A[i] = y[this.#out.A + i]!;
    for (let i = 0; i < J.length; i++) J[i] = y[this.#out.J + i]!;
  }

  /** One value of an output of the last evaluation. */
  valueOf(output: "b" | "f" | "rates" | "bias", i: number): number {
    return this.#kernel.y[this.#out[output] + i]!;
  }

  /** Copies an output of the last evaluation. */
  copy(output: "b" | "f" | "rates" | "bias", target: Float64Array): void {
    const { y } = this.#kernel;
    const first = this.#out[output];
    for (let i = 0; i < target.length; i++) target[i] = y[first + i]!;
  }

  scaledJacobian(): ScaledJacobian {
    const { A, J } = this.structure;
    const columnScale = columnScales(A, this.A, this.#nu);
    const rowScale = this.#rowScales(columnScale);
    return { J, values: this.J.slice(), rowsOfLoop: this.rowsOfLoop, rowScale, columnScale };
  }

  /** Rank tolerance at the present state: the loop error makes redundant equations look independent. */
  rankTolerance(): number {
    let error = 0;
    const scale = this.#rowScales(this.#ones);
    for (let i = 0; i < this.m; i++) error = Math.max(error, Math.abs(this.valueOf("f", i)) * scale[i]!);
    return Math.min(1e-3, Math.max(RANK_TOLERANCE, 10 * error));
  }

  #rowScales(columnScale: Float64Array): Float64Array {
    const { structure, J, rowsOfLoop } = this;
    const isRounding = roundingLoops(this.#model, this.#q, longestRows(structure.J, J, rowsOfLoop));
    return rowScales(structure.J, J, columnScale, rowsOfLoop, isRounding);
  }
}
