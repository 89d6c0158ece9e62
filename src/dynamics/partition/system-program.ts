/** The traced system of sequential partitioning: the tree equations A p̈ = b, and the closures f, J, rates and bias of all loops. */
import { type Program, trace } from "../../kernel/trace/program.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { sub } from "../../kernel/trace/scalar.ts";
import { engagedParameterTotal, withEngagedParameters } from "../../model/loops/engaged-loop-parameters.ts";
import { type Frame, frameOf, type Model } from "../../model/model.ts";
import { loopConstraints } from "../loops/rows/constraint-rows.ts";
import { sumByIndex, wrenchesOnLinks } from "../tree/external-wrenches.ts";
import { linkTreeOf } from "../tree/link-tree.ts";
import { massMatrix } from "../tree/mass-matrix.ts";
import { inverseDynamics } from "../tree/newton-euler.ts";

type PartitionInputs = {
  readonly t: number;
  readonly q: number;
  readonly u: number;
  readonly tau: number;
  readonly w: number;
  readonly found: number;
};
type PartitionOutputs = {
  readonly A: number;
  readonly J: number;
  readonly b: number;
  readonly f: number;
  readonly rates: number;
  readonly bias: number;
};

export interface PartitionProgram {
  readonly program: Program<PartitionInputs, PartitionOutputs>;
  /** Rows and columns of the outputs A (lower half) and J, in order. All other entries are always zero. */
  readonly A: readonly { readonly row: number; readonly column: number }[];
  readonly J: readonly { readonly row: number; readonly column: number }[];
  /** Loop and direction of each row of J. */
  readonly rows: readonly { readonly loop: string; readonly label: string }[];
}

export function partitionProgram(model: Model, frameNames: readonly string[] = []): PartitionProgram {
  const frames: readonly Frame[] = frameNames.map((name) => frameOf(model, name));
  const A: { row: number; column: number; value: Scalar }[] = [];
  const J: { row: number; column: number; value: Scalar }[] = [];
  const rows: { loop: string; label: string }[] = [];
  const inputs = { t: 1, q: model.nq, u: model.nu, tau: model.nu, w: 6 * frames.length, found: engagedParameterTotal(model) };
  const program = trace(`${model.name} partition`, inputs, ({ t, q, u, tau, w, found }) => {
    const tree = linkTreeOf(model);
    const onLinks = wrenchesOnLinks(tree, frames, q, w).map(({ link, force }) => [link, force] as const);
    const zeroAcceleration = new Array<Scalar>(model.nu).fill(0);
    const biasForce = inverseDynamics(tree, q, u, zeroAcceleration, sumByIndex(tree.links.length, onLinks));
    const loops = loopConstraints(withEngagedParameters<Scalar>(model, found), tree, t[0]!, q, u);
    for (const [row, entries] of massMatrix(tree, q).entries())
      for (const [column, value] of entries.slice(0, row + 1).entries()) if (value !== 0) A.push({ row, column, value });
    for (const [row, { loop, label, J: entries }] of loops.rows.entries()) {
      rows.push({ loop, label });
      for (const { u: column, value } of entries) J.push({ row, column, value });
    }
    return {
      A: A.map((p) => p.value),
      J: J.map((p) => p.value),
      b: tau.map((v, i) => sub(v, biasForce[i]!)),
      f: loops.rows.map((r) => r.residual),
      rates: loops.rates,
      bias: loops.bias,
    };
  });
  return { program, A, J, rows };
}
