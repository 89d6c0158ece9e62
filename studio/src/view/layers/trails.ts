/** Trails: the path of each named frame, or of the outermost bodies without named frames. The past is bright, the future faint. */
import type { NumericVec3 } from "castor/model";
import { Group } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { RunLog } from "../../run/run-log.ts";
import { sampleIndexAt } from "../../run/sample-index.ts";
import { bodyPointToWorld } from "../geometry/body-points.ts";
import { massCentre } from "../geometry/mass-centre.ts";
import { simplifyPolyline } from "../geometry/polyline.ts";
import type { Layer, LayerContext } from "../layer.ts";

/** Maximum number of points per trail; more are not visible. */
const MAX_POINTS = 1500;
const MAX_TRAILS = 12;
/** Tolerance of the simplified trail (about half a pixel) and maximum length of its pieces, in radii of the machine. */
const TOLERANCE = 0.002;
const PIECE = 0.04;

interface TrackedPoint {
  readonly body: number;
  readonly p: NumericVec3;
}

interface Trail {
  readonly past: Line2;
  readonly all: Line2;
  /** Times of the points. */
  times: Float64Array;
}

export const trailsLayer: Layer = {
  id: "trails",
  title: "Trails",
  shownByDefault: true,
  onlyWith: "run",
  create(context) {
    const tracked = trackedPoints(context).slice(0, MAX_TRAILS);
    if (tracked.length === 0) return undefined;
    const object = new Group();
    const trails = tracked.map((_, i): Trail => {
      const color = context.palette.trails[i % context.palette.trails.length]!;
      const past = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: 2.2 }));
      const all = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: 1.2, transparent: true, opacity: 0.28 }));
      for (const line of [past, all]) line.frustumCulled = false;
      object.add(all, past);
      return { past, all, times: new Float64Array(0) };
    });
    return {
      object,
      update({ t, origin, log, logChanged }) {
        object.visible = (log?.length ?? 0) > 1;
        if (!log || !object.visible) return;
        if (logChanged) draw(context, tracked, trails, log);
        object.position.set(...shift(context, origin));
        for (const { past, times } of trails) past.geometry.instanceCount = sampleIndexAt(times, t);
      },
    };
  },
};

/** Trails are drawn relative to the middle of the machine at the start, or to the mass centre if the scene moves with it. */
const shift = ({ extent }: LayerContext, origin: Float64Array): [number, number, number] =>
  extent.comoving ? [0, 0, 0] : [extent.middle[0] - origin[0]!, extent.middle[1] - origin[1]!, extent.middle[2] - origin[2]!];

function trackedPoints({ scenario: { model } }: LayerContext): TrackedPoint[] {
  if (model.frames.length > 0) return model.frames.map(({ body, placement }) => ({ body, p: placement.p }));
  const parents = new Set(model.bodies.map((b) => b.parent));
  return model.bodies.filter((b) => !parents.has(b.index) && b.hinge.nu > 0).map((b) => ({ body: b.index, p: b.com }));
}

/** Sets the points of the trails from the log. */
function draw(
  { motion, scenario, extent }: LayerContext,
  tracked: readonly TrackedPoint[],
  trails: readonly Trail[],
  log: RunLog,
): void {
  const { length } = log;
  const count = Math.min(length, MAX_POINTS);
  const t = log.column("t");
  const times = new Float64Array(count);
  const points = tracked.map(() => new Float32Array(3 * count));
  for (let k = 0; k < count; k++) {
    const sample = Math.round((k * (length - 1)) / (count - 1));
    const { poses } = motion.atSample(sample);
    const origin = extent.comoving ? massCentre(scenario.model, poses) : extent.middle;
    times[k] = t[sample]!;
    for (const [i, { body, p }] of tracked.entries()) {
      const at = bodyPointToWorld(poses, body, p);
      for (let c = 0; c < 3; c++) points[i]![3 * k + c] = at[c]! - origin[c]!;
    }
  }
  for (const [i, trail] of trails.entries()) {
    const trailPoints = points[i]!;
    const keptPoints = simplifyPolyline(trailPoints, TOLERANCE * extent.radius, PIECE * extent.radius);
    trail.times = Float64Array.from(keptPoints, (k) => times[k]!);
    const positions = Float32Array.from(
      { length: 3 * keptPoints.length },
      (_, c) => trailPoints[3 * keptPoints[Math.floor(c / 3)]! + (c % 3)]!,
    );
    for (const line of [trail.past, trail.all]) {
      line.geometry.dispose();
      line.geometry = new LineGeometry();
      line.geometry.setPositions(positions);
    }
  }
}
