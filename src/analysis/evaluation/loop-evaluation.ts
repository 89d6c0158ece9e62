/** Loops at one state: their partition, and the residuals of their equations. */
import { loopConstraints } from "../../dynamics/loops/rows/constraint-rows.ts";
import { type PartitionReport, partitionReport } from "../../dynamics/partition/partition-report.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { trace } from "../../kernel/trace/program.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Model } from "../../model/model.ts";
import type { Wrench } from "../../model/wrench.ts";

export interface LoopEvaluation {
  readonly partition: PartitionReport;
  /** Jacobian of the loop equations with respect to the speeds, and their residuals f and ḟ. */
  readonly jacobian: readonly (readonly number[])[];
  readonly residuals: readonly number[];
  readonly residualRates: readonly number[];
}

/** Evaluates the loops; undefined for a model without engaged loops. */
export function evaluateLoops(
  model: Model,
  {
    q,
    u,
    tau,
    wrenches,
  }: {
    readonly q: Float64Array;
    readonly u: Float64Array;
    readonly tau: Float64Array;
    readonly wrenches: readonly Wrench[];
  },
): LoopEvaluation | undefined {
  if (model.loops.length === 0) return undefined;
  const w = Float64Array.from(wrenches.flatMap(({ torque, force }) => [...torque, ...force]));
  const state = { q, u, tau, w, wrenches: wrenches.map(({ frame }) => frame) };
  return { partition: partitionReport(model, state), ...loopResiduals(model, q, u) };
}

function loopResiduals(model: Model, q: Float64Array, u: Float64Array): Omit<LoopEvaluation, "partition"> {
  const { nq, nu } = model;
  const program = trace(`${model.name} loops`, { q: nq, u: nu }, (given) => {
    const { rows, rates } = loopConstraints(model, linkTreeOf(model), 0, given.q, given.u);
    const J = rows.flatMap((row) => {
      const dense = new Array<Scalar>(nu).fill(0);
      for (const entry of row.J) dense[entry.u] = entry.value;
      return dense;
    });
    return { J, f: rows.map((r) => r.residual), rates };
  });
  const kernel = compile(program);
  kernel.x.set(q);
  kernel.x.set(u, nq);
  kernel.evaluate();
  const m = program.outputs.f;
  const output = (k: number): number[] => [...kernel.y.subarray(m * nu + m * k, m * nu + m * (k + 1))];
  return {
    jacobian: Array.from({ length: m }, (_, i) => [...kernel.y.subarray(i * nu, i * nu + nu)]),
    residuals: output(0),
    residualRates: output(1),
  };
}
