/**
 * Measures what a queue costs, by the processor time of each part: `npm run tool -- queue-rates` (needs redis-server). Times of the processor do not
 * depend on the load of the machine as much as rates do. It prints numbers for docs/scale.md and asserts nothing.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Redis } from "ioredis";
import { it } from "vitest";
import { fillStore } from "../src/campaign/fill.ts";
import { recordCampaign } from "../src/campaign/queue/bundle.ts";
import { queuePool } from "../src/campaign/queue/queue-pool.ts";
import { identityOf } from "../src/campaign/store/manifest.ts";
import { CaseStore } from "../src/campaign/store/store.ts";
import { campaignFiles, OSCILLATOR_CAMPAIGN } from "../test/fixtures/campaigns.ts";
import { installedFolder } from "../test/fixtures/installed.ts";
import { startRedis } from "../test/fixtures/schedulers/redis.ts";

/** A thread that answers at once. `seconds` is the time that its rows claim, which determines the size of jobs. */
const trivialThread = (identity: string, seconds: number): string => `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ run }) => {
    for (const index of run) {
      parentPort.postMessage({ started: index });
      parentPort.postMessage({ row: { case: index, status: "passed", reason: "", inputs: [1.2345678901234, index], measures: [index / 3, index / 7, null, 0.1 * index], seconds: ${seconds}, host: "machine" } });
    }
    parentPort.postMessage({ done: true });
  });
  parentPort.postMessage({ ready: ${JSON.stringify(identity)} });`;

const workerProgram = (url: string, thread: string): string => `
  import { serveQueue } from ${JSON.stringify(pathToFileURL(join(installedFolder(), "node_modules/castor/dist/node/campaign/files.js")))};
  import { writeFileSync } from "node:fs";
  const script = new URL("data:text/javascript," + encodeURIComponent("import { createRequire } from 'node:module'; const require = createRequire('/');" + ${JSON.stringify(thread)}));
  const start = process.cpuUsage();
  const summary = await serveQueue({ queue: ${JSON.stringify(url)}, threads: 4, script, idle: 3 });
  const { user, system } = process.cpuUsage(start);
  console.log(JSON.stringify({ ...summary, seconds: (user + system) / 1e6 }));`;

const cpuOfRedis = async (redis: Redis): Promise<number> => {
  const text = await redis.info("cpu");
  const used = (kind: string): number => Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(text)![1]);
  return used("sys") + used("user");
};

it.each([
  ["jobs of one case", 4000, 10, 4],
  ["jobs of 100 cases", 100_000, 0.01, 1000],
])("%s", async (name, cases, seconds, chunk) => {
  const server = await startRedis();
  const redis = new Redis(server.port);
  const folder = mkdtempSync(join(tmpdir(), "castor-rates-"));
  try {
    const text = OSCILLATOR_CAMPAIGN.replace("cases: 40", `cases: ${cases}`).replace("chunk: 8", `chunk: ${chunk}`);
    const recorded = await recordCampaign(text, "campaign.yaml", { files: campaignFiles() });
    const program = workerProgram(server.url, trivialThread(identityOf(recorded.campaign), seconds));
    const workers = [1, 2].map(() => spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: installedFolder() }));
    const printed = workers.map(
      (worker) =>
        new Promise<{ jobs: number; seconds: number }>((resolve) => {
          let out = "";
          worker.stdout.on("data", (data) => (out += String(data)));
          worker.stderr.on("data", (data) => process.stderr.write(data));
          worker.on("close", () => resolve(JSON.parse(out)));
        }),
    );
    while ((await redis.zcard("castor:workers")) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    const pool = await queuePool(recorded, { queue: server.url });
    const store = CaseStore.open(folder, recorded.campaign);
    const [began, before, own] = [performance.now(), await cpuOfRedis(redis), process.cpuUsage()];
    await fillStore(store, recorded.campaign, pool);
    const wall = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(own);
    const redisSeconds = (await cpuOfRedis(redis)) - before;
    await pool.close();
    const done = await Promise.all(printed);
    const jobs = done.reduce((sum, worker) => sum + worker.jobs, 0);
    const ms = (value: number): string => `${((1000 * value) / jobs).toFixed(3)} ms`;
    console.log(
      `${name}: ${cases} cases in ${jobs} jobs, ${wall.toFixed(1)} s, ${(jobs / wall).toFixed(0)} jobs/s on this machine; processor time per job: Redis ${ms(redisSeconds)}, campaign ${ms((user + system) / 1e6)}, workers ${ms(done.reduce((sum, worker) => sum + worker.seconds, 0))}`,
    );
  } finally {
    redis.disconnect();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
