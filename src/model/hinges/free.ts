import { freeElement, type HingeKind } from "../hinge.ts";

export const free: HingeKind = {
  name: "free",
  about: "Six freedoms: q is the quaternion of R_FM and the position of M in F; u is angular, then linear velocity, in F axes.",
  defaults: {},
  elements: () => [freeElement],
};
