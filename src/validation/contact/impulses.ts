/** Impulses from outside and starts from rest, in closed form; the published impulse at the rim of a docking ring. */
import { createModel } from "../../model/build/create-model.ts";
import { coordinateNames } from "../../model/model.ts";
import { runScenario } from "../../scenario/run.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { createSystem } from "../../sim/create-system.ts";
import { simulate } from "../../sim/run/simulate.ts";
import { atAzimuth } from "../docking/shapes.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const [mass, offset, inertia, impulse] = [2, 0.6, 0.3, 5];

/** A rod on a pin, struck at a distance from it: the jump of its rate, and the impulse of the pin. */
function rodTable(): ValidationTable {
  const J = inertia + mass * offset ** 2;
  const model = createModel({
    name: "rod on a pin",
    bodies: [
      {
        name: "rod",
        mass,
        com: [0, 0, -offset],
        inertia: [inertia, inertia, 0.01],
        hinge: { kind: "revolute", axis: "y" },
      },
    ],
  });
  const system = createSystem(model, []);
  const struckAt = (distance: number): readonly [rate: number, ofPin: number] => {
    const hit = { frame: "rod", at: [0, 0, -distance], force: [impulse, 0, 0] } as const;
    const plan = [{ name: "hit", at: 0, actions: { impulse: hit } }];
    const { log } = simulate(system, system.start(), {
      duration: 0.1,
      sample: 0.1,
      plan,
      channels: ["u.*", "momentum.linear.x"],
    });
    const [rate, momentum] = valuesAt(log, 0, ["u.rod", "momentum.linear.x"], "after");
    return [rate!, momentum! - impulse];
  };
  const percussion = J / (mass * offset);
  const [atPercussion, atTip] = [struckAt(percussion), struckAt(1)];
  const rows = [
    ["rate after it, at the centre of percussion and at 1 m", "rad/s", [-(impulse * percussion) / J, -impulse / J], 0],
    ["impulse of the pin", "N s", [0, impulse * ((mass * offset) / J - 1)], 1],
  ] as const;
  return {
    title: "A rod on a pin is struck",
    origin: "closed form",
    rows: rows.map(([quantity, unit, expected, k]) => ({
      ...{ quantity, unit, expected, ours: [atPercussion[k], atTip[k]], tolerance: 1e-12 },
    })),
  };
}

/** Springs and dampers of the legs in the scenario. */
const [STIFFNESS, DAMPING] = [1500, 250];

/** The speeds of the ring on six legs after the impulse at its rim, and the momentum. */
async function ringTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const given: Scenario = load("docking-ring-6-legs", []);
  const force = [-8, 2, 1];
  const hit = { at: 0, impulse: { frame: "ring", at: [...atAzimuth(20, 0.6)], force } };
  const changes = [
    change("state", undefined),
    change("events", { hit }),
    change("duration", 0.1),
    change("channels", ["q.rod*", "u.*", "effort.rod*", "momentum.*", "energy.*"]),
  ];
  const { log, timeline } = (await runScenario(load("docking-ring-6-legs", changes))).run;
  const after = (channels: readonly string[]): readonly number[] => valuesAt(log, 0, channels, "after");
  const rods = [1, 2, 3, 4, 5, 6].map((i) => `rod${i}`);
  const atEnd = (quantity: string): readonly number[] => rods.map((rod) => log.column(`${quantity}.${rod}`).at(-1)!);
  const speeds = coordinateNames(given.model).u.map((name) => `u.${name}`);
  return {
    title: "Ring on six legs, 8.3 N s at the rim",
    origin: "independent program",
    rows: [
      { quantity: "speeds after it", unit: "m/s, rad/s", expected: [...given.u], ours: [...after(speeds)], tolerance: 1e-9 },
      {
        ...{ quantity: "linear momentum after it", unit: "N s", origin: "conservation law", expected: force },
        ours: [...after(["x", "y", "z"].map((axis) => `momentum.linear.${axis}`))],
        tolerance: 1e-12,
      },
      {
        ...{ quantity: "kinetic energy after it, and work of the impulse", unit: "J", origin: "conservation law" },
        expected: [timeline[0]?.impulse?.supplied ?? Number.NaN],
        ours: [...after(["energy.kinetic"])],
        tolerance: 1e-12,
      },
      {
        ...{ quantity: "forces of the legs 0.1 s later by inverse dynamics, and the law of their springs", unit: "N" },
        origin: "closed form",
        expected: atEnd("q").map((q, i) => -STIFFNESS * q - DAMPING * atEnd("u")[i]!),
        ours: atEnd("effort"),
        tolerance: 1e-9,
      },
    ],
  };
}

/** Debris hits a panel of a satellite at rest; jets from a file of forces take the linear momentum out again. */
async function struckTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const scenario = load("satellite-struck", [change("channels", ["momentum.*", "energy.kinetic"])]);
  const { log, timeline } = (await runScenario(scenario)).run;
  const [at, force, arm] = [2, [-1.75, 0, 3.5], [0.3, 2.4, 0]] as const;
  const momentum = (part: string): string[] => ["x", "y", "z"].map((axis) => `momentum.${part}.${axis}`);
  const [fx, fy, fz] = force;
  const [x, y, z] = arm;
  return {
    title: "A panel is struck, and jets take the momentum out",
    origin: "conservation law",
    rows: [
      {
        ...{ quantity: "linear momentum after it", unit: "N s", expected: force },
        ...{ ours: [...valuesAt(log, at, momentum("linear"), "after")], tolerance: 1e-12 },
      },
      {
        ...{
          quantity: "angular momentum after it",
          unit: "N m s",
          expected: [y * fz - z * fy, z * fx - x * fz, x * fy - y * fx],
        },
        ...{ ours: [...valuesAt(log, at, momentum("angular"), "after")], tolerance: 1e-12 },
      },
      {
        ...{ quantity: "kinetic energy after it, and work of the impulse", unit: "J" },
        expected: [timeline[0]?.impulse?.supplied ?? Number.NaN],
        ...{ ours: [...valuesAt(log, at, ["energy.kinetic"], "after")], tolerance: 1e-12 },
      },
      {
        ...{ quantity: "linear momentum after the jets, whose cubics have the impulse of their rows", unit: "N s" },
        ...{ origin: "closed form", expected: [0, 0, 0], ours: momentum("linear").map((name) => log.column(name).at(-1)!) },
        tolerance: 1e-12,
      },
    ],
  };
}

export const impulses: Validation = {
  name: "impulses",
  title: "Impulses from outside, as events",
  source: "closed forms of a rod on a pin; the impulse of the docking study, computed apart from this project; conservation laws",
  scenario: "docking-ring-6-legs",
  tables: async (load) => [rodTable(), await ringTable(load), await struckTable(load)],
};
