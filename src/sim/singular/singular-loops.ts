/** Error messages for singular loops, and the list of redundant loop equations. */

import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { SingularError, StepError } from "../../errors.ts";
import { sine } from "../../math/elementary/sincos.ts";
import type { Layout } from "../system/layout.ts";
import type { Workspace } from "../system/workspace.ts";

/** Ratio of smallest to largest singular value below which the rows of loops count as dependent. */
const SINGULAR = 1e-3;

/** No branch of the motion is determined at a singular configuration. The message says why, and what to do. */
export class BranchError extends StepError {}

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
      (error instanceof BranchError
        ? error.message
        : "A drive may command more than the mechanism can reach, or branches of the motion meet there"),
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
  if (closed!.rowsAreClear(t, q, SINGULAR)) return "regular";
  const { rank, rows, singularValues } = closed!.rankReport(t, q);
  if (rank < rows) {
    moveAway(closed!, t, q, nu);
    if (closed!.rankReport(t, q).rank > rank) return "singular";
  }
  return singularValues[rank - 1]! < SINGULAR * singularValues[0]! ? "near" : "regular";
}

/** Moves q to a nearby state on the loops, along nothing in particular. */
function moveAway(closed: ClosedLoops, t: number, q: Float64Array, nu: number): void {
  const u = Float64Array.from({ length: nu }, (_, i) => sine(1 + 1.7 * i));
  closed.project(t, q, u);
  closed.advanceCoordinates(q, u, PROBE_DISTANCE);
  closed.project(t, q, u);
}

/**
 * The state itself, or if loops lose equations there, a state at rest nearby. Ranks and pivots that equations determine once must be those of
 * a regular state. What the loops keep does not change.
 */
export function regularStateNear(closed: ClosedLoops, { nq, nu }: Layout, t: number, y: Float64Array): Float64Array {
  const q = y.slice(0, nq);
  const { rank, rows } = closed.rankReport(t, q);
  if (rank === rows) return y;
  const saved = closed.save();
  moveAway(closed, t, q, nu);
  const isSingular = closed.rankReport(t, q).rank > rank;
  closed.restore(saved);
  if (!isSingular) return y;
  const near = y.slice();
  near.set(q);
  near.fill(0, nq, nq + nu);
  return near;
}

/** What to do about speeds that determine no branch. */
const SPEEDS_NEEDED =
  "Give the speeds of one branch, with which the loops stay closed beyond this configuration, or start a little beside it";

/** @throws BranchError if a machine moves in a singular configuration, where no branch of the motion has its speeds */
export function checkStaysAtRest({ layout, problem }: Workspace, t: number, y: Float64Array): void {
  const { nq, nu, ny } = layout;
  if (y.subarray(nq, nq + nu).some((v) => v !== 0))
    throw new BranchError(
      `Branches of the motion meet there, and the present speeds belong to none of them. ${SPEEDS_NEEDED}`,
      t,
    );
  const rates = new Float64Array(ny);
  problem.derivative(t, y, rates);
  if (rates.subarray(0, nq + nu).some((v) => v !== 0))
    throw new BranchError(`Branches of the motion meet there, and a machine at rest does not determine one. ${SPEEDS_NEEDED}`, t);
}
