/** Scenarios in mass-centre coordinates: start, refusals, saved runs. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles, loadScenarioFile } from "../../../src/scenario/node-files.ts";
import { parseOverride } from "../../../src/scenario/override.ts";
import { runScenario, type ScenarioRun } from "../../../src/scenario/run.ts";
import { formatSavedRun, openSavedRun } from "../../../src/scenario/saved-run-file.ts";
import { checkWorldCoordinates, type Scenario } from "../../../src/scenario/scenario.ts";
import { verifyScenario } from "../../../src/scenario/verify.ts";
import { problemsOf } from "../../fixtures/models/pendulum.ts";

const FOLDER = "scenarios/orbit-manipulator";
const builtIn = (...sets: readonly string[]): Scenario =>
  loadScenario(readFileSync(`${FOLDER}/scenario.yaml`, "utf8"), "scenario.yaml", {
    files: diskFiles(FOLDER, { names: ["satellite-manipulator"], path: (name) => `scenarios/${name}/model.yaml` }),
    overrides: sets.map((set) => parseOverride(set)),
  });

const HULL = `
name: hull
model: { name: hull, bodies: [{ name: hull, mass: 4, com: [0.1, 0, 0], inertia: [1, 2, 2], hinge: { kind: free } }] }
coordinates: mass-centre
duration: 1
`;
const problemTexts = (text: string): string[] => problemsOf(text).map(({ path, message }) => `${path}: ${message}`);

test("the start is the pose of the base, or the mass centre: the same motion", async () => {
  const short = ["duration=60", "sample=30", "plots=[]"];
  const given = builtIn(...short);
  const { q, massCentre } = given;
  const position = massCentre!.position.map((x, i) => x + q[4 + i]!);
  const velocity = massCentre!.velocity;
  const hinges = given.document.state as { readonly q: Readonly<Record<string, string>> };
  const byBase = builtIn(
    ...short,
    `state=${JSON.stringify({ q: { ...hinges.q, satellite: [1, 0, 0, 0, ...position] }, u: { satellite: [0, 0, 0, ...velocity] } })}`,
  );
  const [a, b] = [(await runScenario(given)).run.log, (await runScenario(byBase)).run.log];
  for (const { name } of a.channels) {
    const [x, y] = [a.column(name), b.column(name)];
    // The base is given to 1e-9 m at this distance.
    for (const [i, value] of x.entries()) expect(Math.abs(value - y[i]!), name).toBeLessThan(1e-8 * Math.max(1, Math.abs(value)));
  }
});

test("every formulation gives the same motion, and the audit holds", async () => {
  const { agree, runs } = await verifyScenario(builtIn("duration=300", "sample=30"));
  expect(agree).toBe(true);
  expect(runs).toHaveLength(3);
});

test("vehicles, controllers and a capture: the same motion about the mass centre as in coordinates of the world", async () => {
  const folder = "scenarios/capture-tumbling-target";
  const [world, local] = (await Promise.all(
    ["world", "mass-centre"].map(async (value) => {
      const overrides = [
        { path: "coordinates", value, from: "test" },
        { path: "duration", value: 15.5, from: "test" },
      ];
      return runScenario(loadScenarioFile(`${folder}/scenario.yaml`, { names: [], path: (name) => name }, overrides));
    }),
  )) as [ScenarioRun, ScenarioRun];
  expect(local.run.timeline.map(({ name }) => name)).toContain("grasp");
  expect(local.run.timeline.map(({ name }) => name)).toEqual(world.run.timeline.map(({ name }) => name));
  const roots = world.scenario.model.bodies.filter((body) => body.parent < 0).map(({ hinge }) => hinge.name);
  const isTranslation = (name: string): boolean => roots.some((root) => new RegExp(`^[qu]\\.${root}\\.v?[xyz]$`).test(name));
  const names = world.run.log.channels.map(({ name }) => name).filter((name) => /^[qu]\./.test(name) && !isTranslation(name));
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const [a, b] = [world.run.log.column(name), local.run.log.column(name)];
    for (const [i, value] of a.entries()) expect(Math.abs(value - b[i]!), `${name} ${i}`).toBeLessThan(1e-9);
  }
});

test("a contact of two vehicles on an orbit: the same motion as near the origin of the world", async () => {
  const ball = (name: string) => ({ name, mass: 3, inertia: [0.1, 0.1, 0.1], hinge: { kind: "free" } });
  const shape = (on: string) => ({ kind: "sphere", on, radius: 0.1 });
  const [radius, speed] = [6.8e6, Math.sqrt(3.986004418e14 / 6.8e6)];
  const common = {
    model: { name: "balls", bodies: [ball("a"), ball("b")] },
    duration: 0.3,
    sample: 0.1,
    integrator: { name: "dop853", relativeTolerance: 1e-12, absoluteTolerance: 1e-14 },
    channels: ["q.*", "u.*", "touch.*", "frame.*"],
  };
  const start = {
    q: { a: [1, 0, 0, 0, -0.2, 0, 0], b: [1, 0, 0, 0, 0.2, 0, 0.05] },
    u: { a: [0, 5, 0, 1, 0, 0], b: [0, 0, 0, -1, 0, 0] },
  };
  const touch = {
    kind: "contact",
    shapes: [shape("a")],
    against: [shape("b")],
    stiffness: 1e5,
    damping: 0.2,
    friction: 0.3,
    creep: 0.01,
  };
  const [orbit, near] = await Promise.all(
    [
      {
        ...common,
        coordinates: "mass-centre",
        state: { ...start, massCentre: { position: [radius, 0, 0], velocity: [0, speed, 0] } },
        forces: { touch, earth: { kind: "point-gravity", j2: 0 } },
      },
      { ...common, state: start, forces: { touch, tide: { kind: "gravity-gradient", semiMajorAxis: radius, exact: true } } },
    ].map(async (data) => (await runScenario(loadScenario(JSON.stringify(data)))).run.log),
  );
  const between = (log: typeof orbit, axis: string): number[] =>
    Array.from(log!.column(`frame.b.${axis}`), (x, i) => x - log!.column(`frame.a.${axis}`)[i]!);
  expect(near!.column("u.a.vx").at(-1)).toBeLessThan(0);
  for (const axis of ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"])
    for (const [i, value] of between(near, axis).entries())
      expect(Math.abs(value - between(orbit, axis)[i]!), axis).toBeLessThan(1e-9);
});

test("modes are refused", () => {
  expect(() => checkWorldCoordinates(builtIn(), "modes")).toThrow(/coordinates: modes need coordinates of the world/);
});

test("a saved run continues bit for bit, and not in other coordinates", async () => {
  const scenario = builtIn("duration=100", "sample=25");
  const whole = (await runScenario(scenario)).run.log;
  const text = await formatSavedRun(await runScenario(scenario, { until: 40, save: true }));
  const { scenario: same, from } = await openSavedRun(text, "saved.json");
  const rest = (await runScenario(same, { from })).run.log;
  for (const name of ["mass-centre.x", "q.hand", "q.satellite.x"])
    expect(rest.column(name).at(-1)).toBe(whole.column(name).at(-1));
  const toWorld = [
    { path: "coordinates", value: "world", from: "test" },
    { path: "state.massCentre", value: undefined, from: "test" },
    { path: "channels", value: ["q.*"], from: "test" },
    { path: "plots", value: [], from: "test" },
  ];
  await expect(openSavedRun(text, "saved.json", toWorld)).rejects.toThrow(/coordinates mass-centre/);
});

test("what does not fit is refused when the file is read", () => {
  expect(problemTexts(HULL.replace("coordinates: mass-centre", "state: { massCentre: { position: [1, 2, 3] } }"))).toEqual([
    "state.massCentre: has no effect in coordinates of the world",
  ]);
  expect(problemTexts(`${HULL}state: { rest: true }\n`)[0]).toMatch(/^state\.rest: /);
  expect(problemTexts(`${HULL}forces: { tide: { kind: gravity-gradient, semiMajorAxis: 7e6 } }\n`)[0]).toMatch(/^forces\.tide: /);
  expect(problemTexts(`${HULL}forces: { tie: { kind: hinge-spring, hinge: hull.x, stiffness: 1 } }\n`)[0]).toMatch(
    /^forces\.tie: cannot act on the translation of hull/,
  );
  expect(problemTexts(HULL.replace("kind: free", "kind: spherical"))[0]).toMatch(/^coordinates: .*spherical hinge/);
  expect(problemTexts(HULL.replace("mass-centre", "centre"))[0]).toMatch(/^coordinates: no such choice/);
});
