/** Kane's babyboot: chaos in two freedoms. */
import { runScenario } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import type { Validation } from "../validation.ts";

const DEGREE = Math.PI / 180;

export const babyboot: Validation = {
  name: "babyboot",
  title: "Chaotic babyboot",
  source: "Kane's example; motion by arithmetic of 30 digits, computed apart from this project",
  scenario: "babyboot",
  async tables(load) {
    const { log } = (await runScenario(load("babyboot"))).run;
    return [
      {
        title: "By dop853 at a relative tolerance of 1e-14",
        origin: "independent program",
        rows: [
          {
            quantity: "angles of rod and plate at 10 s",
            unit: "deg",
            expected: [-61.312983517502, -929.477898137001],
            ours: valuesAt(log, 10, ["q.rod", "q.plate"]).map((angle) => angle / DEGREE),
            tolerance: 1e-6,
          },
          {
            // A rounding of the initial angle by 1e-17 rad changes this speed by 2e-9 rad/s: see the scenario's README.
            quantity: "speed of the plate at 10 s",
            unit: "rad/s",
            expected: [-2.77956967231066],
            ours: valuesAt(log, 10, ["u.plate"]),
            tolerance: 1e-7,
          },
        ],
      },
    ];
  },
};
