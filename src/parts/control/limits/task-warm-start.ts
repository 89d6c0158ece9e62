/** What one solution of limited tasks passes to the next. */
import { refuseSaved } from "../../../saved-data.ts";

/** First guess for a solution: the limits that were active in the last one. Plain data. */
export interface TaskWarmStart {
  /** Active limits of the program with all tasks, and of the one of a single priority; all zero for a cold start. */
  readonly main: Int8Array;
  readonly level: Int8Array;
  /** True if the tasks could not all be done in the last solution. */
  isRelaxed: boolean;
}

/** @param n number of hinge speeds @param m number of task rows @param rows number of further rows */
export const coldStart = (n: number, m: number, rows = 0): TaskWarmStart => ({
  main: new Int8Array(m + 2 * n + rows),
  level: new Int8Array(m + 2 * n + rows),
  isRelaxed: false,
});

export function resetToCold(start: TaskWarmStart): void {
  start.main.fill(0);
  start.level.fill(0);
  start.isRelaxed = false;
}

/** Checks a first guess from saved data. @throws FormatError */
export function checkWarmStart(start: TaskWarmStart, path: string): void {
  for (const key of ["main", "level"] as const) {
    const wrong = start[key].find((side) => Math.abs(side) > 1);
    if (wrong !== undefined) refuseSaved(`${path}.${key}`, "must have the numbers -1, 0 and 1 only", wrong);
  }
}
