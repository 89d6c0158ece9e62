import { axisVector } from "../../spatial/axis.ts";
import { AXIS, hingeKind, turnElement } from "../hinge.ts";

export const revolute = hingeKind({
  name: "revolute",
  about: "One turn about `axis` of F. The angle is not wrapped.",
  parameters: { axis: AXIS },
  elements: ({ axis }) => [turnElement(axisVector(axis))],
});
