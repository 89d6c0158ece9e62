/** Settings of integrators, checked once before any array is allocated. */
import { ArgumentError, StepError } from "../../../errors.ts";
import type { InitialValueProblem, IntegratorOptions } from "../integrator.ts";

export interface Tolerances {
  readonly relative: number;
  readonly absolute: number;
  /** Largest step, s; infinite if not chosen. */
  readonly largest: number;
}

const RELATIVE_TOLERANCE = 1e-11;
const ABSOLUTE_TOLERANCE = 1e-13;

export function requiredStep(integrator: string, options: IntegratorOptions): number {
  if (options.step === undefined) throw new ArgumentError("step", `${integrator} needs a step size in s`);
  return requirePositive(integrator, "step", options.step);
}

export function toleranceSettings(integrator: string, options: IntegratorOptions): Tolerances {
  return {
    relative: requirePositive(integrator, "relativeTolerance", options.relativeTolerance ?? RELATIVE_TOLERANCE),
    absolute: requirePositive(integrator, "absoluteTolerance", options.absoluteTolerance ?? ABSOLUTE_TOLERANCE),
    largest: options.step === undefined ? Number.POSITIVE_INFINITY : requirePositive(integrator, "step", options.step),
  };
}

/** Checks the state that a stepper starts from: correct size, all components finite. */
export function checkStart(integrator: string, problem: InitialValueProblem, t: number, y: Float64Array): void {
  if (!Number.isFinite(t)) throw new ArgumentError("t", `${integrator}: the start time is ${t}; give a finite time`);
  if (y.length !== problem.size)
    throw new ArgumentError("y", `${integrator}: the state has ${y.length} components, the problem has ${problem.size}`);
  const bad = y.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new StepError(`${integrator}: component ${bad} of the state is ${y[bad]} at t = ${t}`, t);
}

export function checkEnd(integrator: string, t: number, end: number): void {
  checkStarted(integrator, "step", t);
  if (!(end > t)) throw new ArgumentError("end", `${integrator}: the end ${end} of a step must be after t = ${t}`);
}

export function checkStarted(integrator: string, call: string, t: number): void {
  if (Number.isNaN(t)) throw new ArgumentError(call, `${integrator}: call restart(t, y) before the first ${call}`);
}

export function checkWithinStep(integrator: string, t: number, previous: number, now: number): void {
  if (!(t >= previous && t <= now))
    throw new ArgumentError("t", `${integrator}: t = ${t} is outside the last step, ${previous} to ${now}`);
}

/** True if all components are finite. The sum of y_i × 0 is NaN as soon as one is not. */
export function isFiniteVector(y: Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += y[i]! * 0;
  return sum === 0;
}

/** @param values a derivative that is not finite, or a state computed from one */
export function notFiniteError(integrator: string, values: Float64Array, t: number): StepError {
  const bad = values.findIndex((value) => !Number.isFinite(value));
  const what = bad < 0 ? "the derivative is not finite" : `the derivative of component ${bad} is not finite (${values[bad]})`;
  return new StepError(`${integrator}: ${what} at or just after t = ${t}; look at the state and the forces there`, t);
}

function requirePositive(integrator: string, name: string, value: number): number {
  if (!(value > 0 && Number.isFinite(value)))
    throw new ArgumentError(name, `${integrator}: ${name} is ${value}; it must be positive and finite`);
  return value;
}
