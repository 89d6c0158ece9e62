/** Settings of events: every key that is written in the file. */

import { childPath } from "../../declare/plain-data.ts";
import { fieldsOf } from "../fields-of.ts";
import type { Setting } from "./setting.ts";

const TIME_ABOUT = { at: "Time of the event.", delay: "Delay after the events in `after`." } as const;

/** @param events the value of the key `events` */
export function eventSettings(events: unknown): readonly Setting[] {
  return Object.entries(fieldsOf(events)).flatMap(([name, event]) =>
    Object.entries(fieldsOf(event)).map(([key, value]): Setting => {
      const base = { path: childPath(childPath("events", name), key), group: ["events", name], label: key, value, written: true };
      if ((key === "at" || key === "delay") && !Array.isArray(value))
        return {
          ...base,
          about: TIME_ABOUT[key],
          type: "number",
          entries: [{ label: "", unit: "s" }],
          least: 0,
          optional: false,
        };
      if (key === "restitution") {
        const about = "Coefficient of restitution of the bump.";
        return { ...base, about, type: "number", entries: [{ label: "", unit: "" }], least: 0, most: 1, optional: true };
      }
      return { ...base, about: "", type: typeof value === "boolean" ? "boolean" : "data", optional: true };
    }),
  );
}
