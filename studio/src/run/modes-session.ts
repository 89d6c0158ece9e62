/** Small motions of what is open: which state they are about, what the worker finds, and which of them the scene shows. */
import { coordinateNames, type ModelError } from "castor";
import { currentRun, type StudioRun, type StudioState, shownMode } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { toWorkerFailure } from "../worker/failure.ts";
import { JobRunner } from "../worker/job-runner.ts";
import type { ModesJobOptions, ModesOperatingPoint, ModesResult, WorkerFailure } from "../worker/protocol.ts";
import { sampleIndexAt } from "./playback.ts";

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
const START = {
  options: { about: "state", locked: [], count: DEFAULT_MODE_COUNT },
  status: "computing",
  result: undefined,
  failure: undefined,
  chosen: undefined,
  amplitude: 0.15,
} as const satisfies ModesPanelState;

/** Delay before a computation when only the time has changed, ms. While the user drags the time, no results are computed in vain. */
const PAUSE = 150;

export class ModesSession {
  readonly #store: Store<StudioState>;
  readonly #runner = new JobRunner();
  #cancel: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Scenario, time and options of the last computation. */
  #asked: { readonly of: unknown; readonly at: number; readonly wanted: unknown } | undefined;

  constructor(store: Store<StudioState>) {
    this.#store = store;
    store.watch(["modes", "scenario", "runs", "current", "time", "playing", "page"], () => this.#follow());
  }

  open({ options: wanted, chosen }: ModesAddress = {}): void {
    const { modes } = this.#store.state;
    if (modes && wanted === undefined) return;
    this.#store.set({ playing: false, phase: 0, modes: { ...START, options: { ...START.options, ...wanted }, chosen } });
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
    const shown = chosen !== undefined && modes.result?.modes[chosen] !== undefined;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    // If the user prefers reduced motion, the mode stands still at its largest deflection.
    this.#store.set({ modes: { ...modes, chosen }, playing: shown && !still, phase: still ? 0.25 : phase });
  }

  setAmplitude(amplitude: number): void {
    const { modes } = this.#store.state;
    if (modes) this.#store.set({ modes: { ...modes, amplitude } });
  }

  cancel(): void {
    this.#end();
    this.#change({ status: "cancelled" });
  }

  recompute(): void {
    this.#asked = undefined;
    this.#follow();
  }

  /** Starts a computation if the scenario, the time or the options have changed. */
  #follow(): void {
    const { state } = this.#store;
    const { modes } = state;
    if (modes === undefined || state.page !== "scenario") {
      this.#end();
      this.#asked = undefined;
      return;
    }
    const run = currentRun(state);
    const scenario = run?.scenario ?? state.scenario;
    const runs = state.playing && shownMode(state) === undefined;
    if (scenario === undefined || runs) return;
    const at = timeOf(run, state.time);
    if (at < state.time && run?.status === "running") return; // the sample is not computed yet
    const before = this.#asked;
    if (before?.of === scenario && before.at === at && before.wanted === modes.options) return;
    this.#end();
    this.#asked = { of: scenario, at, wanted: modes.options };
    this.#change({ status: "computing", failure: undefined });
    const onlyTime = before?.of === scenario && before.wanted === modes.options;
    this.#timer = setTimeout(() => this.#ask(run), onlyTime ? PAUSE : 0);
  }

  #ask(run: StudioRun | undefined): void {
    const { source, library, modes, overrides, time } = this.#store.state;
    if (source === undefined || modes === undefined) return;
    try {
      const asked = { ...modes.options, state: stateAt(run, time) };
      this.#cancel = this.#runner.start(
        "modes",
        { source, overrides: run?.overrides ?? overrides, library, modes: asked },
        (answer) => {
          if (answer.type === "modes") this.#show(answer.found);
          else if (answer.type === "failed") this.#change({ status: "failed", failure: answer.failure, result: undefined });
        },
      );
    } catch (error) {
      this.#change({ status: "failed", failure: toWorkerFailure(error as ModelError), result: undefined });
    }
  }

  #show(found: ModesResult): void {
    this.#cancel = undefined;
    const { chosen } = this.#store.state.modes!;
    const vibrates = found.modes.findIndex(({ kind }) => kind !== "rigid");
    const first = chosen ?? (vibrates >= 0 ? vibrates : undefined);
    this.#change({ status: "ready", result: found });
    this.choose(first !== undefined && first < found.modes.length ? first : undefined);
  }

  #change(changes: Partial<ModesPanelState>): void {
    const { modes } = this.#store.state;
    if (modes) this.#store.set({ modes: { ...modes, ...changes } });
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** Time of the last sample up to `time`, s: the modes are computed about its state. */
function timeOf(run: StudioRun | undefined, time: number): number {
  const times = run?.log.column("t");
  return times === undefined || times.length === 0 ? 0 : times[sampleIndexAt(times, time)]!;
}

/** The state of that sample. Undefined at the start: the scenario contains it. @throws Error if a coordinate or speed was not recorded. */
function stateAt(run: StudioRun | undefined, time: number): ModesOperatingPoint | undefined {
  const t = timeOf(run, time);
  if (run?.scenario === undefined || t === 0) return undefined;
  const { log, scenario } = run;
  const i = sampleIndexAt(log.column("t"), time);
  const names = coordinateNames(scenario.model);
  const values = (kind: "q" | "u"): Float64Array =>
    Float64Array.from(names[kind], (name) => {
      const value = log.column(`${kind}.${name}`)[i];
      if (value === undefined)
        throw new Error(
          `the run did not record ${kind}.${name}, so modes can only be computed at its start: move the time to 0 s`,
        );
      return value;
    });
  return { q: values("q"), u: values("u"), t };
}
