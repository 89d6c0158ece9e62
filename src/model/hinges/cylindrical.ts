import { type Axis, axisVector } from "../../spatial/axis.ts";
import { type HingeKind, slideElement, turnElement } from "../hinge.ts";

export const cylindrical: HingeKind<{ axis: Axis }> = {
  name: "cylindrical",
  about: "A slide along `axis` of F, then a turn about it.",
  defaults: { axis: "z" },
  elements: ({ axis }) => [slideElement(axisVector(axis)), turnElement(axisVector(axis))],
};
