/**
 * Thrusts between zero and their limits. The torque optimum of closed-tasks.ts holds if all its thrusts are within their limits. Otherwise a
 * quadratic program decides the freedom that the tasks leave. If no thrusts within the limits do the tasks, each priority is done as nearly
 * as possible, the first one first: min |D (J x - b)|² within the limits, with the rows of higher priorities kept at the values reached.
 */
import { square } from "../../../math/elementary/power.ts";
import { quadraticProgram } from "../../../math/optimise/quadratic-program.ts";
import type { ClosedTasks } from "./closed-tasks.ts";

/** Weight of torques beside the tasks of a priority: they only decide where the tasks do not. */
const TORQUE_WEIGHT = 1e-10;

export class ThrustLimits {
  /** True if the limits prevented the tasks at the last solution. */
  isBeyond = false;
  readonly #limits: Float64Array;
  readonly #programs = new Map<string, ReturnType<typeof quadraticProgram>>();
  #B = new Float64Array(0);
  #reached = new Float64Array(0);

  /** @param limits largest thrusts, N; may be infinite */
  constructor(limits: Float64Array) {
    this.#limits = limits;
  }

  /** Corrects the optimum x of `tasks.solver`, with the weights of its outputs, if a thrust is beyond its limits. */
  impose(tasks: ClosedTasks, levels: readonly number[], weight: Float64Array, t: number): void {
    this.isBeyond = false;
    if (this.#keepsLimits(tasks)) return;
    if (this.#solveFreedom(tasks, weight)) return;
    this.isBeyond = true;
    this.#solveLevels(tasks, levels, weight, t);
  }

  #keepsLimits({ solver: { x }, robot: { n } }: ClosedTasks): boolean {
    const limits = this.#limits;
    for (let i = 0; i < limits.length; i++) if (x[n + i]! < 0 || x[n + i]! > limits[i]!) return false;
    return true;
  }

  #program(n: number, m: number): ReturnType<typeof quadraticProgram> {
    const key = `${n} ${m}`;
    let program = this.#programs.get(key);
    if (!program) {
      program = quadraticProgram(n, m);
      this.#programs.set(key, program);
    }
    return program;
  }

  /** G and g of ½ |diag(weight) (output (x + N z) + outputAtZero)|² over z, both times `factor`; added to what is there. */
  #addTorqueCost(tasks: ClosedTasks, weight: Float64Array, factor: number, G: Float64Array, g: Float64Array): void {
    const { solver, output, outputAtZero, size, movers } = tasks;
    const { N, freedom, x } = solver;
    if (this.#B.length < movers * (freedom + 1)) this.#B = new Float64Array(movers * (size + 1));
    const B = this.#B;
    for (let i = 0; i < movers; i++)
      for (let k = 0; k <= freedom; k++) {
        let sum = k === freedom ? outputAtZero[i]! : 0;
        for (let j = 0; j < size; j++) sum += output[i * size + j]! * (k === freedom ? x[j]! : N[k * size + j]!);
        B[k * movers + i] = weight[i]! * sum;
      }
    for (let a = 0; a < freedom; a++)
      for (let b = 0; b <= freedom; b++) {
        let sum = 0;
        for (let i = 0; i < movers; i++) sum += B[a * movers + i]! * B[b * movers + i]!;
        if (b === freedom) g[a]! += factor * sum;
        else G[a * freedom + b]! += factor * sum;
      }
  }

  /** The rows 0 ≤ f ≤ limit of a program over z, from row `first` on. */
  #writeLimits({ solver, robot, size }: ClosedTasks, program: ReturnType<typeof quadraticProgram>, first: number): void {
    const { N, freedom, x } = solver;
    for (const [i, limit] of this.#limits.entries()) {
      const j = robot.n + i;
      for (let k = 0; k < freedom; k++) program.A[(first + i) * freedom + k] = N[k * size + j]!;
      program.lower[first + i] = -x[j]!;
      program.upper[first + i] = limit - x[j]!;
    }
  }

  /** Decides the freedom that the tasks leave, within the limits. Returns false if there is no such solution. */
  #solveFreedom(tasks: ClosedTasks, weight: Float64Array): boolean {
    const { freedom } = tasks.solver;
    if (freedom === 0) return false;
    const program = this.#program(freedom, this.#limits.length);
    program.G.fill(0);
    program.g.fill(0);
    this.#addTorqueCost(tasks, weight, 1, program.G, program.g);
    this.#writeLimits(tasks, program, 0);
    if (program.solve() !== "optimal") return false;
    this.#move(tasks, program.x);
    return true;
  }

  #solveLevels(tasks: ClosedTasks, levels: readonly number[], weight: Float64Array, t: number): void {
    tasks.begin(t);
    const { solver, J, right, size, rowScales } = tasks;
    const { N, freedom, x } = solver;
    const m = levels.at(-1)!;
    if (freedom === 0) return;
    const program = this.#program(freedom, m + this.#limits.length);
    if (this.#reached.length < m) this.#reached = new Float64Array(m);
    const reached = this.#reached;
    for (let r = 0; r < m; r++)
      for (let k = 0; k < freedom; k++) {
        let sum = 0;
        for (let j = 0; j < size; j++) sum += J[r * size + j]! * N[k * size + j]!;
        program.A[r * freedom + k] = sum;
      }
    this.#writeLimits(tasks, program, m);
    const rowAt = (r: number, z: Float64Array): number => {
      let sum = 0;
      for (let k = 0; k < freedom; k++) sum += program.A[r * freedom + k]! * z[k]!;
      return sum;
    };
    const solution = new Float64Array(freedom);
    for (let level = 0; level + 1 < levels.length; level++) {
      const [from, to] = [levels[level]!, levels[level + 1]!];
      program.G.fill(0);
      program.g.fill(0);
      this.#addTorqueCost(tasks, weight, 1, program.G, program.g);
      let [torque, task] = [0, 0];
      for (let a = 0; a < freedom; a++) torque = Math.max(torque, program.G[a * freedom + a]!);
      for (let r = from; r < to; r++)
        for (let a = 0; a < freedom; a++) task = Math.max(task, square(rowScales[r]! * program.A[r * freedom + a]!));
      const share = torque > 0 ? (TORQUE_WEIGHT * (task > 0 ? task : 1)) / torque : 0;
      for (let i = 0; i < freedom * freedom; i++) program.G[i]! *= share;
      for (let i = 0; i < freedom; i++) program.g[i]! *= share;
      for (let r = 0; r < m; r++) {
        program.lower[r] = r < from ? reached[r]! : Number.NEGATIVE_INFINITY;
        program.upper[r] = r < from ? reached[r]! : Number.POSITIVE_INFINITY;
      }
      for (let r = from; r < to; r++) {
        let error = -right[r]!;
        for (let j = 0; j < size; j++) error += J[r * size + j]! * x[j]!;
        for (let a = 0; a < freedom; a++) {
          const entry = square(rowScales[r]!) * program.A[r * freedom + a]!;
          program.g[a]! += entry * error;
          for (let b = 0; b < freedom; b++) program.G[a * freedom + b]! += entry * program.A[r * freedom + b]!;
        }
      }
      if (program.solve() !== "optimal") break; // the values reached before are kept
      solution.set(program.x);
      for (let r = from; r < to; r++) reached[r] = rowAt(r, solution);
    }
    this.#move(tasks, solution);
  }

  /** x += N z, with thrusts exactly within their limits. */
  #move({ solver, size, robot }: ClosedTasks, z: Float64Array): void {
    const { N, freedom, x } = solver;
    for (let k = 0; k < freedom; k++) for (let j = 0; j < size; j++) x[j]! += N[k * size + j]! * z[k]!;
    for (const [i, limit] of this.#limits.entries()) {
      const j = robot.n + i;
      x[j] = Math.min(limit, Math.max(0, x[j]!));
    }
  }
}
