/** Path planning on large maps: D* Lite compared with A*. */
import { craters, gridOf, roughness, sumOf } from "castor/ground";
import { aStar, DStarLite, TravelTime, traversabilityOf } from "castor/plan";
import { cpuMilliseconds } from "../../run/cpu-time.ts";

export interface PlanningRow {
  readonly cells: number;
  /** Processor time, ms: slopes and roughness of all cells, one A* search, the first plan of D* Lite. */
  readonly map: number;
  readonly aStar: number;
  readonly first: number;
  /** Processor time of new plans after obstacles were seen, ms: median and slowest of D* Lite, and median of A* on the same maps. */
  readonly again: number;
  readonly slowest: number;
  readonly aStarAgain: number;
  readonly replans: number;
  /** Largest relative difference of path cost between D* Lite and A*. */
  readonly difference: number;
}

/** A square field. The rover goes from corner to corner and repeatedly sees new obstacles on its path. */
export function measurePlanning(side: number, replans: number): PlanningRow {
  const dx = 0.25;
  const size = side * dx;
  const hills = roughness({ amplitude: 0.15, wavelength: 8, octaves: 4, hurst: 0.8, seed: 3 });
  const craterField = craters({
    count: Math.round(14 * (size / 20) ** 2),
    least: 0.6,
    most: 3,
    x: 0,
    y: 0,
    length: size,
    width: size,
    seed: 3,
  });
  const grid = gridOf(sumOf([hills, craterField]), { columns: side, rows: side, x: 0, y: 0, dx, dy: dx });
  let traversability: ReturnType<typeof traversabilityOf> | undefined;
  const mapTime = cpuMilliseconds(() => {
    traversability = traversabilityOf(grid);
  });
  const times = new TravelTime(traversability!, { speed: 0.05, slip: { angles: [0, 0.35], values: [0, 0.6] } });
  const firstFreeCell = (cell: number): number => {
    for (let k = cell; ; k++) if (times.blocked[k] === 0) return k;
  };
  const goal = firstFreeCell(Math.floor(0.95 * side) * side + Math.floor(0.95 * side));
  let start = firstFreeCell(Math.floor(0.05 * side) * side + Math.floor(0.05 * side));
  const aStarTime = cpuMilliseconds(() => void aStar(times, start, goal));
  const planner = new DStarLite(times, start, goal);
  let path: readonly number[] = [];
  const firstTime = cpuMilliseconds(() => {
    path = planner.plan().cells;
  });
  const [replanTimes, aStarTimes]: [number[], number[]] = [[], []];
  let difference = 0;
  for (let k = 0; k < replans; k++) {
    // The rover moves on by twelve cells and sees an obstacle of 5 x 5 cells on the path, ten cells ahead.
    start = path[Math.min(12, path.length - 1)]!;
    const obstacleCell = path[Math.min(22, path.length - 2)]!;
    const obstacle = [-2, -1, 0, 1, 2].flatMap((j) => [-2, -1, 0, 1, 2].map((i) => obstacleCell + j * side + i));
    for (const cell of obstacle) if (cell !== goal && cell !== start) times.blocked[cell] = 1;
    let [cost, aStarCost] = [0, 0];
    replanTimes.push(
      cpuMilliseconds(() => {
        planner.moveTo(start);
        planner.changed(obstacle);
        const plan = planner.plan();
        [path, cost] = [plan.cells, plan.cost];
      }),
    );
    aStarTimes.push(
      cpuMilliseconds(() => {
        aStarCost = aStar(times, start, goal).cost;
      }),
    );
    difference = Math.max(difference, Math.abs(cost / aStarCost - 1));
    if (path.length < 40) break;
  }
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
  return {
    cells: side * side,
    map: mapTime,
    aStar: aStarTime,
    first: firstTime,
    again: median(replanTimes),
    slowest: Math.max(...replanTimes),
    aStarAgain: median(aStarTimes),
    replans: replanTimes.length,
    difference,
  };
}
