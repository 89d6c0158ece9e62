/** Settings of the run: formulation, integrator, duration, sampling, stop conditions and audit. */

import { formulationsForMotion } from "../../dynamics/formulations.ts";
import { INTEGRATORS } from "../../sim/integrators/index.ts";
import { SCENARIO } from "../declaration.ts";
import { AUDIT_CHANNELS } from "../read/audit.ts";
import type { Scenario } from "../scenario.ts";
import { parameterSettings } from "./parameter-settings.ts";
import type { Setting } from "./setting.ts";

export function runSettings(scenario: Scenario): readonly Setting[] {
  const { document, model, integrator, duration, sample } = scenario;
  const { formulation, coordinates, integrator: ofIntegrator, duration: ofDuration, sample: ofSample, stop, audit } = SCENARIO;
  const sections = { formulation, coordinates, integrator: ofIntegrator, duration: ofDuration, sample: ofSample, stop, audit };
  const settings = parameterSettings(sections, document, { path: "", group: ["run"], document, model });
  /** What depends on the scenario and not only on the declaration. */
  const specific = (setting: Setting): Partial<Setting> => {
    if (setting.path === "formulation") return { choices: formulationsForMotion(model), value: scenario.formulation };
    if (setting.path === "integrator.name") return { about: INTEGRATORS[integrator.name].about };
    if (setting.path === "sample") return { value: document.sample ?? sample, most: duration };
    if (setting.path.startsWith("audit.")) return { label: AUDIT_CHANNELS[setting.label]! };
    return {};
  };
  return settings.map((setting) => ({ ...setting, ...specific(setting) }));
}
