/** Rovers on soil compared with real time, and path planning on large maps. Processor time, so that other processes have little influence. */
import {
  aStar,
  craters,
  DStarLite,
  gridOf,
  prepareScenario,
  roughness,
  simulate,
  sumOf,
  TravelTime,
  traversabilityOf,
} from "castor";
import { benchOverride, roverScenario } from "../machines/rovers.ts";

export interface RoverRow {
  readonly name: string;
  readonly freedoms: number;
  /** Simulated time divided by processor time. */
  readonly ratio: number;
}

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

const STEP = 0.0005;
const LAP = 6;

const cpuMilliseconds = (work: () => void): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

export function measureRover(milliseconds: number): RoverRow[] {
  return [
    measureDrive("four wheels, level soil", "rover-flat", milliseconds),
    measureDrive("four wheels in a curve", "rover-steer", milliseconds),
    measureDrive("four wheels among craters, guided", "rover-traverse", milliseconds),
    measureDrive("six wheels over bumps", "rover-six-wheel", milliseconds),
  ];
}

function measureDrive(name: string, scenario: string, milliseconds: number): RoverRow {
  const changes = [
    benchOverride("integrator", { name: "rk4", step: STEP }),
    benchOverride("duration", LAP),
    benchOverride("plots", []),
    benchOverride("channels", ["q.*"]),
  ];
  const { system, y0, options } = prepareScenario(roverScenario(scenario, changes));
  let best = Number.POSITIVE_INFINITY;
  const end = performance.now() + milliseconds;
  for (let k = 0; k < 3 || performance.now() < end; k++)
    best = Math.min(
      best,
      cpuMilliseconds(() => void simulate(system, y0, options)),
    );
  return { name, freedoms: system.model.nu, ratio: LAP / (best / 1000) };
}

/** A square field. The rover goes from corner to corner and repeatedly sees new obstacles on its path. */
export function measurePlanning(side: number, replans: number): PlanningRow {
  const dx = 0.25;
  const size = side * dx;
  const rough = roughness({ amplitude: 0.15, wavelength: 8, octaves: 4, hurst: 0.8, seed: 3 });
  const pits = craters({
    count: Math.round(14 * (size / 20) ** 2),
    least: 0.6,
    most: 3,
    x: 0,
    y: 0,
    length: size,
    width: size,
    seed: 3,
  });
  const grid = gridOf(sumOf([rough, pits]), { columns: side, rows: side, x: 0, y: 0, dx, dy: dx });
  let found: ReturnType<typeof traversabilityOf> | undefined;
  const map = cpuMilliseconds(() => {
    found = traversabilityOf(grid);
  });
  const times = new TravelTime(found!, { speed: 0.05, slip: { angles: [0, 0.35], values: [0, 0.6] } });
  const free = (cell: number): number => {
    for (let k = cell; ; k++) if (times.blocked[k] === 0) return k;
  };
  const goal = free(Math.floor(0.95 * side) * side + Math.floor(0.95 * side));
  let start = free(Math.floor(0.05 * side) * side + Math.floor(0.05 * side));
  const plain = cpuMilliseconds(() => void aStar(times, start, goal));
  const planner = new DStarLite(times, start, goal);
  let way: readonly number[] = [];
  const first = cpuMilliseconds(() => {
    way = planner.plan().cells;
  });
  const [again, fresh]: [number[], number[]] = [[], []];
  let difference = 0;
  for (let k = 0; k < replans; k++) {
    // The rover moves on by twelve cells and sees an obstacle of 5 x 5 cells on the path, ten cells ahead.
    start = way[Math.min(12, way.length - 1)]!;
    const at = way[Math.min(22, way.length - 2)]!;
    const wall = [-2, -1, 0, 1, 2].flatMap((j) => [-2, -1, 0, 1, 2].map((i) => at + j * side + i));
    for (const cell of wall) if (cell !== goal && cell !== start) times.blocked[cell] = 1;
    let [cost, wanted] = [0, 0];
    again.push(
      cpuMilliseconds(() => {
        planner.moveTo(start);
        planner.changed(wall);
        const plan = planner.plan();
        [way, cost] = [plan.cells, plan.cost];
      }),
    );
    fresh.push(
      cpuMilliseconds(() => {
        wanted = aStar(times, start, goal).cost;
      }),
    );
    difference = Math.max(difference, Math.abs(cost / wanted - 1));
    if (way.length < 40) break;
  }
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
  return {
    ...{ cells: side * side, map, aStar: plain, first, again: median(again), slowest: Math.max(...again) },
    ...{ aStarAgain: median(fresh), replans: again.length, difference },
  };
}
