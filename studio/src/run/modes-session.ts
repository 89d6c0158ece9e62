/** Small motions of what is open: which state they are about, what the worker finds, and which of them the scene shows. */
import { coordinateNames, type ModelError } from "castor";
import { currentRun, type StudioRun, type StudioState, shownMode } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { toWorkerFailure } from "../worker/failure.ts";
import { JobRunner } from "../worker/job-runner.ts";
import type { ModesJobOptions, ModesOperatingPoint, ModesResult, WorkerFailure } from "../worker/protocol.ts";
import { sampleIndexAt } from "./playback.ts";

/** The modes while they are looked at. */
export interface ModesPanelState {
  readonly options: Omit<ModesJobOptions, "state">;
  readonly status: "computing" | "ready" | "failed" | "cancelled";
  /** Those found last: they stay in sight while others are computed. */
  readonly result: ModesResult | undefined;
  readonly failure: WorkerFailure | undefined;
  /** The one that the scene shows, by its place in the table. */
  readonly chosen: number | undefined;
  /** How far it is shown to swing, in radii of the machine. */
  readonly amplitude: number;
}

/** What an address says of the modes. */
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

/** While the time is dragged, nothing is computed that would be thrown away, ms. */
const PAUSE = 150;

export class ModesSession {
  readonly #store: Store<StudioState>;
  readonly #runner = new JobRunner();
  #cancel: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What was asked last: the machine, the state and the options. */
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

  /** Back to the run. */
  close(): void {
    if (this.#store.state.modes === undefined) return;
    this.#store.set({ modes: undefined, playing: false });
  }

  /** Computes them with other options. */
  setOptions(changes: Partial<ModesPanelState["options"]>): void {
    const { modes } = this.#store.state;
    if (modes) this.#store.set({ modes: { ...modes, options: { ...modes.options, ...changes } } });
  }

  /** Shows one in the scene; none: the run. */
  choose(chosen: number | undefined): void {
    const { modes, phase } = this.#store.state;
    if (modes === undefined) return;
    const shown = chosen !== undefined && modes.result?.modes[chosen] !== undefined;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    // Where nothing shall move by itself, it is shown as far from its rest as it goes.
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

  /** Asks for what the page wants now, if it is something else than before. */
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
    if (at < state.time && run?.status === "running") return; // it is not there yet
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

/** The time of the sample that modes are about: the last that is not after the cursor. */
function timeOf(run: StudioRun | undefined, time: number): number {
  const times = run?.log.column("t");
  return times === undefined || times.length === 0 ? 0 : times[sampleIndexAt(times, time)]!;
}

/** The state of that sample; none at the start, which the scenario has itself. @throws Error if it was not recorded whole. */
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
        throw new Error(`the run did not record ${kind}.${name}: there are modes at its start only, at 0 s`);
      return value;
    });
  return { q: values("q"), u: values("u"), t };
}
