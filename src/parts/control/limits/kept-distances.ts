/** Least distances of the law `limited-tasks`: rows of its quadratic program, the check of its guard, and messages. */
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import type { Model } from "../../../model/model.ts";
import type { BrakingGuard, BrakingMemory, BrakingState, ClearanceCheck } from "./braking/braking-guard.ts";
import { BrakingPath } from "./braking/braking-path.ts";
import type { LimitedPair } from "./clearance-limits.ts";
import { ClearanceRows } from "./clearance-rows.ts";
import { ClearanceScan } from "./clearance-scan.ts";
import type { LimitedTaskSolver } from "./limited-task-solver.ts";
import { finalDrift, type SpeedDrift } from "./predict-held-torque.ts";

export class KeptDistances implements ClearanceCheck {
  readonly scan: ClearanceScan;
  readonly path: BrakingPath;
  readonly #pairs: readonly LimitedPair[];
  readonly #rows: ClearanceRows;
  readonly #n: number;
  readonly #T: number;
  /** Accelerations of the stored stop, and mean accelerations of a solution. */
  readonly #stop: Float64Array;
  readonly #means: Float64Array;

  /** @param times length of a step, and time within which a distance may reach its limit, s */
  constructor(
    model: Model,
    robot: Robot<number>,
    pairs: readonly LimitedPair[],
    times: { readonly T: number; readonly horizon: number },
  ) {
    const n = robot.speeds.length;
    this.scan = new ClearanceScan(model, robot, pairs);
    this.path = new BrakingPath(n, times.T);
    this.#pairs = pairs;
    this.#rows = new ClearanceRows(this.scan, this.path, n, times);
    this.#n = n;
    this.#T = times.T;
    [this.#stop, this.#means] = [new Float64Array(n), new Float64Array(n)];
  }

  /** Number of rows in the quadratic program. */
  get rowCount(): number {
    return this.#rows.count;
  }

  /** Linearises the distances at the stored stop. Without a stop there are no rows. */
  begin({ q, rates }: BrakingState, braking: BrakingMemory | undefined, guard: BrakingGuard): void {
    if (!braking?.hasPlan) {
      this.#rows.clear();
      return;
    }
    guard.writeBraking(braking, rates, this.#stop);
    this.#rows.begin(q, rates, this.#stop, braking.decelerations);
  }

  /** Writes the rows for the accelerations at the start of the step: means less the drift of the speeds over T. */
  writeRows({ R, rowLower }: LimitedTaskSolver, drift: SpeedDrift): void {
    const { A, lower, count } = this.#rows;
    const n = this.#n;
    R.set(A);
    for (let r = 0; r < count; r++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += A[r * n + j]! * finalDrift(drift, j, n);
      rowLower[r] = lower[r]! - sum / this.#T;
    }
  }

  /** Linearises the distances at the solution of the solver. Returns whether it keeps them. */
  correct({ q, rates }: BrakingState, braking: BrakingMemory | undefined, solver: LimitedTaskSolver, drift: SpeedDrift): boolean {
    if (!braking?.hasPlan) return true;
    const means = this.#means;
    for (let j = 0; j < this.#n; j++) means[j] = solver.phidd[j]! + finalDrift(drift, j, this.#n) / this.#T;
    const isKept = this.#rows.correct(q, rates, means, braking.decelerations);
    this.writeRows(solver, drift);
    return isKept;
  }

  /** Names the nearest bodies if they are too close at q. */
  violation(q: Float64Array): string | undefined {
    const excess = this.scan.excessAt(q);
    if (excess >= 0) return undefined;
    const distance = this.#pairs[this.scan.nearestPair]!.least + excess;
    return this.#message(this.scan.nearestPair, distance > 0 ? `are ${toFourDigits(distance)} m apart` : "overlap");
  }

  /** Names the bodies of a pair that come too close before the robot is at rest. */
  whileBraking(excess: number, pair: number): string {
    const distance = this.#pairs[pair]!.least + excess;
    const what = distance > 0 ? `come within ${toFourDigits(distance)} m of each other` : "hit each other";
    return this.#message(pair, `${what} before all hinges can be at rest`);
  }

  #message(pair: number, what: string): string {
    const { bodies, least, shapeA, shapeB } = this.#pairs[pair]!;
    const shapes = `${shapeA.kind} ${shapeA.label}, ${shapeB.kind} ${shapeB.label}`;
    return `${bodies[0]} and ${bodies[1]} (${shapes}) ${what}, the least distance is ${least} m`;
  }
}

const toFourDigits = (value: number): number => Number(value.toPrecision(4));
