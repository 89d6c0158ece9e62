/** Forces of the environment that TR-942 names as disturbances: gravity with J2, air drag, sunlight, magnetic field. */
import type { Log } from "../../log/log.ts";
import { runScenario, type ScenarioRun } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const SCENARIO = "orbit-disturbances";
const MU = 3.986004418e14;
const J2 = 1.0826359e-3;
const EARTH_RADIUS = 6378136.6;
/** A circular orbit from its ascending node on: radius, inclination, speed, period. */
const RADIUS = 6678136.6;
const INCLINATION = (51.6 * Math.PI) / 180;
const SPEED = Math.sqrt(MU / RADIUS);
const PERIOD = 2 * Math.PI * Math.sqrt(RADIUS ** 3 / MU);
/** Mass of the satellite, kg. */
const MASS = 4;

export const disturbances: Validation = {
  name: "disturbances",
  title: "A satellite under gravity with J2, air drag, sunlight and a magnetic field",
  source: "closed forms: secular rate of the node, averaged decay, pressure on a flat plate, torque on a dipole",
  scenario: SCENARIO,
  async tables(load) {
    return [await oblateness(load), await decay(load), await sunlight(load), await dipole(load)];
  },
};

/** One revolution about the world's origin under the given forces, by kane: articulated loses digits at this distance. */
const revolution = async (load: LoadBuiltIn, forces: object): Promise<Log> => {
  const { run } = await runScenario(
    load(SCENARIO, [
      change("forces", forces),
      change("formulation", "kane"),
      change("state", {
        q: { bus: [1, 0, 0, 0, RADIUS, 0, 0] },
        u: { bus: [0, 0, 0, 0, SPEED * Math.cos(INCLINATION), SPEED * Math.sin(INCLINATION)] },
      }),
      change("duration", PERIOD),
      change("sample", PERIOD),
      change("integrator", { name: "dop853", relativeTolerance: 1e-13, absoluteTolerance: 1e-9 }),
      change("channels", ["q.*", "u.*", "momentum.*", "energy.*", "earth.*"]),
      change("plots", []),
      change("audit", {}),
    ]),
  );
  return run.log;
};

/** Angle from x to the ascending node. */
function nodeAt(log: Log, t: number): number {
  const [hx, hy] = valuesAt(log, t, ["momentum.angular.x", "momentum.angular.y"]) as [number, number];
  return Math.atan2(hx, -hy);
}

async function oblateness(load: LoadBuiltIn): Promise<ValidationTable> {
  const runs: { readonly part: number; readonly log: Log }[] = [];
  for (const part of [1, 0.1, 0.01])
    runs.push({ part, log: await revolution(load, { earth: { kind: "point-gravity", j2: part * J2, gradient: false } }) });
  const differences = runs.map(({ log, part }) => {
    const [before, after] = [0, PERIOD].map((t) => nodeAt(log, t)) as [number, number];
    const firstOrder = -3 * Math.PI * part * J2 * (EARTH_RADIUS / RADIUS) ** 2 * Math.cos(INCLINATION);
    return (after - before) / firstOrder - 1;
  });
  const names = ["energy.kinetic", "energy.potential", "momentum.angular.z"];
  const [start, end] = [0, PERIOD].map((t) => valuesAt(runs[0]!.log, t, names)) as [number[], number[]];
  return {
    title: "Gravity with J2, one revolution",
    origin: "closed form",
    rows: [
      {
        quantity: "relative change of the energy",
        unit: "",
        origin: "conservation law",
        expected: [0],
        ours: [(end[0]! + end[1]!) / (start[0]! + start[1]!) - 1],
        tolerance: 1e-11,
      },
      {
        quantity: "relative change of the polar angular momentum",
        unit: "",
        origin: "conservation law",
        expected: [0],
        ours: [end[2]! / start[2]! - 1],
        tolerance: 1e-11,
      },
      {
        quantity: "motion of the node over -3π J2 (a/r)² cos i, minus 1, at J2 / 100",
        unit: "",
        expected: [0],
        ours: [differences[2]!],
        tolerance: 1e-4,
      },
      {
        quantity: "the same at J2 and J2 / 10, relative to a tenth of J2",
        unit: "",
        expected: [10, 10],
        ours: [differences[0]! / differences[1]!, differences[1]! / differences[2]!],
        tolerance: 0.2,
      },
    ],
  };
}

async function decay(load: LoadBuiltIn): Promise<ValidationTable> {
  const [coefficient, area] = [2.2, 0.04];
  const results = [];
  for (const density of [4e-9, 4e-10]) {
    const log = await revolution(load, {
      earth: { kind: "point-gravity", j2: 0, gradient: false },
      air: { kind: "drag", density, coefficient, rotationRate: 0, areas: [{ on: "bus", area }] },
    });
    const names = ["energy.kinetic", "energy.potential", "energy.dissipated", "earth.semi-major-axis"];
    const [start, end] = [0, PERIOD].map((t) => valuesAt(log, t, names)) as [number[], number[]];
    const lost = start[0]! + start[1]! - end[0]! - end[1]!;
    const root = Math.sqrt(start[3]!) - ((coefficient * area) / MASS / 2) * density * Math.sqrt(MU) * PERIOD;
    const fall = root * root - start[3]!;
    results.push({ work: end[2]! / lost - 1, difference: (end[3]! - start[3]!) / fall - 1 });
  }
  const [dense, thin] = results as [(typeof results)[0], (typeof results)[0]];
  return {
    title: "Drag on a circular orbit, one revolution in air of 4e-9 and 4e-10 kg/m³",
    origin: "closed form",
    rows: [
      {
        quantity: "work of drag over the energy lost, minus 1",
        unit: "",
        origin: "conservation law",
        expected: [0, 0],
        ours: [dense.work, thin.work],
        tolerance: 1e-9,
      },
      {
        quantity: "fall of the semi-major axis over that of √a = √a₀ - ½ (c A / m) ρ √mu t, minus 1",
        unit: "",
        expected: [0, 0],
        ours: [dense.difference, thin.difference],
        tolerance: 1e-4,
      },
      {
        quantity: "the second of these over the first: second order in the density",
        unit: "",
        expected: [0.01],
        ours: [thin.difference / dense.difference],
        tolerance: 0.002,
      },
    ],
  };
}

/** A run of one short step at rest. */
const instant = (load: LoadBuiltIn, forces: object, position: readonly number[]): Promise<ScenarioRun> =>
  runScenario(
    load(SCENARIO, [
      change("forces", forces),
      change("state", { q: { bus: [1, 0, 0, 0, ...position] } }),
      change("duration", 1e-3),
      change("sample", 1e-3),
      change(
        "channels",
        Object.keys(forces)
          .map((name) => `${name}.*`)
          .concat("momentum.*"),
      ),
      change("plots", []),
      change("audit", {}),
    ]),
  );

async function sunlight(load: LoadBuiltIn): Promise<ValidationTable> {
  const [angle, area, specular, diffuse, pressure] = [0.6, 4, 0.35, 0.2, 1361 / 299792458];
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const at = [0.2, -0.3, 1.5] as const;
  const plates = [{ on: "bus", area, at, normal: [cosine, sine, 0], specular, diffuse }];
  const { run } = await instant(load, { light: { kind: "solar-pressure", sun: "x", plates } }, [0, 0, 0]);
  const strength = pressure * area * cosine;
  const alongNormal = 2 * (specular * cosine + diffuse / 3);
  const [fx, fy] = [-strength * (1 - specular + alongNormal * cosine), -strength * alongNormal * sine];
  const momentum = valuesAt(
    run.log,
    1e-3,
    ["x", "y", "z"].map((axis) => `momentum.angular.${axis}`),
  );
  return {
    title: "Sunlight at 0.6 rad on a plate of 4 m² that reflects 35 % and scatters 20 %",
    origin: "closed form",
    rows: [
      {
        quantity: "force",
        unit: "N",
        expected: [fx, fy, 0],
        ours: valuesAt(run.log, 0, ["light.fx", "light.fy", "light.fz"]),
        tolerance: 1e-10 * Math.abs(fx),
      },
      {
        quantity: "torque about the origin, from the angular momentum after 1 ms",
        unit: "N m",
        expected: [-at[2] * fy, at[2] * fx, at[0] * fy - at[1] * fx],
        ours: momentum.map((h) => h / 1e-3),
        tolerance: 1e-10 * Math.abs(at[2] * fx),
      },
    ],
  };
}

async function dipole(load: LoadBuiltIn): Promise<ValidationTable> {
  const [field, radius, distance, latitude] = [3e-5, 6.3712e6, 7e6, 0.5];
  const moment = [2, -1, 3] as const;
  const { run } = await instant(
    load,
    { magnet: { kind: "magnetic-torque", frame: "bus", moment, equatorField: field, radius } },
    [distance * Math.cos(latitude), 0, distance * Math.sin(latitude)],
  );
  const strength = field * (radius / distance) ** 3;
  // To the north strength cos λ, downwards 2 strength sin λ.
  const bx = -3 * strength * Math.sin(latitude) * Math.cos(latitude);
  const bz = strength * (Math.cos(latitude) ** 2 - 2 * Math.sin(latitude) ** 2);
  return {
    title: "Magnetic dipole of 2, -1, 3 A m² at a latitude of 0.5 rad",
    origin: "closed form",
    rows: [
      {
        quantity: "torque",
        unit: "N m",
        expected: [moment[1] * bz, moment[2] * bx - moment[0] * bz, -moment[1] * bx],
        ours: valuesAt(run.log, 0, ["magnet.tx", "magnet.ty", "magnet.tz"]),
        tolerance: 1e-10 * strength,
      },
    ],
  };
}
