/** Fixed steps of an explicit one-step method, with cubic Hermite output. The derivative at the end of a step is used in the next one. */
import { checkSavedFinite, savedEntries, takeSaved } from "../../../saved-data.ts";
import type { Derivative, InitialValueProblem, IntegratorOptions, Stepper } from "../integrator.ts";
import { isFiniteVector, notFiniteError, requiredStep } from "../stepping/settings.ts";
import { createStepper, stepperState } from "../stepping/stepper.ts";
import { timeGrid } from "../stepping/time-grid.ts";
import { evaluateNested, HERMITE_TERMS, setHermite } from "./dense-output.ts";

/** Evaluations per step of the methods here. */
const STAGES = 4;

/** Writes y1 at t1 = t0 + h from y0 and f0 = f(t0, y0). */
export type AdvanceStep = (t0: number, t1: number, h: number, y0: Float64Array, f0: Float64Array, y1: Float64Array) => void;

export function fixedExplicit(
  name: string,
  problem: InitialValueProblem,
  options: IntegratorOptions,
  method: (f: Derivative, size: number) => AdvanceStep,
): Stepper {
  const h = requiredStep(name, options);
  const grid = timeGrid(name, h);
  const n = problem.size;
  const now = stepperState(problem);
  /** Derivatives at the end and at the start of the last step. `known` is true if f is the derivative at (t, y). */
  const memory = { f: new Float64Array(n), fPrevious: new Float64Array(n), known: false };
  const F = new Float64Array(HERMITE_TERMS * n);
  let outputReady = false;
  const advance = method(now.f, n);

  function know(): void {
    if (memory.known) return;
    const { f } = memory;
    now.f(now.t, now.y, f);
    if (!isFiniteVector(f)) throw notFiniteError(name, f, now.t);
    memory.known = true;
  }

  return createStepper(name, problem, now, {
    restart(time) {
      grid.restart(time);
      memory.known = outputReady = false;
    },
    step(end) {
      const { t, y, other } = now;
      know();
      grid.plan(t, end);
      const { f, fPrevious } = memory;
      advance(t, grid.next, grid.size, y, f, other);
      if (!isFiniteVector(other)) throw notFiniteError(name, other, t);
      problem.project?.(other, grid.next);
      memory.f = fPrevious;
      memory.fPrevious = f;
      memory.known = outputReady = false;
      return grid.next;
    },
    interpolate(time, out) {
      const { t, previous, y, other } = now;
      if (!outputReady) {
        know();
        setHermite(F, t - previous, other, y, memory.fPrevious, memory.f);
        outputReady = true;
      }
      evaluateNested(F, HERMITE_TERMS, (time - previous) / (t - previous), other, out);
    },
    gridSteps: {
      h,
      get start() {
        return grid.start;
      },
      get k() {
        return grid.k;
      },
      get last() {
        return grid.last;
      },
      plan: (end, most) => grid.planMany(now.t, end, most),
      take(steps, t, y, previous, before, derivative) {
        const { counts } = now;
        counts.steps += steps;
        counts.evaluations += STAGES * steps - (memory.known ? 1 : 0);
        grid.takeMany(steps);
        now.t = t;
        now.y.set(y);
        now.previous = previous;
        now.other.set(before);
        memory.fPrevious.set(derivative);
        memory.known = outputReady = false;
      },
    },
    save() {
      const { f, fPrevious, known } = memory;
      return {
        derivatives: { f: known ? f.slice() : new Float64Array(n), fPrevious: fPrevious.slice(), known },
        grid: grid.save(),
      };
    },
    restore(saved) {
      const entries = savedEntries(saved, ["derivatives", "grid"], name);
      takeSaved(memory, entries.derivatives, `${name}.derivatives`);
      if (memory.known) checkSavedFinite(memory.f, `${name}.derivatives.f`);
      grid.restore(entries.grid);
      outputReady = false;
    },
  });
}
