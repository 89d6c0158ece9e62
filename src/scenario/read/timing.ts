/** Duration, integrator and sampling, and the limits that hold between them. */

import { MOST_STEPS, TIGHTEST, USUAL_SAMPLES } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import { childPath, type Fields, readFields } from "../../declare/plain-data.ts";
import { type Problem, shown } from "../../errors.ts";
import { INTEGRATORS, type IntegratorName } from "../../sim/integrators/index.ts";
import type { Integrator } from "../../sim/integrators/integrator.ts";
import type { Scenario } from "../scenario.ts";
import { readPositive } from "./values.ts";

/** Undefined after a problem. */
export interface Timing {
  readonly duration: number | undefined;
  readonly integrator: Scenario["integrator"] | undefined;
  readonly sample: number | undefined;
}

const ADAPTIVE = Object.values(INTEGRATORS).flatMap(({ name, adaptive }) => (adaptive ? [name] : []));
export const USUAL_INTEGRATOR: IntegratorName = "dop853";
/** Samples of an adaptive integrator if nothing is said. */
const ADAPTIVE_SAMPLES = 500;

export function readTiming(fields: Fields, problems: Problem[]): Timing {
  const duration = readPositive(fields.duration, "s", "duration", problems);
  const integrator = readIntegrator(fields.integrator, problems);
  const given = fields.sample === undefined ? undefined : readPositive(fields.sample, "s", "sample", problems);
  if (duration !== undefined && integrator?.step !== undefined)
    checkSteps(duration, integrator.step, "integrator.step", "steps", problems);
  if (duration !== undefined && given !== undefined && given > duration)
    problems.push({ path: "sample", message: "must not be longer than the duration", value: shown(fields.sample) });
  const sample = fields.sample === undefined && duration !== undefined ? usualSample(duration, integrator) : given;
  return { duration, integrator, sample };
}

/** The step of a fixed-step integrator, or a multiple of it where that would be too much to look at. */
function usualSample(duration: number, integrator: Timing["integrator"]): number {
  if (integrator?.step === undefined || INTEGRATORS[integrator.name].adaptive) return duration / ADAPTIVE_SAMPLES;
  return integrator.step * Math.ceil(duration / integrator.step / USUAL_SAMPLES);
}

/** Nothing is done more often than anybody can wait for. */
export function checkSteps(duration: number, step: number, path: string, what: string, problems: Problem[]): void {
  const count = duration / step;
  if (count <= MOST_STEPS * (1 + 1e-9)) return;
  problems.push({
    path,
    message: `asks for ${count.toExponential(1)} ${what} in ${duration} s, at most ${MOST_STEPS.toExponential(0)} are accepted`,
    value: shown(step),
    advice: `At least ${duration / MOST_STEPS} s, or a shorter duration`,
  });
}

function readIntegrator(value: unknown, problems: Problem[]): Timing["integrator"] {
  const path = "integrator";
  if (value === undefined) return { name: USUAL_INTEGRATOR };
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
  checkChoices(INTEGRATORS[name], fields, options, problems);
  return { name, ...options };
}

function readIntegratorName(value: unknown, path: string, problems: Problem[]): IntegratorName | undefined {
  if (value === undefined) return USUAL_INTEGRATOR;
  if (typeof value === "string" && Object.hasOwn(INTEGRATORS, value)) return value as IntegratorName;
  const advice = didYouMean(value, Object.keys(INTEGRATORS));
  problems.push({ path, message: "no such integrator", value: shown(value), advice });
  return undefined;
}

/** What was chosen must mean something for this integrator, and what it needs must be there. */
function checkChoices(
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
        value: shown(written[key]),
        advice: `Remove it, or choose an integrator that controls its step: ${ADAPTIVE.join(", ")}`,
      });
  const { relativeTolerance } = options;
  if (relativeTolerance !== undefined && !(relativeTolerance >= TIGHTEST && relativeTolerance < 1))
    problems.push({
      path: "integrator.relativeTolerance",
      message: `must be at least ${TIGHTEST} and below 1`,
      value: shown(relativeTolerance),
    });
}
