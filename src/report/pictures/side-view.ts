/**
 * Side view and top view of an approach: outlines of the bodies near the port, in axes of the target, at the start, at the events and at
 * the end. Drawn from the log alone.
 */

import type { Log } from "../../log/log.ts";
import { type BodyShape, shapeInstances } from "../../model/body-shape.ts";
import { equivalentShape } from "../../model/equivalent-shape.ts";
import { type Body, frameOf, type Model } from "../../model/model.ts";
import { shapeSurface } from "../../model/surface/shape-surface.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { escapeHtml } from "../page/html.ts";
import { LIGHT, lineColour } from "../palette.ts";
import type { Picture } from "../report-data.ts";
import { type PicturePoint, recordedPoses, worldPoint } from "./recorded-poses.ts";

export interface SideViewInput {
  readonly model: Model;
  readonly log: Log;
  readonly port: string;
  readonly target: string;
  /** Times to draw, with their names. */
  readonly moments: readonly { readonly name: string; readonly t: number }[];
}

const MAX_EVENTS = 4;
/** Minimum number of panels that the width is made for, so that a few panels do not become too large. */
const MIN_PANELS = 5;
const [WIDE, HIGH, SPACE, HEAD] = [200, 170, 10, 34];
const CIRCLE_POINTS = 24;
/** Half the height of a panel, relative to the extent of the port's body. */
const WINDOW_FACTOR = 1.25;

/** The picture, or undefined if the log does not contain all coordinates. */
export function sideView({ model, log, port, target, moments }: SideViewInput): Picture | undefined {
  const posesAt = recordedPoses(model, log);
  if (log.length === 0 || posesAt === undefined) return undefined;
  const [portFrame, targetFrame] = [frameOf(model, port), frameOf(model, target)];
  const rootOf = (body: number): number =>
    body >= 0 && model.bodies[body]!.parent >= 0 ? rootOf(model.bodies[body]!.parent) : body;
  const vehicle = rootOf(portFrame.body);
  const outlines = model.bodies.map((body) => ({ body, points: drawnShapes(body).map(outlinePoints) }));
  const reach =
    WINDOW_FACTOR *
    Math.max(0.1, ...outlines[portFrame.body]!.points.flat().map((p) => distanceBetween(p, portFrame.placement.p)));

  /** Outlines in axes of the target. `up`: index of the vertical axis, 2 for the side view (x, z), 1 for the top view (x, y). */
  const panel = (sample: number, up: 1 | 2): string => {
    const poses = posesAt(sample);
    const { R, p: origin } = targetFrame.placement;
    const T = worldFrame(poses, targetFrame.body, R as readonly NumericVec3[], origin);
    return outlines
      .flatMap(({ body, points }) => {
        const colour = rootOf(body.index) === vehicle ? lineColour(LIGHT, 0) : lineColour(LIGHT, 1);
        const hulls = points.map((shape) =>
          convexHull(
            shape.map((p): PicturePoint => {
              const point = worldPoint(poses, body.index, p);
              return [alongAxis(T, 0, point), alongAxis(T, up, point)];
            }),
          ),
        );
        const paths = hulls.filter((h) => h.length > 1).map((h) => `M${h.map((p) => panelPixel(p, reach)).join("L")}Z`);
        return paths.map((d) => `<path d="${d}" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="1"/>`);
      })
      .join("");
  };

  const chosen = chooseMoments(log, moments);
  const cells = chosen.map(({ name, t, sample }, k) => {
    const x = k * (WIDE + SPACE);
    const views = ([2, 1] as const).map((up, row) => {
      const y = HEAD + row * (HIGH + SPACE);
      const id = `side-${k}-${row}`;
      return `<g transform="translate(${x} ${y})"><clipPath id="${id}"><rect width="${WIDE}" height="${HIGH}"/></clipPath><g clip-path="url(#${id})">${panel(sample, up)}</g><rect width="${WIDE}" height="${HIGH}" fill="none" stroke="currentColor" stroke-opacity="0.3"/></g>`;
    });
    const label = `<text x="${x + 2}" y="12" font-size="12" fill="currentColor">${escapeHtml(name)}</text><text x="${x + 2}" y="27" font-size="11" fill="currentColor" opacity="0.7">${+t.toPrecision(4)} s</text>`;
    return label + views.join("");
  });
  const [width, height] = [Math.max(MIN_PANELS, chosen.length) * (WIDE + SPACE) - SPACE, HEAD + 2 * HIGH + SPACE];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif">${cells.join("")}</svg>`;
  const about = `Upper row: side view (x, z). Lower row: top view (x, y). Axes of ${target}; each panel is ${+(2 * reach).toPrecision(2)} m high.`;
  return { title: "Approach", svg, about, size: "large" };
}

/** The start, at most MAX_EVENTS events spread evenly, and the end. */
function chooseMoments(log: Log, moments: SideViewInput["moments"]): readonly { name: string; t: number; sample: number }[] {
  const time = log.column("t");
  const sampleAt = (t: number): number => {
    const sample = time.findIndex((s) => s >= t - 1e-9);
    return sample < 0 ? time.length - 1 : sample;
  };
  const namesByTime = new Map<number, string[]>();
  for (const { name, t } of moments) namesByTime.set(t, [...(namesByTime.get(t) ?? []), name]);
  const each = [...namesByTime].map(([t, names]) => ({ name: names.at(-1)!, t }));
  const spread = (k: number): number => Math.round((k * (each.length - 1)) / (MAX_EVENTS - 1));
  const events = each.length <= MAX_EVENTS ? each : Array.from({ length: MAX_EVENTS }, (_, k) => each[spread(k)]!);
  const all = [{ name: "start", t: time[0]! }, ...events, { name: "end", t: time.at(-1)! }];
  return all.map((m) => ({ ...m, sample: sampleAt(m.t) }));
}

/** Shapes of a body to draw; without shapes, the solid equivalent to its inertia. */
const drawnShapes = (body: Body): readonly BodyShape[] => {
  const shapes = body.shapes.filter((s) => s.kind !== "mesh");
  const solid = shapes.length > 0 ? undefined : equivalentShape(body, 0);
  return solid ? [solid] : shapes.flatMap(shapeInstances);
};

/** Points of a shape, in axes of the body; their convex hull is the outline. */
function outlinePoints(shape: BodyShape): readonly NumericVec3[] {
  const { R, p } = shape.placement as { R: readonly NumericVec3[]; p: NumericVec3 };
  const row = (i: 0 | 1 | 2, v: NumericVec3): number => p[i] + R[i]![0] * v[0] + R[i]![1] * v[1] + R[i]![2] * v[2];
  const on = (v: NumericVec3): NumericVec3 => [row(0, v), row(1, v), row(2, v)];
  const circle = (radius: number, z: number): NumericVec3[] =>
    Array.from({ length: CIRCLE_POINTS }, (_, k) => {
      const a = (2 * Math.PI * k) / CIRCLE_POINTS;
      return [radius * Math.cos(a), radius * Math.sin(a), z];
    });
  const ball = (radius: number, z: number): NumericVec3[] =>
    [-0.8, -0.4, 0, 0.4, 0.8].flatMap((s) => circle(radius * Math.sqrt(1 - s * s), z + s * radius));
  switch (shape.kind) {
    case "box":
      return [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
        on([0, 1, 2].map((k) => ((i >> k) & 1 ? 0.5 : -0.5) * shape.size[k]!) as unknown as NumericVec3),
      );
    case "sphere":
      return ball(shape.radius, 0).map(on);
    case "ellipsoid":
      return ball(0.5, 0).map((v) => on(v.map((c, i) => c * shape.size[i]!) as unknown as NumericVec3));
    case "cylinder":
      return [-0.5, 0.5].flatMap((s) => circle(shape.radius, s * shape.length)).map(on);
    case "capsule":
      return [-0.5, 0.5].flatMap((s) => ball(shape.radius, s * shape.length)).map(on);
    default:
      return shapeSurface(shape, CIRCLE_POINTS).flatMap(({ positions }) =>
        Array.from({ length: positions.length / 3 }, (_, i) =>
          on([positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!]),
        ),
      );
  }
}

const distanceBetween = (p: NumericVec3, q: NumericVec3): number => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

interface FrameAxes {
  readonly R: readonly NumericVec3[];
  readonly p: NumericVec3;
}

/** A frame of a body in world axes; the columns of R are its axes. */
function worldFrame(poses: Float64Array, body: number, R: readonly NumericVec3[], p: NumericVec3): FrameAxes {
  if (body < 0) return { R, p };
  const o = worldPoint(poses, body, p);
  const axes = [0, 1, 2].map((c) => {
    const tip = worldPoint(poses, body, [p[0] + R[0]![c]!, p[1] + R[1]![c]!, p[2] + R[2]![c]!]);
    return [tip[0] - o[0], tip[1] - o[1], tip[2] - o[2]] as const;
  });
  return { R: [0, 1, 2].map((i) => axes.map((a) => a[i]!) as unknown as NumericVec3), p: o };
}

/** Coordinate of a point along an axis of the frame. */
const alongAxis = ({ R, p }: FrameAxes, axis: 0 | 1 | 2, v: NumericVec3): number =>
  R[0]![axis]! * (v[0] - p[0]) + R[1]![axis]! * (v[1] - p[1]) + R[2]![axis]! * (v[2] - p[2]);

/** Pixel coordinates in a panel: x to the right, with more room in front of the target than behind it. */
const panelPixel = ([x, y]: PicturePoint, reach: number): string => {
  const scale = HIGH / (2 * reach);
  return `${(0.68 * WIDE + scale * x).toFixed(1)} ${(HIGH / 2 - scale * y).toFixed(1)}`;
};

/** Convex hull by Andrew's monotone chain. */
function convexHull(points: readonly PicturePoint[]): readonly PicturePoint[] {
  const sortedPoints = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const halfHull = (list: readonly PicturePoint[]): PicturePoint[] => {
    const chain: PicturePoint[] = [];
    for (const p of list) {
      while (chain.length > 1 && turnDirection(chain.at(-2)!, chain.at(-1)!, p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...halfHull(sortedPoints), ...halfHull(sortedPoints.reverse())];
}

const turnDirection = (a: PicturePoint, b: PicturePoint, c: PicturePoint): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
