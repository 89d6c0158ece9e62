/** A tumbling free-floating arm: drift of conserved quantities, and wall time of the run, for Castor and MuJoCo. */
import type { BodyDescription, IntegratorName, ModelDescription, SimulationRun, System } from "castor";
import { createModel, createSystem, INTEGRATORS, simulate } from "castor";
import { createMujocoSteps, type MujocoIntegrator, type MujocoSteps } from "../peers/mujoco-steps.ts";
import { type BatchTiming, timingOf } from "../run/interleaved-timing.ts";

export interface DriftRow {
  readonly engine: "Castor" | "MuJoCo";
  readonly integrator: string;
  /** Step, s. Undefined for an adaptive integrator with default settings. */
  readonly step?: number;
  /** Largest relative drift of angular momentum about the mass centre, of linear momentum, and of energy. */
  readonly angular: number;
  readonly linear: number;
  readonly energy: number;
  /** Wall time of a run, ms. In the first run the code is not optimised yet. */
  readonly time: BatchTiming;
  readonly first: number;
}

interface RelativeDrift extends Pick<DriftRow, "angular" | "linear" | "energy"> {}

interface DriftContender extends Pick<DriftRow, "engine" | "integrator" | "step"> {
  /** Runs the motion. The returned function gives the sampled states: q, then u. */
  run(): () => readonly Float64Array[];
}

export const DURATION = 60;
/** Number of samples, for both engines: the default of `simulate`. */
const SAMPLES = 500;

const ARM: ModelDescription = {
  name: "free-floating arm",
  bodies: [{ name: "base", mass: 60, inertia: [8, 12, 10], hinge: { kind: "free" } }, link(1), link(2), link(3)],
};
const Q = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0.3, -0.8, 0.5);
const U = Float64Array.of(0.4, -0.3, 0.5, 0.05, 0.02, -0.04, 0.8, -0.6, 0.9);

function link(i: number): BodyDescription {
  return {
    name: `link${i}`,
    parent: i === 1 ? "base" : `link${i - 1}`,
    mass: 6 - i,
    com: [0.25, 0, 0],
    inertia: [0.02, 0.1, 0.1],
    hinge: { kind: "revolute", axis: i % 2 ? "z" : "y", at: [i === 1 ? 0.4 : 0.5, 0, 0] },
  };
}

/** Contenders take turns, with one complete run each. */
export async function measureDrift(laps: number): Promise<{ readonly version: string; readonly rows: readonly DriftRow[] }> {
  const system = createSystem(createModel(ARM), []);
  const mujocoOf = await createMujocoSteps();
  const mujoco = (integrator: MujocoIntegrator, step: number): DriftContender =>
    mujocoContender(integrator, step, mujocoOf(ARM, { integrator, step }));
  const contenders: readonly DriftContender[] = [
    castorContender(system, "dop853"),
    castorContender(system, "gauss6", 0.002),
    castorContender(system, "rk4", 0.002),
    mujoco("Euler", 0.002),
    mujoco("implicitfast", 0.002),
    mujoco("RK4", 0.002),
    mujoco("RK4", 0.0005),
  ];
  const drifts: RelativeDrift[] = [];
  const times = contenders.map((): number[] => []);
  for (let lap = 0; lap < laps; lap++)
    for (const [i, { run }] of contenders.entries()) {
      const start = performance.now();
      const states = run();
      times[i]!.push(performance.now() - start);
      drifts[i] ??= driftOf(system, states());
    }
  const rows = contenders.map(({ engine, integrator, step }, i) => ({
    engine,
    integrator,
    ...(step !== undefined && { step }),
    ...drifts[i]!,
    time: timingOf(times[i]!),
    first: times[i]![0]!,
  }));
  return { version: mujocoOf.version, rows };
}

function castorContender(system: System, name: IntegratorName, step?: number): DriftContender {
  const y0 = system.start({ q: Q, u: U });
  const settings = step === undefined ? {} : { step };
  return {
    engine: "Castor",
    integrator: name,
    ...(step !== undefined && { step }),
    run() {
      const options = { duration: DURATION, sample: DURATION / SAMPLES, settings };
      const { log } = simulate(system, y0, { ...options, integrator: INTEGRATORS[name] });
      return () => statesOf(log);
    },
  };
}

/** The sampled states from the columns of q and u, which are in the order of y. */
function statesOf(log: SimulationRun["log"]): Float64Array[] {
  const columns = log.channels.filter(({ name }) => /^[qu]\./.test(name)).map(({ name }) => log.column(name));
  return Array.from({ length: log.length }, (_, i) => Float64Array.from(columns, (column) => column[i]!));
}

function mujocoContender(integrator: MujocoIntegrator, step: number, mujoco: MujocoSteps): DriftContender {
  const steps = Math.round(DURATION / SAMPLES / step);
  return {
    engine: "MuJoCo",
    integrator,
    step,
    run() {
      const states: Float64Array[] = [];
      const recordState = (): void => {
        const y = new Float64Array(Q.length + U.length);
        mujoco.state(y.subarray(0, Q.length), y.subarray(Q.length));
        states.push(y);
      };
      mujoco.restart(Q, U);
      recordState();
      for (let sample = 0; sample < SAMPLES; sample++) {
        mujoco.step(steps);
        recordState();
      }
      return () => states;
    },
  };
}

interface Invariants {
  readonly angular: readonly number[];
  readonly linear: readonly number[];
  readonly energy: readonly number[];
}

/** Drift over the states. Castor's program computes the invariants for both engines. */
function driftOf(system: System, states: readonly Float64Array[]): RelativeDrift {
  const invariants = states.map((state) => invariantsAt(system, state));
  const worst = (name: keyof Invariants): number =>
    Math.max(...invariants.map((present) => relativeChange(present[name], invariants[0]![name])));
  return { angular: worst("angular"), linear: worst("linear"), energy: worst("energy") };
}

function invariantsAt(system: System, state: Float64Array): Invariants {
  const { nq } = system.layout;
  const { kinetic, potential, momentum, centre } = system.observe(system.start({ q: state.slice(0, nq), u: state.slice(nq) }));
  const [Lx, Ly, Lz, px, py, pz] = momentum as unknown as readonly [number, number, number, number, number, number];
  const [x, y, z] = centre as unknown as readonly [number, number, number];
  return {
    angular: [Lx - (y * pz - z * py), Ly - (z * px - x * pz), Lz - (x * py - y * px)],
    linear: [px, py, pz],
    energy: [kinetic + potential],
  };
}

const relativeChange = (present: readonly number[], first: readonly number[]): number =>
  Math.hypot(...present.map((value, i) => value - first[i]!)) / Math.hypot(...first);
