/** The same motion by every formulation that applies, and how far they are apart. They share no recursion: agreement is evidence. */

import type { FormulationName } from "../dynamics/formulation.ts";
import { formulationsForMotion } from "../dynamics/formulations.ts";
import { ModelError } from "../errors.ts";
import type { Channel } from "../log/log.ts";
import { INTEGRATORS } from "../sim/integrators/index.ts";
import { recordedSteps } from "./recorded-steps.ts";
import { runScenario, type ScenarioRun } from "./run.ts";
import type { Scenario } from "./scenario.ts";

export interface VerifyOptions {
  /** Largest difference, in SI units; relative to the largest value of its quantity where that is above 1. */
  readonly tolerance?: number;
  /** The part of all runs that is done, 0 to 1, and the formulation that runs. */
  readonly progress?: (part: number, formulation: FormulationName) => void;
  readonly signal?: AbortSignal;
}

export const VERIFY_TOLERANCE = 1e-8;

/**
 * Within a step quaternions are not quite of norm 1, and there formulations differ like the errors of the steps: these must stay
 * below what is looked for.
 */
const INTEGRATION_TOLERANCE = 1e-13;

/** Why `minimal` is compared only where the errors of the steps are below what is looked for. */
const MINIMAL_NOT_COMPARABLE =
  "its stages lie on the loops, and with steps of one size it differs from the others by the errors of the steps";

function withTightTolerances(scenario: Scenario): Scenario {
  const { integrator } = scenario;
  if (!INTEGRATORS[integrator.name].adaptive) return scenario;
  const tight = (tolerance = INTEGRATION_TOLERANCE): number => Math.min(tolerance, INTEGRATION_TOLERANCE);
  const tolerances = {
    relativeTolerance: tight(integrator.relativeTolerance),
    absoluteTolerance: tight(integrator.absoluteTolerance),
  };
  return { ...scenario, integrator: { ...integrator, ...tolerances } };
}

/** Of one channel, between the two formulations that are furthest apart. */
export interface ChannelDifference {
  readonly channel: Channel;
  readonly difference: number;
  readonly at: number;
  readonly between: readonly [FormulationName, FormulationName];
  /** Largest value of all channels of the same quantity and unit. */
  readonly size: number;
  readonly pass: boolean;
}

export interface Verification {
  readonly tolerance: number;
  readonly runs: readonly ScenarioRun[];
  /** Formulations that cannot treat this model, and why. */
  readonly notApplicable: readonly { readonly formulation: FormulationName; readonly reason: string }[];
  readonly differences: readonly ChannelDifference[];
  /** All ran to the same end, and no channel differs by more than the tolerance. */
  readonly agree: boolean;
  readonly interrupted: boolean;
}

/** @throws ModelError if no formulation applies. */
export async function verifyScenario(chosen: Scenario, given: VerifyOptions = {}): Promise<Verification> {
  const scenario = withTightTolerances(chosen);
  const { tolerance = VERIFY_TOLERANCE, progress, ...options } = given;
  const { signal } = options;
  const all = formulationsForMotion(scenario.model);
  const names = INTEGRATORS[scenario.integrator.name].adaptive ? all : all.filter((name) => name !== "minimal");
  const { recorder: recording, follower: following } = recordedSteps(INTEGRATORS[scenario.integrator.name]);
  const runs: ScenarioRun[] = [];
  const notApplicable: { formulation: FormulationName; reason: string }[] = all
    .filter((name) => !names.includes(name))
    .map((formulation) => ({ formulation, reason: MINIMAL_NOT_COMPARABLE }));
  const showing = (i: number, formulation: FormulationName) => (t: number) =>
    progress?.((i + t / scenario.duration) / (names.length + 1), formulation);
  const own = scenario.formulation;
  await runScenario(scenario, { ...options, formulation: own, integrator: recording, progress: showing(0, own) });
  for (const [i, formulation] of names.entries()) {
    if (signal?.aborted) break;
    try {
      const progress = showing(i + 1, formulation);
      runs.push(await runScenario(scenario, { ...options, formulation, integrator: following, progress }));
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      notApplicable.push({ formulation, reason: error.problems.map((p) => p.message).join("; ") });
    }
  }
  if (runs.length === 0)
    throw new ModelError(scenario.name, [{ path: "", message: notApplicable[0]?.reason ?? "cannot be run" }]);
  const differences = channelDifferences(runs, tolerance);
  const first = runs[0]!.run;
  const sameEnd = runs.every(({ run, failure }) => !failure && run.end === first.end && run.log.length === first.log.length);
  return {
    tolerance,
    runs,
    notApplicable,
    differences,
    agree: runs.length > 1 && sameEnd && differences.every((d) => d.pass),
    interrupted: signal?.aborted ?? false,
  };
}

/** Channels of one quantity: the first part of the name, and the unit. */
export const quantityOfChannel = ({ name, unit }: Channel): string => `${name.split(".")[0]!} ${unit}`.trim();

function channelDifferences(runs: readonly ScenarioRun[], tolerance: number): ChannelDifference[] {
  const { channels } = runs[0]!.run.log;
  const length = Math.min(...runs.map(({ run }) => run.log.length));
  const names = runs.map(({ system }) => system.formulation);
  const sizes = new Map<string, number>();
  const found = channels.map((channel) => {
    const columns = runs.map(({ run }) => run.log.column(channel.name));
    const spread = largestSpread(columns, length);
    const quantity = quantityOfChannel(channel);
    sizes.set(quantity, Math.max(sizes.get(quantity) ?? 0, spread.size));
    return { channel, ...spread };
  });
  return found.map(({ channel, difference, sample, lowest, highest }) => {
    const size = sizes.get(quantityOfChannel(channel))!;
    return {
      channel,
      difference,
      at: runs[0]!.run.log.column("t")[sample] ?? 0,
      between: [names[lowest]!, names[highest]!],
      size,
      pass: difference <= tolerance * Math.max(1, size),
    };
  });
}

/** Where columns are furthest apart. */
function largestSpread(columns: readonly Float64Array[], length: number) {
  let worst = { difference: 0, sample: 0, lowest: 0, highest: Math.min(1, columns.length - 1) };
  let size = 0;
  for (let i = 0; i < length; i++) {
    let [lowest, highest] = [0, 0];
    for (let c = 0; c < columns.length; c++) {
      const value = columns[c]![i]!;
      if (value < columns[lowest]![i]!) lowest = c;
      if (value > columns[highest]![i]!) highest = c;
      size = Math.max(size, Math.abs(value));
    }
    const difference = columns[highest]![i]! - columns[lowest]![i]!;
    if (difference > worst.difference) worst = { difference, sample: i, lowest, highest };
  }
  return { ...worst, size };
}
