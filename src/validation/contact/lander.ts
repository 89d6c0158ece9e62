/** A lander on four sprung legs: loads and strokes at rest, and the slope on which it begins to slide. */
import type { Log } from "../../log/log.ts";
import type { Override } from "../../scenario/override.ts";
import { runScenario } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const SCENARIO = "lander-legs";
/** Gravity of the Moon, m/s²; mass of the lander and of a foot, kg; stiffness of a leg, N/m; its angle from the vertical; coefficient of friction. */
const [G, MASS, FOOT, STIFFNESS, FRICTION] = [1.62, 600, 10, 4000, 0.5];
const DEGREE = Math.PI / 180;
const ANGLE = 35 * DEGREE;
const PADS = [1, 2, 3, 4];

/** A run on a plane, from a start close to rest. */
async function onSlope(load: LoadBuiltIn, slope: number, duration: number, changes: readonly Override[] = []): Promise<Log> {
  const start = { q: { hull: [1, 0, 0, 0, 0, 0, 1.32] }, onGround: "hull" };
  const scenario = load(SCENARIO, [
    ...[change("terrain", { slope: { kind: "plane", slope: slope * DEGREE } }), change("state", start)],
    ...[change("duration", duration), change("sample", 1), change("plots", []), ...changes],
  ]);
  const { run, failure } = await runScenario(scenario);
  if (failure) throw failure;
  return run.log;
}

async function restTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const smooth = ["friction", "bristleBend", "bristleTime"].map((key) => change(`forces.pads.${key}`, 0));
  const log = await onSlope(load, 0, 15, smooth);
  const last = (name: string): number => log.column(name).at(-1)!;
  const weight = (MASS * G) / 4;
  return {
    title: "At rest on level ground without friction",
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "loads of the pads: m g / 4", unit: "N", tolerance: 1e-4 },
        expected: PADS.map(() => weight),
        ours: PADS.map((i) => last(`pads.pad-${i}-ground.load`)),
      },
      {
        ...{ quantity: "strokes of the legs: (load - weight of the foot) cos γ / k", unit: "m", tolerance: 1e-7 },
        expected: PADS.map(() => (-(weight - FOOT * G) * Math.cos(ANGLE)) / STIFFNESS),
        ours: PADS.map((i) => last(`q.leg-${i}`)),
      },
    ],
  };
}

/** Slopes just below and above the angle of friction, 26.6 degrees. */
const [BELOW, ABOVE] = [25, 28];

async function slopeTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const speedAt = (log: Log, t: number): number => Math.hypot(...valuesAt(log, t, ["u.hull.vx", "u.hull.vz"]));
  const standing = await onSlope(load, BELOW, 12);
  const sliding = await onSlope(load, ABOVE, 12);
  return {
    title: `On slopes of ${BELOW} and ${ABOVE} degrees; the angle of friction is 26.6 degrees`,
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "speed after 12 s below it", unit: "m/s", tolerance: 1e-4 },
        expected: [0],
        ours: [speedAt(standing, 12)],
      },
      {
        ...{ quantity: "acceleration above it: g (sin α - μ cos α)", unit: "m/s²", tolerance: 1e-5 },
        expected: [G * (Math.sin(ABOVE * DEGREE) - FRICTION * Math.cos(ABOVE * DEGREE))],
        ours: [(speedAt(sliding, 12) - speedAt(sliding, 10)) / 2],
      },
    ],
  };
}

export const lander: Validation = {
  name: SCENARIO,
  title: "A lander on four legs: at rest, and at the angle of friction",
  source: "closed forms: statics of a sprung leg, Coulomb's friction",
  scenario: SCENARIO,
  tables: async (load) => [await restTable(load), await slopeTable(load)],
};
