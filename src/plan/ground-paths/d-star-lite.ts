/**
 * D* Lite [Koenig and Likhachev 2002, the optimised version]: the cheapest path from the rover to its goal, updated when cells change and when
 * the rover moves. The search starts at the goal, so that changes near the rover are repaired at small cost. g is the settled cost to the
 * goal; rhs is one step better informed. A cell with g ≠ rhs is in the queue.
 */
import { checkSavedFinite, checkSavedInteger, refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import { checkCell, type PlannedPath } from "./a-star.ts";
import { CellQueue } from "./cell-queue.ts";
import type { CostGrid } from "./travel-time.ts";

/** Relative difference of equal keys: sums of the same costs in another order differ by rounding. */
const SAME = 1e-12;

export class DStarLite {
  readonly #grid: CostGrid;
  readonly #goal: number;
  #start: number;
  /** Cell of the rover when keys were last computed, and the bound of its moves since then (km in the paper). */
  #keyCell: number;
  #keyOffset = 0;
  readonly #g: Float64Array;
  readonly #rhs: Float64Array;
  readonly #queue: CellQueue;
  #expanded = 0;

  constructor(grid: CostGrid, start: number, goal: number) {
    checkCell(grid, start, "start");
    checkCell(grid, goal, "goal");
    this.#grid = grid;
    this.#start = start;
    this.#keyCell = start;
    this.#goal = goal;
    const count = grid.columns * grid.rows;
    this.#g = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.#rhs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.#queue = new CellQueue(count);
    this.#rhs[goal] = this.#bestCost(goal);
    this.#queue.put(goal, grid.bound(start, goal), 0);
  }

  /** The search as plain data: a copy. */
  encode(): unknown {
    return {
      start: this.#start,
      keyCell: this.#keyCell,
      keyOffset: this.#keyOffset,
      g: this.#g.slice(),
      rhs: this.#rhs.slice(),
      queue: this.#queue.encode(),
    };
  }

  /**
   * Replaces the search by encoded data, for the same goal and the same grid as it was then.
   * @throws FormatError if the data do not fit the grid: costs that contradict each other might never settle
   */
  decode(data: unknown, path = "search"): void {
    const { queue, ...rest } = savedEntries(data, ["start", "keyCell", "keyOffset", "g", "rhs", "queue"], path);
    const [g, rhs] = [this.#g, this.#rhs];
    const saved = { start: 0, keyCell: 0, keyOffset: 0, g: new Float64Array(g.length), rhs: new Float64Array(g.length) };
    takeSaved(saved, rest, path);
    for (const key of ["start", "keyCell"] as const) checkSavedInteger(saved[key], 0, g.length - 1, `${path}.${key}`);
    checkSavedFinite(saved.keyOffset, `${path}.keyOffset`);
    for (const key of ["g", "rhs"] as const)
      if (!saved[key].every((cost) => cost >= 0)) refuseSaved(`${path}.${key}`, "must not be negative or NaN", saved[key]);
    this.#start = saved.start;
    this.#keyCell = saved.keyCell;
    this.#keyOffset = saved.keyOffset;
    g.set(saved.g);
    rhs.set(saved.rhs);
    this.#queue.decode(queue, `${path}.queue`);
    for (let cell = 0; cell < g.length; cell++) {
      if (rhs[cell] !== this.#bestCost(cell)) refuseSaved(`${path}.rhs[${cell}]`, "must follow from the costs around", rhs[cell]);
      if (g[cell] !== rhs[cell] && !this.#queue.has(cell)) refuseSaved(`${path}.queue`, `must have the cell ${cell}`, queue);
    }
  }

  /** Sets the cell of the rover. It may be any cell, also far from the planned path. */
  moveTo(cell: number): void {
    checkCell(this.#grid, cell, "start");
    this.#start = cell;
  }

  /** Call after these cells of the grid were blocked or freed, or changed their cost. */
  changed(cells: readonly number[]): void {
    this.#keepKeysBelow();
    if (cells.includes(this.#goal)) this.#rhs[this.#goal] = this.#bestCost(this.#goal);
    // The cost of a cell enters the steps to and from all its neighbours, so their rhs changes too.
    for (const cell of cells) {
      checkCell(this.#grid, cell, "changed cell");
      this.#neighbours(cell, (near) => this.#updateRhs(near));
      this.#updateRhs(cell);
    }
  }

  /** Repairs the search and returns the cheapest path. */
  plan(): PlannedPath {
    this.#expanded = 0;
    this.#keepKeysBelow();
    this.#settleQueue();
    const cells = this.#tracePath();
    return { cells, cost: cells.length > 0 ? this.#g[this.#start]! : Number.POSITIVE_INFINITY, expanded: this.#expanded };
  }

  /**
   * Call before keys are computed or compared: after a move of the rover, keys in the queue must stay lower bounds of the present keys. They
   * were computed for the cell `#keyCell`, and the bound to the rover decreased by at most the bound between the two cells.
   */
  #keepKeysBelow(): void {
    this.#keyOffset += this.#grid.bound(this.#keyCell, this.#start);
    this.#keyCell = this.#start;
  }

  #firstKey(cell: number): number {
    return Math.min(this.#g[cell]!, this.#rhs[cell]!) + this.#grid.bound(this.#start, cell) + this.#keyOffset;
  }

  #secondKey(cell: number): number {
    return Math.min(this.#g[cell]!, this.#rhs[cell]!);
  }

  /** Inserts the cell into the queue, moves it, or removes it. */
  #update(cell: number): void {
    if (this.#g[cell] !== this.#rhs[cell]) this.#queue.put(cell, this.#firstKey(cell), this.#secondKey(cell));
    else this.#queue.remove(cell);
  }

  /** Computes rhs from all neighbours. */
  #updateRhs(cell: number): void {
    if (cell !== this.#goal) this.#rhs[cell] = this.#bestCost(cell);
    this.#update(cell);
  }

  /** The cost to the goal by the best neighbour; of the goal itself 0, or infinite if it is blocked. */
  #bestCost(cell: number): number {
    if (cell === this.#goal) return this.#grid.blocked[cell] === 0 ? 0 : Number.POSITIVE_INFINITY;
    let best = Number.POSITIVE_INFINITY;
    this.#neighbours(cell, (near, di, dj) => {
      const cost = this.#grid.cost(cell, di, dj) + this.#g[near]!;
      if (cost < best) best = cost;
    });
    return best;
  }

  #settleQueue(): void {
    const { columns, rows } = this.#grid;
    const [g, rhs, queue] = [this.#g, this.#rhs, this.#queue];
    for (;;) {
      if (queue.size === 0) return;
      const cell = queue.top();
      const k1 = queue.firstKey(cell);
      const start = this.#start;
      // Cells with the key of the start may still lie on its path. On level ground most keys are equal, so these cells are settled too.
      if (rhs[start] === g[start] && k1 > (1 + SAME) * this.#firstKey(start)) return;
      const now = this.#firstKey(cell);
      if (k1 < now || (k1 === now && queue.secondKey(cell) < this.#secondKey(cell))) {
        queue.put(cell, now, this.#secondKey(cell)); // the rover has moved since the key was computed
        continue;
      }
      this.#expanded++;
      const i = cell % columns;
      const j = (cell - i) / columns;
      const before = g[cell]!;
      const better = before > rhs[cell]!;
      g[cell] = better ? rhs[cell]! : Number.POSITIVE_INFINITY;
      if (better) queue.remove(cell);
      else this.#updateRhs(cell);
      for (let dj = j > 0 ? -1 : 0; dj <= (j < rows - 1 ? 1 : 0); dj++)
        for (let di = i > 0 ? -1 : 0; di <= (i < columns - 1 ? 1 : 0); di++) {
          if (di === 0 && dj === 0) continue;
          const near = cell + dj * columns + di;
          if (near === this.#goal) continue;
          const step = this.#grid.cost(near, -di, -dj);
          if (better) {
            const through = step + g[cell]!;
            if (!(through < rhs[near]!)) continue;
            rhs[near] = through;
            this.#update(near);
          } else if (rhs[near] === step + before) this.#updateRhs(near); // it went through here
        }
    }
  }

  /** Path from the start along decreasing costs. */
  #tracePath(): number[] {
    const cells: number[] = [];
    if (this.#g[this.#start] === Number.POSITIVE_INFINITY || this.#g[this.#start] !== this.#rhs[this.#start]) return cells;
    const count = this.#grid.columns * this.#grid.rows;
    for (let cell = this.#start; cells.length < count; ) {
      cells.push(cell);
      if (cell === this.#goal) return cells;
      let best = Number.POSITIVE_INFINITY;
      let next = -1;
      this.#neighbours(cell, (near, di, dj) => {
        const cost = this.#grid.cost(cell, di, dj) + this.#g[near]!;
        if (cost < best) [best, next] = [cost, near];
      });
      if (next < 0) return [];
      cell = next;
    }
    return [];
  }

  #neighbours(cell: number, visit: (near: number, di: number, dj: number) => void): void {
    const { columns, rows } = this.#grid;
    const i = cell % columns;
    const j = (cell - i) / columns;
    for (let dj = j > 0 ? -1 : 0; dj <= (j < rows - 1 ? 1 : 0); dj++)
      for (let di = i > 0 ? -1 : 0; di <= (i < columns - 1 ? 1 : 0); di++)
        if (di !== 0 || dj !== 0) visit(cell + dj * columns + di, di, dj);
  }
}
