/** Robots that hold on to something: the torque optimum against a dense system, and the momentum that passes through a foothold. */
import { frameKinematics } from "../../dynamics/programs.ts";
import { compile } from "../../kernel/run/kernel.ts";
import type { Log } from "../../log/log.ts";
import { leastTorque } from "../../parts/control/tasks/least-torque.ts";
import { POSE_PARTS } from "../../parts/control/tasks/read-tasks.ts";
import { runScenario } from "../../scenario/run.ts";
import { integralOf, largestLength } from "../samples.ts";
import { change, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";
import { denseTorqueOptimum } from "./dense-torque-optimum.ts";
import { type RandomClosedRobot, randomClosedRobot } from "./random-closed-robots.ts";

const ROBOTS = 50;
/** Gain of the velocity error of the tasks of random robots. */
const KD = 2;

/** Largest difference of a torque over its weight from the dense optimum, relative to the largest one. */
export function differenceFromOptimum(robot: RandomClosedRobot): number {
  const { model, q, u, hinges, weights, rows } = robot;
  const { nu } = model;
  const parts = POSE_PARTS.slice(0, rows);
  const tasks = [{ frame: "base", parts, kd: KD }];
  const law = leastTorque.create("law", { base: "base", motors: "m", hinges, weights, singular: 1e-6, tasks }, model);
  const s = { model, t: 0, q, u, z: new Float64Array(0), frames: new Float64Array(0) };
  const command = new Float64Array(law.commands.length);
  law.update(s, law.start(model, s), command);
  const { jacobian, bias } = compile(frameKinematics(model, ["base"])).evaluateAt({ q, u });
  const wanted = parts.map((_, i) => {
    let velocity = 0;
    for (let j = 0; j < nu; j++) velocity += jacobian[i * nu + j]! * u[j]!;
    return -KD * velocity - bias[i]!;
  });
  const { tau } = denseTorqueOptimum(robot, { A: jacobian, b: wanted });
  const inWeights = (torque: number, i: number): number => Math.abs(torque / weights[i]!);
  return Math.max(...tau.map((torque, i) => inWeights(torque - command[i]!, i))) / Math.max(...tau.map(inWeights));
}

function optimumTable(): ValidationTable {
  const differences = new Map<string, number[]>();
  for (let seed = 0; seed < ROBOTS; seed++) {
    const robot = randomClosedRobot(seed, seed % 2 === 0);
    differences.set(robot.title, [...(differences.get(robot.title) ?? []), differenceFromOptimum(robot)]);
  }
  return {
    title: `Torque optimum of ${ROBOTS} random robots, each second one with a passive wheel: largest difference from the dense KKT system, relative`,
    origin: "other method of Castor",
    rows: [...differences].map(([quantity, values]) => ({
      quantity: `${quantity}, ${values.length} robots`,
      unit: "",
      expected: [0],
      ours: [Math.max(...values)],
      tolerance: 1e-10,
    })),
  };
}

type ColumnTriple = readonly [Float64Array, Float64Array, Float64Array];

const vectorOf = (log: Log, prefix: string, parts = ["x", "y", "z"]): ColumnTriple =>
  parts.map((part) => log.column(`${prefix}${part}`)) as unknown as ColumnTriple;

/** a × b at each sample. */
const crossed = (a: ColumnTriple, b: ColumnTriple): ColumnTriple =>
  [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return a[j]!.map((value, s) => value * b[k]![s]! - a[k]![s]! * b[j]![s]!);
  }) as unknown as ColumnTriple;

const added = (a: ColumnTriple, b: ColumnTriple): ColumnTriple =>
  a.map((column, i) => column.map((value, s) => value + b[i]![s]!)) as unknown as ColumnTriple;

/** Angular momentum about the world origin of a body whose mass centre is the origin of its free hinge at `place`. */
function angularMomentum(
  log: Log,
  body: string,
  mass: number,
  inertia: readonly number[],
  place: readonly number[],
): ColumnTriple {
  const q = ["qw", "qx", "qy", "qz"].map((part) => log.column(`q.${body}.${part}`));
  const w = vectorOf(log, `u.${body}.w`);
  const spin = w.map((column) => column.map(() => 0)) as unknown as ColumnTriple;
  for (let s = 0; s < log.length; s++) {
    const [a, b, c, d] = q.map((column) => column[s]!) as [number, number, number, number];
    const R = [
      [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
      [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
      [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
    ];
    for (let k = 0; k < 3; k++) {
      const inBody = inertia[k]! * (R[0]![k]! * w[0][s]! + R[1]![k]! * w[1][s]! + R[2]![k]! * w[2][s]!);
      for (let i = 0; i < 3; i++) spin[i]![s]! += R[i]![k]! * inBody;
    }
  }
  const position = vectorOf(log, `q.${body}.`).map((column, i) => column.map((x) => x + place[i]!)) as unknown as ColumnTriple;
  const momentum = vectorOf(log, `u.${body}.v`).map((column) => column.map((v) => mass * v)) as unknown as ColumnTriple;
  return added(spin, crossed(position, momentum));
}

const STATION = { mass: 8000, inertia: [12000, 16000, 16000], place: [6, 0, -0.75] };

async function exchangeTable(load: Parameters<Validation["tables"]>[0]): Promise<ValidationTable> {
  const { run, failure } = await runScenario(
    load("multi-arm-foothold", [change("sample", 0.01), change("integrator.step", 0.005)]),
  );
  if (failure) throw failure;
  const { log, timeline } = run;
  const grip = timeline.find(({ name }) => name === "take-again")!.impulse!.loops.find(({ loop }) => loop === "foothold")!
    .wrench!;
  const at = log.column("t").findIndex((t) => t >= 21);
  const force = vectorOf(log, "loop.foothold.f");
  const handle = vectorOf(log, "frame.handle.");
  const torque = added(vectorOf(log, "loop.foothold.t"), crossed(handle, force)); // about the world origin
  const linear = vectorOf(log, "u.station.v").map((column) => column.map((v) => STATION.mass * v)) as unknown as ColumnTriple;
  const angular = angularMomentum(log, "station", STATION.mass, STATION.inertia, STATION.place);
  const arm = handle.map((column) => column[at]!);
  const impulse = grip.slice(3);
  const moment = [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return grip[i]! + arm[j]! * impulse[k]! - arm[k]! * impulse[j]!;
  });
  /** Momentum of the station at the end of each stretch with foothold less what has passed through it, over what has been exchanged. */
  const unaccounted = (momentum: ColumnTriple, rate: ColumnTriple, jump: readonly number[]): number[] =>
    momentum.map((column, i) => {
      const passed = integralOf(log, rate[i]!) + jump[i]!;
      const exchanged = integralOf(
        log,
        rate[i]!.map((x) => Math.abs(x)),
      );
      return (column.at(-1)! - column[0]! - passed) / exchanged;
    });
  const row = (quantity: string, ours: number[], tolerance = 1e-9): ValidationRow => ({
    ...{ quantity, ours, tolerance, unit: "" },
    expected: ours.map(() => 0),
  });
  return {
    title: "A robot that holds on to a station, lets go and takes hold again",
    origin: "conservation law",
    rows: [
      { ...row("linear momentum of robot and station, all samples", [largestLength(log, "momentum.linear")]), unit: "N s" },
      { ...row("angular momentum of robot and station, all samples", [largestLength(log, "momentum.angular")]), unit: "N m s" },
      row(
        "linear momentum of the station less the impulse of the foot, over what was exchanged",
        unaccounted(linear, force, impulse),
      ),
      row(
        "angular momentum of the station less the moment of the foot, over what was exchanged",
        unaccounted(angular, torque, moment),
      ),
    ],
  };
}

export const foothold: Validation = {
  name: "foothold",
  title: "Robots that hold on to something",
  source: "optimality conditions as one dense system; conservation laws",
  scenario: "multi-arm-foothold",
  tables: async (load) => [optimumTable(), await exchangeTable(load)],
};
