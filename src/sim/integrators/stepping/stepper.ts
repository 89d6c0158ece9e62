/** What every stepper is around its method: where it stands, what it checks, what it counts. */
import { arraysEqual } from "../../../math/linear/array-equal.ts";
import type { Derivative, InitialValueProblem, Stepper } from "../integrator.ts";
import { checkEnd, checkStart, checkWithinStep } from "./settings.ts";

/** Where a stepper stands. Its arrays change places at every step: ask for them anew. */
export interface StepperState {
  t: number;
  y: Float64Array;
  /** Start of the last step. */
  previous: number;
  /** The state at `previous`; while a step is made, the one that it leads to. */
  other: Float64Array;
  readonly counts: { steps: number; rejected: number; evaluations: number };
  /** The derivative, counted. */
  readonly f: Derivative;
}

export interface StepMethod {
  /** Forgets what it knows of the motion. @param step a size to begin with, where one is known */
  restart(time: number, step?: number): void;
  /** Only the right-hand side has changed, and the motion goes on from where the last step ended; without this it is a restart. */
  rightHandSideChanged?(): void;
  /** Writes the state after the next step, which does not pass `end`, to `other`. Gives its time. */
  step(end: number): number;
  /** The state at a time inside the last step. */
  interpolate(time: number, out: Float64Array): void;
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

export function createStepper(name: string, problem: InitialValueProblem, now: StepperState, method: StepMethod): Stepper {
  return {
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
  };
}
