/** Joint torques by inverse dynamics, as channels of a run: an arm on a prescribed motion, and a rover that climbs hard ground and soil. */
import { createModel } from "../../model/build/create-model.ts";
import { runScenario } from "../../scenario/run.ts";
import { createSystem } from "../../sim/create-system.ts";
import { simulate } from "../../sim/run/simulate.ts";
import { assemble } from "../../sim/system/assembly.ts";
import { valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";

const G = 9.81;
const DEGREE = Math.PI / 180;

/** Links of a planar arm: mass, length, distance of the mass centre from the joint, inertia about it. */
const LINKS = [
  { mass: 3, length: 0.8, com: 0.35, inertia: 0.2 },
  { mass: 2, length: 0.6, com: 0.25, inertia: 0.1 },
] as const;
/** Motion of the joints: offset + amplitude sin(frequency t). */
const MOTIONS = [
  { offset: 0.4, amplitude: 0.9, frequency: 2 },
  { offset: -0.3, amplitude: 1.2, frequency: 3 },
] as const;
const TIMES = [0.3, 0.7, 1.1, 1.5];

/** Torques of the arm by its equations of motion, in the form of textbooks. */
function textbookTorques(t: number): readonly [number, number] {
  const [{ q: q1, u: u1, a: a1 }, { q: q2, u: u2, a: a2 }] = MOTIONS.map(({ offset, amplitude, frequency }) => ({
    q: offset + amplitude * Math.sin(frequency * t),
    u: amplitude * frequency * Math.cos(frequency * t),
    a: -amplitude * frequency ** 2 * Math.sin(frequency * t),
  })) as [{ q: number; u: number; a: number }, { q: number; u: number; a: number }];
  const [{ mass: m1, length: l1, com: c1, inertia: i1 }, { mass: m2, com: c2, inertia: i2 }] = LINKS;
  const coupling = i2 + m2 * (c2 ** 2 + l1 * c2 * Math.cos(q2));
  const own = i1 + i2 + m1 * c1 ** 2 + m2 * (l1 ** 2 + c2 ** 2 + 2 * l1 * c2 * Math.cos(q2));
  const centrifugal = m2 * l1 * c2 * Math.sin(q2);
  const weight2 = m2 * c2 * G * Math.cos(q1 + q2);
  return [
    own * a1 + coupling * a2 - centrifugal * (2 * u1 * u2 + u2 ** 2) + (m1 * c1 + m2 * l1) * G * Math.cos(q1) + weight2,
    coupling * a1 + (i2 + m2 * c2 ** 2) * a2 + centrifugal * u1 ** 2 + weight2,
  ];
}

function armTable(): ValidationTable {
  const model = createModel({
    name: "planar arm",
    gravity: [0, -G, 0],
    bodies: LINKS.map(({ mass, com, inertia }, i) => ({
      ...{ name: `link-${i + 1}`, mass, com: [com, 0, 0], inertia: [inertia, inertia, inertia] },
      ...(i > 0 && { parent: "link-1" }),
      hinge: { kind: "revolute", axis: "z", ...(i > 0 && { at: [LINKS[0].length, 0, 0] }) },
    })),
    loops: MOTIONS.map((motion, i) => ({ name: `drive-${i + 1}`, kind: "prescribed", hinge: `link-${i + 1}`, motion })),
  });
  const system = createSystem(model, []);
  const channels = ["effort.link-1", "effort.link-2"];
  const { state } = assemble(system, system.start());
  const { log } = simulate(system, state, { duration: 1.5, sample: 0.1, channels });
  return {
    title: "An arm with two links on a prescribed motion",
    origin: "closed form",
    rows: channels.map((channel, i) => ({
      ...{ quantity: `torque of joint ${i + 1} at ${TIMES.join(", ")} s`, unit: "N m", tolerance: 1e-9 },
      expected: TIMES.map((t) => textbookTorques(t)[i]!),
      ours: TIMES.map((t) => valuesAt(log, t, [channel])[0]!),
    })),
  };
}

/** The rover: mass of all and of its body, kg; radius of the wheels, wheel base, height of the body's mass centre over the rockers, m. */
const [MASS, BODY, RADIUS, BASE, HEIGHT] = [35, 20, 0.09, 0.6, 0.05];
const SLOPE = 15 * DEGREE;
const WHEELS = ["fl", "fr", "rl", "rr"] as const;

async function roverTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const channels = change("channels", ["effort.*", "ground-*", "motor-*"]);
  const hard = WHEELS.map((w) => change(`forces.ground-${w}`, { kind: "wheel-on-ground", wheel: `wheel-${w}`, radius: RADIUS }));
  const onHard = (await runScenario(load("rover-slope", [...hard, channels, change("plots", [])]))).run.log;
  const onSoil = (await runScenario(load("rover-slope", [channels, change("plots", [])]))).run.log;
  const end = (name: string): number => onHard.column(name).at(-1)!;
  // The rear wheels are pressed deeper, which pitches the rover up.
  const pitch = Math.asin((end("ground-rl.sinkage") - end("ground-fl.sinkage")) / BASE);
  const times = [0.2, 1, 2, 10, 30];
  const onSoilAt = (names: readonly string[]): number[] => times.flatMap((t) => valuesAt(onSoil, t, names));
  return {
    title: "Rover, 15 degrees up",
    origin: "closed form",
    rows: [
      {
        ...{ quantity: "sum of the wheel torques on hard ground: m g r sin α", unit: "N m", tolerance: 1e-6 },
        expected: [MASS * G * RADIUS * Math.sin(SLOPE)],
        ours: [WHEELS.reduce((sum, w) => sum + end(`effort.wheel-${w}`), 0)],
      },
      {
        ...{ quantity: "torques of the rockers: half of the body's weight moment each", unit: "N m", tolerance: 1e-6 },
        expected: ["l", "r"].map(() => -0.5 * BODY * G * HEIGHT * Math.sin(SLOPE + pitch)),
        ours: ["l", "r"].map((side) => end(`effort.rocker-${side}`)),
      },
      {
        ...{
          quantity: `wheel torques on soil at ${times.join(", ")} s, and the law of the servos`,
          unit: "N m",
          tolerance: 1e-9,
        },
        origin: "other method of Castor",
        expected: onSoilAt(WHEELS.map((w) => `motor-${w}.torque`)),
        ours: onSoilAt(WHEELS.map((w) => `effort.wheel-${w}`)),
      },
    ],
  };
}

export const jointTorques: Validation = {
  name: "joint-torques",
  title: "Joint torques by inverse dynamics, as channels of a run",
  source: "equations of motion of a planar arm, statics of a rover on a slope, torques of the motors",
  scenario: "rover-slope",
  tables: async (load) => [armTable(), await roverTable(load)],
};
