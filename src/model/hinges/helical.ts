import { type Axis, axisVector } from "../../spatial/axis.ts";
import { type HingeKind, screwElement } from "../hinge.ts";

export const helical: HingeKind<{ axis: Axis; pitch: number }> = {
  name: "helical",
  about: "One screw about `axis` of F: q is the turn in rad, and the body advances `pitch` metres per radian.",
  defaults: { axis: "z", pitch: 0 },
  elements: ({ axis, pitch }) => [screwElement(axisVector(axis), 1, pitch)],
};
