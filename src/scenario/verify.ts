/** Runs a scenario with every applicable formulation and compares the logs. Formulations that share no recursion give evidence by their agreement. */

import { checkOptions, checkPositive } from "../arguments.ts";
import type { FormulationName } from "../dynamics/formulation.ts";
import { formulationsForMotion, formulationsWithoutSupport } from "../dynamics/formulations.ts";
import { CastorError, ModelError } from "../errors.ts";
import type { Channel } from "../log/log.ts";
import { INTEGRATORS } from "../sim/integrators/index.ts";
import type { Integrator } from "../sim/integrators/integrator.ts";
import { recordedSteps } from "./recorded-steps.ts";
import { checkCallbacks, runScenario, type ScenarioRun } from "./run.ts";
import { checkScenario, type Scenario } from "./scenario.ts";

export interface VerifyOptions {
  /** Largest allowed difference in SI units; relative to the largest value of the quantity if that is above 1. */
  readonly tolerance?: number;
  /** Called with the completed fraction of all runs, 0 to 1, and the formulation that is running. */
  readonly progress?: (fraction: number, formulation: FormulationName) => void;
  readonly signal?: AbortSignal;
}

/** Default tolerance. */
export const VERIFY_TOLERANCE = 1e-8;

/**
 * Tolerance of adaptive integrators. Within a step, quaternions deviate from norm 1 by the integration error, and formulations then differ
 * by as much. The integration error must be smaller than the differences to be detected.
 */
const INTEGRATION_TOLERANCE = 1e-13;

/** Reason why `minimal` is compared only with adaptive integrators. */
const MINIMAL_NOT_COMPARABLE =
  "with a fixed step it differs from the others by the integration error, because its stages satisfy the loop equations exactly";

/** Reason why only `articulated` can run a model with linearised rotations. */
const NO_SMALL_ROTATIONS = "it does not support rotations: small";

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

/** Largest difference of one channel between two formulations. */
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
  /** Formulations that do not apply to this machine or its initial state, and why. */
  readonly notApplicable: readonly { readonly formulation: FormulationName; readonly reason: string }[];
  readonly differences: readonly ChannelDifference[];
  /** All runs ended in the same way, and no channel differs by more than the tolerance. */
  readonly agree: boolean;
  readonly interrupted: boolean;
}

/** Errors that say that a formulation does not apply to the machine, or not in its initial state. */
const NOT_APPLICABLE: ReadonlySet<string> = new Set(["model", "singular", "unreachable", "divergence", "engagement"]);

/** Why a formulation does not apply. Rethrows errors with another meaning. */
function reasonAgainst(error: unknown): string {
  if (!(error instanceof CastorError && NOT_APPLICABLE.has(error.code))) throw error;
  return error instanceof ModelError ? error.problems.map((p) => p.message).join("; ") : error.message;
}

/** Runs the scenario with every applicable formulation, and lists the others with the reason. @throws the first reason if none applies. */
export async function verifyScenario(original: Scenario, verifyOptions: VerifyOptions = {}): Promise<Verification> {
  checkScenario(original);
  checkOptions("options", verifyOptions, ["tolerance", "progress", "signal"]);
  checkCallbacks(verifyOptions);
  if (verifyOptions.tolerance !== undefined) checkPositive("options.tolerance", verifyOptions.tolerance);
  const scenario = withTightTolerances(original);
  const { tolerance = VERIFY_TOLERANCE, progress, ...options } = verifyOptions;
  const { signal } = options;
  const applicableFormulations = formulationsForMotion(scenario.model);
  const comparedFormulations = INTEGRATORS[scenario.integrator.name].adaptive
    ? applicableFormulations
    : applicableFormulations.filter((name) => name !== "minimal");
  const { recorder, follower } = recordedSteps(INTEGRATORS[scenario.integrator.name]);
  const runs: ScenarioRun[] = [];
  const notApplicable: { formulation: FormulationName; reason: string }[] = [
    ...formulationsWithoutSupport(scenario.model).map((formulation) => ({ formulation, reason: NO_SMALL_ROTATIONS })),
    ...applicableFormulations
      .filter((name) => !comparedFormulations.includes(name))
      .map((formulation) => ({ formulation, reason: MINIMAL_NOT_COMPARABLE })),
  ];
  const reportProgress = (i: number, formulation: FormulationName) => (t: number) =>
    progress?.((i + t / scenario.duration) / (comparedFormulations.length + 1), formulation);
  const remaining = new Set(comparedFormulations);
  let firstError: unknown;
  /** Runs with a formulation; undefined, and an entry in the list, if it does not apply. */
  const tryRun = async (i: number, formulation: FormulationName, integrator: Integrator): Promise<ScenarioRun | undefined> => {
    try {
      return await runScenario(scenario, { ...options, formulation, integrator, progress: reportProgress(i, formulation) });
    } catch (error) {
      firstError ??= error;
      const reason = reasonAgainst(error);
      if (remaining.delete(formulation)) notApplicable.push({ formulation, reason });
      return undefined;
    }
  };
  for (const formulation of new Set([scenario.formulation, ...comparedFormulations]))
    if (await tryRun(0, formulation, recorder)) break;
  for (const [i, formulation] of [...remaining].entries()) {
    if (signal?.aborted) break;
    const run = await tryRun(i + 1, formulation, follower);
    if (run) runs.push(run);
  }
  if (runs.length === 0) throw firstError ?? new ModelError(scenario.name, [{ path: "", message: "cannot be run" }]);
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

/** Quantity of a channel: the first part of its name, and its unit. */
export const quantityOfChannel = ({ name, unit }: Channel): string => `${name.split(".")[0]!} ${unit}`.trim();

/** Largest difference of each channel; NaN, which does not pass, if a value is not finite. */
export function channelDifferences(runs: readonly Pick<ScenarioRun, "run" | "system">[], tolerance: number): ChannelDifference[] {
  const { channels } = runs[0]!.run.log;
  const length = Math.min(...runs.map(({ run }) => run.log.length));
  const names = runs.map(({ system }) => system.formulation);
  const sizes = new Map<string, number>();
  const spreads = channels.map((channel) => {
    const columns = runs.map(({ run }) => run.log.column(channel.name));
    const spread = largestSpread(columns, length);
    const quantity = quantityOfChannel(channel);
    sizes.set(quantity, Math.max(sizes.get(quantity) ?? 0, spread.size));
    return { channel, ...spread };
  });
  return spreads.map(({ channel, difference, sample, lowest, highest }) => {
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

/**
 * The sample at which the columns differ most, the columns with the lowest and highest value there, and the largest absolute value. A value
 * that is not finite differs from everything: the difference is NaN there.
 */
function largestSpread(columns: readonly Float64Array[], length: number) {
  let worst = { difference: 0, sample: 0, lowest: 0, highest: Math.min(1, columns.length - 1) };
  let size = 0;
  for (let i = 0; i < length; i++) {
    let [lowest, highest] = [0, 0];
    for (let c = 0; c < columns.length; c++) {
      const value = columns[c]![i]!;
      if (!Number.isFinite(value))
        return { difference: Number.NaN, sample: i, lowest: c, highest: c === 0 ? worst.highest : 0, size };
      if (value < columns[lowest]![i]!) lowest = c;
      if (value > columns[highest]![i]!) highest = c;
      size = Math.max(size, Math.abs(value));
    }
    const difference = columns[highest]![i]! - columns[lowest]![i]!;
    if (difference > worst.difference) worst = { difference, sample: i, lowest, highest };
  }
  return { ...worst, size };
}
