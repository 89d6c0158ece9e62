/**
 * Coordination of a robot that holds on to something or has thrusters. A law uses it while a loop of the robot is engaged (see
 * closed-tasks.ts), and the equations of the free robot otherwise. The set of engaged loops may change at every update.
 */
import type { Push } from "../../../dynamics/free-flying/closed-robot-program.ts";
import { ModelError } from "../../../errors.ts";
import type { Model } from "../../../model/model.ts";
import type { HeldLoops } from "../../../sim/state.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { declaredLoops } from "../../../sim/system/loop-sets.ts";
import type { Task } from "../tasks/read-tasks.ts";
import { type TaskErrors, taskErrors } from "../tasks/task-error-channels.ts";
import { type TaskStack, taskStack } from "../tasks/task-stack.ts";
import { type ClosedTaskFacts, ClosedTasks } from "./closed-tasks.ts";
import { loopsOnRobot, modelWithLoops } from "./engaged-loops.ts";
import type { TaskThruster } from "./task-thrusters.ts";
import { ThrustLimits } from "./thrust-limits.ts";

export interface ClosedRoles extends Pick<ClosedTaskFacts, "name" | "passive" | "held" | "singular"> {
  readonly driven: readonly number[];
  readonly base: string | undefined;
  readonly thrusters: readonly TaskThruster[];
}

/** Gain of pose errors, and rate at which speeds approach the demanded ones, 1/s. */
export interface RateGains {
  readonly gain: number;
  readonly rate: number;
}

export class ClosedCoordination {
  /** The tasks over all speeds of the model. */
  readonly stack: TaskStack;
  readonly #model: Model;
  readonly #facts: ClosedTaskFacts;
  readonly #driven: readonly number[];
  /** Names of loops that concern the robot. */
  readonly #loops: ReadonlySet<string>;
  readonly #declared: HeldLoops;
  readonly #sets = new Map<string, ClosedTasks>();
  readonly #limits: ThrustLimits;
  readonly #errors: TaskErrors;
  #held: HeldLoops | undefined;
  #isNeeded = false;
  #current: ClosedTasks | undefined;
  readonly #zeros: Float64Array;
  readonly #speeds: Float64Array;
  readonly #excess: Float64Array;
  #x = new Float64Array(0);

  constructor(model: Model, tasks: readonly Task[], roles: ClosedRoles) {
    const { name, passive, held, singular, thrusters } = roles;
    const stack = taskStack(model, tasks, { base: roles.base, columns: "speeds" });
    const { robot } = stack;
    const pushes = thrusters.map(({ frame, direction }): Push => ({ frame, direction }));
    const relativeTo = tasks.map((task) => task.relativeTo);
    this.stack = stack;
    this.#errors = taskErrors(stack);
    this.#model = model;
    this.#driven = roles.driven;
    this.#facts = { name, stack, pushes, thrusters: thrusters.map((t) => t.thruster), passive, held, singular };
    this.#loops = new Set(loopsOnRobot(model, robot, relativeTo).map((loop) => loop.name));
    this.#declared = declaredLoops(model);
    this.#limits = new ThrustLimits(Float64Array.from(thrusters, ({ limit }) => limit ?? Number.POSITIVE_INFINITY));
    this.#zeros = new Float64Array(robot.speeds.length);
    this.#speeds = new Float64Array(robot.speeds.length);
    this.#excess = new Float64Array(robot.speeds.length);
  }

  /** True if the robot can hold on to something, or has thrusters. */
  get isPossible(): boolean {
    return this.#loops.size > 0 || this.hasThrusters;
  }

  /** True if the robot holds on to something, or has thrusters. */
  isNeeded({ loops = this.#declared }: Snapshot): boolean {
    if (loops !== this.#held) this.#engage(loops);
    return this.#isNeeded;
  }

  /** The tasks with the engaged loops, after `isNeeded`. */
  get tasks(): ClosedTasks {
    return this.#current!;
  }

  get hasThrusters(): boolean {
    return this.#facts.pushes.length > 0;
  }

  /** Writes the values of THRUSTER_CHANNELS as of the last solution. */
  report(out: Float64Array): void {
    this.#errors.report(out);
    out[out.length - 1] = this.#limits.isBeyond ? 1 : 0;
  }

  /** Checks the tasks at the start of a run. @throws ModelError if nothing moves one of their rows */
  start(s: Snapshot): void {
    if (!this.isNeeded(s)) return;
    const { name } = this.#facts;
    const problems = this.tasks.immovable.map((row) => ({
      path: `${name}.tasks`,
      message: `neither a hinge nor a thruster moves ${row}`,
      advice: "Leave it out of the task's parts",
    }));
    if (problems.length > 0) throw new ModelError(this.#model.name, problems);
  }

  /** Solves the tasks at a state: x + N z of the solver for every z. @throws SingularError */
  solve({ t, q, u }: Snapshot, start: Float64Array): void {
    const tasks = this.tasks;
    this.stack.evaluate(t, q, u, start);
    tasks.evaluate(t, q, u);
    tasks.solve(t);
  }

  /** The accelerations that keep the loops closed and are nearest to -`rates`, before any task. `tasks.solver` has the directions that are left. */
  begin({ t, q, u }: Snapshot, start: Float64Array, rates: Float64Array): void {
    const { tasks } = this;
    this.stack.evaluate(t, q, u, start);
    tasks.evaluate(t, q, u);
    tasks.begin(t);
    tasks.solver.minimise(tasks.hingeRows, rates, tasks.robot.n);
  }

  /** The accelerations of the solution stay, and the internal loads give the least Σ (weight torque)². */
  minimiseLoads(weight: Float64Array): void {
    const { tasks } = this;
    if (tasks.robot.bound > 0) tasks.minimiseLoads(this.#copyOf(tasks), weight);
  }

  /**
   * Accelerations that bring the speeds of tasks to reference speed + gain (pose error), and those of held hinges to zero, at a rate. The freedom
   * gives the least Σ (φ̈ + rate φ̇)², as if all speeds should vanish, and then internal loads the least Σ torque². @throws SingularError
   */
  solveRates({ t, q, u }: Snapshot, start: Float64Array, { gain, rate }: RateGains, weight: Float64Array): void {
    const { tasks, stack } = this;
    const { speeds } = stack.robot;
    const { right, heldAccelerations, solver } = tasks;
    stack.evaluate(t, q, u, start);
    tasks.evaluate(t, q, u);
    const { referenceVelocity, poseError, velocity } = stack;
    for (let i = 0; i < stack.m; i++) right[i] = rate * (referenceVelocity[i]! + gain * poseError[i]! - velocity[i]!);
    for (let j = 0; j < speeds.length; j++) {
      this.#speeds[j] = rate * u[speeds[j]!]!;
      heldAccelerations[j] = -this.#speeds[j]!;
    }
    tasks.solve(t);
    solver.minimise(tasks.hingeRows, this.#speeds, speeds.length);
    this.minimiseLoads(weight);
  }

  /** The freedom that the tasks leave gives the least Σ (weight output)² over torques of all hinges and thrusts, within the limits. */
  minimiseOutputs(weight: Float64Array, t: number): void {
    const tasks = this.tasks;
    tasks.solver.minimise(tasks.output, tasks.outputAtZero, tasks.movers, weight);
    this.#limits.impose(tasks, this.stack.levels, weight, t);
  }

  /** The freedom gives the least Σ φ̈², and then internal loads the least Σ torque². */
  minimiseAccelerations(weight: Float64Array): void {
    const tasks = this.tasks;
    const { n } = tasks.robot;
    tasks.solver.minimise(tasks.hingeRows, this.#zeros, n);
    this.minimiseLoads(weight);
  }

  /** φ̈ -= rate × the speeds that the tasks leave free, beyond those with which the tasks are done with `still` hinges at rest. */
  damp(rate: number, u: Float64Array, still: readonly number[], weight: Float64Array): void {
    const tasks = this.tasks;
    const { speeds } = this.stack.robot;
    const x = this.#copyOf(tasks);
    for (let j = 0; j < speeds.length; j++) this.#speeds[j] = u[speeds[j]!]!;
    tasks.excess(this.#speeds, still, this.#excess);
    for (let j = 0; j < speeds.length; j++) x[j]! -= rate * this.#excess[j]!;
    tasks.minimiseLoads(x, weight);
  }

  /** Writes torques of the driven hinges, then thrusts. */
  writeCommands(command: Float64Array): void {
    const { solver, robot, movers } = this.tasks;
    const out = this.tasks.outputsAt(solver.x);
    const driven = this.#driven;
    for (let i = 0; i < driven.length; i++) command[i] = out[driven[i]!]!;
    for (let j = robot.n; j < movers; j++) command[driven.length + j - robot.n] = out[j]!;
  }

  #engage(loops: HeldLoops): void {
    this.#held = loops;
    this.#isNeeded = this.hasThrusters;
    for (const name of loops.keys()) if (this.#loops.has(name)) this.#isNeeded = true;
    if (!this.#isNeeded) return;
    const engaged = modelWithLoops(this.#model, loops);
    const key = engaged.model.loops.map(({ name, heldAsFound }) => `${name} ${heldAsFound === true}`).join("\n");
    let tasks = this.#sets.get(key);
    if (tasks) tasks.found.set(engaged.found);
    else {
      tasks = new ClosedTasks(this.#model, engaged, this.#facts);
      this.#sets.set(key, tasks);
    }
    this.#current = tasks;
  }

  /** A copy of the solution, so that the solver can be used again. */
  #copyOf({ solver }: ClosedTasks): Float64Array {
    if (this.#x.length !== solver.n) this.#x = new Float64Array(solver.n);
    this.#x.set(solver.x);
    return this.#x;
  }
}
