/**
 * Planned events of a run. An event happens at a time, when a condition becomes true, or after other events. Its actions engage, release or
 * bump loops, give an impulse, enable or disable controllers, set held inputs, or change the mode. Events that wait for each other form a
 * small state machine.
 */
import { refuseSaved, takeSaved } from "../../saved-data.ts";
import type { PlanState } from "../state.ts";
import { heldInputNames } from "../system/layout.ts";
import { indexOfNames } from "../system/start-state.ts";
import type { Workspace } from "../system/workspace.ts";
import { type Actions, type ControllerSwitches, performActions, type TimelineEntry } from "./event-actions.ts";
import { type ChannelReading, comparisonsOf, type PlannedComparisons, withChannels } from "./event-channels.ts";
import type { EventFunction } from "./event-detector.ts";
import type { StateComparisons } from "./step-search.ts";

export interface PlannedEvent {
  readonly name: string;
  /** Earliest time, s. Without a condition the event happens exactly then. */
  readonly at?: number;
  /** Events that must have happened before, and the delay after the last of them, s. */
  readonly after?: readonly string[];
  readonly delay?: number;
  /** Condition: positive before the event. The event happens when this becomes negative. */
  margin?(t: number, y: Float64Array, channels: Float64Array): number;
  /** Comparisons that must all be negative, if there are several: `margin` is the largest of them. Each of them is searched for roots. */
  readonly comparisons?: PlannedComparisons;
  /** The condition is looked at at least five times in this time, s: see RunEvent. */
  readonly resolution?: number;
  /** The event happens every time its condition becomes true or its predecessors happen again, not only the first time. */
  readonly repeat?: boolean;
  /** Modes of the run in which the event may happen; all modes if not given. */
  readonly during?: readonly string[];
  readonly actions: Actions;
  /** The condition depends on held inputs only. It is checked when other events happen, not within steps. */
  readonly byInputs?: boolean;
  /** Not reported if it has not happened. */
  readonly quiet?: boolean;
  /** True at the start of a run if the event counts as having happened then. */
  hasHappened?(): boolean;
  /** Channels whose values `margin` gets. */
  readonly channels?: readonly string[];
  /** Numbers that it keeps during a run, for `reason`. */
  readonly memory?: Float64Array;
  /** Those of them that say where its largest comparison was smallest until it happened: the value, its time and its index. The run sets them. */
  readonly closest?: Float64Array;
  /** Why the event has not happened. */
  reason?(): string;
}

interface PlannedEventState {
  readonly event: PlannedEvent;
  /** The margin of its condition at a state, and the comparisons that it consists of. */
  readonly margin: ((t: number, y: Float64Array) => number) | undefined;
  readonly comparisons: StateComparisons | undefined;
  /** Events that must happen before. */
  readonly after: PlannedEventState[];
  /** Time of the last occurrence, s. */
  last: number | undefined;
  /** The condition was true at its last check. */
  wasTrue: boolean;
}

/** Stands for a predecessor whose name is unknown. */
const NEVER_HAPPENS: PlannedEventState = {
  ...{ event: { name: "", actions: {} }, after: [], last: undefined, wasTrue: false },
  margin: undefined,
  comparisons: undefined,
};

export class EventPlan {
  readonly #workspace: Workspace;
  readonly #states: readonly PlannedEventState[];
  readonly #switches: ControllerSwitches;
  readonly #inputs: ReadonlyMap<string, number>;
  #mode: string | undefined;
  readonly timeline: TimelineEntry[] = [];
  /** Conditions to watch for changes of sign. */
  readonly conditions: readonly EventFunction[];

  /** @param readChannels reads channels at a state, for conditions that name some */
  constructor(
    workspace: Workspace,
    planned: readonly PlannedEvent[],
    switches: ControllerSwitches,
    readChannels: ChannelReading,
    mode?: string,
  ) {
    this.#workspace = workspace;
    this.#mode = mode;
    this.#states = planned.map((event) => {
      const margin = event.margin && withChannels(event.channels, readChannels, event.margin.bind(event));
      const comparisons = margin && comparisonsOf(event.comparisons, event.channels, margin, readChannels);
      return { event, margin, comparisons, after: [], last: undefined, wasTrue: false };
    });
    for (const { event, after } of this.#states)
      for (const name of event.after ?? []) after.push(this.#states.find((r) => r.event.name === name) ?? NEVER_HAPPENS);
    this.#switches = switches;
    this.#inputs = indexOfNames(heldInputNames(workspace.layout));
    this.conditions = this.#conditions();
  }

  save(): PlanState {
    return {
      mode: this.#mode ?? "",
      events: this.#states.map(({ event, last = Number.NaN, wasTrue }) => ({
        name: event.name,
        last,
        wasTrue,
        memory: event.memory?.slice() ?? new Float64Array(0),
      })),
    };
  }

  /** @throws FormatError if the plan was saved with other events */
  restore(saved: PlanState): void {
    const taken = structuredClone(this.save());
    takeSaved(taken, saved, "plan");
    this.#mode = taken.mode === "" ? undefined : taken.mode;
    for (const [i, state] of this.#states.entries()) {
      const { name, last, wasTrue, memory } = taken.events[i]!;
      if (name !== state.event.name) refuseSaved(`plan.events[${i}].name`, `must be ${state.event.name}, as in this run`, name);
      state.last = Number.isNaN(last) ? undefined : last;
      state.wasTrue = wasTrue;
      state.event.memory?.set(memory);
    }
  }

  /** Earliest time at which an event may happen; infinite while it waits for others or for a mode. */
  #due({ event, after, last }: PlannedEventState): number {
    if (last !== undefined && !event.repeat) return Number.POSITIVE_INFINITY;
    if (event.during && !event.during.includes(this.#mode ?? "")) return Number.POSITIVE_INFINITY;
    let due = event.at ?? 0;
    for (let k = 0; k < after.length; k++) due = Math.max(due, (after[k]!.last ?? Number.POSITIVE_INFINITY) + (event.delay ?? 0));
    return due;
  }

  /** Next time after t at which an event is due or a condition becomes active. */
  next(t: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const state of this.#states) {
      const due = this.#due(state);
      if (due > t) next = Math.min(next, due);
    }
    return next;
  }

  /** True if the event is a condition of this plan. */
  includes(event: EventFunction): boolean {
    return this.conditions.includes(event);
  }

  #conditions(): EventFunction[] {
    return this.#states.flatMap((r): EventFunction[] => {
      const { event, margin, comparisons } = r;
      if (!margin || !comparisons || event.byInputs) return [];
      return [
        {
          name: event.name,
          direction: "falling",
          isActive: (t) => t >= this.#due(r),
          value: (t, y) => (t >= this.#due(r) ? margin(t, y) : 1),
          comparisons,
          get closest() {
            return r.last === undefined ? event.closest : undefined;
          },
          ...(event.resolution !== undefined && { resolution: event.resolution }),
          handle: (t, y) => {
            this.#trigger(r, t, y);
            this.fire(t, y);
            return "restart";
          },
        },
      ];
    });
  }

  /** Call after a step without events. A repeatable event whose condition has become false may happen again. */
  accept(t: number, y: Float64Array): void {
    for (const r of this.#states) if (r.event.repeat && r.margin && r.wasTrue) r.wasTrue = r.margin(t, y) < 0;
  }

  /** Call at the start of a run, before events are triggered. */
  begin(t: number): void {
    for (const state of this.#states) if (state.event.hasHappened?.()) state.last = t;
  }

  /** Triggers all events that are due and true at t, and the events that follow from them at once. Returns true if any happened. */
  fire(t: number, y: Float64Array): boolean {
    let hasFired = false;
    for (let again = true; again; ) {
      again = false;
      for (const state of this.#states) {
        const due = this.#due(state);
        if (t < due) continue;
        const isTrue = state.margin ? state.margin(t, y) < 0 : state.last === undefined || state.last < due;
        if (isTrue && !(state.margin && state.wasTrue)) {
          this.#trigger(state, t, y);
          hasFired = again = true;
        } else if (state.margin) state.wasTrue = isTrue;
      }
    }
    return hasFired;
  }

  /** Engages and releases loops on request of a controller. */
  applyLoopChange(name: string, t: number, y: Float64Array, actions: Actions): void {
    this.timeline.push({ t, name, ...this.#apply(t, y, actions) });
  }

  /** Events that have not happened. */
  get waiting(): string[] {
    return this.#states.filter((r) => r.last === undefined && !r.event.quiet).map((r) => r.event.name);
  }

  /** Reasons why they have not happened, where known. */
  get reasons(): Readonly<Record<string, string>> {
    const isWaiting = (name: string): boolean => this.#states.some((r) => r.event.name === name && r.last === undefined);
    return Object.fromEntries(
      this.waiting.flatMap((name) => {
        const { event } = this.#states.find((r) => r.event.name === name)!;
        const predecessors = (event.after ?? []).filter(isWaiting);
        const isWrongMode = event.during && !event.during.includes(this.#mode ?? "");
        const reason =
          predecessors.length > 0
            ? `waits for ${predecessors.join(", ")}`
            : isWrongMode
              ? `the mode is ${this.#mode ?? "none"}, not ${event.during!.join(" or ")}`
              : event.reason?.();
        return reason ? [[name, reason] as const] : [];
      }),
    );
  }

  #trigger(r: PlannedEventState, t: number, y: Float64Array): void {
    r.last = t;
    r.wasTrue = true;
    this.timeline.push({ t, name: r.event.name, ...this.#apply(t, y, r.event.actions) });
  }

  #apply(t: number, y: Float64Array, actions: Actions): Pick<TimelineEntry, "done" | "impulse"> {
    if (actions.mode !== undefined) this.#mode = actions.mode;
    return performActions(this.#workspace, this.#switches, this.#inputs, t, y, actions);
  }
}
