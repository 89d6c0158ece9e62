/** Campaign files: all problems at once, each with its line and advice. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { campaignFiles, OSCILLATOR_CAMPAIGN, open } from "../../fixtures/campaigns.ts";

async function problemsOf(text: string) {
  const error = await open(text).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return (error as ModelError).problems;
}

describe("a campaign file", () => {
  it("is read with defaults", async () => {
    const { name, seed, cases, limit, chunk, keep, inputs, measures } = await open();
    expect({ name, seed, cases, limit, chunk, keep }).toEqual({
      ...{ name: "oscillator", seed: 7, cases: 40, limit: 600, chunk: 8 },
      keep: { logs: [], cases: [], most: 20 },
    });
    expect(inputs).toEqual([
      { name: "speed", type: "number", unit: "m/s" },
      { name: "stiffness", type: "number", unit: "N/m" },
    ]);
    expect(measures.map(({ name: n, unit }) => [n, unit])).toEqual([["reach", "m"], ["end", "m"], ["far", "s"], ["area", ""]]); // biome-ignore format: one line
  });

  it("reports all problems of its form at once, with lines", async () => {
    const problems = await problemsOf(`
scenario: scenario.yaml
sead: 3
design: { kind: monte-carlo, cases: 0 }
dispersions:
  a: { kind: uniform, path: state.u.mass, from: 1 }
measures: { m: { kind: final } }
`);
    expect(problems.map(({ path, line }) => [path, line])).toEqual([
      ["sead", 3],
      ["design.cases", 4],
      ["dispersions.a.to", 6],
      ["measures.m.of", 7],
    ]);
  });

  it("does not report a dispersion as missing that has a problem", async () => {
    const text = OSCILLATOR_CAMPAIGN.replace("deviation: 0.5", "deviation: -0.5");
    const problems = await problemsOf(`${text}correlations: [{ between: [speed, stiffness], matrix: [[1, 0.5], [0.5, 1]] }]\n`);
    expect(problems.map(({ path }) => path)).toEqual(["dispersions.stiffness.deviation"]);
  });

  it.each([
    ["path: state.u.mass", "path: state.u.mas", /dispersion speed: state\.u\.mas: [\s\S]*mass/],
    ["path: state.u.mass", "path: forces.sprung.stiffness", /there is no such key[\s\S]*spring/],
    ["path: state.u.mass, from: 0.5", "path: state.u.mass, from: 0.5 kg", /wrong dimension/],
    ["channels: q.mass }", "channels: q.mas }", /no such channel[\s\S]*q\.mass/],
    ["of: q.mass }", "of: q.mas + 1 }", /channel that does not exist/],
    ["of: q.mass }", "of: q.mass + }", /ends too early/],
    ["event: far", "event: fur", /no such event[\s\S]*far/],
    ["success: reach < 0.6", "success: rich < 0.6", /measure that does not exist[\s\S]*reach/],
    ["success: reach < 0.6", "success: reach", /must compare two values/],
    ["scenario: scenario.yaml", "scenario: other.yaml", /does not exist/],
    ["  reach:", "  speed:", /name is taken/],
    ["seed: 7", "seed: -1", /must not be negative/],
    ["seed: 7", "set: duration", /must be PATH=VALUE/],
    ["kind: monte-carlo, cases: 40", "kind: latin-hypercube, cases: 40 }\nstop: { width: 0.1", /cannot stop early/],
    ["from: 0.5, to: 1.5", "from: -5e29, to: 5e30", /magnitude|size|must be/],
  ])("instead of %s, %s", async (old, text, message) => {
    await expect(open(OSCILLATOR_CAMPAIGN.replace(old, text))).rejects.toThrow(message);
  });

  it("refuses a campaign whose middle case is not possible", async () => {
    const text = OSCILLATOR_CAMPAIGN.replace(
      "path: state.u.mass, from: 0.5, to: 1.5",
      "path: model.bodies.mass.mass, from: -2, to: 1",
    );
    const [problem] = await problemsOf(text);
    expect(problem!.message).toMatch(/^in the middle case: /);
    expect(problem!.file).toBe("dispersion speed");
  });

  it("reports problems of the scenario itself with its name", async () => {
    const files = campaignFiles({ "scenario.yaml": "model: { name: x }\nduration: 1\n" });
    await expect(open(OSCILLATOR_CAMPAIGN, files)).rejects.toThrow(/scenario\.yaml: /);
  });
});
