/** Reaction forces of hinges: the force of the parent on the body, at the hinge. */
import { Group } from "three";
import { bodyPointToWorld } from "../geometry/body-points.ts";
import { Arrow, arrowLabels, threeDigits } from "../geometry/drawing.ts";
import type { Layer } from "../layer.ts";
import { channelVectorAt, longestVector, XYZ } from "../motion/channel-values.ts";

export const reactionsLayer: Layer = {
  id: "reactions",
  title: "Hinge forces",
  shownByDefault: false,
  onlyWith: "run",
  create({ scenario: { model }, extent, palette }) {
    const bodies = model.bodies.filter(({ hinge }) => hinge.kind !== "free");
    if (bodies.length === 0) return undefined;
    const object = new Group();
    const arrows = bodies.map((body) => {
      const arrow = new Arrow(palette.force, 0.012 * extent.radius);
      object.add(arrow.object);
      return { body, arrow, channels: XYZ.map((axis) => `reaction.${body.hinge.name}.f${axis}`) };
    });
    let largest = 0;
    let shown: { readonly tip: readonly [number, number, number]; readonly size: number }[] = [];
    return {
      labels: () => arrowLabels(shown),
      object,
      legend: () => (largest > 0 ? `hinge forces up to ${threeDigits(largest)} N` : "no hinge forces in this log"),
      update({ t, poses, origin, log, logChanged }) {
        if (logChanged) largest = log ? Math.max(...arrows.map(({ channels }) => longestVector(log, channels))) : 0;
        shown = [];
        for (const { body, arrow, channels } of arrows) {
          const force = log && largest > 0 ? channelVectorAt(log, channels, t) : undefined;
          const at = bodyPointToWorld(poses, body.index, body.hinge.onBody.p);
          const s = force ? (0.7 * extent.radius) / largest : 0;
          const v = (force ?? [0, 0, 0]).map((x) => s * x) as [number, number, number];
          const from = at.map((x, k) => x - origin[k]!) as [number, number, number];
          arrow.set(...from, ...v);
          if (force) shown.push({ tip: from.map((x, k) => x + v[k]!) as [number, number, number], size: Math.hypot(...force) });
        }
      },
    };
  },
};
