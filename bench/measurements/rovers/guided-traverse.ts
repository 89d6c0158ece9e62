/** Guidance with full dynamics: the rover of `rover-traverse` on fields with other seeds, and on fields whose goal cannot be reached. */
import { gridOf } from "castor/ground";
import { traversabilityOf } from "castor/plan";
import { type Override, runScenario, type Scenario } from "castor/scenario";
import { benchOverride, roverScenario } from "../../machines/rovers.ts";

export interface TraverseRow {
  readonly field: string;
  readonly end: string;
  /** Time, s; distance, m; supplied energy per distance, J/m. */
  readonly time: number;
  readonly distance: number;
  readonly perMetre: number;
  /** Cross-track error, rms and largest, m. */
  readonly crossTrackRms: number;
  readonly crossTrackMax: number;
  /** Largest tilt, rad. */
  readonly tilt: number;
  /** Least wheel load, N. */
  readonly leastLoad: number;
  readonly plans: number;
  /** Number of samples at which the base was in an impassable cell. */
  readonly trespasses: number;
  /** Processor time, s. */
  readonly seconds: number;
}

/** The seed of a field, or the name of a field whose goal cannot be reached. */
export type TraverseField = number | keyof typeof UNREACHABLE_GOALS;

/** Changes of the field with seed 3 after which the goal cannot be reached. */
export const UNREACHABLE_GOALS = {
  "a wall before the goal": benchOverride("terrain.wall", {
    kind: "ledge",
    height: 0.5,
    ramp: 0.3,
    x: 6,
    y: 6,
    turn: Math.PI / 4,
  }),
  "the goal on a steep hill": benchOverride("terrain.hill", { kind: "mound", height: 1.5, radius: 1.8, x: 8.2, y: 8.2 }),
} as const;

export const measureTraverse = (field: TraverseField): Promise<TraverseRow> =>
  typeof field === "number"
    ? measureDrive(`seed ${field}`, seedOverrides(field))
    : measureDrive(field, [...seedOverrides(3), UNREACHABLE_GOALS[field]]);

const seedOverrides = (seed: number): Override[] =>
  ["hills", "craters", "rocks"].map((layer) => benchOverride(`terrain.${layer}.seed`, seed));

async function measureDrive(field: string, changes: readonly Override[]): Promise<TraverseRow> {
  const scenario = roverScenario("rover-traverse", changes);
  const before = process.cpuUsage();
  const { run } = await runScenario(scenario);
  const { user, system } = process.cpuUsage(before);
  const column = (name: string): Float64Array => run.log.column(name);
  const crossTrack = column("guide.beside");
  const [x, y] = [column("q.base.x"), column("q.base.y")];
  let distance = 0;
  for (let k = 1; k < x.length; k++) distance += Math.hypot(x[k]! - x[k - 1]!, y[k]! - y[k - 1]!);
  const loads = ["fl", "fr", "rl", "rr"].map((w) => column(`ground-${w}.load`));
  const largestAbsolute = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return {
    field,
    end: run.events.at(-1)?.name ?? run.end,
    time: run.t,
    distance,
    perMetre: column("energy.supplied").at(-1)! / distance,
    crossTrackRms: Math.sqrt(crossTrack.reduce((sum, b) => sum + b * b, 0) / crossTrack.length),
    crossTrackMax: largestAbsolute(crossTrack),
    tilt: largestAbsolute(column("guide.tilt")),
    leastLoad: Math.min(...loads.map((load) => load.reduce((a, b) => Math.min(a, b)))),
    plans: column("guide.plans").at(-1)!,
    trespasses: countTrespasses(scenario, x, y),
    seconds: (user + system) / 1e6,
  };
}

function countTrespasses({ terrain }: Scenario, x: Float64Array, y: Float64Array): number {
  const cell = 0.25;
  const grid = gridOf(terrain!, { columns: 145, rows: 145, x: -1.5, y: -1.5, dx: cell / 3, dy: cell / 3 });
  const { blocked } = traversabilityOf(grid, {}, 3);
  const cellIndex = (v: number): number => Math.round((v + 1.5) / cell);
  return x.reduce((count, value, k) => count + blocked[cellIndex(y[k]!) * 49 + cellIndex(value)]!, 0);
}
