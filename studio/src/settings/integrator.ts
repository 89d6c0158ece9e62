/** Changes for another integrator, as `castor run --integrator` makes them. Tolerances and audit limits of the file belong to its own integrator. */
import { INTEGRATORS, type IntegratorName } from "castor";
import type { SettingChange } from "../state/changes.ts";
import type { Studio } from "../studio.ts";

export function integratorChanges({ state: { scenario } }: Studio, name: string): readonly SettingChange[] {
  const changes: SettingChange[] = [
    { path: "integrator.name", value: name },
    ...["relativeTolerance", "absoluteTolerance"].map((key) => ({ path: `integrator.${key}`, value: undefined })),
    { path: "audit", value: undefined },
  ];
  const needsStep = !INTEGRATORS[name as IntegratorName].adaptive && scenario?.integrator.step === undefined;
  return needsStep && scenario ? [...changes, { path: "integrator.step", value: scenario.sample }] : changes;
}
