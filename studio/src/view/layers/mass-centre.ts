/** The mass centre of the whole machine. */
import { Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { massCentre } from "../geometry/mass-centre.ts";
import type { Layer } from "../layer.ts";

export const massCentreLayer: Layer = {
  id: "centre",
  title: "Mass centre",
  shownByDefault: false,
  create({ scenario: { model }, extent, palette }) {
    const material = new MeshBasicMaterial({ color: palette.centre, depthTest: false, transparent: true, opacity: 0.9 });
    const object = new Mesh(new SphereGeometry(0.03 * extent.radius, 18, 12), material);
    object.renderOrder = 3;
    return {
      object,
      update({ poses, origin }) {
        const centre = massCentre(model, poses);
        object.position.set(centre[0]! - origin[0]!, centre[1]! - origin[1]!, centre[2]! - origin[2]!);
      },
    };
  },
};
