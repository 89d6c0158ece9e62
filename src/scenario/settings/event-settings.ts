/** Settings of events: every key that is written in the file. */

import { childPath } from "../../declare/plain-data.ts";
import { fieldsOf } from "../fields-of.ts";
import { EVENTS } from "../read/events.ts";
import type { Scenario } from "../scenario.ts";
import { parameterSettings } from "./parameter-settings.ts";
import type { Setting } from "./setting.ts";

export function eventSettings({ document, model }: Pick<Scenario, "document" | "model">): readonly Setting[] {
  return Object.entries(fieldsOf(document.events)).flatMap(([name, event]) =>
    parameterSettings(EVENTS.of.of, fieldsOf(event), {
      path: childPath("events", name),
      group: ["events", name],
      document,
      model,
      onlyWritten: true,
    }),
  );
}
