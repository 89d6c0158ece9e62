/** Dependent coordinates by Newton's method (9). */
import { SingularError } from "../../errors.ts";
import { compile, type Target } from "../../kernel/run/kernel.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { type Model, quaternionStarts } from "../../model/model.ts";
import { coordinateRates } from "../programs.ts";
import type { PartitionedLoops } from "./partitioned-loops.ts";

/** A step in speeds below this has converged to rounding after one more step. */
const CONVERGED_STEP = 1e-9;
const MAX_NEWTON_STEPS = 30;

/** Returns a function that moves the given dependents in q, in place, until the loops are closed; the other coordinates stay. */
export function newtonSolver(model: Model, loops: PartitionedLoops, target: Target) {
  const rates = compile(coordinateRates(model), { target });
  const quaternions = quaternionStarts(model);
  const step = new Float64Array(model.nu);
  return (t: number, q: Float64Array, dependents: ReadonlySet<number>): void => {
    for (let steps = 0, converged = 0; converged < 2; steps++) {
      if (steps === MAX_NEWTON_STEPS)
        throw new SingularError(`${model.name}: no position of the dependent bodies found at t = ${t}`);
      loops.closingStep(t, q, step);
      let largest = 0;
      for (let i = 0; i < step.length; i++) {
        if (!dependents.has(i)) step[i] = 0;
        largest = Math.max(largest, Math.abs(step[i]!));
      }
      if (!(largest < Number.POSITIVE_INFINITY)) throw new SingularError(`${model.name}: the loops are singular at t = ${t}`);
      if (largest < CONVERGED_STEP) converged++;
      rates.x.set(q);
      rates.x.set(step, model.nq);
      rates.evaluate();
      for (let i = 0; i < q.length; i++) q[i]! += rates.y[i]!;
      for (const k of quaternions) {
        const size = 1 / hypotenuse(q[k]!, q[k + 1]!, q[k + 2]!, q[k + 3]!);
        for (let i = k; i < k + 4; i++) q[i]! *= size;
      }
    }
  };
}
