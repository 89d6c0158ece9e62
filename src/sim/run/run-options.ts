/** Options of a run, and their checks. */
import {
  checkList,
  checkMembers,
  checkName,
  checkNames,
  checkNumbers,
  checkOptions,
  checkPositive,
  checkText,
  refuseArgument,
} from "../../arguments.ts";
import { MAX_STEPS, MIN_DURATION } from "../../declare/limits.ts";
import { checkImpulse } from "../../dynamics/tree/impulse-wrench.ts";
import { ArgumentError, valueText } from "../../errors.ts";
import type { RunEvent } from "../events/event-detector.ts";
import type { PlannedEvent } from "../events/event-plan.ts";
import type { IntegratorName } from "../integrators/index.ts";
import type { Integrator, IntegratorOptions } from "../integrators/integrator.ts";
import { type AuditTolerances, DEFAULT_TOLERANCES } from "../record/audit.ts";
import type { PeakOptions } from "../record/peaks/peak-options.ts";
import type { RecorderOptions } from "../record/recorder.ts";
import type { SystemMethods } from "../system/workspace.ts";
import type { Controller } from "./controller.ts";
import type { SampleTimes } from "./sample-recorder.ts";

export interface SimulationOptions extends RecorderOptions {
  /** Time at which the run ends, s. Default: it has no end, and the caller advances it. */
  readonly duration?: number;
  /** Default "dop853". */
  readonly integrator?: Integrator | IntegratorName;
  readonly settings?: IntegratorOptions;
  /**
   * Time between recorded samples, or the times of the samples, increasing. Default: the step of a fixed-step integrator, else a 500th of the
   * duration. A run without duration records no samples by default.
   */
  readonly sample?: number | readonly number[];
  readonly controllers?: readonly Controller[];
  readonly events?: readonly RunEvent[];
  /** Planned events: loops that engage, controllers that are enabled or disabled. */
  readonly plan?: readonly PlannedEvent[];
  /** Mode of the plan at the start. */
  readonly mode?: string;
  readonly tolerances?: AuditTolerances;
  /** Channels whose largest and smallest values are found on the continuous motion, between samples too: see `SimulationRun.peaks`. */
  readonly peaks?: readonly PeakOptions[];
}

const KNOWN_OPTIONS = [
  "duration",
  "integrator",
  "settings",
  "sample",
  "controllers",
  "events",
  "plan",
  "mode",
  "tolerances",
  "channels",
  "replayable",
  "peaks",
];

/** Options with all defaults. */
export interface ResolvedOptions extends Omit<SimulationOptions, "integrator" | "sample" | "duration"> {
  readonly duration: number;
  readonly integrator: Integrator;
  readonly settings: IntegratorOptions;
  readonly sample: SampleTimes;
}

/** @throws ArgumentError with the name of the option that is unknown or wrong */
export function resolveOptions(options: SimulationOptions, methods: SystemMethods): ResolvedOptions {
  checkOptions("options", options, KNOWN_OPTIONS);
  const { duration = Number.POSITIVE_INFINITY, settings = {} } = options;
  if (options.duration !== undefined) checkPositive("options.duration", duration);
  if (duration < MIN_DURATION)
    refuseArgument("options.duration", `at least ${MIN_DURATION} s: shorter times are lost in rounding`, duration);
  checkPositiveEntries("options.settings", settings, ["step", "relativeTolerance", "absoluteTolerance"]);
  checkPositiveEntries("options.tolerances", options.tolerances ?? {}, Object.keys(DEFAULT_TOLERANCES));
  checkItems("options.controllers", options.controllers, ["name", "commands", "update"], "controller");
  checkItems("options.events", options.events, ["name", "value"], "event");
  checkItems("options.plan", options.plan, ["name", "actions"], "planned event");
  for (const [i, { actions }] of (options.plan ?? []).entries())
    if (actions.impulse !== undefined) checkImpulse(`options.plan[${i}].actions.impulse`, actions.impulse);
  checkResolutions("options.events", options.events);
  checkResolutions("options.plan", options.plan);
  if (methods.peaks) methods.peaks.check(options.peaks);
  else if (options.peaks?.length)
    refuseArgument("options.peaks", "left out: systems of createTreeSystem follow no peaks. Use createSystem", options.peaks);
  if (options.channels !== undefined) checkNames("options.channels", options.channels, "names of channels");
  if (options.mode !== undefined) checkText("options.mode", options.mode);
  if (options.replayable !== undefined && typeof options.replayable !== "boolean")
    refuseArgument("options.replayable", "true or false", options.replayable);
  const integrator = integratorOf(options.integrator ?? "dop853", methods.integrators);
  if (!integrator.adaptive && settings.step !== undefined) checkCount("options.settings.step", duration, settings.step, "steps");
  return { ...options, duration, integrator, settings, sample: sampleTimes(options, integrator, duration, settings) };
}

/** Checks an object of positive numbers. Infinity disables a tolerance. */
function checkPositiveEntries(argument: string, entries: object, known: readonly string[]): void {
  checkOptions(argument, entries, known);
  for (const [key, value] of Object.entries(entries))
    if (value !== undefined && !(typeof value === "number" && value > 0))
      refuseArgument(`${argument}.${key}`, "a number above 0", value);
}

/** Checks a list of objects that a program gives. */
function checkItems(argument: string, items: unknown, members: readonly string[], what: string): void {
  if (items === undefined) return;
  checkList(argument, items, `${what}s`);
  for (const [i, item] of items.entries())
    checkMembers(`${argument}[${i}]`, item, members, `a ${what} with ${members.join(", ")}`);
}

function checkResolutions(argument: string, events: readonly { readonly resolution?: number }[] = []): void {
  for (const [i, { resolution }] of events.entries())
    if (resolution !== undefined) checkPositive(`${argument}[${i}].resolution`, resolution);
}

function integratorOf(integrator: unknown, known: SystemMethods["integrators"]): Integrator {
  if (typeof integrator === "object" && integrator !== null && typeof (integrator as Integrator).start === "function")
    return integrator as Integrator;
  checkName("options.integrator", integrator, Object.keys(known), "integrator");
  return known[integrator as IntegratorName]!;
}

/** Refuses more steps or samples than time and memory allow. */
function checkCount(argument: string, duration: number, time: number, what: string): void {
  const count = duration / time;
  if (Number.isFinite(duration) && !(count <= MAX_STEPS * (1 + 1e-9)))
    refuseArgument(
      argument,
      `at least ${duration / MAX_STEPS} s: it gives ${count.toExponential(1)} ${what} in ${duration} s, more than ${MAX_STEPS.toExponential(0)}`,
      time,
    );
}

function sampleTimes(
  { sample }: SimulationOptions,
  { adaptive }: Integrator,
  duration: number,
  { step }: IntegratorOptions,
): SampleTimes {
  if (typeof sample === "object") {
    checkNumbers("options.sample", sample, "increasing times");
    const wrong = sample.findIndex((t, i) => !(Number.isFinite(t) && (i === 0 || t > sample[i - 1]!)));
    if (wrong >= 0)
      throw new ArgumentError(
        `options.sample[${wrong}]`,
        `sample times must be finite and increasing, got ${valueText(sample[wrong])}`,
      );
    return sample;
  }
  if (sample !== undefined) {
    checkPositive("options.sample", sample);
    checkCount("options.sample", duration, sample, "samples");
    return sample;
  }
  if (!Number.isFinite(duration)) return undefined;
  return adaptive ? duration / 500 : (step ?? duration / 500);
}
