/** `castor campaign`: fills the store of a campaign and prints its summary. */
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism, hostname } from "node:os";
import { join } from "node:path";
import type { Campaign } from "../../campaign/campaign.ts";
import { compareStores } from "../../campaign/compare-stores.ts";
import { casesNeeded, fillStore, type Shard } from "../../campaign/fill.ts";
import { casesToKeep } from "../../campaign/kept.ts";
import { inProcessPool } from "../../campaign/pool/in-process.ts";
import { type Pool, PoolError } from "../../campaign/pool/pool.ts";
import { threadPool } from "../../campaign/pool/threads.ts";
import { queuePool } from "../../campaign/queue/queue-pool.ts";
import { shellWord, writeCampaignReport } from "../../campaign/report/write-report.ts";
import { type CaseRow, InterruptedError } from "../../campaign/run-case.ts";
import { identityOf } from "../../campaign/store/manifest.ts";
import { CaseStore } from "../../campaign/store/store.ts";
import { csvTable } from "../../campaign/store/table.ts";
import { isSelfContained } from "../../campaign/stored-campaign.ts";
import { type CampaignSummary, campaignVerdict, summariseCampaign } from "../../campaign/summary.ts";
import { listedTexts } from "../arguments.ts";
import { type Action, UsageError } from "../command.ts";
import type { campaignCommand } from "../commands/campaign.ts";
import { EXIT } from "../exit-codes.ts";
import {
  type CampaignRequest,
  type ChosenCampaign,
  loadCampaignArgument,
  recordCampaignFile,
  WORKER_SCRIPT,
} from "../files/campaign-argument.ts";
import { shortestPath } from "../files/chosen-file.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { campaignJson, campaignText, comparisonText, progressRemark } from "../text/campaign-text.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import type { Terminal } from "../text/terminal.ts";
import { writeCase, writeCaseScenarios, writeKeptRuns } from "./campaign-case.ts";

type CampaignArguments = Parameters<Action<typeof campaignCommand>>[0];

export const run: Action<typeof campaignCommand> = async (args, terminal) => {
  checkCombinations(args);
  const chosen = await loadCampaignArgument(args.campaign, args);
  const { campaign, name } = chosen;
  if (args["dry-run"])
    return writeCaseScenarios(campaign, args.out ?? join("out", `${name}-cases`), args.json === true, terminal);
  if (args.case !== undefined) {
    const index = wholeNumber("--case", args.case);
    if (index >= campaign.cases)
      throw new UsageError(`--case must be below ${campaign.cases}, the number of cases, got ${index}`);
    return writeCase(campaign, index, args.out ?? join("out", `${name}-case-${index}`), terminal);
  }
  const shard = args.shard === undefined ? undefined : readShard(args.shard);
  const suffix = shard ? `-shard-${shard.index + 1}-of-${shard.count}` : "";
  const store = CaseStore.open(args.out ?? join("out", `${name}${suffix}`), campaign);
  for (const folder of listedTexts(args.merge).flatMap(storesIn)) await store.merge(CaseStore.read(folder));
  const isInterrupted = await fill(store, chosen, args, shard, terminal);
  const summary = await summariseCampaign(store, campaign);
  const kept = isInterrupted || shard ? [] : await casesToKeep(store, campaign, summary);
  await writeKeptRuns(campaign, kept, store.folder);
  if (args.export !== undefined) await exportTable(store, campaign, args.export);
  const argument = [shellWord(args.campaign), ...changes(args)].join(" ");
  const studio = isSelfContained(store) || changes(args).length > 0 ? undefined : shellWord(args.campaign);
  const analysis = shard ? [] : await writeCampaignReport(store, campaign, summary, { argument, studio, kept });
  const comparison = args.compare === undefined ? undefined : await compareStores(CaseStore.read(args.compare), store);
  if (args.json) terminal.print(toJson(campaignJson(name, campaign, summary, analysis, store, comparison)));
  else
    terminal.print(
      campaignText(argument, campaign, summary, { folder: shortestPath(store.folder), kept: kept.length }, terminal),
    );
  if (comparison && !args.json) terminal.print(`\n${comparisonText(args.compare!, comparison, terminal)}`);
  if (isInterrupted) {
    terminal.remark("interrupted; the same command goes on where it stopped");
    return EXIT.interrupted;
  }
  return exitCode(campaign, summary, shard !== undefined, terminal);
};

/** Changes of the campaign on the command line, which determine its cases. */
const changes = ({ cases, seed }: CampaignArguments): readonly string[] => [
  ...(cases === undefined ? [] : [`--cases ${cases}`]),
  ...(seed === undefined ? [] : [`--seed ${seed}`]),
];

function checkCombinations(args: CampaignArguments): void {
  const given = (["dry-run", "case", "shard"] as const).filter((key) => args[key] !== undefined && args[key] !== false);
  if (given.length > 1) throw new UsageError(`--${given[0]} and --${given[1]} exclude each other`);
  if (args.queue !== undefined && args.shard !== undefined) throw new UsageError("--queue and --shard exclude each other");
  if (args.queue !== undefined && args.threads !== undefined)
    throw new UsageError("--queue and --threads exclude each other: the workers run the cases. Give --threads to castor worker");
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} needs a whole number of at least 0, got ${text}`);
  return Number(text);
}

function readShard(text: string): Shard {
  const [, part, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const [index, of] = [Number(part) - 1, Number(count)];
  if (!(index >= 0 && index < of)) throw new UsageError(`--shard needs K/N with K from 1 to N, for example 3/40, got ${text}`);
  return { index, count: of };
}

/** A folder that is a store, or the stores in it. */
function storesIn(folder: string): readonly string[] {
  const isStore = (path: string): boolean => existsSync(join(path, "campaign.json"));
  if (isStore(folder) || !existsSync(folder)) return [folder];
  const stores = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter(isStore);
  return stores.length > 0 ? stores : [folder];
}

/** Runs what the store lacks. Returns true after Ctrl-C. */
async function fill(
  store: CaseStore,
  { campaign, request }: ChosenCampaign,
  args: CampaignArguments,
  shard: Shard | undefined,
  terminal: Terminal,
): Promise<boolean> {
  if (store.unfinished().next().done) return false;
  const threads = args.threads === undefined ? availableParallelism() : wholeNumber("--threads", args.threads);
  const chunks = Math.ceil(campaign.cases / campaign.chunk);
  const signal = abortOnInterrupt();
  const pool: Pool =
    args.queue !== undefined
      ? await openQueue(args.queue, store, request, terminal)
      : threads === 0
        ? inProcessPool(campaign, hostname())
        : threadPool(campaign, { threads: Math.min(threads, chunks), script: WORKER_SCRIPT, data: request, host: hostname() });
  const bar = createProgress(terminal);
  const start = performance.now();
  try {
    await fillStore(store, campaign, pool, {
      ...(shard && { shard }),
      signal,
      progress: (state) => bar.show(state.done / state.total, progressRemark(state, (performance.now() - start) / 1000)),
    });
    return false;
  } catch (error) {
    if (error instanceof InterruptedError) return true;
    throw error;
  } finally {
    bar.done();
    await pool.close();
  }
}

/** The workers of a queue. The campaign is read again, with everything that they need. */
async function openQueue(queue: string, store: CaseStore, request: CampaignRequest, terminal: Terminal): Promise<Pool> {
  const recorded = await recordCampaignFile(request);
  if (identityOf(recorded.campaign) !== store.manifest.identity)
    throw new PoolError("the campaign or its scenario was changed on disk while it was read. Start again");
  const password = process.env.CASTOR_QUEUE_PASSWORD;
  return queuePool(recorded, { queue, ...(password && { password }), notice: (text) => terminal.remark(text) });
}

/** Writes the rows that count, in the order of cases. */
async function exportTable(store: CaseStore, campaign: Campaign, file: string): Promise<void> {
  const needed = (await casesNeeded(store, campaign)) ?? campaign.cases;
  const rows: CaseRow[] = [];
  for await (const row of store.rows()) if (row.case < needed) rows.push(row);
  writeFileAtomically(file, [...csvTable(store.manifest, rows)].join(""));
}

function exitCode(campaign: Campaign, summary: CampaignSummary, isShard: boolean, terminal: Terminal): number {
  const { counts, cases, done } = summary;
  const say = (text: string): void => terminal.remark(`${terminal.remarkStyle.bad("castor:")} ${text}`);
  if (counts.invalid > 0) {
    say(
      `${counts.invalid} of ${done} cases are invalid; the first is case ${summary.invalid[0]!.case}: ${summary.invalid[0]!.reason}`,
    );
    return EXIT.failure;
  }
  if (isShard) return 0; // the whole campaign is judged when the shards are merged
  const verdict = campaignVerdict(campaign, summary);
  if (verdict === "invalid") say(`${cases - done} of ${cases} cases are missing`);
  if (verdict === "failed") say(failureText(campaign, summary));
  return verdict === "passed" ? 0 : verdict === "failed" ? EXIT.broken : EXIT.failure;
}

const failureText = ({ require }: Campaign, { counts, done, failed, probability }: CampaignSummary): string =>
  require
    ? `the probability of success is ${probability?.value.toFixed(4)}, ${require.proven ? "its interval does not prove" : "less than"} the required ${require.probability}`
    : `${counts.failed} of ${done} cases failed; the first is case ${failed[0]!.case}: ${failed[0]!.reason}`;
