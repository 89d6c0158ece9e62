/** Contact forces of wheels and shapes: a dot at the contact point and an arrow, drawn over everything else. */
import { drawnForces } from "castor";
import { Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { Arrow, threeDigits } from "../geometry/drawing.ts";
import type { Layer } from "../layer.ts";
import { longestVector } from "../motion/channel-values.ts";
import { contactForceAt } from "../motion/contact-forces.ts";

/** Length of the longest arrow, in radii of the machine. */
const LONGEST = 0.5;

export const contactForcesLayer: Layer = {
  id: "contact-forces",
  title: "Contact forces",
  shownByDefault: true,
  onlyWith: "run",
  create({ scenario, extent, palette }) {
    const forces = drawnForces(scenario.forces);
    if (forces.length === 0) return undefined;
    const object = new Group();
    const dot = new SphereGeometry(0.022 * extent.radius, 12, 8);
    const ink = new MeshBasicMaterial({ color: palette.contact, depthTest: false, transparent: true });
    const marks = forces.map((channels) => {
      const arrow = new Arrow(palette.contact, 0.011 * extent.radius, { onTop: true });
      const patch = new Mesh(dot, ink);
      patch.renderOrder = arrow.object.renderOrder;
      object.add(arrow.object, patch);
      return { arrow, patch, channels };
    });
    let most = 0;
    return {
      object,
      legend: () => (most > 0 ? `contact forces up to ${threeDigits(most)} N` : ""),
      update({ t, origin, log, logChanged: grown }) {
        if (grown) most = log ? Math.max(...forces.map(({ force }) => longestVector(log, force))) : 0;
        for (const { arrow, patch, channels } of marks) {
          const now = log && most > 0 ? contactForceAt(log, channels, t) : undefined;
          patch.visible = arrow.object.visible = now !== undefined;
          if (!now) continue;
          const [x, y, z] = now.point.map((p, k) => p - origin[k]!) as [number, number, number];
          const s = (LONGEST * extent.radius) / most;
          patch.position.set(x, y, z);
          arrow.set(x, y, z, s * now.force[0], s * now.force[1], s * now.force[2]);
        }
      },
    };
  },
};
