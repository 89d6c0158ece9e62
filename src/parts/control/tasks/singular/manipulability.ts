/** Measures of a posture of a free-flying robot: singular values of its scaled generalised Jacobian, and motion that does not turn the base. */
import { checkMembers, checkText } from "../../../../arguments.ts";
import { type FreeFlyer, freeFlyer } from "../../../../dynamics/free-flying/free-flyer.ts";
import { singularValues } from "../../../../math/eigen/singular-values.ts";
import { hierarchicalLeastSquares } from "../../../../math/optimise/hierarchical-least-squares.ts";
import { checkModel, type Model } from "../../../../model/model.ts";
import type { TaskStack } from "../task-stack.ts";
import { taskScales } from "./task-scales.ts";

export interface Manipulability {
  /** Singular values of the scaled rows of the tasks, largest first; about one in a good posture, zero in a singular one. */
  readonly singular: Float64Array;
  /** Their product. */
  readonly manipulability: number;
}

/** The manipulability of a stack of tasks at postures q. Rows and columns are scaled as in task-scales.ts. */
export function manipulabilityOf(model: Model, stack: TaskStack): (q: Float64Array) => Manipulability {
  checkModel(model);
  checkMembers("stack", stack, ["startPoses", "evaluate"], "a stack of tasks, as taskStack returns it");
  const scales = taskScales(model, stack);
  const { m, n } = stack;
  const zeroSpeeds = new Float64Array(model.nu);
  const scaledJacobian = new Float64Array(m * n);
  return (q) => {
    stack.evaluate(0, q, zeroSpeeds, stack.startPoses(q));
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) scaledJacobian[i * n + j] = scales.rows[i]! * stack.J[i * n + j]! * scales.columns[j]!;
    const singular = singularValues(scaledJacobian, n, m); // J by rows is its transpose by columns
    return { singular, manipulability: singular.reduce((product, s) => product * s, 1) };
  };
}

/**
 * Hinge speeds that do not turn the base of a robot without momentum: an orthonormal basis of the null space of J_ω, the angular rows of
 * J_b, n numbers per direction [Nenchev, Umetani, Yoshida 1992]. One radian and one metre count alike.
 */
export function reactionNullSpaceOf(model: Model, base?: string): (q: Float64Array) => Float64Array[] {
  checkModel(model);
  if (base !== undefined) checkText("base", base, "the name of a floating body");
  const flyer: FreeFlyer = freeFlyer(model, { ...(base !== undefined && { base }), outputs: ["Jb"] });
  const { n } = flyer;
  const solver = hierarchicalLeastSquares(n);
  const zeroSpeeds = new Float64Array(model.nu);
  const zeros = new Float64Array(3);
  return (q) => {
    flyer.evaluate(q, zeroSpeeds);
    solver.reset();
    solver.addLevel({ A: flyer.values.Jb, first: 0, count: 3 }, zeros, undefined, 0);
    return Array.from({ length: solver.freedom }, (_, k) => solver.N.slice(k * n, (k + 1) * n));
  };
}
