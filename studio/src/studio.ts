/**
 * Actions on the open scenario and its runs: open, change, run, cancel, move the time. Panels read the store and call these actions. Other parts
 * of the state (layers, plots, comparison, undo steps, theme, selection) are set in the store by the modules that own them.
 */

import { loadScenario, type Override, type Scenario } from "castor/scenario";
import { builtInSource, filesOfSource, type ScenarioSource } from "./files/scenario-sources.ts";
import { ModesSession } from "./run/modes-session.ts";
import { OnDemandChannels } from "./run/on-demand-channels.ts";
import { automaticSpeed } from "./run/playback-speed.ts";
import { RunLog } from "./run/run-log.ts";
import { runLabel } from "./state/changes.ts";
import type { ReadView, SessionView } from "./state/session-view.ts";
import { currentRun, INITIAL_STATE, type RecordedRun, type StudioRun, type StudioState } from "./state/state.ts";
import { Store } from "./state/store.ts";
import { StudioError } from "./state/studio-error.ts";
import { toWorkerFailure } from "./worker/failure.ts";
import { type JobAnswer, type JobOptions, JobRunner } from "./worker/job-runner.ts";
import type { RunSummary, WorkerFailure } from "./worker/protocol.ts";

/** The parts of the state that are reset when another scenario or log is opened. */
const RESET_STATE = {
  fileChoice: undefined,
  past: [],
  future: [],
  compared: [],
  difference: false,
  plots: [],
  activePlot: undefined,
  zoom: undefined,
  modes: undefined,
  speed: undefined,
  loop: false,
  enlargedPlot: undefined,
  selection: undefined,
  followed: undefined,
  camera: undefined,
  layers: {},
  playing: false,
} as const satisfies Partial<StudioState>;

/** Minimum time between two updates of the page by a growing run, ms. Drawing competes with the run for the processor. */
const UPDATE_PERIOD = 250;

export class Studio {
  readonly store = new Store<StudioState>(INITIAL_STATE);
  readonly modes = new ModesSession(this.store);
  readonly #runner = new JobRunner();
  /** The view of the scenario that is being opened. */
  #openingView: SessionView | undefined;
  readonly #onDemand = new OnDemandChannels(this.#runner, (id) => this.#refresh(id));
  #lastRunId = 0;
  #cancel: (() => void) | undefined;
  /** The scenario that was read last. A settings field reads a change before it applies it, so the same scenario is read twice. */
  #lastRead:
    | { readonly source: ScenarioSource; readonly overrides: readonly Override[]; readonly scenario: Scenario }
    | undefined;
  /** Time of the last update of the page by a run, ms. */
  #lastUpdate = 0;

  constructor() {
    this.#runner.startWorker();
  }

  get state(): Readonly<StudioState> {
    return this.store.state;
  }

  showGallery(): void {
    this.store.set({ page: "gallery", playing: false });
  }

  openBuiltIn(name: string, overrides: readonly Override[] = []): void {
    const builtIn = this.state.library.find((b) => b.name === name);
    if (builtIn) this.open(builtInSource(builtIn), overrides);
    else this.showFailure(new StudioError(`there is no built-in scenario "${name}": choose one from the gallery`));
  }

  /** Opens a scenario and runs it, and then the runs to compare with. */
  open(source: ScenarioSource, overrides: readonly Override[] = [], { view, compared = [] }: Partial<ReadView> = {}): void {
    this.#cancel?.();
    this.store.set({
      page: "scenario",
      source,
      overrides,
      scenario: undefined,
      failure: undefined,
      runs: [],
      current: undefined,
      ...RESET_STATE,
      time: 0,
    });
    this.#openingView = view;
    this.change(overrides, runLabel(overrides));
    this.#openingView = undefined;
    for (const others of compared) this.#compareWith(others);
  }

  /** Opens a recorded log in place of what is open, with its scenario if there is one. */
  openLog(recorded: RecordedRun, source?: ScenarioSource): void {
    this.#cancel?.();
    let scenario: Scenario | undefined;
    let failure: WorkerFailure | undefined;
    if (source) {
      try {
        scenario = this.readScenario(source, []);
      } catch (error) {
        failure = toWorkerFailure(error);
      }
    }
    const run = this.#runOfLog(recorded, scenario);
    this.store.set({
      page: "scenario",
      source,
      overrides: [],
      scenario,
      failure,
      runs: [run],
      current: run.id,
      ...RESET_STATE,
      time: run.log.column("t")[0] ?? 0,
    });
  }

  /** Adds a recorded log to the runs of the open scenario, for comparison. */
  addLog(recorded: RecordedRun): void {
    const { scenario, runs, compared } = this.state;
    const run = this.#runOfLog(recorded, scenario);
    this.store.set({ runs: [...runs, run], compared: [...compared, run.id] });
  }

  #runOfLog(recorded: RecordedRun, scenario: Scenario | undefined): StudioRun {
    return { id: ++this.#lastRunId, ...recorded, scenario, overrides: [], status: "recorded", progress: 1 };
  }

  /** Reads a scenario with overrides. @throws ModelError */
  readScenario(source: ScenarioSource, overrides: readonly Override[]): Scenario {
    if (this.#lastRead?.source !== source || this.#lastRead.overrides !== overrides) {
      const { library } = this.state;
      if (source === this.state.source) this.#runner.readAhead({ source, library, overrides }); // it will be run: the worker reads it at the same time
      const scenario = loadScenario(source.text, source.path, { files: filesOfSource(source, library), overrides });
      this.#lastRead = { source, overrides, scenario };
    }
    return this.#lastRead.scenario;
  }

  /** Applies other overrides and runs again. If the scenario cannot be read with them, the failure is shown and the last run stays. */
  change(overrides: readonly Override[], label?: string): void {
    const { source } = this.state;
    if (source === undefined) return;
    let changes: Pick<StudioState, "overrides" | "scenario" | "failure">;
    try {
      changes = { overrides, scenario: this.readScenario(source, overrides), failure: undefined };
    } catch (error) {
      this.store.set({ overrides });
      this.showFailure(error);
      return;
    }
    if (this.state.scenario === undefined) this.store.set(changes); // sets the plots first: their channels are recorded
    if (this.#openingView) this.store.set(this.#openingView);
    this.run(label, changes);
  }

  /** Runs the open scenario, after the given changes of the state. Compared runs stay; all others are replaced. */
  run(label?: string, changes: Partial<StudioState> = {}): void {
    const { source, overrides, scenario, plots } = { ...this.state, ...changes };
    if (source === undefined || scenario === undefined) return;
    this.#cancel?.();
    const { run: newRun, cancel } = this.#start(source, scenario, overrides, label ?? runLabel(overrides), plots);
    const { id } = newRun;
    const comparedRuns = this.state.runs.filter((run) => this.state.compared.includes(run.id));
    this.store.set({ ...changes, runs: [...comparedRuns, newRun], current: id });
    this.#cancel = () => {
      this.#cancel = undefined;
      cancel();
      const run = this.state.runs.find((r) => r.id === id);
      if (run?.status === "running") this.#replace({ ...run, status: "cancelled" });
    };
  }

  /** Starts a job that simulates a scenario. The worker starts before the page redraws: both take a while. */
  #start(
    source: ScenarioSource,
    scenario: Scenario,
    overrides: readonly Override[],
    label: string,
    plots: StudioState["plots"],
  ): { readonly run: StudioRun; readonly cancel: () => void } {
    const id = ++this.#lastRunId;
    const shown = plots.flatMap(({ channels, x }) => (x === undefined ? channels : [...channels, x]));
    const available = new Set(scenario.available.map(({ name }) => name));
    const wanted = [...new Set([...shown, ...(currentRun(this.state)?.log.requested ?? [])])].filter((name) =>
      available.has(name),
    );
    const log = new RunLog(scenario.available, 0, []); // replaced when the first samples arrive
    for (const name of wanted) log.requested.add(name);
    const job = { source, overrides, library: this.state.library };
    const cancel = this.#runner.start("run", { ...job, wanted }, (answer) => this.#receive(id, answer, job));
    return { run: { id, label, scenario, overrides, log, status: "running", progress: 0 }, cancel };
  }

  /** Runs the open scenario with other changes, for comparison with the current run. */
  #compareWith(overrides: readonly Override[]): void {
    const { source, plots, runs, compared, scenario } = this.state;
    if (source === undefined || scenario === undefined) return;
    const { run } = this.#start(source, this.readScenario(source, overrides), overrides, runLabel(overrides), plots);
    const others = runs.filter(({ id }) => id !== this.state.current);
    const present = runs.filter(({ id }) => id === this.state.current);
    this.store.set({ runs: [...others, run, ...present], compared: [...compared, run.id] });
  }

  /** Ends the current run at once. Its samples stay. */
  cancel(): void {
    this.#cancel?.();
  }

  showFailure(error: unknown): void {
    this.store.set({ failure: toWorkerFailure(error) });
  }

  seek(time: number): void {
    const end = this.endTime();
    this.store.set({ time: Math.min(Math.max(this.startTime(), time), end) });
  }

  /** Time of the first sample of the current run, s: 0, except in some recorded logs. */
  startTime(): number {
    return currentRun(this.state)?.log.column("t")[0] ?? 0;
  }

  /** Time of the last sample of the current run, s. */
  endTime(): number {
    return currentRun(this.state)?.log.endTime ?? 0;
  }

  /** Duration of the current run, s: of the scenario while it is computed, of the log afterwards (an event may have ended it). */
  duration(): number {
    const run = currentRun(this.state);
    return run?.status === "running" ? (run.scenario?.duration ?? 0) : this.endTime() - this.startTime();
  }

  /** Playback speed: the chosen one, or one that fits the duration. */
  playbackSpeed(): number {
    return this.state.speed ?? automaticSpeed(this.duration());
  }

  /** Computes all samples of channels that the run has not recorded. @throws if they cannot be computed */
  completeChannels(run: StudioRun, names: readonly string[]): Promise<void> {
    return this.#onDemand.complete(run.log, names);
  }

  #receive(id: number, answer: JobAnswer, job: JobOptions): void {
    const run = this.state.runs.find((r) => r.id === id);
    if (run === undefined) return;
    if (answer.type === "channels") {
      const log = new RunLog(answer.channels ?? run.log.channels, answer.expected, answer.recorded);
      this.#onDemand.register(id, log, job);
      this.#replace({ ...run, log });
    } else if (answer.type === "samples") {
      const isFirst = run.log.length === 0;
      run.log.append(answer);
      if (isFirst) this.#replace({ ...run });
      this.#onDemand.computeMissing(run.log);
    } else if (answer.type === "progress") {
      if (performance.now() - this.#lastUpdate > UPDATE_PERIOD) this.#replace({ ...run, progress: answer.part });
    } else if (answer.type === "done") {
      if (id === this.state.current) this.#cancel = undefined;
      this.#replace({ ...run, status: endStatus(answer.summary), progress: 1, summary: answer.summary });
      if (id === this.state.current) this.#clampTimeAndZoom();
      if (answer.summary.failure) this.store.set({ failure: answer.summary.failure });
    } else if (answer.type === "failed") {
      if (id === this.state.current) this.#cancel = undefined;
      this.#replace({ ...run, status: "failed", failure: answer.failure });
      this.store.set({ failure: answer.failure });
    }
  }

  /** Moves time and zoom into the run, which may be shorter than the run before. */
  #clampTimeAndZoom(): void {
    const { time, zoom } = this.state;
    this.seek(time);
    if (zoom && zoom[0] >= this.endTime()) this.store.set({ zoom: undefined });
  }

  /** Notifies the page that the log of a run has more samples. */
  #refresh(id: number): void {
    const run = this.state.runs.find((r) => r.id === id);
    if (run) this.#replace({ ...run });
  }

  #replace(run: StudioRun): void {
    this.#lastUpdate = performance.now();
    this.store.set({ runs: this.state.runs.map((r) => (r.id === run.id ? run : r)) });
  }
}

function endStatus({ failure, end }: RunSummary): StudioRun["status"] {
  if (failure) return "failed";
  return end === "complete" ? "complete" : "stopped";
}
