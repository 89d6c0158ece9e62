/** Queues: addresses without secrets, campaigns as data, jobs and answers, and what happens when Redis or a producer is lost. */
import { Queue, UnrecoverableError, Worker } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBundle, type RecordedCampaign, recordCampaign } from "../../../src/campaign/queue/bundle.ts";
import { ProducerLease } from "../../../src/campaign/queue/lease.ts";
import {
  answerText,
  chunkJob,
  keysOf,
  MOST_CASES,
  PREFIX,
  parseAnswer,
  parseBundle,
  parseJob,
  QUEUE_NAME,
} from "../../../src/campaign/queue/protocol.ts";
import { readQueueAddress } from "../../../src/campaign/queue/queue-address.ts";
import { queuePool } from "../../../src/campaign/queue/queue-pool.ts";
import { serveQueue } from "../../../src/campaign/queue/queue-worker.ts";
import { WORKERS_KEY } from "../../../src/campaign/queue/workers.ts";
import { type CaseRow, runCase } from "../../../src/campaign/run-case.ts";
import { identityOf } from "../../../src/campaign/store/manifest.ts";
import { parseRow, rowText } from "../../../src/campaign/store/row-text.ts";
import { ModelError, WriteError } from "../../../src/errors.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { VERSION } from "../../../src/version.ts";
import { OSCILLATOR, OSCILLATOR_CAMPAIGN } from "../../fixtures/campaigns.ts";
import { freePort, hasRedis, type RedisServer, startRedis } from "../../fixtures/schedulers/redis.ts";

describe("addresses", () => {
  it.each([
    ["redis://head", { host: "head", port: 6379, database: 0, isEncrypted: false, shown: "redis://head:6379" }],
    [
      "rediss://:p%40ss@head:7000/2",
      { password: "p@ss", port: 7000, database: 2, isEncrypted: true, shown: "rediss://head:7000/2" },
    ],
    ["redis://user:word@[::1]:7000", { host: "::1", username: "user", password: "word", shown: "redis://[::1]:7000" }],
  ])("%s", (text, expected) => expect(readQueueAddress(text)).toMatchObject(expected));

  it("the password of the environment is used if the address has none", () => {
    expect(readQueueAddress("redis://head", "outer").password).toBe("outer");
    expect(readQueueAddress("redis://:inner@head", "outer").password).toBe("inner");
  });

  it.each([
    ["http://:hidden@head", /must begin with redis:/],
    ["hidden", /needs the address of a Redis server/],
    ["redis://:hidden%@head", /% that begins no character/],
    ["redis://:hidden@head/name", /number of a database/],
    ["redis://:hidden@head?tls=1", /options after/],
    ["redis:hidden", /host|database/],
  ])("%s is refused without its secret", (text, message) => {
    expect(() => readQueueAddress(text)).toThrow(message);
    expect(() => readQueueAddress(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining("hidden") }));
  });
});

const ROW: CaseRow = {
  case: 3,
  status: "failed",
  reason: 'end < "0"\n',
  inputs: [-0, 1e-320, "a,b"],
  measures: [null, -0, 0.1],
  seconds: 0.25,
  host: "h",
};

describe("texts", () => {
  it("rows come back with all bits, the sign of zero too", () => {
    const back = parseRow(rowText(ROW))!;
    expect(back).toStrictEqual(ROW);
    expect([Object.is(back.inputs[0], -0), Object.is(back.measures[1], -0)]).toEqual([true, true]);
    expect(parseRow(rowText(ROW).slice(0, -3))).toBeUndefined();
    expect(parseRow(rowText(ROW).replace("failed", "good"))).toBeUndefined();
  });

  it("jobs are ranges, and the same job has the same id", () => {
    const campaign = "a".repeat(64);
    const { id, data } = chunkJob(campaign, [9, 3, 4, 5]);
    expect(data.ranges).toEqual([
      [3, 5],
      [9, 9],
    ]);
    expect([chunkJob(campaign, [3, 4, 5, 9]).id, chunkJob("b".repeat(64), [3, 4, 5, 9]).id === id]).toEqual([id, false]);
    expect(parseJob(data)).toEqual({ campaign, cases: [3, 4, 5, 9] });
  });

  it.each([
    [undefined],
    [{ campaign: "../../etc", ranges: [[0, 1]] }],
    [{ campaign: "a".repeat(64), ranges: [] }],
    [{ campaign: "a".repeat(64), ranges: [[0, 1e9]] }],
    [{ campaign: "a".repeat(64), ranges: Array.from({ length: MOST_CASES }, () => [0, 1]) }],
    [{ campaign: "a".repeat(64), ranges: [[1, 0]] }],
    [{ campaign: "a".repeat(64), ranges: [[-1, 0.5]] }],
  ])("other data are not a job (%#)", (data) => expect(parseJob(data)).toBeUndefined());

  it("answers with other contents are refused", () => {
    expect(parseAnswer(answerText("j", [ROW]))).toEqual({ job: "j", rows: [ROW], lacking: [] });
    for (const text of ["", "null", "{}", '{"job":"j","rows":[{}],"lacking":[]}', '{"job":"j","rows":[],"lacking":[1]}'])
      expect(parseAnswer(text)).toBeUndefined();
  });
});

/** Files of a campaign whose cases name a state file, which only some of them read. */
const FILES: Readonly<Record<string, string>> = {
  "scenario.yaml": OSCILLATOR,
  "slow.yaml": "u: { mass: 0.5 }",
  "fast.yaml": "u: { mass: 1.5 }",
  "secret.yaml": "u: { mass: 9 }",
};
const STATES = OSCILLATOR_CAMPAIGN.replace(
  / {2}speed: .*/,
  "  start: { kind: discrete, path: state, values: [slow.yaml, fast.yaml, none.yaml] }",
);
const read = (path: string): { text: string; source: string } => {
  if (FILES[path] === undefined) throw new ModelError(path, [{ path: "", message: "does not exist" }]);
  return { text: FILES[path], source: path };
};
const record = (text = STATES): Promise<RecordedCampaign> =>
  recordCampaign(text, "campaign.yaml", {
    files: {
      readText: (path) => read(path).text,
      scenario: (name) => ({ ...read(name), files: { ...NO_FILES, readBeside: read, readChosen: read } }),
    },
  });

describe("a campaign as data", () => {
  it("is the same campaign, and lacks only files that its first reading did not need", async () => {
    const recorded = await record();
    const bundle = JSON.parse(JSON.stringify({ ...recorded.head, files: recorded.contents() }));
    const { campaign, lacking } = await openBundle(bundle);
    expect([identityOf(campaign), lacking()]).toEqual([identityOf(recorded.campaign), []]);
    const cases = Array.from({ length: 16 }, (_, k) => k);
    for (const index of cases) await runCase(campaign, index);
    expect([...lacking()].sort()).toEqual(["chosen:none.yaml", "chosen:slow.yaml"]);
    const files = Object.fromEntries(lacking().map((key) => [key, recorded.supply(key)]));
    const whole = await openBundle({ ...bundle, files: { ...bundle.files, ...files } });
    for (const index of cases) {
      const { seconds: _, ...there } = await runCase(whole.campaign, index);
      const { seconds: __, ...here } = await runCase(recorded.campaign, index);
      expect(there).toEqual(here);
    }
    expect(whole.lacking()).toEqual([]);
  });

  it("gives workers only files that it names", async () => {
    const recorded = await record();
    for (const key of ["chosen:secret.yaml", "chosen:/etc/passwd", "beside:secret.yaml", "chosen:", "list:x", "x"])
      expect([key, recorded.supply(key)]).toEqual([key, undefined]);
  });

  it("that does not exist any more is none", () => expect(parseBundle({})).toBeUndefined());
});

describe.skipIf(!hasRedis())("Redis", () => {
  let server: RedisServer;
  let redis: Redis;
  let recorded: RecordedCampaign;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.port, { maxRetriesPerRequest: null });
    recorded = await record(OSCILLATOR_CAMPAIGN.replace("cases: 40", "cases: 400"));
  });
  afterAll(async () => {
    redis.disconnect();
    await server.remove();
  });

  const cases = (count: number): number[] => Array.from({ length: count }, (_, k) => k);
  const row = (index: number): CaseRow => ({ ...ROW, case: index, inputs: [0, 0], measures: [0, 0, 0, 0], seconds: 0.01 });

  /** A worker that answers at once, or throws. */
  const startWorker = async (answer: (first: number, last: number) => void): Promise<Worker> => {
    await redis.zadd(WORKERS_KEY, 4e9, JSON.stringify({ id: "w", version: VERSION, threads: 1 }));
    return new Worker(
      QUEUE_NAME,
      async ({ id, data }) => {
        const job = parseJob(data)!;
        answer(job.cases[0]!, job.cases.at(-1)!);
        await redis.rpush(keysOf(job.campaign).answers, answerText(id!, job.cases.map(row)));
      },
      { connection: { port: server.port, maxRetriesPerRequest: null }, prefix: PREFIX, drainDelay: 1, runRetryDelay: 100 },
    ).on("error", () => {});
  };

  it("that is not there is refused", async () => {
    const nothing = `redis://127.0.0.1:${await freePort()}`;
    const refusal = /cannot use the queue redis:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*Start Redis there/;
    const worker = serveQueue({ queue: nothing, threads: 1, script: new URL("file:///none") });
    await Promise.all([
      expect(queuePool(recorded, { queue: nothing })).rejects.toThrow(refusal),
      expect(worker).rejects.toThrow(refusal),
    ]);
  });

  it("that loses its data gets the campaign again; every case comes once, and nothing remains at the end", async () => {
    const done: number[] = [];
    let jobs = 0;
    const worker = await startWorker(() => {
      if (++jobs === 5) void redis.flushall();
    });
    const pool = await queuePool(recorded, { queue: server.url });
    await pool.run(cases(400), ({ case: index }) => void done.push(index));
    await pool.close();
    await worker.close();
    expect(done.sort((a, b) => a - b)).toEqual(cases(400));
    expect(jobs).toBeGreaterThan(5);
    const left = await redis.keys(`${PREFIX}:*`);
    expect(left.filter((key) => /campaign|answers|producer|-[0-9a-f]{24}$/.test(key))).toEqual([]);
  });

  it("that does not come back ends the pool with a message", async () => {
    const lost = await startRedis();
    const notices: string[] = [];
    const pool = await queuePool(recorded, { queue: lost.url, patience: 1, notice: (text) => notices.push(text) });
    const running = pool.run(cases(9), () => {});
    await lost.remove();
    await expect(running).rejects.toThrow(/is lost: Redis has not answered for 1 s \(.*\)\. Finished cases are kept/);
    await pool.close();
    expect(notices).toEqual([expect.stringMatching(/no worker of version .* castor worker --queue redis:/)]);
  });

  it("rows that an earlier process has left are taken, and its waiting jobs are replaced", async () => {
    const { id, data } = chunkJob(identityOf(recorded.campaign), [0, 1, 2]);
    await redis.rpush(keysOf(data.campaign).answers, answerText(id, [row(0), row(1), row(2)]));
    const queue = new Queue(QUEUE_NAME, { connection: { port: server.port }, prefix: PREFIX });
    const old = chunkJob(data.campaign, cases(9));
    await queue.add("cases", old.data, { jobId: old.id });
    const pool = await queuePool(recorded, { queue: server.url });
    expect(await queue.getJobState(old.id)).toBe("unknown");
    const ranges: number[][] = [];
    const worker = await startWorker((...range) => void ranges.push(range));
    const done: number[] = [];
    await pool.run(cases(9), ({ case: index }) => void done.push(index));
    await Promise.all([pool.close(), worker.close(), queue.close()]);
    expect(done.sort((a, b) => a - b)).toEqual(cases(9));
    expect(Math.min(...ranges.flat())).toBe(3);
  });

  it("a case during which all workers die is invalid; the others of its job are not", async () => {
    const worker = await startWorker((first, last) => {
      if (first <= 7 && last >= 7) throw new UnrecoverableError("job stalled more than allowable limit");
    });
    const rows: CaseRow[] = [];
    const pool = await queuePool(recorded, { queue: server.url });
    await pool.run(cases(100), (finished) => void rows.push(finished));
    await Promise.all([pool.close(), worker.close()]);
    expect(rows.map((finished) => finished.case).sort((a, b) => a - b)).toEqual(cases(100));
    expect(rows.filter(({ status }) => status === "invalid").map((r) => [r.case, r.reason])).toEqual([
      [7, "worker: every worker process that ran it has died"],
    ]);
  });

  it("jobs that no worker can run end the pool with the reason, and so do rows of something else", async () => {
    const failing = await startWorker(() => {
      throw new UnrecoverableError("model: has a problem (on there)");
    });
    const pool = await queuePool(recorded, { queue: server.url });
    await expect(pool.run(cases(9), () => {})).rejects.toThrow(/cannot run cases \d to \d: model: has a problem \(on there\)/);
    await Promise.all([pool.close(), failing.close()]);
    const other = await queuePool(recorded, { queue: server.url });
    const running = other.run(cases(9), () => {});
    await redis.rpush(keysOf(identityOf(recorded.campaign)).answers, answerText("x", [{ ...row(1), measures: [] }]));
    await expect(running).rejects.toThrow(/a row that does not fit the campaign \(case 1\)/);
    await other.close();
  });

  it("a row that cannot be stored ends the pool with that error", async () => {
    const worker = await startWorker(() => {});
    const pool = await queuePool(recorded, { queue: server.url });
    const full = (): never => {
      throw new WriteError("the disk is full");
    };
    await expect(pool.run(cases(9), full)).rejects.toThrow(WriteError);
    await Promise.all([pool.close(), worker.close()]);
  });

  it("one process at a time fills a campaign; a lease that is not renewed passes on", async () => {
    const key = "castor:producer:test";
    await redis.set(key, JSON.stringify({ host: "elsewhere", process: 7 }), "PX", 700);
    const lease = new ProducerLease(redis, key);
    const notices: string[] = [];
    await lease.take((text) => notices.push(text));
    expect([lease.isOwn, notices[0]]).toEqual([true, expect.stringMatching(/process 7 on elsewhere has filled/)]);
    await lease.renew();
    await redis.set(key, JSON.stringify({ host: "elsewhere", process: 8 }));
    await expect(lease.renew()).rejects.toThrow(/another process has taken over/);
    await lease.release();
    expect(await redis.get(key)).toContain("elsewhere");
  });
});
