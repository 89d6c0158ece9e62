/** The store: no finished case is lost or doubled, whatever is killed, repeated or merged. */
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Campaign } from "../../../src/campaign/campaign.ts";
import { casesNeeded, fillStore } from "../../../src/campaign/fill.ts";
import { inProcessPool } from "../../../src/campaign/pool/in-process.ts";
import type { Pool } from "../../../src/campaign/pool/pool.ts";
import { type CaseRow, InterruptedError, runCase } from "../../../src/campaign/run-case.ts";
import { wilsonInterval } from "../../../src/campaign/statistics/wilson.ts";
import { CaseStore } from "../../../src/campaign/store/store.ts";
import { csvTable } from "../../../src/campaign/store/table.ts";
import { campaignVerdict, summariseCampaign } from "../../../src/campaign/summary.ts";
import { OSCILLATOR_CAMPAIGN, open } from "../../fixtures/campaigns.ts";

let root: string;
let campaign: Campaign;
let rows: readonly CaseRow[];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "castor-store-"));
  campaign = await open();
  const all: CaseRow[] = [];
  for (let i = 0; i < campaign.cases; i++) all.push(await runCase(campaign, i, { host: "first" }));
  rows = all;
});
afterAll(() => rmSync(root, { recursive: true }));

const folderOf = (name: string): string => join(root, name);
const table = async (store: CaseStore): Promise<string> => {
  const stored: CaseRow[] = [];
  for await (const row of store.rows()) stored.push(row);
  return [...csvTable(store.manifest, stored)].join("");
};
const expected = (): string => [...csvTable(CaseStore.open(folderOf("schema"), campaign).manifest, rows)].join("");

/** A pool that returns the known rows, and ends after some cases as if the process were killed. */
const replay = (limit = Number.POSITIVE_INFINITY, host = "other"): Pool & { readonly ran: number[] } => {
  const ran: number[] = [];
  return {
    ran,
    slots: 3,
    async run(cases, finished) {
      for (const index of cases) {
        await Promise.resolve();
        if (ran.length >= limit) throw new InterruptedError("killed");
        ran.push(index);
        finished({ ...rows[index]!, seconds: Math.random(), host });
      }
    },
    close: async () => {},
  };
};

describe("a store", () => {
  it("has the same rows as columns: from chunks, from journals between them, and without inputs", async () => {
    const store = CaseStore.open(folderOf("columns"), campaign);
    const chunk = (first: number): { first: number; end: number } => ({ first, end: first + 8 });
    store.seal(chunk(8), rows.slice(8, 16));
    store.seal(chunk(24), rows.slice(24, 32));
    for (const index of [1, 17, 18]) store.append(chunk(8 * Math.floor(index / 8)), rows[index]!);
    const found: unknown[][] = [];
    for await (const { cases, status, reasons, inputs, measures } of store.blocks(true))
      for (let i = 0; i < cases.length; i++)
        found.push([cases[i], status[i], reasons[i], ...inputs.map((c) => c[i]), ...measures.map((c) => c[i])]);
    const same: unknown[][] = [];
    for await (const row of store.rows())
      same.push([row.case, row.status, row.reason, ...row.inputs, ...row.measures.map((value) => value ?? Number.NaN)]);
    expect(found).toEqual(same);
    expect(found).toHaveLength(19);
    for await (const { inputs } of store.blocks()) expect(inputs).toEqual([]);
  });

  it("has every case once, in order", async () => {
    const store = CaseStore.open(folderOf("complete"), campaign);
    await fillStore(store, campaign, inProcessPool(campaign));
    expect(await table(store)).toBe(expected());
    expect(readdirSync(join(store.folder, "chunks"))).toHaveLength(5);
  });

  it("goes on after a kill at any place, without running a finished case again", async () => {
    for (const limit of [0, 1, 5, 8, 9, 17, 39]) {
      const folder = folderOf(`killed-${limit}`);
      const first = replay(limit);
      await expect(fillStore(CaseStore.open(folder, campaign), campaign, first)).rejects.toThrow(InterruptedError);
      // A line that was cut off by the kill.
      mkdirSync(join(folder, "journal"), { recursive: true });
      appendFileSync(join(folder, "journal", "0-7.abc.ndjson"), '{"case":2,"status":"pas');
      const second = replay();
      const store = CaseStore.open(folder, campaign);
      await fillStore(store, campaign, second);
      expect([...first.ran, ...second.ran].sort((a, b) => a - b)).toEqual(rows.map((row) => row.case));
      expect(await table(store)).toBe(expected());
      expect(readdirSync(join(folder, "journal"))).toEqual([]);
    }
  });

  it("stores a chunk once that was computed twice on different machines", async () => {
    const store = CaseStore.open(folderOf("twice"), campaign);
    const chunk = { first: 0, end: 8 };
    for (const host of ["a", "b"]) store.seal(chunk, rows.slice(0, 8).map((row) => ({ ...row, host }))); // biome-ignore format: one line
    expect(readdirSync(join(store.folder, "chunks"))).toHaveLength(1);
  });

  it("joins shards, also incomplete and repeated ones", async () => {
    const shards = [0, 1, 2].map((index) => ({ index, count: 3 }));
    for (const shard of shards)
      await fillStore(CaseStore.open(folderOf(`shard-${shard.index}`), campaign), campaign, replay(), { shard });
    const counts = shards.map(({ index }) => readdirSync(join(folderOf(`shard-${index}`), "chunks")).length);
    expect(counts).toEqual([2, 2, 1]);
    const store = CaseStore.open(folderOf("merged"), campaign);
    for (const index of [1, 0, 1]) await store.merge(CaseStore.read(folderOf(`shard-${index}`)));
    expect([...store.unfinished()]).toEqual([{ first: 16, end: 24 }]);
    const rest = replay();
    await fillStore(store, campaign, rest);
    expect(rest.ran).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
    expect(await table(store)).toBe(expected());
  });

  it("is Parquet that other programs read, with times and machines", async () => {
    const store = CaseStore.open(folderOf("complete"), campaign);
    const [file] = readdirSync(join(store.folder, "chunks"));
    const bytes = readFileSync(join(store.folder, "chunks", file!));
    const objects = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    });
    expect(Object.keys(objects[0]!)).toEqual(["case", "status", "reason", "speed", "stiffness", "reach", "end", "far", "area", "seconds", "host"]); // biome-ignore format: one line
    expect(objects.map((o) => o.far)).toEqual(rows.slice(0, 8).map((row) => row.measures[2]));
  });

  it("refuses a folder of another campaign, and other folders", async () => {
    const other = await open(OSCILLATOR_CAMPAIGN.replace("seed: 7", "seed: 8"));
    expect(() => CaseStore.open(folderOf("complete"), other)).toThrow(
      /another campaign: it differs in campaign\. Choose another folder/,
    );
    const longer = await open(OSCILLATOR_CAMPAIGN.replace("seed: 7", "seed: 7\nset: duration=3"));
    expect(() => CaseStore.open(folderOf("complete"), longer)).toThrow(/differs in campaign, scenario/);
    expect(() => CaseStore.read(root)).toThrow(/not the store of a campaign/);
    mkdirSync(folderOf("full"));
    writeFileSync(join(folderOf("full"), "thesis.tex"), "");
    expect(() => CaseStore.open(folderOf("full"), campaign)).toThrow(/has other files/);
  });

  it("accepts changes that do not change results: title, kept runs, requirement", async () => {
    const same = await open(`${OSCILLATOR_CAMPAIGN}name: another title\nrequire: { probability: 0.5 }\nkeep: { cases: [1] }\n`);
    expect(() => CaseStore.open(folderOf("complete"), same)).not.toThrow();
  });

  it("says which chunk is damaged", async () => {
    cpSync(folderOf("complete"), folderOf("damaged"), { recursive: true });
    const store = CaseStore.open(folderOf("damaged"), campaign);
    const [file] = readdirSync(join(store.folder, "chunks"));
    writeFileSync(join(store.folder, "chunks", file!), "PAR1 nonsense PAR1");
    await expect(table(store)).rejects.toThrow(
      new RegExp(`${file} is damaged: its bytes do not have the digest of its name. Remove it, and run`),
    );
  });

  it("compacts many chunks to few, and keeps every row", async () => {
    const many = await open(OSCILLATOR_CAMPAIGN.replace("cases: 40", "cases: 400").replace("chunk: 8", "chunk: 4"));
    const store = CaseStore.open(folderOf("many"), many);
    const pool: Pool = {
      slots: 2,
      close: async () => {},
      async run(cases, finished) {
        for (const index of cases) finished({ ...rows[index % 40]!, case: index });
      },
    };
    await fillStore(store, many, pool);
    expect(readdirSync(join(store.folder, "chunks"))).toHaveLength(1);
    const cases: number[] = [];
    for await (const row of store.rows()) cases.push(row.case);
    expect(cases).toEqual(Array.from({ length: 400 }, (_, i) => i));
  });
});

describe("a stopping rule", () => {
  it("ends at the same case for every pool, chunk size and order", async () => {
    const needed: (number | undefined)[] = [];
    for (const chunk of [1, 8, 30]) {
      const text = OSCILLATOR_CAMPAIGN.replace("chunk: 8", `chunk: ${chunk}\nstop: { width: 0.45, batch: 6 }`);
      const stopped = await open(text);
      const store = CaseStore.open(folderOf(`stop-${chunk}`), stopped);
      await fillStore(store, stopped, replay());
      needed.push(await casesNeeded(store, stopped));
    }
    expect(new Set(needed).size).toBe(1);
    const n = needed[0]!;
    const width = (count: number): number => {
      const { low, high } = wilsonInterval(rows.slice(0, count).filter((r) => r.status === "passed").length, count);
      return high - low;
    };
    expect(n).toBeLessThan(40);
    expect(width(n)).toBeLessThanOrEqual(0.45);
    expect(width(n - 6)).toBeGreaterThan(0.45);
  });
});

describe("the summary", () => {
  it("counts, and describes every measure", async () => {
    const store = CaseStore.open(folderOf("complete"), campaign);
    const summary = await summariseCampaign(store, campaign);
    const passed = rows.filter((row) => row.status === "passed").length;
    expect(summary.counts).toEqual({ passed, failed: 40 - passed, invalid: 0 });
    expect(summary.probability).toEqual({ value: passed / 40, ...wilsonInterval(passed, 40) });
    const ends = rows.map((row) => row.measures[1]!);
    const mean = ends.reduce((sum, x) => sum + x, 0) / 40;
    expect(summary.measures[1]!.mean).toBeCloseTo(mean, 12);
    expect(summary.measures[1]!.deviation).toBeCloseTo(Math.sqrt(ends.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 39), 12);
    expect(summary.measures[1]!.most).toEqual({ value: Math.max(...ends), case: ends.indexOf(Math.max(...ends)) });
    expect(summary.measures[2]!.count).toBe(rows.filter((row) => row.measures[2] !== null).length);
    expect(campaignVerdict(campaign, summary)).toBe("failed");
    expect(campaignVerdict({ ...campaign, require: { probability: 0.01, proven: true } }, summary)).toBe("passed");
    expect(campaignVerdict({ ...campaign, require: { probability: 0.999, proven: false } }, summary)).toBe("failed");
    expect(campaignVerdict(campaign, { ...summary, done: 39 })).toBe("invalid");
  });
});
