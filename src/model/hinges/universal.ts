import { UNIT } from "../../spatial/vec3.ts";
import { type HingeKind, turn } from "../hinge.ts";

export const universal: HingeKind = {
  name: "universal",
  about: "A turn about x of F, then a turn about y of the turned frame.",
  defaults: {},
  elements: () => [turn(UNIT[0]), turn(UNIT[1])],
};
