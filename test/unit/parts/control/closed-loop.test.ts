/** Closed-loop control of free-flying robots: with momentum, sampled and continuous, and at singular postures. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseModel } from "../../../../src/formats/model-file.ts";
import { coordinateNames, homeOf } from "../../../../src/model/model.ts";
import { readController } from "../../../../src/parts/control/controllers.ts";
import { movesReference } from "../../../../src/parts/control/tasks/reference.ts";
import { taskStack } from "../../../../src/parts/control/tasks/task-stack.ts";
import { motors } from "../../../../src/parts/force/drives/motors.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../../src/sim/integrators/index.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";

const robot = parseModel(
  readFileSync(new URL("../../../../scenarios/multi-arm-stabilized/model.yaml", import.meta.url), "utf8"),
  "robot",
);
const hinges = robot.bodies.filter((b) => b.name !== "base").map((b) => b.hinge.name);
const names = coordinateNames(robot);
const q = homeOf(robot);
for (const [name, degrees] of Object.entries({ "shoulder-yaw": 45, "shoulder-pitch": 105, elbow: -135 }))
  q[names.q.indexOf(name)] = (degrees * Math.PI) / 180;
/** The base turns and drifts, so that momentum is not zero. */
const u = new Float64Array(robot.nu);
u.set([0.002, -0.003, 0.004, 0.01, -0.02, 0.005]);

const tasks = [
  { frame: "hand", kp: 1, kd: 2, moves: [{ by: [-0.4, 0.2, 0], turn: [0, 0, 0.2], duration: 8 }] },
  { frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 },
];

/** Errors of all tasks at the end of a run. */
function errorsAfter(kind: string, more: object, duration: number): number {
  const system = createSystem(robot, [motors.create("motors", { hinge: hinges }, robot)]);
  const controllers = [readController(kind, "law", { motors: "motors", hinges, tasks, ...more }, robot)];
  const settings = { relativeTolerance: 1e-8, absoluteTolerance: 1e-9 };
  const { y } = simulate(system, system.start({ q, u }), { duration, integrator: INTEGRATORS.dopri5, settings, controllers });
  const stack = taskStack(
    robot,
    tasks.map((t) => ({
      ...{ frame: t.frame, parts: (t.parts ?? ["rx", "ry", "rz", "x", "y", "z"]) as never, priority: 1, kp: 0, kd: 0 },
      reference: movesReference((t.moves ?? []).map((m) => ({ rise: undefined, wait: 0, ...m })) as never),
    })),
  );
  stack.evaluate(duration, y.slice(0, robot.nq), y.slice(robot.nq, robot.nq + robot.nu), stack.startPoses(q));
  return Math.max(...stack.poseError.map(Math.abs), ...stack.velocityError.map(Math.abs));
}

it.each([
  ["least-torque", {}],
  ["resolved-acceleration", {}],
  ["least-torque", { damping: 0.5, still: ["wheel-roll", "wheel-pitch", "wheel-yaw"] }],
] as const)("%s %j follows its tasks and brings the base to rest, though momentum is not zero", (kind, more) => {
  const start = errorsAfter(kind, more, 0.01);
  expect(start).toBeGreaterThan(0.01);
  expect(errorsAfter(kind, more, 12)).toBeLessThan(1e-3); // e^-12 (1 + 12) of the initial error
});

it("a sampled law lags by its period, and the tasks are done", () => {
  expect(errorsAfter("least-torque", { period: 0.02 }, 12)).toBeLessThan(2e-3);
});

it("resolved rate follows its references", () => {
  const plain = tasks.map(({ kp: _kp, kd: _kd, ...t }) => t);
  expect(errorsAfter("resolved-rate", { tasks: plain, gain: 2, rate: 20 }, 12)).toBeLessThan(1e-3);
});
