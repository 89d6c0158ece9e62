import type { Stepper } from "../integrators/integrator.ts";
import type { Workspace } from "../system/workspace.ts";

/** The state at a time within the last step, on the manifold. */
export function interpolateState(workspace: Workspace, stepper: Stepper, t: number, out: Float64Array): void {
  stepper.interpolate(t, out);
  if (!stepper.onManifold) workspace.problem.project?.(out, t);
}
