/** Depths of pairs against brute-force minimisation, and normals against gradients of depths, at random poses. */
import { describe, expect, it } from "vitest";
import { plane, type Terrain } from "../../../../src/ground/terrain.ts";
import { HIT_SIZE } from "../../../../src/parts/force/contact/narrow-phase.ts";
import { contactCandidates, PAIR_KINDS, touchOf } from "../../../../src/parts/force/contact/pair-kinds.ts";
import { type ContactShape, type ContactShapeValues, readShapes } from "../../../../src/parts/force/contact/shape.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

type V3 = [number, number, number];

const shape = (written: Partial<ContactShapeValues>, terrain?: Terrain): ContactShape => {
  const fail = (key: string, message: string): never => {
    throw new Error(`${key} ${message}`);
  };
  return readShapes("shapes", [{ at: [0, 0, 0], copies: 1, ...written } as ContactShapeValues], fail, terrain)[0]!;
};

const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a: V3, b: V3, s = 1): V3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const cross = (a: V3, b: V3): V3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: V3): V3 => plus([0, 0, 0], a, 1 / Math.hypot(...a));

interface Pose {
  readonly R: readonly [V3, V3, V3];
  readonly p: V3;
}
const placed = ({ R, p }: Pose, v: V3): V3 => [dot(R[0], v) + p[0], dot(R[1], v) + p[1], dot(R[2], v) + p[2]];

/** The exact rotation matrix of a rotation vector. */
function turnBy(w: V3): Pose["R"] {
  const angle = Math.hypot(...w);
  if (angle === 0)
    return [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
  const [x, y, z] = unit(w);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
    [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
    [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
  ];
}

const compose = (A: Pose["R"], B: Pose["R"]): Pose["R"] =>
  A.map((row) => [0, 1, 2].map((j) => row[0] * B[0][j]! + row[1] * B[1][j]! + row[2] * B[2][j]!) as V3) as unknown as Pose["R"];

function poses(seed: number, reach: number): () => Pose {
  const next = uniform(seed);
  const any = (): number => 2 * next() - 1;
  return () => ({ R: turnBy([3 * any(), 3 * any(), 3 * any()]), p: [reach * any(), reach * any(), reach * any()] });
}

/** Hits of all candidates of two shapes, the first at a pose in axes of the second. */
function hitsOf(a: ContactShape, b: ContactShape, pose: Pose): { readonly depth: number; readonly n: V3; readonly p: V3 }[] {
  const [X, back] = [pose, inverse(pose)].map(({ R, p }) => Float64Array.from([...R.flat(), ...p]));
  return contactCandidates(a, b)!.map(({ first, second, narrow, swapped }) => {
    const hit = new Float64Array(HIT_SIZE);
    narrow(first.data, second.data, swapped ? back! : X!, hit);
    const n: V3 = [hit[1]!, hit[2]!, hit[3]!];
    const p: V3 = [hit[4]!, hit[5]!, hit[6]!];
    if (!swapped) return { depth: hit[0]!, n, p };
    const turned = { R: pose.R, p: [0, 0, 0] as V3 };
    return { depth: hit[0]!, n: plus([0, 0, 0], placed(turned, n), -1), p: placed(pose, p) };
  });
}

function inverse({ R, p }: Pose): Pose {
  const T = [0, 1, 2].map((j) => [R[0][j]!, R[1][j]!, R[2][j]!] as V3) as unknown as Pose["R"];
  return { R: T, p: placed({ R: T, p: [0, 0, 0] }, plus([0, 0, 0], p, -1)) };
}

/** Minimum of a convex function on an interval, by ternary search. */
function least(f: (x: number) => number, low: number, high: number, steps = 62): number {
  let [a, b] = [low, high];
  for (let i = 0; i < steps; i++) {
    const [x, y] = [a + (b - a) / 3, b - (b - a) / 3];
    if (f(x) < f(y)) b = y;
    else a = x;
  }
  return f(0.5 * (a + b));
}

const at = (a: V3, b: V3, s: number): V3 => plus(a, plus(b, a, -1), s);
const size = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);
const distance = (a: V3, b: V3): number => size(...plus(a, b, -1));

const SPHERE = shape({ kind: "sphere", at: [0.1, 0.2, -0.1], radius: 0.5 });
const CAPSULE = shape({ kind: "capsule", at: [-0.3, 0.1, 0], to: [0.5, 0.4, 0.2], radius: 0.2 });
const BAR = shape({ kind: "capsule", at: [0.2, -0.4, 0.1], to: [-0.3, 0.6, 0.3], radius: 0.15 });
const EDGE = shape({ kind: "edge", at: [0.2, -0.4, 0.1], to: [-0.3, 0.6, 0.3], out: [1, 0, 0] });
const CUBE = shape({ kind: "box", size: [0.4, 0.4, 0.4] });
const RIM = shape({ kind: "rim", at: [0.1, 0, 0.2], axis: unit([1, 2, -1]), radius: 0.6 });
const PLANE = shape({ kind: "plane", at: [0, 0.2, 0.1], axis: unit([1, 0.5, 2]) });
const RING = shape({ kind: "disc", at: [0, 0.1, 0.1], axis: unit([1, -0.5, 1]), radius: 0.6, inner: 0.3, thickness: 0.2 });
const DISC = shape({ kind: "disc", at: [0, 0.1, 0.1], axis: unit([1, -0.5, 1]), radius: 0.6, thickness: 0.2 });
const FACE = shape({ kind: "disc", axis: unit([0, -0.5, 1]), radius: 0.6, inner: 0.2 });
const CONE = shape({ kind: "cone", at: [0, -0.2, 0.1], axis: unit([1, 1, 3]), radius: 0.5, tip: 0.1, length: 0.7 });
const FUNNEL = shape({
  kind: "cone",
  at: [0, -0.2, 0.1],
  axis: unit([1, 1, 3]),
  radius: 0.6,
  tip: 0.2,
  length: 0.5,
  thickness: 0.1,
});
const BOX = shape({ kind: "box", at: [0.1, 0, -0.1], size: [0.6, 0.8, 1], rpy: [0.2, -0.5, 0.9] });
const CRATE = shape({ kind: "box", at: [-0.1, 0.2, 0], size: [0.5, 0.3, 0.7], rpy: [0, 0.3, 0] });
const POINT = shape({ kind: "point", at: [0.05, -0.2, 0.1] });

/** Distance to the surface of a box from all of its faces; negative inside. */
function fromBox({ at: c, R, size: edges }: ContactShape, x: V3): number {
  const d = plus(x, c as V3, -1);
  const own = [0, 1, 2].map((j) => d[0] * R[0][j]! + d[1] * R[1][j]! + d[2] * R[2][j]!) as V3;
  const half = edges.map((s) => s / 2) as V3;
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++)
    for (const side of [-1, 1]) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const on = (u: number, v: number): number => size(own[k]! - side * half[k]!, own[i]! - u, own[j]! - v);
      best = Math.min(
        best,
        least((u) => least((v) => on(u, v), -half[j]!, half[j]!), -half[i]!, half[i]!),
      );
    }
  return own.every((v, k) => Math.abs(v) < half[k]!) ? -best : best;
}

/** Distance to a surface of revolution from segments of its profile at every azimuth; negative inside. */
function fromTurned({ at: c, axis }: ContactShape, profile: readonly [number, number][], x: V3): number {
  const e = axis as V3;
  const u = unit(cross(e, Math.abs(e[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const v = cross(e, u);
  const d = plus(x, c as V3, -1);
  const [a, b, h] = [dot(d, u), dot(d, v), dot(d, e)];
  const facing = Math.atan2(b, a);
  let best = Number.POSITIVE_INFINITY;
  for (const [i, from] of profile.entries()) {
    const to = profile[(i + 1) % profile.length]!;
    if (from[0] === 0 && to[0] === 0) continue;
    const on = (s: number, azimuth: number): number => {
      const [r, z] = [from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1])];
      return size(a - r * Math.cos(azimuth), b - r * Math.sin(azimuth), h - z);
    };
    best = Math.min(
      best,
      least((s) => least((phi) => on(s, phi), facing - 0.5, facing + 0.6), 0, 1),
    );
  }
  const rho = Math.hypot(a, b);
  const inside = profile.every((from, i) => {
    const to = profile[(i + 1) % profile.length]!;
    return (to[0] - from[0]) * (h - from[1]) - (to[1] - from[1]) * (rho - from[0]) >= 0;
  });
  return inside ? -best : best;
}

const wallOf = ({ radius, tip, length, thickness = 0 }: ContactShape): [number, number][] => {
  const slant = Math.hypot(length, radius - tip);
  const m = [(thickness * length) / slant, (thickness * (radius - tip)) / slant] as const;
  return [
    [radius, 0],
    [radius + m[0], m[1]],
    [tip + m[0], length + m[1]],
    [tip, length],
  ];
};

/** Distance of a shape from a point, in its own axes. */
const FROM: readonly (readonly [string, ContactShape, (x: V3) => number])[] = [
  ["sphere", SPHERE, (x) => distance(x, SPHERE.at as V3) - SPHERE.radius],
  ["point", POINT, (x) => distance(x, POINT.at as V3)],
  ["capsule", CAPSULE, (x) => least((s) => distance(x, at(CAPSULE.at as V3, CAPSULE.to as V3, s)), 0, 1) - CAPSULE.radius],
  ["edge", EDGE, (x) => least((s) => distance(x, at(EDGE.at as V3, EDGE.to as V3, s)), 0, 1)],
  ["rim", RIM, (x) => Math.abs(fromTurned(RIM, [[RIM.radius, 0]], x))],
  ["plane", PLANE, (x) => dot(plus(x, PLANE.at as V3, -1), PLANE.axis as V3)],
  ["box", BOX, (x) => fromBox(BOX, x)],
  [
    "ring",
    RING,
    (x) =>
      fromTurned(
        RING,
        [
          [0.3, -0.2],
          [0.6, -0.2],
          [0.6, 0],
          [0.3, 0],
        ],
        x,
      ),
  ],
  [
    "disc",
    DISC,
    (x) =>
      fromTurned(
        DISC,
        [
          [0, -0.2],
          [0.6, -0.2],
          [0.6, 0],
          [0, 0],
        ],
        x,
      ),
  ],
  [
    "face without an end",
    FACE,
    (x) =>
      fromTurned(
        FACE,
        [
          [0.2, -50],
          [0.6, -50],
          [0.6, 0],
          [0.2, 0],
        ],
        x,
      ),
  ],
  [
    "cone",
    CONE,
    (x) =>
      fromTurned(
        CONE,
        [
          [0, 0],
          [0.5, 0],
          [0.1, 0.7],
          [0, 0.7],
        ],
        x,
      ),
  ],
  ["funnel", FUNNEL, (x) => fromTurned(FUNNEL, wallOf(FUNNEL), x)],
];

/** Ternary search finds the point to the square root of rounding, and the distance to rounding. */
const BRUTE = 1e-10;

describe("depths equal those of brute force", () => {
  it.each(FROM)("sphere against %s", (_, other, from) => {
    const next = poses(7, 0.9);
    let touching = 0;
    for (let k = 0; k < 25; k++) {
      const pose = next();
      const { depth } = hitsOf(SPHERE, other, pose)[0]!;
      const expected = SPHERE.radius - from(placed(pose, SPHERE.at as V3));
      expect(Math.abs(depth - expected)).toBeLessThan(BRUTE);
      if (depth > 0) touching++;
    }
    expect(touching).toBeGreaterThan(2);
  });

  it.each([
    ["capsule", BAR],
    ["edge", EDGE],
  ])("capsule against %s, parallel too", (_, other) => {
    const next = poses(11, 0.6);
    for (let k = 0; k < 100; k++) {
      const pose = k % 10 === 0 ? aligned(next()) : next();
      const [a0, a1] = [placed(pose, CAPSULE.at as V3), placed(pose, CAPSULE.to as V3)];
      const { depth } = hitsOf(CAPSULE, other, pose)[0]!;
      const apart = least((s) => least((t) => distance(at(a0, a1, s), at(other.at as V3, other.to as V3, t)), 0, 1), 0, 1);
      expect(Math.abs(depth - (CAPSULE.radius + other.radius - apart))).toBeLessThan(BRUTE);
    }
  });

  it("capsule against box", () => {
    const next = poses(13, 0.8);
    for (let k = 0; k < 5; k++) {
      const pose = next();
      const [a0, a1] = [placed(pose, CAPSULE.at as V3), placed(pose, CAPSULE.to as V3)];
      const apart = least((s) => fromBox(BOX, at(a0, a1, s)), 0, 1, 40);
      const { depth } = hitsOf(CAPSULE, BOX, pose)[0]!;
      if (apart > CAPSULE.radius) expect(Math.abs(depth - (CAPSULE.radius - apart))).toBeLessThan(2e-7);
      else expect(depth).toBeGreaterThan(0);
    }
  });

  /** The pose with the capsule parallel to the bar. */
  function aligned({ p }: Pose): Pose {
    const [u, v] = [unit(plus(CAPSULE.to as V3, CAPSULE.at as V3, -1)), unit(plus(BAR.to as V3, BAR.at as V3, -1))];
    const w = cross(u, v);
    const angle = Math.atan2(Math.hypot(...w), dot(u, v));
    return { R: turnBy(plus([0, 0, 0], unit(w), angle)), p };
  }

  it("boxes touch by one patch, and the gap is their distance", () => {
    const next = poses(3, 0.5);
    const hits = hitsOf(CRATE, BOX, next());
    expect(hits.length).toBe(1);
    for (const gap of [1e-8, 0.01, 0.3]) {
      const top = (c: ContactShape): number => c.size[2] / 2;
      const above = { R: turnBy([0, 0, 0]), p: [0, 0, 2 * top(CUBE) + gap] as V3 };
      expect(hitsOf(CUBE, CUBE, above)[0]!.depth).toBeCloseTo(-gap, 14);
    }
  });
});

describe("the ground", () => {
  const on = (terrain: Terrain): ContactShape => shape({ kind: "ground" }, terrain);

  it("equals a plane if it is flat", () => {
    const slope = plane(0.3, 0.4, -0.2);
    const same = shape({ kind: "plane", at: [0, 0, 0.3], axis: unit([-0.4, 0.2, 1]) });
    const next = poses(9, 1);
    for (let k = 0; k < 20; k++) {
      const pose = next();
      for (const a of [SPHERE, POINT, CAPSULE, BOX]) {
        const [here, there] = [hitsOf(a, on(slope), pose), hitsOf(a, same, pose)];
        for (const [i, { depth, n, p }] of here.entries()) {
          expect(depth).toBeCloseTo(there[i]!.depth, 13);
          for (let c = 0; c < 3; c++) {
            expect(n[c]).toBeCloseTo(there[i]!.n[c]!, 13);
            expect(p[c]).toBeCloseTo(there[i]!.p[c]!, 13);
          }
        }
      }
    }
  });

  it("touches a ball in a bowl at the nearest point, and unknown ground always counts as contact", () => {
    const bowl = 4;
    const round: Terrain = {
      sample(x, y, out) {
        const z = Math.sqrt(bowl * bowl - x * x - y * y);
        out.set([-z, x / z, y / z]);
      },
    };
    const ball = shape({ kind: "sphere", radius: 0.5 });
    const way = unit([1, 0.5, -3.3]);
    const { depth, n } = hitsOf(ball, on(round), { R: turnBy([0, 0, 0]), p: plus([0, 0, 0], way, bowl - 0.5 + 1e-4) })[0]!;
    // Each iteration reduces the error by r / R; the result is exact up to the depth.
    expect(depth).toBeCloseTo(1e-4, 6);
    for (let c = 0; c < 3; c++) expect(n[c]).toBeCloseTo(-way[c]!, 4);
    const nowhere: Terrain = { sample: (_x, _y, out) => out.fill(Number.NaN) };
    expect(hitsOf(ball, on(nowhere), { R: turnBy([0, 0, 0]), p: [0, 0, 9] })[0]!.depth).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("normals are unit gradients of depths, and forces act at the contact points", () => {
  const shapes = [SPHERE, POINT, CAPSULE, BAR, EDGE, RIM, PLANE, RING, DISC, FACE, CONE, FUNNEL, BOX, CRATE];
  const pairs = shapes
    .flatMap((a) => shapes.map((b) => [a, b] as const))
    .filter(([a, b]) => touchOf(a, b, "linear") === "at points");
  const conservative = pairs.filter(([a, b]) => contactCandidates(a, b)!.every((m) => m.conservative));

  it.each(conservative.map(([a, b]) => [`${a.kind} on ${b.kind}`, a, b] as const))("%s", (_, a, b) => {
    const next = poses(a.kind.length + 31 * b.kind.length, 0.7);
    const step = 1e-6;
    let seen = 0;
    for (let k = 0; k < 400 && seen < 40; k++) {
      const pose = next();
      const [w, v] = [next().p, next().p];
      const moved = (s: number): Pose => ({
        R: compose(turnBy(plus([0, 0, 0], w, s)), pose.R),
        p: plus(placed({ R: turnBy(plus([0, 0, 0], w, s)), p: [0, 0, 0] }, pose.p), v, s),
      });
      const [before, here, after] = [hitsOf(a, b, moved(-step)), hitsOf(a, b, pose), hitsOf(a, b, moved(step))];
      for (const [i, { depth, n, p }] of here.entries()) {
        if (!(depth > 1e-3)) continue;
        const slope = (after[i]!.depth - before[i]!.depth) / (2 * step);
        const curved = Math.abs(after[i]!.depth - 2 * depth + before[i]!.depth);
        if (curved > 1e-8) continue; // on a ridge between two sides
        expect(Math.hypot(...n)).toBeCloseTo(1, 12);
        expect(slope).toBeCloseTo(-dot(plus(v, cross(w, p)), n), 5);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(0);
  });

  it("every pair exists in both orders, with opposite forces", () => {
    for (const [a, b] of pairs) {
      const pose = poses(5, 0.4)();
      const [one, other] = [hitsOf(a, b, pose), hitsOf(b, a, inverse(pose))];
      expect(one.length).toBe(other.length);
      const depths = (hits: typeof one): number[] => hits.map((h) => Math.max(0, h.depth)).sort((x, y) => x - y);
      for (const [i, depth] of depths(one).entries()) expect(depth).toBeCloseTo(depths(other)[i]!, 12);
    }
    expect(new Set(PAIR_KINDS.map(({ of }) => of.join())).size).toBe(PAIR_KINDS.length);
  });
});
