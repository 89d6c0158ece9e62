/**
 * An integrator whose steps one run records and other runs follow. Systems that differ by rounding make an adaptive integrator choose
 * other steps, and its errors, of the size of the tolerance, would hide differences of the systems that are far smaller.
 */
import type { Integrator, IntegratorOptions, Stepper } from "../sim/integrators/integrator.ts";
import { toleranceSettings } from "../sim/integrators/stepping/settings.ts";

/** Those that follow tolerate so much more, so that each takes the recorded steps and no others. */
const REPLAY_TOLERANCE_FACTOR = 100;

export interface RecordedSteps {
  readonly recorder: Integrator;
  /** Steps where the recorded run stepped. */
  readonly follower: Integrator;
}

export function recordedSteps(integrator: Integrator): RecordedSteps {
  /** Ends of the steps, anew after each restart. */
  const recorded: number[][] = [];
  const recording: Integrator = {
    ...integrator,
    start(problem, options) {
      const inner = integrator.start(problem, options);
      return wrapStepper(inner, {
        restart: () => void recorded.push([]),
        step(end) {
          inner.step(end);
          recorded.at(-1)!.push(inner.t);
        },
      });
    },
  };
  const following: Integrator = {
    ...integrator,
    start(problem, options) {
      const inner = integrator.start(problem, withLooserTolerances(integrator, options));
      let part = -1;
      let k = 0;
      return wrapStepper(inner, {
        restart() {
          part++;
          k = 0;
        },
        step(end) {
          const ends = recorded[part] ?? [];
          while (k < ends.length && ends[k]! <= inner.t) k++;
          inner.step(Math.min(end, ends[k] ?? end));
        },
      });
    },
  };
  return { recorder: recording, follower: following };
}

function withLooserTolerances({ name, adaptive }: Integrator, options: IntegratorOptions): IntegratorOptions {
  if (!adaptive) return options;
  const { relative, absolute } = toleranceSettings(name, options);
  return {
    ...options,
    relativeTolerance: REPLAY_TOLERANCE_FACTOR * relative,
    absoluteTolerance: REPLAY_TOLERANCE_FACTOR * absolute,
  };
}

/** The stepper with something else done at its steps. */
function wrapStepper(inner: Stepper, { restart, step }: { restart(): void; step(end: number): void }): Stepper {
  return {
    get t() {
      return inner.t;
    },
    get y() {
      return inner.y;
    },
    get previous() {
      return inner.previous;
    },
    counts: inner.counts,
    interpolate: (t, out) => inner.interpolate(t, out),
    restart(t, y) {
      inner.restart(t, y);
      restart();
    },
    step,
  };
}
