/**
 * The torque optimum of a robot with loops as one dense system of optimality conditions (KKT), with nothing eliminated: the unknowns are all
 * accelerations, the torques, the loads of the grips, and one multiplier for each equation.
 *
 *   min ½ Σ (τ_i / w_i)² + ½ Σ (f_i / w_i)²,   M u̇ - S τ - Jᵀ λ - B f = -h,   J u̇ = -j,   A u̇ = b
 *
 * Thrusts f that are given are constants. Their multipliers show whether it is right to keep them there.
 */
import { biasForce, massMatrix } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { denseLU } from "../../math/linear/dense-lu.ts";
import { coordinateNames } from "../../model/model.ts";
import { gripRows, type RandomClosedRobot } from "./random-closed-robots.ts";

/** Rows A u̇ = b of tasks, nu numbers each. */
export interface AccelerationRows {
  readonly A: ArrayLike<number>;
  readonly b: ArrayLike<number>;
}

/** A thrust: its generalised force, the thrust that counts as one, and its value if it is given. */
export interface DenseThrust {
  readonly force: Float64Array;
  readonly weight: number;
  readonly given?: number;
}

/**
 * Torques of the hinges with motors, in their order, the accelerations of all speeds, and the thrusts. `slopes` are the derivatives of the
 * least cost with respect to given thrusts, in units of their weights, and zero for the others.
 */
export function denseTorqueOptimum(
  robot: RandomClosedRobot,
  tasks: AccelerationRows,
  thrusts: readonly DenseThrust[] = [],
): Readonly<Record<"tau" | "udot" | "thrusts" | "slopes", Float64Array>> {
  const { model, q, u, hinges, weights } = robot;
  const { nu } = model;
  const { mass } = compile(massMatrix(model)).evaluateAt({ q });
  const { bias } = compile(biasForce(model)).evaluateAt({ q, u });
  const grips = gripRows(robot);
  const names = coordinateNames(model).u;
  const driven = hinges.map((hinge) => names.indexOf(hinge));
  const [n, r, m] = [driven.length, grips.rows, tasks.b.length];
  const unknowns = nu + n + r + thrusts.length;
  const firstThrust = nu + n + r;
  const size = unknowns + nu + r + m;
  const K = new Float64Array(size * size);
  const right = new Float64Array(size);
  const set = (row: number, column: number, value: number): void => {
    K[(unknowns + row) * size + column] = value;
    K[column * size + unknowns + row] = value;
  };
  // τ is in units of its weight, and forces are divided by 100, so that all entries are of order one.
  const SCALE = 100;
  for (let i = 0; i < n; i++) K[(nu + i) * size + nu + i] = 1;
  for (let i = 0; i < nu; i++) {
    for (let j = 0; j < nu; j++) set(i, j, mass[i * nu + j]! / SCALE);
    for (let k = 0; k < r; k++) set(i, nu + n + k, -grips.J[k * nu + i]!);
    right[unknowns + i] = -bias[i]! / SCALE;
  }
  for (const [k, { force, weight, given }] of thrusts.entries()) {
    K[(firstThrust + k) * size + firstThrust + k] = 1;
    if (given === undefined) for (let i = 0; i < nu; i++) set(i, firstThrust + k, (-weight * force[i]!) / SCALE);
    else for (let i = 0; i < nu; i++) right[unknowns + i]! += (given * force[i]!) / SCALE;
    if (given !== undefined) right[firstThrust + k] = given / weight;
  }
  for (const [i, speed] of driven.entries()) set(speed, nu + i, -weights[i]! / SCALE);
  for (let k = 0; k < r; k++) {
    for (let j = 0; j < nu; j++) set(nu + k, j, grips.J[k * nu + j]!);
    right[unknowns + nu + k] = -grips.bias[k]!;
  }
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < nu; j++) set(nu + r + i, j, tasks.A[i * nu + j]!);
    right[unknowns + nu + r + i] = tasks.b[i]!;
  }
  const x = refinedSolution(K, right);
  const slopeOf = ({ force, weight, given }: DenseThrust): number => {
    if (given === undefined) return 0;
    let slope = given / weight;
    for (let i = 0; i < nu; i++) slope -= (weight * force[i]! * x[unknowns + i]!) / SCALE;
    return slope;
  };
  return {
    tau: Float64Array.from(weights, (w, i) => w * x[nu + i]!),
    udot: x.slice(0, nu),
    thrusts: Float64Array.from(thrusts, ({ weight }, k) => weight * x[firstThrust + k]!),
    slopes: Float64Array.from(thrusts, slopeOf),
  };
}

/** Solution of a dense system with two steps of refinement. */
function refinedSolution(A: Float64Array, b: Float64Array): Float64Array {
  const n = b.length;
  const lu = denseLU(n);
  lu.factor(A);
  const x = b.slice();
  lu.solve(x);
  for (let step = 0; step < 2; step++) {
    const residual = b.map((value, i) => {
      let sum = value;
      for (let j = 0; j < n; j++) sum -= A[i * n + j]! * x[j]!;
      return sum;
    });
    lu.solve(residual);
    for (let i = 0; i < n; i++) x[i]! += residual[i]!;
  }
  return x;
}
