import { UNIT_VECTORS } from "../../spatial/vec3.ts";
import { hingeKind, turnElement } from "../hinge.ts";

export const universal = hingeKind({
  name: "universal",
  about: "A turn about x of F, then a turn about y of the turned frame.",
  parameters: {},
  elements: () => [turnElement(UNIT_VECTORS[0]), turnElement(UNIT_VECTORS[1])],
});
