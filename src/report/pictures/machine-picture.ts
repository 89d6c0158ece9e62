/** Solid picture of a machine in one position: its shapes in an oblique view, with hinge axes, mass centre and a scale. */
import { bodyPoses } from "../../dynamics/programs.ts";
import { simplifyMesh } from "../../formats/mesh/simplify-mesh.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { type BodyShape, shapeInstances } from "../../model/body-shape.ts";
import { equivalentShape } from "../../model/equivalent-shape.ts";
import type { Body, Model } from "../../model/model.ts";
import { MATERIALS } from "../../model/surface/materials.ts";
import { apply } from "../../spatial/rotation.ts";
import { cross, dot, minus, type NumericVec3, plus, scale } from "../../spatial/vec3.ts";
import { shortNumber } from "../numbers.ts";
import { LIGHT, lineColour } from "../palette.ts";
import { roundStep } from "../plots/axis-scale.ts";
import type { Picture } from "../report-data.ts";
import { type PicturePoint, worldPoint } from "./recorded-poses.ts";
import { type MeshTriangles, type Polygon, shapeFaces } from "./shape-faces.ts";

const [WIDTH, HEIGHT, MARGIN, FOOT] = [800, 600, 30, 34];
/** Direction of the viewer: azimuth and elevation, rad. */
const [AZIMUTH, ELEVATION] = [-0.9, 0.4];
const VIEWER: NumericVec3 = [
  Math.cos(AZIMUTH) * Math.cos(ELEVATION),
  Math.sin(AZIMUTH) * Math.cos(ELEVATION),
  Math.sin(ELEVATION),
];
const RIGHT: NumericVec3 = [-Math.sin(AZIMUTH), Math.cos(AZIMUTH), 0];
const UP: NumericVec3 = [-Math.cos(AZIMUTH) * Math.sin(ELEVATION), -Math.sin(AZIMUTH) * Math.sin(ELEVATION), Math.cos(ELEVATION)];
const LIGHT_DIRECTION: NumericVec3 = [0.35, -0.55, 0.76];
/** Most faces of one mesh; larger ones are drawn more coarsely. */
const MOST_MESH_FACES = 20_000;
/** Colour of shapes that are fixed to the world and have none. */
const GROUND_COLOUR = "#7c8794";
/** Radius of a point mass, and length of a hinge axis, relative to the size of the machine. */
const [POINT_SIZE, AXIS_LENGTH] = [0.01, 0.05];

interface Face {
  readonly points: Polygon;
  readonly colour: string;
  readonly normal: NumericVec3;
}

/**
 * The machine at `q`. Undefined if the model has nothing to draw.
 * @param meshOf triangles of a mesh by its path in the model; undefined if it was not read: then the body is drawn by its inertia
 */
export function machinePicture(
  model: Model,
  q: Float64Array,
  meshOf: (file: string) => MeshTriangles | undefined = () => undefined,
): Picture | undefined {
  const kernel = compile(bodyPoses(model));
  kernel.x.set(q);
  kernel.evaluate();
  const poses = kernel.y.slice();
  const size = extentOf(model.bodies.map((_, i) => worldPoint(poses, i, [0, 0, 0])));
  const coarse = (file: string): MeshTriangles | undefined => {
    const mesh = meshOf(file);
    return mesh && simplifyMesh(mesh, MOST_MESH_FACES);
  };
  const faces = [
    ...facesOf(model.shapes, GROUND_COLOUR, (point) => point, coarse),
    ...model.bodies.flatMap((body) => {
      const readable = body.shapes.filter((shape) => shape.kind !== "mesh" || meshOf(shape.file) !== undefined);
      const substitute = readable.length > 0 ? undefined : equivalentShape(body, POINT_SIZE * (size || 1));
      const place = (point: NumericVec3): NumericVec3 => worldPoint(poses, body.index, point);
      return facesOf(substitute ? [substitute] : readable, lineColour(LIGHT, body.index % 6), place, coarse);
    }),
  ];
  const axes = model.bodies.flatMap((body) =>
    axisOf(body, poses, AXIS_LENGTH * Math.max(size, extentOf(faces.flatMap(({ points }) => points)))),
  );
  const points = [...faces.flatMap((face) => face.points), ...axes.flat()];
  if (points.length === 0) return undefined;
  const { project, pixels } = fitted(points);
  const path = (polygon: Polygon): string =>
    `M${polygon
      .map((point) =>
        project(point)
          .map((v) => v.toFixed(1))
          .join(" "),
      )
      .join("L")}`;
  const drawn = faces
    .filter(({ normal }) => (dot(normal, VIEWER) as number) > 0)
    .map((face) => ({
      ...face,
      depth: face.points.reduce((sum, point) => sum + (dot(point, VIEWER) as number), 0) / face.points.length,
    }))
    .sort((a, b) => a.depth - b.depth)
    .map(({ points, colour, normal }) => {
      const fill = shaded(colour, dot(normal, LIGHT_DIRECTION) as number);
      return `<path d="${path(points)}Z" fill="${fill}" stroke="${fill}"/>`;
    });
  const lines = axes.length === 0 ? "" : `<path d="${axes.map(path).join("")}" stroke="#c62828" stroke-width="1.5" fill="none"/>`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>` +
    `<g stroke-width="0.4" stroke-linejoin="round">${drawn.join("")}</g>${lines}${scaleBar(pixels)}${triad()}</svg>`;
  return { title: "Machine", about: "Oblique view at the start. Red lines are the axes of hinges.", svg };
}

/** @param place from the axes of the body to the world */
function facesOf(
  shapes: readonly BodyShape[],
  bodyColour: string,
  place: (point: NumericVec3) => NumericVec3,
  meshOf: (file: string) => MeshTriangles | undefined,
): readonly Face[] {
  return shapes.flatMap(shapeInstances).flatMap((shape) => {
    const colour = shape.colour ?? MATERIALS[shape.material ?? "paint"] ?? bodyColour;
    return shapeFaces(shape, meshOf).flatMap((face): readonly Face[] => {
      const points = face.map(place);
      const normal = normalOf(points);
      return normal === undefined ? [] : [{ points, colour, normal }];
    });
  });
}

/** Unit normal of a polygon, from its vector area; undefined without an area. */
function normalOf(points: Polygon): NumericVec3 | undefined {
  let area: NumericVec3 = [0, 0, 0];
  for (let i = 2; i < points.length; i++)
    area = plus(area, cross(minus(points[i - 1]!, points[0]!), minus(points[i]!, points[0]!))) as NumericVec3;
  const norm = Math.hypot(...area);
  return norm > 0 ? (scale(1 / norm, area) as NumericVec3) : undefined;
}

/** A line along the axis of a hinge with one freedom. */
function axisOf({ hinge, index }: Body, poses: Float64Array, length: number): readonly Polygon[] {
  if (hinge.nu !== 1) return [];
  const axis = hinge.elements[0]?.screw?.axis;
  if (axis === undefined) return [];
  const half = apply(hinge.onBody.R, scale(length, axis as NumericVec3)) as NumericVec3;
  return [[-1, 1].map((side) => worldPoint(poses, index, plus(hinge.onBody.p, scale(side, half)) as NumericVec3))];
}

function extentOf(points: readonly NumericVec3[]): number {
  const sides = [0, 1, 2].map((i) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const point of points) [low, high] = [Math.min(low, point[i]!), Math.max(high, point[i]!)];
    return points.length === 0 ? 0 : high - low;
  });
  return Math.hypot(...sides);
}

/** The projection in which all points fit into the picture, and its pixels per metre. */
function fitted(points: readonly NumericVec3[]): { project(p: NumericVec3): PicturePoint; readonly pixels: number } {
  const plane = (p: NumericVec3): PicturePoint => [dot(p, RIGHT) as number, dot(p, UP) as number];
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const point of points)
    for (const [i, value] of plane(point).entries()) {
      low[i] = Math.min(low[i]!, value);
      high[i] = Math.max(high[i]!, value);
    }
  const [wide, tall] = [0, 1].map((i) => Math.max(high[i]! - low[i]!, 1e-9)) as [number, number];
  const pixels = Math.min((WIDTH - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN - FOOT) / tall);
  return {
    pixels,
    project(p) {
      const [a, b] = plane(p);
      return [WIDTH / 2 + pixels * (a - (low[0]! + high[0]!) / 2), (HEIGHT - FOOT) / 2 - pixels * (b - (low[1]! + high[1]!) / 2)];
    },
  };
}

/** #rrggbb, darker on faces that are turned away from the light. */
function shaded(colour: string, cosine: number): string {
  const factor = 0.45 + 0.55 * Math.max(0, cosine);
  return `#${[1, 3, 5]
    .map((i) =>
      Math.round(factor * Number.parseInt(colour.slice(i, i + 2), 16))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

const TEXT = 'fill="#333333" font-size="14" font-family="sans-serif"';

function scaleBar(pixels: number): string {
  const metres = roundStep(WIDTH / pixels, 6);
  const [x, y] = [MARGIN, HEIGHT - 16];
  return (
    `<path d="M${x} ${y - 4}v4h${(metres * pixels).toFixed(1)}v-4" stroke="#333333" fill="none"/>` +
    `<text x="${(x + metres * pixels + 8).toFixed(1)}" y="${y}" ${TEXT}>${shortNumber(metres, 4)} m</text>`
  );
}

/** Directions of the world axes. */
function triad(): string {
  const [x, y, length] = [WIDTH - 60, HEIGHT - 50, 30];
  return [0, 1, 2]
    .map((i) => {
      const [a, b] = [x + length * RIGHT[i]!, y - length * UP[i]!];
      return (
        `<path d="M${x} ${y}L${a.toFixed(1)} ${b.toFixed(1)}" stroke="${lineColour(LIGHT, [1, 2, 0][i]!)}" stroke-width="2"/>` +
        `<text x="${(a + 4).toFixed(1)}" y="${(b + 4).toFixed(1)}" ${TEXT}>${"xyz"[i]}</text>`
      );
    })
    .join("");
}
