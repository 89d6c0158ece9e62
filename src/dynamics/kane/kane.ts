/**
 * Kane's method [TR-942 2.3, misprints corrected]: minimal coordinates, partial velocities, and composite quantities by
 * recursion, on 3-vectors in inertial axes. Loops are cut and closed with multipliers. It shares only the model with the other
 * formulations.
 */

import { SingularError } from "../../errors.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { frameOf, type Model } from "../../model/model.ts";
import { checkDerivation, withCheckedLengths } from "../checked-equations.ts";
import { type DeriveOptions, type Equations, engagedParameterWriter, type Formulation } from "../formulation.ts";
import { accelerationSolver } from "./acceleration-solver.ts";
import { kaneIntegrals, kaneLoopErrors, kaneReactions } from "./equations.ts";

export const kane: Formulation = { name: "kane", derive };

function derive(model: Model, options: DeriveOptions = {}): Equations {
  checkDerivation(model, options);
  const { nq, nu } = model;
  const frames = (options.wrenches ?? []).map((name) => frameOf(model, name));
  const nw = 6 * frames.length;
  const target = { target: options.target ?? "wasm" };
  const writeEngagedParameters = engagedParameterWriter(options.engagedParameters);
  const { program, rowTotal, loops, solve } = accelerationSolver(model, frames, target, writeEngagedParameters);
  const reactions = lazy(() => compile(kaneReactions(model, frames), target));
  const integrals = lazy(() => compile(kaneIntegrals(model), target));
  const errors = lazy(() => compile(kaneLoopErrors(model), target));
  const rates = new Float64Array(nu);
  const lambda = new Float64Array(rowTotal);
  const zero = { u: new Float64Array(nu), w: new Float64Array(nw) };

  const accelerations: Equations["accelerations"] = (q, u, tau, w, udot, t = 0) => {
    const row = solve(q, u, tau, w, t, udot);
    if (row >= 0) throw contradiction(model, row, t);
  };

  const integralsAt = (q: Float64Array, u: Float64Array): Float64Array => {
    const kernel = integrals();
    kernel.x.set(q);
    kernel.x.set(u, nq);
    kernel.evaluate();
    return kernel.y;
  };

  return withCheckedLengths({
    formulation: "kane",
    model,
    nw,
    accelerations,
    program,
    reactions(q, u, tau, w, out, t = 0) {
      accelerations(q, u, tau, w, rates, t);
      loops.multipliers(lambda);
      const { x, y, evaluate } = reactions();
      x.set(q);
      x.set(u, nq);
      x.set(rates, nq + nu);
      x.set(w, nq + 2 * nu);
      x.set(lambda, nq + 2 * nu + nw);
      writeEngagedParameters(x);
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
      writeEngagedParameters(x);
      evaluate();
      out.set(y);
    },
    loopRank(q, t = 0) {
      solve(q, zero.u, zero.u, zero.w, t);
      return loops.rank();
    },
    save: () => loops.save(),
    restore: (saved) => loops.restore(saved, "equations"),
    energy(q, u, out) {
      const y = integralsAt(q, u);
      out[0] = y[0]!;
      out[1] = y[1]!;
    },
    momentum(q, u, out) {
      const y = integralsAt(q, u);
      for (let i = 0; i < 6; i++) out[i] = y[2 + i]!;
    },
  });
}

/** Rows that depend on each other but require different accelerations. */
function contradiction(model: Model, row: number, t: number): SingularError {
  const names = model.loops.flatMap((loop) =>
    loop.type === "frames" ? loop.rows.map(({ label }) => `"${loop.name}" (${label})`) : [`"${loop.name}"`],
  );
  return new SingularError(
    `${model.name}: at t = ${t} s loop ${names[row]} contradicts others: they block the same motion but require different accelerations. ` +
      "The speeds do not satisfy the loops, or two of them prescribe the same motion differently.",
  );
}
