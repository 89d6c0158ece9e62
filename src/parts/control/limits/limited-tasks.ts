/** Tasks of a free-flying robot within limits of torque, speed, range and wheel momentum, by quadratic programs. */
import { ModelError } from "../../../errors.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { controllerKind } from "../kind.ts";
import { COORDINATION_PARAMETERS, hingeIndices } from "../tasks/coordination.ts";
import { readTasks } from "../tasks/read-tasks.ts";
import { TASK_ERROR_CHANNELS, taskErrors } from "../tasks/task-error-channels.ts";
import { taskScales } from "../tasks/task-scales.ts";
import { taskStack } from "../tasks/task-stack.ts";
import { type BrakingGuard, type BrakingState, brakingGuard } from "./braking-guard.ts";
import { type BrakingPlanner, brakingPlanner } from "./braking-plan.ts";
import { HINGE_LIMIT, hingeLimits } from "./hinge-limits.ts";
import { type LimitedTaskSolver, limitedTaskSolver } from "./limited-task-solver.ts";
import { finalDrift, type HeldTorquePredictor, heldTorquePredictor, type SpeedDrift, zeroDrift } from "./predict-held-torque.ts";

interface LimitedTasksMemory {
  /** Where tasks started from. */
  readonly start: Float64Array;
  /** How speeds drifted in the last step: a first guess for the next. */
  readonly drift: SpeedDrift;
  /** Which limits were reached: a first guess too. */
  readonly solver: LimitedTaskSolver;
  readonly held: HeldTorquePredictor | undefined;
  readonly guard: BrakingGuard | undefined;
  readonly moving: BrakingState & { readonly u: Float64Array };
  /** Accelerations over a step that are wanted, and that are made. */
  readonly wanted: Float64Array;
  readonly means: Float64Array;
  readonly make: (means: Float64Array) => boolean;
}

/** Times that speeds are foreseen and bounds set anew, until they hold to this. */
const MOST_PREDICTIONS = 6;
const BOUND_TOLERANCE = 1e-10;
const UNKEPT_ADVICE = "Start slower or further inside, widen limits, or let it go on with `unkept: report`";
/** A reserve of the guard above this is in no danger. */
const SAFE_RESERVE = 0.3;

export const limitedTasks = controllerKind({
  name: "limited-tasks",
  about:
    "Hinge accelerations φ̈ that do the tasks with the smallest sum of squared torques while no limit is broken: at every update the " +
    "quadratic program min Σ (τ/weight)², J* φ̈ + bias = wanted + slack, τ = H* φ̈ + C*, with |τ| limited, and speeds and ranges limited " +
    "by what φ̈ does within one period. Torques that lead where no stop within torques is left are not given, so that limits are kept for " +
    "ever from any start from which the robot can stop. Where limits do not let tasks be done, those of higher priority are done as " +
    "nearly as possible first, and the channels `off-path` and `slack` tell how far they are missed. No law to follow near singular " +
    "postures: limits keep it finite there.",
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
      about: "Time within which a speed may reach its limit; the period if not given. A continuous law needs it.",
    },
    base: COORDINATION_PARAMETERS.base,
    motors: COORDINATION_PARAMETERS.motors,
    hinges: COORDINATION_PARAMETERS.hinges,
    tasks: COORDINATION_PARAMETERS.tasks,
    limits: { type: "list", of: HINGE_LIMIT, default: [], about: "Limits of hinges." },
    unkept: {
      type: "choice",
      of: ["report", "stop"],
      default: "report",
      about:
        "What to do where torques do not suffice to stop, at the start or after a push from outside, so that limits cannot be promised: " +
        "go on and keep them as nearly as torques allow, `reserve` being negative, or stop with an error that names hinge and limit.",
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
  ],
  controller(
    name,
    { period, horizon, base, motors, hinges, tasks, limits, unkept },
    note,
    model,
  ): Controller<LimitedTasksMemory> {
    const stack = taskStack(model, readTasks(tasks, note), { base, outputs: ["Hstar", "Cstar", "spin"] });
    const { n, m, robot } = stack;
    const soon = horizon ?? period;
    if (soon === 0) note("horizon", "is needed by a continuous law", "Give the time within which a speed may reach its limit");
    if (soon < period)
      note("horizon", `is shorter than the period of ${period} s`, "Within a period a speed cannot be corrected");
    const step = period > 0 ? period : soon;
    const driven = hingeIndices(stack, hinges, "hinges", note);
    const limit = hingeLimits(model, robot, limits, { T: step, horizon: soon }, note);
    for (const [j, hinge] of robot.names.entries())
      if (limit.limitsMotionOf(j) && !driven.includes(j))
        note("limits", `${hinge} has no motor among hinges: nothing can keep its speed or range`, "Limit driven hinges");
    const misses = taskErrors(stack);
    let held: HeldTorquePredictor | undefined;
    let stop: BrakingPlanner | undefined;
    let scales: Float64Array | undefined;
    const prepare = (): LimitedTaskSolver => {
      scales ??= taskScales(model, stack).rows;
      const solver = limitedTaskSolver(n, stack.levels, scales, limit.weight);
      for (let j = 0; j < n; j++) {
        const most = driven.includes(j) ? limit.torque[j]! : 0;
        solver.torqueLower[j] = -most;
        solver.torqueUpper[j] = most;
      }
      if (period > 0 && limit.limitsMotion) held ??= heldTorquePredictor(model, robot);
      return solver;
    };
    /** Torques with which speeds change by given means over a step; these as they are in the end; whether all limits are kept. */
    const make = ({ solver, moving, drift, wanted, held }: LimitedTasksMemory, means: Float64Array): boolean => {
      wanted.set(means);
      drift.values.fill(0); // that of other torques: it would lead to torques beyond their limits, which have a drift of their own
      for (let k = 0; k < MOST_PREDICTIONS; k++) {
        for (let j = 0; j < n; j++) solver.phidd[j] = wanted[j]! - finalDrift(drift, j, n) / period;
        solver.imposeAccelerations();
        held!.predictDrift(moving.q, moving.u, solver.tau, solver.phidd, period, drift);
        limit.writeBounds(moving.q, moving.u, drift, solver.lower, solver.upper);
        if (k === 0 || !solver.keepsBounds(BOUND_TOLERANCE / period)) continue;
        for (let j = 0; j < n; j++) means[j] = solver.phidd[j]! + finalDrift(drift, j, n) / period;
        return true;
      }
      return false;
    };
    const readMotion = (s: Snapshot, { moving: { q, u, rates, turn } }: LimitedTasksMemory): void => {
      q.set(s.q);
      u.set(s.u);
      for (let j = 0; j < n; j++) rates[j] = u[robot.speeds[j]!]!;
      for (let i = 0; i < 3; i++) turn[i] = u[robot.base.hinge.u + i]!;
    };
    const weakness = ({ weakestHinge: weakest, neededTorque: needed }: BrakingGuard): string =>
      Number.isNaN(needed)
        ? `${robot.names[weakest]} would turn more often before all hinges rest than is foreseen`
        : `to bring all hinges to rest, ${robot.names[weakest]} needs ${Number(needed.toPrecision(4))}, its torque is limited to ` +
          `${limit.torque[weakest]}`;
    /** Whether a step must be foreseen for the sake of a stop. */
    const isNear = (guard: BrakingGuard | undefined): boolean => guard !== undefined && guard.reserve < SAFE_RESERVE;

    return {
      name,
      period,
      breaks: stack.breaks,
      commands: hinges.map((f) => `${motors}.${f.speedName}`),
      channels: [
        ...TASK_ERROR_CHANNELS,
        { name: "slack", unit: "m/s^2", about: "largest linear acceleration that limits keep from a task" },
        { name: "turn-slack", unit: "rad/s^2", about: "largest angular acceleration that limits keep from a task" },
        { name: "at-limits", unit: "", about: "torques and accelerations at a limit" },
        {
          name: "reserve",
          unit: "",
          about: "part of its limit that the weakest torque leaves while all hinges are brought to rest from here",
        },
        { name: "weakest", unit: "", about: "the hinge with that torque, by its number among those of the robot, from 1" },
        { name: "beyond", unit: "", about: "acceleration by which torques do not suffice to keep a speed or a range" },
      ],
      start(_model, s) {
        const solver = prepare();
        const start = stack.startPoses(s.q);
        stack.evaluate(s.t, s.q, s.u, start);
        const [q, u, rates, turn] = [s.q.slice(), s.u.slice(), new Float64Array(n), new Float64Array(3)];
        const moving = { q, u, rates, turn, spin: stack.values.spin };
        if (limit.limitsMotion && driven.length === n && limit.torque.some(Number.isFinite))
          stop ??= brakingPlanner(model, robot, limit, step);
        const guard = stop && brakingGuard(model, robot, stop, step);
        const [wanted, means] = [new Float64Array(n), new Float64Array(n)];
        const memory: LimitedTasksMemory = {
          solver,
          held,
          guard,
          moving,
          start,
          drift: zeroDrift(n),
          wanted,
          means,
          make: (a) => make(memory, a),
        };
        readMotion(s, memory);
        const problems = limit.violations(q, rates);
        if (guard && problems.length === 0 && !guard.begin(moving)) problems.push(weakness(guard));
        if (unkept === "stop" && problems.length > 0)
          throw new ModelError(
            name,
            problems.map((message) => ({ path: "limits", message, advice: UNKEPT_ADVICE })),
          );
        return memory;
      },
      update(s, memory, command) {
        const { drift, solver, held, guard, means } = memory;
        stack.evaluate(s.t, s.q, s.u, memory.start);
        solver.J.set(stack.J);
        solver.H.set(stack.values.Hstar);
        solver.C.set(stack.values.Cstar);
        for (let r = 0; r < m; r++) solver.b[r] = stack.referenceAcceleration[r]! - stack.bias[r]!;
        limit.writeBounds(s.q, s.u, drift, solver.lower, solver.upper);
        solver.solve();
        let isSettled = !held || !(solver.isNearBound || isNear(guard));
        for (let k = 0; k < MOST_PREDICTIONS && held && !isSettled; k++) {
          held.predictDrift(s.q, s.u, solver.tau, solver.phidd, period, drift);
          limit.writeBounds(s.q, s.u, drift, solver.lower, solver.upper);
          isSettled = solver.boundViolation > 0 || solver.keepsBounds(BOUND_TOLERANCE / period);
          if (!isSettled) solver.solve();
        }
        if (guard && period === 0) {
          readMotion(s, memory);
          if (guard.blendTowardBraking(memory.moving, solver.phidd, solver.boundViolation === 0)) solver.imposeAccelerations();
        } else if (guard) {
          readMotion(s, memory);
          for (let j = 0; j < n; j++) means[j] = solver.phidd[j]! + finalDrift(drift, j, n) / period;
          if (!guard.limitAccelerations(memory.moving, means, isSettled && solver.boundViolation === 0, memory.make))
            solver.solve();
        }
        for (let i = 0; i < driven.length; i++) command[i] = solver.tau[driven[i]!]!;
        return memory;
      },
      finished: ({ guard }) => (unkept === "stop" && guard && guard.reserve <= 0 ? `${name}: ${weakness(guard)}` : undefined),
      report({ solver, guard }, out) {
        misses.report(out);
        out[2] = misses.largest(solver.slack, "way");
        out[3] = misses.largest(solver.slack, "turn");
        out[4] = solver.activeLimits;
        out[5] = guard?.reserve ?? (driven.length === n ? 1 : 0);
        out[6] = guard ? guard.weakestHinge + 1 : 0;
        out[7] = solver.boundViolation;
      },
    };
  },
});
