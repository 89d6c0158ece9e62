/**
 * Settings of a scenario: every value that can be changed by path, with the data that an inspector needs to show it. A change is
 * `{ path, value }`, the same as `--set path=value`, so every change made in a window can be repeated on the command line.
 */

import { childPath } from "../../declare/plain-data.ts";
import { CONTROLLERS } from "../../parts/control/controllers.ts";
import { FORCES } from "../../parts/force/forces.ts";
import type { ForceKind } from "../../parts/force/kind.ts";
import { TERRAINS } from "../../parts/terrain/terrain.ts";
import { fieldsOf } from "../fields-of.ts";
import { APPROACH } from "../read/approach.ts";
import { DEVICES } from "../read/devices.ts";
import { RUTS } from "../read/ruts.ts";
import { checkScenario, type Scenario } from "../scenario.ts";
import { eventSettings } from "./event-settings.ts";
import { modelSettings } from "./model-settings.ts";
import { parameterSettings } from "./parameter-settings.ts";
import { runSettings } from "./run-settings.ts";
import type { Setting } from "./setting.ts";
import { stateSettings } from "./state-settings.ts";

/** All settings in the order of the file: model, state, approach, devices, terrain, ruts, forces, controllers, events, run. */
export function settingsOf(scenario: Scenario): readonly Setting[] {
  checkScenario(scenario);
  const { document, model } = scenario;
  const settingsByName = (
    section: string,
    kinds: Readonly<Record<string, Pick<ForceKind, "parameters" | "asKind">>>,
  ): readonly Setting[] =>
    Object.entries(fieldsOf(document[section])).flatMap(([name, part]) => {
      const fields = fieldsOf(part);
      const { parameters, asKind } = kinds[fields.kind as string]!;
      return parameterSettings(parameters, fields, {
        path: childPath(section, name),
        group: [section, name],
        document,
        model,
        asKind,
      });
    });
  return [
    ...modelSettings(scenario),
    ...stateSettings(scenario),
    ...(document.approach === undefined
      ? []
      : parameterSettings(APPROACH, fieldsOf(document.approach), { path: "approach", group: ["approach"], document, model })),
    ...settingsByName("devices", DEVICES),
    ...settingsByName("terrain", TERRAINS),
    ...(document.ruts === undefined
      ? []
      : parameterSettings(RUTS, fieldsOf(document.ruts), { path: "ruts", group: ["ruts"], document, model })),
    ...settingsByName("forces", FORCES),
    ...settingsByName("controllers", CONTROLLERS),
    ...eventSettings(scenario),
    ...runSettings(scenario),
  ];
}
