/**
 * Kane's method for trees [TR-942 2.3, misprints corrected]: minimal coordinates, partial velocities, and composite
 * quantities by recursion, on 3-vectors in inertial axes. It shares nothing with the other formulations but the model.
 */
import { compile } from "../kernel/kernel.ts";
import { factorTree, solveTree, treePattern } from "../math/tree-ldl.ts";
import { SingularError } from "../model/errors.ts";
import { coordinateNames, frameOf, type Model } from "../model/model.ts";
import type { DeriveOptions, Equations, Formulation } from "./formulation.ts";
import { kaneIntegrals, kaneProgram, kaneReactions } from "./kane-equations.ts";
import { innerSpeeds, linksOf } from "./kane-links.ts";

export const kane: Formulation = { name: "kane", derive };

function derive(model: Model, options: DeriveOptions = {}): Equations {
  const { nq, nu } = model;
  const frames = (options.wrenches ?? []).map((name) => frameOf(model, name));
  const nw = 6 * frames.length;
  const target = { target: options.target ?? "wasm" };
  const equations = compile(kaneProgram(model, frames), target);
  const reactions = once(() => compile(kaneReactions(model, frames), target));
  const integrals = once(() => compile(kaneIntegrals(model), target));

  const pattern = treePattern(innerSpeeds(linksOf(model)));
  const M = equations.y.subarray(0, pattern.size);
  const rhs = equations.y.subarray(pattern.size);
  const diagonal = new Float64Array(nu);
  const rates = new Float64Array(nu);

  const accelerations: Equations["accelerations"] = (q, u, tau, w, udot) => {
    const { x } = equations;
    x.set(q);
    x.set(u, nq);
    x.set(tau, nq + nu);
    x.set(w, nq + 2 * nu);
    equations.evaluate();
    const vanished = factorTree(pattern, M, diagonal);
    if (vanished >= 0)
      throw singular(model, vanished, M[pattern.start[vanished]! + pattern.depth[vanished]!]!, diagonal[vanished]!);
    solveTree(pattern, M, rhs);
    udot.set(rhs);
  };

  return {
    formulation: "kane",
    model,
    nw,
    accelerations,
    reactions(q, u, tau, w, out) {
      accelerations(q, u, tau, w, rates);
      const { x, y, evaluate } = reactions();
      x.set(q);
      x.set(u, nq);
      x.set(rates, nq + nu);
      x.set(w, nq + 2 * nu);
      evaluate();
      out.set(y);
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

/** Compiled when first asked for. */
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
