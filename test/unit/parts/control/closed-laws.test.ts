/** Laws by rates and by hinge references on robots that hold on to something, at random states on their loops, in seven ways of holding. */
import { describe, expect, it } from "vitest";
import { articulated } from "../../../../src/dynamics/articulated.ts";
import { coordinateNames, type Model } from "../../../../src/model/model.ts";
import { readController } from "../../../../src/parts/control/controllers.ts";
import { POSE_PARTS, readTasks } from "../../../../src/parts/control/tasks/read-tasks.ts";
import { taskStack } from "../../../../src/parts/control/tasks/task-stack.ts";
import type { Controller } from "../../../../src/sim/run/controller.ts";
import { gripRows, randomClosedRobot } from "../../../../src/validation/multi-arm/random-closed-robots.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

const snapshotOf = (model: Model, q: Float64Array, u: Float64Array, t = 0) => ({
  ...{ model, t, q, u, z: new Float64Array(0), frames: new Float64Array(0) },
});

/** Accelerations of the machine by the formulation that simulates it. */
function accelerations(model: Model, q: Float64Array, u: Float64Array, hinges: readonly string[], torques: ArrayLike<number>) {
  const tau = new Float64Array(model.nu);
  const names = coordinateNames(model).u;
  for (const [i, hinge] of hinges.entries()) tau[names.indexOf(hinge)] = torques[i]!;
  const udot = new Float64Array(model.nu);
  articulated.derive(model, { target: "interpret" }).accelerations(q, u, tau, new Float64Array(0), udot);
  return udot;
}

const squares = (x: ArrayLike<number>): number => Array.from(x).reduce((sum, v) => sum + v * v, 0);

describe.each(Array.from({ length: 7 }, (_, seed) => ({ seed, robot: randomClosedRobot(seed, seed % 2 === 1) })))(
  "$robot.title",
  ({ seed, robot }) => {
    const { model, q, u, hinges, rows } = robot;
    const first = model.bodies[0]!.hinge.u;
    const size = (udot: Float64Array): number => Math.max(1, ...udot.map(Math.abs));
    const commandsOf = (law: Controller, speeds: Float64Array, t = 0): Float64Array => {
      const command = new Float64Array(law.commands.length);
      law.update(snapshotOf(model, q, speeds, t), law.start(model, snapshotOf(model, q, speeds)), command);
      return command;
    };
    const expectClosed = (udot: Float64Array): void => {
      const { J, bias } = gripRows(robot);
      for (const [i, b] of bias.entries()) {
        let sum = b;
        for (let j = 0; j < model.nu; j++) sum += J[i * model.nu + j]! * udot[j]!;
        expect(Math.abs(sum)).toBeLessThan(1e-9 * size(udot));
      }
    };

    it("resolved-rate brings the speed of the task to reference speed + gain × error at its rate", () => {
      const task = {
        frame: "base",
        parts: POSE_PARTS.slice(0, rows),
        moves: [{ by: [0.1, 0.2, -0.1], turn: [0.2, 0, 0.1], duration: 2 }],
      };
      const [gain, rate] = [1.5, 12];
      const law = readController(
        "resolved-rate",
        "law",
        { motors: "m", base: "base", hinges, tasks: [task], gain, rate, singular: 1e-6 },
        model,
      );
      const rest = new Float64Array(model.nu);
      const stack = taskStack(
        model,
        readTasks([{ ...task, ...TASK_DEFAULTS } as never], () => undefined),
        { base: "base", columns: "speeds" },
      );
      const startPoses = stack.startPoses(q).slice();
      stack.evaluate(1, q, rest, startPoses);
      const wanted = Float64Array.from(stack.referenceVelocity, (v, i) => rate * (v + gain * stack.poseError[i]!));
      expect(Math.max(...wanted.map(Math.abs))).toBeGreaterThan(0.5);
      const udot = accelerations(model, q, rest, hinges, commandsOf(law, rest, 1));
      for (let i = 0; i < rows; i++) expect(Math.abs(udot[first + i]! - wanted[i]!)).toBeLessThan(1e-9 * size(udot));
      // In motion the loops stay closed, and other gains change the task's acceleration by rate × change × error only.
      const moving = accelerations(model, q, u, hinges, commandsOf(law, u, 1));
      expectClosed(moving);
      const other = readController(
        "resolved-rate",
        "law",
        { motors: "m", base: "base", hinges, tasks: [task], gain: 2 * gain, rate, singular: 1e-6 },
        model,
      );
      const faster = accelerations(model, q, u, hinges, commandsOf(other, u, 1));
      for (let i = 0; i < rows; i++) {
        const change = rate * gain * stack.poseError[i]!;
        expect(Math.abs(faster[first + i]! - moving[first + i]! - change)).toBeLessThan(1e-9 * size(faster));
      }
    });

    it.runIf(hinges.includes("wheel"))("resolved-rate brings held hinges to rest at its rate", () => {
      const tasks = [{ frame: "base", parts: POSE_PARTS.slice(0, rows) }];
      const common = { motors: "m", base: "base", hinges, tasks, rate: 7, held: ["wheel"], singular: 1e-6 };
      const law = readController("resolved-rate", "law", common, model);
      const udot = accelerations(model, q, u, hinges, commandsOf(law, u));
      const wheel = coordinateNames(model).u.indexOf("wheel");
      expect(Math.abs(udot[wheel]! + 7 * u[wheel]!)).toBeLessThan(1e-9 * size(udot));
    });

    it.runIf(hinges.includes("wheel"))(
      "singularity-robust does the task as resolved-acceleration does, and stays finite without it",
      () => {
        const tasks = [{ frame: "base", parts: POSE_PARTS.slice(0, rows), kd: 2 }];
        const common = { motors: "m", base: "base", hinges, tasks };
        const law = readController("singularity-robust", "law", { ...common, near: 1e-6, damping: 1e-6, settling: 3 }, model);
        const udot = accelerations(model, q, u, hinges, commandsOf(law, u));
        expectClosed(udot);
        for (let i = 0; i < rows; i++) expect(Math.abs(udot[first + i]! + 2 * u[first + i]!)).toBeLessThan(1e-8 * size(udot));
        // All six parts of the base are more than some of the closed robots can do.
        const all = [{ frame: "base", parts: POSE_PARTS, kd: 2 }];
        const damped = readController("singularity-robust", "law", { ...common, tasks: all }, model);
        const reached = accelerations(model, q, u, hinges, commandsOf(damped, u));
        expectClosed(reached);
        expect(Math.max(...reached.map(Math.abs))).toBeLessThan(1e3);
      },
    );

    it("computed-torque gives accelerations that the loops permit exactly, with the least torques", () => {
      const next = uniform(seed ^ 0x70f9);
      const names = coordinateNames(model).u;
      const torques = hinges.map(() => 20 * (next() - 0.5));
      const demanded = accelerations(model, q, u, hinges, torques);
      const [kp, kd] = [30, 4];
      const driven = hinges.map((hinge) => {
        const j = names.indexOf(hinge);
        return {
          hinge,
          actuator: `motor-${hinge}`,
          kp,
          kd,
          reference: q[model.bodies.find((b) => b.hinge.name === hinge)!.hinge.q]! + (demanded[j]! + kd * u[j]!) / kp,
        };
      });
      const law = readController("computed-torque", "law", { hinges: driven }, model);
      const command = commandsOf(law, u);
      const udot = accelerations(model, q, u, hinges, command);
      for (const [j, a] of demanded.entries()) expect(Math.abs(udot[j]! - a), names[j]!).toBeLessThan(1e-9 * size(demanded));
      expect(squares(command)).toBeLessThanOrEqual(squares(torques) * (1 + 1e-9));
      // Other demands are met as nearly as the loops permit.
      const impossible = readController(
        "computed-torque",
        "law",
        { hinges: driven.map((d) => ({ ...d, reference: d.reference + next() - 0.5 })) },
        model,
      );
      expectClosed(accelerations(model, q, u, hinges, commandsOf(impossible, u)));
    });
  },
);

const TASK_DEFAULTS = { relativeTo: undefined, priority: 1, kp: 0, kd: 0, repeat: 1, meet: undefined, meetAt: [0, 0, 0] };
