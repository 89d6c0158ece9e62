/** Events of force elements: changes of friction mode, and surfaces where a force law changes form. */

import { childPath } from "../../declare/plain-data.ts";
import type { Problem } from "../../errors.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { ForceElement, Snapshot, StepMotion } from "../system/force-element.ts";
import type { Workspace } from "../system/workspace.ts";
import type { FrictionChange } from "./dry-friction.ts";
import { oneComparison } from "./event-channels.ts";
import type { EventFunction } from "./event-detector.ts";

/**
 * One event per friction contact: its mode ends where its margin falls through zero. A margin of exactly zero counts as positive.
 * Otherwise a force that grows from the limit would never be seen to pass it, nor a contact that begins to slip the wrong way.
 */
export function frictionEvents(workspace: Workspace): EventFunction[] {
  const { friction, problem } = workspace;
  const ydot = new Float64Array(problem.size);
  return Array.from({ length: friction.count }, (_, i) => ({
    name: `friction ${friction.nameOf(i)}`,
    direction: "falling" as const,
    value(t: number, y: Float64Array): number {
      if (friction.modeOf(i) === 0) problem.derivative(t, y, ydot);
      return friction.margin(i, y) || Number.MIN_VALUE;
    },
    handle(t: number, y: Float64Array): "restart" {
      settleFriction(workspace, t, y, friction.modeOf(i) === 0 ? { brokeAway: i } : { cameToRest: i });
      return "restart";
    },
  }));
}

/** Finds the friction modes at a state: contacts at rest stick if their force allows it. */
export function settleFriction(workspace: Workspace, t: number, y: Float64Array, change: FrictionChange = {}): void {
  const { friction, problem } = workspace;
  if (friction.count === 0) return;
  const ydot = new Float64Array(problem.size);
  friction.settleModes(y, change, () => {
    problem.derivative(t, y, ydot);
    return ydot;
  });
}

/** Events at which a step ends, so that no step straddles the kink of a force law. Nothing jumps there. */
export function surfaceEvents(workspace: Workspace, steps: "adaptive" | "fixed"): EventFunction[] {
  return workspace.layout.elements.flatMap((element) =>
    (element.events ?? [])
      .filter(({ needed }) => needed === undefined || steps === "adaptive")
      .map((event): EventFunction => {
        const value = (t: number, y: Float64Array): number => event.value(workspace.snapshot(element, t, y));
        return {
          name: `${element.name} ${event.name}`,
          direction: event.on ?? "both",
          ...(event.needed && { coarse: true }), // for the sake of the steps alone, whose errors are estimated
          value,
          ...(event.on === undefined && !event.firstIn && { comparisons: oneComparison(value) }),
          ...(event.firstIn && { firstIn: boundedSearch(workspace, element, event.firstIn.bind(event)) }),
          handle(t, y) {
            event.happen?.(workspace.snapshot(element, t, y));
            return "restart";
          },
        };
      }),
  );
}

/** The search of an element for the first event in the last step of a stepper. */
function boundedSearch(
  workspace: Workspace,
  element: ForceElement,
  firstIn: (motion: StepMotion) => number,
): (stepper: Stepper, start: Float64Array) => number {
  const y = new Float64Array(workspace.layout.ny);
  let stepper: Stepper | undefined;
  let first: Float64Array = y;
  const motion = {
    from: 0,
    to: 0,
    at(t: number): Snapshot {
      // The ends of the step need no dense output, which may cost evaluations.
      if (t === stepper!.t) return workspace.snapshot(element, t, stepper!.y);
      if (t === stepper!.previous) return workspace.snapshot(element, t, first);
      stepper!.interpolate(t, y);
      return workspace.snapshot(element, t, y);
    },
  };
  return (last, start) => {
    stepper = last;
    first = start;
    motion.from = last.previous;
    motion.to = last.t;
    return firstIn(motion);
  };
}

/** Problems that elements report for a state as the start of a scenario. */
export const startProblems = (workspace: Workspace, t: number, y: Float64Array): Problem[] =>
  workspace.layout.elements.flatMap((element) =>
    (element.startProblems?.(workspace.snapshot(element, t, y)) ?? []).map((problem) => ({
      path: childPath("forces", element.name),
      ...problem,
    })),
  );
