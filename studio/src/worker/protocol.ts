/** Messages between the page and a worker. Every job has an id; answers to a job that is no longer pending are ignored. */
import type { Channel, FormulationName, Mode, Problem, SimulationRun } from "castor";
import type { ChannelDifference, LimitPeak, Override, ScenarioRun, Verification } from "castor/scenario";
import type { AuditRow, Phase } from "castor/sim";
import type { BuiltInScenario, ScenarioSource } from "../files/scenario-sources.ts";
import type { RunSampleBlock } from "../run/run-log.ts";

/** Inputs shared by jobs. The worker keeps them; they are sent only when they have changed. */
export interface JobInputs {
  readonly source: ScenarioSource;
  /** The built-in models that the scenario may name. */
  readonly library: readonly BuiltInScenario[];
}

/** A job on the scenario. The worker reads the scenario from its text, because a Scenario contains functions and cannot be sent. */
export interface WorkerJob {
  readonly id: number;
  readonly overrides: readonly Override[];
  /** Id of the "read-ahead" request for the same scenario. */
  readonly readAheadId?: number;
}

export type WorkerRequest =
  /** Sets the inputs of the next jobs. */
  | { readonly type: "inputs"; readonly inputs: Partial<JobInputs> }
  /** Reads the scenario of a later job ahead, while the page reads it too. It has no answer. */
  | ({ readonly type: "read-ahead" } & WorkerJob)
  /** Simulates the scenario. Records the wanted channels, and the states from which all others can be computed. */
  | ({ readonly type: "run"; readonly wanted: readonly string[] } & WorkerJob)
  /** Computes channels that a run has not recorded. */
  | ({ readonly type: "replay" } & ReplayOptions & WorkerJob)
  /** Simulates the scenario with every formulation. */
  | ({ readonly type: "verify" } & WorkerJob)
  /** Closes the loops and answers with the coordinates. */
  | ({ readonly type: "assemble" } & WorkerJob)
  /** Computes the modes about a state. */
  | ({ readonly type: "modes"; readonly modes: ModesJobOptions } & WorkerJob)
  /** Cancels a job. */
  | { readonly type: "cancel"; readonly id: number };

/** Computes channels at a range of samples from the recorded channels. */
export interface ReplayOptions {
  /** Id of the run. The worker keeps the system of a run for further requests. */
  readonly run: number;
  readonly names: readonly string[];
  /** Index of the first sample. */
  readonly first: number;
  readonly recorded: RunSampleBlock & { readonly channels: readonly string[] };
  /** All discrete states of the run so far. */
  readonly phases: readonly Phase[];
}

/** The state about which modes are computed. */
export interface ModesOperatingPoint {
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly t: number;
}

/** Options of `castor modes`, and the state. */
export interface ModesJobOptions {
  readonly about: "state" | "rest";
  /** Names of hinges, or of single freedoms as hinge.part. */
  readonly locked: readonly string[];
  readonly count: number;
  /** Default: the start of the scenario. */
  readonly state?: ModesOperatingPoint | undefined;
}

/** Result of a modes job. */
export interface ModesResult {
  readonly freedoms: number;
  /** Coordinates and time about which the modes are computed. */
  readonly q: Float64Array;
  readonly t: number;
  /** Remarks about the state, with the same text as on the command line. */
  readonly remarks: readonly string[];
  readonly modes: readonly (Mode & { readonly mostly: string })[];
}

/** An error as data; `problems` are those of a ModelError. */
export interface WorkerFailure {
  readonly name: string;
  /** Code of a CastorError. An error without a code is a defect of Castor. */
  readonly code?: string;
  readonly message: string;
  readonly source?: string;
  readonly problems?: readonly Problem[];
}

/** Result of a run without its samples. */
export interface RunSummary
  extends Pick<SimulationRun, "end" | "t" | "events" | "counts">,
    Pick<ScenarioRun, "redundant" | "moved"> {
  readonly audit: readonly AuditRow[];
  /** The limits of the scenario, and the peaks of the run. */
  readonly limits: readonly LimitPeak[];
  /** Why the run stopped early. */
  readonly failure?: WorkerFailure;
  readonly seconds: number;
  readonly compileSeconds: number;
}

/** Result of a verification without its logs. */
export interface VerifySummary extends Pick<Verification, "tolerance" | "notApplicable" | "agree" | "interrupted"> {
  readonly formulations: readonly FormulationName[];
  readonly differences: readonly ChannelDifference[];
  readonly failures: readonly { readonly formulation: FormulationName; readonly message: string }[];
}

/** The worker holds its lock; see liveness.ts. */
export interface AliveMessage {
  readonly type: "alive";
}

export type WorkerAnswer = {
  readonly id: number;
} /** The recorded channels, in the order of the samples; `channels` is set if fewer channels are available than the scenario lists. */ & (
  | {
      readonly type: "channels";
      readonly channels?: readonly Channel[];
      readonly recorded: readonly string[];
      readonly expected: number;
    }
  /** All samples of the first channel, then of the second. */
  | { readonly type: "replayed"; readonly values: Float64Array }
  | ({ readonly type: "samples" } & RunSampleBlock)
  /** `part` is the fraction done, 0 to 1. */
  | { readonly type: "progress"; readonly part: number; readonly doing: string }
  | { readonly type: "done"; readonly summary: RunSummary }
  | { readonly type: "verified"; readonly summary: VerifySummary }
  | { readonly type: "assembled"; readonly q: Float64Array }
  | { readonly type: "modes"; readonly result: ModesResult }
  | { readonly type: "failed"; readonly failure: WorkerFailure }
);
