/** Force-controlled legs: force feedback and impedance in closed form, and the conservation laws of a controlled capture. */
import { createModel } from "../../model/build/create-model.ts";
import { createController } from "../../parts/control/controllers.ts";
import { createForce } from "../../parts/force/forces.ts";
import { runScenario } from "../../scenario/run.ts";
import { createSystem } from "../../sim/create-system.ts";
import { simulate } from "../../sim/run/simulate.ts";
import { valueFurthestFrom } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const [MASS, LOAD, TIME] = [10, 12, 0.5];

/** A ring of 10 kg on one leg under a constant load: its displacement after a time, with a law of the phase before capture. */
function displacement(lunge: object, delay = 0, duration = TIME): number {
  const model = createModel({
    name: "ring on one leg",
    bodies: [
      { name: "base", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed" }, frames: { far: { at: [9, 0, 0] } } },
      {
        name: "ring",
        parent: "base",
        mass: MASS,
        inertia: [1, 1, 1],
        hinge: { kind: "prismatic", name: "leg", axis: "x", at: [0.4, 0, 0] },
      },
    ],
  });
  const reach = { reach: 0.1, depth: 0.1, lateral: 1, stiffness: 1 };
  const system = createSystem(model, [
    createForce(model, { kind: "motors", name: "motors", hinge: "leg" }),
    createForce(model, { kind: "constant-wrench", name: "load", frame: "ring", force: [LOAD, 0, 0] }),
    createForce(model, { kind: "latch", name: "latch", latch: "ring", striker: "far", ...reach }),
  ]);
  const control = createController(model, {
    ...{ kind: "leg-control", name: "control", period: 0.01, motors: "motors", base: "base", ring: "ring", home: [0.4, 0, 0] },
    ...{ legs: [{ hinge: "leg" }], latches: ["latch"], sensor: { frame: "ring", delay }, contact: 1e3, lunge },
    ...{ attenuate: {}, align: {}, retract: { speed: 1, position: 0 } },
  });
  return simulate(system, system.start(), { duration, controllers: [control] }).q[0]!;
}

function lawTable(): ValidationTable {
  const free = (0.5 * LOAD * TIME ** 2) / MASS;
  const delay = 0.1;
  const spring = { stiffness: [0, 0, 0, 200, 0, 0], damping: [0, 0, 0, 100, 0, 0] };
  const rows = [
    ["displacement without control", [free], [displacement({})], 1e-9],
    [
      "displacement with gains 1 and 2: inertia / (1 + gain)",
      [2 * free, 3 * free],
      [1, 2].map((gain) => displacement({ gain })),
      1e-9,
    ],
    [
      "displacement with gain 2 and a sensor late by 0.1 s",
      [free + (LOAD * (TIME - delay) ** 2) / MASS],
      [displacement({ gain: 2 }, delay)],
      1e-9,
    ],
    ["displacement at rest with 200 N/m", [LOAD / 200], [displacement(spring, 0, 10)], 1e-7],
  ] as const;
  return {
    title: "A ring on one leg under a constant load",
    origin: "closed form",
    rows: rows.map(([quantity, expected, ours, tolerance]) => ({ quantity, unit: "m", expected, ours, tolerance })),
  };
}

/** Momentum and energy of both vehicles through contact, lunge and capture, with 1000 updates of the legs per second. */
async function captureTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const { run } = await runScenario(load("docking-controlled", [change("duration", 3)]));
  const kept = (...channels: readonly string[]): number =>
    Math.max(
      ...channels.map((name) => {
        const start = run.log.column(name)[0]!;
        return Math.abs(valueFurthestFrom(run.log, name, start) - start);
      }),
    );
  const vector = (name: string): readonly string[] => ["x", "y", "z"].map((axis) => `${name}.${axis}`);
  const rows = [
    ["change of linear momentum", "N s", kept(...vector("momentum.linear")), 1e-6],
    ["change of angular momentum", "N m s", kept(...vector("momentum.angular")), 1e-6],
    ["change of the energy balance", "J", kept("energy.balance"), 1e-3],
  ] as const;
  return {
    title: "Approach and capture of docking-controlled, 3 s",
    origin: "conservation law",
    rows: rows.map(([quantity, unit, ours, tolerance]) => ({ quantity, unit, expected: [0], ours: [ours], tolerance })),
  };
}

export const dockingControl: Validation = {
  name: "docking-controlled",
  title: "Force-controlled legs of a docking ring",
  source: "closed forms of a mass under a constant load, and conservation laws",
  scenario: "docking-controlled",
  tables: async (load) => [lawTable(), await captureTable(load)],
};
