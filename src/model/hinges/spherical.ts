import { ballElement, hingeKind } from "../hinge.ts";

export const spherical = hingeKind({
  name: "spherical",
  about: "Three turns: q is the unit quaternion of R_FM, u the angular velocity of M in F, in F axes.",
  parameters: {},
  elements: () => [ballElement],
});
