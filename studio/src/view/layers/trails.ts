/** Trails: the way of each named frame, or of the outermost bodies where there is none: bright until now, faint after it. */
import { Group } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { sampleAt } from "../../playback.ts";
import { pointOf } from "../extent.ts";
import type { Frame, Layer, LayerContext } from "../layer.ts";
import { centreOf } from "../mass-centre.ts";

type V3 = readonly [number, number, number];

/** More points than this are not seen. */
const MOST_POINTS = 1500;
const MOST_TRAILS = 12;

interface Tracked {
  readonly body: number;
  readonly p: V3;
}

export const trailsLayer: Layer = {
  id: "trails",
  title: "Trails",
  shown: true,
  of: "run",
  create(context) {
    const tracked = trackedIn(context).slice(0, MOST_TRAILS);
    const object = new Group();
    const lines = tracked.map((_, i) => {
      const color = context.palette.trails[i % context.palette.trails.length]!;
      const past = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: 2.2 }));
      const all = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: 1.2, transparent: true, opacity: 0.28 }));
      for (const line of [past, all]) line.frustumCulled = false;
      object.add(all, past);
      return { past, all };
    });
    let times: readonly number[] = [];
    return {
      object,
      update({ t, origin, log, grown }) {
        if (grown || times.length === 0) times = draw(context, tracked, lines, log);
        object.visible = times.length > 1;
        object.position.set(...shift(context, origin));
        const passed = times.length < 2 ? 0 : sampleAt(Float64Array.from(times), t);
        for (const { past } of lines) past.geometry.instanceCount = passed;
      },
    };
  },
};

/** Trails are drawn about the start; a scene that moves along shows them as the mass centre does. */
const shift = ({ extent }: LayerContext, origin: Float64Array): [number, number, number] =>
  extent.comoving ? [0, 0, 0] : [extent.middle[0] - origin[0]!, extent.middle[1] - origin[1]!, extent.middle[2] - origin[2]!];

function trackedIn({ scenario: { model } }: LayerContext): Tracked[] {
  if (model.frames.length > 0) return model.frames.map(({ body, placement }) => ({ body, p: placement.p }));
  const parents = new Set(model.bodies.map((b) => b.parent));
  return model.bodies.filter((b) => !parents.has(b.index) && b.hinge.nu > 0).map((b) => ({ body: b.index, p: b.com }));
}

/** Fills the lines with points of the log; the times of the points. */
function draw(
  { motion, scenario, extent }: LayerContext,
  tracked: readonly Tracked[],
  lines: readonly { readonly past: Line2; readonly all: Line2 }[],
  log: Frame["log"],
): readonly number[] {
  const length = log?.length ?? 0;
  if (log === undefined || length < 2) return [];
  const count = Math.min(length, MOST_POINTS);
  const t = log.column("t");
  const times: number[] = [];
  const points = tracked.map(() => new Float32Array(3 * count));
  for (let k = 0; k < count; k++) {
    const sample = Math.round((k * (length - 1)) / (count - 1));
    const { poses } = motion.atSample(sample);
    const about = extent.comoving ? centreOf(scenario.model, poses) : extent.middle;
    times.push(t[sample]!);
    for (const [i, { body, p }] of tracked.entries()) {
      const at = pointOf(poses, body, p);
      for (let c = 0; c < 3; c++) points[i]![3 * k + c] = at[c]! - about[c]!;
    }
  }
  for (const [i, { past, all }] of lines.entries())
    for (const line of [past, all]) {
      line.geometry.dispose();
      line.geometry = new LineGeometry();
      line.geometry.setPositions(points[i]!);
    }
  return times;
}
