/** Duration, integrator and sample time, and the checks between them. */

import { DEFAULT_SAMPLES, MAX_STEPS, MIN_RELATIVE_TOLERANCE } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readFields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { INTEGRATORS, type IntegratorName } from "../../sim/integrators/index.ts";
import type { Integrator } from "../../sim/integrators/integrator.ts";
import type { Scenario } from "../scenario.ts";
import { readPositive } from "./read-positive.ts";

/** Each field is undefined after a problem. */
export interface RunTiming {
  readonly duration: number | undefined;
  readonly integrator: Scenario["integrator"] | undefined;
  readonly sample: number | undefined;
}

const ADAPTIVE_INTEGRATORS = Object.values(INTEGRATORS).flatMap(({ name, adaptive }) => (adaptive ? [name] : []));
export const DEFAULT_INTEGRATOR: IntegratorName = "dop853";
/** Descriptions of the integrator options. */
export const INTEGRATOR_ABOUT = {
  step: "Step of a fixed-step integrator, or largest step of an adaptive one.",
  relativeTolerance: "Allowed error per step, relative to the state; adaptive integrators only.",
  absoluteTolerance: "Allowed absolute error per step; adaptive integrators only.",
} as const;
/** Default number of samples with an adaptive integrator. */
const ADAPTIVE_SAMPLES = 500;

/** Reads duration, integrator and sample time. */
export function readTiming(fields: Fields, problems: Problem[]): RunTiming {
  const duration = readPositive(fields.duration, "s", "duration", problems);
  const integrator = readIntegrator(fields.integrator, problems);
  const writtenSample = fields.sample === undefined ? undefined : readPositive(fields.sample, "s", "sample", problems);
  if (duration !== undefined && integrator?.step !== undefined)
    checkStepCount(duration, integrator.step, "integrator.step", "steps", problems);
  if (duration !== undefined && writtenSample !== undefined && writtenSample > duration)
    problems.push({ path: "sample", message: "must not be longer than the duration", value: valueText(fields.sample) });
  const sample = fields.sample === undefined && duration !== undefined ? defaultSample(duration, integrator) : writtenSample;
  return { duration, integrator, sample };
}

/** Default sample time: the step of a fixed-step integrator, or a multiple of it if there would be too many samples. */
function defaultSample(duration: number, integrator: RunTiming["integrator"]): number {
  if (integrator?.step === undefined || INTEGRATORS[integrator.name].adaptive) return duration / ADAPTIVE_SAMPLES;
  return integrator.step * Math.ceil(duration / integrator.step / DEFAULT_SAMPLES);
}

/** Refuses more steps or updates than can be computed in reasonable time. */
export function checkStepCount(duration: number, step: number, path: string, what: string, problems: Problem[]): void {
  const count = duration / step;
  if (count <= MAX_STEPS * (1 + 1e-9)) return;
  problems.push({
    path,
    message: `needs ${count.toExponential(1)} ${what} in ${duration} s; at most ${MAX_STEPS.toExponential(0)} are allowed`,
    value: valueText(step),
    advice: `Use at least ${duration / MAX_STEPS} s, or a shorter duration`,
  });
}

function readIntegrator(value: unknown, problems: Problem[]): RunTiming["integrator"] {
  const path = "integrator";
  if (value === undefined) return { name: DEFAULT_INTEGRATOR };
  const fields = readFields(value, path, ["name", "step", "relativeTolerance", "absoluteTolerance"], problems);
  if (fields === undefined) return undefined;
  const name = readIntegratorName(fields.name, childPath(path, "name"), problems);
  const before = problems.length;
  const number = (key: string, unit: string): { [k: string]: number } | undefined => {
    const written = fields[key];
    const read = written === undefined ? undefined : readPositive(written, unit, childPath(path, key), problems);
    return read === undefined ? undefined : { [key]: read };
  };
  const options: { step?: number; relativeTolerance?: number; absoluteTolerance?: number } = {
    ...number("step", "s"),
    ...number("relativeTolerance", ""),
    ...number("absoluteTolerance", ""),
  };
  if (name === undefined || problems.length > before) return undefined;
  checkIntegratorOptions(INTEGRATORS[name], fields, options, problems);
  return { name, ...options };
}

function readIntegratorName(value: unknown, path: string, problems: Problem[]): IntegratorName | undefined {
  if (value === undefined) return DEFAULT_INTEGRATOR;
  if (typeof value === "string" && Object.hasOwn(INTEGRATORS, value)) return value as IntegratorName;
  const advice = didYouMean(value, Object.keys(INTEGRATORS));
  problems.push({ path, message: "no such integrator", value: valueText(value), advice });
  return undefined;
}

/** Checks that the options apply to this integrator, and that a fixed-step integrator has a step. */
function checkIntegratorOptions(
  { name, adaptive }: Integrator,
  written: Fields,
  options: { readonly step?: number; readonly relativeTolerance?: number },
  problems: Problem[],
): void {
  if (!adaptive && options.step === undefined)
    problems.push({
      path: "integrator.step",
      message: `is missing: ${name} has a fixed step`,
      advice: "Give the step in seconds: step: 0.01 in the file, or --set integrator.step=0.01",
    });
  for (const key of ["relativeTolerance", "absoluteTolerance"])
    if (!adaptive && written[key] !== undefined)
      problems.push({
        path: childPath("integrator", key),
        message: `does not apply to ${name}, which has a fixed step`,
        value: valueText(written[key]),
        advice: `Remove it, or choose an adaptive integrator: ${ADAPTIVE_INTEGRATORS.join(", ")}`,
      });
  const { relativeTolerance } = options;
  if (relativeTolerance !== undefined && !(relativeTolerance >= MIN_RELATIVE_TOLERANCE && relativeTolerance < 1))
    problems.push({
      path: "integrator.relativeTolerance",
      message: `must be at least ${MIN_RELATIVE_TOLERANCE} and below 1`,
      value: valueText(relativeTolerance),
    });
}
