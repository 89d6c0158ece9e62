/** The motion with engaged loops in one kernel. */
import { engagedParameterWriter } from "../../dynamics/formulation.ts";
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { type Elimination, eliminationKey, tracedAccelerations } from "../../dynamics/loops/multipliers/loop-programs.ts";
import { accuracyFor } from "../../dynamics/loops/multipliers/pivot-order-cache.ts";
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import { trace } from "../../kernel/trace/program.ts";
import { mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import { engagedParameterTotal } from "../../model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../model/model.ts";
import { type Layout, layoutInputs } from "./layout.ts";
import { cachedProgram, traceLoads } from "./motion-program.ts";

/** Kernel of the motion with loops, with the loop parameters written to its inputs. Compiled again when the pivot order changes. */
export function loopMotion(
  layout: Layout,
  model: Model,
  closed: ClosedLoops,
  { target, engagedParameters }: { readonly target: Target; readonly engagedParameters: Float64Array },
): () => Kernel | undefined {
  const writeParameters = engagedParameterWriter(engagedParameters);
  let kernel: Kernel | undefined;
  let compiled: Elimination | undefined;
  return () => {
    const { elimination } = closed;
    if (elimination === undefined) return undefined;
    if (kernel === undefined || compiled !== elimination) {
      kernel = compile(loopMotionProgram(layout, model, elimination), { target });
      compiled = elimination;
    }
    writeParameters(kernel.x);
    return kernel;
  };
}

/**
 * ẏ for a model with engaged loops, eliminated in one fixed order of pivots. The second output is a measure of the accuracy of that order for the
 * numbers (see pivot-order-cache.ts).
 */
function loopMotionProgram(layout: Layout, model: Model, elimination: Elimination) {
  const inputs = { ...layoutInputs(layout), found: engagedParameterTotal(model) };
  return cachedProgram({ ...layout, model }, `motion with loops ${eliminationKey(elimination)}`, () =>
    trace(`${model.name} motion with loops`, inputs, (given) => {
      const { q, u, tau, w, ydot } = traceLoads(layout, given);
      const accuracy = accuracyFor(elimination.order);
      const { x, driven, order } = tracedAccelerations(model, layout.frames, elimination, { ...given, q, u, tau, w }, accuracy);
      const power = driven.reduce<Scalar>((sum, rate, i) => sub(sum, mul(x[model.nu + i]!, rate)), 0);
      return { ydot: ydot(x.slice(0, model.nu), power), order };
    }),
  );
}
