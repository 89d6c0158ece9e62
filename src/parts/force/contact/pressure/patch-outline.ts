/**
 * Contact patches as pictures: the part of each face of the rigid solid that is inside of the elastic one, as triangles with the pressure at their
 * corners. Both solids are convex there, so a patch is convex: rays from an inner point find its outline. The inner point is the centre of pressure of
 * the face, from the points that the law integrates.
 */
import type { HalfSpace, Point3 } from "../../../../math/convex/polytope.ts";
import { arctangent } from "../../../../math/elementary/arctangent.ts";
import { sineAndCosine } from "../../../../math/elementary/sincos.ts";
import type { PatchFinder } from "./patch-finder.ts";
import { PatchStore, PER_FACE, PER_NODE } from "./patch-store.ts";
import { PlacedSolid, type RigidSource } from "./placed-solid.ts";
import { perpendicular } from "./pressure-cells.ts";
import type { PressureSolid } from "./solid.ts";

/** First rays of an outline, besides those to its corners, and rings of points between centre and outline. */
const RAYS = 36;
const RINGS = 5;
/** A side of an outline is divided, at most so often, where it is this share of its distance from the centre inside of the true outline. */
const FLAT = 0.01;
const MOST_DIVISIONS = 6;
/** Halvings of the part of a ray in which the outline lies. */
const HALVINGS = 40;
/** A face of the rigid solid is that of a set of points if normal and offset agree to this. */
const SAME_PLANE = 1e-7;

/** Triangles of patches, with pressures for a modulus of 1, in axes of the elastic solid's body. */
export interface PatchMesh {
  readonly points: number[];
  readonly pressures: number[];
  readonly triangles: number[];
}

export class PatchOutline {
  readonly #finder: PatchFinder;
  readonly #pressure: (x: number, y: number, z: number) => number;
  /** Planes of an elastic polytope, or of the ends of a cylinder: outlines have corners there. */
  readonly #planes: readonly HalfSpace[];
  /** True if the planes are the whole surface. */
  readonly #isFlat: boolean;
  readonly #rigid: PlacedSolid | undefined;
  readonly #store = new PatchStore();

  constructor(finder: PatchFinder, elastic: PressureSolid, rigid: RigidSource | undefined) {
    this.#finder = finder;
    this.#pressure = pressureOf(elastic, finder.depth);
    this.#isFlat = elastic.polytope !== undefined;
    this.#planes = elastic.polytope?.planes ?? endsOf(elastic);
    this.#rigid = rigid && new PlacedSolid(rigid);
  }

  /** The patch at a pose X as in patch-finder.ts; undefined if the solids do not touch. */
  meshAt(X: Float64Array): PatchMesh | undefined {
    const store = this.#store;
    store.clear();
    if (!(this.#finder.find(X, store) > 0)) return undefined;
    const mesh: PatchMesh = { points: [], pressures: [], triangles: [] };
    if (!this.#rigid?.place(X)) {
      this.#addDisc(mesh);
      return mesh;
    }
    const done = new Set<number>();
    let node = 0;
    for (let f = 0; f < store.faceCount; f++) {
      const end = store.faces[PER_FACE * f + 3]!;
      const centre = centreOf(store.nodes, node, end);
      node = end;
      const face = centre && this.#faceAt(store.faces, PER_FACE * f, centre);
      if (centre === undefined || face === undefined || done.has(face)) continue;
      done.add(face);
      this.#addFace(face, centre, mesh);
    }
    return mesh;
  }

  /** The face of the rigid solid with this normal that contains the point; undefined if there is none. */
  #faceAt(faces: Float64Array, at: number, [x, y, z]: Point3): number | undefined {
    const { faceCount, facePlanes: p } = this.#rigid!;
    for (let j = 0; j < faceCount; j++) {
      const turned = p[4 * j]! * faces[at]! + p[4 * j + 1]! * faces[at + 1]! + p[4 * j + 2]! * faces[at + 2]!;
      const height = p[4 * j]! * x + p[4 * j + 1]! * y + p[4 * j + 2]! * z - p[4 * j + 3]!;
      if (turned < 1 - SAME_PLANE || Math.abs(height) > SAME_PLANE * (1 + Math.abs(p[4 * j + 3]!))) continue;
      if (this.#sidesOf(j).every(({ normal, offset }) => dot(normal, [x, y, z]) <= offset + SAME_PLANE)) return j;
    }
    return undefined;
  }

  /** The sides of face j, as half-spaces at right angles to it. */
  #sidesOf(j: number): HalfSpace[] {
    const { corners: c, faceStart, faceCorners, facePlanes: p } = this.#rigid!;
    const [from, to] = [faceStart[j]!, faceStart[j + 1]!];
    const n: Point3 = [p[4 * j]!, p[4 * j + 1]!, p[4 * j + 2]!];
    const cornerAt = (i: number): Point3 => {
      const k = 3 * faceCorners[from + ((i - from) % (to - from))]!;
      return [c[k]!, c[k + 1]!, c[k + 2]!];
    };
    return Array.from({ length: to - from }, (_, i) => {
      const [a, b] = [cornerAt(from + i), cornerAt(from + i + 1)];
      const along: Point3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
      const out = cross(along, n);
      const length = Math.sqrt(dot(out, out));
      const normal: Point3 = [out[0] / length, out[1] / length, out[2] / length];
      return { normal, offset: dot(normal, a) };
    });
  }

  #addFace(j: number, centre: Point3, mesh: PatchMesh): void {
    const p = this.#rigid!.facePlanes;
    const n: Point3 = [p[4 * j]!, p[4 * j + 1]!, p[4 * j + 2]!];
    const limits = [...this.#sidesOf(j), ...this.#planes];
    const directions = [...circle(n), ...cornerDirections(n, centre, limits)].sort((a, b) => a.angle - b.angle);
    const corners = directions.map(({ d }) => times(this.#reach(centre, d, limits), d));
    const outline = corners.flatMap((corner, i) => [
      corner,
      ...this.#between(centre, corner, corners[(i + 1) % corners.length]!, limits, MOST_DIVISIONS),
    ]);
    this.#addRings(mesh, centre, outline);
  }

  /** Points of the outline between two of them, relative to the centre, so that the sides are close to it. */
  #between(c: Point3, a: Point3, b: Point3, limits: readonly HalfSpace[], divisions: number): Point3[] {
    const middle: Point3 = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
    const length = Math.sqrt(dot(middle, middle));
    if (divisions === 0 || length === 0) return [];
    const reach = this.#reach(c, times(1 / length, middle), limits);
    if (reach <= (1 + FLAT) * length) return [];
    const point = times(reach / length, middle);
    return [...this.#between(c, a, point, limits, divisions - 1), point, ...this.#between(c, point, b, limits, divisions - 1)];
  }

  /** Distance of the outline from an inner point along a direction. */
  #reach(c: Point3, d: Point3, limits: readonly HalfSpace[]): number {
    let far = Number.POSITIVE_INFINITY;
    for (const { normal, offset } of limits) {
      const rate = dot(normal, d);
      if (rate > 0) far = Math.min(far, Math.max(0, (offset - dot(normal, c)) / rate));
    }
    const pressureAt = (s: number): number => this.#pressure(c[0] + s * d[0], c[1] + s * d[1], c[2] + s * d[2]);
    if (this.#isFlat || pressureAt(far) > 0) return far;
    let near = 0;
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (near + far) / 2;
      if (pressureAt(middle) > 0) near = middle;
      else far = middle;
    }
    return near;
  }

  /** Rings of points from the centre to the outline, given relative to the centre, with their pressures. */
  #addRings({ points, pressures, triangles }: PatchMesh, c: Point3, outline: readonly Point3[]): void {
    const first = pressures.length;
    const count = outline.length;
    const add = (x: number, y: number, z: number): void => {
      points.push(x, y, z);
      pressures.push(Math.max(0, this.#pressure(x, y, z)));
    };
    add(...c);
    for (let ring = 1; ring <= RINGS; ring++)
      for (const [x, y, z] of outline) add(c[0] + (ring / RINGS) * x, c[1] + (ring / RINGS) * y, c[2] + (ring / RINGS) * z);
    for (let i = 0; i < count; i++) {
      const next = (i + 1) % count;
      triangles.push(first, first + 1 + i, first + 1 + next);
      for (let ring = 1; ring < RINGS; ring++) {
        const [inner, outer] = [first + 1 + (ring - 1) * count, first + 1 + ring * count];
        triangles.push(inner + i, outer + i, outer + next, inner + i, outer + next, inner + next);
      }
    }
  }

  /** Two round solids: a disc of the area of the patch about its centre of pressure. */
  #addDisc(mesh: PatchMesh): void {
    const { nodes, nodeCount, faces, area } = this.#store;
    const centre = centreOf(nodes, 0, nodeCount);
    if (centre === undefined) return;
    const radius = Math.sqrt(area / Math.PI);
    const outline = circle([faces[0]!, faces[1]!, faces[2]!]).map(
      ({ d }): Point3 => [radius * d[0], radius * d[1], radius * d[2]],
    );
    this.#addRings(mesh, centre, outline);
  }
}

/** The pressure inside of an elastic solid for a modulus of 1 (see polytope-pressure.ts and round-pressure.ts); not positive outside. */
function pressureOf({ polytope, round }: PressureSolid, depth: number): (x: number, y: number, z: number) => number {
  if (polytope)
    return (x, y, z) => {
      let h = Number.POSITIVE_INFINITY;
      for (const { normal, offset } of polytope.planes) h = Math.min(h, offset - dot(normal, [x, y, z]));
      return h / depth;
    };
  const { radius, half, ends, place } = round!;
  const { at, R } = place;
  return (x, y, z) => {
    const [a, b, c] = [0, 1, 2].map(
      (i) => R[0]![i]! * (x - at[0]) + R[1]![i]! * (y - at[1]) + R[2]![i]! * (z - at[2]),
    ) as unknown as Point3;
    const across = (a * a + b * b) / (radius * radius);
    if (ends === "flat") return across < 1 && Math.abs(c) < half ? ((1 - across) * (1 - (c * c) / (half * half))) / 2 : -1;
    const beyond = Math.max(0, Math.abs(c) - half) / radius;
    return (1 - across - beyond * beyond) / 2;
  };
}

interface Direction {
  readonly d: Point3;
  readonly angle: number;
}

/** Unit vectors all around a normal. */
function circle(n: Point3): Direction[] {
  const e = perpendicular(n);
  const f = cross(n, e);
  const sincos = new Float64Array(2);
  return Array.from({ length: RAYS }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / RAYS - Math.PI;
    sineAndCosine(angle, sincos);
    const [s, c] = sincos as unknown as [number, number];
    return { angle, d: [c * e[0] + s * f[0], c * e[1] + s * f[1], c * e[2] + s * f[2]] };
  });
}

/** Directions in the plane with normal n from the centre to the corners of a polygon, which is given by half-spaces. */
function cornerDirections(n: Point3, c: Point3, limits: readonly HalfSpace[]): Direction[] {
  const e = perpendicular(n);
  const f = cross(n, e);
  // Each half-space as a u + b v <= h in the plane.
  const lines = limits.map(({ normal, offset }) => ({ a: dot(normal, e), b: dot(normal, f), h: offset - dot(normal, c) }));
  const size = Math.max(...lines.map(({ h }) => Math.abs(h)));
  return lines.flatMap((p, i) =>
    lines.slice(i + 1).flatMap((q) => {
      const det = p.a * q.b - p.b * q.a;
      if (Math.abs(det) < 1e-9) return [];
      const [u, v] = [(p.h * q.b - q.h * p.b) / det, (p.a * q.h - q.a * p.h) / det];
      const length = Math.sqrt(u * u + v * v);
      if (length === 0 || lines.some(({ a, b, h }) => a * u + b * v > h + SAME_PLANE * size)) return [];
      const d: Point3 = [(u * e[0] + v * f[0]) / length, (u * e[1] + v * f[1]) / length, (u * e[2] + v * f[2]) / length];
      return [{ d, angle: arctangent(v, u) }];
    }),
  );
}

/** Mean of the points from..to of a store, by their weights; undefined without weight. */
function centreOf(nodes: Float64Array, from: number, to: number): Point3 | undefined {
  let [x, y, z, sum] = [0, 0, 0, 0];
  for (let i = PER_NODE * from; i < PER_NODE * to; i += PER_NODE) {
    const weight = nodes[i + 3]!;
    x += weight * nodes[i]!;
    y += weight * nodes[i + 1]!;
    z += weight * nodes[i + 2]!;
    sum += weight;
  }
  return sum > 0 ? [x / sum, y / sum, z / sum] : undefined;
}

/** The planes at the ends of a cylinder; none for other solids. */
function endsOf({ round }: PressureSolid): HalfSpace[] {
  if (round?.ends !== "flat") return [];
  const { at, R } = round.place;
  return [1, -1].map((side) => {
    const normal: Point3 = [side * R[0]![2]!, side * R[1]![2]!, side * R[2]![2]!];
    return { normal, offset: dot(normal, at) + round.half };
  });
}

const times = (s: number, [x, y, z]: Point3): Point3 => [s * x, s * y, s * z];
const dot = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point3, b: Point3): Point3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
