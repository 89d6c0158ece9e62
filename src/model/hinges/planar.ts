import { UNIT_VECTORS } from "../../spatial/vec3.ts";
import { type HingeKind, slideElement, turnElement } from "../hinge.ts";

export const planar: HingeKind = {
  name: "planar",
  about: "Slides along x and y of F, then a turn about z.",
  defaults: {},
  elements: () => [slideElement(UNIT_VECTORS[0]), slideElement(UNIT_VECTORS[1]), turnElement(UNIT_VECTORS[2])],
};
