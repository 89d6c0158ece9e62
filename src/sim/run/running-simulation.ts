/** A run in progress: advances by one step, event or update at a time. */
import { ChatterError, SingularError, StepError } from "../../errors.ts";
import type { GrowingLog } from "../../log/log.ts";
import type { DiscreteState } from "../events/discrete-state.ts";
import { settleFriction } from "../events/element-events.ts";
import type { EventDetector, EventFunction, LocatedEvent } from "../events/event-detector.ts";
import type { EventPlan } from "../events/event-plan.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { Audit } from "../record/audit.ts";
import type { Recorder } from "../record/recorder.ts";
import { singularityError } from "../singular/singular-loops.ts";
import type { Workspace } from "../system/workspace.ts";
import type { ControllerRunner, TimedIntent } from "./controller-runner.ts";
import type { InputSchedule } from "./input-schedule.ts";
import { interpolateState, SampleRecorder, timeTolerance } from "./sample-recorder.ts";
import type { Simulation, SimulationRun } from "./simulation.ts";

/** Largest number of steps in one call of a step loop, so that a run can be interrupted. */
const MAX_STEPS_PER_CALL = 1000;
/** More events than this at one time are chatter, and end the run. */
const MAX_EVENTS_AT_ONE_TIME = 100;

export interface SimulationParts {
  readonly workspace: Workspace;
  readonly duration: number;
  readonly isAdaptive: boolean;
  /** Step of a step loop in WebAssembly; undefined if the integrator makes single steps. */
  readonly loopStep: number | undefined;
  readonly stepper: Stepper;
  readonly controllers: ControllerRunner;
  readonly schedule: InputSchedule;
  readonly plan: EventPlan;
  readonly detector: EventDetector;
  /** The user's events, which `detector` also watches. */
  readonly userEvents: readonly EventFunction[];
  readonly recorder: Recorder;
  readonly audit: Audit;
  /** Time between samples, s. */
  readonly interval: number;
  /** Events that have happened; the list grows. */
  readonly events: { readonly name: string; readonly t: number }[];
}

type AdvanceOutcome = ReturnType<Simulation["advance"]>;

export class RunningSimulation implements Simulation {
  readonly #parts: SimulationParts;
  readonly #samples: SampleRecorder;
  readonly #y: Float64Array;
  readonly #inputsBefore: Float64Array;
  #t = 0;

  /** Starts the run at t = 0, with the first update of inputs and the first sample. */
  constructor(parts: SimulationParts, y0: Float64Array) {
    const { workspace, recorder, audit, interval, stepper } = parts;
    this.#parts = parts;
    this.#samples = new SampleRecorder(workspace, recorder, audit, interval);
    this.#y = Float64Array.from(y0);
    this.#inputsBefore = new Float64Array(workspace.held.length);
    workspace.friction.setModesFromSpeeds(this.#y);
    this.#updateInputs();
    this.#samples.recordUpTo(0, stepper);
  }

  get t(): number {
    return this.#t;
  }

  get log(): GrowingLog {
    return this.#parts.recorder.log;
  }

  get intents(): readonly TimedIntent[] {
    return this.#parts.controllers.intents;
  }

  get phases(): readonly DiscreteState[] {
    return this.#parts.recorder.phases;
  }

  result(end: SimulationRun["end"]): SimulationRun {
    const { audit, plan, events, stepper } = this.#parts;
    return {
      log: this.log,
      audit: audit.rows,
      t: this.#t,
      y: Float64Array.from(this.#y),
      end,
      events,
      timeline: plan.timeline,
      waiting: plan.waiting,
      reasons: plan.reasons,
      intents: this.intents,
      phases: this.phases,
      counts: { ...stepper.counts },
    };
  }

  advance(): AdvanceOutcome {
    const { plan, schedule, controllers, duration, detector, stepper } = this.#parts;
    const planned = plan.next(this.#t);
    const change = Math.min(schedule.next(), controllers.next(), planned);
    this.#step(Math.min(duration, change));
    const located = detector.events.length > 0 ? detector.findFirst(stepper) : undefined;
    return located ? this.#handleEvent(located) : this.#finishStep(change, planned);
  }

  #step(end: number): void {
    const { workspace, stepper, loopStep } = this.#parts;
    try {
      stepper.step(loopStep === undefined ? end : this.#nextStop(end, loopStep));
    } catch (error) {
      if (!(error instanceof StepError || error instanceof SingularError)) throw error;
      throw this.#elementFailure() ?? singularityError(workspace, error, stepper.t, stepper.y);
    }
  }

  /** End of the next call of a step loop: the next sample, but at most MAX_STEPS_PER_CALL steps ahead. */
  #nextStop(end: number, step: number): number {
    const tolerance = timeTolerance(end);
    const sample = this.#samples.nextTime;
    const stop = sample < end - tolerance ? sample : end;
    const farthest = this.#t + MAX_STEPS_PER_CALL * step;
    return farthest < stop - tolerance ? farthest : stop;
  }

  /** The error of a step that failed because an element could not compute its loads. */
  #elementFailure(): StepError | undefined {
    const t = this.#t;
    const reasons = this.#parts.workspace.elementWarnings(t);
    return reasons.length > 0 ? new StepError(`the motion ends at t = ${+t.toFixed(6)} s: ${reasons.join("; ")}`, t) : undefined;
  }

  #handleEvent({ event, t }: LocatedEvent): AdvanceOutcome {
    const { workspace, stepper, plan, events, duration } = this.#parts;
    const y = this.#y;
    this.#samples.recordUpTo(t, stepper);
    this.#t = t;
    interpolateState(workspace, stepper, t, y);
    events.push({ name: event.name, t });
    checkForChatter(events);
    const falseBefore = this.#falseJumpEvents();
    const isJump = plan.includes(event);
    if (isJump) this.#samples.recordOnce(t, y);
    if (event.handle(t, y) === "stop") return this.#stop();
    if (isJump) settleFriction(workspace, t, y);
    workspace.accept(t, y);
    this.#restart();
    if (isJump && t < duration) this.#samples.record(t, y); // both sides of the jump, at the same time
    return this.#handleJumpEvents(falseBefore);
  }

  /** After a step without events. @param change time of the next change of inputs @param planned time of the next planned event */
  #finishStep(change: number, planned: number): AdvanceOutcome {
    const { workspace, stepper, controllers, detector, plan, events, duration } = this.#parts;
    const y = this.#y;
    this.#samples.recordUpTo(stepper.t, stepper);
    const t = stepper.t;
    this.#t = t;
    y.set(stepper.y);
    workspace.accept(t, y);
    if (t !== change) {
      if (detector.events.length > 0) detector.acceptStep();
      plan.accept(t, y);
      return t < duration ? undefined : "complete";
    }
    const isJump = controllers.breaksAt(t) || t === planned;
    if (isJump) this.#samples.recordOnce(t, y);
    const falseBefore = this.#falseJumpEvents();
    this.#updateInputs();
    if (isJump && t < duration) this.#samples.record(t, y); // both sides of the jump, at the same time
    const { finished } = controllers;
    if (finished === undefined) return this.#handleJumpEvents(falseBefore);
    events.push({ name: finished, t });
    return this.#stop();
  }

  /**
   * Changes held inputs: by the schedule, by planned events, then by controllers. The right-hand side jumps if an input does. If none does,
   * adaptive steps continue without a restart.
   */
  #updateInputs(): void {
    const { workspace, schedule, plan, controllers, detector, isAdaptive } = this.#parts;
    const [t, y] = [this.#t, this.#y];
    const inputsBefore = this.#inputsBefore;
    workspace.inputLaw?.(t, y);
    inputsBefore.set(workspace.held);
    const eventsBefore = plan.timeline.length;
    schedule.apply(t);
    plan.fire(t, y);
    controllers.sample(t, y);
    const loopChange = controllers.requestedLoopChange();
    if (loopChange) {
      plan.applyLoopChange("controllers", t, y, loopChange);
      plan.fire(t, y);
    }
    workspace.inputLaw?.(t, y);
    const isSame = plan.timeline.length === eventsBefore && workspace.held.every((value, i) => value === inputsBefore[i]);
    if (isAdaptive && workspace.friction.count === 0 && isSame && t > 0) {
      if (detector.events.length > 0) detector.acceptStep();
      return;
    }
    settleFriction(workspace, t, y);
    this.#restart();
  }

  #restart(): void {
    const { stepper, detector } = this.#parts;
    stepper.restart(this.#t, this.#y);
    detector.resetSigns(this.#t, this.#y);
  }

  /** Events that count at jumps and are not true yet. */
  #falseJumpEvents(): readonly EventFunction[] {
    return this.#parts.userEvents.filter((e) => e.atJumps && e.value(this.#t, this.#y) >= 0);
  }

  /** Handles events that a jump has made true. They have no change of sign within a step. */
  #handleJumpEvents(falseBefore: readonly EventFunction[]): AdvanceOutcome {
    const { events, duration } = this.#parts;
    const [t, y] = [this.#t, this.#y];
    for (const event of falseBefore) {
      if (!(event.value(t, y) < 0)) continue;
      events.push({ name: event.name, t });
      if (event.handle(t, y) === "stop") return this.#stop();
    }
    return t < duration ? undefined : "complete";
  }

  #stop(): "stopped by event" {
    this.#samples.recordOnce(this.#t, this.#y); // the log ends where the run stopped
    return "stopped by event";
  }
}

function checkForChatter(events: SimulationParts["events"]): void {
  const last = events.at(-1)!;
  const before = events.at(-MAX_EVENTS_AT_ONE_TIME);
  if (before && last.t - before.t < timeTolerance(last.t))
    throw new ChatterError(
      `${MAX_EVENTS_AT_ONE_TIME} events at t = ${last.t} s, the last "${last.name}": two laws contradict each other there. ` +
        "Give the conditions of the events a gap, so that an event does not cause the next one at the same time",
      last.t,
    );
}
