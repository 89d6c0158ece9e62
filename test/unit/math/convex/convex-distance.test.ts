/** Distances of convex bodies against closed forms and against minimisation by brute force. */
import { describe, expect, it } from "vitest";
import { type ConvexBody, frustumBody, hullBody } from "../../../../src/math/convex/convex-body.ts";
import { ConvexDistance } from "../../../../src/math/convex/convex-distance.ts";
import { convexHull } from "../../../../src/math/convex/convex-hull.ts";
import { boxPolytope, type Point3, type Polytope } from "../../../../src/math/convex/polytope.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

type V3 = [number, number, number];
const dot = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point3, b: Point3): V3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point3, b: Point3): V3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const along = (a: Point3, s: number, b: Point3): V3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const norm = (a: Point3): number => Math.hypot(...a);

type Rotation = readonly [V3, V3, V3];
/** A random rotation, by orthonormal rows. */
function randomRotation(next: () => number): Rotation {
  const draw = (): V3 => [next() - 0.5, next() - 0.5, next() - 0.5];
  const unit = (v: V3): V3 => along([0, 0, 0], 1 / norm(v), v);
  const x = unit(draw());
  const d = draw();
  const y = unit(along(d, -dot(x, d), x));
  return [x, y, cross(x, y)];
}
const poseNumbers = (R: Rotation, p: Point3): Float64Array => Float64Array.from([...R.flat(), ...p]);
const IDENTITY: Rotation = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const moved = (R: Rotation, p: Point3, c: Point3): V3 => [dot(R[0], c) + p[0], dot(R[1], c) + p[1], dot(R[2], c) + p[2]];

const gjk = new ConvexDistance();
const distance = (a: ConvexBody, b: ConvexBody, p: Point3 = [0, 0, 0], R: Rotation = IDENTITY): number =>
  gjk.distance(a, b, poseNumbers(R, p));

/** Distance of a point from a triangle, by regions. */
function pointTriangle(p: Point3, a: Point3, b: Point3, c: Point3): number {
  const n = cross(minus(b, a), minus(c, a));
  const isIn = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([u, v]) => dot(cross(minus(v!, u!), minus(p, u!)), n) >= 0);
  if (isIn) return Math.abs(dot(minus(p, a), n)) / norm(n);
  return Math.min(segmentSegment(p, p, a, b), segmentSegment(p, p, b, c), segmentSegment(p, p, c, a));
}

/** Distance of two segments: the least of the inner solution and the four ends against the other segment. */
function segmentSegment(p: Point3, q: Point3, r: Point3, s: Point3): number {
  const pointSegment = (x: Point3, u: Point3, v: Point3): number => {
    const d = minus(v, u);
    const t = dot(d, d) === 0 ? 0 : Math.min(1, Math.max(0, dot(minus(x, u), d) / dot(d, d)));
    return norm(minus(x, along(u, t, d)));
  };
  let best = Math.min(pointSegment(p, r, s), pointSegment(q, r, s), pointSegment(r, p, q), pointSegment(s, p, q));
  const [d, e, f] = [minus(q, p), minus(s, r), minus(p, r)];
  const determinant = dot(d, d) * dot(e, e) - dot(d, e) * dot(d, e);
  if (determinant > 1e-12 * dot(d, d) * dot(e, e)) {
    const t = (dot(d, e) * dot(e, f) - dot(e, e) * dot(d, f)) / determinant;
    const u = (dot(d, d) * dot(e, f) - dot(d, e) * dot(d, f)) / determinant;
    if (t > 0 && t < 1 && u > 0 && u < 1) best = Math.min(best, norm(minus(along(p, t, d), along(r, u, e))));
  }
  return best;
}

/** Distance of polytopes that are apart: all corners against all faces and all edges against all edges. */
function bruteForce(a: Polytope, b: Polytope): number {
  let best = Number.POSITIVE_INFINITY;
  const trianglesOf = ({ corners, faces }: Polytope) =>
    faces.flatMap((face) => face.slice(2).map((c, k) => [corners[face[0]!]!, corners[face[k + 1]!]!, corners[c]!] as const));
  const edgesOf = ({ corners, faces }: Polytope) =>
    faces.flatMap((face) =>
      face.flatMap((c, k) => {
        const d = face[(k + 1) % face.length]!;
        return c < d ? [[corners[c]!, corners[d]!] as const] : [];
      }),
    );
  for (const [u, v] of [
    [a, b],
    [b, a],
  ])
    for (const p of u!.corners) for (const [x, y, z] of trianglesOf(v!)) best = Math.min(best, pointTriangle(p, x, y, z));
  for (const [p, q] of edgesOf(a)) for (const [r, s] of edgesOf(b)) best = Math.min(best, segmentSegment(p, q, r, s));
  return best;
}

const sphere = (radius: number): ConvexBody => hullBody([[0, 0, 0]], radius);
const box = (x: number, y: number, z: number): ConvexBody => hullBody(boxPolytope([x, y, z]).corners);
const cylinder = (radius: number, length: number): ConvexBody =>
  frustumBody({ at: [0, 0, -length / 2], axis: [0, 0, 1], length, first: radius, second: radius });

describe("ConvexDistance", () => {
  it("is |p| - r - s of two spheres, also negative, far away and at the same centre", () => {
    for (const p of [
      [3, 4, 0],
      [0.3, 0, 0.4],
      [0, 0, 0],
      [3e8, 4e8, 0],
    ] as V3[])
      expect(distance(sphere(1), sphere(0.5), p)).toBe(norm(p) - 1.5);
  });

  it("is the distance of two segments less the radii of capsules", () => {
    const next = uniform(5);
    const draw = (): V3 => [2 * next() - 1, 2 * next() - 1, 2 * next() - 1];
    for (let k = 0; k < 3000; k++) {
      const [p, q, r, s] = [draw(), draw(), draw(), draw()];
      const d = distance(hullBody([p, q], 0.1), hullBody([r, s], 0.2));
      expect(Math.abs(d + 0.3 - segmentSegment(p, q, r, s))).toBeLessThan(4e-15);
    }
  });

  it("is the distance of two boxes of parallel axes, with nearest points and normal", () => {
    const next = uniform(6);
    for (let k = 0; k < 1000; k++) {
      const p: V3 = [6 * next() - 3, 6 * next() - 3, 6 * next() - 3];
      const gaps = [1.3, 0.7, 0.9].map((reach, i) => Math.max(0, Math.abs(p[i]!) - reach)) as V3;
      const d = distance(box(1, 0.5, 0.4), box(0.3, 0.2, 0.5), p);
      expect(Math.abs(d - norm(gaps))).toBeLessThan(2e-15);
      if (norm(gaps) === 0) continue;
      const between = minus(gjk.nearestA as never, gjk.nearestB as never);
      for (let i = 0; i < 3; i++) {
        expect(Math.abs(Math.abs(between[i]!) - gaps[i]!)).toBeLessThan(2e-15);
        expect(Math.abs(gjk.normal[i]! * d - between[i]!)).toBeLessThan(4e-15);
      }
    }
  });

  it("is that of all features of random polytopes, at all scales of the gap and far from the origin", () => {
    const next = uniform(7);
    let steps = 0;
    for (let k = 0; k < 150; k++) {
      const cloud = (n: number) => Array.from({ length: n }, (): V3 => [next() - 0.5, next() - 0.5, next() - 0.5]);
      const [a, b] = [
        convexHull(cloud(6 + (k % 20))),
        convexHull(k % 3 === 0 ? boxPolytope([0.3, 0.4, 0.5]).corners : cloud(12)),
      ];
      const R = randomRotation(next);
      const n = randomRotation(next)[0];
      const place = (p: Point3): Polytope => ({ ...a, corners: a.corners.map((c) => moved(R, p, c)) });
      // The pose at which the bodies are 1 apart in the direction n, moved towards each other to a small gap.
      const far = along([0, 0, 0], 4, n);
      distance(hullBody(a.corners), hullBody(b.corners), far, R);
      const apart = minus(gjk.nearestA as never, gjk.nearestB as never);
      const gap = 10 ** -(k % 10);
      const p = along(far, -(1 - gap / norm(apart)), apart);
      const d = distance(hullBody(a.corners), hullBody(b.corners), p, R);
      steps = Math.max(steps, gjk.steps);
      expect(Math.abs(d - bruteForce(place(p), b))).toBeLessThan(2e-15);
      expect(d).toBeLessThanOrEqual(gap + 1e-15);
      const shift: V3 = [1e5, 2e5, -3e5];
      const away = hullBody(a.corners.map((c) => along(c, 1, shift)));
      const back = minus(p, moved(R, [0, 0, 0], shift));
      expect(Math.abs(distance(away, hullBody(b.corners), back, R) - d)).toBeLessThan(2e-10);
    }
    expect(steps).toBeLessThan(25);
  });

  it("has closed forms for cylinders, discs and cones", () => {
    const next = uniform(8);
    const disc = frustumBody({ at: [0, 0, 0], axis: [0, 0, 1], length: 0, first: 0.7, second: 0.7 });
    const cone = frustumBody({ at: [0, 0, 0], axis: [0, 0, 1], length: 1, first: 0.5, second: 0 });
    let steps = 0;
    for (let k = 0; k < 2000; k++) {
      const p: V3 = [4 * next() - 2, 4 * next() - 2, 4 * next() - 2];
      const r = Math.hypot(p[0], p[1]);
      const R = randomRotation(next);
      const point = hullBody([[0, 0, 0]]);
      const fromCylinder = Math.hypot(Math.max(0, r - 0.5), Math.max(0, Math.abs(p[2]) - 0.4));
      expect(Math.abs(distance(point, cylinder(0.5, 0.8), p, R) - fromCylinder)).toBeLessThan(4e-15);
      steps = Math.max(steps, gjk.steps);
      expect(Math.abs(distance(point, disc, p, R) - Math.hypot(Math.max(0, r - 0.7), p[2]))).toBeLessThan(4e-15);
      // The profile of the cone is a triangle in the half-plane of the point.
      const inProfile = p[2] > 0 && p[2] < 1 && r < 0.5 * (1 - p[2]);
      const fromCone = inProfile
        ? 0
        : Math.min(
            segmentSegment([r, 0, p[2]], [r, 0, p[2]], [0, 0, 0], [0.5, 0, 0]),
            segmentSegment([r, 0, p[2]], [r, 0, p[2]], [0.5, 0, 0], [0, 0, 1]),
          );
      expect(Math.abs(distance(point, cone, p, R) - fromCone)).toBeLessThan(4e-15);
    }
    expect(steps).toBeLessThan(60);
    // Crossed cylinders, parallel cylinders, coaxial cylinders, and a cylinder that stands with its rim over another.
    const a = cylinder(0.5, 3);
    const crossed: Rotation = [
      [1, 0, 0],
      [0, 0, -1],
      [0, 1, 0],
    ];
    expect(distance(a, a, [1.7, 0.2, -0.3], crossed)).toBeCloseTo(0.7, 15);
    expect(distance(a, a, [1.2, 0.5, -0.3])).toBeCloseTo(Math.hypot(1.2, 0.5) - 1, 15);
    expect(distance(a, a, [0.2, 0.3, 4])).toBeCloseTo(1, 15);
    const tilt = 0.3;
    const tilted: Rotation = [
      [Math.cos(tilt), 0, Math.sin(tilt)],
      [0, 1, 0],
      [-Math.sin(tilt), 0, Math.cos(tilt)],
    ];
    expect(distance(a, box(5, 5, 0.5), [0, 0, 4], tilted)).toBeCloseTo(3.5 - 1.5 * Math.cos(tilt) - 0.5 * Math.sin(tilt), 14);
  });

  it("of two tilted cylinders is that of minimisation over points of their surfaces", () => {
    const next = uniform(9);
    let [worst, steps, loose] = [0, 0, 0];
    for (let k = 0; k < 300; k++) {
      const R = randomRotation(next);
      const n = randomRotation(next)[1];
      const p = along([0, 0, 0], 1.5 + next(), n);
      const d = distance(cylinder(0.5, 0.8), cylinder(0.3, 1.1), p, R);
      steps = Math.max(steps, gjk.steps);
      // Projections on both bodies in turn approach the distance from above.
      let x: V3 = [...p];
      const onto = ([u, v, w]: Point3, r: number, h: number): V3 => {
        const s = Math.min(1, r / Math.hypot(u, v));
        return [s * u, s * v, Math.min(h, Math.max(-h, w))];
      };
      let y = x;
      for (let i = 0; i < 4000; i++) {
        y = onto(x, 0.3, 0.55);
        const q = minus(y, p);
        const local: V3 = [0, 1, 2].map((j) => R[0][j]! * q[0] + R[1][j]! * q[1] + R[2][j]! * q[2]) as V3;
        x = moved(R, p, onto(local, 0.5, 0.4));
      }
      expect(d).toBeLessThanOrEqual(norm(minus(x, y)) + 1e-14);
      worst = Math.max(worst, norm(minus(x, y)) - d);
      const between = minus(gjk.nearestA as never, gjk.nearestB as never);
      // A step reduces |v|² by (gap of the bounds / |v - w|)². Below the rounding of |v|² the gap stays: at most 1e-8, mostly much less.
      expect(Math.abs(norm(between) - Math.max(0, d))).toBeLessThan(1e-8);
      if (norm(between) - Math.max(0, d) > 1e-12) loose++;
    }
    // Alternating projections converge slowly where faces are almost parallel.
    expect(worst).toBeLessThan(1e-3);
    expect(loose).toBeLessThan(15);
    expect(steps).toBeLessThan(100);
  });

  it("is not positive if bodies overlap, and zero or the gap within rounding if they touch", () => {
    const next = uniform(10);
    for (let k = 0; k < 500; k++) {
      const R = randomRotation(next);
      const p: V3 = [0.6 * (next() - 0.5), 0.6 * (next() - 0.5), 0.6 * (next() - 0.5)];
      expect(distance(box(0.3, 0.4, 0.5), box(0.3, 0.3, 0.3), p, R)).toBe(0);
      expect(distance(cylinder(0.4, 0.8), box(0.3, 0.3, 0.3), p, R)).toBe(0);
    }
    for (const gap of [0, 1e-16, 1e-13, 1e-9, -1e-13])
      for (const shift of [0, 0.1, 0.6]) {
        const d = distance(box(0.5, 0.5, 0.5), box(0.5, 0.5, 0.5), [shift, shift / 2, 1 + gap]);
        expect(Math.abs(d - Math.max(0, gap))).toBeLessThan(1e-15);
      }
  });

  it("takes degenerate bodies: equal corners, corners on a line and in a plane, parallel faces", () => {
    const doubled = hullBody([...boxPolytope([1, 1, 1]).corners, ...boxPolytope([1, 1, 1]).corners]);
    const line = hullBody([-1, -0.5, 0, 0.25, 1].map((x): Point3 => [x, 0, 0]));
    const sheet = hullBody([-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y): Point3 => [x, y, 0])));
    expect(distance(doubled, doubled, [0, 0, 2.5])).toBe(0.5);
    expect(distance(line, line, [0.3, 0, 2])).toBe(2);
    expect(distance(line, line, [3, 0, 0])).toBe(1);
    expect(distance(line, line, [0.5, 0, 0])).toBe(0);
    expect(distance(sheet, sheet, [0.3, 0.1, 2])).toBe(2);
    expect(distance(sheet, doubled, [0.3, 0.1, 1.25])).toBe(0.25);
    expect(distance(sheet, sheet, [0.3, 0.1, 0])).toBe(0);
    const needle = hullBody([
      [0, 0, 0],
      [1000, 1e-6, 0],
      [1000, 0, 1e-6],
      [1000, -1e-6, -1e-6],
    ]);
    expect(distance(needle, sheet, [-500, 0.2, 0.3])).toBeCloseTo(0.3 - 0.501e-6, 12);
  });
});
