/** Actions of events: what they change in a run, and how the timeline describes it. */
import type { AppliedImpulse } from "../../dynamics/tree/impulse-wrench.ts";
import { euclideanNorm } from "../../math/elementary/hypotenuse.ts";
import { LEDGER, SUPPLIED } from "../system/layout.ts";
import type { Impulse, LoopChange } from "../system/loop-change.ts";
import { setInputs } from "../system/start-state.ts";
import type { Workspace } from "../system/workspace.ts";
import { applyImpulse } from "./applied-impulse.ts";
import { changeLoopsIfAny } from "./engagement.ts";

/** Actions of an event, in this order: release; engage and bump together; impulse; disable and enable controllers; set inputs. */
export interface Actions extends LoopChange {
  /** An impulse from outside: the speeds jump, and engaged loops stay closed. */
  readonly impulse?: AppliedImpulse;
  /** Controllers by name. The outputs of a disabled controller are zero. */
  readonly enable?: readonly string[];
  readonly disable?: readonly string[];
  /** Held inputs by name ("element.input") and their new values. */
  readonly set?: Readonly<Record<string, number>>;
  /** New mode of the run. */
  readonly mode?: string;
}

/** An event that has happened. */
export interface TimelineEntry {
  readonly t: number;
  readonly name: string;
  /** The actions, in words. */
  readonly done: readonly string[];
  readonly impulse?: Impulse;
}

/** Enables and disables controllers. */
export interface ControllerSwitches {
  enable(name: string, t: number, y: Float64Array): void;
  disable(name: string): void;
}

/** Performs the actions at t: changes y, the workspace and the controllers. Changes of the mode are the caller's. */
export function performActions(
  workspace: Workspace,
  switches: ControllerSwitches,
  inputs: ReadonlyMap<string, number>,
  t: number,
  y: Float64Array,
  actions: Actions,
): Pick<TimelineEntry, "done" | "impulse"> {
  const { release = [], engage = [], bump = [], enable = [], disable = [], set = {}, mode } = actions;
  const impact = changeLoopsIfAny(workspace, t, y, actions);
  const push = actions.impulse && applyImpulse(workspace, t, y, actions.impulse);
  for (const name of disable) switches.disable(name);
  for (const name of enable) switches.enable(name, t, y);
  setInputsAndBook(workspace, inputs, t, y, set);
  const done = [
    ...release.map((name) => `released ${name}`),
    ...engage.map((name) => `engaged ${name}`),
    ...bump.map(({ loop }) =>
      impact.loops.some((l) => l.loop === loop) ? `bumped ${loop}` : `no bump of ${loop}: its bodies already separate`,
    ),
    ...(actions.impulse && push ? [impulseText(actions.impulse, push.supplied)] : []),
    ...disable.map((name) => `disabled ${name}`),
    ...enable.map((name) => `enabled ${name}`),
    ...Object.entries(set).map(([name, value]) => `set ${name} to ${value}`),
    ...(mode === undefined ? [] : [`mode ${mode}`]),
  ];
  const impulse = push ? together(impact, push) : impact;
  return push || impulse.loops.length > 0 ? { done, impulse } : { done };
}

/** "gave hub an impulse of 5 N s and 2 N m s, supplied 12 J" */
function impulseText({ frame, force = [0, 0, 0], torque = [0, 0, 0] }: AppliedImpulse, supplied: number): string {
  const sizes = (
    [
      [force, "N s"],
      [torque, "N m s"],
    ] as const
  ).flatMap(([vector, unit]) => {
    const size = euclideanNorm(vector);
    return size > 0 ? [`${+size.toPrecision(4)} ${unit}`] : [];
  });
  return `gave ${frame} an impulse of ${sizes.join(" and ")}, supplied ${+supplied.toPrecision(4)} J`;
}

/** Impact and impulse of one event: the impulses of a loop are added. */
function together(impact: Impulse, push: Impulse): Impulse {
  const sum = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value + b[i]!);
  const loops = impact.loops.map((loop) => {
    const other = push.loops.find((l) => l.loop === loop.loop);
    if (!other) return loop; // a bumped loop is open again
    const wrench = loop.wrench && other.wrench && sum(loop.wrench, other.wrench);
    return { loop: loop.loop, rows: sum(loop.rows, other.rows), ...(wrench && { wrench }) };
  });
  return {
    ...push,
    loops: [...loops, ...push.loops.filter((l) => !loops.some((other) => other.loop === l.loop))],
    dissipated: impact.dissipated,
    supplied: impact.supplied + push.supplied,
  };
}

/** Sets inputs. The change of stored energy (a spring that is set or released) comes from outside and is booked as supplied. */
function setInputsAndBook(
  workspace: Workspace,
  inputs: ReadonlyMap<string, number>,
  t: number,
  y: Float64Array,
  set: Readonly<Record<string, number>>,
): void {
  if (Object.keys(set).length === 0) return;
  const before = workspace.observe(t, y).potential;
  setInputs(workspace.held, inputs, set, "set");
  y[workspace.layout.ny - LEDGER + SUPPLIED]! += workspace.observe(t, y).potential - before;
}
