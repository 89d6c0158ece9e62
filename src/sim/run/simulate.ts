/** Runs a system through time: steps, samples of controllers, schedules, events, recording, audit. */

import { SingularError } from "../../errors.ts";
import type { GrowingLog } from "../../log/log.ts";
import type { DiscreteState } from "../events/discrete-state.ts";
import { frictionEvents, settleFriction, surfaceEvents } from "../events/element-events.ts";
import { switchEvents } from "../events/element-switches.ts";
import { EventDetector, type EventFunction } from "../events/event-detector.ts";
import { EventPlan, type PlannedEvent, setInputs, type TimelineEntry } from "../events/event-plan.ts";
import { type Integrator, type IntegratorOptions, StepError, type Stepper } from "../integrators/integrator.ts";
import { Audit, type AuditRow, type AuditTolerances } from "../record/audit.ts";
import { Recorder, type RecorderOptions } from "../record/recorder.ts";
import { singularityError } from "../singular/singular-loops.ts";
import { SINGULARITY_PASSED, singularityStepper } from "../singular/singularity-stepper.ts";
import type { System } from "../system/system.ts";
import type { Controller } from "./controller.ts";
import { ControllerRunner, type TimedIntent } from "./controller-runner.ts";
import { InputSchedule } from "./input-schedule.ts";
import { isMultipleOf, loopStepper, stepLoop } from "./step-loop.ts";

export interface SimulationOptions extends RecorderOptions {
  readonly duration: number;
  readonly integrator: Integrator;
  readonly settings?: IntegratorOptions;
  /** Time between recorded samples. Default: the step of a fixed-step integrator, else a 500th of the duration. */
  readonly sample?: number;
  readonly controllers?: readonly Controller[];
  readonly events?: readonly EventFunction[];
  /** What is planned to happen: loops that take hold, controllers that are switched. */
  readonly plan?: readonly PlannedEvent[];
  /** The mode that the plan begins in. */
  readonly mode?: string;
  /** Held inputs at the start by name, as "element.input"; 0 where nothing is given. Schedules, plans and controllers change them. */
  readonly inputs?: Readonly<Record<string, number>>;
  readonly tolerances?: AuditTolerances;
  /** Called now and then; "stop" ends the run cleanly with what was simulated. */
  readonly progress?: (t: number) => "stop" | undefined;
}

export interface SimulationRun {
  readonly log: GrowingLog;
  readonly audit: readonly AuditRow[];
  /** Final t and y. */
  readonly t: number;
  readonly y: Float64Array;
  readonly end: "complete" | "stopped by event" | "interrupted";
  readonly events: readonly { readonly name: string; readonly t: number }[];
  /** What was planned and has happened, in order, with impulses and what they cost. */
  readonly timeline: readonly TimelineEntry[];
  /** What was planned and has not happened. */
  readonly waiting: readonly string[];
  /** Why, as far as that is known. */
  readonly reasons: Readonly<Record<string, string>>;
  /** What controllers had in mind, each from its time on until the next of the same controller. */
  readonly intents: readonly TimedIntent[];
  /** Of a run that is replayable: which loops held and which friction stuck, from sample to sample. */
  readonly phases: readonly DiscreteState[];
  readonly counts: Stepper["counts"];
}

/** Sample times and step times that differ by rounding only are the same. */
const SAME_TIME = 1e-12;
const MAX_STEPS_PER_CALL = 1000;
/** Room is made for so many samples at most before there are any; and for so many besides those at regular times: jumps have two. */
const MAX_EXPECTED_SAMPLES = 2 ** 16;
const EXPECTED_JUMP_SAMPLES = 100;
/** More changes of mode than this at one time are chatter, and end the run. */
const MAX_EVENTS_AT_ONE_TIME = 100;

/** A run that goes on when it is told to, so that whoever runs it can do other things in between. */
export interface Simulation {
  readonly t: number;
  /** The samples so far; it grows. */
  readonly log: GrowingLog;
  /** What controllers have had in mind so far; it grows. */
  readonly intents: readonly TimedIntent[];
  /** Of a run that is replayable; it grows. */
  readonly phases: readonly DiscreteState[];
  /** One step, event or update further; how the run ended once it has. Throws AuditError or StepError. */
  advance(): Exclude<SimulationRun["end"], "interrupted"> | undefined;
  /** What has been simulated so far, after an error too. */
  result(end: SimulationRun["end"]): SimulationRun;
}

/** Simulates from y0 at t = 0. Throws AuditError or StepError when the motion cannot be trusted. */
export function simulate(system: System, y0: Float64Array, options: SimulationOptions): SimulationRun {
  const simulation = beginSimulation(system, y0, options);
  for (;;) {
    const end = simulation.advance();
    if (end !== undefined) return simulation.result(end);
    if (options.progress?.(simulation.t) === "stop") return simulation.result("interrupted");
  }
}

/** The same, step by step. */
export function beginSimulation(system: System, y0: Float64Array, options: Omit<SimulationOptions, "progress">): Simulation {
  const { duration, integrator, settings = {} } = options;
  if (!(duration > 0 && Number.isFinite(duration)))
    throw new RangeError(`the duration must be positive and finite, got ${duration}`);
  const interval = options.sample ?? (integrator.adaptive ? duration / 500 : (settings.step ?? duration / 500));
  if (!(interval > 0 && Number.isFinite(interval)))
    throw new RangeError(`the sample interval must be positive and finite, got ${interval}`);

  system.begin();
  setInputs(system, options.inputs);
  const controllers = new ControllerRunner(system, options.controllers ?? [], y0);
  system.inputLaw = controllers.inputVariation ? (at, state) => controllers.updateContinuous(at, state) : undefined;
  const { jacobian, ...others } = system.problem;
  // A law in numbers has no traced derivative.
  const problem = jacobian && controllers.inputVariation !== "with the state" ? { ...others, jacobian } : others;
  const schedule = new InputSchedule(system);
  const plan = new EventPlan(system, [...switchEvents(system), ...(options.plan ?? [])], controllers, options.mode);
  const watch = new EventDetector(
    [
      ...frictionEvents(system),
      ...surfaceEvents(system, integrator.adaptive ? "adaptive" : "fixed"),
      ...plan.conditions,
      ...(options.events ?? []),
    ],
    system.layout.ny,
  );
  const recorder = new Recorder(
    system,
    options,
    controllers,
    y0,
    Math.min(MAX_EXPECTED_SAMPLES, duration / interval + EXPECTED_JUMP_SAMPLES),
  );
  const audit = new Audit(system, options.tolerances);
  const happened: { name: string; t: number }[] = [];
  const y = Float64Array.from(y0);
  const sampled = new Float64Array(y.length);
  const loop =
    watch.events.length === 0 && !system.inputLaw && isMultipleOf(interval, settings.step ?? 0)
      ? stepLoop(system, integrator)
      : undefined;
  const stepper = loop
    ? loopStepper(system, integrator, settings, loop)
    : singularityStepper(system, integrator.start(problem, settings), integrator, settings, (at) =>
        happened.push({ name: SINGULARITY_PASSED, t: at }),
      );
  let t = 0;
  let samples = 0;
  let lastSample = -1;

  const inputs = new Float64Array(system.held.length);
  /**
   * Held inputs change: by schedule, by what is planned, then by controllers. The right-hand side jumps where an input does; where none has,
   * adaptive steps go on as they were.
   */
  const update = (): void => {
    system.inputLaw?.(t, y);
    inputs.set(system.held);
    const before = plan.timeline.length;
    schedule.apply(t);
    plan.fire(t, y);
    controllers.sample(t, y);
    const wanted = controllers.requestedLoopChange();
    if (wanted) {
      plan.applyLoopChange("controllers", t, y, wanted);
      plan.fire(t, y);
    }
    system.inputLaw?.(t, y);
    const same = plan.timeline.length === before && system.held.every((value, i) => value === inputs[i]);
    if (integrator.adaptive && system.friction.count === 0 && same && t > 0) {
      if (watch.events.length > 0) watch.acceptStep();
      return;
    }
    settleFriction(system, t, y);
    restart();
  };
  const restart = (): void => {
    stepper.restart(t, y);
    watch.resetSigns(t, y);
  };
  const record = (at: number, state: Float64Array): void => {
    const seen = system.observe(at, state);
    audit.check(at, state, seen);
    lastSample = at;
    recorder.record(at, state, seen, audit.balance(state, seen));
  };
  const stateWithin = (at: number, out: Float64Array): void => {
    stepper.interpolate(at, out);
    if (!stepper.onManifold) system.problem.project?.(out, at);
  };
  /** Records every sample up to a time within the last step. */
  const recordTo = (end: number): void => {
    const reach = end + SAME_TIME * Math.max(1, end);
    for (let at = samples * interval; at <= reach; at = ++samples * interval) {
      if (at >= stepper.t - SAME_TIME * Math.max(1, at)) sampled.set(stepper.y);
      else {
        stateWithin(Math.max(at, stepper.previous), sampled);
      }
      record(at, sampled);
    }
  };
  const result = (end: SimulationRun["end"]): SimulationRun => ({
    log: recorder.log,
    audit: audit.rows,
    t,
    y: Float64Array.from(y),
    end,
    events: happened,
    timeline: plan.timeline,
    waiting: plan.waiting,
    reasons: plan.reasons,
    intents: controllers.intents,
    phases: recorder.phases,
    counts: { ...stepper.counts },
  });

  /** A loop goes to the next sample, but not for so many steps that nobody could end the run. */
  const nextStop = (end: number): number => {
    const slack = SAME_TIME * Math.max(1, end);
    const sample = samples * interval;
    const wanted = sample < end - slack ? sample : end;
    const far = t + MAX_STEPS_PER_CALL * settings.step!;
    return far < wanted - slack ? far : wanted;
  };

  /** A step that failed because an element knows no numbers any further. */
  const withoutNumbers = (): StepError | undefined => {
    const reasons = system.elementWarnings(t);
    return reasons.length > 0 ? new StepError(`the motion ends at t = ${+t.toFixed(6)} s: ${reasons.join("; ")}`, t) : undefined;
  };

  const advance: Simulation["advance"] = () => {
    const planned = plan.next(t);
    const change = Math.min(schedule.next(), controllers.next(), planned);
    const end = Math.min(duration, change);
    try {
      stepper.step(loop ? nextStop(end) : end);
    } catch (error) {
      if (!(error instanceof StepError || error instanceof SingularError)) throw error;
      throw withoutNumbers() ?? singularityError(system, error, stepper.t, stepper.y);
    }
    const found = watch.events.length > 0 ? watch.findFirst(stepper) : undefined;
    if (found) {
      recordTo(found.t);
      t = found.t;
      stateWithin(t, y);
      happened.push({ name: found.event.name, t });
      guardAgainstChatter(happened);
      const waiting = notYetTrue();
      const isJump = plan.includes(found.event);
      if (isJump && t - lastSample > SAME_TIME * Math.max(1, t)) record(t, y);
      if (found.event.handle(t, y) === "stop") return stopped();
      if (isJump) settleFriction(system, t, y);
      system.accept(t, y);
      restart();
      if (isJump && t < duration) record(t, y); // both sides, at the same time
      return afterJump(waiting);
    }
    recordTo(stepper.t);
    t = stepper.t;
    y.set(stepper.y);
    system.accept(t, y);
    if (t !== change) {
      if (watch.events.length > 0) watch.acceptStep();
      plan.accept(t, y);
      return t < duration ? undefined : "complete";
    }
    const jump = controllers.breaksAt(t) || t === planned;
    if (jump && t - lastSample > SAME_TIME * Math.max(1, t)) record(t, y);
    const waiting = notYetTrue();
    update();
    if (jump && t < duration) record(t, y); // both sides, at the same time
    const finished = controllers.finished;
    if (finished === undefined) return afterJump(waiting);
    happened.push({ name: finished, t });
    return stopped();
  };
  const notYetTrue = (): readonly EventFunction[] => (options.events ?? []).filter((e) => e.atJumps && e.value(t, y) >= 0);
  /** What comes true by a jump has no change of sign within a step to be found by. */
  const afterJump = (waiting: readonly EventFunction[]): ReturnType<Simulation["advance"]> => {
    for (const event of waiting) {
      if (!(event.value(t, y) < 0)) continue;
      happened.push({ name: event.name, t });
      if (event.handle(t, y) === "stop") return stopped();
    }
    return t < duration ? undefined : "complete";
  };
  const stopped = (): "stopped by event" => {
    if (t - lastSample > SAME_TIME * Math.max(1, t)) record(t, y); // the log shows where it stopped
    return "stopped by event";
  };

  system.friction.setModesFromSpeeds(y);
  update();
  recordTo(0);
  return {
    get t() {
      return t;
    },
    log: recorder.log,
    intents: controllers.intents,
    phases: recorder.phases,
    advance,
    result,
  };
}

function guardAgainstChatter(happened: readonly { readonly name: string; readonly t: number }[]): void {
  const last = happened.at(-1)!;
  const before = happened.at(-MAX_EVENTS_AT_ONE_TIME);
  if (before && last.t - before.t < SAME_TIME * Math.max(1, last.t))
    throw new RangeError(
      `${MAX_EVENTS_AT_ONE_TIME} events at t = ${last.t} s, the last "${last.name}": two laws contradict each other there`,
    );
}
