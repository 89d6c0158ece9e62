/** Control of a robot with 18 freedoms by quadratic programs at 1 kHz: controller and plant together, compared with real time. */
import { readFileSync } from "node:fs";
import { createController, createForce, createSystem, homeOf, INTEGRATORS, simulate } from "castor";
import { parseModel } from "castor/formats";

export const PERIOD = 0.001;
/** Simulated seconds of a run. The hand accelerates; with tight limits most of them become active. */
const RUN_TIME = 2;
const MIN_RUNS = 3;

export interface ControlRow {
  readonly name: string;
  /** µs per period: the run with its controller, and the same without. */
  readonly together: number;
  readonly plant: number;
  /** Processor time of the run divided by simulated time. */
  readonly ratio: number;
  /** Number of torques and accelerations at their limits, averaged over the updates. */
  readonly atLimits: number;
}

const WEIGHTS = [30, 30, 30, 5, 5, 5, 10, 10, 10, 1, 1, 1];

export function measureControl(milliseconds: number): ControlRow[] {
  return [measureLimits("limits far away", 10, 1e3, milliseconds), measureLimits("limits in the way", 0.7, 2, milliseconds)];
}

/** Limits: torques at a multiple of their weights, speed of the disc, momentum of the wheels. */
function measureLimits(name: string, torques: number, speed: number, milliseconds: number): ControlRow {
  const text = readFileSync(new URL("../../scenarios/multi-arm-stabilized/model.yaml", import.meta.url), "utf8");
  const model = parseModel(text, "multi-arm-stabilized");
  const hinges = model.bodies.slice(1).map((b) => b.hinge.name);
  const controller = createController(model, {
    ...{ kind: "limited-tasks", name: "qp", period: PERIOD, motors: "motors", hinges },
    tasks: [
      { frame: "hand", kp: 1, kd: 2, moves: [{ by: [-1.2, 0, 0], duration: 9, rise: 3 }] },
      { frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 },
    ],
    limits: [
      { hinge: hinges, weight: WEIGHTS, torque: WEIGHTS.map((w) => torques * w) },
      { hinge: "stabilizer-disc", speed },
      { hinge: ["wheel-roll", "wheel-pitch", "wheel-yaw"], momentum: speed },
      { hinge: "elbow", lower: -3, upper: -1, braking: 0.1 },
    ],
  });
  const system = createSystem(model, [createForce(model, { kind: "motors", name: "motors", hinge: hinges })]);
  const q = homeOf(model);
  q.set([Math.PI / 4, (7 * Math.PI) / 12, (-3 * Math.PI) / 4], model.bodies[1]!.hinge.q);
  const y0 = system.start({ q });
  const options = { duration: RUN_TIME, integrator: INTEGRATORS.rk4, settings: { step: PERIOD }, sample: 0.01 };
  const cpuMillisecondsOfRun = (controlled: boolean): number => {
    const start = process.cpuUsage();
    simulate(system, y0, { ...options, channels: ["q.*"], controllers: controlled ? [controller] : [] });
    const { user, system: kernel } = process.cpuUsage(start); // of all threads, as if one core did all the work
    return (user + kernel) / 1000;
  };
  const fastest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const end = performance.now() + milliseconds;
  for (let k = 0; k < MIN_RUNS || performance.now() < end; k++)
    for (const [i, controlled] of [true, false].entries()) fastest[i] = Math.min(fastest[i]!, cpuMillisecondsOfRun(controlled));
  const { log } = simulate(system, y0, { ...options, channels: ["qp.at-limits"], controllers: [controller] });
  const atLimits = log.column("qp.at-limits");
  const perPeriod = 1e3 * (PERIOD / RUN_TIME);
  return {
    name,
    together: fastest[0]! * perPeriod,
    plant: fastest[1]! * perPeriod,
    ratio: fastest[0]! / (1000 * RUN_TIME),
    atLimits: atLimits.reduce((sum, x) => sum + x, 0) / atLimits.length,
  };
}
