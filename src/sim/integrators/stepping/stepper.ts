/** The part that all steppers share: their state, the checks of arguments, the counters. */
import { arraysEqual } from "../../../math/linear/array-equal.ts";
import { checkSavedFinite, checkSavedInteger, refuseSaved, savedEntries, takeSaved } from "../../../saved-data.ts";
import { type PlannedStep, setPlan } from "../explicit/planned-step.ts";
import type { Derivative, GridSteps, InitialValueProblem, Stepper } from "../integrator.ts";
import { checkEnd, checkStart, checkStarted, checkWithinStep } from "./settings.ts";

/** State of a stepper. `y` and `other` are swapped at every step; do not keep references. */
export interface StepperState {
  t: number;
  y: Float64Array;
  /** Start of the last step. */
  previous: number;
  /** The state at `previous`; during a step, the state at its end. */
  other: Float64Array;
  readonly counts: { steps: number; rejected: number; evaluations: number };
  /** The derivative, with counting. */
  readonly f: Derivative;
}

export interface StepMethod {
  /** Clears the history of the motion. @param step size of the first step, if known */
  restart(time: number, step?: number): void;
  /** The right-hand side has changed, but the state has not. Without this method a restart is made. */
  rightHandSideChanged?(): void;
  /** Writes the state after the next step, which does not pass `end`, to `other`. Returns its time. */
  step(end: number): number;
  /** The state at a time inside the last step. */
  interpolate(time: number, out: Float64Array): void;
  /** See Stepper. */
  largestRates?(out: Float64Array): void;
  readonly gridSteps?: GridSteps;
  /** See plannedStep. */
  planned?(end: number): PlannedStep | undefined;
  /** What the next step needs from the last ones, except the state. A fresh copy. */
  save(): unknown;
  /** Continues from saved data, after the state was restored. @throws FormatError */
  restore(saved: unknown): void;
}

export function stepperState(problem: InitialValueProblem): StepperState {
  const counts = { steps: 0, rejected: 0, evaluations: 0 };
  return {
    t: Number.NaN,
    y: new Float64Array(problem.size),
    previous: Number.NaN,
    other: new Float64Array(problem.size),
    counts,
    f: (time, state, rate) => {
      counts.evaluations++;
      problem.derivative(time, state, rate);
    },
  };
}

function restoreState(now: StepperState, saved: unknown, where: string): void {
  const { t, previous, y, other, counts } = now;
  const state = { t, previous, y, other, counts };
  takeSaved(state, saved, where);
  checkSavedFinite(state.t, `${where}.t`);
  checkSavedFinite(y, `${where}.y`);
  if (!(state.previous <= state.t)) refuseSaved(`${where}.previous`, "must not be after t", state.previous);
  checkCounts(counts, `${where}.counts`);
  now.t = state.t;
  now.previous = state.previous;
}

/** Checks restored counters. @throws FormatError */
export function checkCounts(counts: Stepper["counts"], where: string): void {
  for (const [name, count] of Object.entries(counts)) checkSavedInteger(count, 0, Number.MAX_SAFE_INTEGER, `${where}.${name}`);
}

export function createStepper(name: string, problem: InitialValueProblem, now: StepperState, method: StepMethod): Stepper {
  const stepper: Stepper = {
    counts: now.counts,
    get t() {
      return now.t;
    },
    get y() {
      return now.y;
    },
    get previous() {
      return now.previous;
    },
    restart(time, state) {
      checkStart(name, problem, time, state);
      if (method.rightHandSideChanged && time === now.t && arraysEqual(state, now.y)) {
        method.rightHandSideChanged();
        return;
      }
      now.t = now.previous = time;
      now.y.set(state);
      method.restart(time);
    },
    step(end) {
      checkEnd(name, now.t, end);
      const next = method.step(end);
      const before = now.y;
      now.y = now.other;
      now.other = before;
      now.previous = now.t;
      now.t = next;
      now.counts.steps++;
    },
    interpolate(time, out) {
      checkWithinStep(name, time, now.previous, now.t);
      if (time === now.t) out.set(now.y);
      else method.interpolate(time, out);
    },
    ...(method.gridSteps && { gridSteps: method.gridSteps }),
    ...(method.largestRates && { largestRates: (out: Float64Array) => method.largestRates!(out) }),
    save() {
      checkStarted(name, "save", now.t);
      const { t, previous, y, other, counts } = now;
      return { state: { t, previous, y: y.slice(), other: other.slice(), counts: { ...counts } }, method: method.save() };
    },
    restore(saved) {
      const entries = savedEntries(saved, ["state", "method"], name);
      restoreState(now, entries.state, `${name}.state`);
      method.restore(entries.method);
    },
  };
  if (method.planned) setPlan(stepper, (end) => (end > now.t ? method.planned!(end) : undefined));
  return stepper;
}
