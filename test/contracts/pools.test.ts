/** The contract of pools: whichever runs the cases, the rows are the same, and bad cases are rows like others. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Campaign } from "../../src/campaign/campaign.ts";
import { inProcessPool } from "../../src/campaign/pool/in-process.ts";
import type { Pool } from "../../src/campaign/pool/pool.ts";
import { threadPool } from "../../src/campaign/pool/threads.ts";
import { queuePool } from "../../src/campaign/queue/queue-pool.ts";
import { type QueueWorkerSummary, serveQueue } from "../../src/campaign/queue/queue-worker.ts";
import { type CaseRow, InterruptedError, runCase } from "../../src/campaign/run-case.ts";
import { identityOf } from "../../src/campaign/store/manifest.ts";
import { type CampaignRequest, openCampaignFile, recordCampaignFile } from "../../src/cli/files/campaign-argument.ts";
import { OSCILLATOR, OSCILLATOR_CAMPAIGN } from "../fixtures/campaigns.ts";
import { installedFolder } from "../fixtures/installed.ts";
import { hasRedis, type RedisServer, startRedis } from "../fixtures/schedulers/redis.ts";

/** The first case has an impossible mass, the second one never ends within its limit. */
const BAD = `${OSCILLATOR_CAMPAIGN.replace("{ kind: monte-carlo, cases: 40 }", "{ kind: list, file: bad.csv }")}limit: 2.5
set: ["integrator={name: rk4, step: 0.01}", "audit={energy: 1e-3}"]
`;
const BAD_CASES = "model.bodies.mass.mass,duration\n-1,2\n1,1e6\n1,2\n";

let folder: string;
let request: (name: string) => CampaignRequest;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "castor-pools-"));
  const files = { "scenario.yaml": OSCILLATOR, "campaign.yaml": OSCILLATOR_CAMPAIGN, "bad.yaml": BAD, "bad.csv": BAD_CASES };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  request = (name) => ({ file: join(folder, name), source: name, overrides: [] });
});
afterAll(() => rmSync(folder, { recursive: true }));

const script = (): URL => pathToFileURL(join(installedFolder(), "node_modules/castor/dist/cli/campaign-worker.js"));

/** A queue with one worker, which has 2 threads. */
let redis: RedisServer | undefined;
const stopWorker = new AbortController();
let worker: Promise<QueueWorkerSummary> | undefined;
afterAll(async () => {
  stopWorker.abort();
  await worker;
  await redis?.remove();
});

async function startQueue(): Promise<RedisServer> {
  redis ??= await startRedis();
  worker ??= serveQueue({ queue: redis.url, threads: 2, script: script(), signal: stopWorker.signal });
  return redis;
}

const POOLS: Readonly<Record<string, (campaign: Campaign, data: CampaignRequest) => Pool | Promise<Pool>>> = {
  "in this thread": (campaign) => inProcessPool(campaign),
  "2 worker threads": (campaign, data) => threadPool(campaign, { threads: 2, script: script(), data }),
  ...(hasRedis() && {
    "a queue": async (_: Campaign, data: CampaignRequest) =>
      queuePool(await recordCampaignFile(data), { queue: (await startQueue()).url }),
  }),
};

const results = (rows: readonly CaseRow[]) =>
  [...rows].sort((a, b) => a.case - b.case).map(({ seconds: _, host: __, ...row }) => row);

describe.each(Object.entries(POOLS))("a pool: %s", (_, create) => {
  it("runs every case once, with the rows of single runs", async () => {
    const campaign = await openCampaignFile(request("campaign.yaml"));
    const pool = await create(campaign, request("campaign.yaml"));
    const rows: CaseRow[] = [];
    const parts = [[0, 1, 2], [9, 3], [], [30, 31]];
    await Promise.all(parts.map((cases) => pool.run(cases, (row) => void rows.push(row))));
    await pool.close();
    const single = await Promise.all(parts.flat().map((index) => runCase(campaign, index)));
    expect(results(rows)).toEqual(results(single));
  });

  it("records cases that are impossible or never end, and goes on", async () => {
    const campaign = await openCampaignFile(request("bad.yaml")).catch((error: Error) => error);
    // The first case of a list is the middle case, which must be possible: the bad one is moved behind it.
    expect((campaign as Error).message).toMatch(/in the middle case/);
    writeFileSync(join(folder, "bad.csv"), "model.bodies.mass.mass,duration\n1,2\n-1,2\n1,1e6\n1,2\n");
    const opened = await openCampaignFile(request("bad.yaml"));
    const pool = await create(opened, request("bad.yaml"));
    const rows: CaseRow[] = [];
    await pool.run([0, 1, 2, 3], (row) => void rows.push(row));
    await pool.close();
    writeFileSync(join(folder, "bad.csv"), BAD_CASES);
    expect(results(rows).map(({ case: index, status, reason }) => [index, status, reason.slice(0, 22)])).toEqual([
      [0, expect.stringMatching(/passed|failed/), expect.anything()],
      [1, "invalid", "model: model.bodies[0]"],
      [2, "invalid", "time limit: took longe"],
      [3, expect.stringMatching(/passed|failed/), expect.anything()],
    ]);
  });

  it("rejects work after it was closed, and the work in progress", async () => {
    const campaign = await openCampaignFile(request("campaign.yaml"));
    const pool = await create(campaign, request("campaign.yaml"));
    let closing: Promise<void> | undefined;
    const cases = Array.from({ length: 40 }, (__, i) => i);
    const running = pool.run(cases, () => {
      closing ??= pool.close();
    });
    await expect(running).rejects.toThrow(InterruptedError);
    await closing;
    await expect(pool.run([1], () => {})).rejects.toThrow(InterruptedError);
  });
});

describe("worker threads that die", () => {
  /** A worker that ends itself at case 3, always or only the first time. */
  const dying = (identity: string, always: boolean): URL => {
    const code = `
      import { parentPort } from "node:worker_threads";
      import { existsSync, writeFileSync } from "node:fs";
      const mark = ${JSON.stringify(join(folder, `died-${always}`))};
      parentPort.on("message", ({ run }) => {
        for (const index of run) {
          parentPort.postMessage({ started: [index] });
          if (index === 3 && (${always} || !existsSync(mark))) { writeFileSync(mark, ""); setTimeout(() => process.exit(7), 50); return; }
          parentPort.postMessage({ row: { case: index, status: "passed", reason: "", inputs: [], measures: [], seconds: 0, host: "" } });
        }
        parentPort.postMessage({ done: true });
      });
      parentPort.postMessage({ ready: ${JSON.stringify(identity)} });`;
    return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  };

  it.each([
    [false, "passed"],
    [true, "invalid"],
  ] as const)("are replaced; a case that two of them did not survive is invalid (always: %s)", async (always, status) => {
    const campaign = await openCampaignFile(request("campaign.yaml"));
    const pool = threadPool(campaign, { threads: 1, script: dying(identityOf(campaign), always), data: {} });
    const rows: CaseRow[] = [];
    await pool.run([1, 2, 3, 4], (row) => void rows.push(row));
    await pool.close();
    expect(results(rows).map((row) => [row.case, row.status])).toEqual([
      [1, "passed"],
      [2, "passed"],
      [3, status],
      [4, "passed"],
    ]);
  });

  it("during two cases at once are replaced, and each case runs by itself", async () => {
    const campaign = await openCampaignFile(request("campaign.yaml"));
    const code = `
      import { parentPort } from "node:worker_threads";
      parentPort.on("message", ({ run, alone }) => {
        if (!alone) { parentPort.postMessage({ started: run }); setTimeout(() => process.exit(7), 50); return; }
        for (const index of run) {
          parentPort.postMessage({ started: [index] });
          parentPort.postMessage({ row: { case: index, status: "passed", reason: "", inputs: [], measures: [], seconds: 0, host: "" } });
        }
        parentPort.postMessage({ done: true });
      });
      parentPort.postMessage({ ready: ${JSON.stringify(identityOf(campaign))} });`;
    const pool = threadPool(campaign, {
      threads: 1,
      script: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
      data: {},
    });
    const rows: CaseRow[] = [];
    await pool.run([1, 2], (row) => void rows.push(row));
    await pool.close();
    expect(results(rows).map((row) => [row.case, row.status])).toEqual([
      [1, "passed"],
      [2, "passed"],
    ]);
  });

  it("and cannot start end the pool with a message", async () => {
    const campaign = await openCampaignFile(request("campaign.yaml"));
    const cannot = threadPool(campaign, { threads: 1, script: pathToFileURL(join(folder, "nothing.js")), data: {} });
    await expect(cannot.run([1], () => {})).rejects.toThrow(/a worker thread cannot start/);
    const changed = threadPool(campaign, { threads: 1, script: dying("another", false), data: {} });
    await expect(changed.run([1], () => {})).rejects.toThrow(/changed on disk/);
  });
});
