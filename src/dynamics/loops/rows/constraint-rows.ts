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
import { hingeSteps } from "../../tree/link.ts";
import type { LinkTree } from "../../tree/link-tree.ts";

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
  tree: LinkTree,
  t: Scalar,
  q: readonly Scalar[],
  u: readonly Scalar[],
  axes: "own" | "shortest" = "own",
): LoopConstraints {
  const rows: ConstraintRow[] = [];
  const rotated: RotatedRows[] = [];
  for (const loop of model.loops) {
    if (loop.type === "frames") {
      const loopRows = frameRows(tree, loop, q, u, axes);
      if (loopRows.rotated) rotated.push({ ...loopRows.rotated, rows: loopRows.rotated.rows.map((k) => rows.length + k) });
      rows.push(...loopRows.rows);
    } else rows.push(coordinatesRow(loop, t, q, u));
  }
  const timePartials = directionalDerivative(
    rows.map((r) => r.residual),
    [t],
    [1],
  );
  const rates = rows.map(({ rate }, i) => add(rate, timePartials[i]!));
  const bias = lazy(() => {
    const derivatives = directionalDerivative(rates, [t, ...q], [1, ...coordinateRates(model, q, u)]);
    for (const { rows: indices, w } of rotated) {
      const rotationRate = cross(w, indices.map((i) => rates[i]!) as unknown as Vec3); // rates in axes that do not turn with F
      for (const [k, i] of indices.entries()) derivatives[i] = sub(derivatives[i]!, rotationRate[k]!);
    }
    return derivatives;
  });
  return {
    rows,
    rotated,
    timePartials,
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
function branchesOf(tree: LinkTree, { from, to }: Pick<FrameLoop<Scalar>, "from" | "to">, q: readonly Scalar[]): LoopBranches {
  const common = commonLink(tree, linkOf(tree, from), linkOf(tree, to));
  return { F: branchFrom(tree, common, from, q), M: branchFrom(tree, common, to, q) };
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
  tree: LinkTree,
  ends: Pick<FrameLoop<Scalar>, "from" | "to">,
  q: readonly Scalar[],
  u: readonly Scalar[],
): { readonly R: Mat3; readonly p: Vec3; readonly w: Vec3; readonly v: Vec3 } {
  const branches = branchesOf(tree, ends, q);
  return { ...poseOfMInF(branches), ...velocitiesOfMInF(branches, u) };
}

/** Velocities of M, and of its origin, in F, in F axes. */
function velocitiesOfMInF({ F, M }: LoopBranches, u: readonly Scalar[]): { readonly w: Vec3; readonly v: Vec3 } {
  const [motionF, motionM] = [branchVelocity(F, M.p, u), branchVelocity(M, M.p, u)];
  const inF = transpose(F.R);
  return { w: apply(inF, minus(motionM.w, motionF.w)), v: apply(inF, minus(motionM.v, motionF.v)) };
}

/** Velocities of the end of a branch, and of a point fixed to it, in the axes of the common link, by recursion over the freedoms. */
function branchVelocity({ freedoms }: LoopBranch, point: Vec3, u: readonly Scalar[]): { readonly w: Vec3; readonly v: Vec3 } {
  let [w, v, origin]: [Vec3, Vec3, Vec3] = [ZERO3, ZERO3, ZERO3];
  for (const d of freedoms) {
    v = plus(plus(v, cross(w, minus(d.at, origin))), scale(u[d.u]!, d.v));
    w = plus(w, scale(u[d.u]!, d.w));
    origin = d.at;
  }
  return { w, v: plus(v, cross(w, minus(point, origin))) };
}

/** The rows of a loop, and those of them that are rotated. */
function frameRows(
  tree: LinkTree,
  loop: FrameLoop<Scalar>,
  q: readonly Scalar[],
  u: readonly Scalar[],
  axes: "own" | "shortest",
): { readonly rows: readonly ConstraintRow[]; readonly rotated: RotatedRows | undefined } {
  const branches = branchesOf(tree, loop, q);
  const pointRows = axes === "shortest" ? pointRowsInCommonAxes(branches, loop, u) : undefined;
  const evaluateRow = lazy(() => rowInOwnAxes(branches, u));
  const rows = loop.rows.map((row, k) => {
    const pointRow = pointRows?.rotated.rows.indexOf(k) ?? -1;
    return { loop: loop.name, label: row.label, ...(pointRow < 0 ? evaluateRow()(row) : pointRows!.common[pointRow]!) };
  });
  return { rows, rotated: pointRows?.rotated };
}

type RowEquation = Pick<ConstraintRow, "residual" | "rate" | "J">;

/** Evaluates rows of a loop in the loop's own axes. */
function rowInOwnAxes(branches: LoopBranches, u: readonly Scalar[]): (row: LoopRow) => RowEquation {
  const { F, M } = branches;
  const { R, p } = poseOfMInF(branches);
  const { w, v } = velocitiesOfMInF(branches, u);
  return (row) => {
    const { torque, force } = row.wrench(R, p);
    const T = apply(F.R, torque);
    const f = apply(F.R, force);
    const power = (d: BranchFreedom): Scalar => add(dot(T, d.w), dot(f, plus(d.v, cross(d.w, minus(M.p, d.at)))));
    return { residual: row.value(R, p), rate: add(dot(torque, w), dot(force, v)), J: coefficients(branches, power) };
  };
}

/** J of a row from its coefficient for each freedom. */
const coefficients = ({ F, M }: LoopBranches, coefficientOf: (d: BranchFreedom) => Scalar): ConstraintRow["J"] =>
  [
    ...M.freedoms.map((d) => ({ u: d.u, value: coefficientOf(d) })),
    ...F.freedoms.map((d) => ({ u: d.u, value: neg(coefficientOf(d)) })),
  ].filter(({ value }) => value !== 0);

/** The rows of a loop that fix a point along three directions of a turning F, in the axes of the common link. */
function pointRowsInCommonAxes(branches: LoopBranches, loop: FrameLoop<Scalar>, u: readonly Scalar[]) {
  const rows = loop.rows.flatMap((row, k) => (row.along ? [k] : []));
  const directions = rows.map((k) => loop.rows[k]!.along!);
  const isBasis = rows.length === 3 && directions.every((a, i) => directions.every((b, j) => dot(a, b) === (i === j ? 1 : 0)));
  const { F, M } = branches;
  if (!isBasis || F.R.flat().every(isNumber)) return undefined;
  const p = minus(M.p, F.p);
  const [motionF, motionM] = [branchVelocity(F, M.p, u), branchVelocity(M, M.p, u)];
  const v = minus(motionM.v, motionF.v);
  const partialVelocity = (d: BranchFreedom): Vec3 => plus(d.v, cross(d.w, minus(M.p, d.at)));
  const common = ([0, 1, 2] as const).map(
    (k): RowEquation => ({ residual: p[k], rate: v[k], J: coefficients(branches, (d) => partialVelocity(d)[k]) }),
  );
  return { common, rotated: { rows, R: compose(directions as unknown as Mat3, transpose(F.R)), w: motionF.w } };
}

const linkOf = (tree: LinkTree, { body }: Attachment<Scalar>): number => (body < 0 ? -1 : tree.bodies[body]!.link);

/** The last link that carries both links, or one of them; -1 is the world. Parents have smaller numbers than children. */
function commonLink(tree: LinkTree, a: number, b: number): number {
  let [i, j] = [a, b];
  while (i !== j) {
    if (i > j) i = tree.links[i]!.parent;
    else j = tree.links[j]!.parent;
  }
  return i;
}

function branchFrom(tree: LinkTree, common: number, { body, placement }: Attachment<Scalar>, q: readonly Scalar[]): LoopBranch {
  const path: number[] = [];
  for (let i = body < 0 ? -1 : tree.bodies[body]!.link; i !== common; i = tree.links[i]!.parent) path.unshift(i);
  let R: Mat3 = IDENTITY;
  let p: Vec3 = ZERO3;
  const freedoms: BranchFreedom[] = [];
  for (const i of path) {
    const link = tree.links[i]!;
    const { toHinge, alongAxis } = hingeSteps(link, q);
    const X = new Pose("carrier", link.name, [...toHinge, ...alongAxis]);
    const R_F = compose(R, new Pose("carrier", "F", link.constantSteps).R);
    p = plus(p, apply(R, X.p));
    R = compose(R, X.R);
    const { screw } = link.element;
    const columns = screw
      ? [{ w: apply(R, [0, 0, screw.turn]), v: apply(R, [0, 0, screw.slide]) }]
      : link.element.partials.map(({ angular, linear }) => ({ w: apply(R_F, angular), v: apply(R_F, linear) }));
    for (const [d, { w, v }] of columns.entries()) freedoms.push({ u: link.u + d, w, v, at: p });
  }
  const onLink = body < 0 ? { R: IDENTITY, p: ZERO3 } : tree.bodies[body]!.placement;
  const inLink = { R: compose(onLink.R, placement.R), p: plus(onLink.p, apply(onLink.R, placement.p)) };
  return { R: compose(R, inLink.R), p: plus(p, apply(R, inLink.p)), freedoms };
}
