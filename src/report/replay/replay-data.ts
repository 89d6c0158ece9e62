/** The motion of a run as plain data for the player: triangles of the bodies, poses at equal times, and curves. Runs in every engine. */

import type { Terrain } from "../../ground/terrain.ts";
import { equivalentShape } from "../../model/equivalent-shape.ts";
import type { Body, Model } from "../../model/model.ts";
import { LIGHT, lineColour } from "../palette.ts";
import { worldPoint } from "../pictures/recorded-poses.ts";
import { type MeshTriangles, type Polygon, shapeFaces } from "../pictures/shape-faces.ts";
import type { ReplayData, ReplayMesh, ReplayPlot } from "./replay-format.ts";

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
/** Most triangles of all meshes; of larger ones every k-th is drawn. */
const MAX_TRIANGLES = 6_000;
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
      for (const [i, value] of [x, y].entries()) {
        reach.low[i] = Math.min(reach.low[i]!, value);
        reach.high[i] = Math.max(reach.high[i]!, value);
      }
      poses.set(
        [x - origin[0]!, y - origin[1]!, z - origin[2]!, ...quaternion(now, 12 * index)],
        7 * (k * model.bodies.length + index),
      );
    }
  }
  const size = Math.max(
    1e-9,
    ...model.bodies.map(({ index }) => Math.hypot(...worldPoint(first, index, [0, 0, 0]).map((x, i) => x - origin[i]!))),
  );
  const parts = model.bodies.map((body) => facesOf(body, source, POINT_SIZE * size));
  const triangles = parts.flat().reduce((sum, { faces }) => sum + faces.reduce((n, face) => n + face.length - 2, 0), 0);
  const stride = Math.ceil(triangles / MAX_TRIANGLES);
  const { gravity } = model;
  const g = gravity ? Math.hypot(...(gravity as readonly number[])) : 0;
  const ground = source.terrain && groundMesh(source.terrain, reach, origin);
  return {
    castorView: 1,
    title: source.title,
    ...{ from, to, samples },
    bodies: model.bodies.map(({ name }, i) => ({
      name,
      meshes: parts[i]!.map(({ colour, faces }) => ({ colour, corners: packFloats(corners(faces, stride)) })),
    })),
    poses: packFloats(poses),
    ...(ground && { ground }),
    up: g > 0 ? (gravity.map((x) => -(x as number) / g) as unknown as [number, number, number]) : [0, 0, 1],
    plots,
  };
}

interface ColouredFaces {
  readonly colour: string;
  readonly faces: readonly Polygon[];
}

function facesOf(body: Body, { meshOf = () => undefined }: ReplaySource, pointSize: number): readonly ColouredFaces[] {
  const readable = body.shapes.filter((shape) => shape.kind !== "mesh" || meshOf(shape.file) !== undefined);
  const substitute = readable.length > 0 ? undefined : equivalentShape(body, pointSize);
  const shapes = substitute === undefined ? readable : [substitute];
  return shapes.map((shape) => ({ colour: shape.colour ?? lineColour(LIGHT, body.index % 6), faces: shapeFaces(shape, meshOf) }));
}

/** Corners of all triangles; with a stride, of every k-th face only. */
function corners(faces: readonly Polygon[], stride: number): Float32Array {
  const values: number[] = [];
  for (const [i, face] of faces.entries()) {
    if (stride > 1 && faces.length > 60 && i % stride !== 0) continue;
    for (let k = 2; k < face.length; k++) values.push(...face[0]!, ...face[k - 1]!, ...face[k]!);
  }
  return Float32Array.from(values);
}

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
  const values: number[] = [];
  for (let i = 1; i < GROUND_POINTS; i++)
    for (let j = 1; j < GROUND_POINTS; j++) {
      const [a, b, c, d] = [point(i - 1, j - 1), point(i, j - 1), point(i, j), point(i - 1, j)];
      if ([a, b, c, d].every((p) => Number.isFinite(p![2]))) values.push(...a!, ...b!, ...c!, ...a!, ...c!, ...d!);
    }
  return { colour: "#c9bda8", corners: packFloats(Float32Array.from(values)) };
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

export const packFloats = (values: Float32Array | Float64Array): string => {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
};

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
