/** Forward dynamics at linear cost [Featherstone 2008, ch. 7], one hinge column at a time, on the link tree. */

import { SingularError, TraceError } from "../../errors.ts";
import { add, beginStep, div, isNumber, mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import { Inertia } from "../../spatial/inertia.ts";
import { Pose } from "../../spatial/pose.ts";
import { apply, transpose } from "../../spatial/rotation.ts";
import { minus, plus, UNIT_VECTORS, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { Force, Motion } from "../../spatial/vectors.ts";
import { hasSpeedsInLinkAxes, type Link, rotationFL } from "./link.ts";
import { fallsFreely, inertialForce, type MovingLink, motionOfLink } from "./link-motion.ts";
import { depthFirstOrder } from "./link-order.ts";
import type { LinkTree } from "./link-tree.ts";

/** Unit motions of a link's hinge in link axes: z for a screw, x, y, z for a ball, then translations for a free hinge. */
export function hingeColumns(link: Link): Motion[] {
  const { screw, nu, small, partials } = link.element;
  if (small) return partials.map(({ angular, linear }) => new Motion(link.name, angular, linear));
  if (screw) return [new Motion(link.name, [0, 0, screw.turn], [0, 0, screw.slide])];
  const turns = UNIT_VECTORS.map((e) => new Motion(link.name, e, ZERO3));
  return nu === 3 ? turns : [...turns, ...UNIT_VECTORS.map((e) => new Motion(link.name, ZERO3, e))];
}

/** Generalised forces of a link's hinge, rotated from F axes to link axes if the hinge has several freedoms. */
export function toLinkAxes(link: Link, q: readonly Scalar[], values: readonly Scalar[]): Scalar[] {
  const hingeValues = values.slice(link.u, link.u + link.element.nu);
  return hasSpeedsInLinkAxes(link) ? hingeValues : rotateBlocks(transpose(rotationFL(link, q)), hingeValues);
}

export function toHingeAxes(link: Link, q: readonly Scalar[], hingeValues: readonly Scalar[]): Scalar[] {
  return hasSpeedsInLinkAxes(link) ? [...hingeValues] : rotateBlocks(rotationFL(link, q), hingeValues);
}

const rotateBlocks = (R: ReturnType<typeof rotationFL>, values: readonly Scalar[]): Scalar[] =>
  Array.from({ length: values.length / 3 }, (_, b) => apply(R, values.slice(3 * b, 3 * b + 3) as unknown as Vec3)).flat();

/** U / D for a numeric D. U (1 / D) would round; this quotient is exactly 1 along S, which folds. */
const quotient = (U: Force, D: number): Force => {
  const divideByD = (v: Vec3): Vec3 => v.map((x) => div(x, D)) as unknown as Vec3;
  return new Force(U.frame, divideByD(U.torque), divideByD(U.force));
};

/** Computes a quotient by the inertia that a link's hinge feels. @throws SingularError if this inertia is zero in every state. */
function asSingularError<T>(name: string, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    throw new SingularError(
      `the hinge of ${name} has no inertia: all that it carries can make the same motion by other hinges. ` +
        "Give the body mass, or the hinge an armature; an elastic body needs a first joint beyond its root",
    );
  }
}

interface ArticulatedColumn {
  readonly S: Motion;
  /** U / D */
  readonly g: Force;
  /** r / D */
  readonly free: Scalar;
}

/** u̇ of the link tree under hinge forces tau and, for each link, an optional external force in link axes. */
export function articulatedAccelerations(
  tree: LinkTree,
  q: readonly Scalar[],
  u: readonly Scalar[],
  tau: readonly Scalar[],
  external: readonly (Force | undefined)[],
): Scalar[] {
  const { links } = tree;
  const motions: MovingLink[] = [];
  const I = links.map((link) => link.inertia.articulated);
  const p: Force[] = [];
  const columns: ArticulatedColumn[][] = links.map(() => []);
  const freeAcceleration: (Motion | undefined)[] = links.map(() => undefined);

  const down = (i: number): void => {
    const link = links[i]!;
    motions[i] = motionOfLink(tree, link, motions, q, u);
    const inertial = inertialForce(link.inertia, motions[i]!.rates);
    const externalForce = external[i];
    p[i] = externalForce ? inertial.minus(externalForce) : inertial;
  };
  const up = (i: number): void => {
    const link = links[i]!;
    beginStep(q);
    const forces = toLinkAxes(link, q, tau);
    const S = hingeColumns(link);
    if (S.length === 6) {
      // Six freedoms: the link moves as if it had no carrier. The carrier feels only the hinge's own force.
      const hingeForce = new Force(link.name, forces.slice(0, 3) as unknown as Vec3, forces.slice(3) as unknown as Vec3);
      freeAcceleration[i] = asSingularError(link.name, () => I[i]!.solve(hingeForce.minus(p[i]!)));
      I[i] = Inertia.zero(link.name).articulated;
      p[i] = hingeForce;
    } else
      for (let d = S.length - 1; d >= 0; d--) {
        const U = I[i]!.times(S[d]!);
        const D = add(S[d]!.dot(U), link.element.armature ?? 0);
        const inverse = asSingularError(link.name, () => div(1, D));
        const g = isNumber(D) ? quotient(U, D) : U.times(inverse);
        const r = sub(forces[d]!, S[d]!.dot(p[i]!));
        I[i] = I[i]!.reducedByHinge(U, g);
        p[i] = p[i]!.plus(g.times(r)); // without armature this is tau along S again
        columns[i]![d] = { S: S[d]!, g, free: mul(r, inverse) };
      }
    const P = link.parent;
    if (P < 0) return;
    const { X } = motions[i]!;
    I[P] = I[P]!.plus(X.outward(I[i]!).withFrame(X.outer));
    p[P] = p[P]!.plus(X.outward(p[i]!).withFrame(X.outer));
  };
  for (const { link, direction } of depthFirstOrder(links, "first")) (direction === "down" ? down : up)(link);

  const A: Motion[] = [];
  const udot: Scalar[] = new Array<Scalar>(tree.nu).fill(0);
  for (const [i, link] of links.entries()) {
    const { X } = motions[i]!;
    beginStep(q);
    let a = link.parent < 0 ? Motion.zero(link.name) : X.inward(A[link.parent]!).withFrame(link.name);
    const acceleration = freeAcceleration[i];
    const linkUdot = acceleration
      ? [...minus(acceleration.angular, a.angular), ...minus(acceleration.linear, a.linear)]
      : columns[i]!.map(({ S, g, free }) => {
          const value = sub(free, a.dot(g));
          a = a.plus(S.times(value));
          return value;
        });
    A.push(acceleration ?? a);
    const hingeUdot = toHingeAxes(link, q, linkUdot);
    if (fallsFreely(link)) {
      const gravity_F = apply(transpose(new Pose("world", "F", link.constantSteps).R), tree.gravity);
      hingeUdot.splice(3, 3, ...plus(hingeUdot.slice(3) as unknown as Vec3, gravity_F));
    }
    for (const [k, value] of hingeUdot.entries()) udot[link.u + k] = value;
  }
  return udot;
}
