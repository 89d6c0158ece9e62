/**
 * What is planned to happen in a run: at a time, when a condition comes true, after other events; and what is then done. Loops take hold,
 * let go or bump, controllers are switched on and off, held inputs are set. Events that wait for each other are a small state machine.
 */
import { heldInputNames } from "../run/controller-runner.ts";
import { LEDGER, SUPPLIED } from "../system/layout.ts";
import type { System } from "../system/system.ts";
import { changeLoops, type Impulse, type LoopChange } from "./engagement.ts";
import type { EventFunction } from "./event-detector.ts";

/** What is done, in this order: release, engage and bump at once, switch controllers, set inputs. */
export interface Actions extends LoopChange {
  /** Controllers by name. Those that are off command nothing: their outputs are zero. */
  readonly enable?: readonly string[];
  readonly disable?: readonly string[];
  /** Held inputs by name, as "element.input", and their values from then on. */
  readonly set?: Readonly<Record<string, number>>;
  /** The mode that the run is in from then on. */
  readonly mode?: string;
}

export interface PlannedEvent {
  readonly name: string;
  /** Not before this time; exactly then if there is no condition. */
  readonly at?: number;
  /** Only when all of these events have happened, and `delay` seconds later. */
  readonly after?: readonly string[];
  readonly delay?: number;
  /** Positive until the event; it happens when this is negative. */
  margin?(t: number, y: Float64Array): number;
  /** Whenever the condition comes true, or what it waits for happens again; not only the first time. */
  readonly repeat?: boolean;
  /** Only while the run is in one of these modes; in any if not given. */
  readonly during?: readonly string[];
  readonly actions: Actions;
  /** Its condition changes with held inputs alone: it is looked at when events happen, and not in between. */
  readonly byInputs?: boolean;
  /** Not worth a word where it has not happened. */
  readonly quiet?: boolean;
  /** Why it has not happened. */
  reason?(): string;
}

/** What has happened. */
export interface TimelineEntry {
  readonly t: number;
  readonly name: string;
  /** What was done, in words. */
  readonly done: readonly string[];
  readonly impulse?: Impulse;
}

/** Who switches controllers. */
export interface ControllerSwitches {
  enable(name: string, t: number, y: Float64Array): void;
  disable(name: string): void;
}

interface PlannedEventState {
  readonly event: PlannedEvent;
  /** Those that it comes after. */
  readonly after: PlannedEventState[];
  /** When it happened last. */
  last: number | undefined;
  /** The condition was true when it was last looked at. */
  wasTrue: boolean;
}

/** Sets held inputs by name. @throws RangeError if there is none of a name. */
export function setInputs(
  { held, layout }: System,
  values: Readonly<Record<string, number>> = {},
  names: readonly string[] = heldInputNames(layout),
): void {
  for (const [name, value] of Object.entries(values)) {
    const at = names.indexOf(name);
    if (at < 0) throw new RangeError(`there is no held input "${name}" to set. There are: ${names.join(", ") || "none"}`);
    held[at] = value;
  }
}

/** What no event is called. */
const NEVER_HAPPENS: PlannedEventState = { event: { name: "", actions: {} }, after: [], last: undefined, wasTrue: false };

export class EventPlan {
  readonly #system: System;
  readonly #running: readonly PlannedEventState[];
  readonly #switches: ControllerSwitches;
  readonly #inputs: readonly string[];
  #mode: string | undefined;
  readonly timeline: TimelineEntry[] = [];
  /** To be watched for changes of sign: conditions that count at their time. */
  readonly conditions: readonly EventFunction[];

  constructor(system: System, planned: readonly PlannedEvent[], switches: ControllerSwitches, mode?: string) {
    this.#system = system;
    this.#mode = mode;
    this.#running = planned.map((event) => ({ event, after: [], last: undefined, wasTrue: false }));
    for (const { event, after } of this.#running)
      for (const name of event.after ?? []) after.push(this.#running.find((r) => r.event.name === name) ?? NEVER_HAPPENS);
    this.#switches = switches;
    this.#inputs = heldInputNames(system.layout);
    this.conditions = this.#conditions();
  }

  /** From when on an event may happen; never, while others have to happen before. */
  #due({ event, after, last }: PlannedEventState): number {
    if (last !== undefined && !event.repeat) return Number.POSITIVE_INFINITY;
    if (event.during && !event.during.includes(this.#mode ?? "")) return Number.POSITIVE_INFINITY;
    let due = event.at ?? 0;
    for (let k = 0; k < after.length; k++) due = Math.max(due, (after[k]!.last ?? Number.POSITIVE_INFINITY) + (event.delay ?? 0));
    return due;
  }

  /** The next time at which something is due, or a condition begins to count. */
  next(t: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const r of this.#running) {
      const due = this.#due(r);
      if (due > t) next = Math.min(next, due);
    }
    return next;
  }

  /** Whether an event is one of its own. */
  includes(event: EventFunction): boolean {
    return this.conditions.includes(event);
  }

  #conditions(): EventFunction[] {
    return this.#running.flatMap((r): EventFunction[] => {
      const { event } = r;
      if (!event.margin || event.byInputs) return [];
      return [
        {
          name: event.name,
          direction: "falling",
          counts: (t) => t >= this.#due(r),
          value: (t, y) => (t >= this.#due(r) ? event.margin!(t, y) : 1),
          handle: (t, y) => {
            this.#happen(r, t, y);
            this.fire(t, y);
            return "restart";
          },
        },
      ];
    });
  }

  /** After a step in which nothing happened: conditions that have come untrue may come true again. */
  accept(t: number, y: Float64Array): void {
    for (const r of this.#running) if (r.event.repeat && r.event.margin && r.wasTrue) r.wasTrue = r.event.margin(t, y) < 0;
  }

  /** Whatever is due and true at t, and what follows from it at once. Says whether anything happened. */
  fire(t: number, y: Float64Array): boolean {
    let any = false;
    for (let again = true; again; ) {
      again = false;
      for (const r of this.#running) {
        const due = this.#due(r);
        if (t < due) continue;
        const isTrue = r.event.margin ? r.event.margin(t, y) < 0 : r.last === undefined || r.last < due;
        if (isTrue && !(r.event.margin && r.wasTrue)) {
          this.#happen(r, t, y);
          any = again = true;
        } else if (r.event.margin) r.wasTrue = isTrue;
      }
    }
    return any;
  }

  /** Loops that a controller has asked to take hold or let go. */
  applyLoopChange(name: string, t: number, y: Float64Array, actions: Actions): void {
    this.timeline.push({ t, name, ...this.#act(t, y, actions) });
  }

  /** Events that have not happened. */
  get waiting(): string[] {
    return this.#running.filter((r) => r.last === undefined && !r.event.quiet).map((r) => r.event.name);
  }

  /** Why they have not, as far as that is known. */
  get reasons(): Readonly<Record<string, string>> {
    const hasNot = (name: string): boolean => this.#running.some((r) => r.event.name === name && r.last === undefined);
    return Object.fromEntries(
      this.waiting.flatMap((name) => {
        const { event } = this.#running.find((r) => r.event.name === name)!;
        const missing = (event.after ?? []).filter(hasNot);
        const isOut = event.during && !event.during.includes(this.#mode ?? "");
        const reason =
          missing.length > 0
            ? `waits for ${missing.join(", ")}`
            : isOut
              ? `the mode is ${this.#mode ?? "none"}, not ${event.during!.join(" or ")}`
              : event.reason?.();
        return reason ? [[name, reason] as const] : [];
      }),
    );
  }

  #happen(r: PlannedEventState, t: number, y: Float64Array): void {
    r.last = t;
    r.wasTrue = true;
    this.timeline.push({ t, name: r.event.name, ...this.#act(t, y, r.event.actions) });
  }

  #act(t: number, y: Float64Array, actions: Actions): Pick<TimelineEntry, "done" | "impulse"> {
    const { release = [], engage = [], bump = [], enable = [], disable = [], set = {}, mode } = actions;
    const impulse = changeLoops(this.#system, t, y, actions);
    for (const name of disable) this.#switches.disable(name);
    for (const name of enable) this.#switches.enable(name, t, y);
    this.#set(t, y, set);
    if (mode !== undefined) this.#mode = mode;
    const done = [
      ...release.map((name) => `released ${name}`),
      ...engage.map((name) => `engaged ${name}`),
      ...bump.map(({ loop }) =>
        impulse.loops.some((l) => l.loop === loop) ? `bumped ${loop}` : `${loop} parts already: no bump`,
      ),
      ...disable.map((name) => `disabled ${name}`),
      ...enable.map((name) => `enabled ${name}`),
      ...Object.entries(set).map(([name, value]) => `set ${name} to ${value}`),
      ...(mode === undefined ? [] : [`mode ${mode}`]),
    ];
    return impulse.loops.length > 0 ? { done, impulse } : { done };
  }

  /** Sets inputs. What is stored in springs that are set anew, or let go, comes from outside and is booked as supplied. */
  #set(t: number, y: Float64Array, set: Readonly<Record<string, number>>): void {
    if (Object.keys(set).length === 0) return;
    const before = this.#system.observe(t, y).potential;
    setInputs(this.#system, set, this.#inputs);
    y[this.#system.layout.ny - LEDGER + SUPPLIED]! += this.#system.observe(t, y).potential - before;
  }
}
