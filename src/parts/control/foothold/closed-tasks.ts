/**
 * Tasks of a robot with one set of engaged loops. The unknowns are x = (φ̈, f, w): hinge accelerations, thrusts, and internal loads of the
 * loops (see dynamics/free-flying/closed-robot.ts). The levels are
 *
 *   0   K φ̈ = k: the loops stay closed; hinges without motor have no torque
 *   1   φ̈ = 0 for held hinges, or as given
 *   2   J* φ̈ + J_f f = ν̇_ref - bias for tasks of the first priority: exactly, or a SingularError
 *   3…  the same for lower priorities, as far as higher ones leave freedom
 *
 * The torques are τ = H* φ̈ + F f - Kᵀ w + C*. Among all x that solve the levels, the torques and thrusts of least Σ (τ / weight)² are unique:
 * H* is positive definite, and the rows of K are independent.
 */
import { ClosedRobot } from "../../../dynamics/free-flying/closed-robot.ts";
import type { Push } from "../../../dynamics/free-flying/closed-robot-program.ts";
import { SingularError } from "../../../errors.ts";
import { square } from "../../../math/elementary/power.ts";
import { type HierarchicalLeastSquares, hierarchicalLeastSquares } from "../../../math/optimise/hierarchical-least-squares.ts";
import type { Model } from "../../../model/model.ts";
import { closedTaskScales, type TaskScales } from "../tasks/singular/task-scales.ts";
import { solveTaskLevels, type TaskLevels } from "../tasks/singular/task-singularity.ts";
import type { TaskStack } from "../tasks/task-stack.ts";
import type { EngagedModel } from "./engaged-loops.ts";
import { loopParametersAt } from "./posture-loops.ts";

/** What a law is about, besides its robot and its loops. */
export interface ClosedTaskFacts {
  readonly name: string;
  readonly stack: TaskStack;
  readonly pushes: readonly Push[];
  /** Names of the pushes. */
  readonly thrusters: readonly string[];
  /** Hinge speeds without motor, those that are not accelerated, and the smallest singular value that is allowed. */
  readonly passive: readonly number[];
  readonly held: readonly number[];
  readonly singular: number;
}

/** Combinations of rows below this in the free directions are dependent. */
const DEPENDENT = 1e-9;

export class ClosedTasks {
  readonly robot: ClosedRobot;
  readonly solver: HierarchicalLeastSquares;
  /** Number of unknowns, and of those that move something: hinges and thrusters. */
  readonly size: number;
  readonly movers: number;
  /** Rows of the tasks over all unknowns, and their right sides. */
  readonly J: Float64Array;
  readonly right: Float64Array;
  /** Torques of all hinges, then thrusts: `output` x + `outputAtZero`. */
  readonly output: Float64Array;
  readonly outputAtZero: Float64Array;
  /** Rows that select the hinge accelerations among the unknowns. */
  readonly hingeRows: Float64Array;
  /** Accelerations of the hinges that are held; those of other hinges are not used. */
  readonly heldAccelerations: Float64Array;
  /** Parameters of the loops that engaged as found. */
  readonly found: Float64Array;
  readonly #facts: ClosedTaskFacts;
  readonly #outputs: Float64Array;
  readonly #scales: TaskScales;
  readonly #levels: TaskLevels;
  /** Scale of each unknown. */
  readonly #unknownScales: Float64Array;
  readonly #Jstar: Float64Array;
  readonly #rest: Float64Array;
  readonly #level: { readonly A: Float64Array; readonly first: 0; count: number };
  readonly #levelRight: Float64Array;
  readonly #levelWeight: Float64Array;

  constructor(model: Model, { model: engaged, found }: EngagedModel, facts: ClosedTaskFacts) {
    const { stack, pushes, passive, held } = facts;
    const { m } = stack;
    const robot = new ClosedRobot(engaged, stack.robot, pushes);
    const { n, loopRows } = robot;
    const movers = n + pushes.length;
    const size = movers + loopRows;
    this.robot = robot;
    this.movers = movers;
    this.size = size;
    this.solver = hierarchicalLeastSquares(size);
    this.J = new Float64Array(m * size);
    this.right = new Float64Array(m);
    this.output = new Float64Array(movers * size);
    this.outputAtZero = new Float64Array(movers);
    this.hingeRows = new Float64Array(n * size);
    for (let i = 0; i < n; i++) this.hingeRows[i * size + i] = 1;
    this.heldAccelerations = new Float64Array(n);
    this.#facts = facts;
    this.found = found;
    this.#outputs = new Float64Array(movers);
    this.#Jstar = new Float64Array(m * movers);
    this.#rest = new Float64Array(m);
    const rows = Math.max(loopRows + passive.length, held.length, movers);
    this.#level = { A: new Float64Array(rows * size), first: 0, count: 0 };
    this.#levelRight = new Float64Array(rows);
    this.#levelWeight = new Float64Array(rows);
    const zeroSpeeds = new Float64Array(model.nu);
    const measured = loopParametersAt(engaged);
    this.#scales = closedTaskScales(model, m, movers, (q) => {
      stack.evaluate(0, q, zeroSpeeds, stack.startPoses(q));
      robot.evaluate(0, q, zeroSpeeds, measured(q));
      robot.reduce(stack.J, m, this.#Jstar, this.#rest);
      return this.#Jstar;
    });
    this.#unknownScales = new Float64Array(size).fill(1);
    this.#unknownScales.set(this.#scales.columns);
    this.#levels = {
      ...{ name: facts.name, limit: facts.singular, t: 0, isSupported: true, A: this.J, n: size },
      ...{ names: stack.names, levels: stack.levels, unknowns: [...stack.robot.names, ...facts.thrusters] },
      ...{ onBase: [], rows: this.#scales.rows, columns: this.#unknownScales },
      begin: (t) => this.begin(t),
    };
  }

  /** Rows of the first priority that neither a hinge nor a thruster moves in any posture. */
  get immovable(): readonly string[] {
    const { names, levels } = this.#facts.stack;
    return names.filter((_, i) => i < (levels[1] ?? 0) && this.#scales.rows[i] === 0);
  }

  /** Scale of each row of the tasks. */
  get rowScales(): Float64Array {
    return this.#scales.rows;
  }

  /** Writes the rows of the tasks, which `stack` has evaluated, and the torques at a state. */
  evaluate(t: number, q: Float64Array, u: Float64Array): void {
    const { robot, size, movers, J, right, output } = this;
    const { stack } = this.#facts;
    const { n, pushes, Hstar, F, K, bound } = robot;
    const Jstar = this.#Jstar;
    robot.evaluate(t, q, u, this.found);
    robot.reduce(stack.J, stack.m, Jstar, this.#rest);
    for (let i = 0; i < stack.m; i++) {
      right[i] = stack.referenceAcceleration[i]! - stack.bias[i]! - this.#rest[i]!;
      for (let j = 0; j < movers; j++) J[i * size + j] = Jstar[i * movers + j]!;
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) output[i * size + j] = Hstar[i * n + j]!;
      for (let j = 0; j < pushes; j++) output[i * size + n + j] = F[i * pushes + j]!;
      for (let j = 0; j < robot.loopRows; j++) output[i * size + movers + j] = j < bound ? -K[j * n + i]! : 0;
      this.outputAtZero[i] = robot.Cstar[i]!;
    }
    for (let j = 0; j < pushes; j++) output[(n + j) * size + n + j] = 1;
    this.#scaleInternalLoads();
  }

  /** Solves all levels. @throws SingularError */
  solve(t: number): void {
    this.#levels.t = t;
    solveTaskLevels(this.#levels, this.right, this.solver);
  }

  /** Levels 0 and 1. @throws SingularError if the loops do not let held hinges rest */
  begin(t: number): void {
    this.#beginWith(1);
    const { held, name, stack } = this.#facts;
    for (const j of held)
      if (Math.abs(this.solver.x[j]! - this.heldAccelerations[j]!) > DEPENDENT * (1 + this.#largestAcceleration()))
        throw new SingularError(
          `${name}: at t = ${Number(t.toPrecision(6))} s the engaged loops accelerate ${stack.robot.names[j]}, which is held. ` +
            "Leave it out of `held`",
        );
  }

  /**
   * The motion e of the hinges in the free directions of the last solution that leaves the tasks, the loops and the thrusts as they are,
   * with e = `speeds` for the hinges `still`, and elsewhere as close to `speeds` as possible: the excess of least-torque.ts.
   */
  excess(speeds: Float64Array, still: readonly number[], out: Float64Array): void {
    const { solver, movers, J, robot } = this;
    const { stack, singular } = this.#facts;
    const { n } = robot;
    this.#beginWith(0);
    this.#clearLevel();
    for (let j = n; j < movers; j++) this.#addUnknownRow(j, 0);
    this.#addLevel(0);
    const zeros = this.#rest.fill(0);
    // Without thrusts, rows that hinges alone cannot do are dependent, and rounding must not make them independent.
    for (let level = 0; level + 1 < stack.levels.length; level++) {
      const [first, end] = [stack.levels[level]!, stack.levels[level + 1]!];
      solver.addLevel({ A: J, first, count: end - first }, zeros, this.#scales.rows, level === 0 ? DEPENDENT : singular);
    }
    this.#clearLevel();
    for (const j of still) this.#addUnknownRow(j, speeds[j]!);
    this.#addLevel(DEPENDENT);
    this.#clearLevel();
    for (let j = 0; j < n; j++) this.#addUnknownRow(j, -speeds[j]!);
    solver.minimise(this.#level.A, this.#levelRight, n, this.#levelWeight);
    for (let j = 0; j < n; j++) out[j] = solver.x[j]!;
  }

  /** Accelerations and thrusts stay as given; the internal loads give the least Σ (weight torque)². */
  minimiseLoads(x: Float64Array, weight: Float64Array): void {
    const { solver, movers } = this;
    this.#beginWith(1);
    this.#clearLevel();
    for (let j = 0; j < movers; j++) this.#addUnknownRow(j, x[j]!);
    this.#addLevel(DEPENDENT);
    solver.minimise(this.output, this.outputAtZero, movers, weight);
  }

  /** Torques of all hinges, then thrusts, at x. Valid until the next call. */
  outputsAt(x: Float64Array): Float64Array {
    const { output, outputAtZero, size, movers } = this;
    const out = this.#outputs;
    for (let i = 0; i < movers; i++) {
      let sum = outputAtZero[i]!;
      for (let j = 0; j < size; j++) sum += output[i * size + j]! * x[j]!;
      out[i] = sum;
    }
    return out;
  }

  /** Starts a solution: loops, hinges without motor, held hinges. With `share` 0 all right sides are zero. */
  #beginWith(share: 0 | 1): void {
    const { solver, robot, size, movers, output, outputAtZero } = this;
    const { n, K, k, bound } = robot;
    const { passive, held } = this.#facts;
    solver.reset(this.#unknownScales);
    for (let j = movers + bound; j < size; j++) solver.fixUnknown(j, 0);
    this.#clearLevel();
    for (let b = 0; b < bound; b++) {
      const row = this.#nextRow(share * k[b]!);
      for (let j = 0; j < n; j++) this.#level.A[row * size + j] = K[b * n + j]!;
    }
    for (const i of passive) {
      const row = this.#nextRow(-share * outputAtZero[i]!);
      for (let j = 0; j < size; j++) this.#level.A[row * size + j] = output[i * size + j]!;
    }
    this.#addLevel(DEPENDENT);
    this.#clearLevel();
    for (const j of held) this.#addUnknownRow(j, share * this.heldAccelerations[j]!);
    this.#addLevel(DEPENDENT);
  }

  #clearLevel(): void {
    this.#level.count = 0;
  }

  #nextRow(right: number): number {
    const row = this.#level.count++;
    this.#level.A.fill(0, row * this.size, (row + 1) * this.size);
    this.#levelRight[row] = right;
    return row;
  }

  /** The row x_j = value. */
  #addUnknownRow(j: number, value: number): void {
    this.#level.A[this.#nextRow(value) * this.size + j] = 1;
    this.#levelWeight[this.#level.count - 1] = 1 / this.#unknownScales[j]!;
  }

  /** Adds the rows, each scaled to length one in scaled unknowns. */
  #addLevel(tolerance: number): void {
    const { size } = this;
    const { A, count } = this.#level;
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += square(A[i * size + j]! * this.#unknownScales[j]!);
      this.#levelWeight[i] = sum > 0 ? 1 / Math.sqrt(sum) : 0;
    }
    this.solver.addLevel(this.#level, this.#levelRight, this.#levelWeight, tolerance);
  }

  /** Scale of w: the internal load that balances a typical acceleration. */
  #scaleInternalLoads(): void {
    const { Hstar, K, bound, n } = this.robot;
    const scales = this.#unknownScales;
    for (let b = 0; b < bound; b++) {
      let [inertial, binding] = [0, 0];
      for (let j = 0; j < n; j++) {
        inertial += square(Hstar[j * n + j]! * scales[j]! * scales[j]!);
        binding += square(K[b * n + j]! * scales[j]!);
      }
      scales[this.movers + b] = Math.sqrt(inertial / binding);
    }
  }

  #largestAcceleration(): number {
    let largest = 0;
    for (let j = 0; j < this.robot.n; j++) largest = Math.max(largest, Math.abs(this.solver.x[j]!));
    return largest;
  }
}
