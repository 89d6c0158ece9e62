/** Newton's cradle: energies of the balls after a push has gone through them. */
import type { Log } from "../../log/log.ts";
import { runScenario } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";

const SCENARIO = "newtons-cradle";
/** Mass of a ball, kg; length of its string, m; moment of inertia about its centre, kg m²; gravity, m/s²; start angle. */
const [MASS, LENGTH, INERTIA, G, START] = [0.26, 0.25, 4.2e-5, 9.81, Math.PI / 6];
const BALLS = ["a", "b", "c", "d", "e"];
/** Potential energy of a ball at the start angle. */
const LIFTED = MASS * G * LENGTH * (1 - Math.cos(START));
/** Times at which the outer balls are on the right for the first time, and back on the left, s. */
const [RIGHT, LEFT] = [0.5, 1];

/** Energy of each ball over that of a lifted one. */
const energies = (log: Log, t: number): number[] =>
  BALLS.map((ball) => {
    const [q, u] = valuesAt(log, t, [`q.${ball}`, `u.${ball}`]) as [number, number];
    return (0.5 * (INERTIA + MASS * LENGTH * LENGTH) * u * u + MASS * G * LENGTH * (1 - Math.cos(q))) / LIFTED;
  });

async function passTable(load: LoadBuiltIn, lifted: number): Promise<ValidationTable> {
  const start = Object.fromEntries(BALLS.slice(0, lifted).map((ball) => [ball, -START]));
  const changes = [change("state.q", start), change("duration", LEFT), change("sample", RIGHT), change("plots", [])];
  const { log } = (await runScenario(load(SCENARIO, changes))).run;
  const flags = BALLS.map((_, i) => (i >= BALLS.length - lifted ? 1 : 0));
  const row = (quantity: string, t: number, expected: readonly number[], tolerance: number): ValidationRow => ({
    // The inner balls stop 0.1 mm beside their places and then swing. Each collision is with a ball that moves by up to 0.3 % of the speed.
    ...{ quantity, unit: "", tolerance, expected: [...expected], ours: energies(log, t) },
  });
  return {
    title: `${lifted === 1 ? "One ball" : "Two balls"} lifted by 30 degrees: energies of the five balls over that of a lifted one`,
    origin: "closed form",
    rows: [
      row("after the first pass, as many balls are on the right", RIGHT, flags, 3e-5),
      row("after the second pass, they are on the left again", LEFT, [...flags].reverse(), 1e-4),
    ],
  };
}

export const cradle: Validation = {
  name: SCENARIO,
  title: "Newton's cradle: the push goes through",
  source: "equal masses exchange their velocities",
  scenario: SCENARIO,
  tables: async (load) => [await passTable(load, 1), await passTable(load, 2)],
};
