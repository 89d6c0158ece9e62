/** Distances of the robot with two arms against closed forms, and the law that keeps them. */
import type { Log } from "../../log/log.ts";
import { reachedLimits } from "../../scenario/limits/reached-limits.ts";
import type { Override } from "../../scenario/override.ts";
import { runScenario } from "../../scenario/run.ts";
import type { LoadBuiltIn, ValidationRow, ValidationTable } from "../validation.ts";
import { change } from "../validation.ts";

/** Least distance of the scenario, m, and radius of the capsules. */
const LEAST = 0.1;
const RADIUS = 0.05;
/** Rounding of distances of some metres, m. */
const ROUNDING = 1e-13;
/** A distance below its least value, m. */
const KEPT = 1e-6;

/** Capsules around the lines between origins of bodies, in pairs: the distance of their bodies is a channel. */
const PAIRS = [
  { channel: "elbow-stabilizer-pitch", ends: ["elbow", "wrist-pitch", "stabilizer-pitch", "stabilizer-disc"] },
  { channel: "wrist-pitch-stabilizer-pitch", ends: ["wrist-pitch", "wrist-yaw", "stabilizer-pitch", "stabilizer-disc"] },
] as const;
const FRAMES = [...new Set(PAIRS.flatMap(({ ends }) => ends))];

export async function clearanceTable(load: LoadBuiltIn): Promise<ValidationTable> {
  const kept = await logOf(load, []);
  const free = await logOf(load, [change("controllers.arms.clearances", []), change("duration", 13)]);
  const row = (quantity: string, ours: number, tolerance: number): ValidationRow => ({
    ...{ quantity, unit: "m", expected: [0], ours: [ours], tolerance },
  });
  return {
    title: "Clearance of the arms, scenario multi-arm-clearance",
    origin: "closed form",
    rows: [
      ...PAIRS.flatMap(({ channel, ends }) => [
        row(
          `largest difference of the distance ${channel} from that of two segments`,
          largestError(kept.log, channel, ends),
          ROUNDING,
        ),
        {
          ...{ quantity: `smallest distance ${channel} without least distances`, unit: "m" },
          expected: [Math.min(...segmentDistances(free.log, ends))],
          ours: [Math.min(...free.log.column(`clearance.${channel}`))],
          tolerance: ROUNDING,
        },
      ]),
      row("distance below 10 cm on the continuous motion, with least distances", Math.max(0, LEAST - kept.smallest), KEPT),
    ],
  };
}

async function logOf(load: LoadBuiltIn, changes: readonly Override[]): Promise<{ log: Log; smallest: number }> {
  const channels = [...FRAMES.flatMap((name) => ["x", "y", "z"].map((axis) => `frame.${name}.${axis}`)), "clearance.*"];
  const run = await runScenario(load("multi-arm-clearance", [change("channels", channels), change("plots", []), ...changes]));
  if (run.failure) throw run.failure;
  return { log: run.run.log, smallest: reachedLimits(run)[0]!.value };
}

type EndPoint = readonly [number, number, number];
type Ends = readonly [string, string, string, string];

const dot = (a: EndPoint, b: EndPoint): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a: EndPoint, s: number, d: EndPoint): EndPoint => [a[0] + s * d[0], a[1] + s * d[1], a[2] + s * d[2]];
const minus = (a: EndPoint, b: EndPoint): EndPoint => along(a, -1, b);
const length = (a: EndPoint): number => Math.sqrt(dot(a, a));

/** Distance of the capsules around two segments at every sample. */
function segmentDistances(log: Log, ends: Ends): Float64Array {
  const columns = ends.map((name) => ["x", "y", "z"].map((axis) => log.column(`frame.${name}.${axis}`)));
  return Float64Array.from({ length: log.length }, (_, i) => {
    const [p, q, r, s] = columns.map(([x, y, z]): EndPoint => [x![i]!, y![i]!, z![i]!]) as [
      EndPoint,
      EndPoint,
      EndPoint,
      EndPoint,
    ];
    return segmentDistance(p, q, r, s) - 2 * RADIUS;
  });
}

/** Distance of two segments: of an end from the other segment, or of two inner points. */
function segmentDistance(p: EndPoint, q: EndPoint, r: EndPoint, s: EndPoint): number {
  const fromSegment = (x: EndPoint, a: EndPoint, b: EndPoint): number => {
    const d = minus(b, a);
    return length(minus(x, along(a, Math.min(1, Math.max(0, dot(minus(x, a), d) / dot(d, d))), d)));
  };
  const ofEnds = Math.min(fromSegment(p, r, s), fromSegment(q, r, s), fromSegment(r, p, q), fromSegment(s, p, q));
  const [d, e, f] = [minus(q, p), minus(s, r), minus(r, p)];
  const determinant = dot(d, d) * dot(e, e) - dot(d, e) * dot(d, e);
  const x = (dot(d, f) * dot(e, e) - dot(e, f) * dot(d, e)) / determinant;
  const y = (dot(d, f) * dot(d, e) - dot(e, f) * dot(d, d)) / determinant;
  const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
  return isInside ? Math.min(ofEnds, length(minus(along(p, x, d), along(r, y, e)))) : ofEnds;
}

function largestError(log: Log, channel: string, ends: Ends): number {
  const ours = log.column(`clearance.${channel}`);
  return segmentDistances(log, ends).reduce((most, distance, i) => Math.max(most, Math.abs(distance - ours[i]!)), 0);
}
