/** The contract of rows: every kind that can close a loop fulfils it. And the loops of a model. */

import { describe, expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import type { BodyDescription, HingeDescription, LoopDescription, LoopEnds } from "../../../src/model/description.ts";
import { ballElement, type HingeElement, slideElement } from "../../../src/model/hinge.ts";
import { FREEDOM_NAMES } from "../../../src/model/hinges/general.ts";
import { HINGES } from "../../../src/model/hinges/index.ts";
import { type FrameLoop, type LoopRow, prescribedValue, rowCount } from "../../../src/model/loop.ts";
import { loopKinds } from "../../../src/model/loops/index.ts";
import { setParameters } from "../../../src/model/parameters.ts";
import { axisVector } from "../../../src/spatial/axis.ts";
import { compose, fromQuaternion, IDENTITY, type Mat3, rotationAboutAxis } from "../../../src/spatial/rotation.ts";
import type { NumericVec3 } from "../../../src/spatial/vec3.ts";
import { dot } from "../../../src/spatial/vec3.ts";
import { freeDirections, independence, poseOf } from "../../fixtures/models/closure.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const link = (name: string, hinge: HingeDescription = { kind: "revolute" }, parent?: string): BodyDescription => ({
  name,
  ...(parent !== undefined && { parent }),
  mass: 1,
  inertia: [1, 1, 1],
  hinge,
});

type EndsOf<L> = L extends LoopEnds ? Omit<L, keyof LoopEnds> : never;
/** A loop between frames, without these frames. */
type Closing = EndsOf<LoopDescription>;

const loopOf = (closing: Closing): FrameLoop => {
  const loop = { name: "loop", from: { body: "a" }, to: { body: "b" }, ...closing } as LoopDescription;
  return createModel({ name: "m", bodies: [link("a"), link("b")], loops: [loop] }).loops[0] as FrameLoop;
};

const hingeOf = (hinge: HingeDescription): readonly HingeElement[] =>
  createModel({ name: "m", bodies: [link("b", hinge)] }).bodies[0]!.hinge.elements;

function subsets<T>(items: readonly T[]): T[][] {
  const sets: T[][] = [[]];
  for (const item of items) sets.push(...sets.map((set) => [...set, item]));
  return sets;
}

/** A chain element that does not move: the rod between two balls. */
const rod = (length: number): HingeElement => ({
  nq: 0,
  nu: 0,
  partials: [],
  home: [],
  units: { q: [], u: [] },
  parts: { q: [], u: [] },
  pose: () => ({ R: IDENTITY, p: [length, 0, 0] }),
  rates: () => [],
});

interface Case {
  readonly closing: Closing;
  /** The directions that the loop frees. */
  readonly elements: readonly HingeElement[];
  readonly freedoms: number;
}

const closedBy = (hinge: HingeDescription): Case => {
  const elements = hingeOf(hinge);
  return { closing: hinge as Closing, elements, freedoms: elements.reduce((n, e) => n + e.nu, 0) };
};

const HINGE_CASES: readonly (readonly [string, Case])[] = [
  ...(["fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar"] as const).map(
    (kind) => [kind, closedBy({ kind })] as const,
  ),
  ...(["revolute", "prismatic", "cylindrical"] as const).flatMap((kind) =>
    (["x", "y", [0, 0, -1], [1, -2, 3], [-0.1, 4, 0.2], [5, 1, 1]] as const).map(
      (axis) => [`${kind} about ${axis}`, closedBy({ kind, axis })] as const,
    ),
  ),
  ...(["x", "z", [0, -1, 0], [0, 3, -4], [2, -1, 1]] as const).flatMap((axis) =>
    [0.05, -0.3, 2].map(
      (pitch) => [`helical about ${axis}, pitch ${pitch}`, closedBy({ kind: "helical", axis, pitch })] as const,
    ),
  ),
  ...subsets(FREEDOM_NAMES)
    .filter((freedoms) => freedoms.length < 6)
    .map((freedoms) => [`general with ${freedoms.join(" ") || "no freedom"}`, closedBy({ kind: "general", freedoms })] as const),
];

const OTHER_CASES: readonly (readonly [string, Case])[] = [
  ...(["x", "z", [0, -1, 0], [1, 2, -2]] as const).flatMap((axis) => {
    const n = axisVector(axis);
    const a = axisVector([n[1] - n[2], n[2] - n[0], n[0] - n[1]]); // perpendicular to n
    const b = axisVector([n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]]);
    return [
      [
        `point on line ${axis}`,
        { closing: { kind: "point-on-line", axis }, elements: [slideElement(n), ballElement], freedoms: 4 },
      ],
      [
        `point on plane ${axis}`,
        { closing: { kind: "point-on-plane", axis }, elements: [slideElement(a), slideElement(b), ballElement], freedoms: 5 },
      ],
    ] as const;
  }),
  ...[0.4, 7].map(
    (length) =>
      [
        `distance ${length}`,
        { closing: { kind: "distance", length }, elements: [ballElement, rod(length), ballElement], freedoms: 5 },
      ] as const,
  ),
];

const CASES = [...HINGE_CASES, ...OTHER_CASES];

/** Rounding of values of order one. */
const EXACT = 1e-12;
const STEP = 1e-5;
/** Central differences: rounding 1e-16 / STEP; truncation STEP² times the third derivative, 1 / pitch² of a screw. */
const DIFFERENCES = 1e-7;
/** Every row keeps at least this part of its length when the other rows are projected out. */
const INDEPENDENT = 0.05;

const POSES = 5;
const random = uniform(20);
const between = (low: number, high: number): number => low + (high - low) * random();
const vector = (size: number): NumericVec3 => [between(-size, size), between(-size, size), between(-size, size)];

function quaternion(): number[] {
  const q = [1, 2, 3, 4].map(() => between(-1, 1));
  return q.map((c) => c / Math.hypot(...q));
}

const coordinates = (elements: readonly HingeElement[]): number[] =>
  elements.flatMap((e) => (e.quaternion === undefined ? Array.from({ length: e.nq }, () => between(-2, 2)) : quaternion()));

const sixOf = (row: LoopRow, R: Mat3<number>, p: NumericVec3): number[] => {
  const { torque, force } = row.wrench(R, p) as { torque: NumericVec3; force: NumericVec3 };
  return [...torque, ...force];
};

describe.each(CASES)("%s", (_, { closing, elements, freedoms }) => {
  const { rows } = loopOf(closing);
  const poses = Array.from({ length: POSES }, () => coordinates(elements));

  test("blocks the directions that it does not free", () => {
    expect(rows).toHaveLength(6 - freedoms);
    expect(rowCount(loopOf(closing))).toBe(rows.length);
    expect(new Set(rows.map(({ label }) => label)).size).toBe(rows.length);
  });

  test("is closed in every position of its own freedoms", () => {
    for (const q of poses) {
      const { R, p } = poseOf(elements, q);
      for (const row of rows) expect(Math.abs(row.value(R, p) as number)).toBeLessThan(EXACT);
    }
  });

  test("the wrench of a row is the derivative of its value, for closed and open loops", () => {
    for (let i = 0; i < POSES; i++) {
      const R = fromQuaternion(quaternion() as never) as Mat3<number>;
      const [p, w, v] = [vector(1), vector(1), vector(1)];
      const speed = Math.hypot(...w);
      const axis = w.map((c) => c / speed) as unknown as NumericVec3;
      for (const row of rows) {
        const at = (h: number): number =>
          row.value(
            compose(rotationAboutAxis(axis, speed * h), R),
            p.map((c, k) => c + h * v[k]!) as unknown as NumericVec3,
          ) as number;
        const { torque, force } = row.wrench(R, p);
        const rate = (dot(torque, w) as number) + (dot(force, v) as number);
        expect(Math.abs((at(STEP) - at(-STEP)) / (2 * STEP) - rate)).toBeLessThan(DIFFERENCES);
      }
    }
  });

  test("its wrenches do no work along free directions", () => {
    for (const q of poses) {
      const { R, p } = poseOf(elements, q);
      for (const row of rows) {
        const { torque, force } = row.wrench(R, p);
        for (const { angular, linear } of freeDirections(elements, q))
          expect(Math.abs((dot(torque, angular) as number) + (dot(force, linear) as number))).toBeLessThan(
            EXACT * Math.hypot(1, ...p),
          );
      }
    }
  });

  test("its rows are independent and of order one; together with the free directions they span all six", () => {
    for (const q of poses) {
      const { R, p } = poseOf(elements, q);
      const wrenches = rows.map((row) => sixOf(row, R, p));
      expect(Math.min(1, ...independence(wrenches))).toBeGreaterThan(INDEPENDENT);
      for (const wrench of wrenches) expect(Math.hypot(...wrench)).toBeGreaterThan(0.9);
      const free = freeDirections(elements, q).map(({ angular, linear }) => [...angular, ...linear]);
      expect(independence([...free, ...wrenches]).filter((part) => part > 1e-6)).toHaveLength(6);
    }
  });
});

test("every hinge but the free one can close a loop, and is tested above", () => {
  expect(Object.keys(HINGES).filter((kind) => !Object.hasOwn(loopKinds(), kind))).toEqual(["free"]);
  const tested = CASES.map(([, { closing }]) => closing.kind);
  expect(Object.keys(loopKinds()).filter((kind) => !tested.includes(kind as Closing["kind"]))).toEqual([
    "coupling",
    "prescribed",
  ]);
  for (const [name, kind] of Object.entries(loopKinds())) expect(kind.name).toBe(name);
});

test("labels contain the blocked direction", () => {
  const labels = (closing: Closing): string[] => loopOf(closing).rows.map(({ label }) => label);
  expect(labels({ kind: "revolute", axis: "x" })).toEqual(["force x", "force y", "force z", "torque z", "torque y"]);
  expect(labels({ kind: "planar" })).toEqual(["force z", "torque y", "torque x"]);
  expect(labels({ kind: "universal" })).toEqual(["force x", "force y", "force z", "torque x × y"]);
  expect(labels({ kind: "helical", axis: "y", pitch: 1 })).toEqual(["force x", "force z", "torque z", "torque x", "screw y"]);
  expect(labels({ kind: "fixed" }).slice(3)).toEqual(["torque z", "torque x", "torque y"]);
  expect(labels({ kind: "point-on-plane", axis: [3, 0, 4] })).toEqual(["force (0.600, 0.00, 0.800)"]);
});

test("a screw closes on every revolution", () => {
  const { rows } = loopOf({ kind: "helical", pitch: 0.1 });
  for (const turns of [-3, 1, 20]) {
    const angle = 0.7 + 2 * Math.PI * turns;
    for (const row of rows)
      expect(Math.abs(row.value(rotationAboutAxis([0, 0, 1], angle), [0, 0, 0.1 * angle]) as number)).toBeLessThan(EXACT);
  }
});

describe("loops of a model", () => {
  const four = buildModel("four")
    .loop({ name: "pin", kind: "revolute", from: { frame: "tip" }, to: { body: "rocker", at: [-1, 2, 0] } })
    .loop({ name: "rod", kind: "distance", length: 2, from: { body: "world", at: [0, 0, 1] }, to: { body: "crank" } })
    .loop({
      name: "gear",
      kind: "coupling",
      terms: [
        { hinge: "rocker", factor: 2 },
        { hinge: "table.ry", factor: -1 },
      ],
      offset: 3,
    })
    .loop({ name: "drive", kind: "prescribed", hinge: "crank", motion: { rate: 1, amplitude: 0.5, frequency: 2, phase: 0.3 } })
    .body(link("coupler", { kind: "revolute", at: [0, 1, 0] }, "crank"))
    .body(link("table", { kind: "general", freedoms: ["x", "ry"] }))
    .body(link("crank"))
    .body(link("rocker", { kind: "revolute", at: [3, 0, 0] }))
    .frame("tip", "coupler", { at: [2, 1, 0] });
  const model = four.build();

  test("refer to bodies and coordinates in their sorted order", () => {
    expect(model.bodies.map(({ name }) => name)).toEqual(["crank", "coupler", "table", "rocker"]);
    const [pin, rod, gear, drive] = model.loops;
    expect(pin).toMatchObject({ type: "frames", name: "pin", kind: "revolute", parameters: {} });
    expect(pin).toMatchObject({
      from: { body: 1, frame: "tip", placement: { p: [2, 1, 0] } },
      to: { body: 3, placement: { p: [-1, 2, 0] } },
    });
    expect(rod).toMatchObject({
      parameters: { length: 2 },
      from: { body: -1 },
      to: { body: 0, placement: { R: IDENTITY, p: [0, 0, 0] } },
    });
    expect(gear).toMatchObject({ type: "coordinates", motion: { offset: 3, rate: 0 } });
    expect(gear).toMatchObject({
      terms: [
        { q: 4, u: 4, factor: 2 },
        { q: 3, u: 3, factor: -1 },
      ],
    });
    expect(drive).toMatchObject({ terms: [{ q: 0, u: 0, factor: 1 }], motion: { offset: 0, rate: 1, amplitude: 0.5 } });
    expect(model.loops.map(rowCount)).toEqual([5, 1, 1, 1]);
  });

  test("count coordinates after quaternions", () => {
    const bodies = [
      link("ball", { kind: "spherical" }),
      link("slide", { kind: "general", freedoms: ["z", "rx", "ry", "rz"] }),
      link("a"),
    ];
    const terms = [
      { hinge: "a", factor: 1 },
      { hinge: "slide.z", factor: 1 },
    ];
    const [loop] = createModel({ name: "m", bodies, loops: [{ name: "l", kind: "coupling", terms }] }).loops;
    expect(loop).toMatchObject({
      terms: [
        { q: 9, u: 7 },
        { q: 4, u: 3 },
      ],
    });
  });

  test("are frozen, and independent of the description", () => {
    const [pin, , gear] = model.loops as [FrameLoop, unknown, { terms: unknown[] }];
    for (const part of [model.loops, pin, pin.rows, pin.rows[0], pin.from.placement, gear.terms[0]])
      expect(Object.isFrozen(part)).toBe(true);
    const motion = { rate: 1 };
    createModel({ name: "m", bodies: [link("a")], loops: [{ name: "l", kind: "prescribed", hinge: "a", motion }] });
    expect(Object.isFrozen(motion)).toBe(false);
  });

  test("are described as they were given", () => {
    expect(describeModel(model).loops).toEqual([
      { name: "pin", kind: "revolute", from: { frame: "tip" }, to: { body: "rocker", at: [-1, 2, 0] } },
      { name: "rod", kind: "distance", length: 2, from: { body: "world", at: [0, 0, 1] }, to: { body: "crank" } },
      {
        name: "gear",
        kind: "coupling",
        terms: [
          { hinge: "rocker", factor: 2 },
          { hinge: "table.ry", factor: -1 },
        ],
        offset: 3,
      },
      { name: "drive", kind: "prescribed", hinge: "crank", motion: { rate: 1, amplitude: 0.5, frequency: 2, phase: 0.3 } },
    ]);
    expect(describeModel(createModel({ name: "m", bodies: [link("a")], loops: [] }))).not.toHaveProperty("loops");
  });

  test("have the prescribed motion", () => {
    const drive = model.loops[3]!;
    if (drive.type !== "coordinates") throw new Error("a drive relates coordinates");
    expect(prescribedValue(drive.motion, 0.7)).toBeCloseTo(0.7 + 0.5 * Math.sin(1.4 + 0.3), 15);
    expect(prescribedValue({ offset: 2, rate: 3, amplitude: 0, frequency: 0, phase: 0 }, 4)).toBe(14);
  });

  test("follow their frames when parameters change", () => {
    const changed = setParameters(model, { "tip.x": 2.5, "pin.to.y": 7, "rod.length": 3, "rod.from.z": 4 });
    const [pin, rod] = changed.loops as [FrameLoop, FrameLoop];
    expect([pin.from.placement.p, pin.to.placement.p]).toEqual([
      [2.5, 1, 0],
      [-1, 7, 0],
    ]);
    expect([rod.parameters, rod.from.placement.p]).toEqual([{ length: 3 }, [0, 0, 4]]);
    expect(rod.rows[0]!.value(IDENTITY, [3, 0, 0])).toBe(0);
    expect(() => setParameters(model, { "rod.length": -1 })).toThrow(/loops\[1\].length: must be positive, got -1/);
    expect(() => setParameters(model, { "pin.from.x": 1 })).toThrow(/no such parameter. Did you mean "pin.to.x"\?/);
  });
});
