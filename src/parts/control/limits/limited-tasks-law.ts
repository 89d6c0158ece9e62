/**
 * The law of the controller `limited-tasks`: at each update one solution of the limited tasks, corrected by a prediction of the coming
 * period, and changed where it would leave the states from which the robot can brake.
 */
import { ArgumentError, DivergenceError, ModelError } from "../../../errors.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import type { Model } from "../../../model/model.ts";
import { checkSavedInteger, takeSaved } from "../../../saved-data.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { taskErrors } from "../tasks/task-error-channels.ts";
import type { TaskStack } from "../tasks/task-stack.ts";
import { type BrakingMemory, noBrakingPlan } from "./braking/braking-guard.ts";
import { type CompiledLaw, compileLimitedTasks, type LimitedTasksOptions } from "./compile-limited-tasks.ts";
import { finalDrift, MOST_DRIFT_NODES, type SpeedDrift, zeroDrift } from "./predict-held-torque.ts";
import { checkWarmStart, coldStart, resetToCold, type TaskWarmStart } from "./task-warm-start.ts";

export interface LimitedTasksMemory {
  /** Poses from which the references begin. */
  readonly start: Float64Array;
  /** Drift of the speeds in the last step, and active limits of the last solution: first guesses for the next. */
  readonly drift: SpeedDrift;
  readonly warmStart: TaskWarmStart;
  /** Not given if braking need not or cannot be planned. */
  readonly braking?: BrakingMemory;
  /** Values of the channels. */
  readonly reported: Float64Array;
}

/** Largest number of predictions of a step, and tolerance of the bounds, rad/s or m/s. */
const MOST_PREDICTIONS = 6;
const BOUND_TOLERANCE = 1e-10;
/** Above this reserve of the guard, no step has to be predicted for its sake. */
const SAFE_RESERVE = 0.3;
const UNKEPT_ADVICE = "Start slower or further inside, widen limits, or let it go on with `unkept: report`";
/** Number of channels that `report` writes, the last one only if distances are limited. */
export const LIMITED_TASKS_CHANNELS = 9;

export class LimitedTasksLaw {
  readonly #stack: TaskStack;
  readonly #options: LimitedTasksOptions;
  readonly #errors: ReturnType<typeof taskErrors>;
  readonly #compiled: () => CompiledLaw;
  /** Mean accelerations over a step: demanded, and realised. */
  readonly #demanded: Float64Array;
  readonly #means: Float64Array;
  /** Drift of the present step. */
  readonly #drift: SpeedDrift;

  constructor(model: Model, stack: TaskStack, options: LimitedTasksOptions) {
    this.#stack = stack;
    this.#options = options;
    this.#errors = taskErrors(stack);
    this.#compiled = lazy(() => compileLimitedTasks(model, stack, options));
    this.#demanded = new Float64Array(stack.n);
    this.#means = new Float64Array(stack.n);
    this.#drift = zeroDrift(stack.n);
  }

  /** @throws ModelError if the start violates a least distance, or if it violates other limits and `unkept` is "stop" */
  start(s: Snapshot): LimitedTasksMemory {
    const { name, limits, unkept } = this.#options;
    const { guard, state, distances } = this.#compiled();
    const memory = this.#newMemory(this.#stack.startPoses(s.q));
    const { braking } = memory;
    this.#stack.evaluate(s.t, s.q, s.u, memory.start);
    this.#readState(s);
    const tooClose = distances?.violation(state.q);
    if (tooClose !== undefined) this.#refuseStart(tooClose);
    const problems = limits.violations(state.q, state.rates);
    if (braking && problems.length === 0 && !guard!.begin(braking, state)) problems.push(this.#weakness(braking));
    if (braking && braking.clearance < 0) this.#refuseStart(this.#weakness(braking));
    if (unkept === "stop" && problems.length > 0)
      throw new ModelError(
        name,
        problems.map((message) => ({ path: "limits", message, advice: UNKEPT_ADVICE })),
      );
    return memory;
  }

  #refuseStart(message: string): never {
    const advice = "Start slower or further apart, or reduce the least distance";
    throw new ModelError(this.#options.name, [{ path: "clearances", message, advice }]);
  }

  update(s: Snapshot, memory: LimitedTasksMemory, command: Float64Array): void {
    const { driven, period } = this.#options;
    const { solver, distances, guard, state } = this.#compiled();
    const drift = this.#drift;
    drift.nodes = memory.drift.nodes;
    drift.values.set(memory.drift.values);
    const { warmStart } = memory;
    if (period === 0) resetToCold(warmStart); // a continuous law depends on the present state only
    this.#readState(s);
    distances?.begin(state, memory.braking, guard!);
    this.#solve(s, memory.start, warmStart);
    const isSettled = this.#correctBounds(s, memory.braking, warmStart);
    if (memory.braking) this.#applyGuard(memory.braking, warmStart, isSettled);
    for (let i = 0; i < driven.length; i++) command[i] = solver.tau[driven[i]!]!;
    memory.drift.nodes = drift.nodes;
    memory.drift.values.set(drift.values);
    this.#writeReport(s, memory.braking, memory.reported);
  }

  /** Why the run shall end: the bodies that come too close; with `unkept: stop`, the hinge that cannot be stopped. */
  stopReason({ braking }: LimitedTasksMemory): string | undefined {
    const { unkept } = this.#options;
    const isUnkept = braking && (braking.clearance < 0 || (unkept === "stop" && braking.reserve <= 0));
    return isUnkept ? this.#weakness(braking) : undefined;
  }

  /** The memory from saved data. @throws FormatError */
  decode(data: unknown): LimitedTasksMemory {
    const { name, clearances } = this.#options;
    const { n, startSize } = this.#stack;
    const memory = this.#newMemory(new Float64Array(startSize));
    takeSaved(memory, data, name);
    const { drift, warmStart, braking } = memory;
    checkSavedInteger(drift.nodes, 2, MOST_DRIFT_NODES, `${name}.drift.nodes`);
    checkWarmStart(warmStart, `${name}.warmStart`);
    if (braking) checkSavedInteger(braking.weakestHinge, 0, n - 1, `${name}.braking.weakestHinge`);
    if (braking) checkSavedInteger(braking.nearestPair, 0, Math.max(0, clearances.length - 1), `${name}.braking.nearestPair`);
    return memory;
  }

  #newMemory(start: Float64Array): LimitedTasksMemory {
    const { n, m } = this.#stack;
    return {
      start,
      drift: zeroDrift(n),
      warmStart: coldStart(n, m, this.#compiled().distances?.rowCount),
      ...(this.#compiled().guard && { braking: noBrakingPlan(n) }),
      reported: new Float64Array(LIMITED_TASKS_CHANNELS),
    };
  }

  /** Solves the tasks at a state, with the drift of the last step. */
  #solve(s: Snapshot, start: Float64Array, warmStart: TaskWarmStart): void {
    const stack = this.#stack;
    const { solver, distances } = this.#compiled();
    stack.evaluate(s.t, s.q, s.u, start);
    solver.J.set(stack.J);
    solver.H.set(stack.values.Hstar);
    solver.C.set(stack.values.Cstar);
    for (let r = 0; r < stack.m; r++) solver.b[r] = stack.referenceAcceleration[r]! - stack.bias[r]!;
    this.#options.limits.writeBounds(s.q, s.u, this.#drift, solver.lower, solver.upper);
    distances?.writeRows(solver, this.#drift);
    try {
      solver.solve(warmStart);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      const why = `its tasks and limits give numbers that are not finite at t = ${s.t} s (${error.message})`;
      throw new DivergenceError(`${this.#options.name}: ${why}. Check its limits, weights and gains`, { cause: error });
    }
  }

  /** Predicts the step and solves again with corrected bounds, until the solution keeps them. Returns whether it does. */
  #correctBounds(s: Snapshot, braking: BrakingMemory | undefined, warmStart: TaskWarmStart): boolean {
    const { period, limits } = this.#options;
    const { solver, predictor, distances, state } = this.#compiled();
    const drift = this.#drift;
    const isPredictionNeeded = solver.isNearBound || (braking !== undefined && braking.reserve < SAFE_RESERVE);
    if (!predictor || !isPredictionNeeded) return true;
    for (let k = 0; k < MOST_PREDICTIONS; k++) {
      predictor.predictDrift(s.q, s.u, solver.tau, solver.phidd, period, drift);
      limits.writeBounds(s.q, s.u, drift, solver.lower, solver.upper);
      const keepsDistances = distances?.correct(state, braking, solver, drift) ?? true;
      if (solver.boundViolation > 0) return true;
      // Distances that are not quite as wanted at the last prediction are left to the guard.
      const isSettled = solver.keepsBounds(BOUND_TOLERANCE / period);
      if (isSettled && (keepsDistances || k === MOST_PREDICTIONS - 1)) return true;
      solver.solve(warmStart);
    }
    return false;
  }

  /** Changes the solution where the robot could not brake after it. */
  #applyGuard(braking: BrakingMemory, warmStart: TaskWarmStart, isSettled: boolean): void {
    const { period } = this.#options;
    const { solver, guard, state } = this.#compiled();
    const { n } = this.#stack;
    const means = this.#means;
    if (period === 0) {
      if (guard!.blendTowardBraking(braking, state, solver.phidd, solver.boundViolation === 0)) solver.imposeAccelerations();
      return;
    }
    for (let j = 0; j < n; j++) means[j] = solver.phidd[j]! + finalDrift(this.#drift, j, n) / period;
    const keepsLimits = isSettled && solver.boundViolation === 0;
    if (!guard!.limitAccelerations(braking, state, means, keepsLimits, this.#realise)) solver.solve(warmStart);
  }

  /** Finds torques with which speeds change by given means over a step. Writes the means that they have in fact; returns whether all limits are kept. */
  readonly #realise = (means: Float64Array): boolean => {
    const { period, limits } = this.#options;
    const { n } = this.#stack;
    const { solver, predictor, state } = this.#compiled();
    const [demanded, drift] = [this.#demanded, this.#drift];
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
  };

  /** Copies the state of a snapshot. */
  #readState(s: Snapshot): void {
    const { robot } = this.#stack;
    const { q, u, rates, baseRate } = this.#compiled().state;
    q.set(s.q);
    u.set(s.u);
    for (let j = 0; j < rates.length; j++) rates[j] = u[robot.speeds[j]!]!;
    for (let i = 0; i < 3; i++) baseRate[i] = u[robot.base.hinge.u + i]!;
  }

  #writeReport(s: Snapshot, braking: BrakingMemory | undefined, out: Float64Array): void {
    const { driven } = this.#options;
    const { solver, distances } = this.#compiled();
    this.#errors.report(out);
    out[2] = this.#errors.largest(solver.slack, "way");
    out[3] = this.#errors.largest(solver.slack, "turn");
    out[4] = solver.activeLimits;
    const reserve = braking && (braking.reserve > 0 ? braking.torqueReserve : braking.reserve);
    out[5] = reserve ?? (driven.length === this.#stack.n ? 1 : 0);
    out[6] = braking ? braking.weakestHinge + 1 : 0;
    out[7] = solver.boundViolation;
    out[8] = distances?.scan.excessAt(s.q) ?? 0;
  }

  /** What prevents braking, in words: two bodies or a hinge. */
  #weakness({ clearance, nearestPair, weakestHinge, neededTorque }: BrakingMemory): string {
    if (clearance < 0) return this.#compiled().distances!.whileBraking(clearance, nearestPair);
    const { names } = this.#stack.robot;
    return Number.isNaN(neededTorque)
      ? `${names[weakestHinge]} would turn too far before all hinges are at rest for the torques to be predicted`
      : `to bring all hinges to rest, ${names[weakestHinge]} needs ${Number(neededTorque.toPrecision(4))}, its torque is limited to ` +
          `${this.#options.limits.torque[weakestHinge]}`;
  }
}
