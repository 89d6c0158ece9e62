/** Solids that touch by patches: stacks stand, blocks stick and slide, cylinders roll, boxes tip. SOLIDS=long runs the full times and sizes. */
import { describe, expect, it } from "vitest";
import { describeProblem, ModelError } from "../../../../src/errors.ts";
import { ridge } from "../../../../src/ground/shapes.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../../../src/model/description.ts";
import type { Model } from "../../../../src/model/model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import { drift, runFor } from "../../../fixtures/force-run.ts";

const IS_LONG = process.env.SOLIDS === "long";
const G = 9.81;
const TOLERANCES = { relativeTolerance: 1e-9, absoluteTolerance: 1e-11 };

type V3 = readonly [number, number, number];
const free = (name: string, mass: number, inertia: V3): BodyDescription => ({ name, mass, inertia, hinge: { kind: "free" } });
const boxInertia = (m: number, [x, y, z]: V3): V3 => [
  (m * (y * y + z * z)) / 12,
  (m * (x * x + z * z)) / 12,
  (m * (x * x + y * y)) / 12,
];

/** Gravity of a slope: the floor is z = 0, and x is downhill. */
const slopeModel = (bodies: readonly BodyDescription[], angle = 0): Model =>
  createModel({ name: "bodies", gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)], bodies });

const FLOOR = { kind: "box", name: "floor", at: [0, 0, -0.5], size: [40, 40, 1] } as const;
const PLANE = { kind: "plane", name: "floor" } as const;

interface Brick {
  readonly size: V3;
  readonly at: V3;
  readonly mass?: number;
}

/** Runs bricks on a floor from rest. `growth` is the largest growth of the energy between samples, J. */
function standing(
  bricks: readonly Brick[],
  duration: number,
  parameters: object = {},
  settings = { relativeTolerance: 1e-10, absoluteTolerance: 1e-12 },
) {
  const bodies = bricks.map(({ size, mass = 1 }, i) => free(`b${i}`, mass, boxInertia(mass, size)));
  const model = slopeModel(bodies);
  const shapes = bricks.map(({ size }, i) => ({ kind: "box", name: `b${i}`, on: `b${i}`, size }));
  const contact = readForce(
    "contact",
    "contact",
    { shapes: [...shapes, FLOOR], modulus: 1e6, damping: 5, friction: 0.5, ...parameters },
    model,
  );
  const q = bricks.flatMap(({ at }) => [1, 0, 0, 0, ...at]);
  const system = createSystem(model, [contact]);
  const run = simulate(system, system.start({ q }), {
    duration,
    integrator: "dopri5-radau5",
    settings,
    sample: 0.01,
    channels: ["energy.*"],
  });
  const potential = run.log.column("energy.potential");
  const energy = Array.from(run.log.column("energy.kinetic"), (T, i) => T + potential[i]!);
  const growth = energy.reduce((most, E, i) => Math.max(most, i === 0 ? 0 : E - energy[i - 1]!), 0);
  return { q: [...run.q], u: [...run.u], run, growth };
}

const largest = (values: readonly number[]): number => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

const cubes = (n: number, a = 0.2): Brick[] =>
  Array.from({ length: n }, (_, i) => ({ size: [a, a, a], at: [0, 0, a * (i + 0.5)] }));

describe("stacks of boxes", () => {
  it.each(IS_LONG ? [2, 3, 4, 5, 6, 7, 8, 9, 10] : [2, 3])("%d equal cubes stand", (n) => {
    const { q, u, run, growth } = standing(cubes(n), IS_LONG ? 20 : 2);
    expect(largest(u)).toBeLessThan(1e-6);
    expect(growth).toBeLessThan(1e-11);
    for (let i = 0; i < n; i++) {
      expect(q[7 * i + 6]).toBeLessThan(0.2 * (i + 0.5));
      expect(q[7 * i + 6]).toBeGreaterThan(0.2 * (i + 0.5) - 1e-4 * (i + 1) * n);
      expect(Math.hypot(q[7 * i + 4]!, q[7 * i + 5]!)).toBeLessThan(1e-9);
    }
    expect(drift(run, "energy")).toBeLessThan(1e-8);
  });

  it("crossed planks stand, although no corner is inside of another", () => {
    const planks = Array.from(
      { length: IS_LONG ? 6 : 3 },
      (_, i): Brick => ({
        size: i % 2 === 0 ? [0.6, 0.1, 0.05] : [0.1, 0.6, 0.05],
        at: [0, 0, 0.05 * (i + 0.5)],
      }),
    );
    const { q, u, growth } = standing(planks, IS_LONG ? 20 : 2, { damping: 20 });
    expect(largest(u)).toBeLessThan(IS_LONG ? 1e-6 : 1e-4);
    expect(q.at(-1)).toBeGreaterThan(0.05 * (planks.length - 0.5) - 1e-3);
    expect(growth).toBeLessThan(1e-11);
  });

  it("a wall of bricks stands", () => {
    const [length, height, gap] = [0.2, 0.08, 0.002];
    const [rows, columns] = IS_LONG ? [5, 4] : [2, 2];
    const half = (length - gap) / 2;
    const row = (r: number): Brick[] => {
      const brick = (x: number, size = length): Brick => ({
        size: [size, 0.1, height],
        at: [x, 0, height * (r + 0.5)],
        mass: size / length,
      });
      const wholes = (count: number, x: number) => Array.from({ length: count }, (_, c) => brick(x + c * (length + gap)));
      if (r % 2 === 0) return wholes(columns, 0);
      const end = (columns - 1) * (length + gap) + length / 2 - half / 2;
      return [brick((half - length) / 2, half), ...wholes(columns - 1, (length + gap) / 2), brick(end, half)];
    };
    const bricks = Array.from({ length: rows }, (_, r) => row(r)).flat();
    const { q, u, growth } = standing(bricks, IS_LONG ? 20 : 1, { damping: 20 });
    expect(largest(u)).toBeLessThan(IS_LONG ? 1e-6 : 1e-4);
    expect(growth).toBeLessThan(1e-11);
    for (const [i, { at }] of bricks.entries()) expect(Math.abs(q[7 * i + 6]! - at[2])).toBeLessThan(1e-3);
  });

  it("rest costs few evaluations: implicit steps", () => {
    const evaluations = (duration: number): number => standing(cubes(2), duration).run.counts.evaluations;
    expect(evaluations(20) / evaluations(2)).toBeLessThan(1.2);
  });

  // All points of the lower patch leave faster than 1 / damping, so that it has no load, but a potential and a grip.
  it("the energy balance holds while a patch with a grip has no load", () => {
    const cube: Brick = { size: [0.2, 0.2, 0.2], at: [0, 0, 0.1] };
    const model = slopeModel([free("b0", 1, boxInertia(1, cube.size))]);
    const shapes = [{ kind: "box", name: "b0", on: "b0", size: cube.size }, PLANE];
    const contact = readForce("contact", "contact", { shapes, modulus: 1e5, damping: 50, friction: 0.5 }, model);
    const system = createSystem(model, [contact]);
    const start = system.start({ q: [Math.cos(0.2), Math.sin(0.2), 0, 0, 0, 0, 0.15], u: [0, 0, 1, 0.4, 0, -1] });
    const settings = { relativeTolerance: 1e-7, absoluteTolerance: 1e-9 };
    const run = simulate(system, start, { duration: 0.2, integrator: "dopri5-radau5", settings, sample: 0.01 });
    expect(drift(run, "energy")).toBeLessThan(1e-8);
  });

  it("the first touch by a corner passes with the default integrator and its tolerances", () => {
    const cube: Brick = { size: [0.2, 0.2, 0.2], at: [0, 0, 0.1] };
    const model = slopeModel([free("b0", 1, boxInertia(1, cube.size))]);
    const shapes = [{ kind: "box", name: "b0", on: "b0", size: cube.size }, PLANE];
    const contact = readForce(
      "contact",
      "contact",
      { shapes, modulus: 1e6, damping: 2, friction: 0.4, bristleTime: 0.005 },
      model,
    );
    const system = createSystem(model, [contact]);
    const start = system.start({
      q: [0.9, 0.3, 0.2, 0.1, 0, 0, 0.18].map((x, i) => (i < 4 ? x / Math.hypot(0.9, 0.3, 0.2, 0.1) : x)),
      u: [0.3, 0.5, 0.2, 0.1, 0, -0.1],
    });
    const { counts, audit } = simulate(system, start, { duration: 0.1 });
    expect(counts.evaluations).toBeLessThan(60_000);
    expect(audit.find(({ channel }) => channel === "energy")!.worst).toBeLessThan(1e-10);
  });

  // Sums over patches must not depend on their triangles: with forces that jump by 1e-5 it did not finish within a minute.
  it("boxes of different sizes that are not aligned need no tiny steps", () => {
    const bricks: Brick[] = [
      { size: [0.21, 0.16, 0.13], at: [0, 0, 0.065] },
      { size: [0.17, 0.22, 0.18], at: [0.023, -0.011, 0.22] },
      { size: [0.24, 0.19, 0.11], at: [-0.004, 0.017, 0.365] },
      { size: [0.18, 0.18, 0.15], at: [0.019, 0.027, 0.495] },
    ];
    const { q, run } = standing(bricks, 0.2);
    expect(run.counts.evaluations).toBeLessThan(60_000);
    for (const [i, { at }] of bricks.entries()) expect(Math.abs(q[7 * i + 6]! - at[2])).toBeLessThan(1e-3);
  });

  it("a box whose centre is outside of its support falls, one whose centre is inside stands", () => {
    const offset = (x: number): Brick[] => [
      { size: [0.2, 0.2, 0.2], at: [0, 0, 0.1] },
      { size: [0.2, 0.2, 0.2], at: [x, 0, 0.3] },
    ];
    // Close to the edge it rocks before it comes to rest: the damping of rocking is proportional to its load and the size of the patch.
    const inside = standing(offset(0.08), IS_LONG ? 20 : 2, { damping: 50 });
    expect(inside.q[13]).toBeGreaterThan(0.299);
    expect(largest(inside.u)).toBeLessThan(IS_LONG ? 1e-6 : 0.2);
    const outside = standing(offset(0.11), 1);
    expect(outside.q[13]).toBeLessThan(0.25);
  });

  // A cube rolls off and lands almost flat while it slides: most of its patch leaves faster than 1 / damping. With points instead of
  // triangles the step shrank to nothing there.
  it("stairs of three cubes fall, and the run ends with all of them on the floor", () => {
    const stairs = [0, 1, 2].map((i): Brick => ({ size: [0.2, 0.2, 0.2], at: [0.07 * i, 0, 0.2 * i + 0.1] }));
    const settings = { relativeTolerance: 1e-5, absoluteTolerance: 1e-7 };
    const { q, u, run } = standing(stairs, IS_LONG ? 3 : 1.2, { modulus: 1e7, damping: 20 }, settings);
    expect(run.counts.evaluations).toBeLessThan(100_000);
    expect(q[13]).toBeCloseTo(0.1, 2);
    if (IS_LONG) {
      expect(q[20]).toBeCloseTo(0.1, 3);
      expect(largest(u)).toBeLessThan(1e-6);
    }
  });
});

/** A body on a slope, started at the depth at which it rests. */
function onSlope(
  shape: object,
  inertia: V3,
  angle: number,
  height: number,
  duration: number,
  parameters: object,
  start: object = {},
) {
  const model = slopeModel([free("body", 1, inertia)], angle);
  const contact = readForce(
    "contact",
    "contact",
    { shapes: [{ name: "body", on: "body", ...shape }], against: [PLANE], law: "pressure", modulus: 1e6, ...parameters },
    model,
  );
  return runFor(model, [contact], duration, { q: [1, 0, 0, 0, 0, 0, height], ...start }, [], TOLERANCES);
}

describe("friction of patches", () => {
  const cube = { kind: "box", size: [0.2, 0.2, 0.2] };
  const inertia = boxInertia(1, [0.2, 0.2, 0.2]);

  it("holds a block on a slope below the angle of friction, without creep", () => {
    const at = (duration: number) => onSlope(cube, inertia, 0.4, 0.1, duration, { damping: 10, friction: 0.5 });
    const [early, late] = [at(2), at(3)];
    expect(largest(late.u)).toBeLessThan(1e-6);
    expect(Math.abs(late.q[4]! - early.q[4]!)).toBeLessThan(1e-6);
    expect(late.q[4]).toBeLessThan(1e-3);
  });

  it("lets a tall box tip over above its tipping angle, and it comes to lie on its side, not below the plane", () => {
    const tall = { kind: "box", size: [0.2, 0.2, 0.4] };
    const at = (angle: number, duration: number) =>
      onSlope(tall, boxInertia(1, [0.2, 0.2, 0.4]), angle, 0.2, duration, { modulus: 1e7, damping: 10, friction: 2 });
    const tipping = Math.atan(0.5);
    expect(at(tipping + 0.03, 1.5).q[6]).toBeGreaterThan(0.08); // half its width
    expect(at(tipping + 0.03, 1.5).q[6]).toBeLessThan(0.12);
    expect(at(tipping - 0.03, 1.5).q[6]).toBeGreaterThan(0.19); // it stands
  });

  it("lets it slide above that angle with g (sin - μ cos)", () => {
    const [t1, t2] = [0.5, 1];
    const at = (duration: number) => onSlope(cube, inertia, 0.4, 0.1, duration, { damping: 10, friction: 0.3 }).u[3]!;
    const acceleration = (at(t2) - at(t1)) / (t2 - t1);
    expect(acceleration / (G * (Math.sin(0.4) - 0.3 * Math.cos(0.4)))).toBeCloseTo(1, 7);
  });

  it("lets a cylinder and a ball roll without slip, 2/3 and 5/7 g sin, and keeps their energy", () => {
    const [r, L, angle] = [0.1, 0.3, 0.2];
    const across = (3 * r * r + L * L) / 12;
    for (const [shape, moments, share] of [
      [{ kind: "cylinder", axis: "y", radius: r, length: L }, [across, 0.5 * r * r, across], 2 / 3],
      [{ kind: "sphere", radius: r }, [0.4 * r * r, 0.4 * r * r, 0.4 * r * r], 5 / 7],
    ] as const) {
      // At the depth d the load is g cos. It rolls on the radius from its axis to the centre of pressure, r - d.
      const force = (d: number): number =>
        shape.kind === "sphere"
          ? 1e6 * Math.PI * d * d * (1 - d / (2 * r)) ** 2
          : 1e6 * (2 / 3) * ((2 * Math.sqrt(2 * r * d - d * d) ** 3) / (3 * r * r)) * L;
      let [low, high] = [0, r / 2];
      for (let k = 0; k < 60; k++) {
        const middle = (low + high) / 2;
        if (force(middle) < G * Math.cos(angle)) low = middle;
        else high = middle;
      }
      const rolling = r - low;
      const inertiaShare = moments[1]! / (rolling * rolling);
      expect(1 / (1 + inertiaShare)).toBeCloseTo(share, 1);
      const start = { q: [1, 0, 0, 0, 0, 0, rolling] };
      const at = (t: number) => onSlope(shape, moments as V3, angle, 0, t, { friction: 0.5, bristleTime: 1e-3 }, start);
      const [one, two] = [at(0.4), at(0.8)];
      // bristleTime damps the oscillation of the grip about its load, not the rolling.
      const acceleration = (two.u[3]! - one.u[3]!) / 0.4;
      expect(acceleration / ((G * Math.sin(angle)) / (1 + inertiaShare))).toBeCloseTo(1, 5);
      expect(two.u[1]! * rolling).toBeCloseTo(two.u[3]!, 4); // friction changes the depth a little
      expect(drift(two.run, "energy")).toBeLessThan(1e-7);
    }
  });
});

describe("input", () => {
  const model = slopeModel([free("a", 1, [1, 1, 1]), free("b", 1, [1, 1, 1])]);
  const box = { kind: "box", size: [1, 1, 1] };
  const refusal = (parameters: object): string => {
    try {
      readForce("contact", "c", parameters as never, model);
    } catch (error) {
      if (error instanceof ModelError) return error.problems.map(describeProblem).join("\n");
      throw error;
    }
    return "";
  };

  it.each([
    [{ shapes: [{ ...box, on: "a" }], against: [PLANE] }, /c\.modulus: is missing/],
    [{ shapes: [{ ...box, on: "a" }], against: [PLANE], law: "linear" }, /c\.stiffness: is missing: the linear law needs it/],
    [
      { shapes: [{ kind: "point", on: "a" }], against: [PLANE], modulus: 1e6 },
      /point with plane is not supported by the law of pressure.*There are pairs of point with nothing; of plane with sphere, capsule, disc, cylinder, cone, box, hull/,
    ],
    [
      {
        shapes: [{ kind: "disc", on: "a", radius: 1, inner: 0.5 }],
        against: [{ kind: "disc", on: "b", radius: 1, inner: 0.5 }],
        modulus: 1e6,
      },
      /disc with disc is not supported by the law of pressure/,
    ],
    [
      { shapes: [{ kind: "sphere", on: "a", radius: 1 }], against: [PLANE], stiffness: 1e4, modulus: 1e6 },
      /c\.modulus: no pair of these shapes has a contact patch/,
    ],
    [
      { shapes: [{ kind: "hull", on: "a", points: [[0, 0, 0]] }], against: [PLANE], modulus: 1 },
      /points: a hull needs at least 4 points/,
    ],
    [
      {
        shapes: [
          {
            kind: "hull",
            on: "a",
            points: [
              [0, 0],
              [1, 0, 0],
              [0, 1, 0],
              [0, 0, 1],
            ],
          },
        ],
        against: [PLANE],
        modulus: 1,
      },
      /points\[0\]: must have 3 numbers, has 2/,
    ],
    [{ shapes: [{ kind: "hull", on: "a", file: "part.stl" }], against: [PLANE], modulus: 1 }, /file: cannot be read here/],
  ])("%j is refused", (parameters, message) => {
    expect(refusal(parameters)).toMatch(message);
  });

  it("a stiffness gives the modulus with which a cube on a face is as stiff as on four points", () => {
    const falling = slopeModel([free("a", 1, [1, 1, 1])]);
    const depthOf = (parameters: object): number => {
      const contact = readForce(
        "contact",
        "c",
        { shapes: [{ ...box, name: "a", on: "a" }], damping: 20, ...parameters } as never,
        falling,
      );
      return 0.5 - runFor(falling, [contact], 3, { q: [1, 0, 0, 0, 0, 0, 0.5] }, [], TOLERANCES).q[6]!;
    };
    const points = depthOf({ against: [PLANE], stiffness: 1e4 });
    const patch = depthOf({ against: [{ ...FLOOR, size: [3, 3, 1] }], stiffness: 1e4 });
    expect(points).toBeCloseTo(G / 4e4, 9);
    expect(patch / points).toBeCloseTo(1, 2);
  });

  const PLANK = { kind: "box", size: [1, 1, 0.2] } as const;
  const BAR = { kind: "capsule", radius: 0.1, at: [-0.5, 0, 0], to: [0.5, 0, 0] } as const;
  it.each([PLANK, BAR])("a $kind rests on a ridge between its ends, without a law in the file", (solid) => {
    const model = createModel({
      name: "plank",
      gravity: [0, 0, -G],
      bodies: [{ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "z" } }],
    });
    const parameters = { shapes: [{ ...solid, name: "a", on: "a" }], against: [{ kind: "ground" }], stiffness: 1e5, damping: 5 };
    const contact = readForce("contact", "c", parameters as never, model, { terrain: ridge(0.3, 0.6) });
    const run = runFor(model, [contact], 2, { q: [0.45] }, [], { relativeTolerance: 1e-7, absoluteTolerance: 1e-9 });
    expect(run.q[0]).toBeGreaterThan(0.39); // 0.1 above the top of the ridge, less the depth
    expect(run.q[0]).toBeLessThan(0.4);
  });
});
