/** The compiled residuals of the loops of a model, with a cache of one state. */
import { compile, type Kernel } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { arraysEqual } from "../../../math/linear/array-equal.ts";
import type { Model } from "../../../model/model.ts";
import { residualProgram } from "./loop-programs.ts";
import type { LoopKernelOptions } from "./loop-system.ts";

export class ResidualKernel {
  readonly #kernel: () => Kernel;
  readonly #writeEngagedParameters: (x: Float64Array) => void;
  readonly #nq: number;
  /** Inputs of the last evaluation. The audit evaluates where the last projection ended, and finds the result here. */
  #lastInputs: Float64Array | undefined;

  constructor(model: Model, { target, writeEngagedParameters }: LoopKernelOptions) {
    this.#kernel = lazy(() => compile(residualProgram(model), { target }));
    this.#writeEngagedParameters = writeEngagedParameters;
    this.#nq = model.nq;
  }

  /** f, then ḟ. The result is valid until the next call. */
  evaluate(t: number, q: Float64Array, u: Float64Array): Float64Array {
    const kernel = this.#kernel();
    const { x, y } = kernel;
    x[0] = t;
    x.set(q, 1);
    x.set(u, 1 + this.#nq);
    this.#writeEngagedParameters(x);
    if (this.#lastInputs && arraysEqual(this.#lastInputs, x)) return y;
    this.#lastInputs ??= new Float64Array(x.length);
    this.#lastInputs.set(x);
    kernel.evaluate();
    return y;
  }
}
