/** Base translation as a task: what momentum rules out is refused by name, thrusters make it possible and keep their limits. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { UnreachableError } from "../../../../src/errors.ts";
import { loadScenario } from "../../../../src/scenario/load.ts";
import { diskFiles } from "../../../../src/scenario/node-files.ts";
import { runScenario } from "../../../../src/scenario/run.ts";
import type { Scenario } from "../../../../src/scenario/scenario.ts";

const FOLDER = fileURLToPath(new URL("../../../../scenarios/base-translation/", import.meta.url));
const TEXT = readFileSync(`${FOLDER}scenario.yaml`, "utf8");
/** The same scenario without thrusters in its controller. */
const UNSUPPORTED = TEXT.replace(/ {4}thrusters:\n(?: {6}- .*\n)+/, "")
  .replace(", robot.*]", "]")
  .replace(/ {2}- .*robot\.off-path.*\n/, "");

const NO_BUILT_INS = { names: [], path: (name: string): string => name };

const scenarioOf = (text: string): Scenario =>
  loadScenario(text, "base-translation/scenario.yaml", { files: diskFiles(FOLDER, NO_BUILT_INS) });

describe("without thrusters", () => {
  it("a reference beyond what momentum permits is refused with both distances", async () => {
    expect(UNSUPPORTED).not.toBe(TEXT);
    const run = (async () => (await runScenario(scenarioOf(UNSUPPORTED))).run)();
    await expect(run).rejects.toThrow(UnreachableError);
    await expect(run).rejects.toThrow(
      /the reference of base\.x, base\.y, base\.z is [\d.]+ m from the mass centre .* at most [\d.]+ m away .* Add thrusters or a foothold/,
    );
  });
});

describe("with thrusters", () => {
  it("warns of thrusters that the controller describes otherwise than the forces do", () => {
    const plus = "{ thruster: plus-x-1, frame: jet-plus-x-1, direction: [1, 0, 0], limit: 10 N, weight: 10 N }";
    const warningsOf = (entry: string): string[] => {
      expect(TEXT).toContain(plus);
      return scenarioOf(TEXT.replace(plus, entry)).warnings.map(({ path, message }) => `${path}: ${message}`);
    };
    expect(warningsOf(plus)).toEqual([]);
    expect(warningsOf(plus.replace("[1, 0, 0]", "[2, 0, 0]").replace("10 N,", "8 N,"))).toEqual([]);
    const path = "controllers.robot.thrusters[0]";
    expect(warningsOf(plus.replace("jet-plus-x-1", "jet-plus-x-2").replace("[1, 0, 0]", "y").replace("10 N,", "20 N,"))).toEqual([
      `${path}.frame: plus-x-1 pushes at jet-plus-x-1`,
      `${path}.direction: plus-x-1 pushes along [1, 0, 0]`,
      `${path}.limit: plus-x-1 gives at most 10 N`,
    ]);
    expect(warningsOf(plus.replace("limit: 10 N, ", ""))).toEqual([`${path}.limit: plus-x-1 gives at most 10 N`]);
  });

  it("the base begins its way, and no thrust leaves its limits", async () => {
    const { run } = await runScenario(scenarioOf(TEXT.replace("duration: 50", "duration: 8")));
    const thrusts = run.log.channels.filter(({ name }) => /^(plus|minus)-[xyz]-[12]\.thrust$/.test(name));
    expect(thrusts).toHaveLength(12);
    for (const { name } of thrusts)
      for (const value of run.log.column(name)) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(10);
      }
    const x = run.log.column("q.base.x");
    expect(x.at(-1)! - x[0]!).toBeGreaterThan(0.01);
    const hand = run.log.column("frame.hand.x");
    expect(Math.abs(hand.at(-1)! - hand[0]!)).toBeLessThan(1e-5);
  });

  it("damping acts at every update: the roll wheel and the disc of the second arm, which turn the robot alike, have no jumps", async () => {
    const text = TEXT.replace("duration: 50", "duration: 5").replace("sample: 0.1", "sample: 0.02");
    const { run } = await runScenario(scenarioOf(text));
    const torque = run.log.column("tau.wheel-roll");
    const jumps = torque.slice(1).map((value, i) => Math.abs(value - torque[i]!));
    expect(Math.max(...torque.map(Math.abs))).toBeGreaterThan(0.01);
    expect(Math.max(...jumps)).toBeLessThan(1e-3);
  });
});
