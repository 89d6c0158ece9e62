/** States of closed machines for the tests: speeds that keep the loops closed, and everything that formulations say of a state. */
import type { Equations } from "../../src/dynamics/formulation.ts";
import { pivotedQR } from "../../src/math/linear/pivoted-qr.ts";
import { rowsOf } from "../../src/model/loop.ts";
import type { Model } from "../../src/model/model.ts";

export const loopRows = (model: Model): number => model.loops.reduce((n, loop) => n + rowsOf(loop), 0);

/** J by rows of nu entries, from the rates of the loops: ḟ is J u + ∂f/∂t. */
export function loopJacobian(equations: Equations, q: Float64Array, t = 0): Float64Array {
  const { model } = equations;
  const m = loopRows(model);
  const J = new Float64Array(m * model.nu);
  const [still, moving] = [new Float64Array(2 * m), new Float64Array(2 * m)];
  equations.loopErrors(q, new Float64Array(model.nu), still, t);
  for (let k = 0; k < model.nu; k++) {
    const unit = new Float64Array(model.nu);
    unit[k] = 1;
    equations.loopErrors(q, unit, moving, t);
    for (let i = 0; i < m; i++) J[i * model.nu + k] = moving[m + i]! - still[m + i]!;
  }
  return J;
}

/** The speeds nearest to u that keep the loops closed. */
export function closedSpeeds(equations: Equations, q: Float64Array, u: Float64Array, t = 0): Float64Array {
  const { model } = equations;
  const m = loopRows(model);
  const errors = new Float64Array(2 * m);
  const speeds = u.slice();
  const qr = pivotedQR(model.nu, m);
  qr.factor(loopJacobian(equations, q, t), 1e-9); // by columns of Jᵀ
  for (const _twice of [1, 2]) {
    equations.loopErrors(q, speeds, errors, t);
    const rest = Float64Array.from({ length: qr.rank }, (_, k) => -errors[m + qr.order[k]!]!);
    qr.solveTransposed(rest);
    const change = new Float64Array(model.nu);
    change.set(rest);
    qr.turnBack(change);
    for (let i = 0; i < model.nu; i++) speeds[i]! += change[i]!;
  }
  return speeds;
}

export interface Answers {
  readonly udot: Float64Array;
  readonly reactions: Float64Array;
  readonly lambda: Float64Array;
}

export function answersOf(
  equations: Equations,
  {
    q,
    u,
    tau,
    w,
    t = 0,
  }: {
    readonly q: Float64Array;
    readonly u: Float64Array;
    readonly tau: Float64Array;
    readonly w: Float64Array;
    readonly t?: number;
  },
): Answers {
  const { model } = equations;
  const answers = {
    udot: new Float64Array(model.nu),
    reactions: new Float64Array(6 * model.bodies.length),
    lambda: new Float64Array(loopRows(model)),
  };
  equations.accelerations(q, u, tau, w, answers.udot, t);
  equations.reactions(q, u, tau, w, answers.reactions, t);
  equations.loopForces(q, u, tau, w, answers.lambda, t);
  return answers;
}

/** The answers of a formulation at plain numbers. */
export const answersAt = (
  equations: Equations,
  q: readonly number[],
  u: readonly number[],
  tau: readonly number[] = u.map(() => 0),
  t = 0,
): Answers =>
  answersOf(equations, {
    q: Float64Array.from(q),
    u: Float64Array.from(u),
    tau: Float64Array.from(tau),
    w: new Float64Array(0),
    t,
  });
