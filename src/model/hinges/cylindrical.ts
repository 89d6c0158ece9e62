import { axisVector } from "../../spatial/axis.ts";
import { AXIS, hingeKind, slideElement, turnElement } from "../hinge.ts";

export const cylindrical = hingeKind({
  name: "cylindrical",
  about: "A slide along `axis` of F, then a turn about it.",
  parameters: { axis: AXIS },
  elements: ({ axis }) => [slideElement(axisVector(axis)), turnElement(axisVector(axis))],
});
