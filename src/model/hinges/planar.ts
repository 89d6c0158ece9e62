import { UNIT } from "../../spatial/vec3.ts";
import { type HingeKind, slide, turn } from "../hinge.ts";

export const planar: HingeKind = {
  name: "planar",
  about: "Slides along x and y of F, then a turn about z.",
  defaults: {},
  elements: () => [slide(UNIT[0]), slide(UNIT[1]), turn(UNIT[2])],
};
