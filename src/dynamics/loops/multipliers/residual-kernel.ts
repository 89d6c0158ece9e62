/** The compiled residuals of the loops of a model, with a cache of one state. */
import { compile, type Kernel } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { arraysEqual } from "../../../math/linear/array-equal.ts";
import type { Model } from "../../../model/model.ts";
import { takeSaved } from "../../../saved-data.ts";
import { residualProgram } from "./loop-programs.ts";
import type { LoopKernelOptions } from "./loop-system.ts";

export class ResidualKernel {
  readonly #kernel: () => Kernel;
  readonly #writeEngagedParameters: (x: Float64Array) => void;
  readonly #nq: number;
  /** Inputs of the last evaluation. The audit evaluates where the last projection ended, and finds the result here. */
  #lastInputs: Float64Array | undefined;

  constructor(model: Model, { target, writeEngagedParameters, memory }: LoopKernelOptions) {
    this.#kernel = lazy(() => compile(residualProgram(model), { target, memory }));
    this.#writeEngagedParameters = writeEngagedParameters;
    this.#nq = model.nq;
  }

  get kernel(): Kernel {
    return this.#kernel();
  }

  /** Other code has evaluated the kernel. Its outputs are used again only if they are those of a state of the motion. */
  evaluatedOutside(isLastAccepted: boolean): void {
    if (!isLastAccepted) {
      this.#lastInputs = undefined;
      return;
    }
    const { x } = this.#kernel();
    this.#lastInputs ??= new Float64Array(x.length);
    this.#lastInputs.set(x);
  }

  /** f, ḟ, and the largest magnitude of each. The result is valid until the next call. */
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

  /** Inputs of the last evaluation; null before the first. */
  save(): unknown {
    return this.#lastInputs?.slice() ?? null;
  }

  /** Evaluates at the saved inputs. Dropping them could change the sign of a zero: equal inputs may contain 0 and -0. */
  restore(saved: unknown, path: string): void {
    if (saved === null) {
      this.#lastInputs = undefined;
      return;
    }
    const kernel = this.#kernel();
    const restored = { inputs: new Float64Array(kernel.x.length) };
    takeSaved(restored, { inputs: saved }, path);
    this.#lastInputs = restored.inputs;
    kernel.x.set(restored.inputs);
    kernel.evaluate();
  }
}
