/** Saved runs continue bit for bit, and runs that share a system do not disturb each other: every built-in scenario, every integrator. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../src/cli/files/scenario-argument.ts";
import { loadScenarioFile } from "../../src/scenario/node-files.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { INTEGRATORS, type IntegratorName } from "../../src/sim/integrators/index.ts";
import { Simulation, type SimulationRun } from "../../src/sim/run/simulation.ts";
import { NAMES, SCENARIOS } from "../fixtures/built-in.ts";
import { brokenLinks } from "../fixtures/saved-chain.ts";

const load = (name: string): Scenario => loadScenarioFile(join(SCENARIOS, name, "scenario.yaml"), BUILT_IN_MODELS);

/** Part of each run that is checked. Whole runs: SAVED_PART=1 npx vitest run test/agreement/saved-runs.test.ts */
const PART = Number(process.env.SAVED_PART ?? 0.05);

describe("a saved run continues bit for bit", () => {
  test.each(NAMES)("%s", { timeout: 600_000 }, (name) => {
    const { duration } = load(name);
    const { broken, links } = brokenLinks(() => load(name), { saves: 11, duration: PART * duration, seed: 1 });
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(0);
  });
});

/**
 * A singular passage of closed loops (at 9.03 s), dry friction that sticks, contact (from 0.32 s), and a controller with memory. For each the
 * duration, and the step of fixed-step integrators, s.
 */
const VARIETY = [
  ["satellite-pantograph", 9.5, 0.01],
  ["block-on-incline", 1, 0.001],
  ["contact-bouncing", 0.4, 2e-5],
  ["multi-arm-limited", 1, 0.01],
] as const;

describe.each(Object.keys(INTEGRATORS) as IntegratorName[])("a saved run of %s continues bit for bit", (integrator) => {
  test.each(VARIETY)("%s", { timeout: 600_000 }, (name, duration, step) => {
    const settings = INTEGRATORS[integrator].adaptive ? { relativeTolerance: 1e-7, absoluteTolerance: 1e-8 } : { step };
    const { broken, links } = brokenLinks(
      () => load(name),
      { saves: 11, duration, seed: 2 },
      (prepared) => ({
        ...prepared,
        options: { ...prepared.options, integrator: INTEGRATORS[integrator], settings, tolerances: LOOSE },
      }),
    );
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(2);
  });
});

/** Coarse settings: only the bits are compared. */
const LOOSE = { energy: 10, "linear momentum": 10, "angular momentum": 10, "loop closure": 1, "loop speed": 10 } as const;

test.each(NAMES)("two runs of %s on one system, step by step in turn, are those alone", { timeout: 600_000 }, (name) => {
  const { system, start, options } = prepareScenario(load(name));
  const short = { ...options, duration: (PART / 2) * options.duration };
  const other = { ...short, sample: short.duration / 7, duration: 0.75 * short.duration };
  const alone = [short, other].map((one) => finish(new Simulation(system, start, one)));
  const together = [short, other].map((one) => new Simulation(system, start, one));
  for (let going = together; going.length > 0; ) going = going.filter((simulation) => simulation.advance() === undefined);
  for (const [i, simulation] of together.entries()) {
    const { log, y, counts, end } = simulation.result();
    expect([end, counts, log.length]).toEqual([alone[i]!.end, alone[i]!.counts, alone[i]!.log.length]);
    expect(y).toEqual(alone[i]!.y);
    for (const { name: channel } of log.channels) expect(log.column(channel), channel).toEqual(alone[i]!.log.column(channel));
  }
});

function finish(simulation: Simulation): SimulationRun {
  while (simulation.advance() === undefined);
  return simulation.result();
}
