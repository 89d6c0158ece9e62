/** Identification of known values: from the accelerometer at the tip of a moving boom, with noise. */
import { identifyScenario } from "../../scenario/identify-run.ts";
import type { Validation } from "../validation.ts";
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
const twoDigits = (x: number): number => Number(x.toPrecision(2));
/** One of six values is farther from the truth only once in 300 times. */
const STANDARD_ERRORS = 3.5;

export const identification: Validation = {
  name: "identification",
  title: "Identification of known values from measurements with noise",
  source: "simulated measurements of machines with known values",
  scenario: "identify-boom",
  async tables(load) {
    const { unknowns, curves, freedoms } = identifyScenario(load("identify-boom"));
    const found = new Map(unknowns.map((unknown) => [unknown.name, unknown]));
    return [
      {
        title:
          "A moving boom that bends in two planes and twists, from the accelerometer at its tip; tolerance 3.5 standard errors",
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
      },
    ];
  },
};
