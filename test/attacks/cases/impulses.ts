/**
 * Short pulses of a force at random times, of 1e-13 to 0.3 of the run, given in every way that has a time: the schedule of an actuator, planned
 * events, breaks of a continuous law, sampled updates, inputs of a caller's own steps, the stages of a jump between updates. No step may pass
 * over a pulse: the momentum changes by force times length, and the position by that times the time that is left.
 */
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../../src/sim/integrators/index.ts";
import { type SimulateOptions, simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import type { CaseGenerator, Outcome } from "./case.ts";
import { all, cart, Draw, judge, law, outcomeOf } from "./draw.ts";

export const shortCases = 60;

const WAYS = ["schedule", "events", "breaks", "updates", "own steps"] as const;
/** Relative error of momentum and position. Lengths are differences of times, so that rounding of the times adds to it. */
const ERROR = 1e-9;

interface Pulse {
  readonly duration: number;
  readonly start: number;
  readonly end: number;
  /** Period of the updates. */
  readonly period: number;
  readonly force: number;
  readonly mass: number;
  readonly velocity: number;
}

/** The final speed and position of the cart with the pulse given in this way. */
function simulatePulse(
  way: (typeof WAYS)[number],
  pulse: Pulse,
  integrator: IntegratorName,
  step: number,
): readonly [number, number] {
  const { duration, start, end, period, force, mass, velocity } = pulse;
  const model = cart(mass);
  const table = [
    [0, 0],
    [start, force],
    [end, 0],
  ];
  const motor = readForce("actuator", "motor", { hinge: "cart", ...(way === "schedule" && { schedule: table }) }, model);
  const system = createSystem(model, [motor]);
  const state = system.start({ u: Float64Array.of(velocity) });
  const common = { integrator, settings: INTEGRATORS[integrator].adaptive ? {} : { step } };
  if (way === "own steps") {
    const simulation = new Simulation(system, state, common);
    simulation.step({ dt: start });
    simulation.step({ dt: end - start, inputs: { "motor.force": force } });
    simulation.step({ dt: duration - end, inputs: { "motor.force": 0 } });
    return [simulation.u[0]!, simulation.q[0]!];
  }
  const isOn = (t: number): boolean => t >= start && t < end;
  const ways: Readonly<Record<Exclude<typeof way, "own steps">, Partial<SimulateOptions>>> = {
    schedule: {},
    events: {
      plan: [
        { name: "on", at: start, actions: { set: { "motor.force": force } } },
        { name: "off", at: end, actions: { set: { "motor.force": 0 } } },
      ],
    },
    breaks: { controllers: [{ ...law("pulse", 0, "motor.force", (t) => (isOn(t) ? force : 0)), breaks: [start, end] }] },
    updates: { controllers: [law("pulse", period, "motor.force", (t) => (isOn(t) ? force : 0))] },
  };
  const { u, q } = simulate(system, state, { ...common, duration, sample: duration, ...ways[way] });
  return [u[0]!, q[0]!];
}

const generate: CaseGenerator = (seed) => {
  const draw = new Draw(seed);
  const way = draw.of(WAYS);
  const duration = draw.scale(1e-6, 1e6);
  // Updates at every multiple of the length of the pulse: not too many of them.
  const share = way === "updates" ? draw.scale(1e-3, 0.3) : draw.scale(1e-13, 0.3);
  const length = share * duration;
  const start =
    way === "updates" ? Math.floor(draw.between(1, 1 / share - 2)) * length : draw.between(0.01, 0.99 - share) * duration;
  const end = way === "updates" ? (Math.round(start / length) + 1) * length : start + length;
  const mass = draw.scale(1e-3, 1e3);
  const velocity = draw.of([0, draw.between(-1, 1) / duration]);
  const force = (mass * draw.of([-1, 1])) / (end - start) / duration; // it changes the speed by one distance of 1 per duration
  const integrator = draw.of(Object.keys(INTEGRATORS) as IntegratorName[]);
  const step = duration / draw.between(1, 30);
  const run = (): Outcome => {
    const [v, x] = simulatePulse(way, { duration, start, end, period: length, force, mass, velocity }, integrator, step);
    const change = (force * (end - start)) / mass;
    const left = duration - 0.5 * (start + end);
    return all([
      judge("speed × duration", v * duration, (velocity + change) * duration, ERROR),
      judge("position", x, velocity * duration + change * left, ERROR),
    ]);
  };
  return {
    description: `pulse by ${way} from ${start} to ${end} of ${duration} s by ${integrator}, step ${step}`,
    run: () => outcomeOf(run),
  };
};
export default generate;
