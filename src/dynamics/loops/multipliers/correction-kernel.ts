/** The compiled corrections of coordinates and speeds that close the loops, in one pivot order. */
import { compile, type Kernel } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { costOf, offsetsOf } from "../../../kernel/trace/program.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";
import type { Model } from "../../../model/model.ts";
import { refuseSaved, savedEntries, takeSaved } from "../../../saved-data.ts";
import { correctionProgram } from "./loop-programs.ts";
import type { LoopKernelOptions, LoopSystem } from "./loop-system.ts";
import { isOrderSuitable, pivotOrderKernel } from "./pivot-order-cache.ts";

/** After a change of coordinates this small, speeds corrected together with it are exact to rounding: their error is its square. */
export const SMALL_CHANGE = 1e-7;

/** Measured with 4,300 operations: 0.96 of the time with the options of other kernels. Longer programs are slower with these. */
const SMALL_OPTIONS = { registers: 8, chunkSize: 2000 } as const;
const LARGE_CORRECTION = 6000;

/** Correction of speeds for the present coordinates, or for the corrected ones. */
export type SpeedCorrection = "here" | "after";

/** Outputs of the kernel (see loop-programs.ts). */
type CorrectionOutput = "q" | "u" | "largest" | "worst" | "pull" | "order";

export class CorrectionKernel {
  readonly #model: Model;
  readonly #system: LoopSystem;
  readonly #writeEngagedParameters: (x: Float64Array) => void;
  readonly #byOrder: ReturnType<typeof pivotOrderKernel>;
  /** The w of `pull`. */
  readonly #w: Float64Array;
  /** State of the last evaluation. */
  readonly #evaluated: { t: number; readonly q: Float64Array };
  /** Offsets of the outputs. */
  readonly out = lazy(() => offsetsOf(this.#byOrder.kernel!.outputs) as Record<CorrectionOutput, number>);

  constructor(model: Model, system: LoopSystem, { target, writeEngagedParameters, memory }: LoopKernelOptions) {
    const { pattern } = system;
    this.#model = model;
    this.#system = system;
    this.#writeEngagedParameters = writeEngagedParameters;
    this.#byOrder = pivotOrderKernel(pattern, (order) => {
      const program = correctionProgram(model, { pattern, order });
      return compile(program, { target, memory, ...(costOf(program).ops < LARGE_CORRECTION && SMALL_OPTIONS) });
    });
    this.#w = new Float64Array(system.rows.length);
    this.#evaluated = { t: Number.NaN, q: new Float64Array(model.nq) };
  }

  /** The kernel in the compiled order; undefined if there is none, or if it does not compute what is needed at present. */
  get kernel(): Kernel | undefined {
    return this.#system.redundant === 0 && !this.#system.hasStiffness ? this.#byOrder.kernel : undefined;
  }

  /** Sets the w of `pull` for the following evaluations. The outputs of an evaluation with another w are not used again. */
  setW(w: Float64Array): void {
    for (let i = 0; i < w.length; i++) if (this.#w[i] !== w[i]) this.#evaluated.t = Number.NaN;
    this.#w.set(w);
  }

  /**
   * The corrections that make f and ḟ zero, in the compiled order; undefined if the order is not suitable. The result is valid until the next
   * call.
   */
  evaluate(t: number, q: Float64Array, u: Float64Array, speeds: SpeedCorrection = "here"): Float64Array | undefined {
    this.#evaluated.t = Number.NaN;
    const { kernel } = this;
    if (!kernel) return undefined;
    const { nq, nu } = this.#model;
    const { x, y } = kernel;
    x[0] = t;
    x.set(q, 1);
    x.set(u, 1 + nq);
    x.set(this.#w, 1 + nq + nu);
    x[1 + nq + nu + this.#w.length] = speeds === "here" ? 0 : 1;
    this.#writeEngagedParameters(x);
    kernel.evaluate();
    if (!isOrderSuitable(y, this.out().order)) return undefined;
    this.#byOrder.accepted();
    this.#evaluated.t = t;
    this.#evaluated.q.set(q);
    return y;
  }

  /** The outputs of the last evaluation, if they are valid for w at a position; small changes of q since then are ignored. */
  outputsFor(t: number, q: Float64Array, w: Float64Array): Float64Array | undefined {
    const { t: lastT, q: lastQ } = this.#evaluated;
    if (lastT !== t) return undefined;
    for (let i = 0; i < this.#w.length; i++) if (this.#w[i] !== w[i]) return undefined;
    for (let i = 0; i < lastQ.length; i++) if (!(Math.abs(lastQ[i]! - q[i]!) <= SMALL_CHANGE)) return undefined;
    return this.#byOrder.kernel!.y;
  }

  /** Other code has evaluated the kernel. Its outputs are used again only if they are those of a state of the motion. */
  evaluatedOutside(hasAccepted: boolean, isLastAccepted: boolean): void {
    const { nq, nu } = this.#model;
    const { x } = this.#byOrder.kernel!;
    this.#evaluated.t = isLastAccepted ? x[0]! : Number.NaN;
    for (let i = 0; i < nq; i++) this.#evaluated.q[i] = x[1 + i]!;
    for (let i = 0; i < this.#w.length; i++) this.#w[i] = x[1 + nq + nu + i]!;
    if (hasAccepted) this.#byOrder.accepted();
  }

  /** The pivot order, w, and the inputs of the last evaluation if `outputsFor` may return its outputs, as plain data. */
  save(): unknown {
    const { t, q } = this.#evaluated;
    const inputs = Number.isNaN(t) ? null : this.#byOrder.kernel!.x.slice();
    return { byOrder: this.#byOrder.save(), memory: { w: this.#w.slice(), evaluated: { t, q: q.slice() } }, inputs };
  }

  restore(saved: unknown, path: string): void {
    const { byOrder, memory, inputs } = savedEntries(saved, ["byOrder", "memory", "inputs"], path);
    const evaluated = { t: 0, q: new Float64Array(this.#model.nq) };
    takeSaved({ w: this.#w.slice(), evaluated }, memory, `${path}.memory`);
    if (inputs === null && !Number.isNaN(evaluated.t)) refuseSaved(`${path}.memory.evaluated.t`, "must be NaN", evaluated.t);
    this.#evaluated.t = Number.NaN;
    this.#byOrder.restore(byOrder, `${path}.byOrder`);
    if (inputs !== null) this.#evaluateAgain(inputs, path);
    takeSaved({ w: this.#w, evaluated: this.#evaluated }, memory, `${path}.memory`);
  }

  /** Computes the outputs of a saved evaluation. */
  #evaluateAgain(inputs: unknown, path: string): void {
    const { kernel } = this.#byOrder;
    if (!kernel) refuseSaved(path, "must be null because there is no order", inputs);
    takeSaved({ inputs: kernel.x }, { inputs }, path);
    kernel.evaluate();
  }

  /** Reports that the order was unsuitable or missing. */
  orderRejected(find: () => SymmetricOrder | undefined): void {
    this.#byOrder.rejected(find);
  }
}
