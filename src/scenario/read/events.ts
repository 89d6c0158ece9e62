/** Events of a scenario by name: the trigger and the actions of each. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean, readName } from "../../declare/names.ts";
import type { NoteRule, Parameter, Parameters, ParameterValues } from "../../declare/parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { type AppliedImpulse, IMPULSE_AXES } from "../../dynamics/tree/impulse-wrench.ts";
import { type Problem, valueText } from "../../errors.ts";
import { switchNames } from "../../sim/events/element-switches.ts";
import { allLoops } from "../../sim/events/engagement.ts";
import { heldInputNames, type Layout } from "../../sim/system/layout.ts";
import { fieldsOf } from "../fields-of.ts";
import type { Scenario, ScenarioEvent } from "../scenario.ts";
import { parseConditions } from "./condition.ts";
import { checkModes, eventsWaitingForThemselves } from "./event-checks.ts";

const names = (to: string, about: string) => ({ type: "references", to, optional: true, about }) as const;
const time = (about: string) => ({ type: "number", unit: "s", least: 0, optional: true, about }) as const;

const IMPULSE_PARAMETERS = {
  frame: { type: "reference", to: "frame", about: "Frame or body on which the impulse acts." },
  force: { type: "vector", unit: "N s", default: [0, 0, 0], about: "Impulse: a force integrated over time." },
  torque: { type: "vector", unit: "N m s", default: [0, 0, 0], about: "Angular impulse: a torque integrated over time." },
  at: { type: "vector", unit: "m", default: [0, 0, 0], about: "Point at which the force acts, in axes of the frame." },
  axes: {
    type: "choice",
    of: IMPULSE_AXES,
    default: "world",
    about: "Axes of `force` and `torque`: the world's or the frame's own.",
  },
} as const satisfies Parameters;

function impulseRule({ force, torque }: Partial<ParameterValues<typeof IMPULSE_PARAMETERS>>, note: NoteRule): void {
  if (force && torque && [...force, ...torque].every((x) => x === 0))
    note("", "has no force and no torque", "Give force: [x, y, z] in N s, or torque: [x, y, z] in N m s");
}

const EVENT = {
  at: time("Earliest time of the event; without a condition, its exact time."),
  when: {
    type: "texts",
    noun: "condition",
    most: MAX_PARTS,
    example: 'For example "q.waist < 0"',
    optional: true,
    about: 'Conditions on channels, e.g. "loop.grasp.distance < 0.01". The event happens when all of them are true.',
  },
  resolution: {
    type: "number",
    unit: "s",
    above: 0,
    optional: true,
    about:
      "The conditions are looked at at least five times in this time. Default: five times in every step, and more often where they may become true. Needed only for channels that jump, or change faster than the motion.",
  },
  after: names("event", "Events that must happen first."),
  delay: time("Delay after the events in `after`."),
  repeat: {
    type: "boolean",
    default: false,
    about: "true: the event happens every time its condition becomes true, not only the first time.",
  },
  during: names("mode", "The event can happen only in these modes."),
  release: names("loop", "Loops that are released; speeds do not jump."),
  engage: names("loop", "Loops that are engaged, with a plastic impact."),
  bump: names("loop", "Loops that exert an impulse but are not engaged; `point-on-plane` pushes but does not pull."),
  restitution: {
    type: "number",
    unit: "",
    least: 0,
    most: 1,
    optional: true,
    about: "Coefficient of restitution of the bump: speed after over speed before; 0 if not given.",
  },
  impulse: {
    type: "object",
    id: "impulse",
    optional: true,
    about: "An impulse from outside: the speeds jump, and engaged loops stay closed.",
    rule: impulseRule,
    of: IMPULSE_PARAMETERS,
  },
  disable: names("controller", "Controllers that are switched off; their commands become zero."),
  enable: names("controller", "Controllers that are switched on; they restart."),
  set: {
    type: "record",
    nouns: "inputs",
    most: MAX_PARTS,
    optional: true,
    about: "New values of force inputs, as FORCE.INPUT.",
    of: { type: "number", unit: "", about: "New value." },
  },
  mode: { type: "name", optional: true, about: "New mode of the run." },
} as const satisfies Parameters;

export const EVENTS = {
  type: "record",
  nouns: "events",
  most: MAX_PARTS,
  named: true,
  optional: true,
  setting: "written",
  about:
    "Events by name: at a time or on a condition they engage or release loops, give impulses, switch controllers and set inputs.",
  of: {
    type: "object",
    id: "event",
    about: "An event of the run: its trigger and its actions.",
    rule: eventRule,
    of: EVENT,
  },
} as const satisfies Parameter;

/** An event as it was read. Values with a problem are undefined. */
type WrittenEvent = Partial<ParameterValues<typeof EVENT>>;
export type WrittenEvents = Readonly<Record<string, WrittenEvent | undefined>>;

function eventRule(values: WrittenEvent, note: NoteRule, written: Fields): void {
  const isGiven = (key: string): boolean => written[key] !== undefined;
  if (isGiven("delay") && !values.after?.length)
    note("delay", "is counted from the events in `after`, but there are none", "Use `at` instead");
  if (isGiven("resolution") && !isGiven("when"))
    note("resolution", "is used only with `when`, which is missing", "Add when, or remove resolution");
  if (isGiven("restitution") && !values.bump?.length)
    note(
      "restitution",
      "is used only with `bump`, which is missing",
      "Add bump, or remove restitution: an engaged loop does not bounce",
    );
  if (!isGiven("at") && !isGiven("when") && !isGiven("after"))
    note("", "never happens", "Give at (a time), when (a condition) or after (another event)");
}

/** Names that events may refer to. A list that is not known is undefined. */
interface EventReferences {
  readonly loops: readonly string[] | undefined;
  readonly controllers: readonly string[];
  /** Frames and bodies. */
  readonly frames: readonly string[] | undefined;
  readonly inputs: readonly string[] | undefined;
  /** Events of elements, e.g. the engagement of a latch. */
  readonly events: readonly string[] | undefined;
}

/** The names that events may refer to in a complete system. */
export const eventReferences = (layout: Layout, controllers: Scenario["controllers"]): EventReferences => ({
  loops: allLoops(layout.model).map((loop) => loop.name),
  controllers: controllers.map((c) => c.name),
  frames: [...layout.model.bodies, ...layout.model.frames].map(({ name }) => name),
  inputs: heldInputNames(layout),
  events: switchNames({ layout }),
});

/** Resolves the names in the events, and checks that every event and mode can be reached. `written`: the section in the file. */
export function resolveEvents(
  events: WrittenEvents,
  mode: string | undefined,
  written: unknown,
  references: EventReferences,
  problems: Problem[],
): readonly ScenarioEvent[] {
  const entries = Object.entries(events);
  const known = { ...references, events: references.events && [...entries.map(([name]) => name), ...references.events] };
  const before = problems.length;
  const resolved = entries.flatMap(
    ([name, event]) => (event && resolveEvent(name, event, fieldsOf(fieldsOf(written)[name]), known, problems)) ?? [],
  );
  for (const name of eventsWaitingForThemselves(resolved))
    problems.push({
      path: childPath(childPath("events", name), "after"),
      message: "waits for itself through a circle of `after`",
      advice: "Trigger one of these events by a time or a condition",
    });
  if (problems.length === before && resolved.length === entries.length) checkModes(resolved, mode, problems);
  return resolved;
}

function resolveEvent(
  name: string,
  event: WrittenEvent,
  written: Fields,
  known: EventReferences,
  problems: Problem[],
): ScenarioEvent {
  const path = childPath("events", name);
  const pathOf = (key: string): string => childPath(path, key);
  const namesOf = (key: "after" | "release" | "engage" | "bump" | "disable" | "enable", to: keyof EventReferences) =>
    resolveNames(event[key] ?? [], written[key], pathOf(key), to, known[to], problems);
  const { at, delay, restitution = 0, mode } = event;
  const impulse = event.impulse && resolveImpulse(event.impulse, childPath(path, "impulse"), known, problems);
  const during = readModes(event.during ?? [], written.during, pathOf("during"), problems);
  return {
    name,
    ...(during.length > 0 && { during }),
    ...(at !== undefined && { at }),
    ...(delay !== undefined && { delay }),
    after: namesOf("after", "events"),
    when: parseConditions(event.when ?? [], written.when, pathOf("when"), problems),
    ...(event.resolution !== undefined && { resolution: event.resolution }),
    repeat: event.repeat ?? false,
    actions: {
      ...(mode !== undefined && { mode }),
      release: namesOf("release", "loops"),
      engage: namesOf("engage", "loops"),
      bump: namesOf("bump", "loops").map((loop) => ({ loop, restitution })),
      ...(impulse && { impulse }),
      disable: namesOf("disable", "controllers"),
      enable: namesOf("enable", "controllers"),
      set: resolveInputs((event.set ?? {}) as Readonly<Record<string, number>>, pathOf("set"), known.inputs, problems),
    },
  };
}

/** The impulse, if its frame is known. */
function resolveImpulse(
  impulse: Partial<ParameterValues<typeof IMPULSE_PARAMETERS>>,
  path: string,
  { frames }: EventReferences,
  problems: Problem[],
): AppliedImpulse | undefined {
  const { frame } = impulse;
  if (frame === undefined) return undefined; // reported already
  if (frames === undefined || frames.includes(frame)) return { ...impulse, frame };
  problems.push({
    path: childPath(path, "frame"),
    message: "no frame or body has this name",
    value: valueText(frame),
    advice: didYouMean(frame, frames),
  });
  return undefined;
}

const NOUNS = { loops: "loop", frames: "frame", controllers: "controller", inputs: "input", events: "event" } as const;

/** The names of a list; each must be known, if the known names are. */
function resolveNames(
  names: readonly (string | undefined)[],
  written: unknown,
  path: string,
  to: keyof EventReferences,
  known: readonly string[] | undefined,
  problems: Problem[],
): readonly string[] {
  const noun = NOUNS[to];
  return names.flatMap((name, i) => {
    if (name === undefined) return []; // no name: reported already
    if (known === undefined || known.includes(name)) return [name];
    problems.push({
      path: typeof written === "string" ? path : childPath(path, i),
      message: `no ${noun} has this name`,
      value: valueText(name),
      advice: known.length > 0 ? didYouMean(name, known) : `The scenario has no ${noun}`,
    });
    return [];
  });
}

function resolveInputs(
  values: Readonly<Record<string, number>>,
  path: string,
  known: readonly string[] | undefined,
  problems: Problem[],
): Readonly<Record<string, number>> {
  for (const name of Object.keys(values).filter((n) => known !== undefined && !known.includes(n)))
    problems.push({
      path: childPath(path, name),
      message: "no force has this input",
      value: valueText(name),
      advice: known!.length > 0 ? didYouMean(name, known!) : "Add an actuator to the forces",
    });
  return values;
}

function readModes(
  modes: readonly (string | undefined)[],
  written: unknown,
  path: string,
  problems: Problem[],
): readonly string[] {
  return modes.flatMap((mode, i) => {
    if (mode === undefined) return [];
    return readName(mode, typeof written === "string" ? path : childPath(path, i), problems) || [];
  });
}
