import { UNIT_VECTORS } from "../../spatial/vec3.ts";
import { type HingeKind, turnElement } from "../hinge.ts";

export const universal: HingeKind = {
  name: "universal",
  about: "A turn about x of F, then a turn about y of the turned frame.",
  defaults: {},
  elements: () => [turnElement(UNIT_VECTORS[0]), turnElement(UNIT_VECTORS[1])],
};
