/**
 * The matrix method for trees [TR-942 2.2, misprints corrected]: Newton and Euler for every body by itself, the hinges as further equations, hinge forces as further
 * unknowns, and one sparse system for all. It shares nothing with the other formulations but the model.
 */
import { compile } from "../kernel/kernel.ts";
import { trace } from "../kernel/program.ts";
import { isNumber, mul, neg, type Scalar, sum } from "../kernel/scalar.ts";
import { type SparsePattern, sparseLU } from "../math/sparse-lu.ts";
import { SingularError } from "../model/errors.ts";
import { type Frame, frameOf, type Model } from "../model/model.ts";
import { apply } from "../spatial/rotation.ts";
import { cross, dot, plus, scale, total } from "../spatial/vec3.ts";
import type { DeriveOptions, Equations, Formulation } from "./formulation.ts";
import { absoluteBodies, inertiaOf } from "./matrix-bodies.ts";
import { augmentedSystem, type Coefficient, orderOf, unknownsOf } from "./matrix-system.ts";

export const matrix: Formulation = { name: "matrix", derive };

function derive(model: Model, options: DeriveOptions = {}): Equations {
  const { nq, nu } = model;
  const frames = (options.wrenches ?? []).map((name) => frameOf(model, name));
  const target = { target: options.target ?? "wasm" };
  const { program, pattern, constants } = matrixProgram(model, frames);
  const assembly = compile(program, target);
  const integrals = once(() => compile(matrixIntegrals(model), target));

  const varying = assembly.y.subarray(0, program.outputs.A);
  const B = assembly.y.subarray(program.outputs.A);
  const A = new Float64Array(varying.length + constants.length);
  A.set(constants, varying.length);
  const X = new Float64Array(pattern.n);
  const lu = sparseLU(pattern);
  const at = unknownsOf(model);

  function solve(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array): void {
    const { x } = assembly;
    x.set(q);
    x.set(u, nq);
    x.set(tau, nq + nu);
    x.set(w, nq + 2 * nu);
    assembly.evaluate();
    A.set(varying);
    if (!lu.factor(A)) throw singular(model, lu.dependent.column, pattern.n - lu.rank);
    lu.solve(B, X);
  }

  return {
    formulation: "matrix",
    model,
    nw: 6 * frames.length,
    accelerations(q, u, tau, w, udot) {
      solve(q, u, tau, w);
      for (let b = 0; b < at.length; b++) {
        const { u: first, nu: count } = model.bodies[b]!.hinge;
        for (let i = 0; i < count; i++) udot[first + i] = X[at[b]!.udot + i]!;
      }
    },
    reactions(q, u, tau, w, out) {
      solve(q, u, tau, w);
      for (let b = 0; b < at.length; b++)
        for (let i = 0; i < 3; i++) {
          out[6 * b + i] = X[at[b]!.t + i]!;
          out[6 * b + 3 + i] = X[at[b]!.f + i]!;
        }
    },
    energy(q, u, out) {
      const { y } = integralsAt(q, u);
      out[0] = y[0]!;
      out[1] = y[1]!;
    },
    momentum(q, u, out) {
      const { y } = integralsAt(q, u);
      for (let i = 0; i < 6; i++) out[i] = y[2 + i]!;
    },
  };

  function integralsAt(q: Float64Array, u: Float64Array) {
    const kernel = integrals();
    kernel.x.set(q);
    kernel.x.set(u, nq);
    kernel.evaluate();
    return kernel;
  }
}

/** The coefficients of A that depend on the state, then B, traced; the places of all coefficients; and those that are constant. */
export function matrixProgram(model: Model<Scalar>, frames: readonly Frame<Scalar>[]) {
  let places: readonly Coefficient[] = [];
  const inputs = { q: model.nq, u: model.nu, tau: model.nu, w: 6 * frames.length };
  const program = trace(`matrix method of ${model.name}`, inputs, (x) => {
    const { A, B } = augmentedSystem(model, frames, x);
    const varying = A.filter(({ value }) => !isNumber(value));
    places = [...varying, ...A.filter(({ value }) => isNumber(value))];
    return { A: varying.map(({ value }) => value), B };
  });
  const pattern: SparsePattern = {
    n: orderOf(model),
    rows: Int32Array.from(places, ({ row }) => row),
    columns: Int32Array.from(places, ({ column }) => column),
  };
  const constants = places.map(({ value }) => value).filter(isNumber);
  return { program, pattern, constants };
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
    return {
      energy: [
        mul(0.5, sum(bodies.flatMap((n) => [dot(n.v, n.linear), dot(n.w, n.angular)]))),
        neg(sum(bodies.map((n) => dot(n.weight, n.c)))),
      ],
      momentum: [
        ...total(bodies.map((n) => plus(n.angular, cross(n.c, n.linear)))), //
        ...total(bodies.map((n) => n.linear)),
      ],
    };
  });
}

/** Compiled when first asked for. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Names the body or hinge of an unknown that the system does not determine. */
function singular(model: Model, column: number, missing: number): SingularError {
  const b = unknownsOf(model).findLastIndex(({ vdot }) => vdot <= column);
  const { vdot, f, udot } = unknownsOf(model)[b]!;
  const { name, hinge } = model.bodies[b]!;
  const what =
    column < f
      ? `the ${column < vdot + 3 ? "acceleration" : "angular acceleration"} of body "${name}"`
      : `the ${column < udot ? "reaction" : "acceleration"} of hinge "${hinge.name}"`;
  return new SingularError(
    `${model.name}: the augmented system is singular: ${what} is not determined (${missing} of ${orderOf(model)} unknowns are free). ` +
      "A freedom there moves no inertia, two freedoms do the same, or the state is not finite.",
  );
}
