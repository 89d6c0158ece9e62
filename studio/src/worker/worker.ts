/** The worker: runs scenarios ahead of the page, and sends samples as they come. */
import {
  type Log,
  loadScenario,
  modalAnalysis,
  modalRemarks,
  type NotedIntent,
  prepare,
  runScenario,
  type Scenario,
  type ScenarioRun,
  type Verification,
  verifyScenario,
} from "castor";
import { filesOf } from "../library.ts";
import { failureOf } from "./failure.ts";
import type { Answer, FoundModes, Job, ModesWanted, Request, RunSummary, VerifySummary } from "./protocol.ts";

/** Jobs that are not done; one runs at a time, so that each is as fast as it can be. */
const jobs = new Map<number, AbortController>();
let running: Promise<void> = Promise.resolve();

const answer = (message: Answer, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

export function startWorker(): void {
  self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
    if (data.type === "cancel") return jobs.get(data.id)?.abort();
    const abort = new AbortController();
    jobs.set(data.id, abort);
    running = running.then(() => work(data, abort.signal));
  });
}

async function work(job: Request & Job, signal: AbortSignal): Promise<void> {
  try {
    if (signal.aborted) throw new Error("cancelled");
    if (job.type === "run") await run(job, signal);
    else if (job.type === "assemble") answer({ id: job.id, type: "assembled", q: assembled(job) });
    else if (job.type === "modes") answer({ id: job.id, type: "modes", found: modes(job) });
    else await verify(job, signal);
  } catch (error) {
    answer({ id: job.id, type: "failed", failure: failureOf(error) });
  } finally {
    jobs.delete(job.id);
  }
}

const load = ({ source, overrides, library }: Job): Scenario =>
  loadScenario(source.text, source.path, { files: filesOf(source, library), overrides });

function assembled(job: Job): Float64Array {
  const scenario = load(job);
  return prepare(scenario).y0.slice(0, scenario.model.nq);
}

function modes(job: Job & { readonly modes: ModesWanted }): FoundModes {
  const { model, forces, q, u } = load(job);
  const { state, ...options } = job.modes;
  const found = modalAnalysis(model, forces, { q, u, ...state, ...options });
  const { linear, mostly } = found;
  const remarks = modalRemarks(found, { rest: "“About the rest near it” looks for the rest.", held: "Hold what they hold." });
  return {
    freedoms: linear.m,
    q: linear.q,
    t: linear.t,
    remarks,
    modes: found.modes.map((mode, i) => ({ ...mode, mostly: mostly[i]! })),
  };
}

/** 160 MB. */
const MOST_NUMBERS = 2e7;

/** With all channels, if the log of all of them is not too large; else with those that the scenario records and those of the scene. */
function loadForRun(job: Job): Scenario {
  const scenario = load(job);
  const { duration, sample, available } = scenario;
  if ((duration / sample + 1) * available.length <= MOST_NUMBERS) return { ...scenario, channels: available };
  const wanted = new Set(scenario.channels.map((c) => c.name));
  return { ...scenario, channels: available.filter(({ name }) => wanted.has(name) || name.startsWith("q.")) };
}

async function run(job: Job, signal: AbortSignal): Promise<void> {
  const { id } = job;
  const scenario = loadForRun(job);
  const { channels, duration, sample } = scenario;
  answer({ id, type: "channels", channels, expected: Math.ceil(duration / sample) + 1 });
  let sent = 0;
  let told = 0;
  const send = (log: Log, intents: readonly NotedIntent[]): void => {
    const count = log.length - sent;
    if (count === 0) return;
    const values = new Float64Array(count * channels.length);
    for (const [c, { name }] of log.channels.entries()) values.set(log.column(name).subarray(sent), c * count);
    sent = log.length;
    answer({ id, type: "samples", count, values, intents: intents.slice(told) }, [values.buffer]);
    told = intents.length;
  };
  const result = await runScenario(scenario, {
    signal,
    progress: (t, log, intents) => {
      send(log, intents);
      answer({ id, type: "progress", part: t / duration, doing: "simulating" });
    },
  });
  send(result.run.log, result.run.intents);
  answer({ id, type: "done", summary: summaryOf(result) });
}

function summaryOf({ run, failure, seconds, compileSeconds, redundant, moved }: ScenarioRun): RunSummary {
  const { audit, t, end, events, counts } = run;
  const outcome = { audit, t, end, events: [...events], counts, seconds, compileSeconds, redundant, moved };
  return failure ? { ...outcome, failure: failureOf(failure) } : outcome;
}

async function verify(job: Job, signal: AbortSignal): Promise<void> {
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
