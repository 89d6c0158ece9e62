/**
 * The sparse system of a model with loops,
 *
 *   [ M  -Jᵀ ] [ u̇ ]   [ r     ]
 *   [ J   0  ] [ λ ] = [ -bias ]
 *
 * with M by composite bodies and r by Newton-Euler: its values at a state, and its solution without a compiled pivot order. If equations
 * depend on each other, orthogonal factors or eigenvalues give the smallest multipliers.
 */
import { compile, type Target } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import { sparseLU } from "../../../math/linear/sparse-lu.ts";
import { type SymmetricOrder, symmetricOrder } from "../../../math/linear/symmetric-order.ts";
import type { Frame, Model } from "../../../model/model.ts";
import { springStiffnessEntries } from "./assembly-stiffness.ts";
import { systemProgram } from "./loop-programs.ts";
import { MAX_ELIMINATIONS } from "./pivot-order-cache.ts";
import {
  constraintWeights,
  type LoopRankReport,
  loopRankReport,
  type MinimumNormSolver,
  minimumNormSolver,
  rankTolerance,
} from "./redundant-loops.ts";

/** Options of the kernels of a model with loops. */
export interface LoopKernelOptions {
  readonly target: Target;
  /** Writes the parameters of loops engaged as found into the inputs of a kernel. */
  readonly writeEngagedParameters: (x: Float64Array) => void;
}

export type LoopSystem = ReturnType<typeof loopSystem>;

export function loopSystem(model: Model, frames: readonly Frame[], { target, writeEngagedParameters: hold }: LoopKernelOptions) {
  const { program, pattern, constants, rows, turned } = systemProgram(model, frames);
  const kernel = compile(program, { target });
  const at = offsetsOf(program.inputs);
  const out = offsetsOf(program.outputs);
  const { nu } = model;
  const m = rows.length;
  const loopOfRow = rows.map((r) => r.loop);
  const values = new Float64Array(pattern.rows.length);
  values.set(constants, program.outputs.matrix);
  const lu = sparseLU(pattern);
  const b = new Float64Array(nu + m);
  const x = new Float64Array(nu + m);
  const still: Readonly<Record<"u" | "tau" | "w", Float64Array>> = {
    u: new Float64Array(nu),
    tau: new Float64Array(nu),
    w: new Float64Array(6 * frames.length),
  };
  let isHeld = false;
  const held = lazy(() => springStiffnessEntries(model, pattern, values));
  let redundant = 0;
  let dense: boolean | undefined;
  let smallest: MinimumNormSolver | undefined;

  /** Writes a state into the inputs of the system's kernel, or of a kernel with the same inputs. */
  const give = (x: Float64Array, t: number, q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void => {
    x[at.t] = t;
    x.set(q, at.q);
    x.set(u, at.u);
    x.set(tau, at.tau);
    x.set(w, at.w);
    hold(x);
  };

  /** Computes the values of the system at a state. */
  const evaluate = (t: number, q: Float64Array, u = still.u, tau = still.tau, w = still.w): void => {
    give(kernel.x, t, q, u, tau, w);
    kernel.evaluate();
    const { y } = kernel;
    for (let i = 0; i < program.outputs.matrix; i++) values[i] = y[out.matrix + i]!;
    if (!isHeld) return;
    for (const { entry, added } of held()) values[entry] = added + (constants[entry - program.outputs.matrix] ?? values[entry]!);
  };

  /** Largest loop residual of the last evaluation. */
  const off = (): number => {
    let worst = 0;
    for (let i = 0; i < m; i++) worst = Math.max(worst, Math.abs(kernel.y[out.f + i]!));
    return worst;
  };

  /** Rotates the three values of each group of rotated rows to the loops' own axes; values of successive rows are `stride` apart. */
  const toOwnAxes = (v: Float64Array, first: number, stride = 1): void => {
    const { y } = kernel;
    for (let k = 0; k < turned.length; k++) {
      const rows = turned[k]!;
      const R = out.turns + 9 * k;
      const [a, b, c] = [v[first + stride * rows[0]!]!, v[first + stride * rows[1]!]!, v[first + stride * rows[2]!]!];
      for (let r = 0; r < 3; r++)
        v[first + stride * rows[r]!] = y[R + 3 * r]! * a + y[R + 3 * r + 1]! * b + y[R + 3 * r + 2]! * c;
    }
  };
  /** Rotates the rows of J, nu numbers each, to the axes in which they are named. */
  const turnRows = (J: Float64Array): void => {
    for (let column = 0; column < nu; column++) toOwnAxes(J, column, nu);
  };

  /** True if equations depend on each other. It is tested once, on the rows themselves: rounding hides it from a factorisation. */
  const isDependent = (): boolean => loopRankReport(pattern, values, nu, loopOfRow, rankTolerance(off()), turnRows).rank < m;

  return {
    rows,
    pattern,
    /** Right-hand side and solution: nu numbers, then one for each row. */
    b,
    x,
    /** Outputs of the kernel, and their offsets. */
    y: kernel.y,
    out,
    give,
    evaluate,
    toOwnAxes,
    /**
     * Solves for x with right-hand side b, rows in the axes of the kernel. If equations depend on each other, the motion is still unique,
     * and the multipliers are the smallest.
     */
    solve(): void {
      dense ??= isDependent();
      if (!dense && lu.factor(values)) {
        lu.solve(b, x);
        redundant = 0;
        return;
      }
      smallest ??= minimumNormSolver(pattern, nu, m);
      redundant = smallest.solve(values, b, x, rankTolerance(off()));
    },
    /** Number of dependent equations in the last solution. */
    get redundant(): number {
      return redundant;
    },
    /** A symmetric pivot order for the values of the last evaluation, if there is one. */
    order(): SymmetricOrder | undefined {
      dense ??= isDependent();
      return dense ? undefined : symmetricOrder(pattern, values, MAX_ELIMINATIONS);
    },
    report(t: number, q: Float64Array): LoopRankReport {
      evaluate(t, q);
      return loopRankReport(pattern, values, nu, loopOfRow, undefined, turnRows);
    },
    weights(t: number, q: Float64Array): Float64Array {
      evaluate(t, q);
      return constraintWeights(pattern, values, nu, m);
    },
    /** Adds spring stiffness to the metric of changes, or removes it again. */
    holdBySprings(wanted: boolean): void {
      isHeld = wanted && model.springs.length > 0;
      if (!isHeld) values.set(constants, program.outputs.matrix);
    },
    get isHeld(): boolean {
      return isHeld;
    },
  };
}
