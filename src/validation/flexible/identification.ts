/** Identification of known values: of a rod in three freedoms, and from the accelerometer at the tip of a moving boom, with noise. */
import { identify } from "../../analysis/identification/identify.ts";
import type { Measurement } from "../../analysis/identification/measurement.ts";
import type { RodFreedom } from "../../analysis/identification/rod-model.ts";
import { linearise } from "../../analysis/linearise.ts";
import { modesOf } from "../../analysis/modes/modes.ts";
import { complianceOf, type LoadDirection } from "../../analysis/statics.ts";
import { createModel } from "../../model/build/create-model.ts";
import type { Model } from "../../model/model.ts";
import { identifyScenario } from "../../scenario/measured/identify-run.ts";
import type { LoadBuiltIn, Validation, ValidationTable } from "../validation.ts";
import { row } from "./rods.ts";

/** The values with which the measurement of identify-boom was simulated, before noise of 0.05 m/s² was added. */
const TRUTH = {
  twist: [160, "N m/rad"],
  "bending-y": [800, "N m/rad"],
  "bending-z": [1200, "N m/rad"],
  "joint-1": [0.4, "m"],
  damping: [4e-4, "s"],
  payload: [2.5, "kg"],
} as const;
const NOISE = 0.05;
/** One of six values is farther from the truth only once in 300 times. */
const STANDARD_ERRORS = 3.5;
const twoDigits = (x: number): number => Number(x.toPrecision(2));

function boomTable(load: LoadBuiltIn): ValidationTable {
  const { unknowns, curves, freedoms } = identifyScenario(load("identify-boom"));
  const found = new Map(unknowns.map((unknown) => [unknown.name, unknown]));
  return {
    title: "A moving boom that bends in two planes and twists, from the accelerometer at its tip; tolerance 3.5 standard errors",
    origin: "other method of Castor",
    rows: [
      ...Object.entries(TRUTH).map(([name, [truth, unit]]) => {
        const { value, error } = found.get(name)!;
        return row(name, unit, [truth], [value], twoDigits(STANDARD_ERRORS * error));
      }),
      row(
        "noise of the three channels, estimated",
        "m/s^2",
        [NOISE, NOISE, NOISE],
        curves.map(({ noise }) => noise),
        // The estimate from n samples has the standard error σ / √(2 n).
        twoDigits((STANDARD_ERRORS * NOISE) / Math.sqrt((2 * freedoms) / 3)),
      ),
    ],
  };
}

const ROD = { length: 1.2, mass: 0.9, width: 0.03, height: 0.02 };
const JOINTS = [0.25, 0.8];
const CUTS = [0.35, 0.75];
const STIFFNESS: Readonly<Record<RodFreedom, readonly number[]>> = { rz: [900, 700], ry: [400, 350], rx: [120, 150] };
const LOAD = { tipMass: 0.5, tipInertia: 2e-4 };

/** The rod as a multibody model with one freedom. */
function rodModel(freedom: RodFreedom, isLoaded: boolean): Model {
  const { length, mass, width, height } = ROD;
  const joints = JOINTS.map((at, j) => ({ at, cut: CUTS[j]!, stiffness: STIFFNESS[freedom][j]! }));
  const inertia = LOAD.tipInertia;
  const load = {
    ...{ name: "load", parent: "rod", mass: LOAD.tipMass, inertia: [inertia, inertia, inertia] as const },
    hinge: { kind: "fixed", at: [length, 0, 0] } as const,
  };
  return createModel({
    name: "rod",
    bodies: [
      {
        name: "rod",
        elastic: { length, mass, section: { kind: "box", width, height }, freedoms: [freedom], joints },
        hinge: { kind: "fixed" },
        frames: { tip: { at: [length, 0, 0] } },
      },
      ...(isLoaded ? [load] : []),
    ],
  });
}

/** What the multibody model gives for a freedom: frequencies bare and with a load, and the compliances of the tip. */
function measurementsOf(freedom: RodFreedom): Measurement[] {
  const bare = linearise(rodModel(freedom, false));
  const loaded = linearise(rodModel(freedom, true));
  const frequencies = (linear: typeof bare, tip: Partial<Measurement>): Measurement[] =>
    modesOf(linear).map(({ frequency }, i) => ({ kind: "frequency", freedom, mode: i + 1, value: frequency, ...tip }));
  const along: LoadDirection = { frame: "tip", along: freedom === "rz" ? [0, 1, 0] : [0, 0, 1] };
  const about: LoadDirection = { frame: "tip", about: freedom === "rx" ? [1, 0, 0] : freedom === "rz" ? [0, 0, 1] : [0, 1, 0] };
  const C = complianceOf(bare, freedom === "rx" ? [about] : [along, about]);
  const statics: Measurement[] =
    freedom === "rx"
      ? [{ kind: "twist-by-torque", value: C[0]![0]! }]
      : [
          { kind: "deflection-by-force", freedom, value: C[0]![0]! },
          { kind: "slope-by-force", freedom, value: Math.abs(C[0]![1]!) },
          { kind: "slope-by-moment", freedom, value: C[1]![1]! },
        ];
  return [...frequencies(bare, {}), ...frequencies(loaded, LOAD), ...statics];
}

/** Frequencies and compliances of the multibody model have errors of about 1e-12. */
const RECOVERED = 1e-9;

function rodTable(): ValidationTable {
  const found = identify(ROD, (["rz", "ry", "rx"] as const).flatMap(measurementsOf), { joints: "free", starts: 6 });
  const names = { rz: "about z, equation 3", ry: "about y, equation 4", rx: "of twist, equation 5" } as const;
  return {
    title: "A rod in two planes and in twist, joints not at the cuts: from frequencies and compliances of its multibody model",
    origin: "other method of Castor",
    rows: [
      row("positions of the joints", "m", JOINTS, [...found.joints], RECOVERED),
      row("positions of the cuts", "m", CUTS, [...found.cuts], RECOVERED),
      ...found.freedoms.map(({ freedom, stiffnesses }) =>
        row(`stiffnesses ${names[freedom]}`, "N m/rad", STIFFNESS[freedom], [...stiffnesses], RECOVERED * 1e3),
      ),
    ],
  };
}

export const identification: Validation = {
  name: "identification",
  title: "Identification of known values from measurements",
  source: "computed measurements of machines with known values",
  scenario: "identify-boom",
  async tables(load) {
    return [rodTable(), boomTable(load)];
  },
};
