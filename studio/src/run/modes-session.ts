/** Computes modes for the Modes panel: chooses the state, starts the worker's job, and keeps the result and the chosen mode in the store. */

import { coordinateNames, ModelError } from "castor";
import { currentRun, type StudioRun, type StudioState, shownMode } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { StudioError } from "../state/studio-error.ts";
import { toWorkerFailure } from "../worker/failure.ts";
import { JobRunner } from "../worker/job-runner.ts";
import type { ModesJobOptions, ModesOperatingPoint, ModesResult, WorkerFailure } from "../worker/protocol.ts";
import { sampleIndexAt } from "./sample-index.ts";

/** State of the Modes panel. */
export interface ModesPanelState {
  readonly options: Omit<ModesJobOptions, "state">;
  readonly status: "computing" | "ready" | "failed" | "cancelled";
  /** The last result. It stays visible while the next one is computed. */
  readonly result: ModesResult | undefined;
  readonly failure: WorkerFailure | undefined;
  /** Index in the table of the mode that the scene shows. */
  readonly chosen: number | undefined;
  /** Amplitude in the scene, in radii of the machine. */
  readonly amplitude: number;
}

/** Options of the Modes panel in an address. */
export interface ModesAddress {
  readonly options?: Partial<ModesPanelState["options"]>;
  readonly chosen?: number | undefined;
}

export const DEFAULT_MODE_COUNT = 12;
const INITIAL = {
  options: { about: "state", locked: [], count: DEFAULT_MODE_COUNT },
  status: "computing",
  result: undefined,
  failure: undefined,
  chosen: undefined,
  amplitude: 0.15,
} as const satisfies ModesPanelState;

/** Delay before a computation when only the time has changed, ms. While the user drags the time, no results are computed in vain. */
const TIME_CHANGE_DELAY = 150;

export class ModesSession {
  readonly #store: Store<StudioState>;
  readonly #runner = new JobRunner();
  #cancel: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Index of the mode that a link asked for, until the modes are known. */
  #requested: number | undefined;
  /** Scenario, time and options of the last computation. */
  #lastRequest: { readonly scenario: unknown; readonly time: number; readonly options: unknown } | undefined;

  constructor(store: Store<StudioState>) {
    this.#store = store;
    store.watch(["modes", "scenario", "runs", "current", "time", "playing", "page"], () => this.#update());
  }

  open({ options, chosen }: ModesAddress = {}): void {
    const { modes } = this.#store.state;
    if (modes && options === undefined) return;
    this.#requested = chosen;
    this.#store.set({ playing: false, phase: 0, modes: { ...INITIAL, options: { ...INITIAL.options, ...options }, chosen } });
  }

  /** Closes the panel and shows the run again. */
  close(): void {
    if (this.#store.state.modes === undefined) return;
    this.#store.set({ modes: undefined, playing: false });
  }

  /** Computes the modes with other options. */
  setOptions(changes: Partial<ModesPanelState["options"]>): void {
    const { modes } = this.#store.state;
    if (modes) this.#store.set({ modes: { ...modes, options: { ...modes.options, ...changes } } });
  }

  /** Shows a mode in the scene. Undefined shows the run. */
  choose(chosen: number | undefined): void {
    const { modes, phase } = this.#store.state;
    if (modes === undefined) return;
    const isShown = chosen !== undefined && modes.result?.modes[chosen] !== undefined;
    const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    // If the user prefers reduced motion, the mode stands still at its largest deflection.
    this.#store.set({ modes: { ...modes, chosen }, playing: isShown && !reducedMotion, phase: reducedMotion ? 0.25 : phase });
  }

  setAmplitude(amplitude: number): void {
    const { modes } = this.#store.state;
    if (modes) this.#store.set({ modes: { ...modes, amplitude } });
  }

  cancel(): void {
    this.#stop();
    this.#change({ status: "cancelled" });
  }

  recompute(): void {
    this.#lastRequest = undefined;
    this.#update();
  }

  /** Starts a computation if the scenario, the time or the options have changed. */
  #update(): void {
    const { state } = this.#store;
    const { modes } = state;
    if (modes === undefined || state.page !== "scenario") {
      this.#stop();
      this.#lastRequest = undefined;
      return;
    }
    const run = currentRun(state);
    const scenario = run?.scenario ?? state.scenario;
    const isPlayingRun = state.playing && shownMode(state) === undefined;
    if (scenario === undefined || isPlayingRun) return;
    const time = sampleTime(run, state.time);
    if (time < state.time && run?.status === "running") return; // the sample is not computed yet
    const before = this.#lastRequest;
    if (before?.scenario === scenario && before.time === time && before.options === modes.options) return;
    this.#stop();
    this.#lastRequest = { scenario, time, options: modes.options };
    this.#change({ status: "computing", failure: undefined });
    const onlyTimeChanged = before?.scenario === scenario && before.options === modes.options;
    this.#timer = setTimeout(() => this.#compute(run), onlyTimeChanged ? TIME_CHANGE_DELAY : 0);
  }

  #compute(run: StudioRun | undefined): void {
    const { source, library, modes, overrides, time } = this.#store.state;
    if (source === undefined || modes === undefined) return;
    try {
      const options = { ...modes.options, state: operatingPoint(run, time) };
      this.#cancel = this.#runner.start(
        "modes",
        { source, overrides: run?.overrides ?? overrides, library, modes: options },
        (answer) => {
          if (answer.type === "modes") this.#receive(answer.result);
          else if (answer.type === "failed") this.#change({ status: "failed", failure: answer.failure, result: undefined });
        },
      );
    } catch (error) {
      this.#change({ status: "failed", failure: toWorkerFailure(error as ModelError), result: undefined });
    }
  }

  #receive(result: ModesResult): void {
    this.#cancel = undefined;
    const { chosen } = this.#store.state.modes!;
    const firstVibration = result.modes.findIndex(({ kind }) => kind !== "rigid");
    const shownIndex = chosen ?? (firstVibration >= 0 ? firstVibration : undefined);
    this.#change({ status: "ready", result });
    const requested = this.#requested ?? 0;
    this.#requested = undefined;
    if (requested >= result.modes.length && requested > 0) this.#noteMissing(requested, result.modes.length);
    this.choose(shownIndex !== undefined && shownIndex < result.modes.length ? shownIndex : undefined);
  }

  /** Says that the mode of a link does not exist. */
  #noteMissing(index: number, count: number): void {
    const message = count === 1 ? "there is only 1 mode" : `there are only ${count} modes`;
    this.#store.set({
      failure: toWorkerFailure(new ModelError("The link", [{ path: "mode", message, value: String(index + 1) }])),
    });
  }

  #change(changes: Partial<ModesPanelState>): void {
    const { modes } = this.#store.state;
    if (modes) this.#store.set({ modes: { ...modes, ...changes } });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** Time of the last sample up to `time`, s: the modes are computed about its state. */
function sampleTime(run: StudioRun | undefined, time: number): number {
  const times = run?.log.column("t");
  return times === undefined || times.length === 0 ? 0 : times[sampleIndexAt(times, time)]!;
}

/** The state of that sample. Undefined at the start: the scenario contains it. @throws Error if a coordinate or speed was not recorded. */
function operatingPoint(run: StudioRun | undefined, time: number): ModesOperatingPoint | undefined {
  const t = sampleTime(run, time);
  if (run?.scenario === undefined || t === 0) return undefined;
  const { log, scenario } = run;
  const i = sampleIndexAt(log.column("t"), time);
  const names = coordinateNames(scenario.model);
  const values = (kind: "q" | "u"): Float64Array =>
    Float64Array.from(names[kind], (name) => {
      const value = log.column(`${kind}.${name}`)[i];
      if (value === undefined)
        throw new StudioError(
          `the run did not record ${kind}.${name}, so modes can only be computed at its start: move the time to 0 s`,
        );
      return value;
    });
  return { q: values("q"), u: values("u"), t };
}
