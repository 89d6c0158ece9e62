/** The pantograph of TR-942 at its singular configurations: events there, slow and repeated passages, the start in the folded position. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../src/cli/files/scenario-argument.ts";
import { SingularError } from "../../src/errors.ts";
import { loadScenarioFile } from "../../src/scenario/node-files.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import { INTEGRATORS, type IntegratorName } from "../../src/sim/integrators/index.ts";
import type { SimulationOptions } from "../../src/sim/run/run-options.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import type { SimulationRun } from "../../src/sim/run/simulation.ts";
import { SCENARIOS } from "../fixtures/built-in.ts";
import { brokenLinks } from "../fixtures/saved-chain.ts";

type Formulation = "articulated" | "kane" | "matrix" | "partition";

const load = () => loadScenarioFile(join(SCENARIOS, "satellite-pantograph", "scenario.yaml"), BUILT_IN_MODELS);
const PASSED = "singular position of the loops passed";
const settingsOf = (name: IntegratorName) => (INTEGRATORS[name].adaptive ? {} : { step: 0.025 });

function pantograph(
  name: IntegratorName,
  formulation: Formulation,
  duration: number,
  options: Partial<SimulationOptions> = {},
): SimulationRun {
  const { system, start, options: given } = prepareScenario({ ...load(), formulation });
  const integrator = INTEGRATORS[name];
  return simulate(system, start, { ...given, integrator, settings: settingsOf(name), ...options, duration, channels: ["q.*"] });
}

const timesOf = (run: SimulationRun, wanted = PASSED): number[] =>
  run.events.filter(({ name }) => name === wanted).map(({ t }) => t);
const angles = (run: SimulationRun): [number, number] => [
  run.log.column("q.bar2.rz").at(-1)!,
  run.log.column("q.bar3.rz").at(-1)!,
];

/** Times of the true passages, s: the first three of a computation in quadruple precision, the fourth from gauss6. */
const PASSAGES = [9.0342812, 18.871134, 29.3510031, 38.236157] as const;
/** θ3 at 20 s of that computation, and at 45 s from gauss6. */
const ANGLES = { 20: 0.03622544, 45: 0.0010373246 } as const;

function expectPassages(run: SimulationRun, count: number): void {
  const times = timesOf(run);
  expect(times).toHaveLength(count);
  for (const [i, t] of times.entries()) expect(Math.abs(t - PASSAGES[i]!), `passage ${i}`).toBeLessThan(1e-6);
}

/** On the branch of the motion the bars stay opposite. */
function expectAngle(run: SimulationRun, expected: number): void {
  const [theta2, theta3] = angles(run);
  expect(Math.abs(theta3 - expected)).toBeLessThan(1e-8);
  expect(Math.abs(theta2 + theta3)).toBeLessThan(1e-10);
}

describe.each([
  ["rkg", "articulated"],
  ["dop853", "partition"],
  ["radau5", "kane"],
  ["gauss6", "matrix"],
] as const)("pantograph, %s, %s", (name, formulation) => {
  test("an event exactly at the singular configuration", () => {
    const straight = {
      name: "straight",
      channels: ["q.bar3.rz"],
      value: (_t: number, _y: Float64Array, c: Float64Array) => c[0]!,
    };
    const run = pantograph(name, formulation, 20, { events: [straight] });
    expectPassages(run, 2);
    expectAngle(run, ANGLES[20]);
    expect(Math.abs(timesOf(run, "straight")[0]! - PASSAGES[0])).toBeLessThan(1e-6);
  });

  test("passed slowly, at 1e-3 rad/s, and again", () => {
    const run = pantograph(name, formulation, 45);
    expectPassages(run, 4);
    expectAngle(run, ANGLES[45]);
  });
});

test.each([9.0342811514, 9.0342811514 - 1e-9, 9.0342811514 + 1e-9, 18.871134])(
  "the run ends at %f s, at the point",
  (duration) => {
    const [theta2, theta3] = angles(pantograph("dop853", "articulated", duration));
    expect(Math.abs(theta3)).toBeLessThan(1e-7);
    expect(Math.abs(theta2 + theta3)).toBeLessThan(1e-10);
  },
);

test("updates at and around the point change nothing", () => {
  const times = [9.03428, 9.0342811514, 9.0342811515, 9.035, 9.04];
  const plan = times.map((at, i) => ({ name: `update ${i}`, at, actions: { mode: `${i}` } }));
  const run = pantograph("dop853", "articulated", 20, { plan });
  expectPassages(run, 2);
  expectAngle(run, ANGLES[20]);
});

test("a machine that comes to rest in the singular configuration stays there, without further passages", () => {
  const run = pantograph("radau5", "articulated", 300);
  expect(timesOf(run).filter((t) => t > 60)).toEqual([]);
  expect(Math.abs(angles(run)[1])).toBeLessThan(1e-10);
});

describe("the start in the folded position", () => {
  const folded = (rates: readonly [number, number, number, number]) => {
    const { system, options } = prepareScenario(load());
    const q = system.start().y.slice(0, system.model.nq);
    const right = Math.PI / 2;
    q.set([1, -right, -1, right, 2 * right, -2 * right], 7);
    const [bar2, bar3, bar5, bar4] = rates;
    const u = Float64Array.of(0, 0, 0, 0, 0, 0, 0, bar2, 0, bar3, bar5, bar4);
    return simulate(system, system.start({ q, u }), { ...options, duration: 4, channels: ["q.*"] });
  };

  test("continues on the branch of the speeds", () => {
    const [theta2, theta3] = angles(folded([0.1, -0.1, -0.2, 0.2]));
    expect(theta3).toBeLessThan(1.3);
    expect(Math.abs(theta2 + theta3)).toBeLessThan(1e-10);
  });

  test("is refused with advice if the speeds determine no branch", () => {
    expect(() => folded([0, 0, 0, 0])).toThrow(SingularError);
    expect(() => folded([0, 0, 0, 0])).toThrow(
      "a machine at rest does not determine one. Give the speeds of one branch, with which the loops stay closed beyond this configuration, or start a little beside it",
    );
  });
});

test("a run saved on the branch continues bit for bit", () => {
  const { broken, links } = brokenLinks(load, { saves: 7, duration: 40, seed: 3 }, (prepared) => ({
    ...prepared,
    options: { ...prepared.options, integrator: INTEGRATORS.radau5, settings: {}, sample: 0.5 },
  }));
  expect(broken).toEqual([]);
  expect(links).toBeGreaterThan(2);
});
