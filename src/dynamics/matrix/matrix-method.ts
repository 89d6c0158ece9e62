/**
 * The matrix method [TR-942 2.2, misprints corrected]: Newton's and Euler's equations for every single body, the hinges as further
 * equations, hinge forces as further unknowns, and loops as they are, in one sparse system. It shares only the model with the other
 * formulations.
 */

import { compile } from "../../kernel/run/kernel.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { offsetsOf, trace } from "../../kernel/trace/program.ts";
import { isNumber, mul, neg, type Scalar, square, sum } from "../../kernel/trace/scalar.ts";
import type { SparsePattern } from "../../math/linear/sparse-lu.ts";
import { engagedParameterTotal, withEngagedParameters } from "../../model/loops/engaged-loop-parameters.ts";
import { type Frame, frameOf, type Model, quaternionStarts } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import { cross, dot, plus, scale, sumVectors } from "../../spatial/vec3.ts";
import { checkDerivation, withCheckedLengths } from "../checked-equations.ts";
import { type DeriveOptions, type Equations, engagedParameterWriter, type Formulation } from "../formulation.ts";
import { absoluteBodies, inertiaOf } from "./absolute-bodies.ts";
import { augmentedSystem, type Coefficient, firstMultiplier, unknownCount, unknownOffsets } from "./augmented-system.ts";
import { loopEquations } from "./loop-equations.ts";
import { contradictionError, type SystemSolver, systemSolver } from "./system-solver.ts";

/** Rounding of the accelerations that a row requires, relative to the square of the largest speed. */
const BIAS_ROUNDING = 1e-10;
/** Accelerations below this, m/s² or rad/s², are none. The speeds of a machine that cannot move are rounding, up to 1e-12. */
const NO_ACCELERATION = 1e-20;

export const matrix: Formulation = { name: "matrix", derive };

function derive(model: Model, options: DeriveOptions = {}): Equations {
  checkDerivation(model, options);
  const { nq, nu } = model;
  const frames = (options.wrenches ?? []).map((name) => frameOf(model, name));
  const target = { target: options.target ?? "wasm" };
  const writeEngagedParameters = engagedParameterWriter(options.engagedParameters);
  const { program, pattern, constants } = matrixProgram(model, frames);
  const systemKernel = compile(program, target);
  const integrals = lazy(() => compile(matrixIntegrals(model), target));

  const errors = lazy(() => compile(matrixLoopErrors(model), target));

  const outputs = offsetsOf(program.outputs);
  const variableValues = systemKernel.y.subarray(0, outputs.B);
  const B = systemKernel.y.subarray(outputs.B, outputs.f);
  const f = systemKernel.y.subarray(outputs.f);
  const A = new Float64Array(variableValues.length + constants.length);
  A.set(constants, variableValues.length);
  const solver = systemSolver(model, pattern);
  const { X } = solver;
  const offsets = unknownOffsets(model);
  const firstRow = firstMultiplier(model);
  const quaternions = quaternionStarts(model);
  const zero = { u: new Float64Array(nu), w: new Float64Array(6 * frames.length) };

  function solve(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, t: number): void {
    const { x } = systemKernel;
    x.set(q);
    x.set(u, nq);
    x.set(tau, nq + nu);
    x.set(w, nq + 2 * nu);
    x[nq + 2 * nu + 6 * frames.length] = t;
    writeEngagedParameters(x);
    systemKernel.evaluate();
    A.set(variableValues);
    solver.solve(A, B, f, normError(quaternions, q));
  }

  return withCheckedLengths({
    formulation: "matrix",
    model,
    nw: 6 * frames.length,
    accelerations(q, u, tau, w, udot, t = 0) {
      solve(q, u, tau, w, t);
      checkConsistency(model, solver, u, t);
      for (let b = 0; b < offsets.length; b++) {
        const { u: firstSpeed, nu: count } = model.bodies[b]!.hinge;
        for (let i = 0; i < count; i++) udot[firstSpeed + i] = X[offsets[b]!.udot + i]!;
      }
    },
    reactions(q, u, tau, w, out, t = 0) {
      solve(q, u, tau, w, t);
      checkConsistency(model, solver, u, t);
      solver.minimiseMultipliers();
      for (let b = 0; b < offsets.length; b++)
        for (let i = 0; i < 3; i++) {
          out[6 * b + i] = X[offsets[b]!.t + i]!;
          out[6 * b + 3 + i] = X[offsets[b]!.f + i]!;
        }
    },
    loopForces(q, u, tau, w, out, t = 0) {
      solve(q, u, tau, w, t);
      checkConsistency(model, solver, u, t);
      solver.minimiseMultipliers();
      for (let i = firstRow; i < pattern.n; i++) out[i - firstRow] = X[i]!;
    },
    loopErrors(q, u, out, t = 0) {
      const { x, y, evaluate } = errors();
      x.set(q);
      x.set(u, nq);
      x[nq + nu] = t;
      writeEngagedParameters(x);
      evaluate();
      out.set(y);
    },
    loopRank(q, t = 0) {
      solve(q, zero.u, zero.u, zero.w, t);
      const dependencies = solver.combinations().map((v) => v.slice(firstRow));
      return { rank: pattern.n - firstRow - dependencies.length, dependencies };
    },
    save: () => solver.save(),
    restore: (saved) => solver.restore(saved, "equations"),
    energy(q, u, out) {
      const { y } = integralsAt(q, u);
      out[0] = y[0]!;
      out[1] = y[1]!;
    },
    momentum(q, u, out) {
      const { y } = integralsAt(q, u);
      for (let i = 0; i < 6; i++) out[i] = y[2 + i]!;
    },
  });

  function integralsAt(q: Float64Array, u: Float64Array) {
    const kernel = integrals();
    kernel.x.set(q);
    kernel.x.set(u, nq);
    kernel.evaluate();
    return kernel;
  }
}

/** Largest deviation of the squared norm of a quaternion from 1. */
function normError(quaternions: readonly number[], q: Float64Array): number {
  let worst = 0;
  for (const k of quaternions) {
    const square = q[k]! * q[k]! + q[k + 1]! * q[k + 1]! + q[k + 2]! * q[k + 2]! + q[k + 3]! * q[k + 3]!;
    worst = Math.max(worst, Math.abs(square - 1));
  }
  return worst;
}

/** Throws if dependent rows contradicted each other in the last solution, by more than the rounding of accelerations at these speeds. */
function checkConsistency(model: Model, { contradicting, contradiction }: SystemSolver, u: Float64Array, t: number): void {
  if (contradicting < 0) return;
  const fastest = u.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  if (contradiction > BIAS_ROUNDING * fastest * fastest + NO_ACCELERATION)
    throw contradictionError(model, contradicting - firstMultiplier(model), t);
}

/**
 * The traced coefficients of A that depend on the state, then B, then the errors f of loops; rows and columns of all coefficients; and the
 * constant coefficients.
 */
export function matrixProgram(model: Model<Scalar>, frames: readonly Frame<Scalar>[]) {
  let coefficients: readonly Coefficient[] = [];
  const inputs = { q: model.nq, u: model.nu, tau: model.nu, w: 6 * frames.length, t: 1, found: engagedParameterTotal(model) };
  const program = trace(`matrix method of ${model.name}`, inputs, (x) => {
    const { A, B, f } = augmentedSystem(withEngagedParameters(model, x.found), frames, x);
    const variableValues = A.filter(({ value }) => !isNumber(value));
    coefficients = [...variableValues, ...A.filter(({ value }) => isNumber(value))];
    return { A: variableValues.map(({ value }) => value), B, f };
  });
  const pattern: SparsePattern = {
    n: unknownCount(model),
    rows: Int32Array.from(coefficients, ({ row }) => row),
    columns: Int32Array.from(coefficients, ({ column }) => column),
  };
  const constants = coefficients.map(({ value }) => value).filter(isNumber);
  return { program, pattern, constants };
}

/** f and ḟ of every row of the loops. */
export function matrixLoopErrors(model: Model<Scalar>) {
  return trace(
    `matrix method loops of ${model.name}`,
    { q: model.nq, u: model.nu, t: 1, found: engagedParameterTotal(model) },
    ({ q, u, t, found }) => {
      const rows = loopEquations(withEngagedParameters(model, found), absoluteBodies(model, q, u), q, u, t[0]!);
      return { f: rows.map(({ f }) => f), rate: rows.map(({ rate }) => rate) };
    },
  );
}

/** Energy and momentum, body by body: ½ m v² + ½ ω·I ω, -m g·c, I ω + c × m v about the inertial origin, m v. */
export function matrixIntegrals(model: Model<Scalar>) {
  return trace(`matrix method integrals of ${model.name}`, { q: model.nq, u: model.nu }, ({ q, u }) => {
    const bodies = absoluteBodies(model, q, u).map((n, b) => {
      const body = model.bodies[b]!;
      return {
        ...n,
        linear: scale(body.mass, n.v),
        angular: apply(inertiaOf(body, n), n.w),
        weight: scale(body.mass, model.gravity),
      };
    });
    const rotors = model.bodies.flatMap(({ hinge }) => hinge.elements.flatMap((e) => Array<number>(e.nu).fill(e.armature ?? 0)));
    return {
      energy: [
        mul(
          0.5,
          sum([
            ...bodies.flatMap((n) => [dot(n.v, n.linear), dot(n.w, n.angular)]),
            ...rotors.map((J, i) => mul(J, square(u[i]!))),
          ]),
        ),
        neg(sum(bodies.map((n) => dot(n.weight, n.c)))),
      ],
      momentum: [
        ...sumVectors(bodies.map((n) => plus(n.angular, cross(n.c, n.linear)))), //
        ...sumVectors(bodies.map((n) => n.linear)),
      ],
    };
  });
}
