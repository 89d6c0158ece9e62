/** Soft capture of two spacecraft: processor time of 15 s of motion, and the corner cases of the initial contact conditions. */
import { simulate } from "castor";
import { prepareScenario } from "castor/scenario";
import { builtInScenario } from "../../machines/built-in-scenario.ts";

interface CornerConditions {
  /** Closing rate, m/s; directions of lateral misalignment and of tilt, deg; sign of the roll. */
  readonly closing: number;
  readonly lateral: number;
  readonly tilt: number;
  readonly roll: 1 | -1;
}

export interface DockingCorner extends CornerConditions {
  /** Time at which all three latches had engaged, s; and the number of engaged latches. */
  readonly captured: number | undefined;
  readonly latches: number;
  /** Largest drift of the energy balance, J. */
  readonly energy: number;
  /** Why the run ended early. */
  readonly failure: string | undefined;
}

export interface DockingResult {
  /** Processor time from the description to the first step, and of the whole run, s. */
  readonly compile: number;
  readonly run: number;
  /** Simulated time divided by processor time. */
  readonly realTime: number;
  readonly corners: readonly DockingCorner[];
}

const NAME = "docking-soft-capture";
const DEGREE = Math.PI / 180;
const RUNS = 3;

/** Initial contact conditions with every quantity at its limit in the docking standard. */
const contactConditions = ({ closing, lateral, tilt, roll }: CornerConditions): Readonly<Record<string, number>> => {
  const [a, b] = [lateral * DEGREE, tilt * DEGREE];
  return {
    "approach.closing": closing,
    "approach.y": 0.1 * Math.cos(a),
    "approach.z": 0.1 * Math.sin(a),
    "approach.vy": -0.04 * Math.cos(a),
    "approach.vz": -0.04 * Math.sin(a),
    "approach.roll": roll * 4 * DEGREE,
    "approach.pitch": 4 * DEGREE * Math.cos(b),
    "approach.yaw": 4 * DEGREE * Math.sin(b),
    "approach.rollRate": -roll * 0.2 * DEGREE,
    "approach.pitchRate": 0.2 * DEGREE * Math.sin(b),
    "approach.yawRate": -0.2 * DEGREE * Math.cos(b),
  };
};

/** All combinations of the extreme conditions. */
const CORNERS: readonly CornerConditions[] = [0.05, 0.1].flatMap((closing) =>
  [0, 110].flatMap((lateral) =>
    [30, 250].flatMap((tilt) => ([1, -1] as const).map((roll) => ({ closing, lateral, tilt, roll }))),
  ),
);

export function measureDocking(withCorners: boolean): DockingResult {
  const cpuSeconds = (since: NodeJS.CpuUsage): number => process.cpuUsage(since).user / 1e6;
  const before = process.cpuUsage();
  const prepared = prepareScenario(builtInScenario(NAME));
  const compile = cpuSeconds(before);
  const { system, start, options } = prepared;
  let run = Number.POSITIVE_INFINITY;
  for (let k = 0; k < RUNS; k++) {
    const beforeRun = process.cpuUsage();
    simulate(system, start, options);
    run = Math.min(run, cpuSeconds(beforeRun));
  }
  const corners = withCorners ? CORNERS.map((conditions) => runCorner(conditions, prepared)) : [];
  return { compile, run, realTime: options.duration / run, corners };
}

function runCorner(conditions: CornerConditions, { system, options }: ReturnType<typeof prepareScenario>): DockingCorner {
  const { q, u } = builtInScenario(NAME, contactConditions(conditions));
  try {
    const { timeline, audit } = simulate(system, system.start({ q, u }), { ...options, sample: 0.01 });
    const captured = timeline.find(({ name }) => name === "capture")?.t;
    const latches = timeline.filter(({ name }) => name.endsWith(".engage")).length;
    return { ...conditions, captured, latches, energy: audit[0]!.absolute, failure: undefined };
  } catch (error) {
    return { ...conditions, captured: undefined, latches: 0, energy: Number.NaN, failure: (error as Error).message };
  }
}
