/** Compiles what the law of the controller `limited-tasks` is made of: solver, predictor, guard and kept distances. */
import type { Model } from "../../../model/model.ts";
import { taskScales } from "../tasks/singular/task-scales.ts";
import type { TaskStack } from "../tasks/task-stack.ts";
import { BrakingGuard, type BrakingState } from "./braking/braking-guard.ts";
import { BrakingPlanner } from "./braking/braking-plan.ts";
import type { LimitedPair } from "./clearance-limits.ts";
import type { HingeLimits } from "./hinge-limits.ts";
import { KeptDistances } from "./kept-distances.ts";
import { LimitedTaskSolver } from "./limited-task-solver.ts";
import { type HeldTorquePredictor, heldTorquePredictor } from "./predict-held-torque.ts";

export interface LimitedTasksOptions {
  readonly name: string;
  /** Time between updates, 0 for a continuous law; and length of the step for which limits are kept. */
  readonly period: number;
  readonly step: number;
  /** Indices of the driven hinges among the hinge speeds of the robot, in the order of commands. */
  readonly driven: readonly number[];
  readonly limits: HingeLimits;
  /** Pairs of shapes that keep a distance. */
  readonly clearances: readonly LimitedPair[];
  /** Time within which a speed or a distance may reach its limit, s. */
  readonly horizon: number;
  readonly unkept: "report" | "stop";
}

/** What is compiled when a run starts. All of it is scratch: it carries nothing from one update to the next. */
export interface CompiledLaw {
  readonly solver: LimitedTaskSolver;
  readonly predictor: HeldTorquePredictor | undefined;
  readonly guard: BrakingGuard | undefined;
  /** Given if distances are limited. */
  readonly distances: KeptDistances | undefined;
  readonly state: BrakingState & { readonly u: Float64Array };
}

/** Compiles the law of a robot. */
export function compileLimitedTasks(model: Model, stack: TaskStack, options: LimitedTasksOptions): CompiledLaw {
  const { period, step, driven, limits, clearances, horizon } = options;
  const { n, robot } = stack;
  const limitsMotion = limits.limitsMotion || clearances.length > 0;
  const isGuarded = limitsMotion && driven.length === n && (clearances.length > 0 || limits.torque.some(Number.isFinite));
  const distances = clearances.length > 0 ? new KeptDistances(model, robot, clearances, { T: step, horizon }) : undefined;
  return {
    solver: createSolver(model, stack, options, distances?.rowCount ?? 0),
    predictor: period > 0 && limitsMotion ? heldTorquePredictor(model, robot) : undefined,
    guard: isGuarded
      ? new BrakingGuard(model, robot, new BrakingPlanner(model, robot, limits, step), step, distances)
      : undefined,
    distances,
    state: {
      q: new Float64Array(model.nq),
      u: new Float64Array(model.nu),
      rates: new Float64Array(n),
      baseRate: new Float64Array(3),
      momentum: stack.values.spin,
    },
  };
}

/** A solver with the torque limits. A hinge that is not driven has no torque. */
function createSolver(model: Model, stack: TaskStack, { driven, limits }: LimitedTasksOptions, rows: number): LimitedTaskSolver {
  const { n, levels } = stack;
  const solver = new LimitedTaskSolver(n, levels, taskScales(model, stack).rows, limits.weight, rows);
  for (let j = 0; j < n; j++) {
    const most = driven.includes(j) ? limits.torque[j]! : 0;
    solver.torqueLower[j] = -most;
    solver.torqueUpper[j] = most;
  }
  return solver;
}
