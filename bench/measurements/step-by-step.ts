/** The caller's own control loop, `Simulation.step`, compared with `simulate` and a sampled controller: the same law, the same motion. */
import { readFileSync } from "node:fs";
import type { Controller, IntegratorName, System } from "castor";
import { createSystem, Simulation, simulate } from "castor";
import { FORCES } from "castor/force";
import { parseModel } from "castor/formats";
import { cpuMilliseconds } from "../run/cpu-time.ts";

export const PERIOD = 0.001;
/** Simulated seconds of a run. */
const RUN_TIME = 4;
const MIN_RUNS = 5;

export interface SteppingRow {
  readonly integrator: IntegratorName;
  /** Number of periods between recorded samples. */
  readonly periodsPerSample: number;
  /** µs of processor time per period. */
  readonly simulate: number;
  readonly step: number;
  readonly ratio: number;
  /** Largest difference of the final states: 0 if both compute the same bits. */
  readonly difference: number;
}

export function measureStepping(milliseconds: number): SteppingRow[] {
  const robot = robotWithMotors();
  const share = milliseconds / 4;
  return (["rk4", "dop853"] as const).flatMap((integrator) => [
    compare(robot, integrator, 1, share),
    compare(robot, integrator, 10, share),
  ]);
}

interface MotorisedArm {
  readonly system: System;
  readonly hinges: readonly string[];
  /** Indices of the coordinate and of the speed of each hinge. */
  readonly q: readonly number[];
  readonly u: readonly number[];
}

/** A satellite with four hinges, each with a motor. */
function robotWithMotors(): MotorisedArm {
  const text = readFileSync(new URL("../../scenarios/satellite-manipulator/model.yaml", import.meta.url), "utf8");
  const model = parseModel(text, "satellite-manipulator");
  const arm = model.bodies.slice(1).map((body) => body.hinge);
  const hinges = arm.map(({ name }) => name);
  return {
    system: createSystem(model, [FORCES.motors.create("motors", { hinge: hinges }, model)]),
    hinges,
    q: arm.map(({ q }) => q),
    u: arm.map(({ u }) => u),
  };
}

/** Proportional and derivative control: N m from rad and rad/s. */
const torque = (i: number, q: number, u: number): number => 30 * (0.3 + 0.1 * i - q) - 8 * u;

function compare(robot: MotorisedArm, integrator: IntegratorName, periodsPerSample: number, milliseconds: number): SteppingRow {
  const sample = periodsPerSample * PERIOD;
  const results: Record<"simulate" | "step", Float64Array> = { simulate: new Float64Array(0), step: new Float64Array(0) };
  const fastest = { simulate: Number.POSITIVE_INFINITY, step: Number.POSITIVE_INFINITY };
  const runs = {
    simulate: () => simulated(robot, integrator, sample),
    step: () => stepped(robot, integrator, sample),
  };
  const end = performance.now() + milliseconds;
  for (let k = 0; k < MIN_RUNS || performance.now() < end; k++)
    for (const way of ["simulate", "step"] as const) {
      const time = cpuMilliseconds(() => {
        results[way] = runs[way]();
      });
      fastest[way] = Math.min(fastest[way], time);
    }
  const perPeriod = 1e3 * (PERIOD / RUN_TIME);
  return {
    integrator,
    periodsPerSample,
    simulate: fastest.simulate * perPeriod,
    step: fastest.step * perPeriod,
    ratio: fastest.step / fastest.simulate,
    difference: Math.max(...results.simulate.map((value, i) => Math.abs(value - results.step[i]!))),
  };
}

const optionsOf = (integrator: IntegratorName, sample: number) => ({
  duration: RUN_TIME,
  integrator,
  settings: integrator === "rk4" ? { step: PERIOD } : {},
  sample,
  channels: ["q.*"],
});

function simulated({ system, q, u }: MotorisedArm, integrator: IntegratorName, sample: number): Float64Array {
  const controller: Controller = {
    name: "pd",
    period: PERIOD,
    commands: system.inputs,
    start: () => undefined,
    update(s, memory, command) {
      for (let i = 0; i < q.length; i++) command[i] = torque(i, s.q[q[i]!]!, s.u[u[i]!]!);
      return memory;
    },
  };
  return simulate(system, system.start(), { ...optionsOf(integrator, sample), controllers: [controller] }).y;
}

function stepped({ system, hinges }: MotorisedArm, integrator: IntegratorName, sample: number): Float64Array {
  const run = new Simulation(system, system.start(), optionsOf(integrator, sample));
  const channels = [...hinges.map((name) => `q.${name}`), ...hinges.map((name) => `u.${name}`)];
  const inputs: Record<string, number> = {};
  for (let k = 1; k <= RUN_TIME / PERIOD; k++) {
    const measured = run.observe(channels);
    for (let i = 0; i < hinges.length; i++) inputs[system.inputs[i]!] = torque(i, measured[i]!, measured[hinges.length + i]!);
    run.step({ inputs, dt: k * PERIOD - run.t }); // the times of sampled controllers are k × period, not sums
  }
  return run.y;
}
