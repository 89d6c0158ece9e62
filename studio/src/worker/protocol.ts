/** What page and worker tell each other. Every job has a number; what belongs to a job that nobody waits for is ignored. */
import type {
  AuditRow,
  Channel,
  ChannelDifference,
  DiscreteState,
  FormulationName,
  Mode,
  Override,
  Problem,
  ScenarioRun,
  SimulationRun,
  Verification,
} from "castor";
import type { BuiltInScenario, ScenarioSource } from "../files/scenario-sources.ts";
import type { RunSampleBlock } from "../run/run-log.ts";

/** What jobs are about. It stays from one job to the next, and is sent when it has changed. */
export interface JobInputs {
  readonly source: ScenarioSource;
  /** The built-in models that the scenario may name. */
  readonly library: readonly BuiltInScenario[];
}

/** A scenario as data: the worker reads it again, because what was read has functions in it. */
export interface WorkerJob {
  readonly id: number;
  readonly overrides: readonly Override[];
  /** The number under which it was announced. */
  readonly announced?: number;
}

export type WorkerRequest =
  /** What the next jobs are about. */
  | { readonly type: "given"; readonly given: Partial<JobInputs> }
  /** A job will be about this: it is read while the page reads it too. Nothing is answered. */
  | ({ readonly type: "announce" } & WorkerJob)
  /** Simulates it. Records the wanted channels, and what all others can be computed from. */
  | ({ readonly type: "run"; readonly wanted: readonly string[] } & WorkerJob)
  /** Computes channels that a run has not recorded. */
  | ({ readonly type: "replay" } & ReplayOptions & WorkerJob)
  /** Simulates it by every formulation. */
  | ({ readonly type: "verify" } & WorkerJob)
  /** Closes its loops, and says where that puts it. */
  | ({ readonly type: "assemble" } & WorkerJob)
  /** Finds its modes about a state. */
  | ({ readonly type: "modes"; readonly modes: ModesJobOptions } & WorkerJob)
  /** Ends a job; it answers with what there is. */
  | { readonly type: "cancel"; readonly id: number };

/** Channels at some samples of a run, from those that it has recorded. */
export interface ReplayOptions {
  /** The number of the run: its system is kept from one request to the next. */
  readonly run: number;
  readonly names: readonly string[];
  /** The number of the first sample. */
  readonly first: number;
  readonly kept: RunSampleBlock & { readonly channels: readonly string[] };
  /** All phases of the run so far. */
  readonly phases: readonly DiscreteState[];
}

/** A state of a run. */
export interface ModesOperatingPoint {
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly t: number;
}

/** What `castor modes` is told. */
export interface ModesJobOptions {
  readonly about: "state" | "rest";
  /** Hinges, or freedoms as hinge.part. */
  readonly locked: readonly string[];
  readonly count: number;
  /** The start of the scenario if not given. */
  readonly state?: ModesOperatingPoint | undefined;
}

/** What it says. */
export interface ModesResult {
  readonly freedoms: number;
  /** About these coordinates, at this time. */
  readonly q: Float64Array;
  readonly t: number;
  /** What else there is to say, as the command line says it. */
  readonly remarks: readonly string[];
  readonly modes: readonly (Mode & { readonly mostly: string })[];
}

/** An error as data; `problems` are those of a ModelError. */
export interface WorkerFailure {
  readonly name: string;
  readonly message: string;
  readonly source?: string;
  readonly problems?: readonly Problem[];
}

/** What there is to say of a run besides its samples. */
export interface RunSummary
  extends Pick<SimulationRun, "end" | "t" | "events" | "counts">,
    Pick<ScenarioRun, "redundant" | "moved"> {
  readonly audit: readonly AuditRow[];
  /** Why the motion could not be trusted any further. */
  readonly failure?: WorkerFailure;
  readonly seconds: number;
  readonly compileSeconds: number;
}

/** A verification without its logs. */
export interface VerifySummary extends Pick<Verification, "tolerance" | "notApplicable" | "agree" | "interrupted"> {
  readonly formulations: readonly FormulationName[];
  readonly differences: readonly ChannelDifference[];
  readonly failures: readonly { readonly formulation: FormulationName; readonly message: string }[];
}

/** That a worker is seen to live from now on; see life.ts. */
export interface AliveMessage {
  readonly type: "alive";
}

export type WorkerAnswer = {
  readonly id: number;
} /** The channels that the samples are of; and all that there are, where these are not all that the scenario says. */ & (
  | {
      readonly type: "channels";
      readonly channels?: readonly Channel[];
      readonly recorded: readonly string[];
      readonly expected: number;
    }
  /** All of the first channel, then all of the second. */
  | { readonly type: "replayed"; readonly values: Float64Array }
  | ({ readonly type: "samples" } & RunSampleBlock)
  /** 0 to 1. */
  | { readonly type: "progress"; readonly part: number; readonly doing: string }
  | { readonly type: "done"; readonly summary: RunSummary }
  | { readonly type: "verified"; readonly summary: VerifySummary }
  | { readonly type: "assembled"; readonly q: Float64Array }
  | { readonly type: "modes"; readonly found: ModesResult }
  | { readonly type: "failed"; readonly failure: WorkerFailure }
);
