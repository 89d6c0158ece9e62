/** Accelerations and multipliers of Kane's equations at a state: evaluates the compiled program, factors M, and closes the loops. */
import { SingularError } from "../../errors.ts";
import { compile, type Target } from "../../kernel/run/kernel.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { offsetsOf, type Program } from "../../kernel/trace/program.ts";
import {
  factorTree,
  solveTree,
  solveTreeFirstHalf,
  solveTreeSecondHalf,
  treeInverseRoots,
  treePattern,
} from "../../math/linear/tree-ldl.ts";
import { coordinateNames, type Frame, type Model } from "../../model/model.ts";
import { kaneProgram } from "./equations.ts";
import { innerSpeeds, kaneLinksOf } from "./links.ts";
import type { LoopValues } from "./loop-scratch.ts";
import { type LoopSolver, loopSolver } from "./loop-solver.ts";
import { treeAccelerations } from "./tree-accelerations.ts";

export interface AccelerationSolver {
  /** The accelerations as one program, if the model has no loops: see Equations. */
  readonly program: () => Program | undefined;
  /** Number of rows of all loops. */
  readonly rowTotal: number;
  readonly loops: LoopSolver;
  /** Writes u̇, and the multipliers in `loops`. Returns -1, or a row of the loops that contradicts others. */
  solve(q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, t: number, udot?: Float64Array): number;
}

export function accelerationSolver(
  model: Model,
  frames: readonly Frame[],
  options: { readonly target: Target },
  writeEngagedParameters: (x: Float64Array) => void,
): AccelerationSolver {
  const { nq, nu } = model;
  const nw = 6 * frames.length;
  const { program, speeds } = kaneProgram(model, frames);
  const pattern = treePattern(innerSpeeds(kaneLinksOf(model)));
  /** Compiled at the first use: a motion in one kernel does not need it. */
  const compiled = lazy(() => {
    const equations = compile(program, options);
    const offsets = offsetsOf(program.outputs);
    const output = (name: keyof typeof offsets): Float64Array =>
      equations.y.subarray(offsets[name], offsets[name] + program.outputs[name]);
    const values: LoopValues = {
      J: output("J"),
      bias: output("bias"),
      f: output("f"),
      size: output("size"),
      u: new Float64Array(nu),
    };
    return { equations, M: output("M"), rhs: output("rhs"), values };
  });
  const diagonal = new Float64Array(nu);
  const roots = new Float64Array(nu);
  const allSpeeds = Int32Array.from({ length: nu }, (_, i) => i);
  const loops = loopSolver(pattern, speeds);

  const evaluate = (q: Float64Array, u: Float64Array, tau: Float64Array, w: Float64Array, t: number): void => {
    const { equations, values } = compiled();
    const { x } = equations;
    values.u.set(u);
    x.set(q);
    x.set(u, nq);
    x.set(tau, nq + nu);
    x.set(w, nq + 2 * nu);
    x[nq + 2 * nu + nw] = t;
    writeEngagedParameters(x);
    equations.evaluate();
  };

  /** Solution for a singular M, whose factorisation failed at a speed. @throws SingularError if the loops do not make it regular. */
  const solveSingular = (speed: number): number => {
    const { equations, M, rhs, values } = compiled();
    const pivot = M[pattern.start[speed]! + pattern.depth[speed]!]!;
    if (speeds.length > 0 && Number.isFinite(pivot)) {
      equations.evaluate(); // restores M
      const row = loops.closeMassless(M, values, rhs);
      if (row > -2) return row;
    }
    throw singular(model, speed, pivot, diagonal[speed]!);
  };

  /** Solves in place of the right-hand side. */
  const solve = (): number => {
    const { M, rhs, values } = compiled();
    const singularSpeed = factorTree(pattern, M, diagonal);
    if (singularSpeed >= 0) return solveSingular(singularSpeed);
    if (speeds.length === 0) {
      solveTree(pattern, M, rhs);
      return -1;
    }
    treeInverseRoots(pattern, M, roots);
    solveTreeFirstHalf(pattern, M, roots, allSpeeds, rhs, 0);
    const row = loops.close(M, roots, values, rhs);
    solveTreeSecondHalf(pattern, M, roots, rhs);
    return row;
  };

  return {
    program: lazy(() => (speeds.length === 0 ? treeAccelerations(program, pattern) : undefined)),
    rowTotal: speeds.length,
    loops,
    solve(q, u, tau, w, t, udot) {
      evaluate(q, u, tau, w, t);
      const row = solve();
      udot?.set(compiled().rhs);
      return row;
    },
  };
}

function singular(model: Model, freedom: number, pivot: number, diagonal: number): SingularError {
  const name = coordinateNames(model).u[freedom]!;
  if (!Number.isFinite(pivot))
    return new SingularError(`${model.name}: the mass matrix at "${name}" is ${pivot}: the state is not finite`);
  return new SingularError(
    `${model.name}: the mass matrix is singular at "${name}": its pivot is ${pivot}, of ${diagonal} on the diagonal. ` +
      "The bodies that it moves have no inertia against this freedom, or two freedoms are equivalent.",
  );
}
