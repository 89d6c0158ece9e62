/** A box that two fingers hold by friction: momentum of the whole, and the force of the hand at which the box slips. */
import { runScenario } from "../../scenario/run.ts";
import { valueFurthestFrom, valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const SCENARIO = "grasp-by-friction";
/** Masses of hand and box, kg; force of each finger, N; coefficient of friction. */
const [HAND, BOX, FINGER, FRICTION] = [4, 2, 15, 0.4];
/** Friction of both pads at most, N, and the force of the slide at which it is reached while hand and box move together. */
const GRIP = 2 * FRICTION * FINGER;
const LIMIT = (GRIP * (HAND + BOX)) / BOX;
/** Forces of the slide 3 % below and above the limit; it acts from PULL on, when the box is at rest in the hand. */
const [BELOW, ABOVE] = [0.97 * LIMIT, 1.03 * LIMIT];
const PULL = 0.6;

/** Accelerations of hand and box, m/s², from 0.05 to 0.15 s after the start of the pull. The hand recoils from the bus: u.bus + u.slide is its speed. */
async function accelerations(load: LoadBuiltIn, force: number): Promise<readonly [hand: number, box: number]> {
  const pulled = load(SCENARIO, [
    change("forces.arm.schedule", [
      [0, 0],
      [PULL, force],
    ]),
    ...[change("state.u", {}), change("duration", PULL + 0.15), change("sample", 0.05)],
    ...[change("channels", ["u.*"]), change("plots", [])],
  ]);
  const { log } = (await runScenario(pulled)).run;
  const speeds = (t: number): readonly [number, number] => {
    const [bus, slide, box] = valuesAt(log, PULL + t, ["u.bus.vx", "u.slide", "u.cube.vx"]) as [number, number, number];
    return [bus + slide, box];
  };
  const [from, to] = [speeds(0.05), speeds(0.15)];
  return [(to[0] - from[0]) / 0.1, (to[1] - from[1]) / 0.1];
}

async function slipTable(load: LoadBuiltIn): Promise<ValidationTable> {
  return {
    title: `Slide forces of ${BELOW.toFixed(2)} and ${ABOVE.toFixed(2)} N; the friction cone permits ${LIMIT.toFixed(0)} N`,
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "below: hand and box with F / (m + M)", unit: "m/s²", tolerance: 1e-5 },
        expected: [BELOW / (HAND + BOX), BELOW / (HAND + BOX)],
        ours: [...(await accelerations(load, BELOW))],
      },
      {
        ...{ quantity: "above: hand with (F - 2 μ N) / M, box with 2 μ N / m", unit: "m/s²", tolerance: 1e-5 },
        expected: [(ABOVE - GRIP) / HAND, GRIP / BOX],
        ours: [...(await accelerations(load, ABOVE))],
      },
    ],
  };
}

async function momentumTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const { log } = (await runScenario(load(SCENARIO))).run;
  const change = (name: string): number => {
    const start = log.column(name)[0]!;
    return valueFurthestFrom(log, name, start) - start;
  };
  const largest = (quantity: string): number =>
    Math.max(...["x", "y", "z"].map((axis) => Math.abs(change(`momentum.${quantity}.${axis}`))));
  return {
    title: "The whole: satellite, hand and box",
    origin: "conservation law",
    rows: [
      { ...{ quantity: "change of linear momentum", unit: "N s", tolerance: 1e-9 }, expected: [0], ours: [largest("linear")] },
      {
        ...{ quantity: "change of angular momentum", unit: "N m s", tolerance: 1e-9 },
        expected: [0],
        ours: [largest("angular")],
      },
    ],
  };
}

export const grasp: Validation = {
  name: SCENARIO,
  title: "A box held by friction: momentum, and the limit of the friction cone",
  source: "Coulomb's friction on two pads in closed form, conservation laws",
  scenario: SCENARIO,
  tables: async (load) => [await momentumTable(load), await slipTable(load)],
};
