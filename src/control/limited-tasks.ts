/** Tasks of a free-flying robot within limits of torque, speed, range and wheel momentum, by quadratic programs. */
import type { Controller } from "../sim/controller.ts";
import type { Snapshot } from "../sim/force-element.ts";
import { amongHinges, COORDINATED } from "./coordination.ts";
import { type Drift, endOf, type HeldStep, heldStep, noDrift } from "./held-step.ts";
import { hingeLimits, LIMIT } from "./hinge-limits.ts";
import { controllerKind } from "./kind.ts";
import { type LimitedLevels, limitedLevels } from "./limited-levels.ts";
import { missesOf, OFF_PATH } from "./off-path.ts";
import { type Stop, stopOf } from "./stop.ts";
import { type Moving, type StopGuard, stopGuard } from "./stop-guard.ts";
import { taskScales } from "./task-scales.ts";
import { readTasks, taskStack } from "./tasks.ts";

interface Memory {
  /** Where tasks started from. */
  readonly start: Float64Array;
  /** How speeds drifted in the last step: a first guess for the next. */
  readonly drift: Drift;
  /** Which limits were reached: a first guess too. */
  readonly solver: LimitedLevels;
  readonly held: HeldStep | undefined;
  readonly guard: StopGuard | undefined;
  readonly moving: Moving & { readonly u: Float64Array };
  /** Accelerations over a step that are wanted, and that are made. */
  readonly wanted: Float64Array;
  readonly means: Float64Array;
  readonly make: (means: Float64Array) => boolean;
}

/** Times that speeds are foreseen and bounds set anew, until they hold to this. */
const FORESEEN = 6;
const HOLDS = 1e-10;
/** A reserve of the guard above this is in no danger. */
const FAR = 0.3;

export const limitedTasks = controllerKind({
  name: "limited-tasks",
  about:
    "Hinge accelerations φ̈ that do the tasks with the smallest sum of squared torques while no limit is broken: at every update the " +
    "quadratic program min Σ (τ/weight)², J* φ̈ + bias = wanted + slack, τ = H* φ̈ + C*, with |τ| limited, and speeds and ranges limited " +
    "by what φ̈ does within one period. Where limits do not let tasks be done, those of higher priority are done as nearly as possible " +
    "first, and the channels `off-path` and `slack` tell how far they are missed. No law to follow near singular postures: limits " +
    "keep it finite there.",
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
    base: COORDINATED.base,
    motors: COORDINATED.motors,
    hinges: COORDINATED.hinges,
    tasks: COORDINATED.tasks,
    limits: { type: "list", of: LIMIT, default: [], about: "Limits of hinges." },
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
  controller(name, { period, horizon, base, motors, hinges, tasks, limits }, note, model): Controller<Memory> {
    const stack = taskStack(model, readTasks(tasks, note), { base, outputs: ["Hstar", "Cstar", "spin"] });
    const { n, m, robot } = stack;
    const step = horizon ?? period;
    if (step === 0) note("horizon", "is needed by a continuous law", "Give the time within which a speed may reach its limit");
    const driven = amongHinges(stack, hinges, "hinges", note);
    const limit = hingeLimits(model, robot, limits, step, note);
    const misses = missesOf(stack);
    let held: HeldStep | undefined;
    let stop: Stop | undefined;
    let scales: Float64Array | undefined;
    const prepare = (): LimitedLevels => {
      scales ??= taskScales(model, stack).rows;
      const solver = limitedLevels(n, stack.levels, scales, limit.weight);
      for (let j = 0; j < n; j++) {
        const most = driven.includes(j) ? limit.torque[j]! : 0;
        solver.torqueLower[j] = -most;
        solver.torqueUpper[j] = most;
      }
      if (period > 0 && limit.moving) held ??= heldStep(model, robot);
      return solver;
    };
    /** Torques with which speeds change by given means over a step; these as they are in the end; whether all limits are kept. */
    const make = ({ solver, moving, drift, wanted, held }: Memory, means: Float64Array): boolean => {
      wanted.set(means);
      drift.values.fill(0); // that of other torques: it would lead to torques beyond their limits, which have a drift of their own
      for (let k = 0; k < FORESEEN; k++) {
        for (let j = 0; j < n; j++) solver.x[j] = wanted[j]! - endOf(drift, j, n) / period;
        solver.impose();
        held!.drift(moving.q, moving.u, solver.tau, solver.x, period, drift);
        limit.bounds(moving.q, moving.u, drift, solver.lower, solver.upper);
        if (k === 0 || !solver.keeps(HOLDS / period)) continue;
        for (let j = 0; j < n; j++) means[j] = solver.x[j]! + endOf(drift, j, n) / period;
        return true;
      }
      return false;
    };
    const readMotion = (s: Snapshot, { moving: { q, u, rates, turn } }: Memory): void => {
      q.set(s.q);
      u.set(s.u);
      for (let j = 0; j < n; j++) rates[j] = u[robot.speeds[j]!]!;
      for (let i = 0; i < 3; i++) turn[i] = u[robot.base.hinge.u + i]!;
    };
    /** Whether a stop is so far that a step need not be foreseen for its sake. */
    const isFar = (guard: StopGuard | undefined): boolean => guard === undefined || guard.reserve > FAR;

    return {
      name,
      period,
      breaks: stack.breaks,
      commands: hinges.map((f) => `${motors}.${f.speedName}`),
      channels: [
        ...OFF_PATH,
        { name: "slack", unit: "m/s^2", about: "largest linear acceleration that limits keep from a task" },
        { name: "turn-slack", unit: "rad/s^2", about: "largest angular acceleration that limits keep from a task" },
        { name: "at-limits", unit: "", about: "torques and accelerations at a limit" },
        {
          name: "reserve",
          unit: "",
          about: "part of the weakest torque that is left while all hinges are brought to rest from here",
        },
        { name: "beyond", unit: "", about: "acceleration by which torques do not suffice to keep a speed or a range" },
      ],
      start(_model, s) {
        const solver = prepare();
        const start = stack.start(s.q);
        stack.evaluate(s.t, s.q, s.u, start);
        const [q, u, rates, turn] = [s.q.slice(), s.u.slice(), new Float64Array(n), new Float64Array(3)];
        const moving = { q, u, rates, turn, spin: stack.flyer.values.spin };
        const guarded = period > 0 && limit.moving && driven.length === n && limit.torque.some(Number.isFinite);
        if (guarded) stop ??= stopOf(model, robot, limit, period);
        const guard = stop && stopGuard(model, robot, stop, period);
        const [wanted, means] = [new Float64Array(n), new Float64Array(n)];
        const memory: Memory = {
          solver,
          held,
          guard,
          moving,
          start,
          drift: noDrift(n),
          wanted,
          means,
          make: (a) => make(memory, a),
        };
        readMotion(s, memory);
        if (guard && !limit.broken(q, rates)) guard.begin(moving);
        return memory;
      },
      update(s, memory, command) {
        const { drift, solver, held, guard, means } = memory;
        stack.evaluate(s.t, s.q, s.u, memory.start);
        solver.J.set(stack.J);
        solver.H.set(stack.flyer.values.Hstar);
        solver.C.set(stack.flyer.values.Cstar);
        for (let r = 0; r < m; r++) solver.b[r] = stack.wanted[r]! - stack.bias[r]!;
        limit.bounds(s.q, s.u, drift, solver.lower, solver.upper);
        solver.solve();
        for (let k = 0; k < FORESEEN && held && (k > 0 || solver.near || !isFar(guard)); k++) {
          held.drift(s.q, s.u, solver.tau, solver.x, period, drift);
          limit.bounds(s.q, s.u, drift, solver.lower, solver.upper);
          if (solver.beyond > 0 || solver.keeps(HOLDS / period)) break;
          solver.solve();
        }
        if (guard) {
          readMotion(s, memory);
          for (let j = 0; j < n; j++) means[j] = solver.x[j]! + endOf(drift, j, n) / period;
          if (!guard.guard(memory.moving, means, solver.beyond === 0, memory.make)) solver.solve();
        }
        for (let i = 0; i < driven.length; i++) command[i] = solver.tau[driven[i]!]!;
        return memory;
      },
      report({ solver, guard }, out) {
        misses.report(out);
        out[2] = misses.largest(solver.slack, "way");
        out[3] = misses.largest(solver.slack, "turn");
        out[4] = solver.active;
        out[5] = guard?.reserve ?? 1;
        out[6] = solver.beyond;
      },
    };
  },
});
