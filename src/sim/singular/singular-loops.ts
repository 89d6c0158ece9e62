/** Error messages for singular loops, and the list of redundant loop equations. */

import { SingularError, type StepError } from "../../errors.ts";
import { sine } from "../../math/elementary/sincos.ts";
import type { Workspace } from "../system/workspace.ts";

/** Ratio of smallest to largest singular value below which the rows of loops count as dependent. */
const SINGULAR = 1e-3;

/** The error to throw for a failed step: a SingularError that names the loops if they are singular at (t, y), else the given error. */
export function singularityError(workspace: Workspace, error: StepError | SingularError, t: number, y: Float64Array): Error {
  const { closed, model } = workspace;
  if (!closed) return error;
  const { singularValues, weakest } = closed.rankReport(t, y.slice(0, model.nq));
  const smallest = singularValues.at(-1) ?? 1;
  if (!(smallest < SINGULAR * singularValues[0]!)) return error;
  const rows = weakest.map((i) => closed.labels[i]!);
  const names = [...new Set(rows.map((r) => r.loop))].join(", ");
  return new SingularError(
    `${model.name}: the loops ${names} become singular at t = ${t} s, and the motion beyond is not determined: ` +
      `singular values ${singularValues.map((s) => s.toPrecision(3)).join(", ")}. ` +
      "A drive may command more than the mechanism can reach, or branches of the motion meet there",
    { cause: error },
  );
}

/** One line per loop with redundant equations. The motion is still correct, but the reactions of these loops are not unique. */
export function describeRedundantRows(workspace: Workspace, y: Float64Array, t = 0): string[] {
  const { closed, model } = workspace;
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

/** Distance of the test motion that shows whether lost equations come back nearby, in the units of the coordinates. */
const PROBE_DISTANCE = 1e-3;

/**
 * Classifies the start of a motion. "singular": the loops have fewer independent equations here than at a nearby state. (Equations that
 * depend on others everywhere are only redundant.) "near": the rank is full, but a singular value is almost zero.
 */
export function classifyStart({ closed, layout }: Workspace, t: number, y: Float64Array): "singular" | "near" | "regular" {
  const { nq, nu } = layout;
  const q = y.slice(0, nq);
  const { rank, rows, singularValues } = closed!.rankReport(t, q);
  if (rank < rows) {
    const u = Float64Array.from({ length: nu }, (_, i) => sine(1 + 1.7 * i)); // along nothing in particular
    closed!.project(t, q, u);
    closed!.advanceCoordinates(q, u, PROBE_DISTANCE);
    closed!.project(t, q, u);
    if (closed!.rankReport(t, q).rank > rank) return "singular";
  }
  return singularValues[rank - 1]! < SINGULAR * singularValues[0]! ? "near" : "regular";
}
