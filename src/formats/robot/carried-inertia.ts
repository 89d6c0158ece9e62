/** Inertia that each joint moves, with all joints beyond it locked at home. */
import { placementOf } from "../../model/build/placement.ts";
import type { Placement } from "../../model/model.ts";
import { axisVector } from "../../spatial/axis.ts";
import { apply } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import { inFrame, momentAbout, together } from "./mass-properties.ts";
import type { LinkMass, RobotLink } from "./robot-draft.ts";
import { placementOnParent } from "./sound-inertias.ts";

/** Mass properties of each link with everything that it carries, in link axes. @param placement of a link on its parent; at home if not given */
export function carriedMasses(
  links: readonly RobotLink[],
  placement: (link: RobotLink, index: number) => Placement = placementOnParent,
): readonly LinkMass[] {
  const carried = links.map(({ massProperties }) => massProperties);
  for (let i = links.length - 1; i >= 0; i--) {
    const { parent } = links[i]!;
    if (parent >= 0) carried[parent] = together(carried[parent]!, inFrame(carried[i]!, placement(links[i]!, i)));
  }
  return carried;
}

/** What a joint with one freedom moves: kg m² about its axis, or kg; with its armature. */
export function movedInertia({ hinge }: RobotLink, carried: LinkMass): number {
  const armature = typeof hinge.armature === "number" ? hinge.armature : 0;
  if (hinge.kind === "prismatic") return carried.mass + armature;
  const { R, p } = placementOf(hinge.onBody ?? {});
  return momentAbout(carried, p, apply(R, axisVector(hinge.axis ?? "z")) as Vec3<number>) + armature;
}
