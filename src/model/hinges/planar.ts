import { UNIT_VECTORS } from "../../spatial/vec3.ts";
import { hingeKind, slideElement, turnElement } from "../hinge.ts";

export const planar = hingeKind({
  name: "planar",
  about: "Slides along x and y of F, then a turn about z.",
  parameters: {},
  elements: () => [slideElement(UNIT_VECTORS[0]), slideElement(UNIT_VECTORS[1]), turnElement(UNIT_VECTORS[2])],
});
