/** Wheel tracks: contact points of the wheels up to now. They are drawn on the surface, not at the depth to which the wheels sank. */
import type { NumericVec3 } from "castor/model";
import type { Scenario } from "castor/scenario";
import { type DrawnForce, drawnForces } from "castor/sim";
import { Group } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { RunLog } from "../../run/run-log.ts";
import { sampleIndexAt } from "../../run/sample-index.ts";
import { groundAt } from "../geometry/ground.ts";
import type { Layer } from "../layer.ts";
import { contactForceAtSample } from "../motion/contact-forces.ts";

/** Maximum number of samples per track; more are not visible. */
const MAX_SAMPLES = 2000;

export const wheelTracksLayer: Layer = {
  id: "wheel-tracks",
  title: "Wheel tracks",
  shownByDefault: true,
  onlyWith: "run",
  create({ scenario, extent, palette }) {
    const wheels = drawnForces(scenario.forces.filter(({ kind }) => kind.startsWith("wheel-")));
    if (wheels.length === 0 || extent.comoving) return undefined;
    const object = new Group();
    const material = new LineMaterial({ color: palette.track, linewidth: 4 });
    const tracks = wheels.map((channels) => {
      const line = new LineSegments2(new LineSegmentsGeometry(), material);
      line.frustumCulled = false;
      line.visible = false;
      object.add(line);
      return { line, channels, times: new Float64Array(0) as Float64Array };
    });
    const lift = 0.008 * extent.radius;
    return {
      object,
      update({ t, origin, log, logChanged }) {
        for (const track of tracks) {
          if (logChanged && log) {
            const { points, times } = trackOf(log, track.channels, scenario, [
              extent.middle[0],
              extent.middle[1],
              extent.middle[2] - lift,
            ]);
            track.line.geometry.dispose();
            track.line.geometry = new LineSegmentsGeometry();
            if (times.length > 0) track.line.geometry.setPositions(points);
            track.times = times;
          }
          const visibleSegments = track.times.length === 0 || t < track.times[0]! ? 0 : 1 + sampleIndexAt(track.times, t);
          track.line.visible = visibleSegments > 0;
          track.line.geometry.instanceCount = visibleSegments;
        }
        object.position.set(extent.middle[0] - origin[0]!, extent.middle[1] - origin[1]!, extent.middle[2] - origin[2]!);
      },
    };
  },
};

/** Line segments between successive samples with contact, relative to a point, and the times at which they end. */
function trackOf(
  log: RunLog,
  channels: DrawnForce,
  scenario: Scenario,
  origin: NumericVec3,
): { readonly points: Float32Array; readonly times: Float64Array } {
  const points: number[] = [];
  const times: number[] = [];
  const t = log.column("t");
  const step = Math.max(1, Math.ceil(log.length / MAX_SAMPLES));
  let previous: NumericVec3 | undefined;
  for (let i = 0; i < log.length; i += step) {
    const contact = contactForceAtSample(log, channels, i)?.point;
    const point =
      contact &&
      ([contact[0] - origin[0], contact[1] - origin[1], groundAt(scenario, contact[0], contact[1])[0]! - origin[2]] as const);
    if (previous && point) {
      points.push(...previous, ...point);
      times.push(t[i]!);
    }
    previous = point;
  }
  return { points: Float32Array.from(points), times: Float64Array.from(times) };
}
