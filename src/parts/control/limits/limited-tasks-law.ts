/**
 * The law of the controller `limited-tasks`: at each update one solution of the limited tasks, corrected by a prediction of the coming
 * period, and changed where it would leave the states from which the robot can brake.
 */
import { ModelError } from "../../../errors.ts";
import type { Model } from "../../../model/model.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { taskErrors } from "../tasks/task-error-channels.ts";
import { taskScales } from "../tasks/task-scales.ts";
import type { TaskStack } from "../tasks/task-stack.ts";
import { BrakingGuard, type BrakingState } from "./braking-guard.ts";
import { BrakingPlanner } from "./braking-plan.ts";
import type { HingeLimits } from "./hinge-limits.ts";
import { LimitedTaskSolver } from "./limited-task-solver.ts";
import { finalDrift, type HeldTorquePredictor, heldTorquePredictor, type SpeedDrift, zeroDrift } from "./predict-held-torque.ts";

export interface LimitedTasksMemory {
  /** Poses from which the references begin. */
  readonly start: Float64Array;
  /** Drift of the speeds in the last step: first guess for the next. */
  readonly drift: SpeedDrift;
  /** Its active limits are the first guess for the next update too. */
  readonly solver: LimitedTaskSolver;
  readonly predictor: HeldTorquePredictor | undefined;
  readonly guard: BrakingGuard | undefined;
  readonly state: BrakingState & { readonly u: Float64Array };
  /** Mean accelerations over a step: demanded, and realised. */
  readonly demanded: Float64Array;
  readonly means: Float64Array;
  readonly realise: (means: Float64Array) => boolean;
}

interface LimitedTasksOptions {
  readonly name: string;
  /** Time between updates, 0 for a continuous law; and length of the step for which limits are kept. */
  readonly period: number;
  readonly step: number;
  /** Indices of the driven hinges among the hinge speeds of the robot, in the order of commands. */
  readonly driven: readonly number[];
  readonly limits: HingeLimits;
  readonly unkept: "report" | "stop";
}

/** Largest number of predictions of a step, and tolerance of the bounds, rad/s or m/s. */
const MOST_PREDICTIONS = 6;
const BOUND_TOLERANCE = 1e-10;
/** Above this reserve of the guard, no step has to be predicted for its sake. */
const SAFE_RESERVE = 0.3;
const UNKEPT_ADVICE = "Start slower or further inside, widen limits, or let it go on with `unkept: report`";

export class LimitedTasksLaw {
  readonly #model: Model;
  readonly #stack: TaskStack;
  readonly #options: LimitedTasksOptions;
  readonly #errors: ReturnType<typeof taskErrors>;
  /** Compiled when the first run starts, and shared by later ones. */
  #predictor: HeldTorquePredictor | undefined;
  #planner: BrakingPlanner | undefined;
  #rowScales: Float64Array | undefined;

  constructor(model: Model, stack: TaskStack, options: LimitedTasksOptions) {
    this.#model = model;
    this.#stack = stack;
    this.#options = options;
    this.#errors = taskErrors(stack);
  }

  /** @throws ModelError if the start violates limits and `unkept` is "stop" */
  start(s: Snapshot): LimitedTasksMemory {
    const { name, period, step, driven, limits, unkept } = this.#options;
    const { n, robot } = this.#stack;
    const solver = this.#createSolver();
    if (period > 0 && limits.limitsMotion) this.#predictor ??= heldTorquePredictor(this.#model, robot);
    const start = this.#stack.startPoses(s.q);
    this.#stack.evaluate(s.t, s.q, s.u, start);
    if (limits.limitsMotion && driven.length === n && limits.torque.some(Number.isFinite))
      this.#planner ??= new BrakingPlanner(this.#model, robot, limits, step);
    const guard = this.#planner && new BrakingGuard(this.#model, robot, this.#planner, step);
    const memory: LimitedTasksMemory = {
      solver,
      predictor: this.#predictor,
      guard,
      state: {
        q: s.q.slice(),
        u: s.u.slice(),
        rates: new Float64Array(n),
        baseRate: new Float64Array(3),
        momentum: this.#stack.values.spin,
      },
      start,
      drift: zeroDrift(n),
      demanded: new Float64Array(n),
      means: new Float64Array(n),
      realise: (means) => this.#realise(memory, means),
    };
    this.#readState(s, memory);
    const problems = limits.violations(memory.state.q, memory.state.rates);
    if (guard && problems.length === 0 && !guard.begin(memory.state)) problems.push(this.#weakness(guard));
    if (unkept === "stop" && problems.length > 0)
      throw new ModelError(
        name,
        problems.map((message) => ({ path: "limits", message, advice: UNKEPT_ADVICE })),
      );
    return memory;
  }

  update(s: Snapshot, memory: LimitedTasksMemory, command: Float64Array): void {
    const { driven } = this.#options;
    const { solver } = memory;
    this.#solve(s, memory);
    const isSettled = this.#correctBounds(s, memory);
    this.#applyGuard(s, memory, isSettled);
    for (let i = 0; i < driven.length; i++) command[i] = solver.tau[driven[i]!]!;
  }

  /** Why the run shall end: with `unkept: stop`, the hinge that cannot be stopped. */
  stopReason({ guard }: LimitedTasksMemory): string | undefined {
    const { name, unkept } = this.#options;
    return unkept === "stop" && guard && guard.reserve <= 0 ? `${name}: ${this.#weakness(guard)}` : undefined;
  }

  report({ solver, guard }: LimitedTasksMemory, out: Float64Array): void {
    const { driven } = this.#options;
    this.#errors.report(out);
    out[2] = this.#errors.largest(solver.slack, "way");
    out[3] = this.#errors.largest(solver.slack, "turn");
    out[4] = solver.activeLimits;
    out[5] = guard?.reserve ?? (driven.length === this.#stack.n ? 1 : 0);
    out[6] = guard ? guard.weakestHinge + 1 : 0;
    out[7] = solver.boundViolation;
  }

  #createSolver(): LimitedTaskSolver {
    const { driven, limits } = this.#options;
    const { n, levels } = this.#stack;
    this.#rowScales ??= taskScales(this.#model, this.#stack).rows;
    const solver = new LimitedTaskSolver(n, levels, this.#rowScales, limits.weight);
    for (let j = 0; j < n; j++) {
      const most = driven.includes(j) ? limits.torque[j]! : 0;
      solver.torqueLower[j] = -most;
      solver.torqueUpper[j] = most;
    }
    return solver;
  }

  /** Solves the tasks at a state, with the drift of the last step. */
  #solve(s: Snapshot, { solver, start, drift }: LimitedTasksMemory): void {
    const stack = this.#stack;
    stack.evaluate(s.t, s.q, s.u, start);
    solver.J.set(stack.J);
    solver.H.set(stack.values.Hstar);
    solver.C.set(stack.values.Cstar);
    for (let r = 0; r < stack.m; r++) solver.b[r] = stack.referenceAcceleration[r]! - stack.bias[r]!;
    this.#options.limits.writeBounds(s.q, s.u, drift, solver.lower, solver.upper);
    solver.solve();
  }

  /** Predicts the step and solves again with corrected bounds, until the solution keeps them. Returns whether it does. */
  #correctBounds(s: Snapshot, { solver, drift, predictor, guard }: LimitedTasksMemory): boolean {
    const { period, limits } = this.#options;
    const isPredictionNeeded = solver.isNearBound || (guard !== undefined && guard.reserve < SAFE_RESERVE);
    if (!predictor || !isPredictionNeeded) return true;
    let isSettled = false;
    for (let k = 0; k < MOST_PREDICTIONS && !isSettled; k++) {
      predictor.predictDrift(s.q, s.u, solver.tau, solver.phidd, period, drift);
      limits.writeBounds(s.q, s.u, drift, solver.lower, solver.upper);
      isSettled = solver.boundViolation > 0 || solver.keepsBounds(BOUND_TOLERANCE / period);
      if (!isSettled) solver.solve();
    }
    return isSettled;
  }

  /** Changes the solution where the robot could not brake after it. */
  #applyGuard(s: Snapshot, memory: LimitedTasksMemory, isSettled: boolean): void {
    const { period } = this.#options;
    const { solver, guard, drift, means } = memory;
    const { n } = this.#stack;
    if (!guard) return;
    this.#readState(s, memory);
    if (period === 0) {
      if (guard.blendTowardBraking(memory.state, solver.phidd, solver.boundViolation === 0)) solver.imposeAccelerations();
      return;
    }
    for (let j = 0; j < n; j++) means[j] = solver.phidd[j]! + finalDrift(drift, j, n) / period;
    if (!guard.limitAccelerations(memory.state, means, isSettled && solver.boundViolation === 0, memory.realise)) solver.solve();
  }

  /** Finds torques with which speeds change by given means over a step. Writes the means that they have in fact; returns whether all limits are kept. */
  #realise({ solver, state, drift, demanded, predictor }: LimitedTasksMemory, means: Float64Array): boolean {
    const { period, limits } = this.#options;
    const { n } = this.#stack;
    demanded.set(means);
    drift.values.fill(0); // the old drift belongs to other torques and would lead to torques beyond their limits
    for (let k = 0; k < MOST_PREDICTIONS; k++) {
      for (let j = 0; j < n; j++) solver.phidd[j] = demanded[j]! - finalDrift(drift, j, n) / period;
      solver.imposeAccelerations();
      predictor!.predictDrift(state.q, state.u, solver.tau, solver.phidd, period, drift);
      limits.writeBounds(state.q, state.u, drift, solver.lower, solver.upper);
      if (k === 0 || !solver.keepsBounds(BOUND_TOLERANCE / period)) continue;
      for (let j = 0; j < n; j++) means[j] = solver.phidd[j]! + finalDrift(drift, j, n) / period;
      return true;
    }
    return false;
  }

  #readState(s: Snapshot, { state: { q, u, rates, baseRate } }: LimitedTasksMemory): void {
    const { robot } = this.#stack;
    q.set(s.q);
    u.set(s.u);
    for (let j = 0; j < rates.length; j++) rates[j] = u[robot.speeds[j]!]!;
    for (let i = 0; i < 3; i++) baseRate[i] = u[robot.base.hinge.u + i]!;
  }

  /** The hinge that prevents braking, in words. */
  #weakness({ weakestHinge, neededTorque }: BrakingGuard): string {
    const { names } = this.#stack.robot;
    return Number.isNaN(neededTorque)
      ? `${names[weakestHinge]} would turn too far before all hinges are at rest for the torques to be predicted`
      : `to bring all hinges to rest, ${names[weakestHinge]} needs ${Number(neededTorque.toPrecision(4))}, its torque is limited to ` +
          `${this.#options.limits.torque[weakestHinge]}`;
  }
}
