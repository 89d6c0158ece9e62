/** Inertia that joints move in the reference position of the file. */
import { placementOf } from "../../model/build/placement.ts";
import type { Placement } from "../../model/model.ts";
import { type Mat3, rotationAboutAxis } from "../../spatial/rotation.ts";
import { scale, type Vec3 } from "../../spatial/vec3.ts";
import { carriedMasses, movedInertia } from "../robot/carried-inertia.ts";
import { AT_ORIGIN, composed, inverse, translation } from "../robot/placements.ts";
import type { LinkMass, RobotLink } from "../robot/robot-draft.ts";
import type { InertiaOf } from "./actuators.ts";
import type { PlacedJoint } from "./bodies.ts";

/** With the armature: an entry of the diagonal of the mass matrix there. It is computed when it is needed first. */
export function referenceInertia(links: readonly RobotLink[], joints: readonly PlacedJoint[]): InertiaOf {
  let carried: readonly LinkMass[] | undefined;
  const byLink = new Map(joints.map((joint) => [joint.link, joint]));
  /** X_PF X_FM X_BM⁻¹ */
  const placement = ({ hinge }: RobotLink, index: number): Placement =>
    composed(composed(placementOf(hinge), turned(byLink.get(index))), inverse(placementOf(hinge.onBody ?? {})));
  return (joint) => {
    carried ??= carriedMasses(links, placement);
    return movedInertia(links[joint.link]!, carried[joint.link]!);
  };
}

/** Displacement of a body by the coordinate of the reference position. */
function turned(joint: PlacedJoint | undefined): Placement {
  if (joint === undefined || joint.ref === 0) return AT_ORIGIN;
  const { type, axis, ref } = joint;
  return type === "hinge"
    ? { R: rotationAboutAxis(axis, ref) as Mat3<number>, p: [0, 0, 0] }
    : translation(scale(ref, axis) as Vec3<number>);
}
