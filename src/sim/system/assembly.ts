/** Assembly: the state nearest to a given one in which all loops are closed. */
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { ModelError } from "../../errors.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { flippedLoopAngle } from "../singular/flipped-loops.ts";
import type { State } from "../state.ts";
import { inWorkspace, type System } from "./system.ts";
import type { Workspace } from "./workspace.ts";

export interface Assembly {
  readonly state: State;
  /** Coordinates and speeds that changed, largest change first. */
  readonly moved: readonly { readonly name: string; readonly from: number; readonly to: number }[];
}

/** Largest residual of a closed loop, m or rad. */
const CLOSURE_TOLERANCE = 1e-9;
const MAX_RELAXATIONS = 3;
/** Smaller changes are not reported. */
const SMALLEST_CHANGE = 1e-12;

/** The nearest state in which the loops of a system are closed. @throws ModelError with the loops that stay open and their residuals. */
export const assemble = (system: System, state: State): Assembly =>
  inWorkspace(system, state, (workspace) => assembleIn(workspace, state));

/** The same in a workspace that has entered the state. */
export function assembleIn(workspace: Workspace, state: State): Assembly {
  const { closed, model } = workspace;
  const { t, y: y0 } = state;
  const y = Float64Array.from(y0);
  if (!closed) return { state: { ...state, y }, moved: [] };
  const q = y.subarray(0, model.nq);
  const u = y.subarray(model.nq, model.nq + model.nu);
  closed.assemble(t, q, u);
  // The way to the closed state may have bent elastic bodies. Now that the hinges are near it, straighten them and close again.
  const elasticStates = elasticStateIndices(model);
  for (let round = 0; elasticStates.length > 0 && round < MAX_RELAXATIONS; round++) {
    const before = Float64Array.from(y);
    for (const i of elasticStates) y[i] = y0[i]!;
    if (closed.assemble(t, q, u) <= CLOSURE_TOLERANCE) continue;
    y.set(before);
    break;
  }
  const [f, rates] = [new Float64Array(closed.rows), new Float64Array(closed.rows)];
  closed.residual(t, q, u, f, rates);
  const misses = new Map<string, number>();
  for (const [i, { loop }] of closed.labels.entries()) misses.set(loop, Math.max(misses.get(loop) ?? 0, Math.abs(f[i]!)));
  const open = [...misses].filter(([, miss]) => !(miss <= CLOSURE_TOLERANCE));
  if (open.length > 0) {
    throw new ModelError(
      model.name,
      open.map(([name, miss]) => ({
        path: `loops.${name}`,
        message: `cannot be closed: the nearest assembly still has a residual of ${miss.toPrecision(3)} (m or rad)`,
        advice: "Check lengths and attachments, or start from coordinates nearer to an assembled position",
      })),
    );
  }
  checkFlips(workspace, q);
  const names = coordinateNames(model);
  const all = [...names.q.map((n) => `q.${n}`), ...names.u.map((n) => `u.${n}`)];
  const moved = all
    .map((name, i) => ({ name, from: y0[i]!, to: y[i]! }))
    .filter(({ from, to }) => Math.abs(to - from) > SMALLEST_CHANGE)
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from));
  workspace.friction.setModesFromSpeeds(y);
  return { state: { ...state, y, discrete: { ...state.discrete, friction: workspace.friction.modes } }, moved };
}

/** Indices in y of the coordinates and speeds inside elastic bodies. */
const elasticStateIndices = (model: Model): readonly number[] =>
  model.springs.flatMap(({ joints }) =>
    joints.flatMap(({ hinge }) => {
      const { q, nq, u, nu } = model.bodies.find((b) => b.hinge.name === hinge)!.hinge;
      return Array.from({ length: nq + nu }, (_, i) => (i < nq ? q + i : model.nq + u + i - nq));
    }),
  );

/** @throws ModelError for loops that have closed in a flipped position. */
function checkFlips({ model, loops }: Workspace, q: Float64Array): void {
  const linkTree = linkTreeOf(model);
  const flipped = loops.current.model.loops
    .filter((loop) => !loop.heldAsFound)
    .map((loop) => ({ loop, angle: flippedLoopAngle(linkTree, loop, q, model.nu) }))
    .filter(({ angle }) => angle > 0);
  if (flipped.length === 0) return;
  throw new ModelError(
    model.name,
    flipped.map(({ loop, angle }) => ({
      path: `loops.${loop.name}`,
      message: `closes in a flipped position, ${((angle * 180) / Math.PI).toFixed(0)} deg from the declared one`,
      advice: "Start from coordinates nearer to the assembled position, or turn one of the loop's frames",
    })),
  );
}
