import { freeElement, hingeKind } from "../hinge.ts";

export const free = hingeKind({
  name: "free",
  about: "Six freedoms: q is the quaternion of R_FM and the position of M in F; u is angular, then linear velocity, in F axes.",
  parameters: {},
  elements: () => [freeElement],
});
