/**
 * Loops on the canonical machine: residuals, their rates, the Jacobian and its bias. Each loop is written in the frame of the last link
 * that both its branches have in common, so that the Jacobian has exact zeros for everything nearer to the base.
 */
import { along } from "../kernel/differentiate.ts";
import { add, mul, neg, type Scalar, sub } from "../kernel/scalar.ts";
import { type Attachment, type FrameLoop, type Loop, prescribed } from "../model/loop.ts";
import type { Model } from "../model/model.ts";
import { Pose } from "../spatial/pose.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../spatial/rotation.ts";
import { cross, dot, minus, plus, scale, type Vec3, ZERO3 } from "../spatial/vec3.ts";
import { coordinateRates } from "./kinematics.ts";
import { type Machine, stepsOf } from "./machine.ts";

/** One equation: residual f, and J as pairs of speed and coefficient. */
export interface ConstraintRow {
  readonly loop: string;
  readonly label: string;
  readonly residual: Scalar;
  readonly J: readonly { readonly u: number; readonly value: Scalar }[];
}

export interface Constraints {
  readonly rows: readonly ConstraintRow[];
  /** ∂f/∂t: zero but for prescribed motion. */
  readonly driven: readonly Scalar[];
  /** ḟ = J u + ∂f/∂t */
  readonly rates: readonly Scalar[];
  /** f̈ = J u̇ + bias */
  readonly bias: readonly Scalar[];
}

/** All loops of a model at a state. */
export function constraints(
  model: Model<Scalar>,
  machine: Machine,
  t: Scalar,
  q: readonly Scalar[],
  u: readonly Scalar[],
): Constraints {
  const rows = model.loops.flatMap((loop) => rowsOfLoop(machine, loop, t, q));
  const qdot = coordinateRates(model, q, u);
  const variables = [t, ...q];
  const driven = along(
    rows.map((r) => r.residual),
    [t],
    [1],
  );
  const rates = rows.map(({ J }, i) => J.reduce<Scalar>((sum, { u: k, value }) => add(sum, mul(value, u[k]!)), driven[i]!));
  return { rows, driven, rates, bias: along(rates, variables, [1, ...qdot]) };
}

function rowsOfLoop(machine: Machine, loop: Loop<Scalar>, t: Scalar, q: readonly Scalar[]): ConstraintRow[] {
  if (loop.type === "frames") return frameRows(machine, loop, q);
  const sum = loop.terms.reduce<Scalar>((s, { q: i, factor }) => add(s, mul(factor, q[i]!)), 0);
  return [
    {
      loop: loop.name,
      label: loop.kind,
      residual: sub(sum, prescribed(loop.motion, t)),
      J: loop.terms.map(({ u, factor }) => ({ u, value: factor })),
    },
  ];
}

/** A freedom on a branch of a loop: what its unit speed does, in the axes of the common link. */
interface PartialVelocity {
  readonly u: number;
  readonly w: Vec3;
  /** Velocity of the point `at`, which is carried with it. */
  readonly v: Vec3;
  readonly at: Vec3;
}

/** The way from the common link to a frame: where the frame is, and the freedoms on the way. */
interface Branch {
  readonly R: Mat3;
  readonly p: Vec3;
  readonly freedoms: readonly PartialVelocity[];
}

/** M in F, along the branches from the link that they have in common. */
function cut(machine: Machine, { from, to }: Pick<FrameLoop<Scalar>, "from" | "to">, q: readonly Scalar[]) {
  const common = commonLink(machine, linkOf(machine, from), linkOf(machine, to));
  const F = branch(machine, common, from, q);
  const M = branch(machine, common, to, q);
  const inF = transpose(F.R);
  return { F, M, R: compose(inF, M.R), p: apply(inF, minus(M.p, F.p)) };
}

/** The pose of M in F, and the velocities of M and of its origin in F, in F axes: what a loop would hold. */
export function relativeMotion(
  machine: Machine,
  ends: Pick<FrameLoop<Scalar>, "from" | "to">,
  q: readonly Scalar[],
  u: readonly Scalar[],
): { readonly R: Mat3; readonly p: Vec3; readonly w: Vec3; readonly v: Vec3 } {
  const { F, M, R, p } = cut(machine, ends, q);
  let [w, v]: [Vec3, Vec3] = [ZERO3, ZERO3];
  const give = (sign: number, d: PartialVelocity): void => {
    w = plus(w, scale(mul(sign, u[d.u]!), d.w));
    v = plus(v, scale(mul(sign, u[d.u]!), plus(d.v, cross(d.w, minus(M.p, d.at)))));
  };
  for (const d of M.freedoms) give(1, d);
  for (const d of F.freedoms) give(-1, d);
  const inF = transpose(F.R);
  return { R, p, w: apply(inF, w), v: apply(inF, v) };
}

function frameRows(machine: Machine, loop: FrameLoop<Scalar>, q: readonly Scalar[]): ConstraintRow[] {
  const { F, M, R, p } = cut(machine, loop, q);
  return loop.rows.map((row) => {
    const { torque, force } = row.wrench(R, p);
    const T = apply(F.R, torque);
    const f = apply(F.R, force);
    const power = ({ w, v, at }: PartialVelocity): Scalar => add(dot(T, w), dot(f, plus(v, cross(w, minus(M.p, at)))));
    const J = [
      ...M.freedoms.map((d) => ({ u: d.u, value: power(d) })),
      ...F.freedoms.map((d) => ({ u: d.u, value: neg(power(d)) })),
    ].filter(({ value }) => value !== 0);
    return { loop: loop.name, label: row.label, residual: row.value(R, p), J };
  });
}

const linkOf = (machine: Machine, { body }: Attachment<Scalar>): number => (body < 0 ? -1 : machine.bodies[body]!.link);

/** The last link that two links both hang on; -1 is the world. Parents have smaller numbers than children. */
function commonLink(machine: Machine, a: number, b: number): number {
  let [i, j] = [a, b];
  while (i !== j) {
    if (i > j) i = machine.links[i]!.parent;
    else j = machine.links[j]!.parent;
  }
  return i;
}

function branch(machine: Machine, common: number, { body, placement }: Attachment<Scalar>, q: readonly Scalar[]): Branch {
  const path: number[] = [];
  for (let i = body < 0 ? -1 : machine.bodies[body]!.link; i !== common; i = machine.links[i]!.parent) path.unshift(i);
  let R: Mat3 = IDENTITY;
  let p: Vec3 = ZERO3;
  const freedoms: PartialVelocity[] = [];
  for (const i of path) {
    const link = machine.links[i]!;
    const { before, behind } = stepsOf(link, q);
    const X = new Pose("carrier", link.name, [...before, ...behind]);
    const R_F = compose(R, new Pose("carrier", "F", link.placed).R);
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
