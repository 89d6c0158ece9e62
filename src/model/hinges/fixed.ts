import { hingeKind } from "../hinge.ts";

export const fixed = hingeKind({
  name: "fixed",
  about: "No freedom: the body is welded to its parent.",
  parameters: {},
  elements: () => [],
});
