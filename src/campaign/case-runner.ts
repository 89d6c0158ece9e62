/**
 * Runs cases of a campaign in one thread: two at once where their steps can be computed together. Each case gives the same row as by itself,
 * whichever the other one is.
 */
import { StepMeeting, StepProbe } from "../sim/run/step-meeting.ts";
import type { Campaign } from "./campaign.ts";
import { caseOf } from "./cases.ts";
import { type CaseOptions, type CaseRow, InterruptedError, runCase, timeLimitReason } from "./run-case.ts";

export interface CaseRunOptions extends Omit<CaseOptions, "company"> {
  /** Called before a case starts; with both cases if two start together. */
  readonly started?: (cases: readonly number[]) => void;
  /** True if every case is to run by itself. */
  readonly alone?: boolean;
}

export class CaseRunner {
  readonly #campaign: Campaign;
  /** Undefined until a case has shown whether its steps can be computed together with those of another one. */
  #isPairable: boolean | undefined;
  #stepsTogether = 0;

  constructor(campaign: Campaign) {
    this.#campaign = campaign;
  }

  /** Number of steps that were computed together with those of another case. */
  get stepsTogether(): number {
    return this.#stepsTogether;
  }

  /**
   * Runs cases, and calls `finished` with the row of each, in any order; "stop" ends the work.
   * @throws InterruptedError if the signal was aborted
   */
  async run(
    cases: readonly number[],
    finished: (row: CaseRow) => "stop" | undefined,
    options: CaseRunOptions = {},
  ): Promise<void> {
    const waiting = [...cases];
    const signs = new Map(options.alone ? [] : cases.map((index) => [index, this.#signsOf(index)]));
    while (waiting.length > 0) {
      if (options.signal?.aborted) throw new InterruptedError("the cases were aborted");
      const group = this.#isPairable === true && options.alone !== true ? takePair(waiting, signs) : waiting.splice(0, 1);
      const rows = group.length === 2 ? await this.#runPair(group, options) : [await this.#runOne(group[0]!, options)];
      for (const row of rows) if (finished(row) === "stop") return;
    }
  }

  /** The signs of the drawn numbers: the form of a kernel depends on the signs of its constants, and on those that are 0, but not on their size. */
  #signsOf(index: number): string {
    if (this.#isPairable === false) return "";
    const { overrides } = caseOf(this.#campaign, index);
    return JSON.stringify(overrides, (_, value: unknown) => (typeof value === "number" ? Math.sign(value) : value));
  }

  async #runOne(index: number, options: CaseRunOptions): Promise<CaseRow> {
    options.started?.([index]);
    const probe = this.#isPairable === undefined ? new StepProbe() : undefined;
    const row = await runCase(this.#campaign, index, { ...options, ...(probe && { company: probe }) });
    if (probe && row.status !== "invalid") this.#isPairable = probe.isPairable;
    return row;
  }

  /** Both rows. If one has reached the limit of a case, both run again by themselves: the limit is for a case that has the thread for itself. */
  async #runPair(pair: readonly number[], options: CaseRunOptions): Promise<readonly CaseRow[]> {
    options.started?.(pair);
    const meeting = new StepMeeting();
    const runs = pair.map((index) =>
      runCase(this.#campaign, index, { ...options, company: meeting }).finally(() => meeting.leave()),
    );
    const results = await Promise.allSettled(runs);
    this.#stepsTogether += meeting.together;
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const rows = await Promise.all(runs);
    const reason = timeLimitReason(this.#campaign);
    if (rows.every((row) => row.reason !== reason)) return rows.map((row) => ({ ...row, seconds: row.seconds / 2 }));
    this.#isPairable = false;
    const again: CaseRow[] = [];
    for (const index of pair) again.push(await this.#runOne(index, options));
    return again;
  }
}

/** Takes the first case, and another one whose kernels probably have the same form. */
function takePair(waiting: number[], signs: ReadonlyMap<number, string>): number[] {
  const first = waiting.shift()!;
  const second = waiting.findIndex((index) => signs.get(index) === signs.get(first));
  return second < 0 ? [first] : [first, ...waiting.splice(second, 1)];
}
