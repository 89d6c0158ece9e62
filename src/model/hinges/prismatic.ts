import { type Axis, axisVector } from "../../spatial/axis.ts";
import { type HingeKind, slideElement } from "../hinge.ts";

export const prismatic: HingeKind<{ axis: Axis }> = {
  name: "prismatic",
  about: "One slide along `axis` of F.",
  defaults: { axis: "z" },
  elements: ({ axis }) => [slideElement(axisVector(axis))],
};
