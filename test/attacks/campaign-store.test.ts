/**
 * Damaged stores of campaigns: a changed or missing byte anywhere gives the same rows, fewer rows (which are computed again), or a message; never other rows.
 * CASTOR_EVERY_BYTE=1 changes every byte, otherwise some of them.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Campaign } from "../../src/campaign/campaign.ts";
import { type CaseRow, runCase } from "../../src/campaign/run-case.ts";
import { CaseStore } from "../../src/campaign/store/store.ts";
import { FormatError } from "../../src/errors.ts";
import { OSCILLATOR_CAMPAIGN, open } from "../fixtures/campaigns.ts";

const TEXT = `${OSCILLATOR_CAMPAIGN.replace("cases: 40", "cases: 12").replace("chunk: 8", "chunk: 6")}
histories: { samples: 4, of: { position: q.mass } }
`;
const CHUNK = { first: 0, end: 6 };
const STRIDE = process.env.CASTOR_EVERY_BYTE ? 1 : 17;

let root: string;
let folder: string;
let campaign: Campaign;
let rows: readonly CaseRow[];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "castor-damaged-"));
  folder = join(root, "store");
  campaign = await open(TEXT);
  const all: CaseRow[] = [];
  for (let k = 0; k < 12; k++) all.push({ ...(await runCase(campaign, k)), seconds: 0.25, host: "here" });
  rows = all;
  const store = CaseStore.open(folder, campaign);
  store.seal(CHUNK, rows.slice(0, 6));
  for (const row of rows.slice(6)) store.append({ first: 6, end: 12 }, row);
});
afterAll(() => rmSync(root, { recursive: true }));

/** What can be read of the store in every way, or the message. */
async function readAll(): Promise<readonly CaseRow[] | string> {
  try {
    const store = CaseStore.read(folder);
    const read: CaseRow[] = [];
    for await (const row of store.rows()) read.push(row);
    const columns: number[] = [];
    for await (const block of store.blocks(true))
      for (let i = 0; i < block.cases.length; i++)
        columns.push(block.cases[i]!, ...block.inputs.map((c) => c[i] as number), ...block.measures.map((c) => c[i]!));
    const expected = read.flatMap((row) => [row.case, ...(row.inputs as number[]), ...row.measures.map((m) => m ?? Number.NaN)]);
    expect(columns).toEqual(expected);
    const histories: unknown[] = [];
    for await (const row of store.histories()) histories.push(row.histories);
    expect(histories).toEqual(read.map((row) => row.histories));
    return read;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return error.message;
  }
}

/** Damages a file in many ways, reads the store each time, and restores it. Returns the number of damages, and of those that a message reported. */
async function damage(path: string, check: (read: readonly CaseRow[]) => void): Promise<{ count: number; reported: number }> {
  const bytes = readFileSync(path);
  const variants: Uint8Array[] = [];
  for (let i = 0; i < bytes.length; i += STRIDE) {
    const flipped = Uint8Array.from(bytes);
    flipped[i]! ^= 1 << (i % 8);
    const other = Uint8Array.from(bytes);
    other[i] = (i * 37) % 256;
    variants.push(flipped, other, bytes.slice(0, i), Buffer.concat([bytes.slice(0, i), bytes.slice(i + 1)]));
  }
  let reported = 0;
  for (const variant of variants) {
    writeFileSync(path, variant);
    const read = await readAll();
    if (typeof read === "string") reported++;
    else check(read);
  }
  writeFileSync(path, bytes);
  return { count: variants.length, reported };
}

const onlyFile = (name: string): string => join(folder, name, readdirSync(join(folder, name))[0]!);

describe("a store that is damaged at any byte", () => {
  it("is read as it was", async () => expect(await readAll()).toEqual(rows));

  it("in a chunk: a message", async () => {
    const { count, reported } = await damage(onlyFile("chunks"), (read) => expect(read).toEqual(rows));
    expect(reported).toBeGreaterThan(0.98 * count); // some "damages" write the byte that is there
  });

  it("in a journal: the rows of the other lines", async () => {
    const { reported } = await damage(onlyFile("journal"), (read) => {
      for (const row of read) expect(row).toEqual(rows[row.case]);
      expect(read.length).toBeGreaterThanOrEqual(6);
    });
    expect(reported).toBe(0);
  });

  it("in its manifest: the same rows, or a message", async () => {
    const { count, reported } = await damage(join(folder, "campaign.json"), (read) => expect(read).toEqual(rows));
    expect(reported / count).toBeGreaterThan(0.8);
  });

  it("refuses a chunk of another campaign", async () => {
    const other = await open(TEXT.replace("seed: 7", "seed: 8"));
    const stranger = CaseStore.open(join(root, "other"), other);
    stranger.seal(CHUNK, rows.slice(0, 6));
    const [file] = readdirSync(join(root, "other/chunks"));
    const bytes = readFileSync(onlyFile("chunks"));
    const own = onlyFile("chunks");
    rmSync(own);
    writeFileSync(join(folder, "chunks", file!), readFileSync(join(root, "other/chunks", file!)));
    expect(await readAll()).toMatch(/belongs to another campaign/);
    rmSync(join(folder, "chunks", file!));
    writeFileSync(own, bytes);
  });
});
