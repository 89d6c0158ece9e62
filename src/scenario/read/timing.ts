/** Duration, integrator and sample time, and the checks between them. */

import { DEFAULT_SAMPLES, MAX_STEPS, MIN_DURATION, MIN_RELATIVE_TOLERANCE } from "../../declare/limits.ts";
import type { NoteRule, Parameter, ValueProblem } from "../../declare/parameters.ts";
import { NO_NAMES, readValue, readWritten } from "../../declare/parse-parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { INTEGRATORS, type IntegratorName } from "../../sim/integrators/index.ts";
import type { Integrator } from "../../sim/integrators/integrator.ts";
import type { Scenario } from "../scenario.ts";

/** Each field is undefined after a problem. */
export interface RunTiming {
  readonly duration: number | undefined;
  readonly integrator: Scenario["integrator"] | undefined;
  readonly sample: number | undefined;
}

const ADAPTIVE_INTEGRATORS = Object.values(INTEGRATORS).flatMap(({ name, adaptive }) => (adaptive ? [name] : []));
const DEFAULT_INTEGRATOR: IntegratorName = "dop853";

const belowOne = (tolerance: number): ValueProblem | undefined => (tolerance < 1 ? undefined : { message: "must be below 1" });

export const INTEGRATOR = {
  type: "object",
  optional: true,
  about: "Integrator of the equations of motion.",
  rule: integratorRule,
  of: {
    name: {
      type: "choice",
      of: Object.keys(INTEGRATORS),
      refusal: "no such integrator",
      default: DEFAULT_INTEGRATOR,
      about: `${Object.values(INTEGRATORS)
        .map((i) => `${i.name}: ${i.about}`)
        .join(". ")}.`,
    },
    step: {
      type: "number",
      unit: "s",
      above: 0,
      optional: true,
      about: "Step of a fixed-step integrator, or largest step of an adaptive one.",
    },
    relativeTolerance: {
      type: "number",
      unit: "",
      least: MIN_RELATIVE_TOLERANCE,
      most: 1,
      optional: true,
      about: "Allowed error per step, relative to the state; adaptive integrators only.",
      check: belowOne,
    },
    absoluteTolerance: {
      type: "number",
      unit: "",
      above: 0,
      optional: true,
      about: "Allowed absolute error per step; adaptive integrators only.",
    },
  },
} as const satisfies Parameter;

export const DURATION = {
  type: "number",
  unit: "s",
  above: 0,
  least: MIN_DURATION,
  about: "Duration of the simulated motion.",
} as const satisfies Parameter;

export const SAMPLE = {
  type: "number",
  unit: "s",
  above: 0,
  optional: true,
  about:
    "Time between recorded samples. If not given, 1/500 of the duration; with a fixed-step integrator its step, or the smallest multiple of it that gives at most 2000 samples.",
} as const satisfies Parameter;

/** Default number of samples with an adaptive integrator. */
const ADAPTIVE_SAMPLES = 500;

/** Reads duration, integrator and sample time. */
export function readTiming(fields: Fields, problems: Problem[]): RunTiming {
  const read = (parameter: Parameter, path: string): unknown =>
    readValue(parameter, fields[path], NO_NAMES, problems, { path, quantity: readQuantityInUnit });
  const duration = read(DURATION, "duration") as number | undefined;
  const integrator = readIntegrator(fields.integrator, problems);
  const writtenSample = read(SAMPLE, "sample") as number | undefined;
  if (duration !== undefined && integrator?.step !== undefined)
    checkStepCount(duration, integrator.step, "integrator.step", "steps", problems);
  if (duration !== undefined && integrator?.step !== undefined && !INTEGRATORS[integrator.name].adaptive)
    checkFixedStep(duration, integrator.step, problems);
  if (duration !== undefined && writtenSample !== undefined && writtenSample > duration)
    problems.push({ path: "sample", message: "must not be longer than the duration", value: valueText(fields.sample) });
  const sample = fields.sample === undefined && duration !== undefined ? defaultSample(duration, integrator) : writtenSample;
  return { duration, integrator, sample };
}

/** Refuses a fixed step that is longer than the run. */
function checkFixedStep(duration: number, step: number, problems: Problem[]): void {
  if (step <= duration * (1 + 1e-9)) return;
  problems.push({
    path: "integrator.step",
    message: `must not be longer than the duration of ${duration} s`,
    value: valueText(step),
    advice: "Use a step that is short in comparison with the motion",
  });
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

/** The integrator and its given options. Returns undefined after a problem. */
function readIntegrator(value: unknown, problems: Problem[]): RunTiming["integrator"] {
  if (value === undefined) return { name: DEFAULT_INTEGRATOR };
  const before = problems.length;
  const read = readWritten(INTEGRATOR, value, NO_NAMES, problems, { path: "integrator", quantity: readQuantityInUnit });
  return problems.length > before ? undefined : { name: DEFAULT_INTEGRATOR, ...(read as Partial<Scenario["integrator"]>) };
}

/** The options must apply to the integrator, and a fixed-step integrator needs a step. */
function integratorRule(values: Partial<Scenario["integrator"]>, note: NoteRule): void {
  const isUnreadable = Object.hasOwn(values, "name") && values.name === undefined;
  const { name, adaptive }: Integrator = INTEGRATORS[values.name ?? DEFAULT_INTEGRATOR];
  if (isUnreadable || adaptive) return;
  if (!Object.hasOwn(values, "step"))
    note(
      "step",
      `is missing: ${name} has a fixed step`,
      "Give the step in seconds: step: 0.01 in the file, or --set integrator.step=0.01",
    );
  for (const key of ["relativeTolerance", "absoluteTolerance"])
    if (Object.hasOwn(values, key))
      note(
        key,
        `does not apply to ${name}, which has a fixed step`,
        `Remove it, or choose an adaptive integrator: ${ADAPTIVE_INTEGRATORS.join(", ")}`,
      );
}
