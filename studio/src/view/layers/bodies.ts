/** Bodies: their shapes, or the equivalent solids of their inertia. */
import type { Body } from "castor";
import { type BodyShape, shapeInstances } from "castor/model";
import { Group, type Material, type Object3D } from "three";
import { poseGroup, setBodyPose } from "../geometry/drawing.ts";
import { elasticRods } from "../geometry/elastic-rods.ts";
import { shapeMeshes, shapeOpacity, substituteShape } from "../geometry/shapes.ts";
import type { Layer, LayerContext } from "../layer.ts";
import type { ScenePalette } from "../palette.ts";

export const bodiesLayer: Layer = {
  id: "bodies",
  title: "Bodies",
  shownByDefault: true,
  create(context) {
    const object = new Group();
    const elastic = elasticRods(context.scenario.model).flatMap(({ links }) => links.map(({ index }) => index));
    const groups = bodyGroups(context);
    for (const [i, group] of groups.entries()) if (!elastic.includes(i)) object.add(group); // layers/elastic.ts draws those
    const world = worldShapes(context);
    if (world) object.add(world);
    if (object.children.length === 0) return undefined;
    return {
      object,
      update({ poses, origin }) {
        world?.position.set(-origin[0]!, -origin[1]!, -origin[2]!);
        for (const [body, group] of groups.entries()) setBodyPose(group, poses, body, origin);
      },
    };
  },
};

export const bodyColour = ({ parent, index }: Body, { bodies }: ScenePalette): string =>
  parent < 0 ? bodies[0]! : bodies[1 + (index % (bodies.length - 1))]!;

/** A group per body with its shapes. `userData.body` of every object in it is the name of the body. */
export function bodyGroups(context: LayerContext): Group[] {
  const { scenario, palette, extent, shapes } = context;
  const materials = new Map<string, Material>();
  return scenario.model.bodies.map((body, i) => {
    const group = poseGroup();
    const opacityOf = (shape: BodyShape): number => shapeOpacity(scenario.model, body, shape, extent);
    const add = (own: readonly BodyShape[]): Object3D[] => {
      const meshes = shapeMeshes(own, bodyColour(body, palette), opacityOf, context, materials);
      if (meshes.length > 0) group.add(...meshes);
      for (const mesh of meshes)
        mesh.traverse((part) => {
          part.userData.body = body.name;
        });
      return meshes;
    };
    const parts = add(shapes[i]!);
    if (parts.length > 0 && shapes[i]!.every(({ kind }) => kind === "mesh"))
      void Promise.all(parts.map(({ userData }) => userData.loaded as Promise<boolean>)).then((loaded) => {
        const substitute = loaded.some((isLoaded) => isLoaded) ? undefined : substituteShape(scenario.model, body);
        if (substitute === undefined) return;
        add([substitute]);
        context.redraw();
      });
    return group;
  });
}

/** The shapes that are fixed to the world. */
export function worldShapes(context: LayerContext): Group | undefined {
  const { shapes } = context.scenario.model;
  if (shapes.length === 0) return undefined;
  return new Group().add(...shapeMeshes(shapes.flatMap(shapeInstances), context.palette.anchor, () => 1, context));
}
