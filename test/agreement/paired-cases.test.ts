/** Rows of cases do not depend on whether two of them are computed at once, and with which one. */
import { describe, expect, it } from "vitest";
import type { Campaign } from "../../src/campaign/campaign.ts";
import { CaseRunner } from "../../src/campaign/case-runner.ts";
import { type CaseRow, InterruptedError, runCase } from "../../src/campaign/run-case.ts";
import { openCampaignFile } from "../../src/cli/files/campaign-argument.ts";
import { campaignFiles, OSCILLATOR, OSCILLATOR_CAMPAIGN, open } from "../fixtures/campaigns.ts";

const bare = ({ seconds: _, host: __, ...row }: CaseRow) => row;

async function rowsApart(campaign: Campaign, cases: readonly number[]) {
  const rows = [];
  for (const index of cases) rows.push(bare(await runCase(campaign, index)));
  return rows;
}

async function rowsOf(campaign: Campaign, cases: readonly number[]) {
  const runner = new CaseRunner(campaign);
  const rows: ReturnType<typeof bare>[] = [];
  await runner.run(cases, (row) => void rows.push(bare(row)));
  return { rows: rows.sort((a, b) => cases.indexOf(a.case) - cases.indexOf(b.case)), stepsTogether: runner.stepsTogether };
}

const NAMES = ["campaign-docking", "campaign-manipulator", "campaign-multi-arm", "campaign-rover"] as const;
/** Number of cases to run, and whether the scenario allows two at once: trees without forces in JavaScript. */
const BUILT_IN = {
  "campaign-docking": { cases: 2, together: false },
  "campaign-manipulator": { cases: 7, together: true },
  "campaign-multi-arm": { cases: 3, together: false },
  "campaign-rover": { cases: 2, together: false },
} as const;

describe.each(NAMES)("%s", (name) => {
  it("gives the same rows in pairs", { timeout: 200_000 }, async () => {
    const campaign = await openCampaignFile({ file: `scenarios/${name}/campaign.yaml`, source: name, overrides: [] });
    const { cases: count, together } = BUILT_IN[name];
    const cases = Array.from({ length: count }, (_, k) => k);
    const { rows, stepsTogether } = await rowsOf(campaign, cases);
    expect(rows).toEqual(await rowsApart(campaign, cases));
    expect(stepsTogether > 0).toBe(together);
  });
});

describe("a mass on a spring", () => {
  it.each([1, 2, 3, 8])("gives the same rows for %i cases, with events in some of them", async (count) => {
    const campaign = await open();
    const cases = Array.from({ length: count }, (_, k) => 3 * k);
    const { rows, stepsTogether } = await rowsOf(campaign, cases);
    expect(rows).toEqual(await rowsApart(campaign, cases));
    expect(new Set(rows.map(({ status }) => status)).size).toBe(count < 8 ? new Set(rows.map(({ status }) => status)).size : 2);
    expect(stepsTogether > 0).toBe(count > 2);
  });

  it("gives the same row with every partner", async () => {
    const campaign = await open();
    const [alone] = await rowsApart(campaign, [5]);
    for (const partner of [1, 2, 3, 4]) {
      const { rows, stepsTogether } = await rowsOf(campaign, [0, 5, partner]); // the first case shows that pairs are possible
      expect(rows[1]).toEqual(alone);
      expect(stepsTogether).toBeGreaterThan(0);
    }
  });

  /** A list of cases with other masses and durations. */
  const listed = (table: string, limit: number): Promise<Campaign> => {
    const text = OSCILLATOR_CAMPAIGN.replace("{ kind: monte-carlo, cases: 40 }", "{ kind: list, file: cases.csv }");
    return open(`${text}limit: ${limit}\n`, campaignFiles({ "scenario.yaml": OSCILLATOR, "cases.csv": table }));
  };

  it("goes on where the partner is impossible, or ends earlier", async () => {
    const campaign = await listed("model.bodies.mass.mass,duration\n1,2\n2,2\n-1,2\n3,2\n3,0.5\n3,2\n", 60);
    const { rows } = await rowsOf(campaign, [0, 1, 2, 3, 4, 5]);
    expect(rows).toEqual(await rowsApart(campaign, [0, 1, 2, 3, 4, 5]));
    expect(rows.map(({ status }) => status === "invalid")).toEqual([false, false, true, false, false, false]);
  });

  it("repeats both cases alone where one never ends, and records only that one", async () => {
    const campaign = await listed("duration\n2\n2\n1e6\n2\n2\n", 0.7);
    const { rows } = await rowsOf(campaign, [0, 2, 1, 3, 4]);
    expect(rows.map(({ status }) => status === "invalid")).toEqual([false, true, false, false, false]);
    expect(rows[1]!.reason).toMatch(/^time limit/);
    expect(rows.filter(({ case: k }) => k !== 2)).toEqual(await rowsApart(campaign, [0, 1, 3, 4]));
  });

  it("is interrupted as a whole", async () => {
    const campaign = await listed("duration\n2\n1e6\n1e6\n", 60);
    const runner = new CaseRunner(campaign);
    const rows: number[] = [];
    const running = runner.run([0, 1, 2], (row) => void rows.push(row.case), { signal: AbortSignal.timeout(600) });
    await expect(running).rejects.toThrow(InterruptedError);
    expect(rows).toEqual([0]);
  });
});
