/** Translation of the base by thrusters: thrusts against optimality conditions, and the path in closed form. */
import { frameKinematics } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { leastTorque } from "../../parts/control/tasks/least-torque.ts";
import { POSE_PARTS } from "../../parts/control/tasks/read-tasks.ts";
import { runScenario } from "../../scenario/run.ts";
import { largestOf } from "../samples.ts";
import type { Validation, ValidationRow, ValidationTable } from "../validation.ts";
import { denseTorqueOptimum } from "./dense-torque-optimum.ts";
import { randomClosedRobot } from "./random-closed-robots.ts";

const ROBOTS = 20;
const [KD, LIMIT, WEIGHT] = [0.5, 25, 5];
const DIRECTIONS = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const;

/**
 * Commands of a random robot with six thrusters at the origin of its base, whose base stops in six rows. Returns the difference from the dense
 * optimum with the same thrusts at their limits, relative; and the largest slope of the wrong sign at a limit, relative to the largest one.
 */
export function thrustErrors(seed: number): { readonly difference: number; readonly slope: number; readonly atLimits: number } {
  const robot = randomClosedRobot(seed, true, "free");
  const { model, q, u, hinges, weights, rows } = robot;
  const { nu } = model;
  const parts = POSE_PARTS.slice(0, rows);
  const thrusters = DIRECTIONS.map((direction, i) => ({
    ...{ thruster: `jet${i}`, frame: "base", direction, limit: LIMIT, weight: WEIGHT },
  }));
  const tasks = [{ frame: "base", parts, kd: KD }];
  const law = leastTorque.create("law", { base: "base", motors: "m", hinges, weights, singular: 1e-6, tasks, thrusters }, model);
  const s = { model, t: 0, q, u, z: new Float64Array(0), frames: new Float64Array(0) };
  const command = new Float64Array(law.commands.length);
  law.update(s, law.start(model, s), command);
  const { jacobian, bias, pose } = compile(frameKinematics(model, ["base"])).evaluateAt({ q, u });
  const wanted = parts.map((_, i) => {
    let velocity = 0;
    for (let j = 0; j < nu; j++) velocity += jacobian[i * nu + j]! * u[j]!;
    return -KD * velocity - bias[i]!;
  });
  const thrusts = DIRECTIONS.map((direction, i) => {
    const axis = [0, 1, 2].map((r) => direction.reduce<number>((sum, d, c) => sum + pose[3 * r + c]! * d, 0));
    const value = command[hinges.length + i]!;
    return {
      force: Float64Array.from({ length: nu }, (_, j) => axis.reduce((sum, a, r) => sum + a * jacobian[(3 + r) * nu + j]!, 0)),
      weight: WEIGHT,
      ...((value <= 1e-9 || value >= LIMIT - 1e-9) && { given: value >= LIMIT - 1e-9 ? LIMIT : 0 }),
    };
  });
  const optimum = denseTorqueOptimum(robot, { A: jacobian, b: wanted }, thrusts);
  const expected = [...optimum.tau.map((tau, i) => tau / weights[i]!), ...optimum.thrusts.map((f) => f / WEIGHT)];
  const ours = [...command].map((value, i) => value / (i < hinges.length ? weights[i]! : WEIGHT));
  const largest = Math.max(...expected.map(Math.abs));
  const wrong = thrusts.map(({ given }, i) => (given === undefined ? 0 : given > 0 ? optimum.slopes[i]! : -optimum.slopes[i]!));
  return {
    difference: Math.max(...expected.map((value, i) => Math.abs(value - ours[i]!))) / largest,
    slope: Math.max(0, ...wrong) / largest,
    atLimits: thrusts.filter(({ given }) => given !== undefined).length,
  };
}

function optimumTable(): ValidationTable {
  const errors = Array.from({ length: ROBOTS }, (_, seed) => thrustErrors(seed));
  const row = (quantity: string, ours: number): ValidationRow => ({
    ...{ quantity, unit: "", expected: [0], ours: [ours], tolerance: 1e-10 },
  });
  return {
    title: `Torques and thrusts of ${ROBOTS} random robots with six thrusters`,
    origin: "other method of Castor",
    rows: [
      row("largest difference from the dense KKT system, relative", Math.max(...errors.map((e) => e.difference))),
      row("largest slope of the cost that would permit a better thrust, relative", Math.max(...errors.map((e) => e.slope))),
    ],
  };
}

/** Path of a quintic from rest to rest over 40 s. */
const quintic = (t: number): number => {
  const s = Math.min(1, t / 40);
  return s * s * s * (10 - 15 * s + 6 * s * s);
};

/** Commands are held for 20 ms: the base is up to a (0.02 s)²-like error off its path, a few micrometres for each mm/s². */
const HELD = 1e-4;

export const baseTranslation: Validation = {
  name: "base-translation",
  title: "Translation of the base by thrusters",
  source: "optimality conditions as one dense system; closed form of the path",
  scenario: "base-translation",
  async tables(load) {
    const { run, failure } = await runScenario(load("base-translation"));
    if (failure) throw failure;
    const { log } = run;
    const t = log.column("t");
    const off = (channel: string, size: number): number =>
      log.column(channel).reduce((most, x, i) => Math.max(most, Math.abs(x - size * quintic(t[i]!))), 0);
    const hand = log.column("frame.hand.x");
    const thrusts = log.channels.filter(({ name }) => name.endsWith(".thrust")).map(({ name }) => log.column(name));
    const row = (quantity: string, unit: string, ours: number, tolerance: number): ValidationRow => ({
      ...{ quantity, unit, expected: [0], ours: [ours], tolerance },
    });
    return [
      optimumTable(),
      {
        title: "The base moves by 0.8 and 0.4 m in 40 s, the hand stays, largest of all samples",
        origin: "closed form",
        rows: [
          row("distance of the base from its path along x", "m", off("q.base.x", 0.8), HELD),
          row("distance of the base from its path along y", "m", off("q.base.y", 0.4), HELD),
          row("distance of the base from its path along z", "m", off("q.base.z", 0), HELD),
          row(
            "motion of the hand along x",
            "m",
            hand.reduce((most, x) => Math.max(most, Math.abs(x - hand[0]!)), 0),
            HELD,
          ),
          row("attitude of the base", "rad", 2 * largestOf(log, ["q.base.qx", "q.base.qy", "q.base.qz"]), HELD),
          row("thrust below zero", "N", Math.max(...thrusts.map((column) => -Math.min(0, ...column))), 1e-12),
          row("thrust beyond 10 N", "N", Math.max(...thrusts.map((column) => Math.max(0, ...column.map((f) => f - 10)))), 1e-12),
        ],
      },
    ];
  },
};
