/** A model of the Modelica Standard Library in Castor's words, and its motion at the times of the published curve. */

import type { Log } from "../../log/log.ts";
import { createModel } from "../../model/build/create-model.ts";
import type { ModelDescription } from "../../model/description.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { createSystem } from "../../sim/create-system.ts";
import { simulate } from "../../sim/run/simulate.ts";
import { assemble } from "../../sim/system/assembly.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import type { ModelicaCurve } from "./curves.ts";

export interface ModelicaModel {
  /** Its path in the library. */
  readonly path: string;
  readonly curve: ModelicaCurve;
  /** Largest permitted difference from the curve. Dymola's relative tolerance holds for each step, and errors of many steps add up. */
  readonly tolerance: number;
  readonly description: Omit<ModelDescription, "name">;
  readonly forces?: (model: Model) => readonly ForceElement[];
  /** Coordinates and speeds at the start that are not zero, by their names; those that are not named adjust themselves to the loops. */
  readonly start?: Readonly<Record<string, number>>;
  /** Channels of the run, or functions of them, for each variable of the curve. */
  readonly variables: readonly (string | ((log: Log, sample: number) => number))[];
  readonly channels?: readonly string[];
}

const TOLERANCES = { relativeTolerance: 1e-10, absoluteTolerance: 1e-10 };

/** Values of the variables at the times of the curve, a row for each time. */
export function computedCurve({
  path,
  description,
  forces,
  start = {},
  curve,
  variables,
  channels = [],
}: ModelicaModel): number[][] {
  const model = createModel({ name: path, ...description });
  const system = createSystem(model, forces?.(model) ?? []);
  const names = coordinateNames(model);
  const home = system.start();
  const values = (kind: "q" | "u", count: number): Float64Array =>
    Float64Array.from(
      { length: count },
      (_, i) => start[`${kind}.${names[kind][i]}`] ?? home.y[kind === "q" ? i : model.nq + i]!,
    );
  const given = system.start({ q: values("q", model.nq), u: values("u", model.nu) });
  const keep = { u: Object.keys(start).flatMap((name) => (name.startsWith("u.") ? [name.slice(2)] : [])) };
  const from = model.loops.length === 0 ? given : assemble(system, given, { keep }).state;
  const { log } = simulate(system, from, {
    duration: curve.times.at(-1)!,
    sample: curve.times,
    settings: TOLERANCES,
    channels: [...variables.filter((variable) => typeof variable === "string"), ...channels],
  });
  return curve.times.map((t) => {
    const sample = log.column("t").findIndex((at) => Math.abs(at - t) <= 1e-9);
    return variables.map((variable) => (typeof variable === "string" ? log.column(variable)[sample]! : variable(log, sample)));
  });
}
