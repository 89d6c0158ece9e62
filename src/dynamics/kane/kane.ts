/**
 * Kane's method [TR-942 2.3, misprints corrected]: minimal coordinates, partial velocities, and composite quantities by
 * recursion, on 3-vectors in inertial axes. Loops are cut and closed with multipliers. It shares only the model with the other
 * formulations.
 */

import { SingularError } from "../../errors.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import {
  factorTree,
  solveTree,
  solveTreeFirstHalf,
  solveTreeSecondHalf,
  treeInverseRoots,
  treePattern,
} from "../../math/linear/tree-ldl.ts";
import { coordinateNames, frameOf, type Model } from "../../model/model.ts";
import { type DeriveOptions, type Equations, engagedParameterWriter, type Formulation } from "../formulation.ts";
import { kaneIntegrals, kaneLoopErrors, kaneProgram, kaneReactions } from "./equations.ts";
import { innerSpeeds, kaneLinksOf } from "./links.ts";
import { type LoopValues, loopSolver } from "./loop-solver.ts";

export const kane: Formulation = { name: "kane", derive };

function derive(model: Model, options: DeriveOptions = {}): Equations {
  const { nq, nu } = model;
  const frames = (options.wrenches ?? []).map((name) => frameOf(model, name));
  const nw = 6 * frames.length;
  const target = { target: options.target ?? "wasm" };
  const hold = engagedParameterWriter(options.engagedParameters);
  const { program, speeds } = kaneProgram(model, frames);
  const equations = compile(program, target);
  const reactions = once(() => compile(kaneReactions(model, frames), target));
  const integrals = once(() => compile(kaneIntegrals(model), target));
  const errors = once(() => compile(kaneLoopErrors(model), target));

  const pattern = treePattern(innerSpeeds(kaneLinksOf(model)));
  const at = offsetsOf(program.outputs);
  const part = (name: keyof typeof at): Float64Array => equations.y.subarray(at[name], at[name] + program.outputs[name]);
  const M = part("M");
  const rhs = part("rhs");
  const values: LoopValues = { J: part("J"), bias: part("bias"), f: part("f"), size: part("size") };
  const diagonal = new Float64Array(nu);
  const roots = new Float64Array(nu);
  const rates = new Float64Array(nu);
  const nothing = { u: new Float64Array(nu), w: new Float64Array(nw) };
  const all = Int32Array.from({ length: nu }, (_, i) => i);
  const lambda = new Float64Array(speeds.length);
  const loops = loopSolver(pattern, speeds);

  /** Solves for u̇, in place of rhs, and for the multipliers, in `loops`. Returns -1, or a row of the loops that contradicts others. */
  function solve(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, t: number): number {
    const { x } = equations;
    x.set(q);
    x.set(u, nq);
    x.set(tau, nq + nu);
    x.set(w, nq + 2 * nu);
    x[nq + 2 * nu + nw] = t;
    hold(x);
    equations.evaluate();
    const vanished = factorTree(pattern, M, diagonal);
    if (vanished >= 0) {
      const pivot = M[pattern.start[vanished]! + pattern.depth[vanished]!]!;
      if (speeds.length > 0 && Number.isFinite(pivot)) {
        equations.evaluate();
        const row = loops.closeMassless(M, values, rhs);
        if (row > -2) return row;
      }
      throw singular(model, vanished, pivot, diagonal[vanished]!);
    }
    if (speeds.length === 0) {
      solveTree(pattern, M, rhs);
      return -1;
    }
    treeInverseRoots(pattern, M, roots);
    solveTreeFirstHalf(pattern, M, roots, all, rhs, 0);
    const row = loops.close(M, roots, values, rhs);
    solveTreeSecondHalf(pattern, M, roots, rhs);
    return row;
  }

  const accelerations: Equations["accelerations"] = (q, u, tau, w, udot, t = 0) => {
    const row = solve(q, u, tau, w, t);
    if (row >= 0) throw contradiction(model, row, t);
    udot.set(rhs);
  };

  return {
    formulation: "kane",
    model,
    nw,
    accelerations,
    reactions(q, u, tau, w, out, t = 0) {
      accelerations(q, u, tau, w, rates, t);
      loops.multipliers(lambda);
      const { x, y, evaluate } = reactions();
      x.set(q);
      x.set(u, nq);
      x.set(rates, nq + nu);
      x.set(w, nq + 2 * nu);
      x.set(lambda, nq + 2 * nu + nw);
      hold(x);
      evaluate();
      out.set(y);
    },
    loopForces(q, u, tau, w, out, t = 0) {
      accelerations(q, u, tau, w, rates, t);
      loops.multipliers(out);
    },
    loopErrors(q, u, out, t = 0) {
      const { x, y, evaluate } = errors();
      x.set(q);
      x.set(u, nq);
      x[nq + nu] = t;
      hold(x);
      evaluate();
      out.set(y);
    },
    loopRank(q, t = 0) {
      solve(q, nothing.u, nothing.u, nothing.w, t);
      return loops.rank();
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

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function singular(model: Model, freedom: number, pivot: number, diagonal: number): SingularError {
  const name = coordinateNames(model).u[freedom]!;
  if (!Number.isFinite(pivot))
    return new SingularError(`${model.name}: the mass matrix at "${name}" is ${pivot}: the state is not finite`);
  return new SingularError(
    `${model.name}: the mass matrix is singular at "${name}": its pivot is ${pivot}, of ${diagonal} on the diagonal. ` +
      "What moves outside of it has no inertia against this freedom, or two freedoms there do the same.",
  );
}

/** Rows that depend on each other but require different accelerations. */
function contradiction(model: Model, row: number, t: number): SingularError {
  const names = model.loops.flatMap((loop) =>
    loop.type === "frames" ? loop.rows.map(({ label }) => `"${loop.name}" (${label})`) : [`"${loop.name}"`],
  );
  return new SingularError(
    `${model.name}: at t = ${t} s loop ${names[row]} contradicts others: they allow the same motion but ask for different accelerations. ` +
      "The speeds do not satisfy the loops, or two of them prescribe the same motion differently.",
  );
}
