/** Events of a scenario by name: the trigger and the actions of each. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean, readName } from "../../declare/names.ts";
import { childPath, type Fields, readArray, readFields, readNumber, readRecord } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { switchNames } from "../../sim/events/element-switches.ts";
import { allLoops } from "../../sim/events/engagement.ts";
import type { Actions } from "../../sim/events/event-plan.ts";
import { heldInputNames, type Layout } from "../../sim/system/layout.ts";
import type { Scenario, ScenarioEvent } from "../scenario.ts";
import { type Condition, readConditions } from "./condition.ts";

export const EVENT_KEYS = [
  "at",
  "when",
  "after",
  "delay",
  "repeat",
  "during",
  "release",
  "engage",
  "bump",
  "restitution",
  "disable",
  "enable",
  "set",
  "mode",
] as const;

/** Names that events may refer to. */
interface EventReferences {
  readonly loops: readonly string[];
  readonly controllers: readonly string[];
  readonly inputs: readonly string[];
  /** Events of the file, and events of elements, e.g. the engagement of a latch. */
  readonly events: readonly string[];
}

/** Events and the first mode. */
export interface EventsAndMode {
  readonly events: readonly ScenarioEvent[];
  readonly mode: string | undefined;
}

/** Reads the events and the first mode, and checks that every event and mode can be reached. */
export function readEvents(
  { events: value, mode: first }: Fields,
  layout: Layout,
  controllers: Scenario["controllers"],
  problems: Problem[],
): EventsAndMode {
  const entries = Object.entries(value === undefined ? {} : (readRecord(value, "events", problems) ?? {}));
  const mode = first === undefined ? undefined : readName(first, "mode", problems) || undefined;
  if (entries.length > MAX_PARTS) {
    problems.push({ path: "events", message: `at most ${MAX_PARTS} events, this has ${entries.length}` });
    return { events: [], mode };
  }
  const known: EventReferences = {
    loops: allLoops(layout.model).map((loop) => loop.name),
    controllers: controllers.map((c) => c.name),
    inputs: heldInputNames(layout),
    events: [...entries.map(([name]) => name), ...switchNames({ layout })],
  };
  const events = entries.flatMap(([name, event]) => readEvent(name, event, known, problems) ?? []);
  for (const name of eventsWaitingForThemselves(events))
    problems.push({
      path: childPath(childPath("events", name), "after"),
      message: "waits for itself through a circle of `after`",
      advice: "Trigger one of these events by a time or a condition",
    });
  if (events.length === entries.length) {
    checkModes(events, mode, problems);
    checkSwitchInputs(layout, events, controllers, problems);
  }
  return { events, mode };
}

function readEvent(name: string, value: unknown, known: EventReferences, problems: Problem[]): ScenarioEvent | undefined {
  const path = childPath("events", name);
  if (readName(name, path, problems) === "") return undefined;
  const fields = readFields(value, path, EVENT_KEYS, problems);
  if (fields === undefined) return undefined;
  const pathOf = (key: string): string => childPath(path, key);
  const before = problems.length;
  const time = (key: "at" | "delay"): number | undefined => {
    const read = fields[key] === undefined ? undefined : readQuantityInUnit(fields[key], "s", pathOf(key), problems);
    if (read !== undefined && !(read >= 0))
      problems.push({ path: pathOf(key), message: "must not be negative", value: valueText(fields[key]) });
    return read;
  };
  const when: readonly Condition[] = readConditions(fields.when, pathOf("when"), problems);
  const after = readNames(fields.after, pathOf("after"), "event", known.events, problems);
  const during = readModes(fields.during, pathOf("during"), problems);
  const event = {
    name,
    ...(during.length > 0 && { during }),
    ...optionalField("at", time("at")),
    ...optionalField("delay", time("delay")),
    after,
    when,
    repeat: fields.repeat === true,
    actions: readActions(fields, path, known, problems),
  };
  if (fields.repeat !== undefined && typeof fields.repeat !== "boolean")
    problems.push({ path: pathOf("repeat"), message: "must be true or false", value: valueText(fields.repeat) });
  if (fields.delay !== undefined && after.length === 0)
    problems.push({
      path: pathOf("delay"),
      message: "is counted from the events in `after`, but there are none",
      advice: "Use `at` instead",
    });
  if (fields.at === undefined && fields.when === undefined && fields.after === undefined)
    problems.push({ path, message: "never happens", advice: "Give at (a time), when (a condition) or after (another event)" });
  return problems.length > before ? undefined : event;
}

const optionalField = <K extends string>(key: K, value: number | undefined): { readonly [P in K]?: number } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: number };

function readActions(fields: Fields, path: string, known: EventReferences, problems: Problem[]): Actions {
  const pathOf = (key: string): string => childPath(path, key);
  const readNamesOf = (key: string, what: string, names: readonly string[]) =>
    readNames(fields[key], pathOf(key), what, names, problems);
  const bumpedLoops = readNamesOf("bump", "loop", known.loops);
  const restitution = fields.restitution === undefined ? 0 : readNumber(fields.restitution, pathOf("restitution"), problems);
  if (restitution !== undefined && !(restitution >= 0 && restitution <= 1))
    problems.push({ path: pathOf("restitution"), message: "must be between 0 and 1", value: valueText(restitution) });
  if (fields.restitution !== undefined && bumpedLoops.length === 0)
    problems.push({
      path: pathOf("restitution"),
      message: "is used only with `bump`, which is missing",
      advice: "Add bump, or remove restitution: an engaged loop does not bounce",
    });
  const mode = fields.mode === undefined ? "" : readName(fields.mode, pathOf("mode"), problems);
  return {
    ...(mode !== "" && { mode }),
    release: readNamesOf("release", "loop", known.loops),
    engage: readNamesOf("engage", "loop", known.loops),
    bump: bumpedLoops.map((loop) => ({ loop, restitution: restitution ?? 0 })),
    disable: readNamesOf("disable", "controller", known.controllers),
    enable: readNamesOf("enable", "controller", known.controllers),
    set: readInputs(fields.set, pathOf("set"), known.inputs, problems),
  };
}

/** Reads a name or a list of names; each must be known. */
function readNames(value: unknown, path: string, what: string, known: readonly string[], problems: Problem[]): readonly string[] {
  if (value === undefined) return [];
  const items =
    typeof value === "string"
      ? [value]
      : (readArray(value, path, `the name of ${aOrAn(what)} or a list of names`, problems) ?? []);
  return items.slice(0, MAX_PARTS).flatMap((item, i) => {
    if (typeof item === "string" && known.includes(item)) return [item];
    problems.push({
      path: typeof value === "string" ? path : childPath(path, i),
      message: typeof item === "string" ? `no ${what} has this name` : `must be the name of ${aOrAn(what)}`,
      value: valueText(item),
      advice: known.length > 0 ? didYouMean(item, known) : `The scenario has no ${what}`,
    });
    return [];
  });
}

const aOrAn = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

function readInputs(
  value: unknown,
  path: string,
  known: readonly string[],
  problems: Problem[],
): Readonly<Record<string, number>> {
  const entries = Object.entries(value === undefined ? {} : (readRecord(value, path, problems) ?? {}));
  const read = entries.slice(0, MAX_PARTS).flatMap(([name, writtenValue]) => {
    const inputPath = childPath(path, name);
    const number = readNumber(writtenValue, inputPath, problems);
    if (!known.includes(name))
      problems.push({
        path: inputPath,
        message: "no force has this input",
        value: valueText(name),
        advice: known.length > 0 ? didYouMean(name, known) : "Add an actuator to the forces",
      });
    return number === undefined ? [] : [[name, number] as const];
  });
  return Object.fromEntries(read);
}

function readModes(value: unknown, path: string, problems: Problem[]): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === "string") return [readName(value, path, problems)].filter((name) => name !== "");
  const items = readArray(value, path, "the name of a mode or a list of names", problems) ?? [];
  return items
    .slice(0, MAX_PARTS)
    .map((item, i) => readName(item, childPath(path, i), problems))
    .filter((name) => name !== "");
}

/** Checks that every mode in `during` can be reached from the first mode by events that can happen. */
function checkModes(events: readonly ScenarioEvent[], first: string | undefined, problems: Problem[]): void {
  const reachedModes = new Set(first === undefined ? [] : [first]);
  const eventNames = new Set(events.map((e) => e.name));
  const possibleEvents = new Set<string>();
  for (let before = -1; before !== possibleEvents.size; ) {
    before = possibleEvents.size;
    for (const { name, during, after = [], actions } of events) {
      if (during && !during.some((mode) => reachedModes.has(mode))) continue;
      if (after.some((other) => eventNames.has(other) && !possibleEvents.has(other))) continue;
      possibleEvents.add(name);
      if (actions.mode !== undefined) reachedModes.add(actions.mode);
    }
  }
  for (const { name, during } of events) {
    if (!during || during.some((mode) => reachedModes.has(mode))) continue;
    problems.push({
      path: childPath(childPath("events", name), "during"),
      message: "this mode is never reached",
      value: valueText(during.length === 1 ? during[0] : during),
      advice:
        reachedModes.size > 0
          ? `Modes that are reached: ${[...reachedModes].join(", ")}`
          : "Give the first mode: mode: NAME, at the level of events",
    });
  }
}

/** Checks that the switches of elements can happen: an input that a switch needs must be set by an event or commanded by a controller. */
function checkSwitchInputs(
  { elements }: Layout,
  events: readonly ScenarioEvent[],
  controllers: Scenario["controllers"],
  problems: Problem[],
): void {
  const inputs = events.flatMap(({ actions }) =>
    Object.entries(actions.set ?? {}).flatMap(([name, v]) => (v === 0 ? [] : [name])),
  );
  const settableInputs = new Set([...inputs, ...controllers.flatMap((c) => c.commands)]);
  for (const { name, switches = [] } of elements)
    for (const { name: action, needs } of switches) {
      if (needs === undefined || settableInputs.has(`${name}.${needs}`)) continue;
      problems.push({
        path: childPath("forces", name),
        message: `can never ${action}: it is not ${needs}, and no event sets ${name}.${needs}`,
        advice: `Write ${needs}: true, or set ${name}.${needs} to 1 in an event`,
      });
    }
}

/** Names of events that wait for themselves, directly or through other events. */
function eventsWaitingForThemselves(events: readonly ScenarioEvent[]): string[] {
  const byName = new Map(events.map((e) => [e.name, e]));
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    if (seen.has(from)) return false;
    seen.add(from);
    return (byName.get(from)?.after ?? []).some((name) => name === to || reaches(name, to, seen));
  };
  return events.map((e) => e.name).filter((name) => reaches(name, name, new Set()));
}
