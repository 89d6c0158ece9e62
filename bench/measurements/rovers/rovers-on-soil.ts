/** Rovers on soil compared with real time. */
import { simulate } from "castor";
import { prepareScenario } from "castor/scenario";
import { benchOverride, roverScenario } from "../../machines/rovers.ts";
import { cpuMilliseconds } from "../../run/cpu-time.ts";

export interface RoverRow {
  readonly name: string;
  readonly freedoms: number;
  /** Simulated time divided by processor time. */
  readonly ratio: number;
}

const STEP = 0.0005;
const RUN_TIME = 6;

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
    benchOverride("duration", RUN_TIME),
    benchOverride("plots", []),
    benchOverride("channels", ["q.*"]),
  ];
  const { system, start, options } = prepareScenario(roverScenario(scenario, changes));
  let fastest = Number.POSITIVE_INFINITY;
  const end = performance.now() + milliseconds;
  for (let k = 0; k < 3 || performance.now() < end; k++)
    fastest = Math.min(
      fastest,
      cpuMilliseconds(() => void simulate(system, start, options)),
    );
  return { name, freedoms: system.model.nu, ratio: RUN_TIME / (fastest / 1000) };
}
