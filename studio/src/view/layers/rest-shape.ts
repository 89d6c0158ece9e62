/** A faint copy of the machine at rest, while a mode is shown. */
import { Group } from "three";
import { setBodyPose } from "../geometry/drawing.ts";
import { elasticRods } from "../geometry/elastic-rods.ts";
import type { Layer } from "../layer.ts";
import { bodyGroups } from "./bodies.ts";
import { rodMesh, updateRodMesh } from "./elastic.ts";
import { faintCopy, faintMaterial } from "./ghosts.ts";

export const restShapeLayer: Layer = {
  id: "rest-shape",
  title: "Rest shape of a mode",
  shownByDefault: true,
  onlyWith: "mode",
  create(context) {
    const { scenario, palette } = context;
    const material = faintMaterial(palette.link, 0.28);
    const rods = elasticRods(scenario.model);
    const elastic = new Set(rods.flatMap(({ links }) => links.map(({ index }) => index)));
    const bodies = bodyGroups(context).map((group) => faintCopy(group, material));
    const meshes = rods.map((rod) => rodMesh(rod, material));
    const object = new Group().add(...bodies.filter((_, i) => !elastic.has(i)), ...meshes);
    let caption = "";
    return {
      object,
      legend: () => caption,
      update({ mode, origin }) {
        if (mode === undefined) return;
        caption = mode.caption;
        for (const [body, group] of bodies.entries()) setBodyPose(group, mode.rest, body, origin);
        for (const [i, mesh] of meshes.entries()) updateRodMesh(rods[i]!, mesh.geometry, mode.rest, origin);
      },
    };
  },
};
