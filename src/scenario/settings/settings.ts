/**
 * The settings of a scenario: every value that can be changed by path, with what an inspector must know to show it. A setting is
 * changed by `{ path, value }` as `--set path=value` does it, so what is changed in a window can be said on a command line.
 */

import { MIN_RELATIVE_TOLERANCE } from "../../declare/limits.ts";
import { childPath } from "../../declare/plain-data.ts";
import { formulationsForMotion } from "../../dynamics/formulations.ts";
import { CONTROLLERS } from "../../parts/control/index.ts";
import { FORCES } from "../../parts/force/index.ts";
import type { ForceKind } from "../../parts/force/kind.ts";
import { TERRAINS } from "../../parts/terrain/terrain.ts";
import { INTEGRATORS } from "../../sim/integrators/index.ts";
import { DEFAULT_TOLERANCES } from "../../sim/record/audit.ts";
import { APPROACH } from "../read/approach.ts";
import { DEVICES } from "../read/devices.ts";
import { TOLERANCE_ABOUT, TOLERANCE_KEYS } from "../read/read-scenario.ts";
import { RUTS } from "../read/ruts.ts";
import { DEFAULT_INTEGRATOR } from "../read/timing.ts";
import type { Scenario } from "../scenario.ts";
import { modelSettings } from "./model-settings.ts";
import { parameterSettings } from "./parameter-settings.ts";
import { fieldsOf, type Setting } from "./setting.ts";
import { stateSettings } from "./state-settings.ts";

/** Every setting, in the order of the file: model, state, approach, devices, terrain, forces, controllers, and how it is run. */
export function settingsOf(scenario: Scenario): readonly Setting[] {
  const { document, model } = scenario;
  const named = (what: string, kinds: Readonly<Record<string, Pick<ForceKind, "parameters" | "asKind">>>): readonly Setting[] =>
    Object.entries(fieldsOf(document[what])).flatMap(([name, part]) => {
      const fields = fieldsOf(part);
      const { parameters, asKind } = kinds[fields.kind as string]!;
      return parameterSettings(parameters, fields, { path: childPath(what, name), group: [what, name], document, model, asKind });
    });
  return [
    ...modelSettings(scenario),
    ...stateSettings(scenario),
    ...(document.approach === undefined
      ? []
      : parameterSettings(APPROACH, fieldsOf(document.approach), { path: "approach", group: ["approach"], document, model })),
    ...named("devices", DEVICES),
    ...named("terrain", TERRAINS),
    ...(document.ruts === undefined
      ? []
      : parameterSettings(RUTS, fieldsOf(document.ruts), { path: "ruts", group: ["ruts"], document, model })),
    ...named("forces", FORCES),
    ...named("controllers", CONTROLLERS),
    ...eventSettings(document.events),
    ...runSettings(scenario),
  ];
}

/** What is written of events. */
function eventSettings(events: unknown): readonly Setting[] {
  return Object.entries(fieldsOf(events)).flatMap(([name, event]) =>
    Object.entries(fieldsOf(event)).map(([key, value]): Setting => {
      const base = { path: childPath(childPath("events", name), key), group: ["events", name], label: key, value, written: true };
      const isTime = (key === "at" || key === "delay") && !Array.isArray(value);
      if (isTime)
        return { ...base, about: "Time.", type: "number", entries: [{ label: "", unit: "s" }], least: 0, optional: false };
      if (key === "restitution")
        return {
          ...base,
          about: "Of a bump.",
          type: "number",
          entries: [{ label: "", unit: "" }],
          least: 0,
          most: 1,
          optional: true,
        };
      return { ...base, about: "", type: typeof value === "boolean" ? "boolean" : "data", optional: true };
    }),
  );
}

/** How the motion is computed, and what is watched. */
function runSettings({ document, model, formulation, duration, sample }: Scenario): readonly Setting[] {
  const group = ["run"];
  const written = (value: unknown): Pick<Setting, "written" | "optional"> => ({ written: value !== undefined, optional: true });
  const time = [{ label: "", unit: "s" }];
  const pure = [{ label: "", unit: "" }];
  const integrator = fieldsOf(document.integrator);
  const inIntegrator = (key: string): Pick<Setting, "path" | "group" | "label" | "value" | "written" | "optional"> => ({
    path: `integrator.${key}`,
    group: ["run", "integrator"],
    label: key,
    value: integrator[key],
    ...written(integrator[key]),
  });
  const audit = fieldsOf(document.audit);
  return [
    {
      path: "formulation",
      group,
      label: "formulation",
      about: "How the equations of motion are formed.",
      type: "choice",
      choices: formulationsForMotion(model),
      value: formulation,
      ...written(document.formulation),
    },
    {
      ...inIntegrator("name"),
      value: integrator.name ?? DEFAULT_INTEGRATOR,
      about: INTEGRATORS[(integrator.name ?? DEFAULT_INTEGRATOR) as keyof typeof INTEGRATORS].about,
      type: "choice",
      choices: Object.keys(INTEGRATORS),
    },
    {
      ...inIntegrator("step"),
      about: "The step of a fixed-step integrator; the largest step of an adaptive one.",
      type: "number",
      entries: time,
      above: 0,
    },
    {
      ...inIntegrator("relativeTolerance"),
      about: "Error allowed in a step, relative to the state; adaptive only.",
      type: "number",
      entries: pure,
      least: MIN_RELATIVE_TOLERANCE,
      most: 1,
    },
    {
      ...inIntegrator("absoluteTolerance"),
      about: "Error allowed in a step whatever the state; adaptive only.",
      type: "number",
      entries: pure,
      above: 0,
    },
    {
      path: "duration",
      group,
      label: "duration",
      about: "How long the motion is simulated.",
      type: "number",
      entries: time,
      above: 0,
      value: document.duration ?? duration,
      written: true,
      optional: false,
    },
    {
      path: "sample",
      group,
      label: "sample",
      about: "Time between recorded samples; at most the duration.",
      type: "number",
      entries: time,
      above: 0,
      most: duration,
      value: document.sample ?? sample,
      ...written(document.sample),
    },
    {
      path: "stop",
      group,
      label: "stop",
      about: "The run ends when one of these comes true: comparisons over channels.",
      type: "data",
      value: document.stop,
      ...written(document.stop),
    },
    ...Object.entries(TOLERANCE_KEYS).map(
      ([key, channel]): Setting => ({
        path: `audit.${key}`,
        group: ["run", "audit"],
        label: channel,
        about: `${TOLERANCE_ABOUT[channel]}; beyond it the run ends.`,
        type: "number",
        entries: pure,
        above: 0,
        value: audit[key] ?? DEFAULT_TOLERANCES[channel],
        ...written(audit[key]),
      }),
    ),
  ];
}
