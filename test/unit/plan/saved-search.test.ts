/** Searches that are saved and restored continue exactly, and refuse data that do not fit. */
import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/errors.ts";
import type { PlannedPath } from "../../../src/plan/ground-paths/a-star.ts";
import { DStarLite } from "../../../src/plan/ground-paths/d-star-lite.ts";
import type { CostGrid } from "../../../src/plan/ground-paths/travel-time.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const SIDE = 24;
const GOAL = SIDE * SIDE - 1;

/** A level grid: many paths have equal costs, so the order of the queue decides. */
function levelGrid(): CostGrid {
  const blocked = new Uint8Array(SIDE * SIDE);
  return {
    columns: SIDE,
    rows: SIDE,
    blocked,
    cost: (cell, di, dj) =>
      blocked[cell] !== 0 || blocked[cell + dj * SIDE + di] !== 0 ? Number.POSITIVE_INFINITY : Math.sqrt(di * di + dj * dj),
    bound: (from, to) => {
      const [dx, dy] = [(to % SIDE) - (from % SIDE), Math.floor(to / SIDE) - Math.floor(from / SIDE)];
      return Math.sqrt(dx * dx + dy * dy);
    },
  };
}

interface Search {
  readonly grid: CostGrid;
  readonly search: DStarLite;
}

/** Step k of a drive along the diagonal: cells ahead turn out to be blocked, or free again. Returns the plan with its number of expanded cells. */
function step({ grid, search }: Search, k: number): PlannedPath {
  const next = uniform(100 + k);
  const ahead = (): number => k + 3 + Math.floor(4 * next());
  const cells = Array.from({ length: 6 }, () => ahead() * SIDE + ahead());
  for (const cell of cells) grid.blocked[cell] = k % 3 === 2 ? 0 : 1;
  search.moveTo(k * (SIDE + 1));
  search.changed(cells);
  return search.plan();
}

function driveTo(end: number): {
  readonly plans: PlannedPath[];
  readonly saved: unknown[];
  readonly blocked: Uint8Array[];
  readonly last: Search;
} {
  const grid = levelGrid();
  const last = { grid, search: new DStarLite(grid, 0, GOAL) };
  const [plans, saved, blocked]: [PlannedPath[], unknown[], Uint8Array[]] = [[], [], []];
  for (let k = 0; k < end; k++) {
    saved.push(last.search.encode());
    blocked.push(grid.blocked.slice());
    plans.push(step(last, k));
  }
  return { plans, saved, blocked, last };
}

describe("a saved search", () => {
  it("continues with the same paths, costs and expanded cells, from every step", () => {
    const { plans, saved, blocked } = driveTo(15);
    expect(Math.max(...plans.slice(1).map(({ expanded }) => expanded))).toBeGreaterThan(10);
    for (const [k, data] of saved.entries()) {
      const grid = levelGrid();
      grid.blocked.set(blocked[k]!);
      const search = new DStarLite(grid, 0, GOAL);
      search.decode(structuredClone(data));
      for (let i = k; i < plans.length; i++) expect(step({ grid, search }, i)).toEqual(plans[i]);
    }
  });

  it("refuses costs that do not belong to the grid", () => {
    const { saved, blocked } = driveTo(2);
    const data = saved.at(-1) as { g: Float64Array; rhs: Float64Array; queue: { heap: Int32Array; first: Float64Array } };
    const decode = (change: (copy: typeof data, grid: CostGrid) => void) => (): void => {
      const grid = levelGrid();
      grid.blocked.set(blocked.at(-1)!);
      const copy = structuredClone(data);
      change(copy, grid);
      new DStarLite(grid, 0, GOAL).decode(copy);
    };
    expect(decode(() => {})).not.toThrow();
    const wrong: readonly [string, (copy: typeof data, grid: CostGrid) => void][] = [
      ["search.rhs[40]: must follow from the costs around", (copy) => copy.rhs.fill(1, 40, 41)],
      ["must follow from the costs around", (_, grid) => grid.blocked.fill(1, 0, SIDE)],
      ["search.rhs: must not be negative or NaN", (copy) => copy.rhs.fill(Number.NaN)],
      ["search.g: must not be negative or NaN", (copy) => copy.g.fill(-1)],
      [
        "search.queue: must have the cell",
        (copy) => Object.assign(copy.queue, { heap: new Int32Array(0), first: new Float64Array(0), second: new Float64Array(0) }),
      ],
      ["search.queue.heap: must list each cell once", (copy) => copy.queue.heap.fill(3)],
      ["search.queue.heap[0]: must be a whole number from 0 to 575", (copy) => copy.queue.heap.fill(-1)],
      ["search.queue.first: must not contain NaN", (copy) => copy.queue.first.fill(Number.NaN)],
    ];
    for (const [message, change] of wrong) {
      expect(decode(change)).toThrow(FormatError);
      expect(decode(change)).toThrow(message);
    }
  });
});
