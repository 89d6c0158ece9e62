/** Input that contact refuses, and pairs that its broad phase skips. */
import { describe, expect, it } from "vitest";
import { describeProblem, ModelError } from "../../src/errors.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { ContactDetector } from "../../src/parts/force/contact/contact-detector.ts";
import { contactCandidates } from "../../src/parts/force/contact/pair-kinds.ts";
import { type ContactShapeValues, readShapes } from "../../src/parts/force/contact/shape.ts";
import { CONTACT_SHAPE_KINDS } from "../../src/parts/force/contact/shape-kinds.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import { uniform } from "../fixtures/models/random-model.ts";

const MODEL = createModel({
  name: "two",
  bodies: ["a", "b"].map((name) => ({ name, mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" as const } })),
});
const BALL = { kind: "sphere", on: "a", radius: 0.1 };
const FLOOR = { kind: "plane", axis: "z" };
const GOOD = { shapes: [BALL], against: [FLOOR], stiffness: 1e4 };

function refusal(changes: object): string {
  try {
    readForce("contact", "c", { ...GOOD, ...changes }, MODEL);
  } catch (error) {
    if (error instanceof ModelError) return error.problems.map(describeProblem).join("\n");
    throw error;
  }
  return "";
}

describe("contact refuses", () => {
  it.each([
    [{ stiffness: -1 }, /c\.stiffness: must be positive, got -1/],
    [{ damping: -1 }, /c\.damping: must not be negative/],
    [{ friction: -0.1 }, /c\.friction: must not be negative/],
    [{ shapes: [{ ...BALL, radius: 0 }] }, /c\.shapes\[0\]\.radius: must be positive, got 0/],
    [{ shapes: [{ kind: "sphere", on: "a" }] }, /c\.shapes\[0\]\.radius: is missing: a sphere needs it/],
    [{ shapes: [{ ...BALL, on: "c" }] }, /c\.shapes\[0\]\.on: no frame or body has this name, got "c"/],
    [{ shapes: [{ ...BALL, kind: "ball" }] }, /c\.shapes\[0\]\.kind: is not one of the choices/],
    [{ shapes: [{ ...BALL, length: 1 }] }, /c\.shapes\[0\]\.length: a sphere does not have it.*It has radius/],
    [{ shapes: [] }, /c\.shapes: there are none/],
    [{ shapes: [BALL], against: [] }, /shapes on two bodies/],
    [{ against: [{ ...BALL, at: [1, 0, 0] }] }, /sphere 1 on a and sphere 1 on a are on the same body/],
    [
      {
        against: [
          { kind: "plane", on: "b" },
          { kind: "rim", on: "b", radius: 1 },
        ],
        shapes: [{ kind: "point", on: "a" }],
      },
      /no pair of point 1 on a and rim 2 on b: point with rim is not supported.*There are pairs of point with sphere, plane, disc, cylinder, cone, box, ground; of rim with sphere, edge/,
    ],
    [{ shapes: [{ kind: "edge", on: "a", to: [0, 0, 0] }] }, /c\.shapes\[0\]\.to: both ends are at the same point/],
    [
      { shapes: [{ kind: "edge", on: "a", to: [1, 0, 0] }], against: [{ kind: "edge", on: "b", to: [0, 1, 0] }] },
      /of two edges, one must give its outside direction.*Give out/,
    ],
    [{ against: [{ kind: "disc", radius: 1, inner: 2 }] }, /inner: must be less than the radius, 1/],
    [{ against: [{ kind: "rim", radius: 1, outer: 0.5 }] }, /outer: must be more than the radius, 1/],
    [
      { shapes: [{ kind: "edge", on: "a", to: [1, 0, 0], fade: 0.1 }], against: [{ kind: "rim", radius: 1 }] },
      /fade: .* needs a reach/,
    ],
    [{ shapes: [{ ...BALL, copies: 2.5 }] }, /copies: must be a whole number/],
    [
      {
        shapes: [
          { ...BALL, name: "x" },
          { ...BALL, name: "x" },
        ],
      },
      /shapes\[1\]\.name: two shapes have the name x/,
    ],
    [{ pairs: "in order", against: [FLOOR, FLOOR] }, /as many shapes as there are against, not 1 and 2/],
    [{ against: [{ kind: "ground", on: "b" }] }, /against\[0\]\.on: the ground is fixed in the world/],
    [{ against: [{ kind: "ground", at: [0, 0, 1] }] }, /against\[0\]\.at: the ground has no position and no copies/],
    [{ bristleTime: 0.1 }, /bristleTime: there are no bristles/],
    [{ shapes: [{ ...BALL, copies: 1000 }], against: [{ ...FLOOR, copies: 1000 }] }, /at most 100000 pairs, these are 1000000/],
  ])("%j", (changes, message) => {
    expect(refusal({})).toBe("");
    expect(refusal(changes)).toMatch(message);
  });

  it("bodies that overlap at the start of a scenario, unless it is allowed", () => {
    const scenario = (more: string) =>
      loadScenario(
        `castor: 1
name: sunk
model:
  name: ball
  bodies: [{ name: a, mass: 1, inertia: [1, 1, 1], hinge: { kind: free } }]
state: { q: { a: [1, 0, 0, 0, 0, 0, 0.09] } }
forces:
  floor: { kind: contact, shapes: [{ kind: sphere, name: ball, on: a, radius: 0.1 }], against: [{ kind: plane }], stiffness: 1e4${more} }
duration: 1
`,
        "sunk.yaml",
      );
    expect(() => prepareScenario(scenario(""))).toThrow(
      /forces\.floor: sphere ball on a and plane 1 in the world are 10 mm deep in each other at the start.*startDepth: 10 mm/s,
    );
    expect(() => prepareScenario(scenario(", startDepth: 10 mm"))).not.toThrow();
  });
});

describe("the broad phase", () => {
  /** Balls of radius 0.5 on n bodies, at the positions of a snapshot. */
  const cloud = (n: number, places: readonly (readonly number[])[]) => {
    const note = (): void => undefined;
    const shape = readShapes(
      "shapes",
      [{ kind: "sphere", at: [0, 0, 0], radius: 0.5, copies: 1 } as unknown as ContactShapeValues],
      note,
    )[0]!;
    const meetings = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n - i - 1 }, (_, k) => ({
        ...contactCandidates(shape, shape)![0]!,
        firstCarrier: 1 + i,
        secondCarrier: 2 + i + k,
      })),
    ).flat();
    const frames = Float64Array.from(places.flatMap((p) => [1, 0, 0, 0, 1, 0, 0, 0, 1, ...p, 0, 0, 0, 0, 0, 0]));
    return { contacts: new ContactDetector(meetings, n), frames, meetings };
  };

  it("runs the narrow phase only for near pairs", () => {
    for (const n of [10, 40, 100]) {
      // Overlapping pairs of balls, far from the other pairs.
      const { contacts, frames, meetings } = cloud(
        n,
        Array.from({ length: n }, (_, i) => [7 * (i >> 1) + 0.9 * (i & 1), ((i >> 1) * 37) % 11, ((i >> 1) * 53) % 13]),
      );
      contacts.findContacts(frames);
      expect(meetings.length).toBe((n * (n - 1)) / 2);
      expect(contacts.count).toBe(n / 2);
      expect(contacts.narrowPhaseCalls).toBe(n / 2);
    }
  });

  it("finds the same contacts as testing all pairs, in the same order, whatever the earlier states", () => {
    const n = 60;
    const next = uniform(5);
    for (let k = 0; k < 8; k++) {
      const places = Array.from({ length: n }, () => [6 * next(), 6 * next(), 2 * next()]);
      const { contacts, frames, meetings } = cloud(n, places);
      contacts.findContacts(Float64Array.from(frames, (v) => -v)); // another order before
      contacts.findContacts(frames);
      const expected = meetings.flatMap(({ firstCarrier: i, secondCarrier: j }, m) =>
        Math.hypot(...places[i - 1]!.map((x, c) => x - places[j - 1]![c]!)) < 1 ? [m] : [],
      );
      expect(expected.length).toBeGreaterThan(5);
      expect([...contacts.touching.subarray(0, contacts.count)]).toEqual(expected);
    }
  });

  it("skips pairs by their gaps, and finds the same contacts as a new detector along a path", () => {
    const next = uniform(11);
    const around = (r: number): number[] => [0, 1, 2].map(() => r * (2 * next() - 1));
    // Petals in a rim as on docking rings, and copies of all other shapes.
    const petal = { kind: "edge", at: [0.04, 0.598, 0], to: [0.21, 0.477, 0], heel: 0.03, copies: 6, around: [1, 0, 0] };
    const rim = { kind: "rim", axis: [1, 0, 0], radius: 0.6, outer: 0.68 };
    const others = (r: number): object[] => [
      { kind: "sphere", at: around(r), radius: 0.1 },
      { kind: "point", at: around(r) },
      { kind: "capsule", at: around(r), to: around(r), radius: 0.05 },
      { kind: "box", at: around(r), size: [0.3, 0.2, 0.4] },
      { kind: "disc", at: around(r), axis: [0.6, 0.8, 0], inner: 0.1, radius: 0.4, thickness: 0.1 },
      { kind: "cone", at: around(r), axis: [0, 0.6, 0.8], radius: 0.4, tip: 0.1, length: 0.3 },
      { kind: "rim", at: around(r), axis: [0, 0, 1], radius: 0.3, outer: 0.4 },
      { kind: "edge", at: around(r), to: around(r), heel: 0.02, out: around(1), reach: 0.05, fade: 0.01 },
      { kind: "plane", at: [0, -0.6, 0], axis: [0, 1, 0] },
    ];
    const made = (list: object[]) =>
      readShapes(
        "shapes",
        list.map((shape) => ({ copies: 1, at: [0, 0, 0], ...shape })) as unknown as ContactShapeValues[],
        () => {},
      );
    for (const [first, second] of [
      [made([petal]), made([rim])],
      [made(others(0.5)), made(others(0.5))],
    ] as const) {
      const meetings = first.flatMap((a) =>
        second.flatMap((b) =>
          (contactCandidates(a, b) ?? []).map((m) => ({
            ...m,
            firstCarrier: m.swapped ? 2 : 1,
            secondCarrier: m.swapped ? 1 : 2,
          })),
        ),
      );
      const walking = new ContactDetector(meetings, 2);
      let [touched, freshly] = [0, 0];
      const [place, drift, turn, spin] = [
        [-0.1, 0, 0],
        [0, 0, 0],
        [0, 0, 0, 1],
        [0, 0, 0],
      ];
      for (let k = 0; k < 1500; k++) {
        // Smooth motion, sometimes in another direction, and a jump.
        if (k % 50 === 0) drift.splice(0, 3, ...around(2e-3).map((v, i) => v - 2e-2 * (place[i]! + (i === 0 ? 0.1 : 0))));
        if (k % 50 === 0) spin.splice(0, 3, ...around(4e-3).map((v, i) => v - 1e-2 * turn[i]!));
        for (let i = 0; i < 3; i++) {
          place[i]! += drift[i]! + (k % 500 === 0 ? 0.05 * next() : 0);
          turn[i]! += spin[i]!;
        }
        const size = Math.hypot(...turn);
        const [x, y, z, w] = turn.map((v) => v / size) as [number, number, number, number];
        const R = [
          [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
          [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
          [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ].flat();
        const still = [0, 0, 0, 0, 0, 0];
        const frames = Float64Array.from([...R, ...place, ...still, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, ...still]);
        const fresh = new ContactDetector(meetings, 2);
        fresh.findContacts(frames);
        walking.findContacts(frames);
        expect(walking.touching.subarray(0, walking.count)).toEqual(fresh.touching.subarray(0, fresh.count));
        expect(walking.hits.subarray(0, 7 * walking.count)).toEqual(fresh.hits.subarray(0, 7 * fresh.count));
        touched += fresh.count;
        freshly += fresh.narrowPhaseCalls;
      }
      expect(touched).toBeGreaterThan(400);
      expect(walking.narrowPhaseCalls).toBeLessThan(0.7 * freshly);
    }
  });

  it("distinguishes sets of contacts by their signature", () => {
    const { contacts, frames } = cloud(
      20,
      Array.from({ length: 20 }, (_, i) => [2 * i, 0, 0]),
    );
    const signs = new Set<number>();
    for (let i = 0; i < 19; i++) {
      const moved = Float64Array.from(frames);
      for (let k = 0; k <= i; k++) moved[18 * k + 9] = 2 * i + 0.1 * k;
      signs.add(contacts.signature(moved));
    }
    expect(signs.size).toBe(19);
    expect(signs.has(0)).toBe(false);
  });
});

const TETRAHEDRON = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

it("every kind of shape can touch another", () => {
  const one = (kind: string) => ({
    kind,
    on: "a",
    radius: 1,
    to: [1, 0, 0],
    size: [1, 1, 1],
    length: 1,
    out: [0, 0, 1],
    points: TETRAHEDRON,
  });
  const noted: string[] = [];
  // The shape `collisions` stands for others, which replace it when a robot file is read.
  const shapes = CONTACT_SHAPE_KINDS.filter((kind) => kind !== "collisions").map(
    (kind) =>
      readShapes("shapes", [{ at: [0, 0, 0], copies: 1, ...one(kind) } as unknown as ContactShapeValues], (_, m) =>
        noted.push(m),
      )[0]!,
  );
  for (const a of shapes)
    expect(
      shapes.some((b) => contactCandidates(a, b)),
      a.kind,
    ).toBe(true);
});
