/** Short runs for closed forms: tight tolerances, state in, state out. */
import type { Model } from "../../src/model/model.ts";
import { dop853 } from "../../src/sim/integrators/dop853.ts";
import type { Controller } from "../../src/sim/run/controller.ts";
import { type Run, simulate } from "../../src/sim/run/simulate.ts";
import type { ForceElement } from "../../src/sim/system/force-element.ts";
import { createSystem } from "../../src/sim/system/system.ts";

export interface Motion {
  readonly q: readonly number[];
  readonly u: readonly number[];
  readonly z: readonly number[];
  readonly dissipated: number;
  readonly supplied: number;
  readonly run: Run;
}

export const TIGHT = { relativeTolerance: 1e-12, absoluteTolerance: 1e-13 };

export function runFor(
  model: Model,
  elements: readonly ForceElement[],
  duration: number,
  start: { readonly q?: readonly number[]; readonly u?: readonly number[] } = {},
  controllers: readonly Controller[] = [],
): Motion {
  const system = createSystem(model, elements);
  const y0 = system.initial(start.q && Float64Array.from(start.q), start.u && Float64Array.from(start.u));
  const run = simulate(system, y0, { duration, integrator: dop853, settings: TIGHT, controllers });
  const { nq, nu, nz } = system.layout;
  const part = (from: number, count: number): number[] => [...run.y.subarray(from, from + count)];
  const [dissipated, supplied] = part(nq + nu + nz, 2) as [number, number];
  return { q: part(0, nq), u: part(nq, nu), z: part(nq + nu, nz), dissipated, supplied, run };
}

/** Worst relative drift of the audited channels. */
export const drift = (run: Run, channel: Run["audit"][number]["channel"]): number =>
  run.audit.find((row) => row.channel === channel)?.worst ?? 0;
