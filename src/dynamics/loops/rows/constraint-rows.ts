/**
 * Loops on the link tree: residuals, their rates, the Jacobian and its bias. Each loop is written in the frame of the last link
 * that both its branches have in common, so that the Jacobian has exact zeros for all speeds nearer to the base.
 */

import { lazy } from "../../../kernel/run/lazy.ts";
import { directionalDerivative } from "../../../kernel/trace/differentiate.ts";
import { add, isNumber, mul, neg, type Scalar, sub } from "../../../kernel/trace/scalar.ts";
import { type Attachment, type CoordinateLoop, type FrameLoop, type LoopRow, prescribedValue } from "../../../model/loop.ts";
import type { Model } from "../../../model/model.ts";
import { Pose } from "../../../spatial/pose.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../../../spatial/rotation.ts";
import { cross, dot, minus, plus, scale, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";
import { coordinateRates } from "../../tree/kinematics.ts";
import { hingeSteps, type LinkTree } from "../../tree/link-tree.ts";

/** One equation: residual f, and J as pairs of speed and coefficient. */
export interface ConstraintRow {
  readonly loop: string;
  readonly label: string;
  readonly residual: Scalar;
  /**
   * J u. For a loop between frames it comes from their relative velocity, which all rows share: this takes fewer operations than J u, and
   * so does its derivative.
   */
  readonly rate: Scalar;
  readonly J: readonly { readonly u: number; readonly value: Scalar }[];
}

export interface LoopConstraints {
  readonly rows: readonly ConstraintRow[];
  /** Rows that are expressed in other axes than the loop's own. */
  readonly rotated: readonly RotatedRows[];
  /** ∂f/∂t: nonzero only for prescribed motion. */
  readonly timePartials: readonly Scalar[];
  /** ḟ = J u + ∂f/∂t */
  readonly rates: readonly Scalar[];
  /** f̈ = J u̇ + bias */
  readonly bias: readonly Scalar[];
}

/**
 * Three rows that fix a point, in the axes of the common link instead of those of F. There J and its bias take half the operations, because F
 * turns and the common link does not. The three equations are equivalent, on the loops and off them: residuals, rates, rows of J, biases
 * and multipliers in their own axes are `R` times the values here.
 */
export interface RotatedRows {
  /** Indices of the three rows among all rows. */
  readonly rows: readonly number[];
  readonly R: Mat3;
  /** Angular velocity of F relative to the common link, in axes of the common link. */
  readonly w: Vec3;
}

/**
 * All loops of a model at a state.
 * @param axes "own": rows in the axes of their loop; "shortest": points in the axes that take the fewest operations.
 */
export function loopConstraints(
  model: Model<Scalar>,
  machine: LinkTree,
  t: Scalar,
  q: readonly Scalar[],
  u: readonly Scalar[],
  axes: "own" | "shortest" = "own",
): LoopConstraints {
  const rows: ConstraintRow[] = [];
  const turned: RotatedRows[] = [];
  for (const loop of model.loops) {
    if (loop.type === "frames") {
      const own = frameRows(machine, loop, q, u, axes);
      if (own.turned) turned.push({ ...own.turned, rows: own.turned.rows.map((k) => rows.length + k) });
      rows.push(...own.rows);
    } else rows.push(coordinatesRow(loop, t, q, u));
  }
  const driven = directionalDerivative(
    rows.map((r) => r.residual),
    [t],
    [1],
  );
  const rates = rows.map(({ rate }, i) => add(rate, driven[i]!));
  const bias = lazy(() => {
    const all = directionalDerivative(rates, [t, ...q], [1, ...coordinateRates(model, q, u)]);
    for (const { rows: at, w } of turned) {
      const turning = cross(w, at.map((i) => rates[i]!) as unknown as Vec3); // rates in axes that do not turn with F
      for (const [k, i] of at.entries()) all[i] = sub(all[i]!, turning[k]!);
    }
    return all;
  });
  return {
    rows,
    rotated: turned,
    timePartials: driven,
    rates,
    get bias() {
      return bias(); // computed only if it is used
    },
  };
}

const coordinatesRow = (loop: CoordinateLoop<Scalar>, t: Scalar, q: readonly Scalar[], u: readonly Scalar[]): ConstraintRow => ({
  loop: loop.name,
  label: loop.kind,
  residual: sub(
    loop.terms.reduce<Scalar>((sum, { q: i, factor }) => add(sum, mul(factor, q[i]!)), 0),
    prescribedValue(loop.motion, t),
  ),
  rate: loop.terms.reduce<Scalar>((sum, { u: k, factor }) => add(sum, mul(factor, u[k]!)), 0),
  J: loop.terms.map(({ u, factor }) => ({ u, value: factor })),
});

/** A freedom on a branch of a loop: its partial velocities in the axes of the common link. */
interface BranchFreedom {
  readonly u: number;
  readonly w: Vec3;
  /** Velocity of the point `at`, which moves with the freedom. */
  readonly v: Vec3;
  readonly at: Vec3;
}

/** The path from the common link to a frame: pose of the frame, and the freedoms on the path. */
interface LoopBranch {
  readonly R: Mat3;
  readonly p: Vec3;
  readonly freedoms: readonly BranchFreedom[];
}

/** The two branches of a loop from their common link. */
function branchesOf(machine: LinkTree, { from, to }: Pick<FrameLoop<Scalar>, "from" | "to">, q: readonly Scalar[]): LoopBranches {
  const common = commonLink(machine, linkOf(machine, from), linkOf(machine, to));
  return { F: branchFrom(machine, common, from, q), M: branchFrom(machine, common, to, q) };
}

interface LoopBranches {
  readonly F: LoopBranch;
  readonly M: LoopBranch;
}

/** Pose of M in F. */
function poseOfMInF({ F, M }: LoopBranches): { readonly R: Mat3; readonly p: Vec3 } {
  const inF = transpose(F.R);
  return { R: compose(inF, M.R), p: apply(inF, minus(M.p, F.p)) };
}

/** Pose of M in F, and velocities of M and of its origin in F, in F axes. */
export function relativeMotion(
  machine: LinkTree,
  ends: Pick<FrameLoop<Scalar>, "from" | "to">,
  q: readonly Scalar[],
  u: readonly Scalar[],
): { readonly R: Mat3; readonly p: Vec3; readonly w: Vec3; readonly v: Vec3 } {
  const ways = branchesOf(machine, ends, q);
  return { ...poseOfMInF(ways), ...velocitiesOfMInF(ways, u) };
}

/** Velocities of M, and of its origin, in F, in F axes. */
function velocitiesOfMInF({ F, M }: LoopBranches, u: readonly Scalar[]): { readonly w: Vec3; readonly v: Vec3 } {
  const [ofF, ofM] = [branchVelocity(F, M.p, u), branchVelocity(M, M.p, u)];
  const inF = transpose(F.R);
  return { w: apply(inF, minus(ofM.w, ofF.w)), v: apply(inF, minus(ofM.v, ofF.v)) };
}

/** Velocities of the end of a branch, and of a point fixed to it, in the axes of the common link, by recursion over the freedoms. */
function branchVelocity({ freedoms }: LoopBranch, point: Vec3, u: readonly Scalar[]): { readonly w: Vec3; readonly v: Vec3 } {
  let [w, v, at]: [Vec3, Vec3, Vec3] = [ZERO3, ZERO3, ZERO3];
  for (const d of freedoms) {
    v = plus(plus(v, cross(w, minus(d.at, at))), scale(u[d.u]!, d.v));
    w = plus(w, scale(u[d.u]!, d.w));
    at = d.at;
  }
  return { w, v: plus(v, cross(w, minus(point, at))) };
}

/** The rows of a loop, and those of them that are rotated. */
function frameRows(
  machine: LinkTree,
  loop: FrameLoop<Scalar>,
  q: readonly Scalar[],
  u: readonly Scalar[],
  axes: "own" | "shortest",
): { readonly rows: readonly ConstraintRow[]; readonly turned: RotatedRows | undefined } {
  const ways = branchesOf(machine, loop, q);
  const held = axes === "shortest" ? pointRowsInCommonAxes(ways, loop, u) : undefined;
  const own = lazy(() => rowInOwnAxes(ways, u));
  const rows = loop.rows.map((row, k) => {
    const place = held?.turned.rows.indexOf(k) ?? -1;
    return { loop: loop.name, label: row.label, ...(place < 0 ? own()(row) : held!.common[place]!) };
  });
  return { rows, turned: held?.turned };
}

type RowEquation = Pick<ConstraintRow, "residual" | "rate" | "J">;

/** Evaluates rows of a loop in the loop's own axes. */
function rowInOwnAxes(ways: LoopBranches, u: readonly Scalar[]): (row: LoopRow) => RowEquation {
  const { F, M } = ways;
  const { R, p } = poseOfMInF(ways);
  const { w, v } = velocitiesOfMInF(ways, u);
  return (row) => {
    const { torque, force } = row.wrench(R, p);
    const T = apply(F.R, torque);
    const f = apply(F.R, force);
    const power = (d: BranchFreedom): Scalar => add(dot(T, d.w), dot(f, plus(d.v, cross(d.w, minus(M.p, d.at)))));
    return { residual: row.value(R, p), rate: add(dot(torque, w), dot(force, v)), J: coefficients(ways, power) };
  };
}

/** J of a row from its coefficient for each freedom. */
const coefficients = ({ F, M }: LoopBranches, of: (d: BranchFreedom) => Scalar): ConstraintRow["J"] =>
  [...M.freedoms.map((d) => ({ u: d.u, value: of(d) })), ...F.freedoms.map((d) => ({ u: d.u, value: neg(of(d)) }))].filter(
    ({ value }) => value !== 0,
  );

/** The rows of a loop that fix a point along three directions of a turning F, in the axes of the common link. */
function pointRowsInCommonAxes(ways: LoopBranches, loop: FrameLoop<Scalar>, u: readonly Scalar[]) {
  const rows = loop.rows.flatMap((row, k) => (row.along ? [k] : []));
  const directions = rows.map((k) => loop.rows[k]!.along!);
  const isBasis = rows.length === 3 && directions.every((a, i) => directions.every((b, j) => dot(a, b) === (i === j ? 1 : 0)));
  const { F, M } = ways;
  if (!isBasis || F.R.flat().every(isNumber)) return undefined;
  const p = minus(M.p, F.p);
  const [ofF, ofM] = [branchVelocity(F, M.p, u), branchVelocity(M, M.p, u)];
  const v = minus(ofM.v, ofF.v);
  const carried = (d: BranchFreedom): Vec3 => plus(d.v, cross(d.w, minus(M.p, d.at)));
  const common = ([0, 1, 2] as const).map(
    (k): RowEquation => ({ residual: p[k], rate: v[k], J: coefficients(ways, (d) => carried(d)[k]) }),
  );
  return { common, turned: { rows, R: compose(directions as unknown as Mat3, transpose(F.R)), w: ofF.w } };
}

const linkOf = (machine: LinkTree, { body }: Attachment<Scalar>): number => (body < 0 ? -1 : machine.bodies[body]!.link);

/** The last link that carries both links, or one of them; -1 is the world. Parents have smaller numbers than children. */
function commonLink(machine: LinkTree, a: number, b: number): number {
  let [i, j] = [a, b];
  while (i !== j) {
    if (i > j) i = machine.links[i]!.parent;
    else j = machine.links[j]!.parent;
  }
  return i;
}

function branchFrom(
  machine: LinkTree,
  common: number,
  { body, placement }: Attachment<Scalar>,
  q: readonly Scalar[],
): LoopBranch {
  const path: number[] = [];
  for (let i = body < 0 ? -1 : machine.bodies[body]!.link; i !== common; i = machine.links[i]!.parent) path.unshift(i);
  let R: Mat3 = IDENTITY;
  let p: Vec3 = ZERO3;
  const freedoms: BranchFreedom[] = [];
  for (const i of path) {
    const link = machine.links[i]!;
    const { before, behind } = hingeSteps(link, q);
    const X = new Pose("carrier", link.name, [...before, ...behind]);
    const R_F = compose(R, new Pose("carrier", "F", link.constantSteps).R);
    p = plus(p, apply(R, X.p));
    R = compose(R, X.R);
    const { screw } = link.element;
    const columns = screw
      ? [{ w: apply(R, [0, 0, screw.turn]), v: apply(R, [0, 0, screw.slide]) }]
      : link.element.partials.map(({ angular, linear }) => ({ w: apply(R_F, angular), v: apply(R_F, linear) }));
    for (const [d, { w, v }] of columns.entries()) freedoms.push({ u: link.u + d, w, v, at: p });
  }
  const on = body < 0 ? { R: IDENTITY, p: ZERO3 } : machine.bodies[body]!.placement;
  const inLink = { R: compose(on.R, placement.R), p: plus(on.p, apply(on.R, placement.p)) };
  return { R: compose(R, inLink.R), p: plus(p, apply(R, inLink.p)), freedoms };
}
