/** A simulation: a system, its present state, and the scratch memory of one run. The caller advances it. */
import { checkNames, checkOptions, checkPositive, refuseArgument } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import { dependsOnInput } from "../../kernel/trace/dependence.ts";
import type { GrowingLog } from "../../log/log.ts";
import type { TimelineEntry } from "../events/event-actions.ts";
import { type PlannedStep, plannedStep, setPlan } from "../integrators/explicit/planned-step.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { AuditRow } from "../record/audit.ts";
import type { ChannelReader } from "../record/channel-reader.ts";
import type { Peak } from "../record/peaks/peak-options.ts";
import type { Phase } from "../record/phases.ts";
import { channelReader } from "../record/recorder.ts";
import type { State } from "../state.ts";
import { observationProgram } from "../system/motion-program.ts";
import { checkState, indexOfNames } from "../system/start-state.ts";
import { openWorkspace, type System } from "../system/system.ts";
import type { Workspace } from "../system/workspace.ts";
import type { TimedIntent } from "./controller-runner.ts";
import { type RunEnd, RunLoop } from "./run-loop.ts";
import { type ResolvedOptions, resolveOptions, type SimulationOptions } from "./run-options.ts";
import { createRunParts } from "./run-parts.ts";
import { asSavedRun, type SavedRun } from "./saved-run.ts";

/** Results of a run. */
export interface SimulationRun {
  readonly log: GrowingLog;
  readonly audit: readonly AuditRow[];
  /** Final t, y and state. */
  readonly t: number;
  readonly y: Float64Array;
  /** Final coordinates and speeds: the first components of y. */
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly state: State;
  /** "paused": at a time that the caller gave. "interrupted": by the caller, by an error, or by a limit on steps or wall time. */
  readonly end: "complete" | "stopped by event" | "paused" | "interrupted";
  readonly events: readonly { readonly name: string; readonly t: number }[];
  /** Planned events that have happened, in order, with their impulses and energy losses. */
  readonly timeline: readonly TimelineEntry[];
  /** Planned events that have not happened. */
  readonly waiting: readonly string[];
  /** Reasons why they have not happened, where known. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Intents of controllers, each valid from its time until the next one of the same controller. */
  readonly intents: readonly TimedIntent[];
  /** Discrete states of a replayable run: engaged loops and friction modes, from sample to sample. */
  readonly phases: readonly Phase[];
  readonly counts: Stepper["counts"];
  /** Peaks of the channels in `options.peaks`, on the continuous motion. A continued run includes those before its save. */
  readonly peaks: readonly Peak[];
}

/** One step of the caller's own control loop. */
export interface ControlStep {
  /** Time to advance, s. */
  readonly dt: number;
  /** Held inputs to change, by name ("element.input"), or all of them in the order of `System.inputs`. They are held until the next change. */
  readonly inputs?: Readonly<Record<string, number>> | readonly number[] | Float64Array;
}

export class Simulation {
  readonly system: System;
  readonly #options: ResolvedOptions;
  readonly #workspace: Workspace;
  #loop: RunLoop;
  #end: RunEnd;
  /** True if a held input changes the stored energy, as the rest length of a spring does. */
  readonly #inputsChangeEnergy: boolean;
  readonly #inputIndices: ReadonlyMap<string, number>;
  readonly #readers: { readonly names: readonly string[]; readonly reader: ChannelReader }[] = [];

  /**
   * Starts a run at a state (see `System.start` and `assemble`), or continues a saved run bit for bit.
   * @throws ArgumentError, FormatError or ModelError if the state or an option does not fit; AuditError if the state is not valid
   */
  constructor(system: System, from: State | SavedRun, options: SimulationOptions = {}) {
    this.#workspace = openWorkspace(system);
    this.#options = resolveOptions(options, this.#workspace.methods);
    this.system = system;
    this.#inputIndices = indexOfNames(system.inputs);
    this.#inputsChangeEnergy =
      dependsOnInput(observationProgram(system.layout).program, "energy", "held") ||
      system.layout.elements.some(({ apply, held }) => apply !== undefined && held !== undefined);
    this.#loop = this.#begin(from);
    setPlan(this, () => (this.#end === undefined ? plannedIn(this.#loop) : undefined));
  }

  get t(): number {
    return this.#loop.t;
  }

  /** Coordinates, speeds, internal states and ledger at t: a copy. */
  get y(): Float64Array {
    return this.#loop.y.slice();
  }

  /** Coordinates at t: a copy. */
  get q(): Float64Array {
    return this.#loop.y.slice(0, this.system.layout.nq);
  }

  /** Speeds at t: a copy. */
  get u(): Float64Array {
    const { nq, nu } = this.system.layout;
    return this.#loop.y.slice(nq, nq + nu);
  }

  /** The samples so far; the log grows. */
  get log(): GrowingLog {
    return this.#loop.parts.recorder.log;
  }

  /** The audit so far. */
  get audit(): readonly AuditRow[] {
    return this.#loop.parts.audit.rows;
  }

  /** Peaks so far of the channels in `options.peaks`. */
  get peaks(): readonly Peak[] {
    return this.#loop.parts.peaks?.all ?? [];
  }

  /** Intents of controllers so far; the list grows. */
  get intents(): readonly TimedIntent[] {
    return this.#loop.parts.controllers.intents;
  }

  /** Phases of a replayable run so far; the list grows. */
  get phases(): readonly Phase[] {
    return this.#loop.parts.recorder.phases;
  }

  /** How the run has ended; undefined while it goes on. */
  get end(): RunEnd {
    return this.#end;
  }

  /** Starts again, at a state or at a saved run. The log and the audit begin anew. */
  reset(from: State | SavedRun): void {
    this.#loop = this.#begin(from);
    this.#end = undefined;
    this.#readers.length = 0;
  }

  /**
   * Advances by one step of the integrator, one event or one update. Returns how the run has ended, or undefined. With `reach`, the last of a
   * loop of fixed steps is the first one that reaches this time; it changes no step. A loop of fixed steps may make several samples; `samples`
   * is their largest number.
   * @throws ArgumentError if the run has no duration or has ended; AuditError, StepError, SingularError, EngagementError, ChatterError
   */
  advance(reach?: number, samples = Number.POSITIVE_INFINITY): RunEnd {
    if (this.#options.duration === Number.POSITIVE_INFINITY)
      throw new ArgumentError("advance", "the run has no duration. Give options.duration, or use step({ dt })");
    if (reach !== undefined && !(typeof reach === "number" && reach > Number.NEGATIVE_INFINITY))
      refuseArgument("reach", "a time in s", reach);
    if (!(samples >= 1)) refuseArgument("samples", "a number of samples", samples);
    this.#checkNotEnded("advance");
    this.#end = this.#loop.advance(undefined, reach, samples);
    return this.#end;
  }

  /**
   * Sets inputs and advances by exactly `dt`: for the caller's own control loop. Returns how the run has ended, or undefined. Every state at the
   * end of a call is audited. @throws as `advance`
   */
  step(options: ControlStep): RunEnd {
    checkControlStep(options);
    const { dt, inputs } = options;
    this.#checkNotEnded("step");
    const loop = this.#loop;
    if (inputs !== undefined) loop.setInputs(inputs, this.#inputIndices, this.#inputsChangeEnergy);
    const end = loop.t + dt;
    while (loop.t < end && this.#end === undefined) this.#end = loop.advance(end);
    if (this.#options.sample === undefined) loop.parts.samples.check(loop.t, loop.y);
    return this.#end;
  }

  /**
   * Values of channels at the present state, in the order of their names. A name with * stands for all channels that match it.
   * @throws ModelError if there is no such channel
   */
  observe(channels: readonly string[]): Float64Array {
    const { read, size } = this.#readerOf(channels);
    return read(this.#loop.t, this.#loop.y, new Float64Array(size));
  }

  /** The reader of these channels. Readers are kept, because a control loop observes the same channels again and again. */
  #readerOf(channels: readonly string[]): ChannelReader {
    const isSame = (names: readonly string[]): boolean => {
      if (names.length !== channels.length) return false;
      for (let i = 0; i < names.length; i++) if (names[i] !== channels[i]) return false;
      return true;
    };
    if (Array.isArray(channels)) for (const { names, reader } of this.#readers) if (isSame(names)) return reader;
    checkNames("channels", channels, "names of channels");
    const reader = channelReader(this.#workspace, channels, this.#loop.parts.controllers);
    this.#readers.push({ names: [...channels], reader });
    return reader;
  }

  /** The present state: a copy that the run does not change. */
  get state(): State {
    return this.save().state;
  }

  /** Everything that continues this run bit for bit, as plain data: `new Simulation(system, saved, options)`. */
  save(): SavedRun {
    return this.#loop.save();
  }

  /** The results so far, also after an error. */
  result(end: SimulationRun["end"] = this.#end ?? "interrupted"): SimulationRun {
    const { audit, plan, events, stepper } = this.#loop.parts;
    return {
      log: this.log,
      audit: audit.rows,
      t: this.t,
      y: this.y,
      q: this.q,
      u: this.u,
      state: this.state,
      end,
      events,
      timeline: plan.timeline,
      waiting: plan.waiting,
      reasons: plan.reasons,
      intents: this.intents,
      phases: this.phases,
      counts: { ...stepper.counts },
      peaks: this.peaks,
    };
  }

  #begin(from: State | SavedRun): RunLoop {
    const saved = asSavedRun(from);
    const { state } = saved ?? { state: from as State };
    checkState(this.system, state);
    const { duration } = this.#options;
    if (!(state.t < duration))
      throw new ArgumentError("options.duration", `the run starts at t = ${state.t} s, at or after its end at ${duration} s`);
    const { integrator, settings } = this.#options;
    if (!saved && !integrator.adaptive && settings.step !== undefined) checkFixedStep(settings.step, duration - state.t);
    this.#workspace.enter(state);
    const loop = new RunLoop(createRunParts(this.#workspace, state, this.#options), state);
    if (saved) loop.continue(saved);
    else loop.begin();
    return loop;
  }

  #checkNotEnded(call: string): void {
    if (this.#end !== undefined)
      throw new ArgumentError(call, `the run has ended (${this.#end}) at t = ${this.t} s. Use reset(state) to start again`);
  }
}

/** The step that `advance()` makes next, if it can be computed together with that of another run. */
function plannedIn({ t, parts: { plan, schedule, controllers, stepper, options } }: RunLoop): PlannedStep | undefined {
  return plannedStep(stepper, Math.min(options.duration, schedule.next(), controllers.next(), plan.next(t)));
}

/** Refuses fixed steps that are longer than the run. Steps are shortened to the end, so that the chosen step would not be in use. */
function checkFixedStep(step: number, time: number): void {
  if (step <= time * (1 + 1e-9)) return;
  throw new ArgumentError("options.settings.step", `must not be longer than the run, which takes ${time} s, got ${step}`);
}

/** @throws ArgumentError. Allocates nothing, because control loops call it at every step. */
function checkControlStep(options: ControlStep): void {
  let isKnown = typeof options === "object" && options !== null && !Array.isArray(options);
  for (const key in options) if (key !== "dt" && key !== "inputs") isKnown = false;
  if (!isKnown) checkOptions("options", options, ["dt", "inputs"]);
  checkPositive("options.dt", options.dt);
}
