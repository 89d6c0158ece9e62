/** Bodies: their shapes, or the solids of their inertia. */
import { Group } from "three";
import { movedGroup, placeAt } from "../drawing.ts";
import type { Layer, LayerContext } from "../layer.ts";
import { hidesJoints, shapeObject, shapesOf } from "../shapes.ts";

export const bodiesLayer: Layer = {
  id: "bodies",
  title: "Bodies",
  shown: true,
  create(context) {
    const object = new Group();
    const groups = bodyGroups(context);
    object.add(...groups);
    return {
      object,
      update({ poses, origin }) {
        for (const [body, group] of groups.entries()) placeAt(group, poses, body, origin);
      },
    };
  },
};

/** A group per body, with its shapes; everything in it knows the body's name. */
export function bodyGroups(context: LayerContext): Group[] {
  const { scenario, palette } = context;
  const shapes = shapesOf(scenario.model);
  return scenario.model.bodies.map((body, i) => {
    const group = movedGroup();
    const others = palette.bodies.length - 1;
    const colour = body.parent < 0 ? palette.bodies[0]! : palette.bodies[1 + (i % others)]!;
    for (const shape of shapes[i]!) {
      const part = shapeObject(shape, colour, hidesJoints(scenario.model, body, shape), context);
      part.traverse((p) => {
        p.userData.body = body.name;
      });
      group.add(part);
    }
    return group;
  });
}
