/** Fixed steps of an explicit one-step method, with cubic Hermite output. The derivative at the end of a step serves the next one. */
import type { Derivative, InitialValueProblem, IntegratorOptions, Stepper } from "../integrator.ts";
import { evaluateNested, setHermite } from "./dense-output.ts";
import { checkEnd, checkInside, checkStart, chosenStep, isFiniteVector, notFinite } from "./settings.ts";
import { timeGrid } from "./time-grid.ts";

/** Writes y1 at t1 = t0 + h from y0 and f0 = f(t0, y0). */
export type Advance = (t0: number, t1: number, h: number, y0: Float64Array, f0: Float64Array, y1: Float64Array) => void;

const HERMITE_TERMS = 3;

export function fixedExplicit(
  name: string,
  problem: InitialValueProblem,
  options: IntegratorOptions,
  method: (f: Derivative, size: number) => Advance,
): Stepper {
  const grid = timeGrid(name, chosenStep(name, options));
  const n = problem.size;
  const counts = { steps: 0, rejected: 0, evaluations: 0 };
  let t = Number.NaN;
  let previous = Number.NaN;
  let y = new Float64Array(n);
  let yPrevious = new Float64Array(n);
  let f = new Float64Array(n);
  let fPrevious = new Float64Array(n);
  /** Whether f holds the derivative at (t, y). */
  let known = false;
  const F = new Float64Array(HERMITE_TERMS * n);
  let outputReady = false;

  const derivative: Derivative = (time, state, rate) => {
    counts.evaluations++;
    problem.derivative(time, state, rate);
  };
  const advance = method(derivative, n);

  function know(): void {
    if (known) return;
    derivative(t, y, f);
    if (!isFiniteVector(f)) throw notFinite(name, f, t);
    known = true;
  }

  return {
    counts,
    get t() {
      return t;
    },
    get y() {
      return y;
    },
    get previous() {
      return previous;
    },
    restart(time, state) {
      checkStart(name, problem, time, state);
      t = previous = time;
      y.set(state);
      grid.restart(time);
      known = outputReady = false;
    },
    step(end) {
      checkEnd(name, t, end);
      know();
      grid.plan(t, end);
      advance(t, grid.next, grid.size, y, f, yPrevious);
      if (!isFiniteVector(yPrevious)) throw notFinite(name, yPrevious, t);
      problem.project?.(yPrevious, grid.next);
      const y0 = y;
      y = yPrevious;
      yPrevious = y0;
      const f0 = f;
      f = fPrevious;
      fPrevious = f0;
      previous = t;
      t = grid.next;
      known = outputReady = false;
      counts.steps++;
    },
    interpolate(time, out) {
      checkInside(name, time, previous, t);
      if (time === t) out.set(y);
      else {
        if (!outputReady) {
          know();
          setHermite(F, t - previous, yPrevious, y, fPrevious, f);
          outputReady = true;
        }
        evaluateNested(F, HERMITE_TERMS, (time - previous) / (t - previous), yPrevious, out);
      }
    },
  };
}
