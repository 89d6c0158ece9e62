/** Anchors: points where hinges and loops fix the machine to the world. */
import { BoxGeometry, Group, Mesh } from "three";
import { setPlacement } from "../geometry/drawing.ts";
import type { Layer } from "../layer.ts";
import { surfaceMaterial } from "../materials.ts";

export const anchorsLayer: Layer = {
  id: "anchors",
  title: "Anchors",
  shownByDefault: true,
  create({ scenario: { model }, extent, palette }) {
    const hinges = model.bodies.flatMap(({ parent, hinge }) => (parent < 0 && hinge.kind !== "free" ? [hinge.onParent] : []));
    const loops = model.loops.flatMap((loop) =>
      loop.type === "frames" ? [loop.from, loop.to].flatMap(({ body, placement }) => (body < 0 ? [placement] : [])) : [],
    );
    if (hinges.length + loops.length === 0 || model.shapes.length > 0) return undefined; // the shapes of the world show them
    const size = 0.055 * extent.radius;
    const block = new BoxGeometry(size, size, size);
    const material = surfaceMaterial("paint", palette.anchor, 1, extent.radius);
    const object = new Group();
    for (const placement of [...hinges, ...loops]) {
      const mark = new Mesh(block, material);
      setPlacement(mark, placement);
      mark.castShadow = true;
      object.add(mark);
    }
    return {
      object,
      update: ({ origin }) => void object.position.set(-origin[0]!, -origin[1]!, -origin[2]!),
    };
  },
};
