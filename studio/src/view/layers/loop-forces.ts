/** Forces of loops: on the second body of each loop, at its frame. */
import { Group } from "three";
import { bodyPointToWorld } from "../geometry/body-points.ts";
import { Arrow, arrowLabels, threeDigits } from "../geometry/drawing.ts";
import type { Layer } from "../layer.ts";
import { channelVectorAt, longestVector, XYZ } from "../motion/channel-values.ts";

export const loopForcesLayer: Layer = {
  id: "loop-forces",
  title: "Loop forces",
  shownByDefault: false,
  onlyWith: "run",
  create({ scenario: { model }, extent, palette }) {
    const loops = model.loops.filter((loop) => loop.type === "frames");
    if (loops.length === 0) return undefined;
    const object = new Group();
    const arrows = loops.map((loop) => {
      const arrow = new Arrow(palette.loop, 0.012 * extent.radius);
      object.add(arrow.object);
      return { loop, arrow, channels: XYZ.map((axis) => `loop.${loop.name}.f${axis}`) };
    });
    let largest = 0;
    let shown: { readonly tip: readonly [number, number, number]; readonly size: number }[] = [];
    return {
      labels: () => arrowLabels(shown),
      object,
      legend: () => (largest > 0 ? `loop forces up to ${threeDigits(largest)} N` : "no loop forces in this log"),
      update({ t, poses, origin, log, logChanged }) {
        if (logChanged) largest = log ? Math.max(...arrows.map(({ channels }) => longestVector(log, channels))) : 0;
        shown = [];
        for (const { loop, arrow, channels } of arrows) {
          const force = log && largest > 0 ? channelVectorAt(log, channels, t) : undefined;
          const at = bodyPointToWorld(poses, loop.to.body, loop.to.placement.p);
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
