/**
 * Models with loops: accelerations and multipliers from one sparse system (loop-system.ts), and projection onto the constraints
 * (loop-closure.ts). The cost is linear in the number of loops if each loop involves a few bodies.
 *
 * The pivots of the system are chosen for the numbers of the first state. Elimination in that order is compiled together with the
 * equations. If the order no longer suits the numbers, the sparse solver computes the solution, and a new order is searched.
 */
import { compile } from "../../../kernel/run/kernel.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";
import { frameOf, type Model } from "../../../model/model.ts";
import { type DeriveOptions, engagedParameterWriter } from "../../formulation.ts";
import { type LoopClosure, loopClosure } from "./loop-closure.ts";
import { accelerationProgram, type Elimination } from "./loop-programs.ts";
import { loopSystem } from "./loop-system.ts";
import { accuracyFor, isOrderSuitable, MAX_GROWTH, pivotOrderKernel } from "./pivot-order-cache.ts";
import type { LoopRankReport } from "./redundant-loops.ts";

export interface ClosedLoops extends LoopClosure {
  /** Number of equations. */
  readonly rows: number;
  /** Loop and direction of each equation. */
  readonly labels: readonly { readonly loop: string; readonly label: string }[];
  /** Computes u̇ and the multipliers. */
  accelerations(
    t: number,
    q: Float64Array,
    u: Float64Array,
    tau: Float64Array,
    w: Float64Array,
    udot: Float64Array,
    lambda: Float64Array,
  ): void;
  /** True if some loops prescribe a motion in time; these supply energy. */
  readonly hasPrescribedMotion: boolean;
  /** Power that prescribed motions supply: multipliers times -∂f/∂t. */
  power(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): number;
  /**
   * An impact at q: the smallest change of u, measured by kinetic energy, after which the rows of each loop have the rate -restitution
   * times ḟ before the impact. With zero restitution it is plastic: M (u⁺ - u⁻) = Jᵀ P and J u⁺ = -∂f/∂t.
   */
  impact(t: number, q: Float64Array, u: Float64Array, restitution?: ReadonlyMap<string, number>): Impact;
  /** Rank and singular values of the equations at a position. Allocates. */
  rankReport(t: number, q: Float64Array): LoopRankReport;
  /** The pivot order in which accelerations are computed at present; undefined before the first solution and if there is none. */
  readonly elimination: Elimination | undefined;
  /** Searches that order at a position, if it has not been searched yet. */
  findPivotOrder(t: number, q: Float64Array): void;
  /**
   * `orderAccepted`: another kernel has computed accelerations in that order, and it was suitable. `orderRejected`: it was not, and the next
   * call here is for the same state.
   */
  orderAccepted(): void;
  orderRejected(): void;
  /** Number of dependent equations in the last solution; 0 if all are independent. */
  readonly redundant: number;
}

/** Result of an impact. */
export interface Impact {
  /** P, one number for each equation: N s or N m s. */
  readonly impulses: Float64Array;
  /** Kinetic energy dissipated, -½ P·(ḟ⁺ + ḟ⁻), and energy supplied by prescribed motions, -P·∂f/∂t. */
  readonly dissipated: number;
  readonly supplied: number;
}

export function closedLoops(
  model: Model,
  frameNames: readonly string[] = [],
  options: Pick<DeriveOptions, "target" | "engagedParameters"> = {},
): ClosedLoops {
  const frames = frameNames.map((name) => frameOf(model, name));
  const target = options.target ?? "wasm";
  const hold = engagedParameterWriter(options.engagedParameters);
  const system = loopSystem(model, frames, { target, writeEngagedParameters: hold });
  const closure = loopClosure(model, system, { target, writeEngagedParameters: hold });
  const { rows, pattern, b, x, out } = system;
  const { nq, nu } = model;
  const m = rows.length;
  const n = nu + m;
  const driven = new Float64Array(m);
  const forces = pivotOrderKernel((order) => compile(accelerationProgram(model, frames, { pattern, order }), { target }));
  let elimination: Elimination | undefined;
  /** Refined accelerations in this order are known to be wrong, so their kernel need not be compiled. */
  let isUnsuited = false;

  const orderAt = (t: number, q: Float64Array): SymmetricOrder | undefined => {
    system.evaluate(t, q);
    return system.order();
  };
  let lookedFor = false;
  const findOrder = (t: number, q: Float64Array): void => {
    if (lookedFor) return;
    lookedFor = true;
    forces.missed(() => orderAt(t, q));
  };

  const isDriven = model.loops.some(
    (loop) => loop.type === "coordinates" && (loop.motion.rate !== 0 || loop.motion.amplitude !== 0),
  );
  /** State of the last accelerations, and the power of prescribed motions there. */
  const found = { t: Number.NaN, at: [nq, nu, nu, 6 * frames.length].map((size) => new Float64Array(size)), power: 0 };
  const isFound = (t: number, ...parts: readonly Float64Array[]): boolean => {
    if (found.t !== t) return false;
    for (let p = 0; p < parts.length; p++)
      for (let i = 0; i < parts[p]!.length; i++) if (found.at[p]![i] !== parts[p]![i]) return false;
    return true;
  };
  const force = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    solveForces(t, q, u, tau, w);
    if (!isDriven) return;
    found.t = t;
    found.at[0]!.set(q);
    found.at[1]!.set(u);
    found.at[2]!.set(tau);
    found.at[3]!.set(w);
    found.power = 0;
    for (let i = 0; i < m; i++) found.power -= x[nu + i]! * driven[i]!;
  };

  /** Writes accelerations and multipliers into x, and ∂f/∂t into `timePartials`. */
  const solveForces = (t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    findOrder(t, q);
    const kernel = system.redundant === 0 && !isUnsuited ? forces.kernel : undefined;
    isUnsuited = false;
    if (kernel) {
      const { y } = kernel;
      system.give(kernel.x, t, q, u, tau, w);
      kernel.evaluate();
      if (isOrderSuitable(y, n + m)) {
        for (let i = 0; i < n; i++) x[i] = y[i]!;
        for (let i = 0; i < m; i++) driven[i] = y[n + i]!;
        if (y[n + m]! * MAX_GROWTH.refined < MAX_GROWTH.plain) forces.suited();
        else forces.missed(() => orderAt(t, q)); // another order may need no refinement
        return;
      }
    }
    system.evaluate(t, q, u, tau, w);
    const { y } = system;
    for (let i = 0; i < nu; i++) b[i] = y[out.r + i]!;
    for (let i = 0; i < m; i++) {
      b[nu + i] = -y[out.bias + i]!;
      driven[i] = y[out.driven + i]!;
    }
    system.solve();
    system.toOwnAxes(x, nu);
    forces.missed(system.order);
  };

  return {
    ...closure,
    rows: m,
    labels: rows.map(({ loop, label }) => ({ loop, label })),
    get redundant() {
      return system.redundant;
    },
    get elimination() {
      if (system.redundant > 0 || !forces.order) return undefined;
      if (elimination?.order !== forces.order) elimination = { pattern, order: forces.order };
      return elimination;
    },
    findPivotOrder: findOrder,
    orderAccepted: forces.suited,
    orderRejected() {
      isUnsuited = forces.order !== undefined && accuracyFor(forces.order) === "refined";
    },
    hasPrescribedMotion: isDriven,
    power(t, q, u, tau, w) {
      if (!isFound(t, q, u, tau, w)) force(t, q, u, tau, w);
      return found.power;
    },
    accelerations(t, q, u, tau, w, udot, lambda) {
      force(t, q, u, tau, w);
      for (let i = 0; i < nu; i++) udot[i] = x[i]!;
      for (let i = 0; i < m; i++) lambda[i] = x[nu + i]!;
    },
    impact(t, q, u, restitution) {
      system.evaluate(t, q, u);
      const { y } = system;
      b.fill(0, 0, nu);
      for (const [i, { loop }] of rows.entries()) b[nu + i] = -(1 + (restitution?.get(loop) ?? 0)) * y[out.rates + i]!;
      system.solve();
      const impulses = x.slice(nu);
      let [dissipated, supplied] = [0, 0];
      for (let i = 0; i < m; i++) {
        dissipated -= 0.5 * impulses[i]! * (2 * y[out.rates + i]! + b[nu + i]!);
        supplied -= impulses[i]! * y[out.driven + i]!;
      }
      for (let i = 0; i < nu; i++) u[i]! += x[i]!;
      system.toOwnAxes(impulses, 0);
      return { impulses, dissipated, supplied };
    },
    rankReport: system.report,
  };
}
