/** Duration, integrator and sampling, and the limits that hold between them. */

import { DEFAULT_SAMPLES, MAX_STEPS, MIN_RELATIVE_TOLERANCE } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readFields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { INTEGRATORS, type IntegratorName } from "../../sim/integrators/index.ts";
import type { Integrator } from "../../sim/integrators/integrator.ts";
import type { Scenario } from "../scenario.ts";
import { readPositive } from "./read-positive.ts";

/** Undefined after a problem. */
export interface RunTiming {
  readonly duration: number | undefined;
  readonly integrator: Scenario["integrator"] | undefined;
  readonly sample: number | undefined;
}

const ADAPTIVE_INTEGRATORS = Object.values(INTEGRATORS).flatMap(({ name, adaptive }) => (adaptive ? [name] : []));
export const DEFAULT_INTEGRATOR: IntegratorName = "dop853";
/** Samples of an adaptive integrator if nothing is said. */
const ADAPTIVE_SAMPLES = 500;

export function readTiming(fields: Fields, problems: Problem[]): RunTiming {
  const duration = readPositive(fields.duration, "s", "duration", problems);
  const integrator = readIntegrator(fields.integrator, problems);
  const given = fields.sample === undefined ? undefined : readPositive(fields.sample, "s", "sample", problems);
  if (duration !== undefined && integrator?.step !== undefined)
    checkStepCount(duration, integrator.step, "integrator.step", "steps", problems);
  if (duration !== undefined && given !== undefined && given > duration)
    problems.push({ path: "sample", message: "must not be longer than the duration", value: valueText(fields.sample) });
  const sample = fields.sample === undefined && duration !== undefined ? defaultSample(duration, integrator) : given;
  return { duration, integrator, sample };
}

/** The step of a fixed-step integrator, or a multiple of it where that would be too much to look at. */
function defaultSample(duration: number, integrator: RunTiming["integrator"]): number {
  if (integrator?.step === undefined || INTEGRATORS[integrator.name].adaptive) return duration / ADAPTIVE_SAMPLES;
  return integrator.step * Math.ceil(duration / integrator.step / DEFAULT_SAMPLES);
}

/** Nothing is done more often than anybody can wait for. */
export function checkStepCount(duration: number, step: number, path: string, what: string, problems: Problem[]): void {
  const count = duration / step;
  if (count <= MAX_STEPS * (1 + 1e-9)) return;
  problems.push({
    path,
    message: `asks for ${count.toExponential(1)} ${what} in ${duration} s, at most ${MAX_STEPS.toExponential(0)} are accepted`,
    value: valueText(step),
    advice: `At least ${duration / MAX_STEPS} s, or a shorter duration`,
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
    const given = fields[key];
    const read = given === undefined ? undefined : readPositive(given, unit, childPath(path, key), problems);
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

/** What was chosen must mean something for this integrator, and what it needs must be there. */
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
      advice: "Give the step in seconds, e.g. step: 0.01, on the command line --set integrator.step=0.01",
    });
  for (const key of ["relativeTolerance", "absoluteTolerance"])
    if (!adaptive && written[key] !== undefined)
      problems.push({
        path: childPath("integrator", key),
        message: `means nothing for ${name}, which has a fixed step`,
        value: valueText(written[key]),
        advice: `Remove it, or choose an integrator that controls its step: ${ADAPTIVE_INTEGRATORS.join(", ")}`,
      });
  const { relativeTolerance } = options;
  if (relativeTolerance !== undefined && !(relativeTolerance >= MIN_RELATIVE_TOLERANCE && relativeTolerance < 1))
    problems.push({
      path: "integrator.relativeTolerance",
      message: `must be at least ${MIN_RELATIVE_TOLERANCE} and below 1`,
      value: valueText(relativeTolerance),
    });
}
