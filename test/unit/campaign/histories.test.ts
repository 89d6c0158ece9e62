/** Histories of cases and their envelopes, against the closed form of an oscillator. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillStore } from "../../../src/campaign/fill.ts";
import { readEnvelopes } from "../../../src/campaign/histories/envelope.ts";
import { inProcessPool } from "../../../src/campaign/pool/in-process.ts";
import { answerText, fitsCampaign, parseAnswer } from "../../../src/campaign/queue/protocol.ts";
import { writeCampaignReport } from "../../../src/campaign/report/write-report.ts";
import { type CaseRow, runCase } from "../../../src/campaign/run-case.ts";
import { CaseStore } from "../../../src/campaign/store/store.ts";
import { summariseCampaign } from "../../../src/campaign/summary.ts";
import { OSCILLATOR_CAMPAIGN, open } from "../../fixtures/campaigns.ts";

const SAMPLES = 9;
const HISTORIES = `histories: { samples: ${SAMPLES}, of: { position: q.mass, "twice, less one": 2 * q.mass - 1 } }\n`;
const WITH_HISTORIES = OSCILLATOR_CAMPAIGN + HISTORIES;

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "castor-histories-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const position = (row: CaseRow, t: number): number => {
  const [v, k] = row.inputs as [number, number];
  return (v / Math.sqrt(k)) * Math.sin(Math.sqrt(k) * t);
};

describe("histories of a case", () => {
  it("are those of the motion, with 6 digits, and change nothing else", async () => {
    const campaign = await open(WITH_HISTORIES);
    expect(campaign.histories!.list.map(({ unit }) => unit)).toEqual(["m", ""]);
    const { histories, seconds: _, ...row } = await runCase(campaign, 3);
    for (const [i, value] of histories![0]!.entries()) {
      expect(value).toBeCloseTo(position(row as CaseRow, (2 * i) / (SAMPLES - 1)), 5);
      expect(histories![1]![i]).toBeCloseTo(2 * value! - 1, 4);
    }
    expect(histories!.map((values) => values.length)).toEqual([SAMPLES, SAMPLES]);
    const { seconds: __, ...plain } = await runCase(await open(), 3);
    expect(row).toEqual(plain);
  });

  it("end where the run ends, and an invalid case has none", async () => {
    const early = await open(`${WITH_HISTORIES}set: stop=t > 1\n`);
    const row = await runCase(early, 0);
    expect(row.histories![0]!.map((value) => value !== null)).toEqual([true, true, true, true, true, false, false, false, false]);
    const bad = await open(WITH_HISTORIES.replace("path: state.u.mass, from: 0.5", "path: model.bodies.mass.mass, from: -1"));
    const rows = await Promise.all(Array.from({ length: 12 }, (_, i) => runCase(bad, i)));
    const invalid = rows.filter(({ status }) => status === "invalid");
    expect(invalid.length).toBeGreaterThan(0);
    for (const { histories } of invalid) expect(histories).toEqual([[], []]);
  });

  it.each([
    ["of: { reach: q.mass }", /histories.of.reach.*taken by another column/s],
    ["of: { position: q.mas }", /q\.mas.*q\.mass/s],
    ["of: { position: q.mass + }", /histories.of.position/],
    ["samples: 1, of: { position: q.mass }", /histories.samples/],
    ["samples: 5", /histories.of/],
  ])("refuses { %s }", async (text, message) => {
    await expect(open(`${OSCILLATOR_CAMPAIGN}histories: { ${text} }\n`)).rejects.toThrow(message);
  });
});

describe("histories in a store", () => {
  it("come back from journals, chunks and queues, and give envelopes", async () => {
    const campaign = await open(WITH_HISTORIES);
    const store = CaseStore.open(join(root, "store"), campaign);
    const rows: CaseRow[] = [];
    for (let i = 0; i < 16; i++) rows.push(await runCase(campaign, i));
    store.seal({ first: 0, end: 8 }, rows.slice(0, 8));
    for (const row of rows.slice(8)) store.append({ first: 8, end: 16 }, row);
    const stored: CaseRow[] = [];
    for await (const row of store.rows()) stored.push(row);
    expect(stored).toEqual(rows);
    const back = parseAnswer(answerText("1", rows))!;
    expect(back.rows).toEqual(rows);
    expect(back.rows.every((row) => fitsCampaign(row, campaign))).toBe(true);
    const { histories: _, ...without } = rows[0]!;
    expect(fitsCampaign(without, campaign)).toBe(false);

    const [envelope] = await readEnvelopes(store, campaign);
    for (let i = 0; i < SAMPLES; i++) {
      const values = rows.map(({ histories }) => histories![0]![i]!).sort((a, b) => a - b);
      expect([envelope!.least[i], envelope!.most[i]]).toEqual([values[0], values[15]]);
      expect(envelope!.median[i]).toBeCloseTo(0.5 * (values[7]! + values[8]!), 12);
      expect(envelope!.low[i]).toBeCloseTo(values[0]! + 0.75 * (values[1]! - values[0]!), 12);
    }
    const failed = rows.filter(({ status }) => status === "failed").map((row) => row.case);
    expect(envelope!.failed.map((entry) => entry.case)).toEqual(failed);
    const [file] = readdirSync(join(root, "store/chunks"));
    const bytes = readFileSync(join(root, "store/chunks", file!));
    const read = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) });
    expect(read[2]!.position).toEqual(rows[2]!.histories![0]);
  });

  it("are drawn in the report: bands, median, and every failed case", async () => {
    const campaign = await open(WITH_HISTORIES);
    const store = CaseStore.open(join(root, "page"), campaign);
    await fillStore(store, campaign, inProcessPool(campaign));
    const summary = await summariseCampaign(store, campaign);
    await writeCampaignReport(store, campaign, summary, { argument: "mine.yaml --seed 3", kept: [] });
    const { document } = parseHTML(readFileSync(join(store.folder, "report.html"), "utf8"));
    const [section] = [...document.querySelectorAll("section")].filter((s) => s.querySelector("h2")!.textContent === "Histories");
    const titles = [...section!.querySelectorAll("svg")[0]!.querySelectorAll("path title")].map((title) => title.textContent);
    const failed = titles.filter((title) => /^case \d+, failed$/.test(title!));
    expect(failed).toHaveLength(Math.min(20, summary.counts.failed));
    expect(titles.filter((title) => !failed.includes(title))).toEqual(["all cases", "5 % to 95 % of the cases", "median"]);
    expect(document.body.innerHTML).toContain("castor campaign mine.yaml --seed 3 --case ");
  });
});
