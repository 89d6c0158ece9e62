/** Analysis and report of a campaign. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyseMeasures, type CaseColumns, readColumns } from "../../../src/campaign/analysis.ts";
import type { Campaign } from "../../../src/campaign/campaign.ts";
import { caseOf } from "../../../src/campaign/cases.ts";
import { compareStores } from "../../../src/campaign/compare-stores.ts";
import { fillStore } from "../../../src/campaign/fill.ts";
import { inProcessPool } from "../../../src/campaign/pool/in-process.ts";
import { barCount } from "../../../src/campaign/report/charts.ts";
import { writeCampaignReport } from "../../../src/campaign/report/write-report.ts";
import { runCase } from "../../../src/campaign/run-case.ts";
import { CaseStore } from "../../../src/campaign/store/store.ts";
import { openStoredCampaign } from "../../../src/campaign/stored-campaign.ts";
import { summariseCampaign } from "../../../src/campaign/summary.ts";
import { campaignFiles, OSCILLATOR, OSCILLATOR_CAMPAIGN, open } from "../../fixtures/campaigns.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "castor-campaign-report-"));
});
afterAll(() => rmSync(root, { recursive: true }));

async function filled(name: string, text: string, files = campaignFiles()): Promise<{ campaign: Campaign; store: CaseStore }> {
  const campaign = await open(text, files);
  const store = CaseStore.open(join(root, name), campaign);
  await fillStore(store, campaign, inProcessPool(campaign));
  return { campaign, store };
}

const columnsOf = (columns: Readonly<Record<string, readonly number[]>>): CaseColumns => {
  const values = Object.values(columns)[0]!;
  return {
    cases: Float64Array.from(values.keys()),
    passed: Uint8Array.from(values, () => 1),
    columns: new Map(Object.entries(columns).map(([name, list]) => [name, Float64Array.from(list)])),
  };
};

describe("the analysis", () => {
  it("ranks the inputs, bounds the measures, and lists the largest values", async () => {
    const campaign = await open();
    const n = 800;
    const speed = Array.from({ length: n }, (_, i) => ((i * 37) % n) / n);
    const stiffness = Array.from({ length: n }, (_, i) => ((i * 101) % n) / n);
    const reach = speed.map((v, i) => v - 0.2 * stiffness[i]!);
    const end = reach.map((r, i) => (i < 10 ? Number.NaN : r));
    const data = columnsOf({ speed, stiffness, reach, end, far: speed.map(() => Number.NaN), area: speed.map(() => 1) });
    const [first, second, none, constant] = analyseMeasures(campaign, data);
    expect(first!.sensitivities.map(({ input }) => input)).toEqual(["speed", "stiffness"]);
    expect(first!.sensitivities[0]!.low).toBeGreaterThan(0.9);
    expect(first!.sensitivities[1]!.high).toBeLessThan(0);
    const sorted = [...reach].sort((a, b) => a - b);
    expect([first!.upper, first!.lower]).toEqual([sorted.at(-1), sorted[0]]);
    expect(first!.largest[0]).toEqual({ case: reach.indexOf(sorted.at(-1)!), value: sorted.at(-1), status: "passed" });
    expect(second!.largest.every(({ case: index }) => index >= 10)).toBe(true);
    expect([none!.upper, none!.largest]).toEqual([undefined, []]);
    expect(constant!.sensitivities.every(({ value }) => Number.isNaN(value))).toBe(true);
  });

  it("has Sobol indices for a sensitivity design: the amplitude v / √k in closed form", async () => {
    const text = OSCILLATOR_CAMPAIGN.replace("{ kind: monte-carlo, cases: 40 }", "{ kind: sensitivity, rows: 30 }");
    const { campaign, store } = await filled("sobol", text);
    const [reach] = analyseMeasures(campaign, await readColumns(store, campaign));
    // With few rows the intervals are wide; the speed has most of the variance.
    const [speed, stiffness] = reach!.sobol!;
    expect([speed!.name, stiffness!.name]).toEqual(["speed", "stiffness"]);
    expect(speed!.total.value).toBeGreaterThan(0.7);
    expect(stiffness!.total.value).toBeLessThan(0.3);
  });
});

describe("the report", () => {
  it("shows every case, and loads nothing", async () => {
    const hostile = OSCILLATOR_CAMPAIGN.replace("seed: 7", 'seed: 7\nname: "<script>alert(1)</script>"');
    const { campaign, store } = await filled("page", hostile);
    const summary = await summariseCampaign(store, campaign);
    await writeCampaignReport(store, campaign, summary, { argument: "mine.yaml", kept: [3] });
    const text = readFileSync(join(store.folder, "report.html"), "utf8");
    expect(text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    const { document } = parseHTML(text);
    expect(document.querySelector("h1")!.textContent).toBe("<script>alert(1)</script>");
    const [reach] = [...document.querySelectorAll("section")].filter((s) => s.querySelector("h2")?.textContent === "reach");
    expect(reach!.querySelectorAll("circle")).toHaveLength(2 * 40);
    expect(reach!.querySelectorAll('a[href="runs/case-3/report.html"]')).toHaveLength(2);
    const counts = [...reach!.querySelectorAll("svg")][0]!.querySelectorAll("rect title");
    const total = [...counts].reduce((sum, title) => sum + Number(/: (\d+) cases/.exec(title.textContent!)![1]), 0);
    expect(total).toBe(40);
    expect(text).toContain(`${summary.counts.failed} failed`);
    expect(text).toContain("castor campaign mine.yaml --case ");
    expect(text).toContain(`castor studio ${store.folder} --case `);
  });

  it("has as many bars as the values need", () => {
    const values = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i / n);
    expect(barCount(values(10))).toBe(5);
    expect(barCount(values(1000))).toBe(10);
    expect(barCount(Float64Array.from({ length: 5000 }, (_, i) => (i === 0 ? 1e6 : i / 5000)).sort())).toBe(40);
  });
});

describe("a store alone", () => {
  it("opens its campaign: the same cases, and the same rows bit for bit", async () => {
    const text = OSCILLATOR_CAMPAIGN.replace("cases: 40", "cases: 4").replace("seed: 7", "seed: 7\nset: state.u.mass=1.25");
    const { campaign, store } = await filled("alone", text);
    const stored = await openStoredCampaign(CaseStore.read(store.folder));
    for await (const row of store.rows()) {
      expect(caseOf(stored, row.case).inputs).toEqual(caseOf(campaign, row.case).inputs);
      const { seconds, host, ...again } = await runCase(stored, row.case);
      expect(row).toMatchObject(again);
    }
  });

  it("says what it does not contain", async () => {
    const files = campaignFiles({ "scenario.yaml": OSCILLATOR, "list.csv": "state.u.mass\n1\n2\n" });
    const text = OSCILLATOR_CAMPAIGN.replace("{ kind: monte-carlo, cases: 40 }", "{ kind: list, file: list.csv }");
    const listed = text.replace("  speed: { kind: uniform, path: state.u.mass, from: 0.5, to: 1.5 }\n", "");
    const { store } = await filled("listed", listed, files);
    await expect(openStoredCampaign(store)).rejects.toThrow(/does not contain the list of its cases/);
  });
});

describe("a comparison of stores", () => {
  it("pairs the cases of equal seeds", async () => {
    const { store } = await filled("before", OSCILLATOR_CAMPAIGN.replace("cases: 40", "cases: 12"));
    const stiffer = campaignFiles({ "scenario.yaml": OSCILLATOR.replace("mass: 1 kg", "mass: 0.5 kg") });
    const after = await filled("after", OSCILLATOR_CAMPAIGN.replace("cases: 40", "cases: 12"), stiffer);
    const { count, measures } = await compareStores(store, after.store);
    expect(count).toBe(12);
    const reach = measures.find(({ name }) => name === "reach")!;
    expect(reach.high).toBeLessThan(0);
    const other = await filled("seed", OSCILLATOR_CAMPAIGN.replace("cases: 40", "cases: 4").replace("seed: 7", "seed: 8"));
    await expect(compareStores(store, other.store)).rejects.toThrow(/no common random numbers: their seed is 7 and 8/);
  });
});
