/** Steps of rk4 with every step logged and audited, compared with the same steps without a log. */
import { createModel, createSystem, INTEGRATORS, Simulation } from "castor";
import { type ModelName, readModel } from "../machines/models.ts";

export const STEP = 0.001;
/** Steps per batch: a multiple of the samples and steps of one call. Batches per run: a run is not longer, so that its log stays small. */
const BATCH = 1024;
const BATCHES_PER_RUN = 16;
/** Longer than all runs, s. */
const LONG = 1e4;

export interface LoggedStepsRow {
  readonly model: ModelName;
  /** ns per step, minimum of batches. */
  readonly unlogged: number;
  readonly logged: number;
  readonly channels: number;
  /** True if both motions have the same bits. */
  readonly same: boolean;
}

export function measureLoggedSteps(name: ModelName, milliseconds: number): LoggedStepsRow {
  const { description, state } = readModel(name);
  const system = createSystem(createModel(description), []);
  const start = system.start({ q: state.q, u: state.u });
  const run = (sample: number): Simulation =>
    new Simulation(system, start, { duration: LONG, integrator: INTEGRATORS.rk4, settings: { step: STEP }, sample });
  const best = { unlogged: Number.POSITIVE_INFINITY, logged: Number.POSITIVE_INFINITY };
  let last = run(STEP);
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    const runs = { unlogged: run(LONG), logged: run(STEP) };
    for (let batch = 1; batch <= BATCHES_PER_RUN; batch++)
      for (const kind of ["unlogged", "logged"] as const) best[kind] = Math.min(best[kind], batchTime(runs[kind]));
    last = runs.logged;
  }
  const same = bitsAt(run(LONG)) === bitsAt(run(STEP));
  return { model: name, ...best, channels: last.log.channels.length, same };
}

/** ns per step of the next steps. */
function batchTime(simulation: Simulation): number {
  const from = simulation.t;
  const end = from + (BATCH - 0.5) * STEP;
  const start = performance.now();
  while (simulation.t < end) simulation.advance(end);
  return (1e6 * (performance.now() - start)) / Math.round((simulation.t - from) / STEP);
}

function bitsAt(simulation: Simulation): string {
  while (simulation.t < 2.0005) simulation.advance(2.0005);
  return `${simulation.t.toFixed(6)} ${simulation.y.join(" ")}`;
}
