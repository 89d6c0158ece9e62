/** Line drawings of a machine: links as lines from hinge to hinge, hubs as boxes, with paths and force arrows. */

import { equivalentShape } from "../../model/equivalent-shape.ts";
import type { Body, Model } from "../../model/model.ts";
import { apply } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { minus, plus, scale } from "../../spatial/vec3.ts";
import { shortNumber } from "../numbers.ts";
import { LIGHT, lineColour } from "../palette.ts";
import { roundStep } from "../plots/axis-scale.ts";
import { type PicturePoint, worldPoint } from "./recorded-poses.ts";

/** A line of a body in body axes, and the number of its arm. */
export interface Stroke {
  readonly body: number;
  readonly from: NumericVec3;
  readonly to: NumericVec3;
  readonly arm: number;
  readonly kind: "link" | "outline";
}

const [WIDTH, HEIGHT, MARGIN] = [640, 400, 24];
/** Machines whose thickness relative to their size is below this are viewed along the thin axis. */
const FLAT_RATIO = 0.02;

/** Lines from the hinge of each body to its children, frames and loops; hubs as boxes. */
export function strokesOf(model: Model): Stroke[] {
  const arms = armNumbers(model.bodies);
  return model.bodies.flatMap((body): Stroke[] => {
    const from = body.hinge.onBody.p;
    const children = model.bodies.filter((b) => b.parent === body.index);
    const ends = [
      ...children.map((c) => c.hinge.onParent.p),
      ...model.frames.filter((f) => f.body === body.index).map((f) => f.placement.p),
      ...model.loops
        .flatMap((l) => (l.type === "frames" ? [l.from, l.to] : []))
        .flatMap((a) => (a.body === body.index ? [a.placement.p] : [])),
    ] as NumericVec3[];
    const arm = arms[body.index]!;
    const isHub = children.length > 1 || (body.parent < 0 && body.hinge.nu >= 3);
    const shape = isHub ? (body.shapes.find((s) => s.kind === "box") ?? equivalentShape(body, 0)) : undefined;
    if (shape?.kind === "box")
      return boxEdges(shape.size).map(([a, b]) => ({
        ...{ body: body.index, arm, kind: "outline" as const },
        from: plus(shape.placement.p, apply(shape.placement.R, a)) as NumericVec3,
        to: plus(shape.placement.p, apply(shape.placement.R, b)) as NumericVec3,
      }));
    const distant = ends.filter((p) => distance(p, from) > 0);
    const tip = minus(scale(2, body.com), from) as NumericVec3; // end of a uniform rod with this mass centre
    return (distant.length > 0 ? distant : distance(tip, from) > 0 ? [tip] : []).map((to) => ({
      body: body.index,
      from,
      to,
      arm,
      kind: "link",
    }));
  });
}

/** Arm number of each body: each branch of a hub is a new arm, with its own colour. Hubs and bodies before them are arm 0. */
function armNumbers(bodies: readonly Body[]): number[] {
  const arms: number[] = [];
  let next = 0;
  for (const { parent } of bodies) {
    const siblings = bodies.filter((b) => b.parent === parent).length;
    arms.push(parent < 0 ? 0 : siblings > 1 || arms[parent] === 0 ? ++next : arms[parent]!);
  }
  return arms;
}

function boxEdges(size: NumericVec3): [NumericVec3, NumericVec3][] {
  const corner = (i: number): NumericVec3 =>
    [0, 1, 2].map((k) => ((i >> k) & 1 ? 0.5 : -0.5) * size[k]!) as unknown as NumericVec3;
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) =>
    [1, 2, 4].flatMap((bit): [NumericVec3, NumericVec3][] => ((i & bit) === 0 ? [[corner(i), corner(i | bit)]] : [])),
  );
}

/** The strokes in world axes. */
export const strokesInWorld = (strokes: readonly Stroke[], poses: Float64Array) =>
  strokes.map((s) => ({ ...s, from: worldPoint(poses, s.body, s.from), to: worldPoint(poses, s.body, s.to) }));

export const distance = (a: NumericVec3, b: NumericVec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export const centroid = (points: readonly NumericVec3[]): NumericVec3 =>
  [0, 1, 2].map((i) => points.reduce((sum, p) => sum + p[i]!, 0) / points.length) as unknown as NumericVec3;

/** A projection to the picture plane. */
export interface PictureView {
  /** Description for the caption. */
  readonly about: string;
  project(p: NumericVec3): PicturePoint;
  /** Pixels per metre. */
  readonly scale: number;
}

/** View along the thin axis if the points are nearly planar, else an oblique view; scaled so that everything fits. */
export function fitView(points: readonly NumericVec3[]): PictureView {
  const extent = [0, 1, 2].map((i) => Math.max(...points.map((p) => p[i]!)) - Math.min(...points.map((p) => p[i]!)));
  const thin = extent.indexOf(Math.min(...extent));
  const isFlat = extent[thin]! < FLAT_RATIO * Math.max(...extent);
  const [azimuth, elevation] = [-0.9, 0.4];
  const oblique = ([x, y, z]: NumericVec3): PicturePoint => {
    const depth = x * Math.cos(azimuth) + y * Math.sin(azimuth);
    return [-x * Math.sin(azimuth) + y * Math.cos(azimuth), z * Math.cos(elevation) - depth * Math.sin(elevation)];
  };
  const along: readonly ((p: NumericVec3) => PicturePoint)[] = [([, y, z]) => [y, z], ([x, , z]) => [x, z], ([x, y]) => [x, y]];
  const toPlane = isFlat ? along[thin]! : oblique;
  const projectedPoints = points.map(toPlane);
  const [low, high] = [0, 1].map((side) =>
    [0, 1].map((i) =>
      projectedPoints.reduce((best, p) => (side === 0 ? Math.min(best, p[i]!) : Math.max(best, p[i]!)), projectedPoints[0]![i]!),
    ),
  ) as [number[], number[]];
  const size = [0, 1].map((i) => Math.max(high[i]! - low[i]!, 1e-9));
  const fit = Math.min((WIDTH - 2 * MARGIN) / size[0]!, (HEIGHT - 2 * MARGIN - 24) / size[1]!);
  return {
    about: isFlat ? `View along ${"xyz"[thin]}.` : "Oblique view.",
    scale: fit,
    project(p) {
      const [a, b] = toPlane(p);
      return [WIDTH / 2 + fit * (a - (low[0]! + high[0]!) / 2), (HEIGHT - 24) / 2 - fit * (b - (low[1]! + high[1]!) / 2)];
    },
  };
}

/** SVG of postures, later ones more opaque, with paths (`trails`), force arrows and a scale bar. */
export function posturesSvg(
  postures: readonly (readonly Stroke[])[],
  trails: readonly (readonly NumericVec3[])[],
  { project, scale: fit }: PictureView,
  arrows: readonly { readonly from: NumericVec3; readonly to: NumericVec3 }[] = [],
): string {
  const pixel = (p: NumericVec3): string =>
    project(p)
      .map((v) => v.toFixed(1))
      .join(" ");
  const colour = (arm: number): string => (arm === 0 ? "currentColor" : lineColour(LIGHT, arm - 1));
  const groups = postures.map((lines, k) => {
    const opacity = postures.length === 1 ? 1 : 0.15 + 0.85 * (k / (postures.length - 1)) ** 2;
    const arms = [...new Set(lines.map((l) => `${l.arm} ${l.kind}`))].map((key) => {
      const strokes = lines.filter((l) => `${l.arm} ${l.kind}` === key);
      const path = strokes.map(({ from, to }) => `M${pixel(from)}L${pixel(to)}`).join("");
      const width = strokes[0]!.kind === "outline" ? 1.2 : 3;
      return `<path d="${path}" stroke="${colour(strokes[0]!.arm)}" stroke-width="${width}"/>`;
    });
    return `<g opacity="${opacity.toFixed(2)}">${arms.join("")}</g>`;
  });
  const paths = trails.map(
    (points) => `<path d="M${points.map(pixel).join("L")}" stroke="currentColor" stroke-width="1" opacity="0.45"/>`,
  );
  const pointers = arrows.map(({ from, to }) => arrowPath(project(from), project(to))).join("");
  const forces = pointers && `<path d="${pointers}" stroke="${ARROW_COLOUR}" stroke-width="2.5"/>`;
  const metre = roundStep(WIDTH / fit, 6);
  const [x, y] = [MARGIN, HEIGHT - 14];
  const bar =
    `<path d="M${x} ${y - 4}v4h${(metre * fit).toFixed(1)}v-4" stroke="currentColor" stroke-width="1"/>` +
    `<text x="${(x + metre * fit + 8).toFixed(1)}" y="${y}" fill="currentColor" font-size="13" font-family="sans-serif">${shortNumber(metre, 4)} m</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><g fill="none" stroke-linecap="round" stroke-linejoin="round">${paths.join("")}${groups.join("")}${forces}</g><g fill="none">${bar}</g></svg>`;
}

const ARROW_COLOUR = "#c62828";
/** Length of an arrow's head, in pixels. */
const ARROW_HEAD = 8;

/** An arrow with an open head. */
function arrowPath(from: PicturePoint, to: PicturePoint): string {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.max(Math.hypot(x, y), 1e-9);
  const [u, v] = [(ARROW_HEAD * x) / length, (ARROW_HEAD * y) / length];
  const point = (a: number, b: number): string => `${a.toFixed(1)} ${b.toFixed(1)}`;
  const side = (s: number): string => point(to[0] - u - s * v, to[1] - v + s * u);
  return `M${point(...from)}L${point(...to)}M${side(0.5)}L${point(...to)}L${side(-0.5)}`;
}
