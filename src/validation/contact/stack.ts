/** Stacks of boxes: loads and depths at rest, cubes in steps that tip over, and cubes in smaller steps that stand. */
import type { Log } from "../../log/log.ts";
import { runScenario } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const SCENARIO = "stack-of-boxes";
/** Mass of each body, kg; gravity, m/s²; edge of the cubes, m; moduli of the cubes and of the steps, Pa. */
const [MASS, G, EDGE, CUBE_MODULUS, STEP_MODULUS] = [1, 9.81, 0.2, 1e6, 5e6];
/** Steps with which the cubes stand, m, the place of their tower, m, and the time in which they come to rest, s. */
const [STANDING_STEP, BESIDE, ROCKING] = [0.05, 0.7, 6];
/** End of the run, s. */
const END = 2;

/**
 * Depth of a cube that stands on the floor: modulus / H ∫ min(d, distance from the side) dA = load with H = edge / 2. The integral is
 * d (a - 2 d)² + 2 a d² - 8/3 d³, for the square within the depth d of the sides and the strip around it.
 */
function depthOf(load: number, modulus: number): number {
  let [low, high] = [0, EDGE / 4];
  for (let k = 0; k < 100; k++) {
    const d = (low + high) / 2;
    const integral = d * (EDGE - 2 * d) ** 2 + 2 * EDGE * d * d - (8 / 3) * d ** 3;
    if ((modulus / (EDGE / 2)) * integral < load) low = d;
    else high = d;
  }
  return low;
}

function towerTable(log: Log): ValidationTable {
  const weights = (count: number): number[] => Array.from({ length: count }, (_, i) => (count - i) * MASS * G);
  const loadsOf = (tower: string, names: readonly string[]): number[] =>
    valuesAt(
      log,
      END,
      names.map((name, i) => `${tower}.${i === 0 ? `${name}-floor` : `${names[i - 1]}-${name}`}.load`),
    );
  const cubes = ["cube-1", "cube-2", "cube-3"];
  const planks = ["plank-1", "plank-2", "plank-3", "plank-4"];
  return {
    title: "Towers at rest",
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "loads between the cubes, from below: the weight above", unit: "N", tolerance: 1e-7 },
        expected: weights(3),
        ours: loadsOf("cubes", cubes),
      },
      {
        ...{ quantity: "loads between the planks", unit: "N", tolerance: 1e-7 },
        expected: weights(4),
        ours: loadsOf("planks", planks),
      },
      {
        ...{ quantity: "depth of the lowest cube in the floor", unit: "m", tolerance: 1e-12 },
        expected: [depthOf(3 * MASS * G, CUBE_MODULUS)],
        ours: valuesAt(log, END, ["cubes.cube-1-floor.depth"]),
      },
    ],
  };
}

function fallenTable(log: Log): ValidationTable {
  const depth = depthOf(MASS * G, STEP_MODULUS);
  const heights = valuesAt(log, END, ["q.step-1.z", "q.step-2.z", "q.step-3.z"]);
  return {
    title: "Steps of 70 mm: the mass centre of the upper two is 105 mm beside the lowest cube, which supports them up to 100 mm",
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "heights of the cubes: all on the floor, at the depth of their weight", unit: "m", tolerance: 1e-9 },
        expected: [0, 0, 0].map(() => EDGE / 2 - depth),
        ours: heights.map((z, i) => z + EDGE * (i + 0.5)),
      },
    ],
  };
}

async function standingTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const steps = [2, 3].map((i) => change(`model.bodies.step-${i}.hinge.at`, [STANDING_STEP * (i - 1), BESIDE, EDGE * (i - 0.5)]));
  const changes = [...steps, change("duration", ROCKING), change("sample", ROCKING), change("plots", [])];
  const { log } = (await runScenario(load(SCENARIO, changes))).run;
  const [x2, x3, centre] = valuesAt(log, ROCKING, ["q.step-2.x", "q.step-3.x", "steps.step-1-step-2.px"]) as [
    number,
    number,
    number,
  ];
  return {
    title: "Steps of 50 mm stand",
    origin: "closed form",
    rows: [
      {
        // They still rock by a few micrometres.
        ...{ quantity: "centre of pressure on the lowest cube: the mass centre of what is above", unit: "m", tolerance: 1e-4 },
        expected: [(3 * STANDING_STEP + x2 + x3) / 2],
        ours: [centre],
      },
    ],
  };
}

export const stack: Validation = {
  name: SCENARIO,
  title: "Stacks of boxes: loads and depths at rest, and cubes in steps that fall or stand",
  source: "closed forms: weights, the pressure law of a cube on its face, the polygon of support",
  scenario: SCENARIO,
  async tables(load) {
    const { log } = (await runScenario(load(SCENARIO, [change("plots", [])]))).run;
    return [towerTable(log), fallenTable(log), await standingTable(load)];
  },
};
