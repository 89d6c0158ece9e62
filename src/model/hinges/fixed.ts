import type { HingeKind } from "../hinge.ts";

export const fixed: HingeKind = {
  name: "fixed",
  about: "No freedom: the body is welded to its parent.",
  defaults: {},
  elements: () => [],
};
