/** The reason of a step that failed. */
import { SingularError, StepError } from "../../errors.ts";
import type { Stepper } from "../integrators/integrator.ts";
import { singularityError } from "../singular/singular-loops.ts";
import type { Workspace } from "../system/workspace.ts";

/** The error to throw for a step from t that failed: an element that cannot compute its loads, singular loops, or the given error. */
export function stepFailure(workspace: Workspace, error: unknown, t: number, stepper: Stepper): unknown {
  if (!(error instanceof StepError || error instanceof SingularError)) return error;
  const reasons = workspace.elementWarnings(t);
  if (reasons.length > 0) return new StepError(`the motion ends at t = ${+t.toPrecision(9)} s: ${reasons.join("; ")}`, t);
  return singularityError(workspace, error, stepper.t, stepper.y);
}
