/** Everything that the studio shows, in one place; see store.ts. */
import type { AuditRow, Override, Scenario } from "castor";
import type { BuiltInScenario, ScenarioSource } from "../files/scenario-sources.ts";
import type { ModesPanelState } from "../run/modes-session.ts";
import type { RunLog } from "../run/run-log.ts";
import type { ModesResult, RunSummary, WorkerFailure } from "../worker/protocol.ts";

/** What `castor run` has written of the audit. */
export type RecordedAudit = Pick<AuditRow, "channel" | "worst" | "at" | "tolerance">;

/** A run from a file. */
export interface RecordedRun {
  readonly log: RunLog;
  readonly label: string;
  readonly audit: readonly RecordedAudit[] | undefined;
}

export interface StudioRun {
  readonly id: number;
  /** What tells it from the others: "first", "mass 35 kg", "log.csv". */
  readonly label: string;
  /** Nothing for a log without its scenario. */
  readonly scenario: Scenario | undefined;
  readonly overrides: readonly Override[];
  /** Grows while it runs. */
  readonly log: RunLog;
  /** "recorded" is a log from a file. */
  readonly status: "running" | "complete" | "stopped" | "cancelled" | "failed" | "recorded";
  /** 0 to 1. */
  readonly progress: number;
  /** Once it has ended. */
  readonly summary?: RunSummary;
  /** Of a log that came with it. */
  readonly audit?: readonly RecordedAudit[] | undefined;
  readonly failure?: WorkerFailure;
}

/** A plot: channels against time. */
export interface PlotSpec {
  readonly id: number;
  readonly title: string;
  /** By name, in the order of their colours; one that a run does not have is left out. */
  readonly channels: readonly string[];
  /** The unit to show the channels in that can be; in that of the log if not given. */
  readonly unit: string | undefined;
  readonly scale: "linear" | "log";
}

/** Several files of which only one can be shown. */
export interface FileChoice {
  readonly kind: "scenario" | "model";
  /** Paths of all of them, and of the one that is shown. */
  readonly paths: readonly string[];
  readonly shown: string;
  /** Shows another. */
  open(path: string): void;
}

/** What is picked: everything of a model has a name of its own within its kind. */
export interface Selection {
  readonly kind: "body" | "hinge" | "frame" | "loop" | "force" | "controller";
  readonly name: string;
}

export interface StudioState {
  readonly library: readonly BuiltInScenario[];
  /** "gallery" shows the built-in scenarios, "scenario" what is open. */
  readonly page: "gallery" | "scenario";
  readonly source: ScenarioSource | undefined;
  /** What else could be shown of what was given together. */
  readonly given: FileChoice | undefined;
  /** Changes to the source, as `--set` makes them; an edit replaces the list. */
  readonly overrides: readonly Override[];
  /** Lists of overrides to go back to and forth again, nearest last. */
  readonly past: readonly (readonly Override[])[];
  readonly future: readonly (readonly Override[])[];
  /** Source and overrides, read; the last that could be read if the present ones cannot. */
  readonly scenario: Scenario | undefined;
  /** Why the source or the overrides cannot be read or run. */
  readonly failure: WorkerFailure | undefined;
  /** Newest last. */
  readonly runs: readonly StudioRun[];
  /** The run that is shown in the scene and audited; a number of `runs`. */
  readonly current: number | undefined;
  /** Runs whose curves are drawn too. */
  readonly compared: readonly number[];
  /** Whether the plots show the current run less those compared with it. */
  readonly difference: boolean;
  readonly plots: readonly PlotSpec[];
  /** The plot that channels are added to. */
  readonly activePlot: number | undefined;
  /** The times that plots show; all if not given. */
  readonly zoom: readonly [number, number] | undefined;
  readonly selection: Selection | undefined;
  /** Of the scene and of the cursor of the plots, s. */
  readonly time: number;
  readonly playing: boolean;
  /** Small motions, while they are looked at; see modes.ts. */
  readonly modes: ModesPanelState | undefined;
  /** Cycles of the mode that the scene shows. */
  readonly phase: number;
  /** Seconds of motion per second. */
  readonly speed: number;
  readonly theme: "light" | "dark";
  /** Which things of the scene are drawn, by the name of the layer; see view/layers. */
  readonly layers: Readonly<Record<string, boolean>>;
  /** The body that the camera follows. */
  readonly followed: string | undefined;
}

export const INITIAL_STATE: StudioState = {
  library: [],
  page: "gallery",
  source: undefined,
  given: undefined,
  overrides: [],
  past: [],
  future: [],
  scenario: undefined,
  failure: undefined,
  runs: [],
  current: undefined,
  compared: [],
  difference: false,
  plots: [],
  activePlot: undefined,
  zoom: undefined,
  selection: undefined,
  time: 0,
  playing: false,
  modes: undefined,
  phase: 0,
  speed: 1,
  theme: "light",
  layers: {},
  followed: undefined,
};

export const currentRun = ({ runs, current }: Pick<StudioState, "runs" | "current">): StudioRun | undefined =>
  runs.find(({ id }) => id === current);

/** The mode that the scene shows. */
export const shownMode = ({ modes }: Pick<StudioState, "modes">): ModesResult["modes"][number] | undefined =>
  modes?.chosen === undefined ? undefined : modes.result?.modes[modes.chosen];
