/** The worker: runs scenarios ahead of the page, and sends samples as they come. */
import {
  drawnForces,
  type GrowingLog,
  loadScenario,
  type ModalAnalysis,
  modalAnalysis,
  modalRemarks,
  prepareScenario,
  runScenario,
  type Scenario,
  type ScenarioRun,
  type SimulationRun,
  type Verification,
  verifyScenario,
} from "castor";
import { filesOfSource } from "../files/scenario-sources.ts";
import { MAX_LOG_NUMBERS } from "../run/run-log.ts";
import { toWorkerFailure } from "./failure.ts";
import type {
  JobInputs,
  ModesJobOptions,
  ModesResult,
  WorkerJob as PlainJob,
  ReplayOptions,
  RunSummary,
  VerifySummary,
  WorkerAnswer,
  WorkerRequest,
} from "./protocol.ts";
import { replayChannels } from "./replay-channels.ts";

/** A job with what it is about. */
type JobWithInputs = PlainJob & JobInputs;

/** Of the last message that said so. */
let given: JobInputs | undefined;
/** What was read ahead, for one job. */
let ahead: { readonly id: number; readonly scenario: Scenario } | undefined;
/** Room in a log for samples besides those at regular times: jumps have two. */
const AT_JUMPS = 100;
/** Jobs that are not done; one runs at a time, so that each is as fast as it can be. */
const jobs = new Map<number, AbortController>();
let running: Promise<void> = Promise.resolve();
/** But for replays, which go on whenever that job gives way: somebody looks at a plot. */
let replaying: Promise<void> = Promise.resolve();

const answer = (message: WorkerAnswer, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

export function startWorker(): void {
  self.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
    if (data.type === "cancel") return jobs.get(data.id)?.abort();
    if (data.type === "given") {
      given = { ...given!, ...data.given };
      return;
    }
    if (data.type === "announce") return readAhead({ ...data, ...given! });
    const abort = new AbortController();
    jobs.set(data.id, abort);
    const job = { ...data, ...given! };
    if (job.type === "replay") replaying = replaying.then(() => work(job, abort.signal));
    else running = running.then(() => work(job, abort.signal));
  });
}

async function work(job: WorkerRequest & JobWithInputs, signal: AbortSignal): Promise<void> {
  try {
    if (signal.aborted) throw new Error("cancelled");
    if (job.type === "run") await run(job, signal);
    else if (job.type === "replay") await replay(job, signal);
    else if (job.type === "assemble") answer({ id: job.id, type: "assembled", q: assembleCoordinates(job) });
    else if (job.type === "modes") answer({ id: job.id, type: "modes", found: computeModes(job) });
    else await verify(job, signal);
  } catch (error) {
    answer({ id: job.id, type: "failed", failure: toWorkerFailure(error) });
  } finally {
    jobs.delete(job.id);
  }
}

function load({ source, overrides, library, announced }: JobWithInputs): Scenario {
  const known = ahead?.id === announced ? ahead?.scenario : undefined;
  if (known) ahead = undefined; // controllers remember: what was read runs once
  return known ?? loadScenario(source.text, source.path, { files: filesOfSource(source, library), overrides });
}

function readAhead(job: JobWithInputs): void {
  try {
    ahead = { id: job.id, scenario: load(job) };
  } catch {
    ahead = undefined; // the page finds out by itself what is wrong
  }
}

function assembleCoordinates(job: JobWithInputs): Float64Array {
  const scenario = load(job);
  return prepareScenario(scenario).y0.slice(0, scenario.model.nq);
}

function computeModes(job: JobWithInputs & { readonly modes: ModesJobOptions }): ModesResult {
  const { model, forces, q, u } = load(job);
  const { state, ...options } = job.modes;
  const found = modalAnalysis(model, forces, { q, u, ...state, ...options });
  const { linear, mostly } = found;
  const advice = { rest: "“About the rest near it” looks for the rest.", held: "Hold what they hold." };
  return {
    freedoms: linear.m,
    q: linear.q,
    t: linear.t,
    remarks: [...modalRemarks(found, advice), ...(state ? remarksOnLaterStates(found) : [])],
    modes: found.modes.map((mode, i) => ({ ...mode, mostly: mostly[i]! })),
  };
}

/** What a run may have changed that its coordinates and speeds do not tell. */
function remarksOnLaterStates({ linear: { model, layout } }: ModalAnalysis): readonly string[] {
  const own = layout.elements.filter(({ z0 = [] }) => z0.length > 0).map(({ name }) => name);
  return [
    ...(model.openLoops.length > 0 ? ["Loops are closed and open as at the start."] : []),
    ...(own.length > 0 ? [`Internal states are those of the start: ${own.join(", ")}.`] : []),
  ];
}

/** The channels that the page wants and those of the scene; and whether what the others take fits into memory beside them. */
function loadForRun(job: JobWithInputs & { readonly wanted: readonly string[] }): { scenario: Scenario; replayable: boolean } {
  const scenario = load(job);
  const { duration, sample, available, channels, forces } = scenario;
  const samples = duration / sample + 1;
  const scene = drawnForces(forces).flatMap(({ point, force }) => [...point, ...force]);
  // `matrix` keeps the pivots of earlier states: what it gives besides the motion is the same to the last bit only as the run goes on.
  const exact = scenario.formulation === "matrix" ? channels.map(({ name }) => name) : [];
  const wanted = new Set([...job.wanted, ...scene, ...exact]);
  const state = available.filter(({ name }) => /^(q|u|z|held)\./.test(name)).length;
  if (samples * (state + wanted.size + channels.length) <= MAX_LOG_NUMBERS)
    return { scenario: { ...scenario, channels: available.filter(({ name }) => wanted.has(name)) }, replayable: true };
  const own = new Set(channels.map((c) => c.name));
  const few = available.filter(({ name }) => own.has(name) || name.startsWith("q."));
  return { scenario: { ...scenario, channels: few, available: few }, replayable: false };
}

async function run(job: JobWithInputs & { readonly wanted: readonly string[] }, signal: AbortSignal): Promise<void> {
  const { id } = job;
  const { scenario, replayable } = loadForRun(job);
  const { available, duration, sample } = scenario;
  let [told, passed] = [0, 0];
  const send = (log: GrowingLog, { intents, phases }: Pick<SimulationRun, "intents" | "phases">): void => {
    const block = log.take();
    if (block.count === 0) return;
    const recorded = log.channels.map(({ name }) => name);
    const few = replayable ? {} : { channels: available };
    if (block.count === log.length)
      answer({ id, type: "channels", ...few, recorded, expected: Math.ceil(duration / sample) + AT_JUMPS });
    const since = { intents: intents.slice(told), phases: phases.slice(passed) };
    answer({ id, type: "samples", ...block, ...since }, [block.values.buffer]);
    [told, passed] = [intents.length, phases.length];
  };
  const result = await runScenario(scenario, {
    signal,
    replayable,
    progress: (t, log, so) => {
      send(log, so);
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

function summaryOf({ run, failure, seconds, compileSeconds, redundant, moved }: ScenarioRun): RunSummary {
  const { audit, t, end, events, counts } = run;
  const outcome = { audit, t, end, events: [...events], counts, seconds, compileSeconds, redundant, moved };
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
