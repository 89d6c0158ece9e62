/**
 * Thrusts between zero and their limits. The torque optimum of closed-tasks.ts holds if all its thrusts are within their limits. Otherwise a
 * quadratic program decides the freedom that the tasks leave. If no thrusts within the limits do the tasks, each priority is done as nearly
 * as possible, the first one first: min |D (J x - b)|² within the limits, with the rows of higher priorities kept at the values reached.
 *
 * The programs are in coordinates y of the free directions in which the cost is ½ |y|²: x = x* + V y, with x* the optimum without limits and
 * the columns of diag(weight) output V orthonormal. Wheels and arms then do not differ by many powers of ten.
 */
import { square } from "../../../math/elementary/power.ts";
import { quadraticProgram } from "../../../math/optimise/quadratic-program.ts";
import type { ClosedTasks } from "./closed-tasks.ts";

/** Weight of torques beside the tasks of a priority: they only decide where the tasks do not. */
const TORQUE_WEIGHT = 1e-10;
/** Directions that change the outputs by less than this, relative to their length, are left out. */
const DEPENDENT = 1e-12;

type ThrustProgram = ReturnType<typeof quadraticProgram>;

export class ThrustLimits {
  /** True if the limits prevented the tasks at the last solution. */
  isBeyond = false;
  readonly #limits: Float64Array;
  readonly #programs = new Map<string, ThrustProgram>();
  /** Columns of V and of diag(weight) output V, and their number. */
  #V = new Float64Array(0);
  #B = new Float64Array(0);
  #columns = 0;
  #reached = new Float64Array(0);
  #y = new Float64Array(0);

  /** @param limits largest thrusts, N; may be infinite */
  constructor(limits: Float64Array) {
    this.#limits = limits;
  }

  /** Corrects the optimum x of `tasks.solver`, with the weights of its outputs, if a thrust is beyond its limits. */
  impose(tasks: ClosedTasks, levels: readonly number[], weight: Float64Array, t: number): void {
    this.isBeyond = false;
    if (this.#keepsLimits(tasks) || this.#solveFreedom(tasks, weight)) return;
    this.isBeyond = true;
    this.#solveLevels(tasks, levels, weight, t);
  }

  #keepsLimits({ solver: { x }, robot: { n } }: ClosedTasks): boolean {
    const limits = this.#limits;
    for (let i = 0; i < limits.length; i++) if (x[n + i]! < 0 || x[n + i]! > limits[i]!) return false;
    return true;
  }

  /** Decides the freedom that the tasks leave, within the limits. Returns false if there is no such solution. */
  #solveFreedom(tasks: ClosedTasks, weight: Float64Array): boolean {
    this.#writeBasis(tasks, weight);
    if (this.#columns === 0) return false;
    const program = this.#program(this.#columns, this.#limits.length);
    this.#writeUnitCost(program, 1);
    this.#writeLimits(tasks, program, 0);
    if (program.solve() !== "optimal") return false;
    this.#move(tasks, program.x);
    return true;
  }

  /** Does each priority as nearly as the limits permit. */
  #solveLevels(tasks: ClosedTasks, levels: readonly number[], weight: Float64Array, t: number): void {
    const { solver, J, size } = tasks;
    tasks.begin(t);
    solver.minimise(tasks.output, tasks.outputAtZero, tasks.movers, weight);
    this.#writeBasis(tasks, weight);
    const m = levels.at(-1)!;
    const k = this.#columns;
    if (k === 0) return;
    const program = this.#program(k, m + this.#limits.length);
    if (this.#reached.length < m) this.#reached = new Float64Array(m);
    if (this.#y.length !== k) this.#y = new Float64Array(k);
    const reached = this.#reached;
    const y = this.#y.fill(0);
    for (let r = 0; r < m; r++)
      for (let c = 0; c < k; c++) {
        let sum = 0;
        for (let j = 0; j < size; j++) sum += J[r * size + j]! * this.#V[c * size + j]!;
        program.A[r * k + c] = sum;
      }
    this.#writeLimits(tasks, program, m);
    for (let level = 0; level + 1 < levels.length; level++) {
      const [from, to] = [levels[level]!, levels[level + 1]!];
      this.#writeTaskCost(tasks, program, from, to);
      for (let r = 0; r < m; r++) {
        program.lower[r] = r < from ? reached[r]! : Number.NEGATIVE_INFINITY;
        program.upper[r] = r < from ? reached[r]! : Number.POSITIVE_INFINITY;
      }
      if (program.solve() !== "optimal") break; // what was reached before is kept
      y.set(program.x);
      for (let r = from; r < to; r++) {
        reached[r] = 0;
        for (let c = 0; c < k; c++) reached[r]! += program.A[r * k + c]! * y[c]!;
      }
    }
    this.#move(tasks, y);
  }

  #program(n: number, m: number): ThrustProgram {
    const key = `${n} ${m}`;
    let program = this.#programs.get(key);
    if (!program) {
      program = quadraticProgram(n, m);
      this.#programs.set(key, program);
    }
    return program;
  }

  /** V from the free directions of the solver, by Gram-Schmidt in the metric of the cost, twice against rounding. */
  #writeBasis(tasks: ClosedTasks, weight: Float64Array): void {
    const { solver, output, size, movers } = tasks;
    const { N, freedom } = solver;
    if (this.#V.length < size * size) {
      this.#V = new Float64Array(size * size);
      this.#B = new Float64Array(movers * size);
    }
    const [V, B] = [this.#V, this.#B];
    this.#columns = 0;
    for (let f = 0; f < freedom; f++) {
      const c = this.#columns;
      for (let j = 0; j < size; j++) V[c * size + j] = N[f * size + j]!;
      for (let i = 0; i < movers; i++) {
        let sum = 0;
        for (let j = 0; j < size; j++) sum += output[i * size + j]! * V[c * size + j]!;
        B[c * movers + i] = weight[i]! * sum;
      }
      const length = lengthOf(B, c * movers, movers);
      for (let round = 0; round < 2; round++)
        for (let p = 0; p < c; p++) {
          let overlap = 0;
          for (let i = 0; i < movers; i++) overlap += B[p * movers + i]! * B[c * movers + i]!;
          for (let i = 0; i < movers; i++) B[c * movers + i]! -= overlap * B[p * movers + i]!;
          for (let j = 0; j < size; j++) V[c * size + j]! -= overlap * V[p * size + j]!;
        }
      const rest = lengthOf(B, c * movers, movers);
      if (!(rest > DEPENDENT * length)) continue;
      for (let i = 0; i < movers; i++) B[c * movers + i]! /= rest;
      for (let j = 0; j < size; j++) V[c * size + j]! /= rest;
      this.#columns++;
    }
  }

  /** The cost ½ factor |y|². */
  #writeUnitCost({ G, g, n }: ThrustProgram, factor: number): void {
    G.fill(0);
    g.fill(0);
    for (let c = 0; c < n; c++) G[c * n + c] = factor;
  }

  /** The cost ½ |D (J x - b)|² of rows from..to of the tasks, with a little of that of the torques. */
  #writeTaskCost(
    { J, right, size, rowScales, solver: { x } }: ClosedTasks,
    program: ThrustProgram,
    from: number,
    to: number,
  ): void {
    const { A, G, g, n } = program;
    let largest = 0;
    for (let r = from; r < to; r++)
      for (let c = 0; c < n; c++) largest = Math.max(largest, square(rowScales[r]! * A[r * n + c]!));
    this.#writeUnitCost(program, TORQUE_WEIGHT * (largest > 0 ? largest : 1));
    for (let r = from; r < to; r++) {
      let error = -right[r]!;
      for (let j = 0; j < size; j++) error += J[r * size + j]! * x[j]!;
      for (let a = 0; a < n; a++) {
        const entry = square(rowScales[r]!) * A[r * n + a]!;
        g[a]! += entry * error;
        for (let b = 0; b <= a; b++) G[a * n + b]! += entry * A[r * n + b]!;
      }
    }
  }

  /** The rows 0 ≤ f ≤ limit of a program over y, from row `first` on. */
  #writeLimits({ solver: { x }, robot, size }: ClosedTasks, { A, lower, upper, n }: ThrustProgram, first: number): void {
    const limits = this.#limits;
    for (let i = 0; i < limits.length; i++) {
      const j = robot.n + i;
      for (let c = 0; c < n; c++) A[(first + i) * n + c] = this.#V[c * size + j]!;
      lower[first + i] = -x[j]!;
      upper[first + i] = limits[i]! - x[j]!;
    }
  }

  /** x += V y, with thrusts exactly within their limits. */
  #move({ solver: { x }, size, robot }: ClosedTasks, y: Float64Array): void {
    const limits = this.#limits;
    for (let c = 0; c < this.#columns; c++) for (let j = 0; j < size; j++) x[j]! += this.#V[c * size + j]! * y[c]!;
    for (let i = 0; i < limits.length; i++) {
      const j = robot.n + i;
      x[j] = Math.min(limits[i]!, Math.max(0, x[j]!));
    }
  }
}

function lengthOf(v: Float64Array, first: number, count: number): number {
  let squares = 0;
  for (let i = first; i < first + count; i++) squares += v[i]! * v[i]!;
  return Math.sqrt(squares);
}
