/** The time of an event. */
import { didYouMean } from "../../declare/names.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { measureKind } from "./kind.ts";

export const event = measureKind({
  name: "event",
  about: "The time of an event of the scenario or of a force element; none if it has not happened.",
  parameters: {
    event: { type: "text", longest: 200, about: "Name of the event, e.g. capture or latch-1.engage." },
    which: {
      type: "choice",
      of: ["first", "last"],
      refusal: "must be first or last",
      default: "first",
      about: "Which one, if it happens several times.",
    },
  },
  create({ event: name, which }, context) {
    const known = eventNames(context.scenario);
    if (!known.includes(name) && !name.startsWith("friction "))
      return void context.problem("event", "there is no such event", name, didYouMean(name, known));
    return {
      unit: "s",
      peaks: [],
      channels: [],
      value({ events, timeline }) {
        const times = [...timeline, ...events].filter((entry) => entry.name === name).map(({ t }) => t);
        return times.length === 0 ? Number.NaN : which === "first" ? Math.min(...times) : Math.max(...times);
      },
    };
  },
});

/** Planned events, stop conditions, and events of force elements. */
const eventNames = ({ events, stop, forces }: Scenario): readonly string[] => [
  ...events.map(({ name }) => name),
  ...stop.map(({ text }) => text),
  ...forces.flatMap((force) => (force.switches ?? []).map((action) => `${force.name}.${action.name}`)),
  ...forces.flatMap((force) => (force.events ?? []).map((own) => `${force.name} ${own.name}`)),
];
