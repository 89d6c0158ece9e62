/** Builds everything that a run consists of, in a workspace: controllers, events, recorder, audit, stepper. */
import { frictionEvents, surfaceEvents } from "../events/element-events.ts";
import { switchEvents } from "../events/element-switches.ts";
import { type ChannelReading, oneComparison, withChannels } from "../events/event-channels.ts";
import { EventDetector, type EventFunction, type RunEvent } from "../events/event-detector.ts";
import { EventPlan } from "../events/event-plan.ts";
import type { Stepper } from "../integrators/integrator.ts";
import { Audit } from "../record/audit.ts";
import type { FollowedPeaks } from "../record/peaks/peak-options.ts";
import { channelReaders, Recorder } from "../record/recorder.ts";
import { SINGULARITY_PASSED } from "../singular/passage-events.ts";
import type { State } from "../state.ts";
import type { Workspace } from "../system/workspace.ts";
import { ControllerRunner } from "./controller-runner.ts";
import type { LoopStepper, ManyStepper, SampledSteps } from "./fixed-steps/fixed-steps.ts";
import { isMultipleOf } from "./fixed-steps/step-loop.ts";
import { GrowthMonitor } from "./growth-monitor.ts";
import { InputSchedule } from "./input-schedule.ts";
import type { ResolvedOptions } from "./run-options.ts";
import { SampleRecorder } from "./sample-recorder.ts";

export interface RunParts {
  readonly workspace: Workspace;
  readonly options: ResolvedOptions;
  /** Step of a step loop in WebAssembly; undefined if the integrator makes single steps. */
  readonly loopStep: number | undefined;
  readonly stepper: Stepper;
  /** The stepper and its step, if it may make many steps per call. */
  readonly manySteps: { readonly stepper: ManyStepper; readonly step: number } | undefined;
  /** Loops of many samples in WebAssembly, with the stepper that they advance. */
  readonly sampledSteps: { readonly rows: SampledSteps; readonly stepper: LoopStepper; readonly step: number } | undefined;
  readonly controllers: ControllerRunner;
  readonly schedule: InputSchedule;
  readonly plan: EventPlan;
  readonly detector: EventDetector;
  /** The user's events, which `detector` also watches. */
  readonly userEvents: readonly EventFunction[];
  readonly recorder: Recorder;
  readonly samples: SampleRecorder;
  readonly audit: Audit;
  /** Undefined if no peaks are followed. */
  readonly peaks: FollowedPeaks | undefined;
  readonly growth: GrowthMonitor;
  /** Events that have happened; the list grows. */
  readonly events: { readonly name: string; readonly t: number }[];
}

/** Largest number of samples for which memory is reserved, and the reserve for samples at jumps. */
const MAX_EXPECTED_SAMPLES = 65_536;
const EXPECTED_JUMP_SAMPLES = 100;

/** The parts of a run that begins at `state`. The workspace must have entered it. */
export function createRunParts(workspace: Workspace, state: State, options: ResolvedOptions): RunParts {
  const { integrator, sample, duration } = options;
  const { t, y } = state;
  const controllers = new ControllerRunner(workspace, options.controllers ?? []);
  const readers = channelReaders(workspace, controllers);
  const readChannels = (names: readonly string[]) => readers.read(names).read;
  const planned = [...switchEvents(workspace), ...(options.plan ?? [])];
  const plan = new EventPlan(workspace, planned, controllers, readChannels, options.mode);
  const userEvents = (options.events ?? []).map((event) => eventFunction(event, readChannels));
  const detector = new EventDetector(
    [
      ...frictionEvents(workspace),
      ...surfaceEvents(workspace, integrator.adaptive ? "adaptive" : "fixed"),
      ...plan.conditions,
      ...userEvents,
    ],
    workspace.layout.ny,
  );
  const planSize = typeof sample === "number" ? (duration - t) / sample : (sample?.length ?? 0);
  const expected = Math.max(0, Math.min(MAX_EXPECTED_SAMPLES, planSize + EXPECTED_JUMP_SAMPLES));
  const recorder = new Recorder(workspace, options, controllers, y, expected);
  const audit = new Audit(workspace, options.tolerances);
  const events: RunParts["events"] = [];
  const peaks = options.peaks?.length
    ? workspace.methods.peaks?.follow(workspace, options.peaks, readers, integrator.order)
    : undefined;
  const samples = new SampleRecorder(workspace, recorder, audit, sample, t);
  return {
    workspace,
    options,
    ...startStepper(workspace, options, controllers, detector, events, samples),
    controllers,
    schedule: new InputSchedule(workspace),
    plan,
    detector,
    userEvents,
    recorder,
    samples,
    audit,
    peaks,
    growth: new GrowthMonitor({ layout: workspace.layout, controllers: options.controllers ?? [], integrator, duration }),
    events,
  };
}

/** An event of the user, with the channels that it needs. */
function eventFunction(event: RunEvent, readChannels: ChannelReading): EventFunction {
  const value = withChannels(event.channels, readChannels, event.value.bind(event));
  return {
    name: event.name,
    direction: event.direction ?? "falling",
    ...(event.atJumps && { atJumps: true }),
    ...(event.resolution !== undefined && { resolution: event.resolution }),
    value,
    comparisons: oneComparison(value),
    handle: (t, y) => event.handle?.(t, y) ?? "go on",
  };
}

/** The stepper of a run: a step loop in WebAssembly if nothing must happen between samples, else the integrator's steps. */
function startStepper(
  workspace: Workspace,
  { integrator, settings, sample, peaks = [] }: ResolvedOptions,
  controllers: ControllerRunner,
  detector: EventDetector,
  events: RunParts["events"],
  samples: SampleRecorder,
): Pick<RunParts, "stepper" | "loopStep" | "manySteps" | "sampledSteps"> {
  const isOnGrid = typeof sample === "number" ? isMultipleOf(sample, settings.step ?? 0) : sample === undefined;
  const nothingBetween = detector.events.length === 0 && peaks.length === 0 && !controllers.inputVariation && isOnGrid;
  const fixed = nothingBetween
    ? workspace.methods.fixedSteps?.(workspace, integrator, settings, typeof sample === "number" ? sample : undefined)
    : undefined;
  const { step } = settings;
  if (fixed && step !== undefined) {
    const { stepper, samples: rows } = fixed;
    const isRecorded = rows !== undefined && samples.setRows(rows);
    return { stepper, loopStep: step, manySteps: undefined, sampledSteps: isRecorded ? { rows, stepper, step } : undefined };
  }
  const { jacobian, ...others } = workspace.problem;
  // A numeric control law has no traced derivative.
  const problem = jacobian && controllers.inputVariation !== "with the state" ? { ...others, jacobian } : others;
  const note = (t: number): void => void events.push({ name: SINGULARITY_PASSED, t });
  const inner = integrator.start(problem, settings);
  const { loops } = workspace.methods;
  const led = loops?.singularityStepper(workspace, inner, integrator, settings, note) ?? inner;
  const many = loops?.closedStepper(workspace, led, integrator, settings);
  const manySteps = many && nothingBetween && step !== undefined ? { stepper: many, step } : undefined;
  return { stepper: many ?? led, loopStep: undefined, manySteps, sampledSteps: undefined };
}
