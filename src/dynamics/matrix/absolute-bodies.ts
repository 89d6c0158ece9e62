/**
 * Absolute quantities of every body and the geometry of every hinge, for the matrix method. The report uses body axes; here all
 * components are in inertial axes, where d1 of [TR-942 2.2.7] is plus or minus one, and f and t need no rotation from body to body.
 * The state is the model's (q, u), so hinges cannot drift apart as they do when 13 numbers per body are integrated.
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Body, Model } from "../../model/model.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../../spatial/rotation.ts";
import { cross, dot, minus, plus, sumVectors, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { type HingeTwist, hingeMotion } from "./hinge-motion.ts";

export interface AbsoluteBody {
  /** Rotation of the body. */
  readonly R: Mat3;
  /** Position and velocity of the mass centre. Only energy and momentum use them. */
  readonly c: Vec3;
  readonly v: Vec3;
  readonly w: Vec3;
  /** e_n: vector from the mass centre to the hinge point on the body, M's origin. */
  readonly e: Vec3;
  /** e_m + y: vector from the parent's mass centre to the same point. */
  readonly eParent: Vec3;
  /** S at the hinge point, S u and Ṡ u, in inertial axes, relative to the parent. */
  readonly columns: readonly HingeTwist[];
  readonly velocity: HingeTwist;
  readonly bias: HingeTwist;
}

/** The inertial space as a parent: at rest, its "mass centre" at the origin. */
export const INERTIAL_SPACE: Pick<AbsoluteBody, "R" | "c" | "v" | "w"> = { R: IDENTITY, c: ZERO3, v: ZERO3, w: ZERO3 };

export function absoluteBodies(model: Model<Scalar>, q: readonly Scalar[], u: readonly Scalar[]): AbsoluteBody[] {
  const bodies: AbsoluteBody[] = [];
  for (const body of model.bodies) bodies.push(absoluteBody(model, body, bodies[body.parent] ?? INERTIAL_SPACE, q, u));
  return bodies;
}

function absoluteBody(
  model: Model<Scalar>,
  { parent, com, hinge }: Body<Scalar>,
  m: Pick<AbsoluteBody, "R" | "c" | "v" | "w">,
  q: readonly Scalar[],
  u: readonly Scalar[],
): AbsoluteBody {
  const between = hingeMotion(hinge, q, u);
  const R_WF = compose(m.R, hinge.onParent.R);
  const R = compose(R_WF, compose(between.R, transpose(hinge.onBody.R)));
  const e = apply(R, minus(hinge.onBody.p, com));
  const eParent = plus(apply(m.R, minus(hinge.onParent.p, model.bodies[parent]?.com ?? ZERO3)), apply(R_WF, between.p));
  const inertial = ({ angular, linear }: HingeTwist): HingeTwist => ({
    angular: apply(R_WF, angular),
    linear: apply(R_WF, linear),
  });
  const velocity = inertial(between.velocity);
  const w = plus(m.w, velocity.angular);
  return {
    R,
    c: minus(plus(m.c, eParent), e),
    v: minus(sumVectors([m.v, cross(m.w, eParent), velocity.linear]), cross(w, e)),
    w,
    e,
    eParent,
    columns: between.columns.map(inertial),
    velocity,
    bias: inertial(between.bias),
  };
}

/** I_j about the mass centre, in inertial axes: R I Rᵀ. */
export function inertiaOf({ inertia }: Body<Scalar>, { R }: AbsoluteBody): Mat3 {
  const [x, y, z] = compose(R, inertia);
  const xy = dot(x, R[1]);
  const xz = dot(x, R[2]);
  const yz = dot(y, R[2]);
  return [
    [dot(x, R[0]), xy, xz],
    [xy, dot(y, R[1]), yz],
    [xz, yz, dot(z, R[2])],
  ];
}
