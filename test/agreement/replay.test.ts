/** Channels replayed after a run are identical, bit for bit, to channels recorded during the run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { BUILT_IN_MODELS } from "../../src/cli/files/scenario-argument.ts";
import type { Log } from "../../src/log/log.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles } from "../../src/scenario/node-files.ts";
import { parseOverride } from "../../src/scenario/override.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import { runScenario, type ScenarioRun } from "../../src/scenario/run.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { Replay } from "../../src/sim/record/replay.ts";

const SCENARIOS = fileURLToPath(new URL("../../scenarios", import.meta.url));
const load = (name: string, ...sets: readonly string[]): Scenario => withText(name, "", ...sets);
const withText = (name: string, more: string, ...sets: readonly string[]): Scenario =>
  loadScenario(readFileSync(join(SCENARIOS, name, "scenario.yaml"), "utf8") + more, name, {
    files: diskFiles(join(SCENARIOS, name), BUILT_IN_MODELS),
    overrides: sets.map((set) => parseOverride(set)),
  });

const namesOf = (log: Log): string[] => log.channels.map(({ name }) => name);

/** Samples from `from` to `to` of a log. */
const part = (log: Log, from: number, to: number): Log => ({
  channels: log.channels,
  length: to - from,
  column: (name) => log.column(name).subarray(from, to),
});

/** All channels that a run did not record, replayed in two pieces, the second piece first. */
function late(scenario: Scenario, { run }: ScenarioRun, count: number): Map<string, Float64Array> {
  const { log, phases } = run;
  const recorded = new Set(namesOf(log));
  const names = scenario.available.map(({ name }) => name).filter((name) => !recorded.has(name));
  const replay = new Replay(prepareScenario(scenario).system);
  replay.add(phases);
  const middle = Math.floor(count / 2);
  const [second, first] = [replay.values(names, part(log, middle, count), middle), replay.values(names, part(log, 0, middle), 0)];
  return new Map(
    names.map((name, c) => [
      name,
      Float64Array.of(
        ...first.subarray(c * middle, (c + 1) * middle),
        ...second.subarray(c * (count - middle), (c + 1) * (count - middle)),
      ),
    ]),
  );
}

const bits = (values: Float64Array): string => Buffer.from(values.slice().buffer).toString("base64");

async function compare(scenario: Scenario, samples = Number.POSITIVE_INFINITY) {
  const some = (channels: Scenario["channels"], replayable: boolean): Promise<ScenarioRun> => {
    const enough = new AbortController();
    const progress = (_: number, log: Log): void => {
      if (log.length >= samples) enough.abort();
    };
    return runScenario({ ...scenario, channels }, { replayable, progress, signal: enough.signal });
  };
  const [recorded, kept] = [await some(scenario.available, false), await some([], true)];
  const count = Math.min(recorded.run.log.length, kept.run.log.length);
  expect(count).toBeGreaterThan(Math.min(samples, 50) - 1);
  const found = late(scenario, kept, count);
  expect(found.size).toBeGreaterThan(20);
  const expected = (name: string): string => bits(recorded.run.log.column(name).subarray(0, count));
  const differ = (names: readonly string[], of: (name: string) => Float64Array): string[] =>
    names.filter((name) => bits(of(name)) !== expected(name));
  expect(differ(namesOf(kept.run.log), (name) => kept.run.log.column(name).subarray(0, count))).toEqual([]);
  const others = differ([...found.keys()], (name) => found.get(name)!);
  return { kept: namesOf(kept.run.log), late: found, phases: kept.run.phases, others, log: recorded.run.log };
}

async function expectSame(scenario: Scenario, samples?: number) {
  const compared = await compare(scenario, samples);
  expect(compared.others).toEqual([]);
  return compared;
}

describe("replayed channels equal recorded ones, for a machine", () => {
  it("with loops", async () => {
    const { kept, late } = await expectSame(load("andrews-squeezer"));
    expect(kept.every((name) => /^(t$|q\.|u\.|held\.|energy\.(dissipated|supplied)$)/.test(name))).toBe(true);
    expect(["energy.balance", "acceleration.k1.x", "reaction.k1.tz"].every((name) => late.has(name))).toBe(true);
  });

  it.each(["kane", "partition", "minimal"])("with loops, by %s", async (formulation) => {
    await expectSame(load("four-bar", `formulation=${formulation}`, "duration=1"));
  });

  it("with loops, by matrix, except for the rounding of pivots that were chosen at other states", async () => {
    const { others, late, log } = await compare(load("four-bar", "formulation=matrix", "duration=1"));
    expect(others.every((name) => /^(acceleration|accelerometer|reaction|loop)\./.test(name))).toBe(true);
    for (const name of others) {
      const recorded = log.column(name);
      const largest = recorded.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      const worst = late.get(name)!.reduce((most, v, i) => Math.max(most, Math.abs(v - recorded[i]!)), 0);
      expect(worst / largest).toBeLessThan(1e-13);
    }
  });

  it("with contacts, latches, switched controllers and engaging loops", async () => {
    const { phases } = await expectSame(load("docking-soft-capture", "duration=1.8", "sample=0.02"));
    expect(phases.length).toBeGreaterThan(0);
    const capture = await expectSame(load("capture-tumbling-target", "duration=18", "sample=0.3"));
    expect(capture.phases.length).toBeGreaterThan(1);
  });

  it("with dry friction that sticks and slips", async () => {
    const { phases } = await expectSame(load("flexible-two-link"), 1500);
    expect(new Set(phases.flatMap(({ friction }) => friction))).toEqual(new Set([-1, 0, 1]));
  });

  it("with controllers that have a state", async () => {
    const scenario = load("multi-arm-limited");
    const { kept } = await expectSame(scenario, 100);
    const noted = scenario.controllers.flatMap(({ name, channels = [] }) => channels.map((c) => `${name}.${c.name}`));
    expect(noted.length).toBeGreaterThan(0);
    expect(kept).toEqual(expect.arrayContaining(noted));
  });

  it("with controllers that are continuous laws", async () => {
    await expectSame(load("multi-arm-stabilized"), 100);
  });

  it("whose wheels leave ruts: their forces are recorded", async () => {
    const { kept, late } = await expectSame(withText("rover-flat", "\nruts: { cell: 5 cm }\n"), 20);
    expect(kept.some((name) => name.endsWith(".rut"))).toBe(true);
    expect(kept.some((name) => name.startsWith("reaction."))).toBe(true);
    expect(late.has("energy.kinetic")).toBe(true);
  });
});
