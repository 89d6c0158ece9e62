/** How far shapes reach: what must be in sight for a shape to be seen whole, and what is within it. */
import type { BodyShape } from "castor";

type V3 = readonly [number, number, number];

/** A ball on a body: a point that is to be seen, and how far about it. */
export interface Corner {
  readonly p: V3;
  readonly r: number;
}

const SIGNS = [-0.5, 0.5] as const;
/** Places on a unit circle. */
const ROUND = Array.from({ length: 12 }, (_, k) => [Math.cos((Math.PI * k) / 6), Math.sin((Math.PI * k) / 6)] as const);

/** Balls that together reach as far as the shape; of a mesh, which is in a file, its place alone. */
export function cornersOf(shape: BodyShape): Corner[] {
  const at = (x: number, y: number, z: number, r = 0): Corner => ({ p: placed(shape, [x, y, z]), r });
  if (shape.kind === "box") {
    const [a, b, c] = shape.size;
    return SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z) => at(x * a, y * b, z * c))));
  }
  if (shape.kind === "sphere") return [at(0, 0, 0, shape.radius)];
  if (shape.kind === "capsule") return SIGNS.map((z) => at(0, 0, z * shape.length, shape.radius));
  if (shape.kind === "cylinder")
    return SIGNS.flatMap((z) => ROUND.map(([x, y]) => at(x * shape.radius, y * shape.radius, z * shape.length)));
  return [at(0, 0, 0)];
}

/** Of a ball about the middle of the shape. */
export function shapeRadius(shape: BodyShape): number {
  if (shape.kind === "box") return Math.hypot(...shape.size) / 2;
  if (shape.kind === "sphere") return shape.radius;
  if (shape.kind === "cylinder") return Math.hypot(shape.radius, shape.length / 2);
  return shape.kind === "capsule" ? shape.radius + shape.length / 2 : 0;
}

/** Whether a point of the body is within the shape, or within a part of its size about its middle. */
export function contains(shape: BodyShape, point: V3, part = 1): boolean {
  if (shape.kind === "mesh") return false;
  const { R, p } = shape.placement;
  const [x, y, z] = [0, 1, 2].map((k) =>
    [0, 1, 2].reduce((sum, i) => sum + R[i as 0]![k as 0] * (point[i as 0] - p[i as 0]), 0),
  ) as [number, number, number];
  const half = part / 2;
  if (shape.kind === "box") return [x, y, z].every((along, k) => Math.abs(along) < half * shape.size[k as 0]);
  const length = shape.kind === "sphere" ? 0 : shape.length;
  const beyond = shape.kind === "cylinder" ? 0 : Math.max(0, Math.abs(z) - half * length);
  const within = shape.kind !== "cylinder" || Math.abs(z) < half * length;
  return within && Math.hypot(x, y, beyond) < part * shape.radius;
}

function placed({ placement: { R, p } }: BodyShape, [x, y, z]: V3): V3 {
  return [0, 1, 2].map((i) => p[i as 0] + R[i as 0]![0] * x + R[i as 0]![1] * y + R[i as 0]![2] * z) as unknown as V3;
}
