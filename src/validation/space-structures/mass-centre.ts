/** TR-942 2.3.2, the velocity of the mass centre as a speed: a machine on an orbit, in mass-centre coordinates and in local ones. */
import type { Log } from "../../log/log.ts";
import { runScenario } from "../../scenario/run.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { largestOf, valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";

const SCENARIO = "orbit-manipulator";
const MU = 3.986004418e14;
/** A circular orbit from its ascending node on. */
const RADIUS = 6778136.6;
const INCLINATION = (51.6 * Math.PI) / 180;
const SPEED = Math.sqrt(MU / RADIUS);
const PERIOD = 2 * Math.PI * Math.sqrt(RADIUS ** 3 / MU);
const TIMES = [1, 2, 3, 4, 5, 6, 7, 8].map((k) => (k * PERIOD) / 8);
const MASS = 330;

const HINGES = ["waist", "upper-arm", "forearm", "hand"] as const;
const XYZ = ["x", "y", "z"] as const;

export const massCentreCoordinates: Validation = {
  name: "mass-centre",
  title: "A manipulator on an orbit, in mass-centre coordinates",
  source: "TR-942, 2.3.2: the velocity of the mass centre as a speed; the same machine in local coordinates; the Kepler orbit",
  scenario: SCENARIO,
  async tables(load) {
    return [await againstLocal(load), await keplerOrbit(load), await polarMomentum(load)];
  },
};

/** 1e-9 of a size, rounded for the table. */
const relative = (size: number): number => +(1e-9 * size).toPrecision(2);

const run = async (scenario: Scenario): Promise<Log> => (await runScenario(scenario)).run.log;

/** One revolution on the circular orbit. */
const revolution = (load: LoadBuiltIn, earth: object, formulation = "kane"): Scenario =>
  load(SCENARIO, [
    change("forces.earth", { kind: "point-gravity", ...earth }),
    change("state.massCentre", {
      position: [RADIUS, 0, 0],
      velocity: [0, SPEED * Math.cos(INCLINATION), SPEED * Math.sin(INCLINATION)],
    }),
    change("formulation", formulation),
    ...precisely(),
  ]);

const precisely = () => [
  change("integrator", { name: "dop853", relativeTolerance: 1e-13, absoluteTolerance: 1e-15 }),
  change("duration", PERIOD),
  change("sample", PERIOD / 8),
  change("plots", []),
  change("channels", ["q.*", "u.*", "centre.*", "momentum.*", "frame.tip.*"]),
];

/** The same machine, if the origin of the world follows the Kepler orbit. */
function localScenario(load: LoadBuiltIn, { q }: Scenario): Scenario {
  const { control } = load(SCENARIO).document.forces as { readonly control: object };
  return load(SCENARIO, [
    change("coordinates", "world"),
    change("forces", {
      control,
      tide: { kind: "gravity-gradient", semiMajorAxis: RADIUS, inclination: INCLINATION, exact: true },
    }),
    change("state.massCentre", undefined),
    change("state.q.satellite", Array.from(q.subarray(0, 7))),
    change("formulation", "kane"),
    ...precisely(),
  ]);
}

async function againstLocal(load: LoadBuiltIn): Promise<ValidationTable> {
  const inOrbit = revolution(load, { j2: 0 });
  const local = await run(localScenario(load, inOrbit));
  const rows: ValidationRow[] = [];
  for (const formulation of ["kane", "articulated", "matrix"]) {
    const log =
      formulation === "kane" ? await run(recorded(inOrbit)) : await run(recorded(revolution(load, { j2: 0 }, formulation)));
    rows.push(...comparison(formulation, local, log));
  }
  return {
    title: "One revolution 400 km above the Earth; expected: the same machine, the origin of the world on the Kepler orbit",
    origin: "other method of Castor",
    rows,
  };
}

/** In mass-centre coordinates the orbit is recorded too. */
const recorded = (scenario: Scenario): Scenario => ({
  ...scenario,
  channels: scenario.available.filter(
    ({ name }) => scenario.channels.some((c) => c.name === name) || name.startsWith("mass-centre."),
  ),
});

function comparison(formulation: string, local: Log, log: Log): ValidationRow[] {
  const row = (quantity: string, unit: string, channels: readonly string[]): ValidationRow => {
    const size = largestOf(local, channels);
    const at = (from: Log): number[] => TIMES.flatMap((t) => valuesAt(from, t, channels));
    return {
      quantity: `${formulation}: ${quantity}, every eighth of it`,
      unit,
      expected: at(local),
      ours: at(log),
      tolerance: relative(size),
    };
  };
  const fromCentre = (from: Log): number[] =>
    TIMES.flatMap((t) =>
      XYZ.map((axis) => valuesAt(from, t, [`frame.tip.${axis}`])[0]! - valuesAt(from, t, [`centre.${axis}`])[0]!),
    );
  return [
    row(
      "hinge angles",
      "rad",
      HINGES.map((name) => `q.${name}`),
    ),
    row(
      "hinge rates",
      "rad/s",
      HINGES.map((name) => `u.${name}`),
    ),
    row(
      "attitude of the satellite",
      "",
      ["qw", "qx", "qy", "qz"].map((part) => `q.satellite.${part}`),
    ),
    {
      quantity: `${formulation}: tip relative to the mass centre, every eighth of it`,
      unit: "m",
      expected: fromCentre(local),
      ours: fromCentre(log),
      tolerance: relative(largestOf(local, ["frame.tip.x", "frame.tip.y", "frame.tip.z"])),
    },
  ];
}

async function keplerOrbit(load: LoadBuiltIn): Promise<ValidationTable> {
  const log = await run(recorded(revolution(load, { j2: 0, gradient: false })));
  const places = TIMES.map((t) => {
    const angle = (2 * Math.PI * t) / PERIOD;
    return [
      RADIUS * Math.cos(angle),
      RADIUS * Math.sin(angle) * Math.cos(INCLINATION),
      RADIUS * Math.sin(angle) * Math.sin(INCLINATION),
    ];
  });
  return {
    title: "The same revolution, gravity of a point mass",
    origin: "closed form",
    rows: [
      {
        quantity: "mass centre on the circular orbit, every eighth of it",
        unit: "m",
        expected: places.flat(),
        ours: TIMES.flatMap((t) =>
          valuesAt(
            log,
            t,
            XYZ.map((axis) => `mass-centre.${axis}`),
          ),
        ),
        tolerance: relative(RADIUS),
      },
      {
        quantity: "distance of the mass centre from the origin of the coordinates",
        unit: "m",
        origin: "conservation law",
        expected: [0],
        ours: [largestOf(log, ["centre.x", "centre.y", "centre.z"])],
        tolerance: 1e-9,
      },
    ],
  };
}

async function polarMomentum(load: LoadBuiltIn): Promise<ValidationTable> {
  const log = await run(recorded(revolution(load, { gradient: false })));
  const total = [0, ...TIMES].map((t) => {
    const [x, y, vx, vy, about] = valuesAt(log, t, [
      "mass-centre.x",
      "mass-centre.y",
      "mass-centre.vx",
      "mass-centre.vy",
      "momentum.angular.z",
    ]) as [number, number, number, number, number];
    return MASS * (x * vy - y * vx) + about;
  });
  return {
    title: "The same revolution with J2",
    origin: "conservation law",
    rows: [
      {
        quantity: "relative change of the polar angular momentum, orbit and attitude together, every eighth of it",
        unit: "",
        expected: TIMES.map(() => 0),
        ours: total.slice(1).map((momentum) => momentum / total[0]! - 1),
        tolerance: 1e-11,
      },
    ],
  };
}
