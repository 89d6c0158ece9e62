/** Names of the bodies. They are text over the scene; see overlay.ts. */
import { Group } from "three";
import type { Layer } from "./layer.ts";

export const namesLayer: Layer = {
  id: "names",
  title: "Names",
  shownByDefault: false,
  create: ({ scenario }) => (scenario.model.bodies.length === 0 ? undefined : { object: new Group(), update: () => {} }),
};
