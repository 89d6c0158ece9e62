/**
 * Step sizes recorded in one run and used again in other runs. Systems that differ only by rounding would make an adaptive integrator
 * choose different steps. The difference of its errors, of the size of the tolerance, would hide the much smaller difference of the systems.
 */
import { checkSavedInteger, refuseSaved, savedEntries, takeSaved } from "../saved-data.ts";
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
        save: () => recorded.map((ends) => Float64Array.from(ends)),
        restore(saved) {
          const ends = savedEndTimes(saved);
          recorded.length = 0;
          for (const list of ends) recorded.push(list);
        },
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
      const memory = { restartIndex: -1, k: 0 };
      return wrapStepper(inner, {
        restart() {
          memory.restartIndex++;
          memory.k = 0;
        },
        save: () => ({ ...memory }),
        restore(saved) {
          takeSaved(memory, saved, "recorded steps");
          for (const key of ["restartIndex", "k"] as const)
            checkSavedInteger(memory[key], -1, Number.MAX_SAFE_INTEGER - 1, `recorded steps.${key}`);
        },
        step(end) {
          const ends = recorded[memory.restartIndex] ?? [];
          while (memory.k < ends.length && ends[memory.k]! <= inner.t) memory.k++;
          inner.step(Math.min(end, ends[memory.k] ?? end));
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

function savedEndTimes(saved: unknown): number[][] {
  if (!Array.isArray(saved)) throw refuseSaved("recorded steps", "must be an array", saved);
  return saved.map((ends: unknown, i) => {
    if (!(ends instanceof Float64Array)) throw refuseSaved(`recorded steps[${i}]`, "must be a Float64Array", ends);
    return [...ends];
  });
}

interface StepperWrapper extends Pick<Stepper, "step" | "save" | "restore"> {
  /** Called after a restart of the inner stepper. */
  restart(): void;
}

/** A stepper with its own `restart`, `step` and memory; everything else is that of the inner stepper. */
function wrapStepper(inner: Stepper, { restart, step, save, restore }: StepperWrapper): Stepper {
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
    save: () => ({ inner: inner.save(), outer: save() }),
    restore(saved) {
      const entries = savedEntries(saved, ["inner", "outer"], "recorded steps");
      restore(entries.outer);
      inner.restore(entries.inner);
    },
  };
}
