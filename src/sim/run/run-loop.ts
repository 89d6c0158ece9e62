/** A run in progress: advances by one step, event or update at a time. */
import { AuditError, SingularError, StepError } from "../../errors.ts";
import { arraysEqual } from "../../math/linear/array-equal.ts";
import { refuseSaved } from "../../saved-data.ts";
import { settleFriction } from "../events/element-events.ts";
import type { EventFunction, LocatedEvent } from "../events/event-detector.ts";
import { interpolateState } from "../record/interpolate-state.ts";
import { isLaterPassage, SINGULARITY_PASSED } from "../singular/passage-events.ts";
import type { State } from "../state.ts";
import { LEDGER, SUPPLIED } from "../system/layout.ts";
import { type CallerInputs, writeCallerInputs } from "./caller-inputs.ts";
import { checkForChatter } from "./chatter.ts";
import { nextLoopStop } from "./fixed-steps/step-loop.ts";
import type { RunParts } from "./run-parts.ts";
import { type SavedRun, saveRun } from "./saved-run.ts";
import { stepFailure } from "./step-failure.ts";

/** How a run has ended by itself; undefined while it goes on. */
export type RunEnd = "complete" | "stopped by event" | undefined;

export class RunLoop {
  readonly parts: RunParts;
  readonly y: Float64Array;
  readonly #inputsBefore: Float64Array;
  #t: number;

  constructor(parts: RunParts, state: State) {
    this.parts = parts;
    this.y = Float64Array.from(state.y);
    this.#inputsBefore = new Float64Array(parts.workspace.held.length);
    this.#t = state.t;
  }

  get t(): number {
    return this.#t;
  }
  /** Starts the run at its state, with the first update of inputs and the first sample. */
  begin(): void {
    const { workspace, controllers, samples, growth, stepper, options } = this.parts;
    workspace.compileLoopsAt(this.#t, this.y);
    controllers.start(this.#t, this.y);
    growth.start(this.#t);
    this.#setInputLaw();
    this.#updateInputs("at the start");
    if (options.sample === undefined) samples.check(this.#t, this.y);
    else {
      samples.recordUpTo(this.#t, stepper);
      samples.recordOnce(this.#t, this.y);
    }
  }

  /** Continues a saved run: what follows is bit-identical to what would have followed the save. */
  continue(saved: SavedRun): void {
    this.#take(saved);
    if (this.parts.options.sample === undefined) return;
    this.parts.samples.record(this.#t, this.y); // the log of the continuation starts at the saved time
    this.#take(saved); // as if that sample had not been observed
  }

  #take({ state, audit, samples, peaks, growth, events }: SavedRun): void {
    const { parts } = this;
    const { t, y, discrete, method } = state;
    const run = discrete.run!;
    parts.workspace.enter(state);
    this.#t = t;
    this.y.set(y);
    parts.controllers.restore(run.controllers, t);
    parts.plan.restore(run.plan);
    parts.schedule.restore(run.schedule);
    this.#setInputLaw();
    if (audit !== undefined) parts.audit.restore(audit);
    if (samples !== undefined) parts.samples.restore(samples, t);
    if (peaks !== undefined) parts.peaks?.restore(peaks, t);
    if (growth === undefined) parts.growth.start(t);
    else parts.growth.restore(growth);
    parts.events.splice(0, parts.events.length, ...events);
    if (method?.integrator === parts.options.integrator.name) {
      parts.detector.restore(run.signs);
      parts.stepper.restore(method.stepper);
      if (parts.stepper.t !== t) refuseSaved("method.stepper.t", `must be the time of the state, ${t} s`, parts.stepper.t);
    } else {
      parts.workspace.compileLoopsAt(t, y);
      this.#restart();
    }
  }

  save(): SavedRun {
    return saveRun(this.parts, this.#t, this.y);
  }

  #setInputLaw(): void {
    const { workspace, controllers } = this.parts;
    workspace.inputLaw = controllers.inputVariation ? (t, y) => controllers.updateContinuous(t, y) : undefined;
  }

  /**
   * Advances by one step, event or update. The step does not pass `end`. With `reach`, a loop of fixed steps ends after the first step that
   * reaches it; other steps do not depend on it. A loop makes at most `most` samples.
   */
  advance(end = Number.POSITIVE_INFINITY, reach = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY): RunEnd {
    try {
      return this.#advance(end, reach, most);
    } catch (error) {
      if (!(error instanceof StepError || error instanceof SingularError || error instanceof AuditError)) throw error;
      throw this.parts.growth.explain(error, this.#t, this.y);
    }
  }

  #advance(end: number, reach: number, most: number): RunEnd {
    const { plan, schedule, controllers, detector, stepper, growth, sampledSteps, options } = this.parts;
    const planned = plan.next(this.#t);
    const change = Math.min(schedule.next(), controllers.next(), planned);
    const last = Math.min(options.duration, change, end, reach);
    if (sampledSteps?.rows.record(this.parts, sampledSteps, this.#t, last, most, this.#reach)) return undefined;
    this.#step(Math.min(options.duration, change, end), reach);
    growth.look(stepper.t, stepper.y, stepper.counts.steps);
    const located = detector.events.length > 0 ? detector.findFirst(stepper, this.y) : undefined;
    return located ? this.#handleEvent(located) : this.#finishStep(change, planned);
  }

  /** Takes the last of many samples. */
  readonly #reach = (t: number, y: Float64Array): void => {
    this.#accept(t, y);
    this.parts.plan.accept(t, y);
  };

  #step(end: number, reach: number): void {
    const { workspace, stepper, loopStep, manySteps, samples } = this.parts;
    try {
      if (manySteps) {
        const { stepper: many, step } = manySteps;
        many.stepMany(end, nextLoopStop(this.#t, end, samples.nextTime, step, reach));
      } else stepper.step(loopStep === undefined ? end : nextLoopStop(this.#t, end, samples.nextTime, loopStep, reach));
    } catch (error) {
      throw stepFailure(workspace, error, this.#t, stepper);
    }
  }

  #handleEvent({ event, t }: LocatedEvent): RunEnd {
    const { workspace, stepper, plan, detector, events, samples, peaks, options } = this.parts;
    const { y } = this;
    samples.recordUpTo(t, stepper);
    peaks?.scan(stepper, t);
    this.#t = t;
    interpolateState(workspace, stepper, t, y);
    for (let last = events.at(-1); last?.name === SINGULARITY_PASSED && isLaterPassage(last.t, t); last = events.at(-1))
      events.pop();
    events.push({ name: event.name, t });
    checkForChatter(events);
    const falseBefore = this.#falseJumpEvents();
    const others = detector.alsoAt(t, y);
    const isJump = plan.includes(event) || others.some((other) => plan.includes(other));
    if (isJump) this.#recordJump(t, "before");
    if (event.handle(t, y) === "stop" || this.#handleOthers(others)) return this.#stop();
    if (isJump) settleFriction(workspace, t, y);
    workspace.accept(t, y);
    this.#restart();
    if (isJump && t < options.duration) this.#recordJump(t, "after");
    return this.#handleJumpEvents(falseBefore);
  }

  /** Handles conditions that change at the same time as the located event. Returns true if one of them ends the run. */
  #handleOthers(conditions: readonly EventFunction[]): boolean {
    const { plan, events } = this.parts;
    if (conditions.some((condition) => plan.includes(condition))) plan.fire(this.#t, this.y);
    for (const condition of conditions) {
      if (plan.includes(condition)) continue;
      events.push({ name: condition.name, t: this.#t });
      if (condition.handle(this.#t, this.y) === "stop") return true;
    }
    return false;
  }

  #accept(t: number, y: Float64Array): void {
    this.#t = t;
    this.y.set(y);
    this.parts.workspace.accept(t, this.y);
  }

  /** After a step without events. @param change time of the next change of inputs @param planned time of the next planned event */
  #finishStep(change: number, planned: number): RunEnd {
    const { stepper, controllers, detector, plan, events, samples, peaks, options } = this.parts;
    const { y } = this;
    samples.recordUpTo(stepper.t, stepper);
    peaks?.scan(stepper, stepper.t);
    const { t } = stepper;
    this.#accept(t, stepper.y);
    if (t !== change) {
      if (detector.events.length > 0) detector.acceptStep();
      plan.accept(t, y);
      return this.#end();
    }
    const isJump = controllers.breaksAt(t) || t === planned;
    if (isJump) this.#recordJump(t, "before");
    const falseBefore = this.#falseJumpEvents();
    this.#updateInputs();
    if (isJump && t < options.duration) this.#recordJump(t, "after");
    const { finished } = controllers;
    if (finished === undefined) return this.#handleJumpEvents(falseBefore);
    events.push({ name: finished, t });
    return this.#stop();
  }

  /** Both sides of a jump are recorded, at the same time. */
  #recordJump(t: number, side: "before" | "after"): void {
    const { samples, options } = this.parts;
    if (options.sample === undefined) return;
    if (side === "before") samples.recordOnce(t, this.y);
    else samples.record(t, this.y);
  }

  /**
   * Changes held inputs: by the schedule, by planned events, then by controllers. The right-hand side jumps if an input does. If none does,
   * adaptive steps continue without a restart.
   */
  #updateInputs(when: "at the start" | "during the run" = "during the run"): void {
    const { workspace, schedule, plan, controllers, detector, growth, options } = this.parts;
    const [t, y] = [this.#t, this.y];
    const inputsBefore = this.#inputsBefore;
    workspace.inputLaw?.(t, y);
    inputsBefore.set(workspace.held);
    const eventsBefore = plan.timeline.length;
    this.parts.peaks?.jump(); // also values of controllers jump
    schedule.apply(t);
    if (when === "at the start") plan.begin(t);
    plan.fire(t, y);
    controllers.sample(t, y);
    const loopChange = controllers.requestedLoopChange();
    if (loopChange) {
      plan.applyLoopChange("controllers", t, y, loopChange);
      plan.fire(t, y);
    }
    workspace.inputLaw?.(t, y);
    growth.lookAtInputs(workspace.held);
    const isSame = plan.timeline.length === eventsBefore && workspace.held.every((value, i) => value === inputsBefore[i]);
    if (options.integrator.adaptive && workspace.friction.count === 0 && isSame && when === "during the run") {
      if (detector.events.length > 0) detector.acceptStep();
      return;
    }
    settleFriction(workspace, t, y);
    this.#restart();
  }

  /** Sets inputs of the caller. A change of stored energy comes from outside and is booked as supplied. */
  setInputs(inputs: CallerInputs, indices: ReadonlyMap<string, number>, changesEnergy: boolean): void {
    const { workspace } = this.parts;
    const { y } = this;
    const { held } = workspace;
    const before = changesEnergy ? workspace.observe(this.#t, y).potential : 0;
    this.#inputsBefore.set(held);
    writeCallerInputs(held, inputs, indices);
    if (arraysEqual(held, this.#inputsBefore)) return;
    if (changesEnergy) y[y.length - LEDGER + SUPPLIED]! += workspace.observe(this.#t, y).potential - before;
    settleFriction(workspace, this.#t, y);
    this.#restart();
  }

  #restart(): void {
    const { workspace, stepper, detector, peaks } = this.parts;
    peaks?.jump();
    workspace.restart(this.#t, this.y);
    stepper.restart(this.#t, this.y);
    detector.resetSigns(this.#t, this.y);
  }

  /** Events that count at jumps and are not true yet. */
  #falseJumpEvents(): readonly EventFunction[] {
    return this.parts.userEvents.filter((e) => e.atJumps && e.value(this.#t, this.y) >= 0);
  }

  /** Handles events that a jump has made true. They have no change of sign within a step. */
  #handleJumpEvents(falseBefore: readonly EventFunction[]): RunEnd {
    const { events } = this.parts;
    const [t, y] = [this.#t, this.y];
    for (const event of falseBefore) {
      if (!(event.value(t, y) < 0)) continue;
      events.push({ name: event.name, t });
      if (event.handle(t, y) === "stop") return this.#stop();
    }
    return this.#end();
  }

  /** The final state is recorded and audited, whatever the times of samples and steps are. */
  #end(): RunEnd {
    if (this.#t < this.parts.options.duration) return undefined;
    this.parts.samples.recordEnd(this.#t, this.y);
    return "complete";
  }

  #stop(): "stopped by event" {
    this.#recordJump(this.#t, "before"); // the log ends where the run stopped
    return "stopped by event";
  }
}
