/** Fixed steps that are made inside WebAssembly, and the samples between them: the interfaces. */
import type { Stepper } from "../../integrators/integrator.ts";
import type { Observation } from "../../system/observer.ts";

/** Positions in the rows of a block of samples (see sampled-steps.ts): single numbers, and the first number of each array. */
export interface RowColumns {
  readonly single: { readonly t: number; readonly kinetic: number; readonly potential: number; readonly balance: number };
  readonly state: number;
  readonly tau: number;
  readonly momentum: number;
  readonly centre: number;
  readonly elements: number;
}

/** Samples that were computed together, one per row. */
export interface SampleRows {
  /** Length and columns of a row. */
  readonly width: number;
  readonly columns: RowColumns;
  /** All rows, one after the other. */
  readonly rows: Float64Array;
  /** The state in a row, and its observation. Valid until the rows are written again. */
  stateOf(row: number): Float64Array;
  observationOf(row: number): Observation;
}

/** A stepper whose steps may also be made by other code, which then tells it the states. */
export interface LoopStepper extends Stepper {
  /** Start of the grid of steps, and number of steps from there to t. */
  readonly grid: { readonly start: number; readonly k: number };
  /** True if a time is a whole number of steps away. */
  isOnGrid(time: number): boolean;
  /** Takes the time and checks the state after n steps. The caller sets `y` to the last of these states. @throws StepError if it is not finite */
  take(t: number, y: Float64Array, n: number): void;
}

/** A stepper that may make several steps per call. They are those of single calls of `step`. */
export interface ManyStepper extends Stepper {
  /** As many calls of `step(end)` as it takes to reach `stop`, or fewer. */
  stepMany(end: number, stop: number): void;
}

/** Samples of fixed steps, many per call. */
export interface SampledSteps extends SampleRows {
  /** Largest number of samples per call. */
  readonly capacity: number;
  readonly stepsPerSample: number;
  /** Steps from the position of the stepper to sample `first` and the ones after it, and writes their rows. */
  run(stepper: LoopStepper, first: number, samples: number): void;
  /**
   * Makes many samples from t in one call, at most `most` and all of them before `end`. `reached` is called with the last one that was recorded.
   * Returns false if fewer than two fit.
   */
  record(
    parts: SampledRun,
    made: { readonly stepper: LoopStepper; readonly step: number },
    t: number,
    end: number,
    most: number,
    reached: (t: number, y: Float64Array) => void,
  ): boolean;
}

/** Parts of a run that take samples: see SampleRecorder and GrowthMonitor. */
export interface SampledRun {
  readonly samples: {
    readonly next: number;
    readonly nextTime: number;
    timeOf(sample: number): number;
    countBefore(end: number, most: number): number;
    recordRow(rows: SampleRows, row: number): void;
  };
  readonly growth: { look(t: number, y: Float64Array, steps: number): void };
}

/** Steps of a run inside WebAssembly. */
export interface FixedSteps {
  readonly stepper: LoopStepper;
  /** Undefined if samples are taken one by one. */
  readonly samples: SampledSteps | undefined;
}
