import { axisVector } from "../../spatial/axis.ts";
import { AXIS, hingeKind, slideElement } from "../hinge.ts";

export const prismatic = hingeKind({
  name: "prismatic",
  about: "One slide along `axis` of F.",
  parameters: { axis: AXIS },
  elements: ({ axis }) => [slideElement(axisVector(axis))],
});
