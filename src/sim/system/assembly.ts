/**
 * Assembly: the nearest state in which all loops are closed. Coordinates that must not change are held; coordinates that the caller has given
 * are kept if the loops can be closed without them. Otherwise all coordinates change as little as possible.
 */
import { checkList, checkName, checkOptions } from "../../arguments.ts";
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { ModelError } from "../../errors.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { flippedLoopAngle } from "../singular/flipped-loops.ts";
import type { State } from "../state.ts";
import { closeHolding, largestResidual } from "./held-assembly.ts";
import { recentre } from "./mass-centre/recentre.ts";
import { inWorkspace, type System } from "./system.ts";
import type { Workspace } from "./workspace.ts";

export interface Assembly {
  readonly state: State;
  /** Coordinates and speeds that changed, largest change first. */
  readonly moved: readonly { readonly name: string; readonly from: number; readonly to: number }[];
}

/** What assembly does not change. */
export interface AssemblyOptions {
  /** Hinges whose coordinates must not change. */
  readonly hold?: readonly string[];
  /** Hinges whose coordinates or speeds are kept if the loops can be closed by the others. Default: the speeds of the held hinges. */
  readonly keep?: { readonly q?: readonly string[]; readonly u?: readonly string[] };
}

/** Largest residual of a closed loop, m or rad. */
const CLOSURE_TOLERANCE = 1e-9;
/** Largest residual with which kept coordinates count as kept: rounding of lengths and coordinates. */
const KEPT_TOLERANCE = 1e-11;
const MAX_RELAXATIONS = 3;
/** Smaller changes are not reported. */
const SMALLEST_CHANGE = 1e-12;

/**
 * The nearest state in which the loops of a system are closed. @throws ModelError with the loops that stay open and their residuals,
 * ArgumentError for a hinge with an unknown name.
 */
export function assemble(system: System, state: State, options: AssemblyOptions = {}): Assembly {
  return inWorkspace(system, state, (workspace) => {
    checkOptions("options", options, ["hold", "keep"]);
    checkOptions("options.keep", options.keep ?? {}, ["q", "u"]);
    const lists = { "options.hold": options.hold, "options.keep.q": options.keep?.q, "options.keep.u": options.keep?.u };
    const names = workspace.model.bodies.map(({ hinge }) => hinge.name);
    for (const [argument, list] of Object.entries(lists)) {
      if (list === undefined) continue;
      checkList(argument, list, "names of hinges");
      for (const [i, name] of list.entries()) checkName(`${argument}[${i}]`, name, names, "hinge");
    }
    return assembleIn(workspace, state, options);
  });
}

/** The same in a workspace that has entered the state. */
export function assembleIn(workspace: Workspace, state: State, { hold = [], keep = {} }: AssemblyOptions = {}): Assembly {
  const { closed, model } = workspace;
  const { t, y: y0 } = state;
  const y = Float64Array.from(y0);
  if (!closed) return { state: { ...state, y }, moved: [] };
  closeCoordinates(workspace, t, y, hold, keep.q ?? []);
  keepSpeeds(workspace, t, y, y0, keep.u ?? hold);
  recentre(workspace.layout, y);
  const names = coordinateNames(model);
  const all = [...names.q.map((n) => `q.${n}`), ...names.u.map((n) => `u.${n}`)];
  const moved = all
    .map((name, i) => ({ name, from: y0[i]!, to: y[i]! }))
    .filter(({ from, to }) => Math.abs(to - from) > SMALLEST_CHANGE)
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from));
  workspace.friction.setModesFromSpeeds(y);
  return { state: { ...state, y, discrete: { ...state.discrete, friction: workspace.friction.modes } }, moved };
}

/** Closes the loops in y, and corrects the speeds by the smallest change of kinetic energy. */
function closeCoordinates(
  workspace: Workspace,
  t: number,
  y: Float64Array,
  hold: readonly string[],
  keep: readonly string[],
): void {
  const { model } = workspace;
  const closed = workspace.closed!;
  const views = (of: Float64Array) => ({ q: of.subarray(0, model.nq), u: of.subarray(model.nq, model.nq + model.nu) });
  const isUnflipped = (q: Float64Array): boolean => flippedLoops(workspace, q).length === 0;
  const closeWith = (names: readonly string[]) => {
    const { q } = views(y);
    return closeHolding(
      closed,
      model,
      t,
      q,
      freeSpeeds(model, names),
      (trial, free) => relaxElastic(model, trial, q, () => closed.assembleHolding(t, trial, free)),
      isUnflipped,
    );
  };
  const all = new Set([...hold, ...keep]);
  // Loops that are closed up to the digits of a file move less than anyone can tell.
  const isOpen = !(largestResidual(closed, model, t, y.subarray(0, model.nq)) <= CLOSURE_TOLERANCE);
  const kept = isOpen && all.size > 0 ? closeWith([...all]) : undefined;
  const found = kept && kept.residual <= KEPT_TOLERANCE ? kept : hold.length > 0 ? closeWith(hold) : undefined;
  const { q, u } = views(y);
  if (found) takeCoordinates(closed, t, q, u, found.q);
  else {
    const start = Float64Array.from(y);
    closed.assemble(t, q, u);
    relaxElastic(model, y, start, () => closed.assemble(t, q, u));
    if (!(largestResidual(closed, model, t, q) <= CLOSURE_TOLERANCE)) {
      y.set(start);
      takeCoordinates(closed, t, q, u, closeWith([]).q);
    }
    checkFolds(model, start, q, keep);
  }
  checkClosed(workspace, t, y, hold);
  checkFlips(workspace, q);
}

/** Takes coordinates with closed loops, and corrects the speeds there. */
function takeCoordinates(closed: ClosedLoops, t: number, q: Float64Array, u: Float64Array, found: Float64Array): void {
  q.set(found);
  closed.assemble(t, q, u); // changes q by rounding only
  q.set(found);
}

/**
 * @throws ModelError if a given angle would turn by more than a quarter turn: the machine would be folded over
 * @param keep hinges whose coordinates are given
 */
function checkFolds(model: Model, start: Float64Array, q: Float64Array, keep: readonly string[]): void {
  const folds = model.bodies.flatMap(({ hinge }) => {
    const units = keep.includes(hinge.name) ? hinge.elements.flatMap((element) => element.units.q) : [];
    return units.flatMap((unit, i) => {
      const [from, to] = [start[hinge.q + i]!, q[hinge.q + i]!];
      return unit === "rad" && Math.abs(to - from) > Math.PI / 2 ? [{ name: hinge.name, from, to }] : [];
    });
  });
  if (folds.length === 0) return;
  throw new ModelError(
    model.name,
    folds.map(({ name, from, to }) => ({
      path: `state.q.${name}`,
      message: `does not fit the other given coordinates: to close the loops it would turn from ${from.toPrecision(4)} to ${to.toPrecision(4)} rad`,
      advice: "Give fewer coordinates, or others; hinges that are not named adjust themselves",
    })),
  );
}

/**
 * The way to the closed state may have bent elastic bodies. Now that the hinges are near it, straightens them and closes again. Returns the
 * largest residual.
 * @param y coordinates, and speeds if `start` has them
 */
function relaxElastic(model: Model, y: Float64Array, start: Float64Array, close: () => number): number {
  const elasticStates = elasticStateIndices(model).filter((i) => i < y.length);
  let residual = close();
  for (let round = 0; elasticStates.length > 0 && round < MAX_RELAXATIONS; round++) {
    const before = Float64Array.from(y);
    for (const i of elasticStates) y[i] = start[i]!;
    const next = close();
    if (next <= CLOSURE_TOLERANCE) residual = next;
    else {
      y.set(before);
      break;
    }
  }
  return residual;
}

/** Gives the named hinges their speeds back if the others can keep the loops closed. */
function keepSpeeds({ closed, model }: Workspace, t: number, y: Float64Array, y0: Float64Array, names: readonly string[]): void {
  if (names.length === 0) return;
  const kept = Float64Array.from(y);
  const u = kept.subarray(model.nq, model.nq + model.nu);
  const free = freeSpeeds(model, names);
  const isFree = new Set(free);
  for (let i = 0; i < model.nu; i++) if (!isFree.has(i)) u[i] = y0[model.nq + i]!;
  const scale = u.reduce((most, v) => Math.max(most, Math.abs(v)), 1);
  if (u.every((v, i) => Math.abs(v - y[model.nq + i]!) <= CLOSURE_TOLERANCE * scale)) return; // kept up to the digits of a file
  if (closed!.speedsHolding(t, kept.subarray(0, model.nq), u, free) <= KEPT_TOLERANCE * scale) y.set(kept);
}

/** Indices of the speeds of all other hinges. */
const freeSpeeds = (model: Model, held: readonly string[]): readonly number[] =>
  model.bodies.flatMap(({ hinge }) => (held.includes(hinge.name) ? [] : Array.from({ length: hinge.nu }, (_, i) => hinge.u + i)));

/** @throws ModelError for loops that are open */
function checkClosed({ model, closed }: Workspace, t: number, y: Float64Array, hold: readonly string[]): void {
  const [f, rates] = [new Float64Array(closed!.rows), new Float64Array(closed!.rows)];
  closed!.residual(t, y.subarray(0, model.nq), y.subarray(model.nq, model.nq + model.nu), f, rates);
  const misses = new Map<string, number>();
  for (const [i, { loop }] of closed!.labels.entries()) misses.set(loop, Math.max(misses.get(loop) ?? 0, Math.abs(f[i]!)));
  const open = [...misses].filter(([, miss]) => !(miss <= CLOSURE_TOLERANCE));
  if (open.length === 0) return;
  const holding = hold.length > 0 ? ` while ${hold.join(", ")} ${hold.length > 1 ? "are" : "is"} held` : "";
  throw new ModelError(
    model.name,
    open.map(([name, miss]) => ({
      path: `loops.${name}`,
      message: `cannot be closed${holding}: the nearest assembly still has a residual of ${miss.toPrecision(3)} (m or rad)`,
      advice:
        hold.length > 0
          ? "Hold fewer hinges, or start them elsewhere"
          : "Check lengths and attachments, or start from coordinates nearer to an assembled position",
    })),
  );
}

/** Indices in y of the coordinates and speeds inside elastic bodies. */
const elasticStateIndices = (model: Model): readonly number[] =>
  model.springs.flatMap(({ joints }) =>
    joints.flatMap(({ hinge }) => {
      const { q, nq, u, nu } = model.bodies.find((b) => b.hinge.name === hinge)!.hinge;
      return Array.from({ length: nq + nu }, (_, i) => (i < nq ? q + i : model.nq + u + i - nq));
    }),
  );

/** Loops that have closed in a flipped position, with the angle. */
function flippedLoops({ model, loops }: Workspace, q: Float64Array) {
  const linkTree = linkTreeOf(model);
  return loops.current.model.loops
    .filter((loop) => !loop.heldAsFound)
    .map((loop) => ({ loop, angle: flippedLoopAngle(linkTree, loop, q, model.nu) }))
    .filter(({ angle }) => angle > 0);
}

/** @throws ModelError for loops that have closed in a flipped position. */
function checkFlips(workspace: Workspace, q: Float64Array): void {
  const flipped = flippedLoops(workspace, q);
  if (flipped.length === 0) return;
  throw new ModelError(
    workspace.model.name,
    flipped.map(({ loop, angle }) => ({
      path: `loops.${loop.name}`,
      message: `closes in a flipped position, ${((angle * 180) / Math.PI).toFixed(0)} deg from the declared one`,
      advice: "Start from coordinates nearer to the assembled position, or turn one of the loop's frames",
    })),
  );
}
