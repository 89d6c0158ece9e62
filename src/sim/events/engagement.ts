/**
 * Loops that engage and release during a run. When a loop engages, the speeds jump (plastic impact). The jump is the smallest one in the
 * metric of kinetic energy after which the rows of all engaged loops are at rest:
 *
 *   M (u⁺ - u⁻) = Jᵀ P,  J u⁺ = -∂f/∂t
 *
 * Momentum is conserved. The lost energy is the work of the impulses, -½ P·(ḟ⁺ + ḟ⁻). It is booked as dissipated. Finite forces have no
 * effect during the jump. When a loop releases, nothing jumps.
 */

import { checkOptions } from "../../arguments.ts";
import { didYouMean } from "../../declare/names.ts";
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { relativeMotion } from "../../dynamics/loops/rows/constraint-rows.ts";
import { framePose, placementsOfLinks } from "../../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { EngagementError } from "../../errors.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { type Loop, rowCount } from "../../model/loop.ts";
import { measureLoopParameters, withEngagedParameters } from "../../model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../model/model.ts";
import { apply, IDENTITY, type Mat3 } from "../../spatial/rotation.ts";
import { plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { flippedLoopAngle } from "../singular/flipped-loops.ts";
import { restoreMomentum } from "../singular/restore-momentum.ts";
import type { HeldLoops, State } from "../state.ts";
import { DISSIPATED, LEDGER, SUPPLIED } from "../system/layout.ts";
import type { Impulse, LoopChange, LoopImpulse } from "../system/loop-change.ts";
import { isFreeFloating } from "../system/mass-centre/free-floating.ts";
import { inWorkspace, type System } from "../system/system.ts";
import type { Workspace } from "../system/workspace.ts";

interface TracedImpulse {
  readonly loop: string;
  readonly kind: string;
  readonly rows: readonly Scalar[];
  readonly wrench?: readonly Scalar[];
}

/** Residuals up to this size count as closed, m or rad. */
const CLOSED = 1e-13;
const NO_IMPULSE: Impulse = { loops: [], dissipated: 0, supplied: 0 };

/** All loops of a model, the ones that hold at the start first. */
export const allLoops = (model: Model): readonly Loop[] => [...model.loops, ...model.openLoops];

/** The state after loops have engaged, released or bumped, and the impulses. @throws EngagementError if they cannot */
export const changeLoops = (
  system: System,
  state: State,
  change: LoopChange,
): { readonly state: State; readonly impulse: Impulse } =>
  inWorkspace(system, state, (workspace) => {
    checkOptions("change", change, ["engage", "release", "bump"]);
    const y = state.y.slice();
    const impulse = changeLoopsIn(workspace, state.t, y, change);
    return { state: { t: state.t, y, inputs: state.inputs, discrete: workspace.discrete() }, impulse };
  });

/** Makes the change at t. Changes the speeds and the ledger in y. @throws EngagementError */
export function changeLoopsIn(workspace: Workspace, t: number, y: Float64Array, change: LoopChange): Impulse {
  const { engage = [], release = [], bump = [] } = change;
  const held = new Map(workspace.loops.held);
  for (const name of release) {
    findLoop(workspace, name);
    if (!held.delete(name)) throw new EngagementError(`loop ${name} cannot be released at t = ${t} s: it is not engaged`);
  }
  if (release.length > 0) workspace.loops.hold(held);
  if (engage.length + bump.length === 0) return NO_IMPULSE;
  for (const name of [...engage, ...bump.map((b) => b.loop)]) {
    const loop = findLoop(workspace, name);
    if (held.has(name)) throw new EngagementError(`loop ${name} cannot be engaged at t = ${t} s: it is engaged already`);
    held.set(
      name,
      loop.engages === "as-declared" && engage.includes(name) ? "declared" : loopParametersAt(workspace, loop, t, y),
    );
  }
  return applyImpact(workspace, t, y, held, change);
}

/** Applies the impulses of all engaged and bumped loops at once. */
function applyImpact(workspace: Workspace, t: number, y: Float64Array, loops: HeldLoops, change: LoopChange): Impulse {
  const { nq, nu, ny } = workspace.layout;
  const { engage = [] } = change;
  let { bump = [] } = change;
  for (let held = new Map(loops); ; ) {
    const { closed, model } = workspace.loops.setFor(held);
    const q = y.slice(0, nq);
    const u = y.slice(nq, nq + nu);
    const isMoved = closeDeclared(workspace, closed!, t, q, u, engage);
    const impact = closed!.impact(t, q, u, new Map(bump.map((b) => [b.loop, b.restitution])));
    const impulses = loopImpulses(model, held, q, impact.impulses);
    // A plane can push but not pull: a bump is dropped if the bodies already separate.
    const pulling = bump.filter(({ loop }) =>
      impulses.some((g) => g.loop === loop && g.kind === "point-on-plane" && g.rows[0]! < 0),
    );
    if (pulling.length > 0) {
      bump = bump.filter((b) => !pulling.includes(b));
      held = new Map([...held].filter(([name]) => !pulling.some((b) => b.loop === name)));
      if (engage.length + bump.length === 0) return NO_IMPULSE;
      continue;
    }
    const before = isMoved ? energyAndMomentum(workspace, t, y) : undefined;
    y.set(q);
    y.set(u, nq);
    const dissipated = before ? energyLostByClosing(workspace, t, y, before) + impact.supplied : impact.dissipated;
    y[ny - LEDGER + DISSIPATED]! += dissipated;
    y[ny - LEDGER + SUPPLIED]! += impact.supplied;
    workspace.friction.setModesFromSpeeds(y);
    workspace.loops.hold(new Map([...held].filter(([name]) => !bump.some((b) => b.loop === name))));
    return { loops: impulses.map(({ kind: _, ...g }) => g), dissipated, supplied: impact.supplied };
  }
}

/** Adds the jump of the speeds in y under the generalised impulse Q, with the engaged loops kept. Returns the impulses of the loops. */
export function pushClosedLoops(workspace: Workspace, t: number, y: Float64Array, Q: Float64Array): Impulse {
  const { nq, nu } = workspace.layout;
  const { closed, model } = workspace.loops.current;
  const q = y.slice(0, nq);
  const u = y.slice(nq, nq + nu);
  const { impulses, supplied } = closed!.push(t, q, u, Q);
  y.set(u, nq);
  const loops = loopImpulses(model, workspace.loops.held, q, impulses).map(({ kind: _, ...g }) => g);
  return { loops, dissipated: 0, supplied };
}

function findLoop({ model }: Workspace, name: string): Loop {
  const loops = allLoops(model);
  const loop = loops.find((l) => l.name === name);
  if (loop) return loop;
  return refuseLoop(
    name,
    loops.map((l) => l.name),
  );
}

/** Changes loops, if the system has any. @throws EngagementError */
export function changeLoopsIfAny(workspace: Workspace, t: number, y: Float64Array, change: LoopChange): Impulse {
  const { loops } = workspace.methods;
  if (loops) return loops.change(workspace, t, y, change);
  const { release = [], engage = [], bump = [] } = change;
  const [first] = [...release, ...engage, ...bump.map(({ loop }) => loop)];
  return first === undefined ? NO_IMPULSE : refuseLoop(first, []);
}

/** @throws EngagementError */
function refuseLoop(name: string, known: readonly string[]): never {
  throw new EngagementError(
    `no loop is named "${name}". ${known.length > 0 ? didYouMean(name, known) : "The model has no loops"}`,
  );
}

const relativePose = (workspace: Workspace, loop: Loop, y: Float64Array): { R: Mat3<number>; p: Vec3<number> } => {
  if (loop.type === "coordinates") return { R: IDENTITY, p: [0, 0, 0] };
  const { nq, nu } = workspace.layout;
  const { R, p } = relativeMotion(linkTreeOf(workspace.model), loop, [...y.subarray(0, nq)], new Array<number>(nu).fill(0));
  return { R: R as Mat3<number>, p: p as Vec3<number> };
};

const loopParametersAt = (workspace: Workspace, loop: Loop, t: number, y: Float64Array): readonly number[] =>
  measureLoopParameters(loop, relativePose(workspace, loop, y), y, t);

const heldParameters = (model: Model, held: HeldLoops): number[] =>
  model.loops.flatMap((loop) => (loop.heldAsFound ? (held.get(loop.name) as readonly number[]) : []));

const energyAndMomentum = (workspace: Workspace, t: number, y: Float64Array): { energy: number; momentum: Float64Array } => {
  const { kinetic, potential, momentum } = workspace.observe(t, y);
  return { energy: kinetic + potential, momentum: momentum.slice() };
};

/** Energy lost by closing the residuals of loops. Moving the bodies changes the momentum slightly, so the momentum is restored first. */
function energyLostByClosing(
  workspace: Workspace,
  t: number,
  y: Float64Array,
  before: ReturnType<typeof energyAndMomentum>,
): number {
  if (isFreeFloating(workspace.model)) restoreMomentum(workspace, t, y, before.momentum);
  return before.energy - energyAndMomentum(workspace, t, y).energy;
}

/** Closes residuals up to the tolerance by the smallest motion. Returns true if it moved anything. @throws EngagementError beyond it. */
function closeDeclared(
  workspace: Workspace,
  closed: ClosedLoops,
  t: number,
  q: Float64Array,
  u: Float64Array,
  engage: readonly string[],
): boolean {
  const declared = engage.map((name) => findLoop(workspace, name)).filter((loop) => loop.engages === "as-declared");
  if (declared.length === 0) return false;
  const [f, rates] = [new Float64Array(closed.rows), new Float64Array(closed.rows)];
  closed.residual(t, q, u, f, rates);
  for (const loop of declared) {
    const rows = closed.labels.flatMap(({ loop: name }, i) => (name === loop.name ? [Math.abs(f[i]!)] : []));
    const miss = Math.max(...rows, flippedLoopAngle(linkTreeOf(workspace.model), loop, q, workspace.layout.nu));
    if (!(miss <= loop.tolerance))
      throw new EngagementError(
        `loop ${loop.name} cannot be engaged at t = ${t} s: its residual is ${miss.toPrecision(3)} (m or rad), larger than its tolerance ` +
          `${loop.tolerance}. Bring the frames closer first, or engage it at its present position: engages: as-found`,
      );
  }
  const isOpen = f.some((v) => Math.abs(v) > CLOSED);
  if (isOpen) closed.project(t, q, Float64Array.from(u));
  return isOpen;
}

/** Impulses by loop, and for loops between frames also the wrench on M's body. */
const loopImpulses = (given: Model, held: HeldLoops, q: Float64Array, impulses: Float64Array) =>
  loopWrenches(modelWithHeldLoops(given, held), [...q], [...impulses]) as readonly (LoopImpulse & { readonly kind: string })[];

/** The model with the engaged loops at the parameters that were measured when they engaged. */
export const modelWithHeldLoops = (model: Model, held: HeldLoops): Model<Scalar> =>
  withEngagedParameters(model, heldParameters(model, held));

/** Multipliers (or impulses) by loop, and their wrenches on M's bodies, for numbers or expressions. */
export function loopWrenches(model: Model<Scalar>, q: readonly Scalar[], impulses: readonly Scalar[]): readonly TracedImpulse[] {
  const linkTree = linkTreeOf(model);
  const placements = placementsOfLinks(linkTree, q);
  let row = 0;
  return model.loops.map((loop) => {
    const rows = impulses.slice(row, row + rowCount(loop));
    row += rows.length;
    const impulse = { loop: loop.name, kind: loop.kind, rows };
    if (loop.type === "coordinates") return impulse;
    const { R, p } = relativeMotion(linkTree, loop, q, new Array<number>(model.nu).fill(0));
    const { body, placement } = loop.from;
    const R_WF = body < 0 ? placement.R : framePose(linkTree, placements, { name: loop.name, body, placement }).R;
    let [torque, force]: [Vec3, Vec3] = [ZERO3, ZERO3];
    for (const [i, P] of rows.entries()) {
      const wrench = loop.rows[i]!.wrench(R, p);
      torque = plus(torque, scale(P, wrench.torque));
      force = plus(force, scale(P, wrench.force));
    }
    return { ...impulse, wrench: [...apply(R_WF, torque), ...apply(R_WF, force)] };
  });
}
