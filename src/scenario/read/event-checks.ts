/** Checks of the events of a scenario as a whole: modes, inputs of switches, circles. */

import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Layout } from "../../sim/system/layout.ts";
import type { Scenario, ScenarioEvent } from "../scenario.ts";

/** Checks that every mode in `during` can be reached from the first mode by events that can happen. */
export function checkModes(events: readonly ScenarioEvent[], first: string | undefined, problems: Problem[]): void {
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
export function checkSwitchInputs(
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
export function eventsWaitingForThemselves(events: readonly ScenarioEvent[]): string[] {
  const byName = new Map(events.map((e) => [e.name, e]));
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    if (seen.has(from)) return false;
    seen.add(from);
    return (byName.get(from)?.after ?? []).some((name) => name === to || reaches(name, to, seen));
  };
  return events.map((e) => e.name).filter((name) => reaches(name, name, new Set()));
}
