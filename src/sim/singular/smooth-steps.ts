/** Usual steps, which need no decision of the singularity stepper: their limits, and what other code needs to make them. */
import type { GridSteps } from "../integrators/integrator.ts";
import { type SingularityTracker, STRONG } from "./singularity-tracker.ts";

/** Number of steps before the singular point at which a passage begins. Adaptive steps shrink before the point, so they begin earlier. */
export const REACH = { fixed: 3, adaptive: 8 } as const;
/** No passage begins above this part of the largest strength: long steps often predict points that never come, and real ones are found later. */
export const FAIR = 0.5;
/** A step that reduces the strength below this part has come too near to an unexpected point. */
export const DROP = 0.25;
/** Smallest cosine of the turn of the direction within one step on the same branch. */
export const TURNED = 0.7;

/** Limits of fixed steps that are accepted without a further decision. */
export const SMOOTH = { turned: TURNED, drop: DROP, strong: STRONG, fair: FAIR, reach: REACH.fixed } as const;

/** Data for other code that makes usual steps: the grid, and the tracker with the sample at the present state. */
export interface SmoothSteps {
  readonly gridSteps: GridSteps;
  readonly tracker: SingularityTracker;
}
