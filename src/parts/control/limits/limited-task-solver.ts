/**
 * Hinge accelerations φ̈ that do tasks in order of priority, with the smallest torques, within limits:
 *
 *   min Σ (τ_i / w_i)²   with   J φ̈ = b + s,   τ = H φ̈ + C,   |τ| ≤ torque,   lower ≤ φ̈ ≤ upper,   R φ̈ ≥ rowLower
 *
 * If all tasks can be done within the limits, the slack s is zero: one quadratic program. Otherwise the priorities are solved one after
 * the other. The rows of a priority are done as nearly as the limits and the higher priorities allow, then fixed at the values reached. Where
 * that leaves a choice, the torques decide. Torque limits are harder than bounds of φ̈: where a hinge is already too fast to stop in time,
 * its bounds are kept as nearly as the torques allow, and the rows R are dropped.
 */
import { type QuadraticProgram, quadraticProgram } from "../../../math/optimise/quadratic-program.ts";
import { BoundRelaxation, writeTorqueRows } from "./relax-bounds.ts";
import { coldStart, type TaskWarmStart } from "./task-warm-start.ts";

/** Weight of the torques beside the tasks of a priority: they only decide where the tasks do not. */
const TORQUE_WEIGHT = 1e-10;
/** Slack below this is an effect of TORQUE_WEIGHT: the tasks can be done. */
const ZERO_SLACK = 1e-7;

/** True if a value is at a limit, up to rounding. */
const isAtLimit = (value: number, limit: number): boolean => Math.abs(value - limit) <= 1e-9 * (1 + Math.abs(value));

export class LimitedTaskSolver {
  /** Inputs, to be written before `solve`: task rows (m × n) and right sides, H (n × n) and C, bounds of torques and of φ̈. */
  readonly J: Float64Array;
  readonly b: Float64Array;
  readonly H: Float64Array;
  readonly C: Float64Array;
  readonly torqueLower: Float64Array;
  readonly torqueUpper: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Further rows R (r × n) and their lower bounds. */
  readonly R: Float64Array;
  readonly rowLower: Float64Array;
  /** Results: φ̈, τ exactly within the torque limits, and slack J φ̈ - b. */
  readonly phidd: Float64Array;
  readonly tau: Float64Array;
  readonly slack: Float64Array;
  /** Largest distance of φ̈ from its bounds; zero except in emergencies. */
  boundViolation = 0;
  readonly #n: number;
  /** First row of each priority, and m at the end. */
  readonly #levels: readonly number[];
  /** Scales of the task rows: a scaled row of 1 is typical. */
  readonly #scale: Float64Array;
  readonly #inverseWeight: Float64Array;
  readonly #weightedRow: Float64Array;
  /** The program with all tasks as equations, the one of a single priority, and the one that finds the least violation of bounds. */
  readonly #main: QuadraticProgram;
  readonly #level: QuadraticProgram;
  #emergency: BoundRelaxation | undefined;

  /**
   * @param n number of hinge speeds
   * @param levels first row of each priority, and the number of rows at the end
   * @param scale of the rows
   * @param weight torques that count as one
   * @param rows number of further rows
   */
  constructor(n: number, levels: readonly number[], scale: Float64Array, weight: Float64Array, rows = 0) {
    const m = levels.at(-1)!;
    const main = quadraticProgram(n, m + n + rows);
    const vector = (size: number): Float64Array => new Float64Array(size);
    this.#n = n;
    this.#levels = levels;
    this.#scale = scale;
    this.#main = main;
    this.#level = quadraticProgram(n, m + n + rows);
    for (const { upper } of [main, this.#level]) upper.fill(Number.POSITIVE_INFINITY, m + n);
    this.#inverseWeight = weight.map((w) => 1 / (w * w));
    this.#weightedRow = vector(n);
    this.J = main.A.subarray(0, m * n);
    this.H = main.A.subarray(m * n, (m + n) * n);
    this.R = main.A.subarray((m + n) * n);
    this.rowLower = vector(rows).fill(Number.NEGATIVE_INFINITY);
    this.lower = main.xLower;
    this.upper = main.xUpper;
    this.phidd = main.x;
    [this.b, this.slack] = [vector(m), vector(m)];
    [this.C, this.tau, this.torqueLower, this.torqueUpper] = [vector(n), vector(n), vector(n), vector(n)];
  }

  /** Number of torques and accelerations at a limit. */
  get activeLimits(): number {
    const { torqueLower, torqueUpper, tau, phidd, lower, upper } = this;
    let count = 0;
    for (let i = 0; i < this.#n; i++) {
      const isDriven = torqueLower[i]! < torqueUpper[i]!;
      if (isDriven && (isAtLimit(tau[i]!, torqueLower[i]!) || isAtLimit(tau[i]!, torqueUpper[i]!))) count++;
      if (isAtLimit(phidd[i]!, lower[i]!) || isAtLimit(phidd[i]!, upper[i]!)) count++;
    }
    for (let r = 0; r < this.rowLower.length; r++) if (isAtLimit(this.#rowValue(r), this.rowLower[r]!)) count++;
    return count;
  }

  /** R φ̈ of row r. */
  #rowValue(r: number): number {
    const n = this.#n;
    let sum = 0;
    for (let j = 0; j < n; j++) sum += this.R[r * n + j]! * this.phidd[j]!;
    return sum;
  }

  /** True if an acceleration is so close to a bound that changes within a step may matter. */
  get isNearBound(): boolean {
    const { phidd, lower, upper } = this;
    for (let i = 0; i < this.#n; i++) {
      const distance = Math.min(upper[i]! - phidd[i]!, phidd[i]! - lower[i]!);
      const range = upper[i]! - lower[i]! < Number.POSITIVE_INFINITY ? upper[i]! - lower[i]! : Math.abs(phidd[i]!);
      if (distance < Number.POSITIVE_INFINITY && distance <= 20 * Math.abs(phidd[i]!) + 0.01 * range) return true;
    }
    // A row has entries up to 1, so its value changes at most by the sum of |φ̈|.
    let sum = 0;
    for (let i = 0; i < this.#n; i++) sum += Math.abs(phidd[i]!);
    for (let r = 0; r < this.rowLower.length; r++) if (this.#rowValue(r) - this.rowLower[r]! <= sum) return true;
    return this.boundViolation > 0;
  }

  /** True if the accelerations keep their bounds, which may have changed since the solution, up to a tolerance. */
  keepsBounds(tolerance: number): boolean {
    const { phidd, lower, upper } = this;
    for (let i = 0; i < this.#n; i++) if (phidd[i]! > upper[i]! + tolerance || phidd[i]! < lower[i]! - tolerance) return false;
    return true;
  }

  /** @param start first guess; receives the one for the next solution. Default: a cold start */
  solve(start: TaskWarmStart = coldStart(this.#n, this.b.length, this.rowLower.length)): void {
    const { b } = this;
    const main = this.#main;
    const m = b.length;
    this.boundViolation = 0;
    this.#writeCost();
    writeTorqueRows(this, main, m);
    main.lower.set(this.rowLower, m + this.#n);
    for (let r = 0; r < m; r++) {
      main.lower[r] = b[r]!;
      main.upper[r] = b[r]!;
    }
    main.side.set(start.main);
    // If limits prevented the tasks at the last update, they most likely still do: go straight to the priorities.
    if (start.isRelaxed || main.solve("warm") !== "optimal") {
      this.#level.side.set(start.level);
      if (!this.#solveLevels()) {
        this.#emergency ??= new BoundRelaxation(this.#n);
        this.boundViolation = this.#emergency.relax(this, main);
        main.lower.fill(Number.NEGATIVE_INFINITY, m + this.#n);
        this.#solveLevels();
      }
      start.level.set(this.#level.side);
      start.isRelaxed = true;
      start.main.fill(0);
    } else start.main.set(main.side);
    const largestSlack = this.#writeResults();
    start.isRelaxed &&= largestSlack > ZERO_SLACK;
  }

  /** Clips `phidd` as the caller has written it to its bounds, and computes its torques within theirs. */
  imposeAccelerations(): void {
    const { phidd, lower, upper } = this;
    this.boundViolation = 0;
    for (let i = 0; i < this.#n; i++) phidd[i] = Math.min(upper[i]!, Math.max(lower[i]!, phidd[i]!));
    this.#writeResults();
  }

  /** G = H W H and g = H W C. H is symmetric. */
  #writeCost(): void {
    const { G, g } = this.#main;
    const { H, C } = this;
    const n = this.#n;
    const inverse = this.#inverseWeight;
    const weightedRow = this.#weightedRow;
    for (let i = 0; i < n; i++) {
      let right = 0;
      for (let k = 0; k < n; k++) {
        weightedRow[k] = inverse[k]! * H[i * n + k]!;
        right += weightedRow[k]! * C[k]!;
      }
      g[i] = right;
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += weightedRow[k]! * H[j * n + k]!;
        G[i * n + j] = sum;
      }
    }
  }

  /**
   * Solves the priorities one after the other. The rows of each are then fixed in the main program at the values reached. Returns false if
   * the limits contradict each other.
   */
  #solveLevels(): boolean {
    const { J } = this;
    const n = this.#n;
    const levels = this.#levels;
    const main = this.#main;
    const level = this.#level;
    let isAnySolved = false;
    for (let k = 0; k + 1 < levels.length; k++) {
      const from = levels[k]!;
      const to = levels[k + 1]!;
      if (!this.#solveLevel(from, to)) return isAnySolved;
      isAnySolved = true;
      for (let r = from; r < to; r++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += J[r * n + j]! * level.x[j]!;
        main.lower[r] = sum;
        main.upper[r] = sum;
      }
      this.phidd.set(level.x);
    }
    return isAnySolved;
  }

  /** Minimises the squared errors of rows from..to. Rows before them are fixed as in the main program, rows after them are free. */
  #solveLevel(from: number, to: number): boolean {
    const { J, b, lower, upper } = this;
    const n = this.#n;
    const scale = this.#scale;
    const main = this.#main;
    const level = this.#level;
    const { G, g } = level;
    const m = b.length;
    level.A.set(main.A);
    level.xLower.set(lower);
    level.xUpper.set(upper);
    writeTorqueRows(this, level, m);
    for (let r = m + n; r < level.lower.length; r++) level.lower[r] = main.lower[r]!;
    let largestTask = 0;
    let largestTorque = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let r = from; r < to; r++) sum += scale[r]! * scale[r]! * J[r * n + i]! * J[r * n + j]!;
        G[i * n + j] = sum;
      }
      let sum = 0;
      for (let r = from; r < to; r++) sum -= scale[r]! * scale[r]! * J[r * n + i]! * b[r]!;
      g[i] = sum;
      largestTask = Math.max(largestTask, G[i * n + i]!);
      largestTorque = Math.max(largestTorque, main.G[i * n + i]!);
    }
    const torqueWeight = (TORQUE_WEIGHT * largestTask) / largestTorque;
    for (let i = 0; i < n * n; i++) G[i]! += torqueWeight * main.G[i]!;
    for (let i = 0; i < n; i++) g[i]! += torqueWeight * main.g[i]!;
    for (let r = 0; r < m; r++) {
      level.lower[r] = r < from ? main.lower[r]! : Number.NEGATIVE_INFINITY;
      level.upper[r] = r < from ? main.upper[r]! : Number.POSITIVE_INFINITY;
    }
    return level.solve("warm") === "optimal";
  }

  /** Computes torques and slack of `phidd`. Returns the largest scaled slack. */
  #writeResults(): number {
    const { J, b, H, C, phidd, tau, slack, torqueLower, torqueUpper } = this;
    const n = this.#n;
    for (let i = 0; i < n; i++) {
      let sum = C[i]!;
      for (let j = 0; j < n; j++) sum += H[i * n + j]! * phidd[j]!;
      tau[i] = Math.min(torqueUpper[i]!, Math.max(torqueLower[i]!, sum));
    }
    let most = 0;
    for (let r = 0; r < b.length; r++) {
      let sum = -b[r]!;
      for (let j = 0; j < n; j++) sum += J[r * n + j]! * phidd[j]!;
      slack[r] = sum;
      most = Math.max(most, this.#scale[r]! * Math.abs(sum));
    }
    return most;
  }
}
