import { type Axis, axisVector } from "../../spatial/axis.ts";
import { type HingeKind, turnElement } from "../hinge.ts";

export const revolute: HingeKind<{ axis: Axis }> = {
  name: "revolute",
  about: "One turn about `axis` of F. The angle is not wrapped.",
  defaults: { axis: "z" },
  elements: ({ axis }) => [turnElement(axisVector(axis))],
};
