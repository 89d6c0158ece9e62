/** Links: for a body without shapes, rods from its hinge to its other points, which show its structure. */
import { Group } from "three";
import { bodyPoints } from "../geometry/body-points.ts";
import { cylinderBetween, poseGroup, setBodyPose } from "../geometry/drawing.ts";
import type { Layer } from "../layer.ts";
import { surfaceMaterial } from "../materials.ts";

export const linksLayer: Layer = {
  id: "links",
  title: "Links",
  shownByDefault: true,
  create({ scenario: { model }, extent, palette }) {
    const material = surfaceMaterial("metal", palette.link, 1, extent.radius);
    const radius = 0.016 * extent.radius;
    const object = new Group();
    const groups = model.bodies.map((body) => {
      const group = poseGroup();
      if (body.shapes.length > 0) return group;
      const hinge = body.hinge.kind === "free" ? body.com : body.hinge.onBody.p;
      for (const point of bodyPoints(model, body)) {
        const distance = Math.hypot(point[0] - hinge[0], point[1] - hinge[1], point[2] - hinge[2]);
        if (distance > 1e-6 * extent.radius) group.add(cylinderBetween(hinge, point, radius, material));
      }
      group.traverse((part) => {
        part.userData.body = body.name;
        part.castShadow = true;
        part.receiveShadow = true;
      });
      return group;
    });
    if (groups.every(({ children }) => children.length === 0)) return undefined;
    object.add(...groups);
    return {
      object,
      update({ poses, origin }) {
        for (const [body, group] of groups.entries()) setBodyPose(group, poses, body, origin);
      },
    };
  },
};
