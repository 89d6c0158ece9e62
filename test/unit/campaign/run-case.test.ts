/** Cases against the closed form of an oscillator, and the three statuses. */
import { describe, expect, it } from "vitest";
import { caseOf, caseScenario } from "../../../src/campaign/cases.ts";
import { InterruptedError, leanScenario, runCase } from "../../../src/campaign/run-case.ts";
import { formatScenario } from "../../../src/scenario/format.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { campaignFiles, OSCILLATOR, OSCILLATOR_CAMPAIGN, open } from "../../fixtures/campaigns.ts";

/** Measures of q = (v / w) sin w t over 2 s. */
function closedForm(v: number, k: number) {
  const w = Math.sqrt(k);
  const [a, T] = [v / w, 2];
  return {
    reach: w * T >= Math.PI / 2 ? a : a * Math.sin(w * T),
    end: a * Math.sin(w * T),
    far: a > 0.5 && w * T > Math.asin(0.5 / a) ? Math.asin(0.5 / a) / w : null,
    area: a * a * (T / 2 - Math.sin(2 * w * T) / (4 * w)),
  };
}

describe("a case", () => {
  it("has the measures of the continuous motion", async () => {
    const campaign = await open();
    let events = 0;
    for (let index = 0; index < 12; index++) {
      const row = await runCase(campaign, index);
      const [v, k] = row.inputs as [number, number];
      const expected = Object.values(closedForm(v, k));
      for (const [i, value] of expected.entries())
        if (value === null) expect(row.measures[i]).toBeNull();
        else expect(row.measures[i]).toBeCloseTo(value, 8);
      expect(row.status).toBe(expected[0]! < 0.6 ? "passed" : "failed");
      expect(row.reason).toBe(expected[0]! < 0.6 ? "" : "reach < 0.6");
      if (expected[2] !== null) events++;
    }
    expect(events).toBeGreaterThan(2);
    expect(events).toBeLessThan(12);
  });

  it("depends on the campaign and its number only", async () => {
    const [first, again] = [await open(), await open()];
    const { seconds: _, ...row } = await runCase(first, 5);
    for (const index of [9, 3, 5]) {
      const { seconds: __, ...other } = await runCase(again, index);
      if (index === 5) expect(other).toEqual(row);
    }
  });

  it("makes the same motion as its complete scenario, which the text of the scenario reproduces", async () => {
    const campaign = await open();
    const scenario = await caseScenario(campaign, caseOf(campaign, 3));
    const again = loadScenario(formatScenario(scenario), "again");
    const states = [leanScenario(scenario, campaign), scenario, again].map(async (s) => [...(await runScenario(s)).run.y]);
    const [lean, full, read] = await Promise.all(states);
    expect(lean).toEqual(full);
    expect(read).toEqual(full);
  });

  it("is the same with a fixed step, whatever is recorded", async () => {
    const text = OSCILLATOR_CAMPAIGN.replace(
      "seed: 7",
      'seed: 7\nset: ["integrator={name: rk4, step: 0.013}", "audit={energy: 1e-3}"]',
    );
    const campaign = await open(text);
    const scenario = await caseScenario(campaign, caseOf(campaign, 1));
    const [lean, full] = await Promise.all([leanScenario(scenario, campaign), scenario].map((s) => runScenario(s)));
    expect([...lean!.run.y]).toEqual([...full!.run.y]);
  });

  it("follows expressions of channels and of measures", async () => {
    const campaign = await open(
      OSCILLATOR_CAMPAIGN.replace(
        "measures:",
        `measures:
  double: { kind: extreme, of: 2 * q.mass - 1 }
  reach2: { kind: extreme, channels: "q.mas*", bound: size }
  ratio: { kind: expression, of: (double + 1) / speed }`,
      ),
    );
    const row = await runCase(campaign, 0);
    const { reach } = closedForm(...(row.inputs as [number, number]));
    const [double, , ratio] = row.measures as number[];
    expect(double).toBeCloseTo(2 * reach - 1, 8);
    expect(ratio).toBeCloseTo((2 * reach) / (row.inputs[0] as number), 8);
  });
});

it("a measure that is not finite has no value, and conditions with it are false", async () => {
  const text = OSCILLATOR_CAMPAIGN.replace("success: reach < 0.6", "success: endless > 5").replace(
    "measures:",
    "measures:\n  none: { kind: final, of: t - t }\n  endless: { kind: expression, of: speed / none }",
  );
  const { status, reason, measures } = await runCase(await open(text), 0);
  expect([status, reason, measures.slice(0, 2)]).toEqual(["failed", "endless > 5", [0, null]]);
});

describe("an invalid case", () => {
  it("has impossible values: it is recorded with its inputs and the reason", async () => {
    const campaign = await open(
      OSCILLATOR_CAMPAIGN.replace("path: state.u.mass, from: 0.5, to: 1.5", "path: model.bodies.mass.mass, from: -1, to: 3"),
    );
    const rows = await Promise.all(Array.from({ length: 12 }, (_, i) => runCase(campaign, i)));
    for (const { inputs, status, reason, measures } of rows)
      if ((inputs[0] as number) <= 0) {
        expect([status, measures]).toEqual(["invalid", [null, null, null, null]]);
        expect(reason).toMatch(/^model: model\.bodies\[0\]\.mass: /);
      } else expect(status).not.toBe("invalid");
    expect(rows.some(({ status }) => status === "invalid")).toBe(true);
  });

  it("breaks the audit", async () => {
    const text = OSCILLATOR_CAMPAIGN.replace("seed: 7", 'set: ["integrator={name: rk4, step: 0.4}", "audit={energy: 1e-9}"]');
    const { status, reason } = await runCase(await open(text), 0);
    expect([status, reason.slice(0, 6)]).toEqual(["invalid", "audit:"]);
  });

  it("takes longer than its limit", async () => {
    const text = `${OSCILLATOR_CAMPAIGN}limit: 0.05\nset: ["duration=1e5", "integrator={name: rk4, step: 0.01}"]\n`;
    const start = performance.now();
    const { status, reason } = await runCase(await open(text), 0);
    expect([status, reason]).toEqual(["invalid", "time limit: took longer than 0.05 s"]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it("is not a case that the caller aborts", async () => {
    const text = `${OSCILLATOR_CAMPAIGN}set: ["duration=1e5", "integrator={name: rk4, step: 0.01}"]\n`;
    await expect(runCase(await open(text), 0, { signal: AbortSignal.timeout(30) })).rejects.toThrow(InterruptedError);
  });
});

it("compares strictly: a value at the limit passes <= and fails <", async () => {
  const files = campaignFiles({ "scenario.yaml": OSCILLATOR });
  const text = (sign: string): string =>
    OSCILLATOR_CAMPAIGN.replace("success: reach < 0.6", `success: end-time ${sign} 2`).replace(
      "measures:",
      "measures:\n  end-time: { kind: final, of: t }",
    );
  expect((await runCase(await open(text("<="), files), 0)).status).toBe("passed");
  expect((await runCase(await open(text("<"), files), 0)).status).toBe("failed");
});
