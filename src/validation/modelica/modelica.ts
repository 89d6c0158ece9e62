/** Examples of the Modelica Standard Library against the curves that Dymola computed. */
import { createModel } from "../../model/build/create-model.ts";
import { createSystem } from "../../sim/create-system.ts";
import { simulate } from "../../sim/run/simulate.ts";
import { rotationAboutAxis } from "../../spatial/rotation.ts";
import { valuesAt } from "../samples.ts";
import type { Validation, ValidationTable } from "../validation.ts";
import { MODELICA_LOOPS } from "./loops.ts";
import { computedCurve, type ModelicaModel } from "./model.ts";
import { MODELICA_GRAVITY } from "./parts.ts";
import { MODELICA_TREES } from "./trees.ts";

/** Units by the last part of a variable's name. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/\.(phi|phi_[ab])$/, "rad"],
  [/\.(w|w_[ab])(\[\d\])?$/, "rad/s"],
  [/\.v(_0)?(\[\d\])?$/, "m/s"],
  [/./, "m"],
];

function curveTable(model: ModelicaModel): ValidationTable {
  const { path, curve, tolerance } = model;
  const ours = computedCurve(model);
  const times = `${curve.times.length} times until ${Number(curve.times.at(-1)!.toPrecision(6))} s`;
  return {
    title: path,
    origin: "other tool",
    rows: curve.variables.map((variable, k) => ({
      quantity: `${variable} at ${times}`,
      unit: UNITS.find(([pattern]) => pattern.test(variable))![1],
      expected: curve.values.map((row) => row[k]!),
      ours: ours.map((row) => row[k]!),
      tolerance,
    })),
  };
}

/** 1 kg on an arm of 1 m, whose axes are turned by 90 degrees. In axes of the arm (a) and of the world, with the other sign (b). */
function loadTable(): ValidationTable {
  const model = createModel({
    name: "load on a sensor",
    gravity: MODELICA_GRAVITY,
    bodies: [
      {
        ...{ name: "load", mass: 1, com: [0, -1, 0], inertia: [0.001, 0.001, 0.001] },
        hinge: { kind: "fixed", rotation: { matrix: rotationAboutAxis([0, 0, 1], Math.PI / 2) as never } },
      },
    ],
  });
  const system = createSystem(model, []);
  const { log } = simulate(system, system.start(), { duration: 0.1, sample: 0.1, channels: ["carried.world.*"] });
  const [tx, ty, tz, fx, fy, fz] = valuesAt(
    log,
    0.1,
    ["tx", "ty", "tz", "fx", "fy", "fz"].map((part) => `carried.world.${part}`),
  ) as [number, number, number, number, number, number];
  const WEIGHT = 9.80665;
  const row = (quantity: string, unit: string, expected: readonly number[], ours: readonly number[]) => ({
    ...{ quantity, unit, expected, ours, tolerance: 1e-12 },
  });
  return {
    title: "ModelicaTest.MultiBody.Sensors.CutForceAndTorque1",
    origin: "other tool",
    rows: [
      // The reaction that holds the arm is opposite to the force that the arm exerts; x of the arm is y of the world.
      row(
        "cutForce1a: force and torque in axes of the arm",
        "N, N m",
        [WEIGHT, 0, 0, 0, 0, WEIGHT],
        [-fy, fx, -fz, -ty, tx, -tz],
      ),
      row(
        "cutForce2a, cutForce2b: force and torque in axes of the world",
        "N, N m",
        [0, -WEIGHT, 0, 0, 0, -WEIGHT],
        [fx, fy, fz, tx, ty, tz],
      ),
    ],
  };
}

export const modelica: Validation = {
  name: "modelica",
  title: "Examples of the Modelica Standard Library",
  source:
    "reference results of the Modelica Association, MAP-LIB (Dymola, relative tolerance 1e-6, which leaves 4 to 5 digits; g = 9.80665 m/s²)",
  remark:
    "The curves limit the agreement, not Castor, whose values at relative tolerances of 1e-10 and 1e-12 differ by less than 2e-7: two of the curves " +
    "contain a quantity twice, and their own values differ by 3.3e-5 (revolute.w and rotor1D.w) and 2.4e-5 (w_a[1] and w_b). In the loops of the " +
    "four-bar linkages errors of the integration grow with the number of turns: after 6.4 turns, 9.3e-4 rad are 5 digits of the angle.",
  tables: () => Promise.resolve([...[...MODELICA_TREES, ...MODELICA_LOOPS].map(curveTable), loadTable()]),
};
