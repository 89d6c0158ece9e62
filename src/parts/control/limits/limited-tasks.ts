/** Tasks of a free-flying robot within limits of torque, speed, range, wheel momentum and clearance, by quadratic programs. */
import type { Controller } from "../../../sim/run/controller.ts";
import { checkBaseReach } from "../foothold/base-reach.ts";
import { LoopRefusal } from "../foothold/engaged-loops.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, hingeIndices } from "../tasks/coordination.ts";
import { readTasks } from "../tasks/read-tasks.ts";
import { TASK_ERROR_CHANNELS } from "../tasks/task-error-channels.ts";
import { taskStack } from "../tasks/task-stack.ts";
import { CLEARANCE_LIMIT, readClearances } from "./clearance-limits.ts";
import { HingeLimits } from "./hinge-limits.ts";
import { LimitedTasksLaw, type LimitedTasksMemory } from "./limited-tasks-law.ts";
import { HINGE_LIMIT, readHingeLimits } from "./read-hinge-limits.ts";

export const limitedTasks = controllerKind({
  name: "limited-tasks",
  about:
    "Hinge accelerations φ̈ that do the tasks with the smallest sum of squared torques within all limits. Each update solves the " +
    "quadratic program min Σ (τ/weight)², J* φ̈ + bias = wanted + slack, τ = H* φ̈ + C*, with limits of |τ|, and limits of speeds and " +
    "ranges as bounds of φ̈ over one period. Torques after which the robot could no longer stop within its torque limits are never " +
    "commanded. So limits are always kept if the robot can stop from its start. Where limits prevent tasks, tasks of higher priority " +
    "are done first, as nearly as possible; the channels `off-path` and `slack` are the remaining errors. Near singular postures the " +
    "limits keep the motion finite.",
  parameters: {
    period: {
      type: "number",
      unit: "s",
      least: 0,
      default: 0.001,
      about: "Time between updates; 0 is a continuous law, evaluated at every stage of the integrator.",
    },
    horizon: {
      type: "number",
      unit: "s",
      above: 0,
      optional: true,
      about:
        "Time within which a speed or a distance may reach its limit; the period if not given. A longer time makes the approach smoother. " +
        "Required for a continuous law.",
    },
    base: COORDINATION_PARAMETERS.base,
    motors: COORDINATION_PARAMETERS.motors,
    hinges: COORDINATION_PARAMETERS.hinges,
    tasks: COORDINATION_PARAMETERS.tasks,
    limits: { type: "list", of: HINGE_LIMIT, default: [], about: "Limits of hinges." },
    clearances: {
      type: "list",
      of: CLEARANCE_LIMIT,
      default: [],
      about:
        "Least distances between bodies of the robot. Torques after which the robot could not stop before two bodies come closer are never " +
        "commanded. A motion that cannot keep them ends, whatever `unkept` is; the message names the bodies.",
    },
    unkept: {
      type: "choice",
      of: ["report", "stop"],
      default: "report",
      about:
        "What to do if torques do not suffice to stop, at the start or after a push from outside, so that limits cannot be guaranteed. " +
        "`report`: continue and keep the limits as nearly as torques allow; the channel `reserve` is then negative. `stop`: end with an " +
        "error that names the hinge and the limit.",
    },
  },
  examples: [
    {
      period: 0.002,
      motors: "motors",
      hinges: ["shoulder", "elbow"],
      tasks: [{ frame: "hand", parts: ["x", "z"], kp: 4, kd: 4, moves: [{ by: [0.1, 0, 0.05], duration: 2 }] }],
      limits: [
        { hinge: ["shoulder", "elbow"], torque: 5, speed: [1, 2] },
        { hinge: "elbow", lower: -2, upper: 2, braking: 3 },
      ],
    },
    {
      period: 0.01,
      motors: "motors",
      hinges: ["shoulder", "elbow", "slider", "wrist"],
      tasks: [{ frame: "hand", parts: ["x", "z"], kp: 4, kd: 4, moves: [{ by: [-0.6, 0, 0.05], duration: 2 }] }],
      limits: [{ hinge: ["shoulder", "elbow", "slider", "wrist"], torque: 5 }],
      clearances: [
        {
          shapes: [{ kind: "sphere", on: "hand", radius: 0.05 }],
          against: [{ kind: "sphere", on: "hull", radius: 0.1 }],
          least: 0.02,
        },
      ],
    },
  ],
  controller(name, values, note, model): Controller<LimitedTasksMemory> {
    const { period, motors, hinges, unkept } = values;
    const tasks = readTasks(values.tasks, note);
    const stack = taskStack(model, tasks, { base: values.base, outputs: ["Hstar", "Cstar", "spin"] });
    const { robot } = stack;
    const refusal = new LoopRefusal(name, model, robot, tasks);
    refusal.noteEngaged(note);
    const horizon = values.horizon ?? period;
    if (horizon === 0) note("horizon", "is needed by a continuous law", "Give the time within which a speed may reach its limit");
    if (horizon < period)
      note("horizon", `is shorter than the period of ${period} s`, "A speed cannot be corrected within a period");
    const step = period > 0 ? period : horizon;
    const driven = hingeIndices(stack, hinges, "hinges", note);
    const limits = new HingeLimits(model, robot, readHingeLimits(model, robot, values.limits, note), { T: step, horizon });
    for (const [j, hinge] of robot.names.entries())
      if (limits.limitsMotionOf(j) && !driven.includes(j))
        note("limits", `${hinge} has no motor among hinges: nothing can keep its speed or range`, "Limit driven hinges only");
    const clearances = readClearances(model, robot, values.clearances, note);
    if (values.clearances.length > 0) {
      if (period === 0) note("clearances", "a continuous law cannot keep them", "Give a period");
      const idle = robot.names.filter((_, j) => !driven.includes(j));
      if (idle.length > 0)
        note(
          "clearances",
          `${idle.join(", ")} without a motor: nothing can stop all hinges`,
          "Give every hinge of the robot a motor",
        );
    }
    const law = new LimitedTasksLaw(model, stack, { name, period, step, driven, limits, clearances, horizon, unkept });
    return {
      name,
      period,
      breaks: stack.breaks,
      commands: hinges.map((f) => `${motors}.${f.speedName}`),
      channels: clearances.length > 0 ? [...CHANNELS, CLEARANCE_CHANNEL] : CHANNELS,
      start: (_model, s) => {
        const memory = law.start(s);
        checkBaseReach(name, model, robot, tasks, s, memory.start);
        return memory;
      },
      update(s, memory, command) {
        refusal.check(s);
        law.update(s, memory, command);
        return memory;
      },
      finished: (memory) => law.stopReason(memory),
      report: ({ reported }, out) => out.set(reported.subarray(0, out.length)),
      decode: (data) => law.decode(data),
    };
  },
});

const CHANNELS = [
  ...TASK_ERROR_CHANNELS,
  { name: "slack", unit: "m/s^2", about: "largest linear acceleration of a task that limits prevent" },
  { name: "turn-slack", unit: "rad/s^2", about: "largest angular acceleration of a task that limits prevent" },
  { name: "at-limits", unit: "", about: "number of torques and accelerations at a limit" },
  {
    name: "reserve",
    unit: "",
    about: "share of its limit that the weakest torque leaves while all hinges brake to rest from here",
  },
  { name: "weakest", unit: "", about: "the hinge with the weakest torque, by its number among those of the robot, from 1" },
  { name: "beyond", unit: "", about: "acceleration by which torques do not suffice to keep a speed or a range" },
];

const CLEARANCE_CHANNEL = { name: "clearance", unit: "m", about: "smallest distance of limited pairs less its least value" };
