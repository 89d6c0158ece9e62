/** The state of the studio: everything that the page shows. It is kept in one store; see store.ts. */
import type { Override, Scenario } from "castor/scenario";
import type { AuditRow } from "castor/sim";
import type { BuiltInScenario, ScenarioSource } from "../files/scenario-sources.ts";
import type { ModesPanelState } from "../run/modes-session.ts";
import type { RunLog } from "../run/run-log.ts";
import type { ModesResult, RunSummary, WorkerFailure } from "../worker/protocol.ts";

/** A row of the audit in summary.json of `castor run`. */
export type RecordedAudit = Pick<AuditRow, "channel" | "worst" | "at" | "tolerance">;

/** A run that was read from a file. */
export interface RecordedRun {
  readonly log: RunLog;
  readonly label: string;
  readonly audit: readonly RecordedAudit[] | undefined;
}

export interface StudioRun {
  readonly id: number;
  /** Text that identifies the run: "as in the file", "model.bodies.hand.mass=35 kg", "log.csv". */
  readonly label: string;
  /** Undefined for a log that was opened without its scenario. */
  readonly scenario: Scenario | undefined;
  readonly overrides: readonly Override[];
  /** Gets more samples while the run goes on. */
  readonly log: RunLog;
  /** "recorded" is a log from a file. */
  readonly status: "running" | "complete" | "stopped" | "cancelled" | "failed" | "recorded";
  /** Fraction of the run that is done, 0 to 1. */
  readonly progress: number;
  /** Set when the run has ended. */
  readonly summary?: RunSummary;
  /** Audit from the summary.json next to a recorded log. */
  readonly audit?: readonly RecordedAudit[] | undefined;
  readonly failure?: WorkerFailure;
}

/** A plot of channels against time. */
export interface PlotSpec {
  readonly id: number;
  readonly title: string;
  /** Channel names in the order of their colours. A channel that a run does not have is not drawn. */
  readonly channels: readonly string[];
  /** Display unit, for channels of the same dimension. Undefined: the unit of the log. */
  readonly unit: string | undefined;
  readonly scale: "linear" | "log";
  /** Channel of the horizontal axis. Undefined: time. */
  readonly x?: string;
  /** Visible range of the vertical axis, in the display unit of the first curve. Undefined: all values. */
  readonly range?: readonly [number, number];
}

/** Place of the camera and the point that it looks at, in the scene, m. */
export interface CameraView {
  readonly position: readonly [number, number, number];
  readonly target: readonly [number, number, number];
}

/** Several scenarios or models were opened together, and only one can be shown. */
export interface FileChoice {
  readonly kind: "scenario" | "model";
  /** Paths of all files, and of the one that is shown. */
  readonly paths: readonly string[];
  readonly shown: string;
  /** Shows another file. */
  open(path: string): void;
}

/** The selected part of the model. Names are unique within a kind. */
export interface Selection {
  readonly kind: "body" | "hinge" | "frame" | "loop" | "force" | "controller";
  readonly name: string;
}

export interface StudioState {
  readonly library: readonly BuiltInScenario[];
  /** "gallery" shows the built-in scenarios, "scenario" the open scenario or log. */
  readonly page: "gallery" | "scenario";
  readonly source: ScenarioSource | undefined;
  /** The other files that were opened together with the source. */
  readonly fileChoice: FileChoice | undefined;
  /** Changes of the source, as `--set` makes them. An edit replaces the list. */
  readonly overrides: readonly Override[];
  /** Lists of overrides for undo and redo, nearest last. */
  readonly past: readonly (readonly Override[])[];
  readonly future: readonly (readonly Override[])[];
  /** The scenario of `source` and `overrides`. If these cannot be read, the last one that could. */
  readonly scenario: Scenario | undefined;
  /** Why the source cannot be read or run with the overrides. */
  readonly failure: WorkerFailure | undefined;
  /** Runs in the order in which they started. */
  readonly runs: readonly StudioRun[];
  /** `id` of the run that the scene and the audit show. */
  readonly current: number | undefined;
  /** Ids of the runs whose curves are drawn for comparison. */
  readonly compared: readonly number[];
  /** True if the plots show the current run minus each compared run. */
  readonly difference: boolean;
  readonly plots: readonly PlotSpec[];
  /** `id` of the plot to which channels are added. */
  readonly activePlot: number | undefined;
  /** `id` of the plot that fills the region of the plots. */
  readonly enlargedPlot: number | undefined;
  /** First and last time in the plots, s. Undefined: the whole run. */
  readonly zoom: readonly [number, number] | undefined;
  readonly selection: Selection | undefined;
  /** Time of the scene and of the cursor in the plots, s. */
  readonly time: number;
  readonly playing: boolean;
  /** State of the Modes panel while it is open; see run/modes-session.ts. */
  readonly modes: ModesPanelState | undefined;
  /** Phase of the mode that the scene shows, cycles. */
  readonly phase: number;
  /** Playback speed: simulated seconds per second. Undefined: the run plays in about ten seconds; see run/playback-speed.ts. */
  readonly speed: number | undefined;
  /** True if playback starts again after the last sample. */
  readonly loop: boolean;
  readonly theme: "light" | "dark";
  /** Quality of the scene. Undefined: full, or reduced on slow graphics. */
  readonly quality: "full" | "reduced" | undefined;
  /** Layers that the user switched on or off, by id; see view/layers. */
  readonly layers: Readonly<Record<string, boolean>>;
  /** Name of the body that the camera follows. */
  readonly followed: string | undefined;
  /** The view that the user has chosen. Undefined: the scene chooses it. */
  readonly camera: CameraView | undefined;
}

export const INITIAL_STATE: StudioState = {
  library: [],
  page: "gallery",
  source: undefined,
  fileChoice: undefined,
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
  enlargedPlot: undefined,
  zoom: undefined,
  selection: undefined,
  time: 0,
  playing: false,
  modes: undefined,
  phase: 0,
  speed: undefined,
  loop: false,
  theme: "light",
  quality: undefined,
  layers: {},
  followed: undefined,
  camera: undefined,
};

export const currentRun = ({ runs, current }: Pick<StudioState, "runs" | "current">): StudioRun | undefined =>
  runs.find(({ id }) => id === current);

/** The mode that the scene shows, if it shows one. */
export const shownMode = ({ modes }: Pick<StudioState, "modes">): ModesResult["modes"][number] | undefined =>
  modes?.chosen === undefined ? undefined : modes.result?.modes[modes.chosen];

/** Identity of the open scenario or log, to detect that another one was opened. */
export const openItem = (state: StudioState): object | undefined => state.source ?? currentRun(state)?.log;
