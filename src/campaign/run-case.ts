/** Runs one case of a campaign: its measures, and whether it has passed, failed, or is invalid. */
import { CastorError, ModelError } from "../errors.ts";
import type { Condition } from "../scenario/read/condition.ts";
import { runScenario, type ScenarioRun } from "../scenario/run.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { StepCompany } from "../sim/run/step-meeting.ts";
import type { Campaign } from "./campaign.ts";
import { type Case, caseOf, caseScenario } from "./cases.ts";
import type { Cell } from "./dispersions/kind.ts";
import { type HistoryValues, historyValues } from "./histories/histories.ts";

/** passed: ran and met all criteria. failed: ran and did not. invalid: did not run to its end, so nothing is known. */
export type CaseStatus = "passed" | "failed" | "invalid";

/** A row of the table of cases. */
export interface CaseRow {
  readonly case: number;
  readonly status: CaseStatus;
  /** The first criterion that failed, or why the case is invalid; "" if it has passed. */
  readonly reason: string;
  readonly inputs: readonly Cell[];
  /** In the order of the campaign; null for a measure without a value. */
  readonly measures: readonly (number | null)[];
  /** In the order of the campaign; empty ones for an invalid case. Only if the campaign has histories. */
  readonly histories?: readonly HistoryValues[];
  /** Wall time, s, and the machine. Everything else is the same on every machine. */
  readonly seconds: number;
  readonly host: string;
}

export interface CaseOptions {
  /** Aborts the case. Nothing is known about it then. */
  readonly signal?: AbortSignal;
  /** Name of the machine for the table. */
  readonly host?: string;
  /** Another case with which this one makes its steps. */
  readonly company?: StepCompany;
}

/** Why a case was abandoned by the caller. */
export class InterruptedError extends CastorError {
  override readonly name = "InterruptedError";
  override readonly code = "interrupted";
}

/** Runs a case. @throws InterruptedError if the signal was aborted; problems of the case itself are in the row. */
export async function runCase(campaign: Campaign, index: number, options: CaseOptions = {}): Promise<CaseRow> {
  const start = performance.now();
  const drawn = caseOf(campaign, index);
  const outcome = await outcomeOf(campaign, drawn, options);
  const seconds = (performance.now() - start) / 1000;
  return { case: index, inputs: drawn.inputs, ...outcome, seconds, host: options.host ?? "" };
}

type Outcome = Pick<CaseRow, "status" | "reason" | "measures" | "histories">;

/** The row of a case that gave no result. */
export const invalidRow = (campaign: Campaign, index: number, reason: string, host = "", seconds = 0): CaseRow => ({
  case: index,
  inputs: caseOf(campaign, index).inputs,
  ...invalid(campaign, reason),
  seconds,
  host,
});

const invalid = ({ measures, histories }: Campaign, reason: string): Outcome => ({
  status: "invalid",
  reason,
  measures: measures.map(() => null),
  ...(histories && { histories: histories.list.map(() => []) }),
});

export const timeLimitReason = ({ limit }: Campaign): string => `time limit: took longer than ${limit} s`;

async function outcomeOf(campaign: Campaign, drawn: Case, { signal, company }: CaseOptions): Promise<Outcome> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), 1000 * campaign.limit);
  const abort = (): void => timer.abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const scenario = await caseScenario(campaign, drawn);
    const result = await runScenario(leanScenario(scenario, campaign), {
      signal: timer.signal,
      peaks: campaign.measures.flatMap(({ peaks }) => peaks),
      ...(company && { company }),
    });
    if (signal?.aborted) throw new InterruptedError(`case ${drawn.index} was aborted`);
    if (timer.signal.aborted) return invalid(campaign, timeLimitReason(campaign));
    const problem = reachedProblem(result);
    return problem === undefined ? measuredOutcome(campaign, drawn, result) : invalid(campaign, problem);
  } catch (error) {
    if (error instanceof InterruptedError || signal?.aborted) throw error;
    return invalid(campaign, errorReason(error));
  } finally {
    clearTimeout(timeout);
    signal?.removeEventListener("abort", abort);
  }
}

/** The scenario without what only reports need: it makes the same motion, and records only the channels that measures and histories need. */
export function leanScenario(scenario: Scenario, { measures, histories }: Campaign): Scenario {
  const needed = new Set([
    ...measures.flatMap(({ channels }) => channels),
    ...(histories?.list ?? []).flatMap(({ channels }) => channels),
  ]);
  const channels = scenario.available.filter(({ name }) => name === "t" || needed.has(name));
  return { ...scenario, channels, sample: histories?.sample ?? scenario.duration, limits: [], plots: [], compare: [] };
}

function measuredOutcome(campaign: Campaign, { inputs }: Case, { run }: ScenarioRun): Outcome {
  const known = new Map<string, number>();
  for (const [i, { name, type }] of campaign.inputs.entries()) if (type === "number") known.set(name, inputs[i] as number);
  for (const measure of campaign.measures) {
    const value = measure.value(run, known);
    known.set(measure.name, Number.isFinite(value) ? value : Number.NaN); // x / 0 is no value either
  }
  const measures = campaign.measures.map(({ name }) => (Number.isNaN(known.get(name)) ? null : known.get(name)!));
  const broken = campaign.success.find((condition) => !isTrue(condition, known));
  const histories = campaign.histories && { histories: historyValues(campaign.histories, run) };
  return { status: broken ? "failed" : "passed", reason: broken?.text ?? "", measures, ...histories };
}

/** True if a condition is true for the values; false if one of them is missing. */
function isTrue({ text, channels, margin }: Condition, known: ReadonlyMap<string, number>): boolean {
  const value = margin(Float64Array.from(channels, (name) => known.get(name) ?? Number.NaN));
  return value < 0 || (value === 0 && /[<>]=/.test(text));
}

/** Why the result of a run cannot be used; undefined if it can. */
function reachedProblem({ failure, run }: ScenarioRun): string | undefined {
  if (failure) return errorReason(failure);
  const row = run.audit.find(({ worst, tolerance }) => !(worst <= tolerance));
  if (row) return `audit: drift of ${row.channel} is ${row.worst}, more than ${row.tolerance}`;
  return run.end === "interrupted" ? "interrupted: the run did not reach its end" : undefined;
}

const LONGEST_REASON = 300;

/** Code and message of an error on one line. An error that is not of Castor is a defect of Castor; the campaign goes on. */
export function errorReason(error: unknown): string {
  if (!(error instanceof CastorError)) return `defect: ${String(error).replace(/\s+/g, " ")}`.slice(0, LONGEST_REASON);
  const text =
    error instanceof ModelError
      ? error.problems.map((p) => `${p.path}: ${p.message}${p.value === undefined ? "" : `, got ${p.value}`}`).join("; ")
      : error.message;
  return `${error.code}: ${text.replace(/\s+/g, " ")}`.slice(0, LONGEST_REASON);
}
