/**
 * Accelerations φ̈ that do tasks in order of importance, with the least torques, within limits:
 *
 *   min Σ (τ_i / w_i)²   with   J φ̈ = b + s,   τ = H φ̈ + C,   |τ| ≤ torque,   lower ≤ φ̈ ≤ upper
 *
 * If all tasks can be done within the limits, s is zero: one quadratic program. If not, level by level: the rows of a level are done
 * as nearly as limits and levels before allow, then held at what was reached; where that leaves a choice, torques decide. Bounds on φ̈ that torques cannot keep (a hinge is
 * already too fast to stop in time) are kept as nearly as torques allow: torques are the harder limit.
 */
import { type QuadraticProgram, quadraticProgram } from "../../../math/optimise/quadratic-program.ts";

export interface LimitedTaskSolver {
  /** To be written before solving: task rows (m × n) with right sides, H (n × n) and C, bounds. */
  readonly J: Float64Array;
  readonly b: Float64Array;
  readonly H: Float64Array;
  readonly C: Float64Array;
  readonly torqueLower: Float64Array;
  readonly torqueUpper: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** φ̈ and τ, exactly within the torque limits. */
  readonly phidd: Float64Array;
  readonly tau: Float64Array;
  /** J φ̈ - b. */
  readonly slack: Float64Array;
  /** How far φ̈ is beyond its bounds; zero but in emergencies. */
  readonly boundViolation: number;
  /** Number of torques and accelerations at a limit. */
  readonly activeLimits: number;
  /** Whether an acceleration is so near to a bound that what changes within a step may matter. */
  readonly isNearBound: boolean;
  /** Whether the accelerations keep their bounds, which may have changed, but for so much. */
  keepsBounds(but: number): boolean;
  solve(): void;
  /** Takes x as it has been written, within its bounds, and gives its torques within theirs. */
  imposeAccelerations(): void;
}

/** What the torques count beside the tasks while a level is solved: they only decide where the tasks do not. */
const TORQUE_WEIGHT = 1e-10;

/** Slack below this is that of the torques beside the tasks: the tasks can be done. */
const ZERO_SLACK = 1e-7;

/** Whether a value is at a limit, but for rounding. */
const isAtLimit = (value: number, limit: number): boolean => Math.abs(value - limit) <= 1e-9 * (1 + Math.abs(value));

/** `levels`: first row of each level, and m at the end. `scale` of rows: what counts as one. `weight` of torques. */
export function limitedTaskSolver(
  n: number,
  levels: readonly number[],
  scale: Float64Array,
  weight: Float64Array,
): LimitedTaskSolver {
  const m = levels.at(-1)!;
  const main = quadraticProgram(n, m + n);
  const level = quadraticProgram(n, m + n);
  const J = main.A.subarray(0, m * n);
  const H = main.A.subarray(m * n);
  const { xLower: lower, xUpper: upper, x } = main;
  const vector = (size: number): Float64Array => new Float64Array(size);
  const [b, slack] = [vector(m), vector(m)];
  const [C, tau, torqueLower, torqueUpper] = [vector(n), vector(n), vector(n), vector(n)];
  const inverse = weight.map((w) => 1 / (w * w));
  const weighted = vector(n);
  let emergency: QuadraticProgram | undefined;
  let beyond = 0;
  let relaxed = false;
  let [warm, levelWarm]: ("cold" | "warm")[] = ["cold", "cold"];

  /** G = H W H and g = H W C: H is symmetric. */
  function writeCost(): void {
    const { G, g } = main;
    for (let i = 0; i < n; i++) {
      let right = 0;
      for (let k = 0; k < n; k++) {
        weighted[k] = inverse[k]! * H[i * n + k]!;
        right += weighted[k]! * C[k]!;
      }
      g[i] = right;
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += weighted[k]! * H[j * n + k]!;
        G[i * n + j] = sum;
      }
    }
  }

  function writeTorqueRows({ lower: low, upper: high }: QuadraticProgram, first: number): void {
    for (let i = 0; i < n; i++) {
      low[first + i] = torqueLower[i]! - C[i]!;
      high[first + i] = torqueUpper[i]! - C[i]!;
    }
  }

  /** Rows from..to of the level as a sum of squares, rows before them as main has them, rows after them free. */
  function solveLevel(from: number, to: number): boolean {
    const { G, g } = level;
    level.A.set(main.A);
    level.xLower.set(lower);
    level.xUpper.set(upper);
    writeTorqueRows(level, m);
    let [tasks, torques] = [0, 0];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let r = from; r < to; r++) sum += scale[r]! * scale[r]! * J[r * n + i]! * J[r * n + j]!;
        G[i * n + j] = sum;
      }
      let sum = 0;
      for (let r = from; r < to; r++) sum -= scale[r]! * scale[r]! * J[r * n + i]! * b[r]!;
      g[i] = sum;
      tasks = Math.max(tasks, G[i * n + i]!);
      torques = Math.max(torques, main.G[i * n + i]!);
    }
    const part = (TORQUE_WEIGHT * tasks) / torques;
    for (let i = 0; i < n * n; i++) G[i]! += part * main.G[i]!;
    for (let i = 0; i < n; i++) g[i]! += part * main.g[i]!;
    for (let r = 0; r < m; r++) {
      level.lower[r] = r < from ? main.lower[r]! : Number.NEGATIVE_INFINITY;
      level.upper[r] = r < from ? main.upper[r]! : Number.POSITIVE_INFINITY;
    }
    const outcome = level.solve(levelWarm);
    levelWarm = "warm";
    return outcome === "optimal";
  }

  /** Level by level; what a level reaches is what main asks for. False if the limits contradict each other. */
  function relax(): boolean {
    let any = false;
    for (let k = 0; k + 1 < levels.length; k++) {
      const [from, to] = [levels[k]!, levels[k + 1]!];
      if (!solveLevel(from, to)) return any;
      any = true;
      for (let r = from; r < to; r++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += J[r * n + j]! * level.x[j]!;
        main.lower[r] = sum;
        main.upper[r] = sum;
      }
      x.set(level.x);
    }
    return any;
  }

  /** Bounds of φ̈ moved as little as torques make necessary: min Σ v_i² with lower ≤ φ̈ + v ≤ upper, torques within limits. */
  function yieldBounds(): void {
    emergency ??= quadraticProgram(2 * n, 2 * n);
    const { G, A, lower: low, upper: high } = emergency;
    G.fill(0);
    A.fill(0);
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, main.G[i * n + i]!);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        G[2 * i * n + j] = (1e-8 * main.G[i * n + j]!) / largest;
        A[2 * i * n + j] = H[i * n + j]!;
      }
      emergency.g[i] = (1e-8 * main.g[i]!) / largest;
      G[(n + i) * (2 * n + 1)] = 1;
      A[(n + i) * 2 * n + i] = 1;
      A[(n + i) * 2 * n + n + i] = 1;
      low[n + i] = lower[i]!;
      high[n + i] = upper[i]!;
    }
    writeTorqueRows(emergency, 0);
    emergency.solve();
    for (let i = 0; i < n; i++) {
      const value = emergency.x[i]!;
      beyond = Math.max(beyond, lower[i]! - value, value - upper[i]!);
      lower[i] = Math.min(lower[i]!, value);
      upper[i] = Math.max(upper[i]!, value);
    }
  }

  /** Torques and slack of x; the largest slack. */
  function writeResults(): number {
    for (let i = 0; i < n; i++) {
      let sum = C[i]!;
      for (let j = 0; j < n; j++) sum += H[i * n + j]! * x[j]!;
      tau[i] = Math.min(torqueUpper[i]!, Math.max(torqueLower[i]!, sum));
    }
    let most = 0;
    for (let r = 0; r < m; r++) {
      let sum = -b[r]!;
      for (let j = 0; j < n; j++) sum += J[r * n + j]! * x[j]!;
      slack[r] = sum;
      most = Math.max(most, scale[r]! * Math.abs(sum));
    }
    return most;
  }

  return {
    ...{ J, b, H, C, torqueLower, torqueUpper, lower, upper, phidd: x, tau, slack },
    get boundViolation() {
      return beyond;
    },
    get activeLimits() {
      let count = 0;
      for (let i = 0; i < n; i++) {
        const driven = torqueLower[i]! < torqueUpper[i]!;
        if (driven && (isAtLimit(tau[i]!, torqueLower[i]!) || isAtLimit(tau[i]!, torqueUpper[i]!))) count++;
        if (isAtLimit(x[i]!, lower[i]!) || isAtLimit(x[i]!, upper[i]!)) count++;
      }
      return count;
    },
    get isNearBound() {
      for (let i = 0; i < n; i++) {
        const room = Math.min(upper[i]! - x[i]!, x[i]! - lower[i]!);
        const whole = upper[i]! - lower[i]! < Number.POSITIVE_INFINITY ? upper[i]! - lower[i]! : Math.abs(x[i]!);
        if (room < Number.POSITIVE_INFINITY && room <= 20 * Math.abs(x[i]!) + 0.01 * whole) return true;
      }
      return beyond > 0;
    },
    keepsBounds(but) {
      for (let i = 0; i < n; i++) if (x[i]! > upper[i]! + but || x[i]! < lower[i]! - but) return false;
      return true;
    },
    solve() {
      beyond = 0;
      writeCost();
      writeTorqueRows(main, m);
      for (let r = 0; r < m; r++) {
        main.lower[r] = b[r]!;
        main.upper[r] = b[r]!;
      }
      // Where limits stood in the way a moment ago they still do, most of the time.
      if (relaxed || main.solve(warm) !== "optimal") {
        if (!relax()) {
          yieldBounds();
          relax();
        }
        relaxed = true;
        warm = "cold";
      } else warm = "warm";
      const most = writeResults();
      relaxed &&= most > ZERO_SLACK;
    },
    imposeAccelerations() {
      beyond = 0;
      for (let i = 0; i < n; i++) x[i] = Math.min(upper[i]!, Math.max(lower[i]!, x[i]!));
      writeResults();
    },
  };
}
