/**
 * Step sizes recorded in one run and used again in other runs. Systems that differ only by rounding would make an adaptive integrator
 * choose different steps. The difference of its errors, of the size of the tolerance, would hide the much smaller difference of the systems.
 */
import type { Integrator, IntegratorOptions, Stepper } from "../sim/integrators/integrator.ts";
import { toleranceSettings } from "../sim/integrators/stepping/settings.ts";

/** Runs that follow recorded steps use tolerances larger by this factor, so that they accept every recorded step. */
const REPLAY_TOLERANCE_FACTOR = 100;

export interface RecordedSteps {
  readonly recorder: Integrator;
  /** Makes the recorded steps. */
  readonly follower: Integrator;
}

/** Two versions of an integrator: `recorder` records its steps, `follower` makes the same steps in later runs. */
export function recordedSteps(integrator: Integrator): RecordedSteps {
  /** End times of the steps, one list per restart. */
  const recorded: number[][] = [];
  const recorder: Integrator = {
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
  const follower: Integrator = {
    ...integrator,
    start(problem, options) {
      const inner = integrator.start(problem, withLooserTolerances(integrator, options));
      let restartIndex = -1;
      let k = 0;
      return wrapStepper(inner, {
        restart() {
          restartIndex++;
          k = 0;
        },
        step(end) {
          const ends = recorded[restartIndex] ?? [];
          while (k < ends.length && ends[k]! <= inner.t) k++;
          inner.step(Math.min(end, ends[k] ?? end));
        },
      });
    },
  };
  return { recorder, follower };
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

/** A stepper with its own `restart` and `step`; everything else is that of the inner stepper. */
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
