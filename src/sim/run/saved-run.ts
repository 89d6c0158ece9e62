/** A saved run: its state, the reference values of its audit, and the position of its recorder. Plain data. */
import { ArgumentError, valueText } from "../../errors.ts";
import type { State } from "../state.ts";
import { MAX_EVENTS_AT_ONE_TIME } from "./chatter.ts";
import type { RunParts } from "./run-parts.ts";

export interface SavedRun {
  readonly state: State;
  /** Reference values and largest drifts of the audit. Without them the audit starts again at the state. */
  readonly audit?: unknown;
  /** Position in the planned samples. Default: the first one after the state. */
  readonly samples?: unknown;
  /** The peaks so far, if the run follows some. Without them they start again at the state. */
  readonly peaks?: unknown;
  /** Growth of the largest speed so far, from which a divergence is noticed. Without it the observation starts again at the state. */
  readonly growth?: unknown;
  /** The last events that have happened. */
  readonly events: readonly { readonly name: string; readonly t: number }[];
}

/** The argument as a saved run; undefined if it is a state at which a run starts. @throws ArgumentError if it is neither */
export function asSavedRun(from: State | SavedRun): SavedRun | undefined {
  if (typeof from !== "object" || from === null)
    throw new ArgumentError(
      "state",
      `must be a state as system.start() returns it, or what save() returned, got ${valueText(from)}`,
    );
  if (!("state" in from)) return from.discrete?.run ? { state: from, events: [] } : undefined;
  if (typeof from.state?.discrete?.run !== "object")
    throw new ArgumentError("saved.state", `must be the state of a run, got ${valueText(from.state)}`);
  if (!Array.isArray(from.events)) throw new ArgumentError("saved.events", `must be a list, got ${valueText(from.events)}`);
  return from;
}

/** Everything that continues a run at t and y bit for bit. */
export function saveRun(parts: RunParts, time: number, y: Float64Array): SavedRun {
  const { workspace, controllers, plan, schedule, detector, stepper, audit } = parts;
  const { samples, peaks, growth, events, options } = parts;
  return {
    state: {
      t: time,
      y: y.slice(),
      inputs: workspace.held.slice(),
      discrete: {
        ...workspace.discrete(),
        run: { controllers: controllers.save(), plan: plan.save(), schedule: schedule.save(), signs: detector.save() },
      },
      method: { integrator: options.integrator.name, stepper: stepper.save(), equations: workspace.saveEquations() },
    },
    audit: audit.save(),
    samples: samples.save(),
    ...(peaks && { peaks: peaks.save(time) }),
    growth: growth.save(),
    events: events.slice(-MAX_EVENTS_AT_ONE_TIME),
  };
}
