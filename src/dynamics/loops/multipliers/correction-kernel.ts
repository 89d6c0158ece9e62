/** The compiled corrections of coordinates and speeds that close the loops, in one pivot order. */
import { compile } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";
import type { Model } from "../../../model/model.ts";
import { correctionProgram } from "./loop-programs.ts";
import type { LoopKernelOptions, LoopSystem } from "./loop-system.ts";
import { isOrderSuitable, pivotOrderKernel } from "./pivot-order-cache.ts";

/** After a change of coordinates this small, speeds corrected together with it are exact to rounding: their error is its square. */
export const SMALL_CHANGE = 1e-7;

/** Correction of speeds for the present coordinates, or for the corrected ones. */
export type SpeedCorrection = "here" | "after";

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
  readonly out = lazy(() => offsetsOf(this.#byOrder.kernel!.outputs) as Record<"step" | "pull" | "du" | "order", number>);

  constructor(model: Model, system: LoopSystem, { target, writeEngagedParameters }: LoopKernelOptions) {
    const { pattern } = system;
    this.#model = model;
    this.#system = system;
    this.#writeEngagedParameters = writeEngagedParameters;
    this.#byOrder = pivotOrderKernel((order) => compile(correctionProgram(model, { pattern, order }), { target }));
    this.#w = new Float64Array(system.rows.length);
    this.#evaluated = { t: Number.NaN, q: new Float64Array(model.nq) };
  }

  /** Sets the w of `pull` for the following evaluations. */
  setW(w: Float64Array): void {
    this.#w.set(w);
  }

  /**
   * f, ḟ and the corrections that make them zero, in the compiled order; undefined if the order is not suitable. The result is valid until
   * the next call.
   */
  evaluate(t: number, q: Float64Array, u: Float64Array, speeds: SpeedCorrection = "here"): Float64Array | undefined {
    this.#evaluated.t = Number.NaN;
    const kernel = this.#system.redundant === 0 && !this.#system.hasStiffness ? this.#byOrder.kernel : undefined;
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

  /** Reports that the order was unsuitable or missing. */
  orderRejected(find: () => SymmetricOrder | undefined): void {
    this.#byOrder.rejected(find);
  }
}
