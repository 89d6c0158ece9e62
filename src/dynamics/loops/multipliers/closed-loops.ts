/**
 * Models with loops: accelerations and multipliers from one sparse system (loop-system.ts), and projection onto the constraints
 * (loop-closure.ts). The cost is linear in the number of loops if each loop involves a few bodies.
 *
 * The pivots of the system are chosen for the numbers of the first state. Elimination in that order is compiled together with the
 * equations. If the order no longer suits the numbers, the sparse solver computes the solution, and a new order is searched.
 */

import { KernelMemory } from "../../../kernel/run/memory.ts";
import { frameOf, type Model } from "../../../model/model.ts";
import { savedEntries } from "../../../saved-data.ts";
import { type DeriveOptions, engagedParameterWriter } from "../../formulation.ts";
import { LoopAccelerations } from "./loop-accelerations.ts";
import { type LoopClosure, loopClosure } from "./loop-closure.ts";
import type { Elimination } from "./loop-programs.ts";
import type { LoopRankReport } from "./loop-rank.ts";
import { type LoopKernelOptions, LoopSystem } from "./loop-system.ts";

export interface ClosedLoops extends LoopClosure {
  /** Number of equations. */
  readonly rows: number;
  /** Length of the wrenches w. */
  readonly wrenchSize: number;
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
  /** Writes r, the right-hand side of M u̇ = r + Jᵀλ: loads, gravity, centrifugal and gyroscopic terms. */
  forcesAt(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, r: Float64Array): void;
  /** Computes u̇ at a state with the r of another state. Returns the power that prescribed motions supply. */
  accelerationsUnder(t: number, q: Float64Array, u: Float64Array, r: Float64Array, udot: Float64Array): number;
  /** True if some loops prescribe a motion in time; these supply energy. */
  readonly hasPrescribedMotion: boolean;
  /** Power that prescribed motions supply: multipliers times -∂f/∂t. */
  power(t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): number;
  /**
   * An impact at q: the smallest change of u, measured by kinetic energy, after which the rows of each loop have the rate -restitution
   * times ḟ before the impact. With zero restitution it is plastic: M (u⁺ - u⁻) = Jᵀ P and J u⁺ = -∂f/∂t.
   */
  impact(t: number, q: Float64Array, u: Float64Array, restitution?: ReadonlyMap<string, number>): Impact;
  /**
   * A generalised impulse Q from outside at q: M Δu = Q + JᵀP and J Δu = 0, so that the loops keep their rates. Adds Δu to u. `supplied` is
   * the work of Q, Q·(u⁻ + u⁺)/2, and that of prescribed motions.
   */
  push(t: number, q: Float64Array, u: Float64Array, Q: Float64Array): Impact;
  /** Rank and singular values of the equations at a position. Allocates. */
  rankReport(t: number, q: Float64Array): LoopRankReport;
  /** True if the singular values of that report are surely above `ratio` times the largest, by bounds that cost little. False decides nothing. */
  rowsAreClear(t: number, q: Float64Array, ratio: number): boolean;
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
  const kernelOptions: LoopKernelOptions = {
    target: options.target ?? "wasm",
    memory: new KernelMemory(),
    writeEngagedParameters: engagedParameterWriter(options.engagedParameters),
  };
  const system = new LoopSystem(model, frames, kernelOptions);
  const solver = new LoopAccelerations(model, frames, system, kernelOptions);
  const { rows, x } = system;
  const { nu } = model;
  const m = rows.length;
  const closure = loopClosure(model, system, kernelOptions);
  return {
    ...closure,
    rows: m,
    wrenchSize: 6 * frames.length,
    labels: rows.map(({ loop, label }) => ({ loop, label })),
    get redundant() {
      return system.redundant;
    },
    get elimination() {
      return solver.elimination;
    },
    findPivotOrder: (t, q) => solver.findPivotOrder(t, q),
    orderAccepted: () => solver.orderAccepted(),
    orderRejected: () => solver.orderRejected(),
    hasPrescribedMotion: solver.hasPrescribedMotion,
    power: (t, q, u, tau, w) => solver.power(t, q, u, tau, w),
    accelerations(t, q, u, tau, w, udot, lambda) {
      solver.solve(t, q, u, tau, w);
      for (let i = 0; i < nu; i++) udot[i] = x[i]!;
      for (let i = 0; i < m; i++) lambda[i] = x[nu + i]!;
    },
    forcesAt(t, q, u, tau, w, r) {
      system.evaluate(t, q, u, tau, w);
      for (let i = 0; i < nu; i++) r[i] = system.y[system.out.r + i]!;
    },
    accelerationsUnder: (t, q, u, r, udot) => solveUnder(system, nu, t, q, u, r, udot),
    impact: (t, q, u, restitution) => solveImpact(system, nu, t, q, u, restitution),
    push: (t, q, u, Q) => solvePush(system, nu, t, q, u, Q),
    rankReport: (t, q) => system.rankReport(t, q),
    rowsAreClear: (t, q, ratio) => system.rowsAreClear(t, q, ratio),
    save: () => ({ system: system.save(), accelerations: solver.save(), closure: closure.save() }),
    restore(saved, path = "loops") {
      const entries = savedEntries(saved, ["system", "accelerations", "closure"], path);
      system.restore(entries.system, `${path}.system`);
      solver.restore(entries.accelerations, `${path}.accelerations`);
      closure.restore(entries.closure, `${path}.closure`);
    },
  };
}

/** Solves M u̇ = r + Jᵀλ, J u̇ = -bias for a given r. Returns -λ·∂f/∂t. */
function solveUnder(
  system: LoopSystem,
  nu: number,
  t: number,
  q: Float64Array,
  u: Float64Array,
  r: Float64Array,
  udot: Float64Array,
): number {
  const { b, x, y, out } = system;
  system.evaluate(t, q, u);
  let power = 0;
  for (let i = 0; i < nu; i++) b[i] = r[i]!;
  for (let i = nu; i < b.length; i++) b[i] = -y[out.bias + i - nu]!;
  system.solve();
  for (let i = 0; i < nu; i++) udot[i] = x[i]!;
  for (let i = nu; i < b.length; i++) power -= x[i]! * y[out.driven + i - nu]!;
  return power;
}

/** Solves an impact (see ClosedLoops.impact) and adds the jump of the speeds to u. */
function solveImpact(
  system: LoopSystem,
  nu: number,
  t: number,
  q: Float64Array,
  u: Float64Array,
  restitution: ReadonlyMap<string, number> | undefined,
): Impact {
  const { rows, b, x, out } = system;
  system.evaluate(t, q, u);
  const { y } = system;
  b.fill(0, 0, nu);
  for (const [i, { loop }] of rows.entries()) b[nu + i] = -(1 + (restitution?.get(loop) ?? 0)) * y[out.rates + i]!;
  system.solve();
  const impulses = x.slice(nu);
  let [dissipated, supplied] = [0, 0];
  for (let i = 0; i < rows.length; i++) {
    dissipated -= 0.5 * impulses[i]! * (2 * y[out.rates + i]! + b[nu + i]!);
    supplied -= impulses[i]! * y[out.driven + i]!;
  }
  for (let i = 0; i < nu; i++) u[i]! += x[i]!;
  system.rotateToOwnAxes(impulses, 0);
  return { impulses, dissipated, supplied };
}

/** Solves a generalised impulse from outside (see ClosedLoops.push) and adds the jump of the speeds to u. */
function solvePush(system: LoopSystem, nu: number, t: number, q: Float64Array, u: Float64Array, Q: Float64Array): Impact {
  const { rows, b, x, y, out } = system;
  system.evaluate(t, q, u);
  b.set(Q);
  b.fill(0, nu);
  system.solve();
  const impulses = x.slice(nu);
  let supplied = 0;
  for (let i = 0; i < rows.length; i++) supplied -= impulses[i]! * y[out.driven + i]!;
  for (let i = 0; i < nu; i++) {
    supplied += Q[i]! * (u[i]! + x[i]! / 2);
    u[i]! += x[i]!;
  }
  system.rotateToOwnAxes(impulses, 0);
  return { impulses, dissipated: 0, supplied };
}
