/** Resolved acceleration that stays finite where the generalised Jacobian is singular, and reports its deviation from the path. */
import { lazy } from "../../../kernel/run/lazy.ts";
import { totalRowCount } from "../../../model/loop.ts";
import { takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { checkBaseReach } from "../foothold/base-reach.ts";
import { ClosedCoordination } from "../foothold/closed-coordination.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, hingeIndices } from "./coordination.ts";
import { fullyDrivenRobot } from "./fully-driven-robot.ts";
import { readTasks, TASK } from "./read-tasks.ts";
import { type DampedInverse, dampedInverse } from "./singular/damped-inverse.ts";
import { taskScales } from "./singular/task-scales.ts";
import { TASK_ERROR_CHANNELS, taskErrors } from "./task-error-channels.ts";
import { taskStack } from "./task-stack.ts";

interface SingularityRobustMemory {
  /** Poses from which the references begin. */
  readonly start: Float64Array;
  /** Values of the channels. */
  readonly reported: Float64Array;
}

export const singularityRobust = controllerKind({
  name: "singularity-robust",
  about:
    "Hinge accelerations φ̈ = Σ σ/(σ² + λ²) v uᵀ (wanted - bias) over the singular values σ of the scaled generalised Jacobian, with " +
    "λ² = damping² (1 - (σ/near)²) below σ = near and λ = 0 above. Away from singular postures this is resolved-acceleration. Near them " +
    "it stays finite and deviates from the path in directions in which the hinges can hardly move. The channels `off-path` and " +
    "`off-attitude` are the deviations, `singular` is the smallest σ. Hinges that tasks leave free come to rest by `settling`. While a loop of " +
    "the robot is engaged, φ̈ is the same among the accelerations that keep the loops closed, with the least squared torques.",
  parameters: {
    period: COORDINATION_PARAMETERS.period,
    base: COORDINATION_PARAMETERS.base,
    motors: COORDINATION_PARAMETERS.motors,
    hinges: { type: "freedoms", about: "Hinges that have motors; all hinges of the robot need one." },
    tasks: { type: "list", of: TASK, about: "Tasks of frames of the robot, all of the same priority." },
    near: { type: "number", unit: "", above: 0, default: 0.05, about: "Singular value below which damping begins." },
    damping: { type: "number", unit: "", above: 0, default: 0.05, about: "Damping of a singular value of zero." },
    settling: {
      type: "number",
      unit: "1/s",
      least: 0,
      default: 0,
      about: "Rate at which motion that the tasks do not demand comes to rest.",
    },
  },
  examples: [
    {
      motors: "motors",
      hinges: ["shoulder", "elbow", "slider", "wrist"],
      tasks: [{ frame: "hand", parts: ["x", "z"], kp: 4, kd: 4, moves: [{ by: [0.1, 0, 0.05], duration: 2 }] }],
      settling: 1,
    },
  ],
  controller(
    name,
    { period, base, motors, hinges, tasks, near, damping, settling },
    note,
    model,
  ): Controller<SingularityRobustMemory> {
    const readTaskList = readTasks(tasks, note);
    const stack = taskStack(model, readTaskList, { base, outputs: ["Hstar", "Cstar"] });
    const { n, m } = stack;
    const { speeds } = stack.robot;
    if (stack.levels.length > 2) note("tasks", "must be of the same priority", "Use limited-tasks for priorities");
    const robot = fullyDrivenRobot(stack.robot, motors, hinges, note);
    const driven = hingeIndices(stack, hinges, "hinges", note);
    const closed = new ClosedCoordination(model, readTaskList, {
      ...{ name, base, driven, passive: [], held: [], thrusters: [], singular: SMALLEST_SINGULAR },
    });
    const closedErrors = taskErrors(closed.stack);
    const ones = new Float64Array(n).fill(1);
    const scales = lazy(() => taskScales(model, stack));
    const errors = taskErrors(stack);
    const inverse = dampedInverse(m, near, damping);
    const phidd = new Float64Array(n);
    // While loops are engaged, their internal loads are unknowns too.
    const most = n + totalRowCount([...model.loops, ...model.openLoops]);
    const [scaled, step] = [new Float64Array(m * most), new Float64Array(most)];
    const right = new Float64Array(m);

    const report = ({ smallest, largestDamping }: DampedInverse, reported: Float64Array): void => {
      reported[2] = smallest;
      reported[3] = largestDamping;
    };

    /** φ̈ of the free robot. */
    function solveOpen(s: Snapshot, start: Float64Array, reported: Float64Array): void {
      const { rows, columns } = scales(); // first, because it evaluates the tasks in other postures
      stack.evaluate(s.t, s.q, s.u, start);
      const { J } = stack;
      for (let j = 0; j < n; j++) phidd[j] = -settling * s.u[speeds[j]!]!;
      for (let i = 0; i < m; i++) {
        let sum = stack.referenceAcceleration[i]! - stack.bias[i]!;
        for (let j = 0; j < n; j++) {
          sum -= J[i * n + j]! * phidd[j]!;
          scaled[i * n + j] = rows[i]! * J[i * n + j]! * columns[j]!;
        }
        right[i] = sum;
      }
      report(inverse.solve(scaled, n, rows, right, step), reported);
      for (let j = 0; j < n; j++) phidd[j]! += columns[j]! * step[j]!;
    }

    /** φ̈ of the robot with its engaged loops, in the directions N that keep them closed. */
    function solveClosed(s: Snapshot, start: Float64Array, reported: Float64Array): void {
      for (let j = 0; j < n; j++) phidd[j] = settling * s.u[speeds[j]!]!;
      closed.begin(s, start, phidd);
      const { J, size, rowScales, solver, right: wanted } = closed.tasks;
      const { N, x, freedom } = solver;
      for (let i = 0; i < m; i++) {
        let sum = wanted[i]!;
        for (let j = 0; j < size; j++) sum -= J[i * size + j]! * x[j]!;
        right[i] = sum;
        for (let f = 0; f < freedom; f++) {
          let product = 0;
          for (let j = 0; j < size; j++) product += J[i * size + j]! * N[f * size + j]!;
          scaled[i * freedom + f] = rowScales[i]! * product;
        }
      }
      report(inverse.solve(scaled, freedom, rowScales, right, step), reported);
      for (let f = 0; f < freedom; f++) for (let j = 0; j < size; j++) x[j]! += N[f * size + j]! * step[f]!;
      closed.minimiseLoads(ones);
    }

    return {
      name,
      period,
      breaks: stack.breaks,
      commands: robot.commands,
      channels: CHANNELS,
      start: (_model, s) => {
        const start = stack.startPoses(s.q);
        if (!closed.isPossible) checkBaseReach(name, model, stack.robot, readTaskList, s, start);
        return { start, reported: new Float64Array(CHANNELS.length) };
      },
      update(s, memory, command) {
        const { start, reported } = memory;
        if (closed.isNeeded(s)) {
          solveClosed(s, start, reported);
          closed.writeCommands(command);
          closedErrors.report(reported);
          return memory;
        }
        solveOpen(s, start, reported);
        errors.report(reported);
        robot.torques(stack, phidd, command);
        return memory;
      },
      report: ({ reported }, out) => out.set(reported),
      decode(data) {
        const memory = { start: new Float64Array(stack.startSize), reported: new Float64Array(CHANNELS.length) };
        takeFiniteSaved(memory, data, name);
        return memory;
      },
    };
  },
});

/** The damping handles singular postures, so this law refuses none. */
const SMALLEST_SINGULAR = Number.MIN_VALUE;

const CHANNELS = [
  ...TASK_ERROR_CHANNELS,
  { name: "singular", unit: "", about: "smallest singular value of the scaled generalised Jacobian" },
  { name: "damping", unit: "", about: "largest damping of a singular value" },
];
