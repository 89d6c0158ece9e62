/** Resolved acceleration that stays finite where the generalised Jacobian is singular, and reports its deviation from the path. */
import { lazy } from "../../../kernel/run/lazy.ts";
import { allocateSymmetricEigen, symmetricEigen } from "../../../math/eigen/symmetric-eigen.ts";
import { takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { checkBaseReach } from "../foothold/base-reach.ts";
import { LoopRefusal } from "../foothold/engaged-loops.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS } from "./coordination.ts";
import { fullyDrivenRobot } from "./fully-driven-robot.ts";
import { readTasks, TASK } from "./read-tasks.ts";
import { TASK_ERROR_CHANNELS, taskErrors } from "./task-error-channels.ts";
import { type TaskScales, taskScales } from "./task-scales.ts";
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
    "`off-attitude` are the deviations, `singular` is the smallest σ. Hinges that tasks leave free come to rest by `settling`.",
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
    const refusal = new LoopRefusal(name, model, stack.robot, readTaskList);
    refusal.noteEngaged(note);
    const { n, m } = stack;
    const { speeds } = stack.robot;
    if (stack.levels.length > 2) note("tasks", "must be of the same priority", "Use limited-tasks for priorities");
    const robot = fullyDrivenRobot(stack.robot, motors, hinges, note);
    const scales = lazy(() => taskScales(model, stack));
    const errors = taskErrors(stack);
    const [scaled, gram, phidd] = [new Float64Array(m * n), new Float64Array(m * m), new Float64Array(n)];
    const right = new Float64Array(m);
    const workspace = allocateSymmetricEigen(m);

    /** φ̈ += J⁺ right with damped singular values; `right` belongs to the unscaled rows. Reports the smallest one and the largest damping. */
    function solve({ rows, columns }: TaskScales, reported: Float64Array): void {
      const { J } = stack;
      for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) scaled[i * n + j] = rows[i]! * J[i * n + j]! * columns[j]!;
      for (let a = 0; a < m; a++)
        for (let b = 0; b <= a; b++) {
          let sum = 0;
          for (let j = 0; j < n; j++) sum += scaled[a * n + j]! * scaled[b * n + j]!;
          gram[a * m + b] = sum;
          gram[b * m + a] = sum;
        }
      const { values, vectors } = symmetricEigen(gram, m, workspace);
      let smallest = Number.POSITIVE_INFINITY;
      let largestDamping = 0;
      for (let k = 0; k < m; k++) {
        const square = Math.max(0, values[k]!);
        smallest = Math.min(smallest, square);
        const relativeDamping = Math.max(0, 1 - square / (near * near));
        largestDamping = Math.max(largestDamping, damping * Math.sqrt(relativeDamping));
        let component = 0;
        for (let i = 0; i < m; i++) component += vectors[i * m + k]! * rows[i]! * right[i]!;
        component /= square + damping * damping * relativeDamping;
        for (let i = 0; i < m; i++) {
          const share = vectors[i * m + k]! * component;
          for (let j = 0; j < n; j++) phidd[j]! += columns[j]! * scaled[i * n + j]! * share;
        }
      }
      reported[2] = Math.sqrt(smallest);
      reported[3] = largestDamping;
    }

    return {
      name,
      period,
      breaks: stack.breaks,
      commands: robot.commands,
      channels: CHANNELS,
      start: (_model, s) => {
        const start = stack.startPoses(s.q);
        checkBaseReach(name, model, stack.robot, readTaskList, s, start);
        return { start, reported: new Float64Array(CHANNELS.length) };
      },
      update(s, memory, command) {
        refusal.check(s);
        const { start, reported } = memory;
        const scalesOfRobot = scales(); // first, because it evaluates the tasks in other postures
        stack.evaluate(s.t, s.q, s.u, start);
        const { J } = stack;
        for (let j = 0; j < n; j++) phidd[j] = -settling * s.u[speeds[j]!]!;
        for (let i = 0; i < m; i++) {
          let sum = stack.referenceAcceleration[i]! - stack.bias[i]!;
          for (let j = 0; j < n; j++) sum -= J[i * n + j]! * phidd[j]!;
          right[i] = sum;
        }
        solve(scalesOfRobot, reported);
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

const CHANNELS = [
  ...TASK_ERROR_CHANNELS,
  { name: "singular", unit: "", about: "smallest singular value of the scaled generalised Jacobian" },
  { name: "damping", unit: "", about: "largest damping of a singular value" },
];
