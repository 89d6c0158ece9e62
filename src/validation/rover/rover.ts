/** The rocker rover on lunar simulant and on hard ground: end states of the reference runs, and steady slip without time integration. */
import type { Override } from "../../scenario/override.ts";
import { runScenario } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";
import { ROVER_ENDS, type RoverEnd } from "./data.ts";
import { steadyRover } from "./steady.ts";

const WHEELS = ["fl", "fr", "rl", "rr"] as const;
/** The reference programs damp by the velocity of the wheel's centre, not by the rate of the depth of its rim. */
const DAMPED_AS_REFERENCE = WHEELS.map((w) => change(`forces.ground-${w}.dampedBy`, "centre"));
const HARD_GROUND = WHEELS.map((w) =>
  change(`forces.ground-${w}`, { kind: "wheel-on-ground", wheel: `wheel-${w}`, radius: 0.09 }),
);
/** Height of the rocker axis when the wheels just touch; initial sinkage in soil on the Moon, and in hard ground. All in m. */
const PIVOT = 0.29;
const [ON_SOIL_MOON, ON_HARD] = [0.004255598172132864, 0.0042918750000000006];
const DEGREE = Math.PI / 180;

/** Initial state with the wheels sunk by `sunk` into ground of any slope; see `onGround` in the scenario. */
const wheelsSunkBy = (sunk: number): Override => change("state.q.base", [1, 0, 0, 0, 0, 0, PIVOT - sunk]);

interface RoverCase {
  readonly title: string;
  readonly end: RoverEnd;
  readonly scenario: string;
  readonly changes: readonly Override[];
  /** Tolerance of positions, m. */
  readonly tolerance: number;
  /** Slope and gravity of the equilibrium, for runs that become steady. */
  readonly steady?: { readonly slope: number; readonly gravity: number; readonly height: number };
}

/** Tolerances of the specification: 1e-5 m, and 5e-4 m if the run starts by rolling back, which fixed steps resolve to first order only. */
const END_TOLERANCE = 1e-5;
const ROLL_BACK_TOLERANCE = 5e-4;
/** The control law of the reference is continuous. With a period of 1 ms, an adaptive integrator would restart at every sample. */
const CONTINUOUS_CONTROL = [
  change("controllers.driver.period", 0.001),
  change("controllers.driver.between", "hold"),
  change("integrator", { name: "rk4", step: 0.0005 }),
];

const CASES: readonly RoverCase[] = [
  {
    title: "level soil, 10 s",
    end: ROVER_ENDS.flat,
    scenario: "rover-flat",
    changes: [],
    tolerance: END_TOLERANCE,
    steady: { slope: 0, gravity: 9.81, height: PIVOT - 0.018 },
  },
  {
    title: "5 degrees up, 30 s",
    end: ROVER_ENDS.slope5,
    scenario: "rover-slope",
    changes: [change("terrain.slope.slope", 5 * DEGREE)],
    tolerance: ROLL_BACK_TOLERANCE,
    steady: { slope: 5 * DEGREE, gravity: 9.81, height: PIVOT - 0.018 },
  },
  {
    title: "15 degrees up, 30 s",
    end: ROVER_ENDS.slope15,
    scenario: "rover-slope",
    changes: [],
    tolerance: ROLL_BACK_TOLERANCE,
    steady: { slope: 15 * DEGREE, gravity: 9.81, height: PIVOT - 0.018 },
  },
  {
    title: "15 degrees up on the Moon, 30 s",
    end: ROVER_ENDS.slope15Moon,
    scenario: "rover-slope",
    changes: [change("model.gravity", "moon"), wheelsSunkBy(ON_SOIL_MOON)],
    tolerance: END_TOLERANCE,
    steady: { slope: 15 * DEGREE, gravity: 1.62, height: PIVOT - 0.006 },
  },
  { title: "left wheels over a bump, 40 s", end: ROVER_ENDS.bump, scenario: "rover-bump", changes: [], tolerance: END_TOLERANCE },
  {
    title: "the same on hard ground",
    end: ROVER_ENDS.bumpHard,
    scenario: "rover-bump",
    changes: [...HARD_GROUND, wheelsSunkBy(ON_HARD)],
    tolerance: END_TOLERANCE,
  },
  {
    title: "front wheels steered by 15 degrees, 40 s",
    end: ROVER_ENDS.steer,
    scenario: "rover-steer",
    changes: [],
    tolerance: END_TOLERANCE,
  },
  {
    title: "the same on hard ground",
    end: ROVER_ENDS.steerHard,
    scenario: "rover-steer",
    changes: [...HARD_GROUND, wheelsSunkBy(ON_HARD)],
    tolerance: END_TOLERANCE,
  },
  {
    title: "across 10 degrees without steering, 60 s",
    end: ROVER_ENDS.sideOpen,
    scenario: "rover-side-slope",
    changes: [
      ...CONTINUOUS_CONTROL,
      change("controllers.driver.kp", 0),
      change("controllers.driver.ki", 0),
      change("controllers.driver.gain", 0),
    ],
    tolerance: END_TOLERANCE,
  },
  {
    title: "across 10 degrees by line of sight, 60 s",
    end: ROVER_ENDS.sideSight,
    scenario: "rover-side-slope",
    changes: [...CONTINUOUS_CONTROL, change("controllers.driver.kp", 0), change("controllers.driver.ki", 0)],
    tolerance: END_TOLERANCE,
  },
  {
    title: "across 10 degrees with slip compensation, 60 s",
    end: ROVER_ENDS.sideCompensated,
    scenario: "rover-side-slope",
    changes: CONTINUOUS_CONTROL,
    tolerance: END_TOLERANCE,
  },
];

async function endStateTable(
  load: LoadBuiltIn,
  { title, end, scenario, changes, tolerance, steady }: RoverCase,
): Promise<ValidationTable> {
  const loaded = load(scenario, [...changes, ...DAMPED_AS_REFERENCE, change("sample", end.t), change("plots", [])]);
  const { run } = await runScenario(loaded);
  const at = (names: readonly string[]): number[] => valuesAt(run.log, end.t, names);
  const base = (parts: readonly string[]): number[] => at(parts.map((part) => `q.base.${part}`));
  const [slip, sinkage, weight] = at(["ground-fl.slip", "ground-fl.sinkage", "ground-fl.load"]) as [number, number, number];
  return {
    title,
    origin: "independent program",
    rows: [
      { quantity: "place of the body", unit: "m", expected: end.place, ours: base(["x", "y", "z"]), tolerance },
      { quantity: "its quaternion", unit: "", expected: end.attitude, ours: base(["qw", "qx", "qy", "qz"]), tolerance },
      { quantity: "slip of the front left wheel", unit: "", expected: [end.slip], ours: [slip], tolerance: 1e-4 },
      { quantity: "its sinkage", unit: "m", expected: [end.sinkage], ours: [sinkage], tolerance: 1e-6 },
      { quantity: "its load", unit: "N", expected: [end.load], ours: [weight], tolerance: 1e-3 },
      ...(steady === undefined ? [] : [equilibriumRow(load, steady, slip)]),
    ],
  };
}

/** The slip at the end of the run beside the slip of the equilibrium without time integration. */
const equilibriumRow = (load: LoadBuiltIn, steady: NonNullable<RoverCase["steady"]>, slip: number): ValidationRow => ({
  quantity: "its slip, against the equilibrium without integration",
  unit: "",
  origin: "other method of Castor",
  expected: [steadyRover(load, steady)("ground-fl.slip")],
  ours: [slip],
  tolerance: 1e-4,
});

export const rover: Validation = {
  name: "rover",
  title: "Rocker rover on soil and on hard ground: end states of eleven runs",
  source:
    "two independent programs (Python, C++), after Watanabe and Uchiyama, and Ishigami, with wheels that are damped by the velocity of their centres",
  scenario: "rover-slope",
  tables: (load) =>
    CASES.reduce<Promise<readonly ValidationTable[]>>(
      async (before, one) => [...(await before), await endStateTable(load, one)],
      Promise.resolve([]),
    ),
};
