/**
 * The same 500 rows from every way to run a campaign: in one thread, on 2 threads, on a queue with workers that die and a Redis that is restarted,
 * on shards, on a Slurm array, with GNU parallel. Some of the cases are invalid.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CaseStore } from "../../src/campaign/store/store.ts";
import { castor, installedFolder, type Result, workFolder } from "../fixtures/installed.ts";
import { hasProgram, hasRedis, startRedis } from "../fixtures/schedulers/redis.ts";
import { startSlurm } from "../fixtures/schedulers/slurm.ts";

const CASES = 500;
const SCENARIO = `
castor: 1
name: spring
model:
  name: spring
  gravity: [0, 0, 0]
  bodies: [{ name: mass, mass: 1, inertia: none, hinge: { kind: prismatic, axis: x } }]
state: { u: { mass: 1 } }
forces: { spring: { kind: hinge-spring, hinge: mass, stiffness: 1 } }
integrator: { name: rk4, step: 0.02 }
duration: 0.4
`;
const CAMPAIGN = `
castor: 1
scenario: scenario.yaml
seed: 7
design: { kind: monte-carlo, cases: ${CASES} }
dispersions:
  speed: { kind: uniform, path: state.u.mass, from: -0.1, to: 1.5 }
  mass: { kind: normal, path: model.bodies.mass.mass, mean: 1, deviation: 0.5 }
measures:
  end: { kind: final, of: q.mass }
  rate: { kind: final, of: u.mass }
success: end < 0.4
chunk: 8
`;
const EXAMPLES = fileURLToPath(new URL("../../examples/schedulers/", import.meta.url));

let folder: string;
let env: NodeJS.ProcessEnv;
let expected: string;
const campaign = (...words: string[]): Result => castor(folder, ["campaign", "rows.yaml", ...words]);
const table = (name: string): string => readFileSync(join(folder, name), "utf8");
const start = (...words: string[]): ChildProcess & { text?: string } => {
  const child: ChildProcess & { text?: string } = spawn("castor", words, { cwd: folder, env });
  child.text = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (data) => (child.text += String(data)));
  return child;
};
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once("close", resolve);
  });

/** Cases that a store has. It may be read while it is filled. */
async function countCases(store: string): Promise<number> {
  if (!existsSync(join(folder, store, "campaign.json"))) return 0;
  let count = 0;
  try {
    for await (const _ of CaseStore.read(join(folder, store)).rows()) count++;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // a chunk was stored just now, and its journal removed
  }
  return count;
}

beforeAll(() => {
  folder = workFolder();
  env = {
    ...process.env,
    PATH: `${join(installedFolder(), "node_modules/.bin")}${delimiter}${process.env.PATH}`,
    CASTOR_DEBUG: "",
  };
  writeFileSync(join(folder, "scenario.yaml"), SCENARIO);
  writeFileSync(join(folder, "rows.yaml"), CAMPAIGN);
  cpSync(EXAMPLES, folder, { recursive: true });
  expect(campaign("--threads", "0", "--out", "one", "--export", "one.csv").stderr).toMatch(/cases are invalid/);
  expected = table("one.csv");
});

it("one thread gives every case once, passed, failed and invalid ones", () => {
  const lines = expected.trimEnd().split("\n").slice(1);
  expect(lines.map((line) => Number(line.split(",")[0]))).toEqual(Array.from({ length: CASES }, (_, k) => k));
  const counts = (status: string): number => lines.filter((line) => line.split(",")[1] === status).length;
  expect([counts("passed") > 100, counts("failed") > 50, counts("invalid") > 4]).toEqual([true, true, true]);
});

it("2 threads give the same table", () => {
  expect(campaign("--threads", "2", "--out", "two", "--export", "two.csv").status).toBe(1);
  expect(table("two.csv")).toBe(expected);
});

it.skipIf(!canMount())("a full disk ends the campaign with a message, and the same command goes on when there is space", () => {
  const line = [
    "mkdir disk && mount -t tmpfs -o size=48k tmpfs disk",
    "{ castor campaign rows.yaml --cases 120 --threads 0 --out disk/store; echo $?; }",
    "mount -o remount,size=8m disk",
    "castor campaign rows.yaml --cases 120 --threads 0 --out disk/store --export full.csv > end.txt",
  ].join(" && ");
  const { stdout, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", line], { cwd: folder, env, encoding: "utf8" });
  expect(stderr).toMatch(/cannot write disk\/store\/.*: the disk is full. Free some space/);
  expect(stdout).toBe("1\n");
  expect(table("full.csv")).toBe(firstRows(120));
});

it("7 shards, merged from one folder, give the same table", () => {
  for (let k = 1; k <= 7; k++) campaign("--shard", `${k}/7`, "--threads", "0", "--out", `parts/${k}`);
  expect(campaign("--merge", "parts", "--out", "merged", "--export", "merged.csv").status).toBe(1);
  expect(table("merged.csv")).toBe(expected);
});

describe.skipIf(!hasRedis())("a queue", () => {
  it("gives the same table although the campaign and a worker are killed and Redis is restarted half-way", async () => {
    const redis = await startRedis();
    const workers = Array.from({ length: 3 }, () => start("worker", "--queue", redis.url, "--threads", "1"));
    const words = ["campaign", "rows.yaml", "--queue", redis.url, "--out", "queue", "--export", "queue.csv"];
    let producer = start(...words);
    try {
      while (producer.exitCode === null && (await countCases("queue")) < CASES / 10) await pause(10);
      producer.kill("SIGKILL");
      await ended(producer);
      producer = start(...words);
      while (producer.exitCode === null && (await countCases("queue")) < CASES / 4) await pause(10);
      workers[0]!.kill("SIGKILL");
      while (producer.exitCode === null && (await countCases("queue")) < CASES / 3) await pause(10);
      expect([producer.exitCode, producer.text]).toEqual([null, expect.anything()]);
      await redis.stop();
      await pause(200);
      await redis.start();
      expect([await ended(producer), producer.text]).toEqual([1, expect.stringMatching(/cases are invalid/)]);
      expect(table("queue.csv")).toBe(expected);
      for (const worker of workers.slice(1)) worker.kill("SIGTERM");
      expect(await Promise.all(workers.map(ended))).toEqual([null, 130, 130]);
    } finally {
      for (const child of [...workers, producer]) child.kill("SIGKILL");
      await redis.remove();
    }
  });

  it("that is lost ends a program with the message", async () => {
    const redis = await startRedis();
    writeFileSync(
      join(folder, "lost.mjs"),
      `import { readFileSync } from "node:fs";
      import { queuePool, recordCampaign } from "castor/campaign/files";
      const readText = (path) => readFileSync(path, "utf8");
      const files = { readText, scenario: (source) => ({ text: readText(source), source, files: { builtIns: [] } }) };
      const pool = await queuePool(await recordCampaign(readText("rows.yaml"), "rows.yaml", { files }), { queue: process.argv[2], patience: 0.5 });
      console.log("begins");
      const reason = await pool.run([1, 2], () => {}).catch((error) => error.message);
      await pool.close();
      console.log(reason);`,
    );
    const program = spawn(process.execPath, ["lost.mjs", redis.url], { cwd: folder });
    let text = "";
    program.stdout.on("data", (data) => (text += String(data)));
    while (program.exitCode === null && !text.includes("begins")) await pause(20);
    await redis.remove();
    expect([await ended(program), text]).toEqual([
      0,
      expect.stringMatching(/begins\nthe queue redis:.* is lost: .* the same command goes on/),
    ]);
  });

  it("is served by the workers for Kubernetes, with the password of the environment, which appears nowhere", async () => {
    const password = "s3cret:/@x";
    const redis = await startRedis(password);
    try {
      const { command, args } = parse(table("kubernetes-workers.yaml")).spec.template.spec.containers[0];
      const words = [
        ...command.slice(1),
        ...args.map((word: string) => word.replace("redis://redis:6379", redis.url)),
        "--idle",
        "1",
      ];
      const secret = { ...env, CASTOR_QUEUE_PASSWORD: password, CASTOR_DEBUG: "1" };
      const withSecret = (...given: string[]) => spawnSync("castor", given, { cwd: folder, env: secret, encoding: "utf8" });
      const url = redis.url.replace("//", `//:${encodeURIComponent(password)}@`);
      const small = ["campaign", "rows.yaml", "--cases", "20", "--out", "secret"];
      const producer = start(...small, "--queue", url);
      while (producer.exitCode === null && !producer.text!.includes("no worker of version")) await pause(20);
      const worker = withSecret(...words);
      expect([worker.status, worker.stdout]).toEqual([0, expect.stringMatching(/^20 cases in \d+ jobs/)]);
      await ended(producer);
      expect(await countCases("secret")).toBe(20);
      const stored = spawnSync("grep", ["-rlE", "s3cret", "secret"], { cwd: folder, encoding: "utf8" }).stdout;
      const wrong = castor(folder, ["worker", "--queue", redis.url], {
        CASTOR_DEBUG: "1",
        CASTOR_QUEUE_PASSWORD: "s3cret-wrong",
      });
      const none = castor(folder, ["worker", "--queue", redis.url]);
      const refused = withSecret("campaign", "rows.yaml", "--out", "none", "--queue", url.replace("redis:", "http:"));
      expect([wrong.status, none.status, refused.status]).toEqual([1, 1, 1]);
      expect(none.stderr).toMatch(/NOAUTH.*CASTOR_QUEUE_PASSWORD/);
      expect(refused.stderr).toMatch(/must begin with redis:/);
      const texts = [worker, wrong, none, refused].map(({ stdout, stderr }) => stdout + stderr).join() + producer.text;
      expect([stored, texts]).toEqual(["", expect.not.stringMatching("s3cret")]);
    } finally {
      await redis.remove();
    }
  });
});

describe("schedulers", () => {
  it("a Slurm array of the example gives the same table", async () => {
    const slurm = await startSlurm();
    if (typeof slurm === "string") return console.warn(`Slurm is not tested: ${slurm}`);
    try {
      const options = { cwd: folder, env: { ...env, SLURM_CONF: slurm.env.SLURM_CONF }, encoding: "utf8" } as const;
      const submitted = spawnSync("sbatch", ["--array=1-4", "--cpus-per-task=1", "slurm.sh", "rows.yaml"], options);
      expect(submitted.stdout + submitted.stderr).toMatch(/Submitted batch job/);
      const isWaiting = (): boolean => spawnSync("squeue", ["-h"], options).stdout.trim() !== "";
      do await pause(300);
      while (isWaiting());
      expect(readdirSync(join(folder, "shards")).sort()).toEqual(["1", "2", "3", "4"]);
      expect(campaign("--merge", "shards", "--out", "slurm", "--export", "slurm.csv").status).toBe(1);
      expect(await countCases("shards/3")).toBe(124);
      expect(table("slurm.csv")).toBe(expected);
    } finally {
      slurm.remove();
    }
  });

  it("GNU parallel gives the same table with the script of the example", () => {
    if (!hasProgram("parallel")) return console.warn("GNU parallel is not installed: its example is not run");
    const place = placeOf("parallel");
    const { status, stderr } = spawnSync("bash", ["parallel.sh", "mine.yaml"], { cwd: place, env, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/usage|unknown/i)]);
    expect(castor(place, ["campaign", "mine.yaml", "--merge", "shards", "--export", "all.csv"]).status).toBe(3);
    expect(table("parallel/all.csv")).toBe(firstRows(100));
  });

  it("the indexed job for Kubernetes runs the shard of its index", async () => {
    const place = placeOf("kubernetes");
    const { spec } = parse(table("kubernetes-shards.yaml"));
    const [{ command, args, env: variables }] = spec.template.spec.containers;
    const shards = variables.find(({ name }: { name: string }) => name === "SHARDS").value;
    expect([spec.completionMode, String(spec.completions)]).toEqual(["Indexed", shards]);
    const second = { ...env, JOB_COMPLETION_INDEX: "1", SHARDS: shards };
    expect(spawnSync(command[0], [...command.slice(1), ...args], { cwd: place, env: second, encoding: "utf8" }).stderr).toBe("");
    const lines: number[] = [];
    for await (const row of CaseStore.read(join(place, "shards/1")).rows()) lines.push(row.case);
    expect(lines).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
  });
});

/** True where a process may mount a small disk for itself. */
function canMount(): boolean {
  return spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"]).status === 0;
}

/** The first rows of the table: a case does not depend on the number of cases. */
const firstRows = (count: number): string =>
  `${expected
    .split("\n")
    .slice(0, count + 1)
    .join("\n")}\n`;

/** A folder of its own for a scheduler, with its files and the first 100 cases of the campaign as mine.yaml. */
function placeOf(name: string): string {
  const place = join(folder, name);
  cpSync(EXAMPLES, place, { recursive: true });
  writeFileSync(join(place, "scenario.yaml"), SCENARIO);
  writeFileSync(join(place, "mine.yaml"), CAMPAIGN.replace(`cases: ${CASES}`, "cases: 100"));
  return place;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
