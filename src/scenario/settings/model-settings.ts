/** Settings of the model: gravity, bodies, hinges, frames and loops. */

import { MODEL } from "../../model/elastic/elastic-bodies.ts";
import { fieldsOf } from "../fields-of.ts";
import type { Scenario } from "../scenario.ts";
import { itemPath, memberSettings, parameterSettings } from "./parameter-settings.ts";
import type { Setting } from "./setting.ts";

export function modelSettings({ document, model }: Pick<Scenario, "document" | "model">): readonly Setting[] {
  const written = fieldsOf(document.model);
  const list = (key: "bodies" | "loops"): readonly Setting[] =>
    ((written[key] ?? []) as readonly unknown[]).flatMap((item, i) =>
      memberSettings(MODEL[key].of, item, {
        path: itemPath(document, `model.${key}`, item, i),
        group: [key, fieldsOf(item).name as string],
        document,
        model,
      }),
    );
  // Gravity by the name of a world is shown as numbers, so that each of them can be changed.
  const gravity = written.gravity === undefined || typeof written.gravity === "string" ? model.gravity : written.gravity;
  const [gravitySetting] = parameterSettings(
    { gravity: MODEL.gravity },
    { gravity },
    { path: "model", group: ["model"], document, model },
  );
  return [{ ...gravitySetting!, written: written.gravity !== undefined }, ...list("bodies"), ...list("loops")];
}
