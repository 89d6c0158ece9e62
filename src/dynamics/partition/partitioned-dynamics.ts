/** The equations of a model with loops as one program, by sequential partitioning with a fixed choice of dependents. */

import { checkOptions, checkVector } from "../../arguments.ts";
import { ModelError } from "../../errors.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { costOf, offsetsOf, type Program, trace } from "../../kernel/trace/program.ts";
import { type Scalar, sub } from "../../kernel/trace/scalar.ts";
import { engagedParameterTotal, withEngagedParameters } from "../../model/loops/engaged-loop-parameters.ts";
import { checkModel, frameOf, homeOf, type Model } from "../../model/model.ts";
import { loopConstraints } from "../loops/rows/constraint-rows.ts";
import { sumByIndex, wrenchesOnLinks } from "../tree/external-wrenches.ts";
import { linkTreeOf } from "../tree/link-tree.ts";
import { massMatrix } from "../tree/mass-matrix.ts";
import { inverseDynamics } from "../tree/newton-euler.ts";
import type { PartitionChoice } from "./partition-stages.ts";
import { partitionedLoops } from "./partitioned-loops.ts";
import { partitionProgram } from "./system-program.ts";
import { reductionProgram, tracedPartition } from "./traced-reduction.ts";

export interface PartitionKernelOptions {
  readonly wrenches?: readonly string[];
  /** Position at which the dependents are chosen; home if not given. The loops must be closed there. */
  readonly q?: Float64Array;
}

/** Loops with a larger residual are not closed. */
const CLOSED_RESIDUAL = 1e-6;

interface ChoiceAtState {
  readonly choice: PartitionChoice;
  readonly J: readonly (readonly number[])[];
}

/** The choice of dependents at a position, and the values of J there. */
function chooseAt(model: Model, q: Float64Array): ChoiceAtState {
  const { nu } = model;
  const loops = partitionedLoops(model);
  const error = new Float64Array(2 * loops.rows.length);
  const zero = new Float64Array(nu);
  loops.loopErrors(0, q, zero, error);
  const largestError = error.reduce((worst, f) => Math.max(worst, Math.abs(f)), 0);
  if (largestError > CLOSED_RESIDUAL) {
    const message = `the loops are open by ${largestError} where the dependents are to be chosen`;
    throw new ModelError(model.name, [{ path: "loops", message, advice: "Give a state in which they are closed" }]);
  }
  loops.accelerations(0, q, zero, zero, new Float64Array(0), zero.slice());
  const { program, J: entries } = partitionProgram(model);
  const kernel = compile(program);
  kernel.x.set(q, offsetsOf(program.inputs).q);
  kernel.evaluate();
  const J = loops.rows.map(() => new Array<number>(nu).fill(0));
  const first = offsetsOf(program.outputs).J;
  for (const [k, { row, column }] of entries.entries()) J[row]![column] = kernel.y[first + k]!;
  return { choice: loops.current!.choice, J };
}

/**
 * t, q, u, tau → udot, lambda, and `pivot`: the smallest pivot of the closures relative to its value at the choice. If it is small, other
 * dependents should be chosen.
 */
export function partitionedDynamics(model: Model, options: PartitionKernelOptions = {}): Program {
  checkModel(model);
  checkOptions("options", options, ["q", "wrenches"]);
  if (options.q !== undefined) checkVector("options.q", options.q, model.nq, "the coordinates of the model");
  const { choice, J: J0 } = chooseAt(model, options.q ?? homeOf(model));
  const frames = (options.wrenches ?? []).map((name) => frameOf(model, name));
  const inputs = {
    t: 1,
    q: model.nq,
    u: model.nu,
    tau: model.nu,
    ...(frames.length > 0 && { w: 6 * frames.length }),
    ...(engagedParameterTotal(model) > 0 && { found: engagedParameterTotal(model) }),
  } as { t: number; q: number; u: number; tau: number; w?: number; found?: number };
  return trace(`${model.name} partitioned dynamics`, inputs as { t: number; q: number; u: number; tau: number }, (given) => {
    const { t, q, u, tau } = given;
    const { w = [], found = [] } = given as { w?: readonly Scalar[]; found?: readonly Scalar[] };
    const tree = linkTreeOf(model);
    const onLinks = wrenchesOnLinks(tree, frames, q, w).map(({ link, force }) => [link, force] as const);
    const zeroAcceleration = new Array<Scalar>(model.nu).fill(0);
    const biasForce = inverseDynamics(tree, q, u, zeroAcceleration, sumByIndex(tree.links.length, onLinks));
    const { rows, bias } = loopConstraints(withEngagedParameters<Scalar>(model, found), tree, t[0]!, q, u);
    const J = rows.map((row) => {
      const fullRow = new Array<Scalar>(model.nu).fill(0);
      for (const entry of row.J) fullRow[entry.u] = entry.value;
      return fullRow;
    });
    const M = massMatrix(tree, q);
    const A = M.map((row, i) => row.map((_, j) => (j <= i ? M[i]![j]! : M[j]![i]!)));
    const {
      udot,
      lambda,
      smallestPivotRatio: smallest,
    } = tracedPartition({ A, b: tau.map((v, i) => sub(v, biasForce[i]!)), J, g: bias }, choice, J0);
    return { udot, lambda, pivot: [smallest] };
  });
}

/** Operation counts of the solution of the loops, from A, b, J and g to accelerations and multipliers. */
export interface ReductionCost {
  /** As compiled: zeros of A and J are folded. */
  readonly eliminated: number;
  /** The same equations on full matrices. */
  readonly kept: number;
}

export function reductionCost(model: Model, q: Float64Array = homeOf(model)): ReductionCost {
  checkModel(model);
  checkVector("q", q, model.nq, "the coordinates of the model");
  const { choice, J } = chooseAt(model, q);
  const structure = partitionProgram(model);
  const operations = (zeros: "eliminated" | "kept"): number =>
    costOf(reductionProgram(model.name, model.nu, J.length, structure, choice, J, zeros)).ops;
  return { eliminated: operations("eliminated"), kept: operations("kept") };
}
