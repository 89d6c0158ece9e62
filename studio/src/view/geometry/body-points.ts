/** Points and directions of bodies: conversions between body and world, and the points of a body that matter for the view. */
import type { Body, Model } from "castor";
import type { NumericVec3 } from "castor/model";
import { POSE_SIZE } from "../motion/run-motion.ts";

/** World coordinates of the point p of a body. */
export function bodyPointToWorld(poses: Float64Array, body: number, p: NumericVec3): [number, number, number] {
  if (body < 0) return [p[0], p[1], p[2]];
  const offset = POSE_SIZE * body;
  const row = (i: number): number =>
    poses[offset + 9 + i]! +
    poses[offset + 3 * i]! * p[0] +
    poses[offset + 3 * i + 1]! * p[1] +
    poses[offset + 3 * i + 2]! * p[2];
  return [row(0), row(1), row(2)];
}

/** Body coordinates of the point p of the world: the inverse of `bodyPointToWorld`. */
export function worldPointToBody(poses: Float64Array, body: number, p: NumericVec3): NumericVec3 {
  const offset = POSE_SIZE * body;
  const [x, y, z] = [p[0] - poses[offset + 9]!, p[1] - poses[offset + 10]!, p[2] - poses[offset + 11]!];
  const column = (k: number): number => poses[offset + k]! * x + poses[offset + 3 + k]! * y + poses[offset + 6 + k]! * z;
  return [column(0), column(1), column(2)];
}

/** World components of the direction d of a body. */
export function bodyDirectionToWorld(poses: Float64Array, body: number, d: NumericVec3): [number, number, number] {
  if (body < 0) return [d[0], d[1], d[2]];
  const offset = POSE_SIZE * body;
  const row = (i: number): number =>
    poses[offset + 3 * i]! * d[0] + poses[offset + 3 * i + 1]! * d[1] + poses[offset + 3 * i + 2]! * d[2];
  return [row(0), row(1), row(2)];
}

/** Points of a body that must be visible: its hinge, the hinges of its children, loops, frames, and its mass centre if it has no shapes. */
export function bodyPoints(model: Model, body: Body): NumericVec3[] {
  return [
    body.hinge.onBody.p,
    ...(body.shapes.length > 0 ? [] : [body.com]), // the mass centre may be far from the drawn shapes, e.g. for a vehicle whose nose alone is drawn
    ...jointPoints(model, body),
    ...framePoints(model, body),
  ];
}

export const framePoints = (model: Model, { index }: Body): NumericVec3[] =>
  model.frames.filter((f) => f.body === index).map((f) => f.placement.p);

/** Points where a body is joined to others: its hinge unless it is free, the hinges of its children, and loops. */
export function jointPoints(model: Model, body: Body): NumericVec3[] {
  return [
    ...(body.hinge.kind === "free" || body.parent < 0 ? [] : [body.hinge.onBody.p]),
    ...model.bodies.filter((b) => b.parent === body.index).map((b) => b.hinge.onParent.p),
    ...model.loops.flatMap((loop) =>
      loop.type === "frames" ? [loop.from, loop.to].filter((end) => end.body === body.index).map((end) => end.placement.p) : [],
    ),
  ];
}

/** R v */
export const rotateVector = (R: readonly (readonly number[])[], v: NumericVec3): NumericVec3 =>
  R.map((row) => row[0]! * v[0] + row[1]! * v[1] + row[2]! * v[2]) as unknown as NumericVec3;
