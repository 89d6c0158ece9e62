/** Poses, velocities and Jacobians of bodies and frames, in world axes. */
import { beginStep, type Scalar } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Frame, Model, Placement } from "../../model/model.ts";
import { Pose } from "../../spatial/pose.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../../spatial/rotation.ts";
import { cross, minus, plus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { hingeSteps } from "./link.ts";
import { LinkRates, motionOfLinks } from "./link-motion.ts";
import type { LinkTree } from "./link-tree.ts";

/** A link in the world. Offsets lead from carrier to carried link, so that a far-away world origin costs no digits. */
export interface PlacedLink {
  readonly R: Mat3;
  /** Vector from the origin of the carrier to the origin of the link, world axes. */
  readonly offset: Vec3;
  /** R_WF of its hinge. */
  readonly R_WF: Mat3;
}

export function placementsOfLinks(tree: LinkTree, q: readonly Scalar[]): PlacedLink[] {
  const placements: PlacedLink[] = [];
  for (const link of tree.links) {
    beginStep(q);
    const { toHinge, alongAxis } = hingeSteps(link, q);
    const carrier = link.parent < 0 ? IDENTITY : placements[link.parent]!.R;
    const X = new Pose("carrier", link.name, [...toHinge, ...alongAxis]);
    const F = new Pose("carrier", "F", link.constantSteps);
    placements.push({ R: compose(carrier, X.R), offset: apply(carrier, X.p), R_WF: compose(carrier, F.R) });
  }
  return placements;
}

/** Link and placement on it of a frame of the model. */
export function frameOnLink(
  tree: LinkTree,
  frame: Frame<Scalar>,
): { readonly link: number; readonly placement: Placement<Scalar, Scalar> } {
  const { link, placement } = tree.bodies[frame.body]!;
  return {
    link,
    placement: {
      R: compose(placement.R, frame.placement.R),
      p: plus(placement.p, apply(placement.R, frame.placement.p)),
    },
  };
}

/** R_WE and the position of E in the world. */
export function framePose(
  tree: LinkTree,
  placements: readonly PlacedLink[],
  frame: Frame<Scalar>,
): { readonly R: Mat3; readonly p: Vec3 } {
  const { link, placement } = frameOnLink(tree, frame);
  if (link < 0) return { R: placement.R, p: placement.p };
  const R = placements[link]!.R;
  let p = apply(R, placement.p);
  for (let i = link; i >= 0; i = tree.links[i]!.parent) p = plus(placements[i]!.offset, p);
  return { R: compose(R, placement.R), p };
}

/** Partial velocities of the speeds of a link's element, in world axes. */
export const partialVelocities = (
  { screw, small, partials }: HingeElement,
  R: Mat3,
  R_WF: Mat3,
): readonly { readonly w: Vec3; readonly v: Vec3 }[] =>
  screw
    ? [{ w: apply(R, [0, 0, screw.turn]), v: apply(R, [0, 0, screw.slide]) }]
    : partials.map(({ angular, linear }) => ({ w: apply(small ? R : R_WF, angular), v: apply(small ? R : R_WF, linear) }));

/** J_WE: 6 rows (angular, then linear velocity of E's origin, world axes), nu columns. */
export function frameJacobian(tree: LinkTree, placements: readonly PlacedLink[], frame: Frame<Scalar>): Scalar[][] {
  const J = Array.from({ length: 6 }, () => new Array<Scalar>(tree.nu).fill(0));
  const { link, placement } = frameOnLink(tree, frame);
  let reach: Vec3 = link < 0 ? placement.p : apply(placements[link]!.R, placement.p); // from the link's origin to E
  for (let i = link; i >= 0; i = tree.links[i]!.parent) {
    const { element, u } = tree.links[i]!;
    beginStep(placements[i]!.R[0]);
    const { R, R_WF, offset } = placements[i]!;
    for (const [d, { w, v }] of partialVelocities(element, R, R_WF).entries()) {
      const linear = plus(v, cross(w, reach));
      for (const k of [0, 1, 2] as const) {
        J[k]![u + d] = w[k];
        J[3 + k]![u + d] = linear[k];
      }
    }
    reach = plus(offset, reach);
  }
  return J;
}

/** J̇ u: angular and linear acceleration of E for u̇ = 0, world axes. */
export function frameBias(
  tree: LinkTree,
  placements: readonly PlacedLink[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  frame: Frame<Scalar>,
): Scalar[] {
  const { link, placement } = frameOnLink(tree, frame);
  if (link < 0) return [0, 0, 0, 0, 0, 0];
  const { rates } = motionOfLinks({ ...tree, gravity: ZERO3 }, q, u)[link]!;
  const R = placements[link]!.R;
  const frameRates = new LinkRates(rates.omega, rates.alpha, plus(rates.acceleration, apply(rates.psi, placement.p)));
  return [...apply(R, frameRates.alpha), ...apply(R, frameRates.acceleration)];
}

/** The acceleration of the origin of each frame, in its own axes. */
export const frameAccelerations = (
  tree: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
  frames: readonly Frame<Scalar>[],
): Vec3[] => frameSpecificForces({ ...tree, gravity: ZERO3 }, q, u, udot, frames);

/** The specific force at the origin of each frame, acceleration less gravity, in its own axes. */
export function frameSpecificForces(
  tree: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  udot: readonly Scalar[],
  frames: readonly Frame<Scalar>[],
): Vec3[] {
  const motions = motionOfLinks(tree, q, u, udot);
  return frames.map((frame) => {
    const { link, placement } = frameOnLink(tree, frame);
    if (link < 0) return apply(transpose(placement.R), minus(ZERO3, tree.gravity));
    const { rates } = motions[link]!;
    return apply(transpose(placement.R), plus(rates.acceleration, apply(rates.psi, placement.p)));
  });
}

/** For each body R_WB by rows (9), then position (3). */
export function bodyPoses(model: Model<Scalar>, tree: LinkTree, q: readonly Scalar[]): Scalar[] {
  const placements = placementsOfLinks(tree, q);
  return model.bodies.flatMap((body) => {
    beginStep(q);
    const { R, p } = framePose(tree, placements, { name: body.name, body: body.index, placement: { R: IDENTITY, p: ZERO3 } });
    return [...R.flat(), ...p];
  });
}

/** q̇ = N(q) u, hinge by hinge. */
export function coordinateRates(model: Model<Scalar>, q: readonly Scalar[], u: readonly Scalar[]): Scalar[] {
  return model.bodies.flatMap(({ hinge }) => {
    beginStep(q);
    let first = { q: hinge.q, u: hinge.u };
    return hinge.elements.flatMap((e) => {
      const rates = e.rates(q.slice(first.q, first.q + e.nq), u.slice(first.u, first.u + e.nu));
      first = { q: first.q + e.nq, u: first.u + e.nu };
      return rates;
    });
  });
}
