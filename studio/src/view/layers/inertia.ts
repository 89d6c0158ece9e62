/** Inertia: for each body with its own shapes, the uniform solid with the same mass, mass centre and inertia. */
import { equivalentShape } from "castor/model";
import { Group } from "three";
import { poseGroup, setBodyPose } from "../geometry/drawing.ts";
import { shapeMeshes } from "../geometry/shapes.ts";
import type { Layer } from "../layer.ts";
import { bodyColour } from "./bodies.ts";

const OPACITY = 0.35;
/** Radius of a point mass, in radii of the machine. */
const POINT = 0.02;

export const inertiaLayer: Layer = {
  id: "inertia",
  title: "Inertia solids",
  shownByDefault: false,
  create(context) {
    const { scenario, palette, extent } = context;
    const groups = scenario.model.bodies.map((body) => {
      const solid = body.shapes.length > 0 ? equivalentShape(body, POINT * extent.radius) : undefined;
      const group = poseGroup();
      if (solid) group.add(...shapeMeshes([solid], bodyColour(body, palette), () => OPACITY, context));
      return group;
    });
    if (groups.every(({ children }) => children.length === 0)) return undefined;
    return {
      object: new Group().add(...groups),
      update({ poses, origin }) {
        for (const [body, group] of groups.entries()) setBodyPose(group, poses, body, origin);
      },
    };
  },
};
