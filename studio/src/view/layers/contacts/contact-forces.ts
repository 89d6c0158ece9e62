/** Contact forces of wheels and shapes: a dot at the contact point and an arrow, drawn over everything else. */
import { drawnForces } from "castor/sim";
import { Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { Arrow, arrowLabels, threeDigits } from "../../geometry/drawing.ts";
import type { Layer } from "../../layer.ts";
import { longestVector } from "../../motion/channel-values.ts";
import { contactForceAt } from "../../motion/contact-forces.ts";

/** Length of the longest arrow, in radii of the machine. */
const MAX_ARROW = 0.36;

export const contactForcesLayer: Layer = {
  id: "contact-forces",
  title: "Contact forces",
  shownByDefault: true,
  onlyWith: "run",
  create({ scenario, extent, palette }) {
    const forces = drawnForces(scenario.forces);
    if (forces.length === 0) return undefined;
    const object = new Group();
    const dotGeometry = new SphereGeometry(0.022 * extent.radius, 12, 8);
    const ink = new MeshBasicMaterial({ color: palette.contact, depthTest: false, transparent: true });
    const marks = forces.map((channels) => {
      const arrow = new Arrow(palette.contact, 0.011 * extent.radius, { onTop: true });
      const dot = new Mesh(dotGeometry, ink);
      dot.renderOrder = arrow.object.renderOrder;
      object.add(arrow.object, dot);
      return { arrow, dot, channels };
    });
    let largest = 0;
    let shown: { readonly tip: readonly [number, number, number]; readonly size: number }[] = [];
    return {
      labels: () => arrowLabels(shown),
      object,
      legend: () => (largest > 0 ? `contact forces up to ${threeDigits(largest)} N` : ""),
      update({ t, origin, log, logChanged }) {
        if (logChanged) largest = log ? Math.max(...forces.map(({ force }) => longestVector(log, force))) : 0;
        shown = [];
        for (const { arrow, dot, channels } of marks) {
          const contact = log && largest > 0 ? contactForceAt(log, channels, t) : undefined;
          dot.visible = arrow.object.visible = contact !== undefined;
          if (!contact) continue;
          const [x, y, z] = contact.point.map((p, k) => p - origin[k]!) as [number, number, number];
          const s = (MAX_ARROW * extent.radius) / largest;
          dot.position.set(x, y, z);
          const [vx, vy, vz] = contact.force.map((f) => s * f) as [number, number, number];
          arrow.set(x, y, z, vx, vy, vz);
          shown.push({ tip: [x + vx, y + vy, z + vz], size: Math.hypot(...contact.force) });
        }
      },
    };
  },
};
