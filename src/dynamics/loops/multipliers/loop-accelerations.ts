/** Accelerations and multipliers of a model with loops, by a kernel for one pivot order or by the sparse solver. */
import { compile } from "../../../kernel/run/kernel.ts";
import { arraysEqual } from "../../../math/linear/array-equal.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";
import type { Frame, Model } from "../../../model/model.ts";
import { savedEntries, takeSaved } from "../../../saved-data.ts";
import { accelerationProgram, type Elimination } from "./loop-programs.ts";
import type { LoopKernelOptions, LoopSystem } from "./loop-system.ts";
import { accuracyFor, isOrderSuitable, MAX_GROWTH, pivotOrderKernel } from "./pivot-order-cache.ts";

/** Inputs of the last solution, and the power of prescribed motions there. */
interface LastSolution {
  t: number;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
  readonly w: Float64Array;
  power: number;
}

export class LoopAccelerations {
  /** True if some loops prescribe a motion in time; these supply energy. */
  readonly hasPrescribedMotion: boolean;
  readonly #system: LoopSystem;
  readonly #nu: number;
  /** Number of rows of the loops. */
  readonly #m: number;
  /** ∂f/∂t */
  readonly #timePartials: Float64Array;
  readonly #byOrder: ReturnType<typeof pivotOrderKernel>;
  readonly #last: LastSolution;
  #elimination: Elimination | undefined;
  #hasSearchedOrder = false;
  /** Refined accelerations in this order are known to be wrong, so their kernel need not be compiled. */
  #isOrderRejected = false;

  constructor(model: Model, frames: readonly Frame[], system: LoopSystem, { target }: LoopKernelOptions) {
    const { pattern } = system;
    const { nq, nu } = model;
    this.hasPrescribedMotion = model.loops.some(
      (loop) => loop.type === "coordinates" && (loop.motion.rate !== 0 || loop.motion.amplitude !== 0),
    );
    this.#system = system;
    this.#nu = nu;
    this.#m = system.rows.length;
    this.#timePartials = new Float64Array(this.#m);
    this.#byOrder = pivotOrderKernel(pattern, (order) =>
      compile(accelerationProgram(model, frames, { pattern, order }), { target }),
    );
    this.#last = {
      t: Number.NaN,
      q: new Float64Array(nq),
      u: new Float64Array(nu),
      tau: new Float64Array(nu),
      w: new Float64Array(6 * frames.length),
      power: 0,
    };
  }

  /** Writes accelerations and multipliers into x of the system. */
  solve(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void {
    if (!this.#solveInOrder(t, q, u, tau, w)) this.#solveSparse(t, q, u, tau, w);
    if (this.hasPrescribedMotion) this.#recordPower(t, q, u, tau, w);
  }

  /** Power that prescribed motions supply: multipliers times -∂f/∂t. */
  power(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): number {
    if (!this.#isLast(t, q, u, tau, w)) this.solve(t, q, u, tau, w);
    return this.#last.power;
  }

  /** The present pivot order; undefined before the first solution and if there is none. */
  get elimination(): Elimination | undefined {
    const { order } = this.#byOrder;
    if (this.#system.redundant > 0 || !order) return undefined;
    if (this.#elimination?.order !== order) this.#elimination = { pattern: this.#system.pattern, order };
    return this.#elimination;
  }

  findPivotOrder(t: number, q: Float64Array): void {
    if (this.#hasSearchedOrder) return;
    this.#hasSearchedOrder = true;
    this.#byOrder.rejected(() => this.#orderAt(t, q));
  }

  orderAccepted(): void {
    this.#byOrder.accepted();
  }

  orderRejected(): void {
    const { order } = this.#byOrder;
    this.#isOrderRejected = order !== undefined && accuracyFor(order) === "refined";
  }

  /** The pivot order and what is known about it, and the inputs of the last solution, as plain data. */
  save(): unknown {
    const { t, q, u, tau, w, power } = this.#last;
    return {
      byOrder: this.#byOrder.save(),
      search: { hasSearchedOrder: this.#hasSearchedOrder, isOrderRejected: this.#isOrderRejected },
      last: { t, q: q.slice(), u: u.slice(), tau: tau.slice(), w: w.slice(), power },
    };
  }

  restore(saved: unknown, path: string): void {
    const entries = savedEntries(saved, ["byOrder", "search", "last"], path);
    const search = { hasSearchedOrder: false, isOrderRejected: false };
    takeSaved(search, entries.search, `${path}.search`);
    takeSaved(this.#last, entries.last, `${path}.last`);
    this.#byOrder.restore(entries.byOrder, `${path}.byOrder`);
    this.#hasSearchedOrder = search.hasSearchedOrder;
    this.#isOrderRejected = search.isOrderRejected;
  }

  /** Solves by the compiled order. Returns false if there is none or it is not suitable. */
  #solveInOrder(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): boolean {
    this.findPivotOrder(t, q);
    const kernel = this.#system.redundant === 0 && !this.#isOrderRejected ? this.#byOrder.kernel : undefined;
    this.#isOrderRejected = false;
    if (!kernel) return false;
    const { y } = kernel;
    const { x } = this.#system;
    const m = this.#m;
    const n = this.#nu + m;
    this.#system.writeState(kernel.x, t, q, u, tau, w);
    kernel.evaluate();
    if (!isOrderSuitable(y, n + m)) return false;
    for (let i = 0; i < n; i++) x[i] = y[i]!;
    for (let i = 0; i < m; i++) this.#timePartials[i] = y[n + i]!;
    if (y[n + m]! * MAX_GROWTH.refined < MAX_GROWTH.plain) this.#byOrder.accepted();
    else this.#byOrder.rejected(() => this.#orderAt(t, q)); // another order may need no refinement
    return true;
  }

  #solveSparse(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void {
    const system = this.#system;
    const { b, y, out } = system;
    const nu = this.#nu;
    system.evaluate(t, q, u, tau, w);
    for (let i = 0; i < nu; i++) b[i] = y[out.r + i]!;
    for (let i = 0; i < this.#m; i++) {
      b[nu + i] = -y[out.bias + i]!;
      this.#timePartials[i] = y[out.driven + i]!;
    }
    system.solve();
    system.rotateToOwnAxes(system.x, nu);
    this.#byOrder.rejected(system.findOrder);
  }

  #orderAt(t: number, q: Float64Array): SymmetricOrder | undefined {
    this.#system.evaluate(t, q);
    return this.#system.findOrder();
  }

  #recordPower(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void {
    const last = this.#last;
    const { x } = this.#system;
    last.t = t;
    last.q.set(q);
    last.u.set(u);
    last.tau.set(tau);
    last.w.set(w);
    last.power = 0;
    for (let i = 0; i < this.#m; i++) last.power -= x[this.#nu + i]! * this.#timePartials[i]!;
  }

  #isLast(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): boolean {
    const last = this.#last;
    return (
      last.t === t && arraysEqual(last.q, q) && arraysEqual(last.u, u) && arraysEqual(last.tau, tau) && arraysEqual(last.w, w)
    );
  }
}
