/** Moves mass that does not feel its own hinge to the parent link: see link-tree.ts. */
import { add, isNumber, mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import { Inertia } from "../../spatial/inertia.ts";
import { Pose } from "../../spatial/pose.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import { symmetricMatrix } from "../../spatial/symmetric.ts";
import { minus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { hingeSteps, type Link } from "./link.ts";

const negated = (v: Vec3): Vec3 => minus(ZERO3, v);

/** Moves to the parent, tip to base, the inertia X that the hinge does not feel: X S = 0, and no motion of the hinge changes X. */
export function regroupInertias(links: readonly Link[]): Link[] {
  const inertia = links.map((l) => l.inertia);
  for (const link of [...links].reverse()) {
    if (link.parent < 0) continue;
    const linkInertia = inertia[link.index]!;
    const notFelt = inertiaNotFeltByHinge(link.element, linkInertia);
    if (!notFelt) continue;
    const negatedInertia = new Inertia(
      linkInertia.frame,
      mul(-1, notFelt.mass),
      negated(notFelt.h),
      notFelt.J.map(negated) as unknown as Mat3,
    );
    inertia[link.index] = link.element.screw?.turn
      ? flattenAlongZ(linkInertia.plus(negatedInertia))
      : linkInertia.plus(negatedInertia);
    const parent = links[link.parent]!;
    const { toHinge, alongAxis } = hingeSteps({ ...link, q: 0 }, link.element.home);
    inertia[link.parent] = inertia[link.parent]!.plus(
      new Pose(parent.name, link.name, [...toHinge, ...alongAxis]).outward(notFelt).withFrame(parent.name),
    );
  }
  return links.map((l) => ({ ...l, inertia: inertia[l.index]! }));
}

/** Makes J_xx + J_yy = J_zz exact. After regrouping the body has no extent along z; the subtraction violates this by rounding. */
function flattenAlongZ(inertia: Inertia): Inertia {
  const { frame, mass, h, J } = inertia;
  const [xx, yy, zz] = [J[0][0], J[1][1], J[2][2]];
  if (!isNumber(xx) || !isNumber(yy) || !isNumber(zz)) return inertia;
  const halfDifference = 0.5 * (xx - yy);
  return new Inertia(
    frame,
    mass,
    h,
    symmetricMatrix(0.5 * zz + halfDifference, 0.5 * zz - halfDifference, zz, J[0][1], J[0][2], J[1][2]),
  );
}

/** The part of a link's inertia that its own hinge does not feel. */
function inertiaNotFeltByHinge({ screw, quaternion, nu }: HingeElement, { frame, mass, h, J }: Inertia): Inertia | undefined {
  const rod = (k: Scalar): Mat3 => symmetricMatrix(k, k, 0, 0, 0, 0);
  if (screw?.turn) {
    const k = mul(0.5, sub(add(J[0][0], J[1][1]), J[2][2])); // ∫ z² dm: a thin rod on the axis
    return screw.slide === 0 ? new Inertia(frame, mass, [0, 0, h[2]], rod(k)) : new Inertia(frame, 0, ZERO3, rod(k));
  }
  if (screw) return new Inertia(frame, 0, ZERO3, J); // a slide turns nothing
  return quaternion !== undefined && nu === 3 ? new Inertia(frame, mass, ZERO3, symmetricMatrix(0, 0, 0, 0, 0, 0)) : undefined;
}
