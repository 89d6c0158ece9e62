/** Settings of the run: formulation, integrator, duration, sampling, stop conditions and audit. */

import { MIN_RELATIVE_TOLERANCE } from "../../declare/limits.ts";
import { formulationsForMotion } from "../../dynamics/formulations.ts";
import { INTEGRATORS } from "../../sim/integrators/index.ts";
import { DEFAULT_TOLERANCES } from "../../sim/record/audit.ts";
import { fieldsOf } from "../fields-of.ts";
import { TOLERANCE_ABOUT, TOLERANCE_KEYS } from "../read/read-scenario.ts";
import { DEFAULT_INTEGRATOR, INTEGRATOR_ABOUT } from "../read/timing.ts";
import type { Scenario } from "../scenario.ts";
import type { Setting } from "./setting.ts";

const GROUP = ["run"];
const SECONDS = [{ label: "", unit: "s" }];
const DIMENSIONLESS = [{ label: "", unit: "" }];

/** The fields `written` and `optional` of an optional key. `value`: the value in the file, or undefined. */
const optionalKey = (value: unknown): Pick<Setting, "written" | "optional"> => ({ written: value !== undefined, optional: true });

export function runSettings(scenario: Scenario): readonly Setting[] {
  const { document, model, formulation } = scenario;
  return [
    {
      path: "formulation",
      group: GROUP,
      label: "formulation",
      about: "Formulation of the equations of motion.",
      type: "choice",
      choices: formulationsForMotion(model),
      value: formulation,
      ...optionalKey(document.formulation),
    },
    ...integratorSettings(document.integrator),
    ...timeSettings(scenario),
    ...auditSettings(document.audit),
  ];
}

function integratorSettings(written: unknown): readonly Setting[] {
  const fields = fieldsOf(written);
  const key = (name: string): Pick<Setting, "path" | "group" | "label" | "value" | "written" | "optional"> => ({
    path: `integrator.${name}`,
    group: ["run", "integrator"],
    label: name,
    value: fields[name],
    ...optionalKey(fields[name]),
  });
  const { step, relativeTolerance, absoluteTolerance } = INTEGRATOR_ABOUT;
  const integrator = (fields.name ?? DEFAULT_INTEGRATOR) as keyof typeof INTEGRATORS;
  return [
    {
      ...key("name"),
      value: integrator,
      about: INTEGRATORS[integrator].about,
      type: "choice",
      choices: Object.keys(INTEGRATORS),
    },
    { ...key("step"), about: step, type: "number", entries: SECONDS, above: 0 },
    {
      ...key("relativeTolerance"),
      about: relativeTolerance,
      type: "number",
      entries: DIMENSIONLESS,
      least: MIN_RELATIVE_TOLERANCE,
      most: 1,
    },
    { ...key("absoluteTolerance"), about: absoluteTolerance, type: "number", entries: DIMENSIONLESS, above: 0 },
  ];
}

function timeSettings({ document, duration, sample }: Scenario): readonly Setting[] {
  return [
    {
      path: "duration",
      group: GROUP,
      label: "duration",
      about: "Duration of the simulated motion.",
      type: "number",
      entries: SECONDS,
      above: 0,
      value: document.duration ?? duration,
      written: true,
      optional: false,
    },
    {
      path: "sample",
      group: GROUP,
      label: "sample",
      about: "Time between recorded samples; at most the duration.",
      type: "number",
      entries: SECONDS,
      above: 0,
      most: duration,
      value: document.sample ?? sample,
      ...optionalKey(document.sample),
    },
    {
      path: "stop",
      group: GROUP,
      label: "stop",
      about: "The run ends when one of these conditions becomes true.",
      type: "data",
      value: document.stop,
      ...optionalKey(document.stop),
    },
  ];
}

function auditSettings(written: unknown): readonly Setting[] {
  const fields = fieldsOf(written);
  return Object.entries(TOLERANCE_KEYS).map(
    ([key, channel]): Setting => ({
      path: `audit.${key}`,
      group: ["run", "audit"],
      label: channel,
      about: `${TOLERANCE_ABOUT[channel]}. The run ends if it is exceeded.`,
      type: "number",
      entries: DIMENSIONLESS,
      above: 0,
      value: fields[key] ?? DEFAULT_TOLERANCES[channel],
      ...optionalKey(fields[key]),
    }),
  );
}
