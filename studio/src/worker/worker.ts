/** The worker: simulates scenarios and sends samples to the page while it simulates. */
import type { SimulationRun } from "castor";
import type { ModalAnalysis } from "castor/analysis";
import { modalAnalysis, modalRemarks } from "castor/analysis";
import type { Scenario, ScenarioRun, Verification } from "castor/scenario";
import {
  checkWorldCoordinates,
  loadScenario,
  prepareScenario,
  reachedLimits,
  runScenario,
  verifyScenario,
} from "castor/scenario";
import type { GrowingLog } from "castor/sim";
import { drawnForces } from "castor/sim";
import { filesOfSource } from "../files/scenario-sources.ts";
import { MAX_LOG_NUMBERS } from "../run/run-log.ts";
import { toWorkerFailure } from "./failure.ts";
import type {
  JobInputs,
  ModesJobOptions,
  ModesResult,
  ReplayOptions,
  RunSummary,
  VerifySummary,
  WorkerAnswer,
  WorkerJob,
  WorkerRequest,
} from "./protocol.ts";
import { replayChannels } from "./replay-channels.ts";

/** A job with its inputs. */
type JobWithInputs = WorkerJob & JobInputs;

/** The inputs from the page. */
let inputs: JobInputs | undefined;
/** The scenario that was read ahead, for one job. */
let scenarioAhead: { readonly id: number; readonly scenario: Scenario } | undefined;
/** Expected number of additional samples: a jump has two samples. */
const JUMP_SAMPLES = 100;
/** Unfinished jobs. One runs at a time, so that each is as fast as possible. */
const jobs = new Map<number, AbortController>();
let runs: Promise<void> = Promise.resolve();
/** Replays run between the slices of that job: the user waits for a plot. */
let replays: Promise<void> = Promise.resolve();

const answer = (message: WorkerAnswer, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

export function startWorker(): void {
  self.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
    if (data.type === "cancel") return jobs.get(data.id)?.abort();
    if (data.type === "inputs") {
      inputs = { ...inputs!, ...data.inputs };
      return;
    }
    if (data.type === "read-ahead") return readAhead({ ...data, ...inputs! });
    const abort = new AbortController();
    jobs.set(data.id, abort);
    const job = { ...data, ...inputs! };
    if (job.type === "replay") replays = replays.then(() => work(job, abort.signal));
    else runs = runs.then(() => work(job, abort.signal));
  });
}

async function work(job: WorkerRequest & JobWithInputs, signal: AbortSignal): Promise<void> {
  try {
    if (signal.aborted) throw new Error("cancelled");
    if (job.type === "run") await run(job, signal);
    else if (job.type === "replay") await replay(job, signal);
    else if (job.type === "assemble") answer({ id: job.id, type: "assembled", q: assembleCoordinates(job) });
    else if (job.type === "modes") answer({ id: job.id, type: "modes", result: computeModes(job) });
    else await verify(job, signal);
  } catch (error) {
    answer({ id: job.id, type: "failed", failure: toWorkerFailure(error) });
  } finally {
    jobs.delete(job.id);
  }
}

function load({ source, overrides, library, readAheadId }: JobWithInputs): Scenario {
  const ready = scenarioAhead?.id === readAheadId ? scenarioAhead?.scenario : undefined;
  if (ready) scenarioAhead = undefined; // controllers have memory: a scenario that was read can run only once
  return ready ?? loadScenario(source.text, source.path, { files: filesOfSource(source, library), overrides });
}

function readAhead(job: JobWithInputs): void {
  try {
    scenarioAhead = { id: job.id, scenario: load(job) };
  } catch {
    scenarioAhead = undefined; // the page reports the problems when it reads the scenario itself
  }
}

function assembleCoordinates(job: JobWithInputs): Float64Array {
  const scenario = load(job);
  return prepareScenario(scenario).start.y.slice(0, scenario.model.nq);
}

function computeModes(job: JobWithInputs & { readonly modes: ModesJobOptions }): ModesResult {
  const scenario = load(job);
  checkWorldCoordinates(scenario, "modes");
  const { model, forces, q, u, hold, given } = scenario;
  const { state, ...options } = job.modes;
  const analysis = modalAnalysis(model, forces, { q, u, hold, keep: given, ...state, ...options });
  const { linear, mostly } = analysis;
  const advice = { rest: "“About the nearest equilibrium” finds it.", held: "Lock the hinges that they hold." };
  return {
    freedoms: linear.m,
    q: linear.q,
    t: linear.t,
    remarks: [...modalRemarks(analysis, advice), ...(state ? remarksOnLaterStates(analysis) : [])],
    modes: analysis.modes.map((mode, i) => ({ ...mode, mostly: mostly[i]! })),
  };
}

/** Remarks about parts of the state that are taken from the start, because coordinates and speeds do not determine them. */
function remarksOnLaterStates({ linear: { model, layout } }: ModalAnalysis): readonly string[] {
  const withStates = layout.elements.filter(({ z0 = [] }) => z0.length > 0).map(({ name }) => name);
  return [
    ...(model.openLoops.length > 0 ? ["Loops are closed or open as at the start."] : []),
    ...(withStates.length > 0 ? [`Internal states are taken from the start: ${withStates.join(", ")}.`] : []),
  ];
}

/** The scenario with the channels to record: those of the page and of the scene, if the states fit into memory too; else those of the scenario. */
function loadForRun(job: JobWithInputs & { readonly wanted: readonly string[] }): { scenario: Scenario; replayable: boolean } {
  const scenario = load(job);
  const { duration, sample, available, channels, forces } = scenario;
  const samples = duration / sample + 1;
  const scene = drawnForces(forces).flatMap(({ point, force }) => [...point, ...force]);
  // `matrix` reuses the pivots of earlier states. Its other results are bit-identical only if they are computed during the run.
  const bitIdentical = scenario.formulation === "matrix" ? channels.map(({ name }) => name) : [];
  const wanted = new Set([...job.wanted, ...scene, ...bitIdentical]);
  const state = available.filter(({ name }) => /^(q|u|z|held)\./.test(name)).length;
  if (samples * (state + wanted.size + channels.length) <= MAX_LOG_NUMBERS)
    return { scenario: { ...scenario, channels: available.filter(({ name }) => wanted.has(name)) }, replayable: true };
  const scenarioChannels = new Set(channels.map((c) => c.name));
  const recorded = available.filter(({ name }) => scenarioChannels.has(name) || name.startsWith("q."));
  return { scenario: { ...scenario, channels: recorded, available: recorded }, replayable: false };
}

async function run(job: JobWithInputs & { readonly wanted: readonly string[] }, signal: AbortSignal): Promise<void> {
  const { id } = job;
  const { scenario, replayable } = loadForRun(job);
  const { available, duration, sample } = scenario;
  let [sentIntents, sentStates] = [0, 0];
  const send = (log: GrowingLog, { intents, phases }: Pick<SimulationRun, "intents" | "phases">): void => {
    const block = log.take();
    if (block.count === 0) return;
    const recorded = log.channels.map(({ name }) => name);
    const fewerChannels = replayable ? {} : { channels: available };
    if (block.count === log.length)
      answer({ id, type: "channels", ...fewerChannels, recorded, expected: Math.ceil(duration / sample) + JUMP_SAMPLES });
    const news = { intents: intents.slice(sentIntents), phases: phases.slice(sentStates) };
    answer({ id, type: "samples", ...block, ...news }, [block.values.buffer]);
    [sentIntents, sentStates] = [intents.length, phases.length];
  };
  const result = await runScenario(scenario, {
    signal,
    replayable,
    progress: (t, log, run) => {
      send(log, run);
      answer({ id, type: "progress", part: t / duration, doing: "simulating" });
    },
  });
  send(result.run.log, result.run);
  answer({ id, type: "done", summary: summaryOf(result) });
}

async function replay(job: JobWithInputs & ReplayOptions, signal: AbortSignal): Promise<void> {
  const values = await replayChannels(job, () => load(job), signal);
  answer({ id: job.id, type: "replayed", values }, [values.buffer]);
}

function summaryOf(result: ScenarioRun): RunSummary {
  const { run, failure, seconds, compileSeconds, redundant, moved } = result;
  const { audit, t, end, events, counts } = run;
  const limits = reachedLimits(result);
  const outcome = { audit, limits, t, end, events: [...events], counts, seconds, compileSeconds, redundant, moved };
  return failure ? { ...outcome, failure: toWorkerFailure(failure) } : outcome;
}

async function verify(job: JobWithInputs, signal: AbortSignal): Promise<void> {
  const { id } = job;
  const verification = await verifyScenario(load(job), {
    signal,
    progress: (part, formulation) => answer({ id, type: "progress", part, doing: formulation }),
  });
  answer({ id, type: "verified", summary: verifySummary(verification) });
}

function verifySummary({ runs, tolerance, notApplicable, agree, interrupted, differences }: Verification): VerifySummary {
  return {
    tolerance,
    notApplicable,
    agree,
    interrupted,
    differences,
    formulations: runs.map(({ system }) => system.formulation),
    failures: runs.flatMap(({ system, failure }) =>
      failure ? [{ formulation: system.formulation, message: failure.message }] : [],
    ),
  };
}
