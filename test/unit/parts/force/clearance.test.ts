/** Clearance of bodies against closed forms, its nearest points, its limits, and the shapes that it refuses. */
import { describe, expect, it, test } from "vitest";
import { ModelError } from "../../../../src/errors.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { createForce } from "../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import { loadsOf } from "../../../fixtures/element-loads.ts";
import { stateAt } from "../../../fixtures/force-bench.ts";

type V3 = readonly [number, number, number];
const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a: V3, s: number, b: V3): V3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const minus = (a: V3, b: V3): V3 => along(a, -1, b);
const norm = (a: V3): number => Math.hypot(...a);

/** Accuracy of distances, m: some units of rounding of coordinates of order one. */
const ROUNDING = 1e-13;

const body = (name: string) => ({ name, mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } }) as const;
const MODEL = createModel({ name: "two bodies", bodies: [body("one"), body("two")] });

/** Channels of the distance of a shape on the first body from one on the second, at random poses, with the frames of both. */
function measured(a: object, b: object, seeds = 200) {
  const element = createForce(MODEL, {
    ...{ kind: "clearance", name: "gap" },
    ...{ shapes: [{ on: "one", ...a }], against: [{ on: "two", ...b }] },
  } as never);
  const loads = loadsOf(MODEL, element);
  return Array.from({ length: seeds }, (_, seed) => {
    const { channels, frames } = loads(stateAt(MODEL, element, seed));
    const place =
      (frame: string) =>
      ([x, y, z]: V3): V3 =>
        [0, 1, 2].map((i) => {
          const F = frames.subarray(18 * element.frames!.indexOf(frame));
          return F[3 * i]! * x + F[3 * i + 1]! * y + F[3 * i + 2]! * z + F[9 + i]!;
        }) as unknown as V3;
    const point = (key: string): V3 => ["x", "y", "z"].map((i) => channels[`one-two.${key}${i}`]!) as unknown as V3;
    return {
      ...{ distance: channels["one-two"]!, smallest: channels.smallest! },
      ...{ a: point("a"), b: point("b"), one: place("one"), two: place("two") },
    };
  });
}

const pointSegment = (x: V3, u: V3, v: V3): number => {
  const d = minus(v, u);
  return norm(minus(x, along(u, Math.min(1, Math.max(0, dot(minus(x, u), d) / dot(d, d))), d)));
};

/** Distance of two segments: an end and the other segment, or two inner points. */
function segmentSegment(p: V3, q: V3, r: V3, s: V3): number {
  const best = Math.min(pointSegment(p, r, s), pointSegment(q, r, s), pointSegment(r, p, q), pointSegment(s, p, q));
  const [d, e, f] = [minus(q, p), minus(s, r), minus(r, p)];
  const determinant = dot(d, d) * dot(e, e) - dot(d, e) ** 2;
  const x = (dot(d, f) * dot(e, e) - dot(e, f) * dot(d, e)) / determinant;
  const y = (dot(d, f) * dot(d, e) - dot(e, f) * dot(d, d)) / determinant;
  return x < 0 || x > 1 || y < 0 || y > 1 ? best : Math.min(best, norm(minus(along(p, x, d), along(r, y, e))));
}

describe("closed forms at random poses", () => {
  it("spheres", () => {
    for (const { distance, one, two } of measured(
      { kind: "sphere", at: [0.1, 0.2, -0.1], radius: 0.2 },
      { kind: "sphere", at: [-0.3, 0, 0.1], radius: 0.1 },
    ))
      expect(Math.abs(distance - norm(minus(one([0.1, 0.2, -0.1]), two([-0.3, 0, 0.1]))) + 0.3)).toBeLessThan(ROUNDING);
  });

  it("capsules, also where they overlap", () => {
    const [p, q, r, s] = [
      [0.2, 0, 0],
      [1.4, 0.3, 0.1],
      [-0.5, 0, 0.2],
      [0.4, 0.4, 0.4],
    ] as const;
    const all = measured({ kind: "capsule", at: p, to: q, radius: 0.2 }, { kind: "capsule", at: r, to: s, radius: 0.15 });
    for (const { distance, smallest, one, two } of all) {
      expect(Math.abs(distance - segmentSegment(one(p), one(q), two(r), two(s)) + 0.35)).toBeLessThan(ROUNDING);
      expect(smallest).toBe(distance);
    }
    expect(all.some(({ distance }) => distance < 0)).toBe(true);
  });

  it("a sphere and a box", () => {
    const half: V3 = [0.3, 0.2, 0.5];
    const all = measured({ kind: "sphere", radius: 0.1 }, { kind: "box", size: [0.6, 0.4, 1] });
    for (const { distance, one, two } of all) {
      const d = minus(one([0, 0, 0]), two([0, 0, 0]));
      const axes = (
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ] as const
      ).map((e) => minus(two(e), two([0, 0, 0])));
      const beyond = axes.map((axis, i) => Math.max(0, Math.abs(dot(axis, d)) - half[i]!));
      expect(Math.abs(distance - Math.hypot(...beyond) + 0.1)).toBeLessThan(ROUNDING);
    }
  });

  it.each([
    [
      { kind: "box", size: [0.6, 0.4, 1], rpy: [0.1, 0.2, 0.3] },
      { kind: "plane", at: [0.1, 0, 0], axis: "x" },
    ],
    [
      { kind: "plane", at: [0.1, 0, 0], axis: "x" },
      { kind: "disc", radius: 0.3, thickness: 0.1 },
    ],
  ])("%j and %j: the nearest point of the body is at the distance from the plane, on either side", (a, b) => {
    const all = measured(a, b);
    for (const { distance, a: onA, b: onB, one, two } of all) {
      const [place, points] = a.kind === "plane" ? [one, [onB, onA]] : [two, [onA, onB]];
      const normal = minus(place([1, 0, 0]), place([0, 0, 0]));
      expect(Math.abs(dot(minus(points[0]!, place([0.1, 0, 0])), normal) - distance)).toBeLessThan(ROUNDING);
      expect(norm(minus(points[0]!, along(points[1]!, distance, normal)))).toBeLessThan(ROUNDING);
    }
    expect(all.some(({ distance }) => distance < -0.1)).toBe(true);
  });

  it.each([
    [
      { kind: "cone", radius: 0.3, tip: 0.1, length: 0.4 },
      { kind: "edge", to: [0.5, 0.2, 0] },
    ],
    [
      { kind: "box", size: [1, 0.3, 0.2] },
      { kind: "disc", radius: 0.4, thickness: 0.1 },
    ],
    [
      { kind: "point", at: [0.1, 0, 0] },
      { kind: "capsule", to: [1, 0, 0], radius: 0.1 },
    ],
  ])("%j and %j: the nearest points have the distance", (a, b) => {
    for (const { distance, a: onA, b: onB } of measured(a, b))
      if (distance > 0) expect(Math.abs(norm(minus(onA, onB)) - distance)).toBeLessThan(1e-8);
  });
});

test("the distance of bodies is the smallest of their shapes; bodies that a hinge joins are left out", () => {
  const model = createModel({
    name: "arm",
    bodies: [
      body("hull"),
      { ...body("upper"), parent: "hull", hinge: { kind: "revolute", axis: "z", at: [1, 0, 0] } },
      { ...body("fore"), parent: "upper", hinge: { kind: "revolute", axis: "z", at: [1, 0, 0] } },
    ],
  });
  const shapes = [
    { kind: "box", on: "hull", size: [1, 1, 1] },
    { kind: "capsule", on: "upper", to: [1, 0, 0], radius: 0.1 },
    { kind: "capsule", on: "fore", to: [1, 0, 0], radius: 0.1 },
    { kind: "sphere", on: "fore", at: [1, 0, 0], radius: 0.2 },
  ] as const;
  const element = createForce(model, { kind: "clearance", name: "gap", shapes });
  expect(element.channels!.filter(({ name }) => !name.includes("."))).toEqual([
    { name: "smallest", unit: "m" },
    { name: "hull-fore", unit: "m" },
  ]);
  const loads = loadsOf(model, element);
  const state = { ...stateAt(model, element, 1), q: Float64Array.from([1, 0, 0, 0, 0, 0, 0, 0, 0]) };
  expect(loads(state).channels["hull-fore"]).toBeCloseTo(1.4, 13); // the capsule begins at x = 2
  state.q[8] = Math.PI;
  expect(loads(state).channels["hull-fore"]).toBeCloseTo(0.3, 13); // the sphere is at x = 1
});

test("as a limit it follows the continuous motion", () => {
  // Two spheres pass each other on straight lines: their smallest distance is 0.1 at t = 1.
  const element = createForce(MODEL, {
    ...{ kind: "clearance", name: "gap" },
    ...{ shapes: [{ kind: "sphere", on: "one", radius: 0.3 }], against: [{ kind: "sphere", on: "two", radius: 0.1 }] },
  });
  const system = createSystem(MODEL, [element]);
  const q = [1, 0, 0, 0, -2, 0.5, 0, 1, 0, 0, 0, 0, 0, 0];
  const u = [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0];
  const { peaks, log } = simulate(system, system.start({ q, u }), {
    ...{ duration: 1.7, sample: 1.7, channels: ["gap.*"] },
    peaks: [{ channels: ["gap.one-two"], bound: "least" }],
  });
  expect(peaks[0]!.value).toBeCloseTo(0.1, 8);
  expect(peaks[0]!.at).toBeCloseTo(1, 4);
  expect(log.column("gap.smallest").at(-1)).toBeCloseTo(Math.hypot(1.4, 0.5) - 0.4, 8);
});

test.each([
  [{ kind: "disc", radius: 1 }, "its material has no end behind its face"],
  [{ kind: "disc", radius: 1, inner: 0.5, thickness: 0.1 }, "a ring is not convex"],
  [{ kind: "cone", radius: 1, length: 1, thickness: 0.1 }, "a funnel is not convex"],
  [{ kind: "rim", radius: 1 }, "a rim is not convex"],
])("%j is refused with the reason", (shape, reason) => {
  const create = (): unknown =>
    createForce(MODEL, {
      ...{ kind: "clearance", name: "gap" },
      ...{ shapes: [{ kind: "sphere", on: "one", radius: 1 }], against: [{ on: "two", ...shape }] },
    } as never);
  expect(create).toThrow(ModelError);
  expect(create).toThrow(reason);
});

test.each([
  [{ shapes: [{ kind: "sphere", on: "one", radius: 1 }], against: [{ kind: "ground" }] }, "the ground is not convex"],
  [{ shapes: [{ kind: "plane", on: "one" }], against: [{ kind: "plane", on: "two" }] }, "two planes have no distance"],
  [{ shapes: [{ kind: "point", on: "one" }], against: [{ kind: "plane", on: "one" }] }, "are on the same body"],
  [{ shapes: [{ kind: "point", on: "one" }] }, "there must be shapes on two bodies"],
  [{ shapes: [] }, "there are none"],
])("%j is refused: %s", (parameters, reason) => {
  expect(() => createForce(MODEL, { kind: "clearance", name: "gap", ...parameters } as never)).toThrow(reason);
});
