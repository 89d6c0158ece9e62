/** Quantities of a free-flying robot with engaged loops at one state (see dynamics/free-flying/closed-robot.ts). */
import { ClosedRobot } from "../../dynamics/free-flying/closed-robot.ts";
import type { Robot } from "../../dynamics/free-flying/robot.ts";
import { frameKinematics } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { pivotedQR } from "../../math/linear/pivoted-qr.ts";
import type { Model } from "../../model/model.ts";
import { matrixRows } from "./dynamics-terms.ts";
import type { ClosedFreeFlying, FreeFlyingEvaluation, Matrix } from "./free-flying-results.ts";

/** H*, C* and the generalised Jacobians with the engaged loops, and the hinge speeds that the loops leave independent. */
export function evaluateClosedFreeFlying(
  model: Model,
  robot: Robot<number>,
  q: Float64Array,
  u: Float64Array,
  frames: readonly string[],
): FreeFlyingEvaluation {
  const { nu } = model;
  const closed = new ClosedRobot(model, robot);
  closed.evaluate(0, q, u, new Float64Array(0));
  const { n, motion, bound } = closed;
  const { jacobian } = frames.length > 0 ? compile(frameKinematics(model, frames)).evaluateAt({ q, u }) : { jacobian: undefined };
  const jacobianOf = (k: number): Matrix => {
    const [Jstar, rest] = [new Float64Array(6 * n), new Float64Array(6)];
    closed.reduce(jacobian!.subarray(6 * nu * k, 6 * nu * (k + 1)), 6, Jstar, rest);
    return matrixRows(Jstar, n, 6);
  };
  const jacobians = frames.map((name, k) => [name, jacobianOf(k)] as const);
  const first = robot.base.hinge.u;
  const K = matrixRows(closed.K, n, bound);
  return {
    base: robot.base.name,
    speeds: robot.names,
    Hstar: matrixRows(closed.Hstar, n),
    Cstar: [...closed.Cstar],
    baseJacobian: Array.from({ length: 6 }, (_, i) => Array.from({ length: n }, (__, c) => motion[c * nu + first + i]!)),
    generalisedJacobians: Object.fromEntries(jacobians),
    loops: independentMotion(
      model.loops.map((loop) => loop.name),
      robot.names,
      K,
      closed.Hstar,
      jacobians,
    ),
  };
}

/** Chooses independent hinge speeds: the bindings K φ̇ = 0 give the others, φ̇ = E φ̇_i. */
function independentMotion(
  names: readonly string[],
  speeds: readonly string[],
  K: Matrix,
  Hstar: Float64Array,
  jacobians: readonly (readonly [string, Matrix])[],
): ClosedFreeFlying {
  const [n, bound] = [speeds.length, K.length];
  const qr = pivotedQR(bound, n);
  // The speeds that the bindings move most, in units of kinetic energy, are the dependent ones.
  const columns = Float64Array.from({ length: bound * n }, (_, i) => {
    const j = Math.floor(i / bound);
    return K[i % bound]![j]! / Math.sqrt(Hstar[j * n + j]!);
  });
  qr.factor(columns, 0, bound, weightsOf(columns, bound, n));
  const dependent = [...qr.order.subarray(0, qr.rank)];
  const independent = speeds.map((_, j) => j).filter((j) => !dependent.includes(j));
  const E = independent.map((i) => {
    const right = Float64Array.from(K, (row) => -row[i]!);
    const x = new Float64Array(n);
    qr.applyQTransposed(right);
    qr.solve(right, x);
    return speeds.map((_, j) => (j === i ? 1 : dependent.includes(j) ? x[j]! / Math.sqrt(Hstar[j * n + j]!) : 0));
  });
  const reduced = (J: Matrix): Matrix => J.map((row) => E.map((column) => row.reduce((sum, v, j) => sum + v * column[j]!, 0)));
  return {
    names,
    binding: K,
    independent: independent.map((j) => speeds[j]!),
    generalisedJacobians: Object.fromEntries(jacobians.map(([name, J]) => [name, reduced(J)])),
  };
}

/** Lengths of the columns, relative to the longest one: short columns are chosen last. */
function weightsOf(columns: Float64Array, rows: number, n: number): Float64Array {
  const lengths = Float64Array.from({ length: n }, (_, j) => {
    let squares = 0;
    for (let i = 0; i < rows; i++) squares += columns[j * rows + i]! * columns[j * rows + i]!;
    return Math.sqrt(squares);
  });
  const longest = Math.max(...lengths, Number.MIN_VALUE);
  return lengths.map((length) => length / longest);
}
