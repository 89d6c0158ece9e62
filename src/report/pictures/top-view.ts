/** Top view of a rover run: terrain, detected obstacles, planned path, wheel tracks and driven path. */
import type { Terrain } from "../../ground/terrain.ts";
import type { Log } from "../../log/log.ts";
import { type Body, frameOf, type Model } from "../../model/model.ts";
import type { TimedIntent } from "../../sim/run/controller-runner.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import { LIGHT } from "../palette.ts";
import { roundStep, ticksBetween } from "../plots/axis-scale.ts";
import type { Picture } from "../report-data.ts";
import { type PicturePoint, recordedPoses } from "./recorded-poses.ts";
import { drawRelief, type GroundWindow } from "./relief.ts";

export interface TopViewInput {
  readonly model: Model;
  readonly elements: readonly ForceElement[];
  readonly terrain: Terrain;
  readonly log: Log;
  readonly intents: readonly TimedIntent[];
}

const WIDTH = 960;
const [MAX_HEIGHT, MIN_HEIGHT] = [720, 240];
const MARGIN = { left: 44, right: 14, top: 12, bottom: 34 };
/** Margin of ground around the path: relative to the extent of the path, and its minimum, m. */
const RELATIVE_MARGIN = 0.08;
const MIN_MARGIN = 0.7;
const MAX_POINTS = 1500;
/** Width and radius of wheels without a shape, m. */
const DEFAULT_WHEEL_WIDTH = 0.1;
const [PLANNED_COLOUR, DRIVEN_COLOUR, OBSTACLE_COLOUR, TRACK_COLOUR] = [LIGHT.lines[1]!, LIGHT.lines[0]!, "#b3261e", "#3a2f22"];

/** The picture, or undefined if no wheel is on the ground or the log does not contain all coordinates. */
export function topView({ model, elements, terrain, log, intents }: TopViewInput): Picture | undefined {
  const wheels = elements.flatMap((e) => {
    const rolls = e.channels?.some((c) => c.name === "slip") && e.frames?.length === 1;
    return rolls ? [frameOf(model, e.frames![0]!)] : [];
  });
  const posesAt = recordedPoses(model, log);
  if (wheels.length === 0 || log.length === 0 || posesAt === undefined) return undefined;
  const count = Math.min(MAX_POINTS, log.length);
  const poses = Array.from({ length: count }, (_, k) => posesAt(Math.round((k * (log.length - 1)) / Math.max(1, count - 1))));
  const position = (pose: Float64Array, body: number): PicturePoint => [pose[12 * body + 9]!, pose[12 * body + 10]!];
  const root = rootBody(model, wheels[0]!.body);
  const drivenPoints = poses.map((pose) => position(pose, root));
  const tracks = wheels.map(({ body }) => ({ body, points: poses.map((pose) => position(pose, body)) }));
  const plans = intents.filter(({ way }) => way.length >= 4);
  const goal = plans.length > 0 ? lastPair(plans.at(-1)!.way) : undefined;
  const plannedPoints = plans[0] && pointPairs(plans[0].way);
  const window = windowAround([
    ...drivenPoints,
    ...tracks.flatMap((t) => t.points),
    ...(plannedPoints ?? []),
    ...(goal ? [goal] : []),
  ]);

  const scale = Math.min(
    (WIDTH - MARGIN.left - MARGIN.right) / window.length,
    (MAX_HEIGHT - MARGIN.top - MARGIN.bottom) / window.width,
  );
  const [w, h] = [scale * window.length, scale * window.width];
  const [left, height] = [(WIDTH - MARGIN.right + MARGIN.left - w) / 2, h + MARGIN.top + MARGIN.bottom];
  const project = (x: number, y: number): PicturePoint => [
    left + scale * (x - window.x),
    MARGIN.top + h - scale * (y - window.y),
  ];
  const pixel = ([x, y]: PicturePoint): string =>
    project(x, y)
      .map((v) => v.toFixed(1))
      .join(" ");
  const line = (points: readonly PicturePoint[]): string => `M${points.map(pixel).join("L")}`;

  const relief = drawRelief(terrain, window, project);
  const obstacles = intents
    .flatMap(({ obstacles: cells, cell = 0 }) => (cells ? pointPairs(cells).map(([x, y]) => ({ x, y, cell })) : []))
    .map(
      ({ x, y, cell }) =>
        `M${pixel([x - cell / 2, y - cell / 2])}h${(cell * scale).toFixed(1)}v${(-cell * scale).toFixed(1)}h${(-cell * scale).toFixed(1)}Z`,
    );
  const ruts = tracks.map(
    ({ body, points }) => `<path d="${line(points)}" stroke-width="${(scale * wheelWidth(model.bodies[body]!)).toFixed(1)}"/>`,
  );
  const marks = [
    ...(obstacles.length > 0 ? [`<path d="${obstacles.join("")}" fill="${OBSTACLE_COLOUR}" opacity="0.45"/>`] : []),
    `<g fill="none" stroke="${TRACK_COLOUR}" opacity="0.28" stroke-linejoin="round">${ruts.join("")}</g>`,
    ...(plannedPoints ? [plannedPathSvg(line(plannedPoints), "6 5")] : []),
    `<path d="${line(drivenPoints)}" fill="none" stroke="${DRIVEN_COLOUR}" stroke-width="2.2" stroke-linejoin="round"/>`,
    wheelMarksSvg(
      model,
      wheels.map((f) => f.body),
      poses.at(-1)!,
      pixel,
      scale,
    ),
    `<circle cx="${pixel(drivenPoints[0]!).split(" ").join('" cy="')}" r="4.5" fill="#fff" stroke="${DRIVEN_COLOUR}" stroke-width="2"/>`,
    ...(goal ? [goalCrossSvg(project(...goal))] : []),
  ];
  const about = [
    relief.heights === undefined
      ? "Level ground."
      : `Ground height from ${numberLabel(relief.heights[0])} to ${numberLabel(relief.heights[1])} m, one contour line every ${numberLabel(relief.step!)} m.`,
    "Blue: driven path, from the circle. Brown: wheel tracks.",
    ...(plannedPoints ? [`Dashed: ${plans.length > 1 ? "first " : ""}planned path to the goal (cross).`] : []),
    ...(obstacles.length > 0 ? ["Red: detected obstacles."] : []),
  ].join(" ");
  return {
    title: "From above",
    about,
    size: "large",
    svg: topViewSvg(window, relief.svg, marks.join(""), { left, w, h, height, project }),
  };
}

const pointPairs = (flat: Float64Array): PicturePoint[] =>
  Array.from({ length: flat.length >> 1 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]);
const lastPair = (flat: Float64Array): PicturePoint => [flat.at(-2)!, flat.at(-1)!];

function rootBody(model: Model, body: number): number {
  let root = body;
  while (model.bodies[root]!.parent >= 0) root = model.bodies[root]!.parent;
  return root;
}

/** Window that contains all points with a margin; its aspect ratio is limited. */
function windowAround(points: readonly PicturePoint[]): GroundWindow {
  const [low, high] = [Math.min, Math.max].map((best) =>
    [0, 1].map((i) => points.reduce((found, p) => best(found, p[i]!), points[0]![i]!)),
  ) as [number[], number[]];
  const around = Math.max(MIN_MARGIN, RELATIVE_MARGIN * Math.max(high[0]! - low[0]!, high[1]! - low[1]!));
  const length = high[0]! - low[0]! + 2 * around;
  const width = high[1]! - low[1]! + 2 * around;
  const [wide, tall] = [Math.max(length, 0.6 * width), Math.max(width, (MIN_HEIGHT / WIDTH) * length)];
  return { x: (low[0]! + high[0]! - wide) / 2, y: (low[1]! + high[1]! - tall) / 2, length: wide, width: tall };
}

const wheelWidth = (wheel: Body): number => wheel.shapes.find((s) => s.kind === "cylinder")?.length ?? DEFAULT_WHEEL_WIDTH;

/** Wheels in their final pose: strokes in direction axle × up. */
function wheelMarksSvg(
  model: Model,
  wheels: readonly number[],
  pose: Float64Array,
  pixel: (p: PicturePoint) => string,
  scale: number,
): string {
  const strokes = wheels.map((body) => {
    const { hinge, shapes } = model.bodies[body]!;
    const shape = shapes.find((s) => s.kind === "cylinder");
    const [ax, ay, az] = hinge.elements[0]?.screw?.axis ?? [0, 1, 0];
    const row = (i: number): number =>
      pose[12 * body + 3 * i]! * ax + pose[12 * body + 3 * i + 1]! * ay + pose[12 * body + 3 * i + 2]! * az;
    const [x, y] = [pose[12 * body + 9]!, pose[12 * body + 10]!];
    const r = (shape?.radius ?? DEFAULT_WHEEL_WIDTH) / Math.max(Math.hypot(row(0), row(1)), 1e-9);
    const [dx, dy] = [r * row(1), -r * row(0)];
    return `<path d="M${pixel([x - dx, y - dy])}L${pixel([x + dx, y + dy])}" stroke-width="${Math.max(2, scale * wheelWidth(model.bodies[body]!)).toFixed(1)}"/>`;
  });
  return `<g stroke="#1b2128" opacity="0.85">${strokes.join("")}</g>`;
}

const plannedPathSvg = (d: string, dash: string): string =>
  `<path d="${d}" fill="none" stroke="#fff" stroke-width="3.4" opacity="0.5"/><path d="${d}" fill="none" stroke="${PLANNED_COLOUR}" stroke-width="1.8" stroke-dasharray="${dash}"/>`;

const goalCrossSvg = ([x, y]: PicturePoint): string =>
  `<path d="M${x - 6} ${y - 6}l12 12m0 -12l-12 12" stroke="#fff" stroke-width="5"/><path d="M${x - 6} ${y - 6}l12 12m0 -12l-12 12" stroke="${PLANNED_COLOUR}" stroke-width="2.6"/>`;

interface PlotArea {
  readonly left: number;
  readonly w: number;
  readonly h: number;
  readonly height: number;
  project(x: number, y: number): PicturePoint;
}

function topViewSvg(
  { x, y, length, width }: GroundWindow,
  ground: string,
  marks: string,
  { left, w, h, height, project }: PlotArea,
): string {
  const step = roundStep(Math.max(length, width), 10);
  const label = (v: number): string => String(Number(v.toPrecision(6))).replace("-", "−");
  const across = ticksBetween(x, x + length, length / step).map((v) => {
    const [px] = project(v, y);
    return `<path d="M${px.toFixed(1)} ${(MARGIN.top + h).toFixed(1)}v5" stroke="currentColor"/><text x="${px.toFixed(1)}" y="${(MARGIN.top + h + 19).toFixed(1)}" text-anchor="middle">${label(v)}</text>`;
  });
  const up = ticksBetween(y, y + width, width / step).map((v) => {
    const [, py] = project(x, v);
    return `<path d="M${left.toFixed(1)} ${py.toFixed(1)}h-5" stroke="currentColor"/><text x="${(left - 9).toFixed(1)}" y="${(py + 4).toFixed(1)}" text-anchor="end">${label(v)}</text>`;
  });
  const frame = `x="${left.toFixed(1)}" y="${MARGIN.top}" width="${w.toFixed(1)}" height="${h.toFixed(1)}"`;
  const unit = `<text x="${(left + w).toFixed(1)}" y="${(MARGIN.top + h + 31).toFixed(1)}" text-anchor="end">x, y in m</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height.toFixed(1)}"><defs><clipPath id="ground"><rect ${frame}/></clipPath></defs>` +
    `<g clip-path="url(#ground)">${ground}${marks}</g><rect ${frame} fill="none" stroke="currentColor" stroke-opacity="0.5"/>` +
    `<g fill="currentColor" font-size="12" font-family="sans-serif">${across.join("")}${up.join("")}${unit}</g></svg>`
  );
}

const numberLabel = (value: number): string => String(Number(value.toPrecision(3))).replace("-", "−");
