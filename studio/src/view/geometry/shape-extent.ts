/** Extent of shapes: spheres that cover a shape, points inside a shape, rays that hit a shape. */
import { type BodyShape, type NumericVec3, shapeBounds, shapeSurface } from "castor/model";

/** A sphere on a body: centre p and radius r. */
export interface ShapeSphere {
  readonly p: NumericVec3;
  readonly r: number;
}

const SIGNS = [-0.5, 0.5] as const;
/** Points on the unit circle. */
const UNIT_CIRCLE = Array.from({ length: 12 }, (_, k) => [Math.cos((Math.PI * k) / 6), Math.sin((Math.PI * k) / 6)] as const);

/** Spheres with the same extent as the shape. For a shape that is no simple solid, the corners of a box around it. */
export function shapeSpheres(shape: BodyShape): ShapeSphere[] {
  const sphereAt = (x: number, y: number, z: number, r = 0): ShapeSphere => ({ p: fromShapeFrame(shape, [x, y, z]), r });
  if (shape.kind === "box") {
    const [a, b, c] = shape.size;
    return SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z) => sphereAt(x * a, y * b, z * c))));
  }
  if (shape.kind === "sphere") return [sphereAt(0, 0, 0, shape.radius)];
  if (shape.kind === "ellipsoid")
    return [0, 1, 2].flatMap((k) =>
      SIGNS.map((side) => sphereAt(...([0, 1, 2].map((i) => (i === k ? side * shape.size[i]! : 0)) as [number, number, number]))),
    );
  if (shape.kind === "capsule") return SIGNS.map((z) => sphereAt(0, 0, z * shape.length, shape.radius));
  if (shape.kind === "cylinder")
    return SIGNS.flatMap((z) => UNIT_CIRCLE.map(([x, y]) => sphereAt(x * shape.radius, y * shape.radius, z * shape.length)));
  const corners = [boundsOf(shape).low, boundsOf(shape).high] as const;
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => sphereAt(corners[i & 1]![0], corners[(i >> 1) & 1]![1], corners[i >> 2]![2]));
}

const knownBounds = new WeakMap<BodyShape, ReturnType<typeof shapeBounds>>();

export function boundsOf(shape: BodyShape): ReturnType<typeof shapeBounds> {
  let bounds = knownBounds.get(shape);
  if (bounds === undefined) {
    bounds = shapeBounds(shape);
    knownBounds.set(shape, bounds);
  }
  return bounds;
}

const coarseSurfaces = new WeakMap<BodyShape, ReturnType<typeof shapeSurface>>();

/** The same for a shape that may be hollow, by the triangles of a coarse surface. */
function rayHitsSurface(shape: BodyShape, o: NumericVec3, d: NumericVec3): boolean {
  if (!rayHitsBounds(boundsOf(shape), o, d)) return false;
  const parts = coarseSurfaces.get(shape) ?? shapeSurface(shape, 12);
  coarseSurfaces.set(shape, parts);
  return parts.some(({ positions, triangles }) => {
    for (let k = 0; k < triangles.length; k += 3) {
      for (let corner = 0; corner < 3; corner++)
        for (let i = 0; i < 3; i++) CORNERS[corner]![i as 0] = positions[3 * triangles[k + corner]! + i]! - o[i as 0];
      const [a, b, c] = CORNERS;
      const [u, v, w] = [triple(d, a, b), triple(d, b, c), triple(d, c, a)];
      const side = u + v + w;
      if (side === 0 || u * side < 0 || v * side < 0 || w * side < 0) continue;
      if (triple(a, b, c) * side > 0) return true; // the point of the plane is ahead
    }
    return false;
  });
}

/** Corners of a triangle, used again for each. */
const CORNERS: [[number, number, number], [number, number, number], [number, number, number]] = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

/** True if the ray passes through the box. */
function rayHitsBounds({ low, high }: ReturnType<typeof shapeBounds>, o: NumericVec3, d: NumericVec3): boolean {
  let [first, last] = [0, 1 / 0];
  for (const k of [0, 1, 2] as const) {
    if (d[k] === 0) {
      if (o[k] < low[k] || o[k] > high[k]) return false;
      continue;
    }
    const [a, b] = [(low[k] - o[k]) / d[k], (high[k] - o[k]) / d[k]];
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first <= last;
}

/** a . (b x c) */
const triple = (a: NumericVec3, b: NumericVec3, c: NumericVec3): number =>
  a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);

type SolidShape = Extract<BodyShape, { readonly kind: "box" | "sphere" | "ellipsoid" | "cylinder" | "capsule" }>;

/** True for solids. A shape of another kind may be hollow, so it is taken to contain nothing. */
export const isSolid = (shape: BodyShape): shape is SolidShape =>
  ["box", "sphere", "ellipsoid", "cylinder", "capsule"].includes(shape.kind);

/** Radius of a sphere around the middle of the shape. */
export function shapeRadius(shape: BodyShape): number {
  if (shape.kind === "box") return Math.hypot(...shape.size) / 2;
  if (shape.kind === "ellipsoid") return Math.max(...shape.size) / 2;
  if (shape.kind === "sphere") return shape.radius;
  if (shape.kind === "cylinder") return Math.hypot(shape.radius, shape.length / 2);
  if (shape.kind === "capsule") return shape.radius + shape.length / 2;
  const { low, high } = boundsOf(shape);
  return Math.hypot(...low.map((x, k) => high[k as 0] - x)) / 2;
}

/** Middle of a shape on its body. The middle of a bar or a prism need not be the origin of its frame. */
export function shapeCentre(shape: BodyShape): NumericVec3 {
  if (isSolid(shape) || shape.kind === "mesh") return shape.placement.p;
  const { low, high } = boundsOf(shape);
  return fromShapeFrame(shape, low.map((x, k) => (x + high[k as 0]) / 2) as unknown as NumericVec3);
}

/** True if a point of the body is inside the shape scaled by `scale` about its middle. */
export function shapeContains(shape: BodyShape, point: NumericVec3, scale = 1): boolean {
  if (!isSolid(shape)) return false;
  const [x, y, z] = toShapeFrame(shape, point);
  const half = scale / 2;
  if (shape.kind === "box") return [x, y, z].every((along, k) => Math.abs(along) < half * shape.size[k as 0]);
  if (shape.kind === "ellipsoid") return Math.hypot(...[x, y, z].map((along, k) => along / shape.size[k as 0])) < half;
  const length = shape.kind === "sphere" ? 0 : shape.length;
  const beyond = shape.kind === "cylinder" ? 0 : Math.max(0, Math.abs(z) - half * length);
  const isBetween = shape.kind !== "cylinder" || Math.abs(z) < half * length;
  return isBetween && Math.hypot(x, y, beyond) < scale * shape.radius;
}

/** True if the ray from o in direction d hits the shape. Both are in the frame of the shape. */
export function rayHitsShape(shape: BodyShape, o: NumericVec3, d: NumericVec3): boolean {
  if (!isSolid(shape)) return shape.kind !== "mesh" && rayHitsSurface(shape, o, d);
  const ray = new Ray(o, d);
  if (shape.kind === "box")
    return ray
      .slab(0, shape.size[0] / 2)
      .slab(1, shape.size[1] / 2)
      .slab(2, shape.size[2] / 2).isInside;
  if (shape.kind === "sphere") return ray.ball(0, shape.radius, 1).isInside;
  if (shape.kind === "ellipsoid") {
    const stretched = (v: NumericVec3): NumericVec3 => v.map((c, k) => c / shape.size[k as 0]) as unknown as NumericVec3;
    return new Ray(stretched(o), stretched(d)).ball(0, 0.5, 1).isInside;
  }
  const half = shape.length / 2;
  if (ray.slab(2, half).ball(0, shape.radius, 0).isInside) return true;
  const isInBall = (z: number): boolean => new Ray(o, d).ball(z, shape.radius, 1).isInside;
  return shape.kind === "capsule" && (isInBall(half) || isInBall(-half));
}

/** The part of a ray o + t d, t >= 0, that is inside of several convex regions. Each method intersects it with one more region. */
class Ray {
  readonly #o: NumericVec3;
  readonly #d: NumericVec3;
  #first = 0;
  #last = 1 / 0;

  constructor(o: NumericVec3, d: NumericVec3) {
    this.#o = o;
    this.#d = d;
  }

  get isInside(): boolean {
    return this.#first < this.#last;
  }

  /** Intersects with the region between two planes normal to an axis. */
  slab(axis: 0 | 1 | 2, half: number): this {
    const [o, d] = [this.#o[axis], this.#d[axis]];
    if (d === 0) return Math.abs(o) < half ? this : this.#cut(1, 0);
    return this.#cut((-half * Math.sign(d) - o) / d, (half * Math.sign(d) - o) / d);
  }

  /** Intersects with a sphere centred on the z axis, t² d.d + 2 t o.d + o.o < r²; with z = 0, with a cylinder about the z axis. */
  ball(middle: number, radius: number, z: 0 | 1): this {
    const [o, d] = [this.#o, this.#d];
    const oz = z * (o[2] - middle);
    const dd = d[0] * d[0] + d[1] * d[1] + z * d[2] * d[2];
    const od = o[0] * d[0] + o[1] * d[1] + oz * d[2];
    const oo = o[0] * o[0] + o[1] * o[1] + oz * oz - radius * radius;
    const discriminant = od * od - dd * oo;
    if (dd === 0) return oo < 0 ? this : this.#cut(1, 0);
    if (discriminant <= 0) return this.#cut(1, 0);
    const root = Math.sqrt(discriminant);
    return this.#cut((-od - root) / dd, (-od + root) / dd);
  }

  #cut(first: number, last: number): this {
    if (first > this.#first) this.#first = first;
    if (last < this.#last) this.#last = last;
    return this;
  }
}

/** A point of the body in the frame of the shape. */
export function toShapeFrame({ placement: { R, p } }: BodyShape, point: NumericVec3): NumericVec3 {
  const [x, y, z] = [point[0] - p[0], point[1] - p[1], point[2] - p[2]];
  const [a, b, c] = R as readonly [NumericVec3, NumericVec3, NumericVec3];
  return [a[0] * x + b[0] * y + c[0] * z, a[1] * x + b[1] * y + c[1] * z, a[2] * x + b[2] * y + c[2] * z];
}

function fromShapeFrame({ placement: { R, p } }: BodyShape, [x, y, z]: NumericVec3): NumericVec3 {
  return [0, 1, 2].map((i) => p[i as 0] + R[i as 0]![0] * x + R[i as 0]![1] * y + R[i as 0]![2] * z) as unknown as NumericVec3;
}
