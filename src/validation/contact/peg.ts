/** A compliant arm inserts a peg beside the axis of its hole: forces on the wall of the hole while the peg slides. */
import type { Log } from "../../log/log.ts";
import { runScenario } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const SCENARIO = "peg-in-hole";
/** Stiffness of the wrist along x and y, N/m, and about x and y, N m/rad; coefficient of friction. */
const [STIFFNESS, TILT_STIFFNESS, FRICTION] = [4000, 40, 0.15];
/** Mass of the peg, kg, its mass centre above the tip, m, and gravity, m/s². */
const [MASS, CENTRE, G] = [0.4, 0.05, 9.81];
/** A time at which the peg slides along the wall, and the end, s. */
const [SLIDING, END] = [1.8, 2.5];

/** Force on the wall, the spring of the wrist, friction on the peg, and tilt torques of spring and contact about the tip. */
function forcesAt(log: Log, t: number) {
  const [x, y, rx, ry] = valuesAt(
    log,
    t,
    ["x", "y", "rx", "ry"].map((key) => `q.wrist.${key}`),
  ) as [number, number, number, number];
  const [fx, fz] = valuesAt(log, t, ["socket.fx", "socket.fz"]) as [number, number];
  const [tipX, tipZ] = valuesAt(log, t, ["frame.tip.x", "frame.tip.z"]) as [number, number];
  const [pointX, pointZ] = valuesAt(log, t, ["socket.peg-block3.px", "socket.peg-block3.pz"]) as [number, number];
  const tilt = Math.hypot(rx, ry);
  return {
    wall: fx,
    spring: STIFFNESS * Math.hypot(x, y),
    friction: fz,
    tiltSpring: TILT_STIFFNESS * tilt,
    // Wall and friction act at the centre of pressure, gravity at the mass centre. The peg brakes a little while it slides.
    tiltLoads: fx * (pointZ - tipZ) + fz * (tipX - pointX) + MASS * G * CENTRE * Math.sin(tilt),
  };
}

async function wallTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const { log } = (await runScenario(load(SCENARIO, [change("sample", 0.1), change("plots", [])]))).run;
  const sliding = forcesAt(log, SLIDING);
  const resting = forcesAt(log, END);
  return {
    title: "Forces on the peg in the hole",
    origin: "closed form",
    rows: [
      {
        ...{
          quantity: "force of the wall: stiffness × shift of the wrist, while it slides and at the end",
          unit: "N",
          tolerance: 1e-4,
        },
        expected: [sliding.spring, resting.spring],
        ours: [sliding.wall, resting.wall],
      },
      {
        ...{ quantity: "friction while it slides: μ N", unit: "N", tolerance: 1e-8 },
        expected: [FRICTION * sliding.wall],
        ours: [sliding.friction],
      },
      {
        ...{ quantity: "torque about the tip: tilt stiffness × tilt", unit: "N m", tolerance: 2e-5 },
        expected: [sliding.tiltSpring, resting.tiltSpring],
        ours: [sliding.tiltLoads, resting.tiltLoads],
      },
    ],
  };
}

export const peg: Validation = {
  name: SCENARIO,
  title: "A peg in a hole: force of the wall, friction, and tilt",
  source: "statics of the wrist's springs, Coulomb's friction",
  scenario: SCENARIO,
  tables: async (load) => [await wallTable(load)],
};
