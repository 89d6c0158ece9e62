import { ballElement, type HingeKind } from "../hinge.ts";

export const spherical: HingeKind = {
  name: "spherical",
  about: "Three turns: q is the unit quaternion of R_FM, u the angular velocity of M in F, in F axes.",
  defaults: {},
  elements: () => [ballElement],
};
