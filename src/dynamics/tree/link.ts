/** A link of the link tree, and the pose of its hinge. */
import { add, mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Inertia } from "../../spatial/inertia.ts";
import { type PoseStep, shiftStep, turnStep } from "../../spatial/pose.ts";
import { fromQuaternion, type Mat3, type Quaternion, quaternionProduct } from "../../spatial/rotation.ts";

export interface Link {
  readonly index: number;
  readonly name: string;
  /** Index of the carrying link, smaller than the link's own index; -1 is the world. */
  readonly parent: number;
  readonly element: HingeElement;
  /** Index of the element's first coordinate in q, and of its first speed in u. */
  readonly q: number;
  readonly u: number;
  /** Constant steps from the parent's link frame to the element. */
  readonly constantSteps: readonly PoseStep[];
  /** Angle and offset of a screw's link frame at q = 0. */
  readonly zero: { readonly angle: number; readonly offset: Scalar };
  /** R_ML of a ball or free hinge, as a quaternion. */
  readonly q_ML: Quaternion<number>;
  readonly inertia: Inertia;
}

/** Steps from the parent's link frame to the hinge motion, inclusive; then the steps along the moved axis. */
export function hingeSteps(
  link: Link,
  q: readonly Scalar[],
): { readonly toHinge: readonly PoseStep[]; readonly alongAxis: readonly PoseStep[] } {
  const x = q.slice(link.q, link.q + link.element.nq);
  const { screw } = link.element;
  if (screw) {
    const rotation = screw.turn ? [turnWithOffset(x[0]!, link.zero.angle)] : [turnStep(2, link.zero.angle)];
    return {
      toHinge: [...link.constantSteps, ...rotation],
      alongAxis: [shiftStep([0, 0, add(link.zero.offset, mul(screw.slide, x[0]!))])],
    };
  }
  const { R, p } = link.element.pose(x);
  const rotation = link.element.small ? R : rotationFL(link, q);
  return { toHinge: [...link.constantSteps, shiftStep(p), { kind: "rotate", R: rotation }], alongAxis: [] };
}

/** True if speeds of the hinge are in the link's axes. Those of a ball or free hinge are in F axes. */
export const hasSpeedsInLinkAxes = ({ element }: Link): boolean => element.screw !== undefined || element.small === true;

/** R_FL of a ball or free hinge: its quaternion, then the constant rotation from M to the link frame. */
export function rotationFL(link: Link, q: readonly Scalar[]): Mat3 {
  const first = link.q + link.element.quaternion!;
  return fromQuaternion(quaternionProduct(q.slice(first, first + 4) as unknown as Quaternion, link.q_ML));
}

/** A turn about z by q + zero. It is exact for quarter turns: cos and sin of q change places. */
function turnWithOffset(q: Scalar, zero: number): PoseStep {
  const quarters = Math.round(zero / (Math.PI / 2));
  if (Math.abs(zero - quarters * (Math.PI / 2)) > 1e-14) return turnStep(2, add(q, zero));
  const base = turnStep(2, q) as PoseStep & { kind: "turn" };
  const negateScalar = (s: Scalar): Scalar => sub(0, s);
  switch (((quarters % 4) + 4) % 4) {
    case 1:
      return { ...base, c: negateScalar(base.s), s: base.c };
    case 2:
      return { ...base, c: negateScalar(base.c), s: negateScalar(base.s) };
    case 3:
      return { ...base, c: base.s, s: negateScalar(base.c) };
    default:
      return base;
  }
}
