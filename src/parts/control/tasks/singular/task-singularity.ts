/** Singular postures: the check that the hinges can move the rows of the tasks of first priority. */
import { SingularError } from "../../../../errors.ts";
import { symmetricEigen } from "../../../../math/eigen/symmetric-eigen.ts";
import type { HierarchicalLeastSquares } from "../../../../math/optimise/hierarchical-least-squares.ts";
import type { NoteProblem } from "../../../../sim/system/create-checked.ts";
import type { TaskStack } from "../task-stack.ts";

/** The quick estimate of the smallest singular value is trusted above this multiple of the limit. */
const TRUSTED_ESTIMATE = 1.5;

/** Notes held hinges without motor, and more rows of the first priority than hinges, unless loops or thrusters may move them. */
export function checkFreedom(
  stack: TaskStack,
  held: readonly number[],
  passive: readonly number[],
  isSupported: boolean,
  onBase: readonly string[],
  note: NoteProblem,
): void {
  const { names, robot, n } = stack;
  for (const j of held) if (passive.includes(j)) note("held", `${robot.names[j]} has no motor to hold it`);
  const firstRows = stack.levels[1] ?? 0;
  const free = n - held.length - passive.length;
  if (firstRows <= free || isSupported) return;
  const translation = names.slice(0, firstRows).find((row) => isBaseTranslation(row, onBase));
  note(
    "tasks",
    `${firstRows} rows of the first priority are more than the ${free} hinges for them`,
    translation === undefined ? "Give some tasks a lower priority" : momentumAdvice(translation),
  );
}

/** Rows of tasks over some unknowns, and how they are solved. */
export interface TaskLevels {
  /** Name of the law, smallest singular value that is allowed, and the time. */
  readonly name: string;
  readonly limit: number;
  t: number;
  /** True if thrusters or a foothold support the robot, so that momentum does not bind the base. */
  readonly isSupported: boolean;
  /** Names of frames on the robot's base. */
  readonly onBase: readonly string[];
  /** All rows, n numbers each, and their names. */
  readonly A: Float64Array;
  readonly n: number;
  readonly names: readonly string[];
  /** First row of each priority, and the number of rows at the end. */
  readonly levels: readonly number[];
  /** Names of the first unknowns: hinges and thrusters. */
  readonly unknowns: readonly string[];
  /** Scales of rows and of all unknowns. */
  readonly rows: Float64Array;
  readonly columns: Float64Array;
  /** Starts a solution with the equations before the tasks. */
  begin(t: number): void;
}

/**
 * Solves all priorities of the tasks after `begin`. The first one holds exactly.
 * @throws SingularError if its smallest singular value is below the limit
 */
export function solveTaskLevels(tasks: TaskLevels, right: Float64Array, solver: HierarchicalLeastSquares): void {
  const { A, levels, limit, t, rows } = tasks;
  tasks.begin(t);
  for (let level = 0; level + 1 < levels.length; level++) {
    const first = levels[level]!;
    const priority = { A, first, count: levels[level + 1]! - first };
    solver.addLevel(priority, right, rows, level === 0 ? 0 : limit);
    if (level > 0 || solver.smallestSingularValueExceeds(limit) || solver.smallestSingularValue() > TRUSTED_ESTIMATE * limit)
      continue;
    tasks.begin(t);
    checkSingularity(tasks, solver, priority.count);
    solver.addLevel(priority, right, rows, 0);
  }
}

/** Throws a SingularError if the free directions N move one of the first `count` rows too little. */
function checkSingularity(tasks: TaskLevels, { N, freedom }: HierarchicalLeastSquares, count: number): void {
  const { name, limit, t, isSupported, onBase, A, n, names, unknowns, rows, columns } = tasks;
  const { singular, left, right } = smallestSingularValue(A, rows, N, n, freedom, count);
  if (singular >= limit) return;
  const row = names[indexOfLargest(left)]!;
  const motion = unknowns.map((_, j) => Math.abs(right[j]! / columns[j]!));
  const movers = unknowns.filter((_, j) => motion[j]! > 0.5 * Math.max(...motion));
  const translation = names.find((other, i) => isBaseTranslation(other, onBase) && Math.abs(left[i] ?? 0) > 0.3);
  const advice =
    isSupported || translation === undefined
      ? "Choose another path or posture, give a task a lower priority, or use a singularity-robust controller"
      : momentumAdvice(translation);
  throw new SingularError(
    `${name}: at t = ${Number(t.toPrecision(6))} s the smallest singular value of the scaled generalised Jacobian is ` +
      `${singular.toExponential(2)}, below ${limit}: ${movers.join(", ") || "nothing"} can hardly move ${row} there. ${advice}`,
  );
}

/** What to do about a translation of the base that momentum prevents. */
export const momentumAdvice = (row: string): string =>
  `Momentum binds ${row} to the hinges: without a force from outside, the base moves only as far as they move masses the other way. Add ` +
  "thrusters or a foothold, or give this task a lower priority";

/** True for a row that translates a frame of the base relative to the world. */
export const isBaseTranslation = (row: string, onBase: readonly string[]): boolean =>
  onBase.some((frame) => row === `${frame}.x` || row === `${frame}.y` || row === `${frame}.z`);

/** The smallest singular value of D J N, its left vector over the rows, and its direction N v over the hinges. Allocates. */
function smallestSingularValue(
  J: Float64Array,
  rowScale: Float64Array,
  N: Float64Array,
  n: number,
  freedom: number,
  count: number,
): { readonly singular: number; readonly left: Float64Array; readonly right: Float64Array } {
  const reducedJacobian = new Float64Array(count * freedom);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < freedom; k++)
      for (let j = 0; j < n; j++) reducedJacobian[i * freedom + k]! += rowScale[i]! * J[i * n + j]! * N[k * n + j]!;
  const gram = new Float64Array(count * count);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < count; b++)
      for (let k = 0; k < freedom; k++)
        gram[a * count + b]! += reducedJacobian[a * freedom + k]! * reducedJacobian[b * freedom + k]!;
  const { values, vectors } = symmetricEigen(gram, count);
  let least = 0;
  for (let k = 1; k < count; k++) if (values[k]! < values[least]!) least = k;
  const left = Float64Array.from({ length: count }, (_, i) => vectors[i * count + least]!);
  const right = new Float64Array(n);
  for (let k = 0; k < freedom; k++) {
    let v = 0;
    for (let i = 0; i < count; i++) v += reducedJacobian[i * freedom + k]! * left[i]!;
    for (let j = 0; j < n; j++) right[j]! += N[k * n + j]! * v;
  }
  return { singular: freedom < count ? 0 : Math.sqrt(Math.max(0, values[least]!)), left, right };
}

const indexOfLargest = (v: Float64Array): number => v.reduce((best, x, i) => (Math.abs(x) > Math.abs(v[best]!) ? i : best), 0);
