/** What to say when a motion with loops cannot go on, and which equations of loops say the same twice. */
import { SingularError } from "../../errors.ts";
import type { StepError } from "../integrators/integrator.ts";
import type { System } from "../system/system.ts";

/** Below this the rows of loops are as good as dependent: the motion there is not determined, or cannot be continued. */
const SINGULAR = 1e-3;

/** The error to throw instead of a step error: singular loops by name, with the time and the singular values, where they are the cause. */
export function singularityError(system: System, error: StepError | SingularError, t: number, y: Float64Array): Error {
  const { closed, model } = system;
  if (!closed) return error;
  const { singularValues, weakest } = closed.rankReport(t, y.slice(0, model.nq));
  const smallest = singularValues.at(-1) ?? 1;
  if (!(smallest < SINGULAR * singularValues[0]!)) return error;
  const rows = weakest.map((i) => closed.labels[i]!);
  const names = [...new Set(rows.map((r) => r.loop))].join(", ");
  return new SingularError(
    `${model.name}: the loops ${names} become singular at t = ${t} s, and the motion beyond is not determined: ` +
      `singular values ${singularValues.map((s) => s.toPrecision(3)).join(", ")}. ` +
      "A drive may ask for more than the mechanism can reach, or branches of the motion meet there",
    { cause: error },
  );
}

/** Equations of loops that depend on each other, in words, one line per loop: their motion is right, their reactions are not unique. */
export function describeRedundantRows(system: System, y: Float64Array, t = 0): string[] {
  const { closed, model } = system;
  if (!closed) return [];
  const { redundant, rank, rows } = closed.rankReport(t, y.slice(0, model.nq));
  const byLoop = new Map<string, string[]>();
  for (const i of redundant) {
    const { loop, label } = closed.labels[i]!;
    byLoop.set(loop, [...(byLoop.get(loop) ?? []), label]);
  }
  return [...byLoop].map(
    ([loop, labels]) =>
      `loop ${loop}: ${labels.join(", ")} depend on other equations (${rows} in all, ${rank} independent); reactions there are the smallest possible`,
  );
}

/** How far the loops are moved to see whether they gain equations, in the units of the coordinates. */
const PROBE_DISTANCE = 1e-3;

/**
 * Whether loops have lost equations at a state that they have nearby (those that depend on others everywhere are only redundant), or are about
 * to lose some.
 */
export function classifyStart({ closed, layout }: System, t: number, y: Float64Array): "singular" | "near" | "regular" {
  const { nq, nu } = layout;
  const q = y.slice(0, nq);
  const { rank, rows, singularValues } = closed!.rankReport(t, q);
  if (rank < rows) {
    const u = Float64Array.from({ length: nu }, (_, i) => Math.sin(1 + 1.7 * i)); // along nothing in particular
    closed!.project(t, q, u);
    closed!.advanceCoordinates(q, u, PROBE_DISTANCE);
    closed!.project(t, q, u);
    if (closed!.rankReport(t, q).rank > rank) return "singular";
  }
  return singularValues[rank - 1]! < SINGULAR * singularValues[0]! ? "near" : "regular";
}
