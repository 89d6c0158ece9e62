/** The motion of a run as plain data for the player: triangles of the bodies, poses at equal times, and curves. Runs in every engine. */

import type { Terrain } from "../../ground/terrain.ts";
import { type BodyShape, shapeInstances } from "../../model/body-shape.ts";
import { equivalentShape } from "../../model/equivalent-shape.ts";
import type { Body, Model } from "../../model/model.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { LIGHT, lineColour } from "../palette.ts";
import { worldPoint } from "../pictures/recorded-poses.ts";
import type { MeshTriangles } from "../pictures/shape-faces.ts";
import { KnownSurfaces } from "./known-surfaces.ts";
import { packBytes } from "./pack-numbers.ts";
import type { ReplayData, ReplayMesh, ReplayPlot } from "./replay-format.ts";
import { packMesh, replayMeshes, type ShapeGroup } from "./replay-meshes.ts";
import { replayView } from "./replay-view.ts";

export interface ReplaySource {
  readonly title: string;
  readonly model: Model;
  readonly from: number;
  readonly to: number;
  /** Poses of all bodies at a time: rotation matrix by rows (9), then position (3), for each body. */
  posesAt(t: number): Float64Array;
  readonly terrain?: Terrain | undefined;
  meshOf?(file: string): MeshTriangles | undefined;
  readonly plots?: readonly ReplayPlot[];
}

/** Largest number of samples, and of numbers in all poses (0.5 MB of text). */
const [MAX_SAMPLES, MAX_NUMBERS] = [600, 90_000];
/** Colour of shapes fixed to the world. */
const ANCHOR = "#5c6670";
/** Points of the ground in each direction. */
const GROUND_POINTS = 48;
/** Radius of a point mass relative to the machine. */
const POINT_SIZE = 0.01;

export function replayData(source: ReplaySource): ReplayData {
  const { model, from, to, plots = [] } = source;
  const samples = Math.max(2, Math.min(MAX_SAMPLES, Math.floor(MAX_NUMBERS / Math.max(1, 7 * model.bodies.length))));
  const poses = new Float32Array(samples * model.bodies.length * 7);
  const first = Float64Array.from(source.posesAt(from));
  const origin = model.bodies.length > 0 ? worldPoint(first, 0, [0, 0, 0]) : [0, 0, 0];
  const reach = { low: [1 / 0, 1 / 0], high: [-1 / 0, -1 / 0] };
  for (let k = 0; k < samples; k++) {
    const now = source.posesAt(from + ((to - from) * k) / (samples - 1));
    for (const { index } of model.bodies) {
      const [x, y, z] = worldPoint(now, index, [0, 0, 0]);
      reach.low = [Math.min(reach.low[0]!, x), Math.min(reach.low[1]!, y)];
      reach.high = [Math.max(reach.high[0]!, x), Math.max(reach.high[1]!, y)];
      const at = 7 * (k * model.bodies.length + index);
      poses[at] = x - origin[0]!;
      poses[at + 1] = y - origin[1]!;
      poses[at + 2] = z - origin[2]!;
      poses.set(quaternion(now, 12 * index), at + 3);
    }
  }
  const size = Math.max(
    1e-9,
    ...model.bodies.map(({ index }) => Math.hypot(...worldPoint(first, index, [0, 0, 0]).map((x, i) => x - origin[i]!))),
  );
  const meshOf = source.meshOf ?? (() => undefined);
  const shapes = model.bodies.map((body) => drawnShapes(body, meshOf, POINT_SIZE * size));
  const groups = shapes.map((own, i): ShapeGroup => ({ shapes: own, colour: lineColour(LIGHT, i % 6) }));
  const world = model.shapes.flatMap(shapeInstances).map((shape) => moved(shape, origin));
  const surfaces = new KnownSurfaces();
  const meshes = replayMeshes([...groups, { shapes: world, colour: ANCHOR }], size, meshOf, surfaces);
  const { gravity } = model;
  const g = gravity ? Math.hypot(...(gravity as readonly number[])) : 0;
  const ground = source.terrain && groundMesh(source.terrain, reach, origin);
  const up = g > 0 ? (gravity.map((x) => -(x as number) / g) as unknown as NumericVec3) : ([0, 0, 1] as const);
  const view = replayView(
    model,
    shapes.map((own) => own.flatMap(shapeInstances)),
    (part) => Float64Array.from(source.posesAt(from + (to - from) * part)),
    up,
    surfaces,
  );
  return {
    castorView: 1,
    title: source.title,
    ...{ from, to, samples },
    bodies: model.bodies.map(({ name }, i) => ({ name, meshes: meshes[i]! })),
    poses: packBytes(poses),
    ...(ground && { ground }),
    ...(world.length > 0 && { world: meshes.at(-1)! }),
    isInSpace: g === 0 && ground === undefined,
    up,
    view: { ...view, centre: view.centre.map((x, k) => x - origin[k]!) as unknown as NumericVec3 },
    plots,
  };
}

/** The shapes of a body that can be drawn, or else the solid with its inertia. */
function drawnShapes(body: Body, meshOf: (file: string) => MeshTriangles | undefined, pointSize: number): readonly BodyShape[] {
  const readable = body.shapes.filter((shape) => shape.kind !== "mesh" || meshOf(shape.file) !== undefined);
  if (readable.length > 0) return readable;
  const solid = equivalentShape(body, pointSize);
  return solid === undefined ? [] : [solid];
}

/** A shape of the world relative to the origin of the poses. */
const moved = (shape: BodyShape, origin: readonly number[]): BodyShape => ({
  ...shape,
  placement: { ...shape.placement, p: shape.placement.p.map((x, k) => x - origin[k]!) as unknown as NumericVec3 },
});

/** The ground around the paths of all bodies. */
function groundMesh(
  terrain: Terrain,
  { low, high }: { readonly low: readonly number[]; readonly high: readonly number[] },
  origin: readonly number[],
): ReplayMesh {
  const margin = 0.25 * Math.max(high[0]! - low[0]!, high[1]! - low[1]!) + 1;
  const at = (i: number, axis: 0 | 1): number =>
    low[axis]! - margin + ((high[axis]! - low[axis]! + 2 * margin) * i) / (GROUND_POINTS - 1);
  const out = new Float64Array(3);
  const point = (i: number, j: number): readonly number[] => {
    terrain.sample(at(i, 0), at(j, 1), out);
    return [at(i, 0) - origin[0]!, at(j, 1) - origin[1]!, out[0]! - origin[2]!];
  };
  const points = Array.from({ length: GROUND_POINTS ** 2 }, (_, n) => point(Math.floor(n / GROUND_POINTS), n % GROUND_POINTS));
  const triangles: number[] = [];
  for (let i = 1; i < GROUND_POINTS; i++)
    for (let j = 1; j < GROUND_POINTS; j++) {
      const b = i * GROUND_POINTS + j - 1;
      const [a, c, d] = [b - GROUND_POINTS, b + 1, b - GROUND_POINTS + 1];
      if ([a, b, c, d].every((n) => Number.isFinite(points[n]![2]))) triangles.push(a, b, c, a, c, d);
    }
  return packMesh([{ colour: "#c9bda8", points: points.flat().map((x) => (Number.isFinite(x) ? x : 0)), triangles }]);
}

/** Quaternion x, y, z, w of the rotation matrix at an offset, by its largest component. */
function quaternion(poses: Float64Array, o: number): readonly [number, number, number, number] {
  const m = (i: number, j: number): number => poses[o + 3 * i + j]!;
  const [xx, yy, zz] = [m(0, 0), m(1, 1), m(2, 2)];
  const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz];
  const k = squares.indexOf(Math.max(...squares));
  const r = Math.sqrt(squares[k]!) / 2;
  const s = 1 / (4 * r);
  if (k === 3) return [s * (m(2, 1) - m(1, 2)), s * (m(0, 2) - m(2, 0)), s * (m(1, 0) - m(0, 1)), r];
  if (k === 0) return [r, s * (m(0, 1) + m(1, 0)), s * (m(0, 2) + m(2, 0)), s * (m(2, 1) - m(1, 2))];
  if (k === 1) return [s * (m(0, 1) + m(1, 0)), r, s * (m(1, 2) + m(2, 1)), s * (m(0, 2) - m(2, 0))];
  return [s * (m(0, 2) + m(2, 0)), s * (m(1, 2) + m(2, 1)), r, s * (m(1, 0) - m(0, 1))];
}

export const packFloats = (values: Float32Array | Float64Array): string => packBytes(values);

/** A function that returns the poses at a time, from those at samples. */
export function posesAtTimes(times: Float64Array, posesAt: (sample: number) => Float64Array): (t: number) => Float64Array {
  let i = 0;
  return (t) => {
    if (t < times[i]!) i = 0;
    while (i < times.length - 2 && times[i + 1]! <= t) i++;
    const span = (times[i + 1] ?? times[i]!) - times[i]!;
    const part = span > 0 ? Math.min(1, Math.max(0, (t - times[i]!) / span)) : 0;
    return posesAt(part === 1 ? i + 1 : i + part);
  };
}
