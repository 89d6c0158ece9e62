/**
 * Coordination of all hinges of a free-flying robot: motors, tasks, and hinge accelerations φ̈ that do the tasks. The levels are
 *
 *   0   φ̈ = 0 for held hinges, H* φ̈ + C* = 0 for hinges without motor
 *   1   J φ̈ = ν̇_ref - bias for tasks of the first priority: exactly, or the law throws a SingularError
 *   2…  the same for lower priorities, as far as higher ones leave freedom
 *
 * Each law then decides the remaining freedom.
 */

import type { Freedom } from "../../../declare/freedom.ts";
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import { ModelError } from "../../../errors.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { square } from "../../../math/elementary/power.ts";
import { rowTimesMatrix } from "../../../math/linear/row-times-matrix.ts";
import type { HierarchicalLeastSquares } from "../../../math/optimise/hierarchical-least-squares.ts";
import { hierarchicalLeastSquares } from "../../../math/optimise/hierarchical-least-squares.ts";
import type { Model } from "../../../model/model.ts";
import { takeFiniteSaved } from "../../../saved-data.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { checkBaseReach, framesOnBase } from "../foothold/base-reach.ts";
import { ClosedCoordination } from "../foothold/closed-coordination.ts";
import { commandsOfThrusters, type TaskThruster, THRUSTER_CHANNELS } from "../foothold/task-thrusters.ts";
import { type CompiledTaskLaw, compileTaskLaw, type RedundancyCriterion } from "./compiled-task-law.ts";
import { readTasks, TASK, type Task } from "./read-tasks.ts";
import { type TaskScales, taskScales } from "./singular/task-scales.ts";
import {
  checkFreedom,
  isBaseTranslation,
  momentumAdvice,
  solveTaskLevels,
  type TaskLevels,
} from "./singular/task-singularity.ts";
import { type TaskStack, taskStack } from "./task-stack.ts";

export const COORDINATION_PARAMETERS = {
  period: {
    type: "number",
    unit: "s",
    least: 0,
    default: 0,
    about: "Time between updates; 0 is a continuous law, evaluated at every stage of the integrator.",
  },
  base: { type: "frame", optional: true, about: "Floating body that is the robot's base; the first one if not given." },
  motors: { type: "name", about: "Name of the motors that drive the hinges." },
  hinges: { type: "freedoms", about: "Hinges that have motors; the other hinges of the robot move passively." },
  tasks: { type: "list", of: TASK, about: "Tasks of frames of the robot." },
  held: {
    type: "freedoms",
    optional: true,
    about: "Hinges that are not accelerated, such as wheels reserved for other purposes.",
  },
  singular: {
    type: "number",
    unit: "",
    above: 0,
    most: 1,
    default: 0.05,
    about: "The run stops with an error if the smallest singular value of the scaled generalised Jacobian falls below this.",
  },
} as const satisfies Parameters;

/** Laws with a shorter period than this, in seconds, are compiled: compiling takes as long as some thousand updates. */
const LONGEST_COMPILED_PERIOD = 0.005;

/** Indices of freedoms among the hinge speeds of the robot. */
export function hingeIndices(stack: TaskStack, freedoms: readonly Freedom[], path: string, note: NoteProblem): number[] {
  const { speeds, base } = stack.robot;
  return freedoms.map((f) => {
    const index = speeds.indexOf(f.u);
    if (index < 0) note(path, `${f.name} is not a hinge of the robot with the base "${base.name}"`);
    return index;
  });
}

/** Memory of a controller that coordinates a robot. */
export interface CoordinationMemory {
  /** Poses from which the references begin. */
  readonly start: Float64Array;
  /** Values of the channels of a law with thrusters. */
  readonly reported?: Float64Array;
}

/** What is compiled when a run starts: views of the robot's kernel, scales, and the levels of tasks. */
interface CompiledRobot {
  readonly Hstar: Float64Array;
  readonly Cstar: Float64Array;
  readonly scales: TaskScales;
  readonly levels: TaskLevels;
}

export class Coordination {
  readonly stack: TaskStack;
  /** After `solveAccelerations`: x + N z does the tasks for every z. */
  readonly accelerationSolver: HierarchicalLeastSquares;
  /** The same for hinge speeds, after `solveSpeeds`. */
  readonly speedSolver: HierarchicalLeastSquares;
  /** Names of the commands, and their indices among the hinge speeds of the robot. */
  readonly commands: readonly string[];
  readonly driven: readonly number[];
  readonly held: readonly number[];
  /** The robot while it holds on to something or has thrusters. */
  readonly closed: ClosedCoordination;
  readonly #tasks: readonly Task[];
  readonly #name: string;
  readonly #model: Model;
  readonly #period: number;
  /** Least singular value. */
  readonly #singular: number;
  readonly #passive: readonly number[];
  /** Level 0: hinges with fixed values (the first entry of a hinge counts), and the equations of hinges without motor. */
  readonly #fixedHinges: { readonly hinges: Int32Array; readonly values: Float64Array; count: number };
  readonly #equations: { readonly A: Float64Array; readonly first: number; count: number };
  readonly #equationsRight: Float64Array;
  readonly #right: Float64Array;
  readonly #tau: Float64Array;
  readonly #compiled: () => CompiledRobot;
  #solver: HierarchicalLeastSquares;

  constructor(
    name: string,
    values: ParameterValues<typeof COORDINATION_PARAMETERS>,
    note: NoteProblem,
    model: Model,
    thrusters: readonly TaskThruster[] = [],
  ) {
    const tasks = readTasks(values.tasks, note);
    const stack = taskStack(model, tasks, { base: values.base, outputs: ["Hstar", "Cstar"] });
    const { n, m } = stack;
    const driven = hingeIndices(stack, values.hinges, "hinges", note);
    const held = [...new Set(hingeIndices(stack, values.held ?? [], "held", note))];
    const passive = stack.robot.speeds.map((_, j) => j).filter((j) => !driven.includes(j));
    const { singular, base } = values;
    const roles = { name, driven, passive, held, singular, base, thrusters };
    this.closed = new ClosedCoordination(model, tasks, roles);
    checkFreedom(stack, held, passive, this.closed.isPossible, framesOnBase(model, stack.robot), note);
    this.stack = stack;
    this.#tasks = tasks;
    this.accelerationSolver = hierarchicalLeastSquares(n);
    this.speedSolver = hierarchicalLeastSquares(n);
    this.#solver = this.accelerationSolver;
    this.commands = [...values.hinges.map((f) => `${values.motors}.${f.speedName}`), ...commandsOfThrusters(roles.thrusters)];
    this.driven = driven;
    this.held = held;
    this.#name = name;
    this.#model = model;
    this.#period = values.period;
    this.#singular = values.singular;
    this.#passive = passive;
    this.#fixedHinges = { hinges: new Int32Array(2 * n), values: new Float64Array(2 * n), count: 0 };
    this.#equations = { A: new Float64Array(passive.length * n), first: 0, count: 0 };
    this.#equationsRight = new Float64Array(passive.length);
    this.#right = new Float64Array(m);
    this.#tau = new Float64Array(n);
    this.#compiled = lazy(() => this.#compile());
  }

  /** The memory at the start of a run. @throws ModelError if no hinge moves a row of the tasks, UnreachableError if momentum prevents them */
  start(s: Snapshot): CoordinationMemory {
    const start = this.stack.startPoses(s.q);
    if (this.closed.isNeeded(s)) this.closed.start(s);
    else this.#compiled();
    if (!this.closed.isPossible) checkBaseReach(this.#name, this.#model, this.stack.robot, this.#tasks, s, start);
    return this.#memoryOf(start);
  }

  /** The memory from saved data. @throws FormatError */
  decode(data: unknown): CoordinationMemory {
    const memory = this.#memoryOf(new Float64Array(this.stack.startSize));
    takeFiniteSaved(memory, data, this.#name);
    return memory;
  }

  #memoryOf(start: Float64Array): CoordinationMemory {
    return this.closed.hasThrusters ? { start, reported: new Float64Array(THRUSTER_CHANNELS.length) } : { start };
  }

  /** Evaluates the tasks at a state. */
  evaluate(s: Snapshot, { start }: CoordinationMemory): void {
    const { t, q, u } = s;
    this.#compiled(); // first, because it evaluates the tasks in other postures
    this.stack.evaluate(t, q, u, start);
  }

  #compile(): CompiledRobot {
    const { names, values, robot } = this.stack;
    const onBase = framesOnBase(this.#model, robot);
    const scales = taskScales(this.#model, this.stack);
    const immovable = names.filter((_, i) => scales.rows[i] === 0);
    if (immovable.length > 0)
      throw new ModelError(
        this.#model.name,
        immovable.map((row) => ({
          path: `${this.#name}.tasks`,
          message: `no hinge moves ${row}`,
          advice: isBaseTranslation(row, onBase) ? momentumAdvice(row) : "Leave it out of the task's parts",
        })),
      );
    const { J, n, levels } = this.stack;
    return {
      ...{ Hstar: values.Hstar, Cstar: values.Cstar, scales },
      levels: {
        ...{ name: this.#name, limit: this.#singular, t: 0, isSupported: false, onBase, A: J, n, names, levels },
        ...{ unknowns: robot.names, rows: scales.rows, columns: scales.columns, begin: () => this.#begin() },
      },
    };
  }

  /** Solves J φ̈ = ν̇_ref - bias. @throws SingularError */
  solveAccelerations(t: number): void {
    const { n, m, referenceAcceleration, bias } = this.stack;
    const { Hstar, Cstar } = this.#compiled();
    const equations = this.#equations;
    const passive = this.#passive;
    this.#fixedHinges.count = 0;
    for (let i = 0; i < this.held.length; i++) this.#fix(this.held[i]!, 0);
    equations.count = passive.length;
    for (let i = 0; i < passive.length; i++) {
      const row = passive[i]! * n;
      for (let j = 0; j < n; j++) equations.A[i * n + j] = Hstar[row + j]!;
      this.#equationsRight[i] = -Cstar[passive[i]!]!;
    }
    for (let i = 0; i < m; i++) this.#right[i] = referenceAcceleration[i]! - bias[i]!;
    this.#solve(this.accelerationSolver, t);
  }

  /**
   * Solves J φ̇ = velocity - drift, with `resting` hinges at rest (each listed once), and hinges without motor at their speeds in u.
   * @throws SingularError
   */
  solveSpeeds(t: number, velocity: Float64Array, resting: readonly number[], u: Float64Array): void {
    const { m, drift, robot } = this.stack;
    const passive = this.#passive;
    this.#fixedHinges.count = this.#equations.count = 0;
    for (let i = 0; i < passive.length; i++) this.#fix(passive[i]!, u[robot.speeds[passive[i]!]!]!);
    for (let i = 0; i < resting.length; i++) this.#fix(resting[i]!, 0);
    for (let i = 0; i < m; i++) this.#right[i] = velocity[i]! - drift[i]!;
    this.#solve(this.speedSolver, t);
  }

  /** The whole law as one kernel, valid away from singular postures. Undefined for laws that are updated rarely. */
  compileLaw(criterion: RedundancyCriterion): CompiledTaskLaw | undefined {
    if (!(this.#period < LONGEST_COMPILED_PERIOD)) return undefined;
    const roles = { driven: this.driven, passive: this.#passive, held: this.held, singular: this.#singular };
    return compileTaskLaw(this.stack, this.#compiled().scales, roles, criterion);
  }

  /** x += k times the projection of d onto the null space N of tasks, held hinges and hinges without motor. */
  addNullSpaceMotion(k: number, d: Float64Array, x: Float64Array): void {
    const { N, freedom } = this.accelerationSolver;
    const { columns } = this.#compiled().scales;
    const { n } = this.stack;
    for (let f = 0; f < freedom; f++) {
      let component = 0;
      for (let j = 0; j < n; j++) component += (N[f * n + j]! * d[j]!) / square(columns[j]!);
      for (let j = 0; j < n; j++) x[j]! += k * component * N[f * n + j]!;
    }
  }

  /** τ = H* φ̈ + C* of the driven hinges. */
  torques(phidd: Float64Array, command: Float64Array): void {
    const { n } = this.stack;
    const { driven } = this;
    const { Hstar, Cstar } = this.#compiled();
    const tau = this.#tau;
    rowTimesMatrix(phidd, 0, 1, Hstar, n, n, tau, 0, 1); // H* is symmetric
    for (let i = 0; i < driven.length; i++) command[i] = tau[driven[i]!]! + Cstar[driven[i]!]!;
  }

  #fix(hinge: number, value: number): void {
    const fixedHinges = this.#fixedHinges;
    fixedHinges.hinges[fixedHinges.count] = hinge;
    fixedHinges.values[fixedHinges.count++] = value;
  }

  /** Starts a solution with level 0. */
  #begin(): void {
    const fixedHinges = this.#fixedHinges;
    const solver = this.#solver;
    solver.reset(this.#compiled().scales.columns);
    for (let i = 0; i < fixedHinges.count; i++) solver.fixUnknown(fixedHinges.hinges[i]!, fixedHinges.values[i]!);
    solver.addLevel(this.#equations, this.#equationsRight, undefined, 0);
  }

  #solve(solver: HierarchicalLeastSquares, t: number): void {
    const levels = this.#compiled().levels;
    this.#solver = solver;
    levels.t = t;
    solveTaskLevels(levels, this.#right, solver);
  }
}
