/**
 * Patches of the pressure law: for every kind of pair, force and torque are the derivative of the potential, and they do not jump. Closed forms for
 * a sphere, a cylinder and a box on a plane. PRESSURE_POSES sets the number of random poses.
 */
import { describe, expect, it } from "vitest";
import { boxPolytope, type Polytope } from "../../../../src/math/convex/polytope.ts";
import { LinePressure } from "../../../../src/parts/force/contact/pressure/line-pressure.ts";
import { GroundSource, planeSource } from "../../../../src/parts/force/contact/pressure/near-solids.ts";
import type { PatchFinder } from "../../../../src/parts/force/contact/pressure/patch-finder.ts";
import { PatchStore } from "../../../../src/parts/force/contact/pressure/patch-store.ts";
import { boundedSource, type RigidSource } from "../../../../src/parts/force/contact/pressure/placed-solid.ts";
import { PolytopePressure } from "../../../../src/parts/force/contact/pressure/polytope-pressure.ts";
import { revolvedPolytope, rigidSolid, ringSolid } from "../../../../src/parts/force/contact/pressure/rigid-solid.ts";
import { RoundPressure } from "../../../../src/parts/force/contact/pressure/round-pressure.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";

const POSES = Number(process.env.PRESSURE_POSES ?? 60);
/** Length of all solids here, m: torques are compared with forces times this. */
const SIZE = 0.5;

const IDENTITY = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const CENTRED = { at: [0, 0, 0], R: IDENTITY } as const;
const box = boxPolytope([0.5, 0.4, 0.3]);
const cube = boxPolytope([0.4, 0.4, 0.4]);
const solid = (p: Polytope): RigidSource => boundedSource(rigidSolid([p]));
const sphere = { radius: 0.3, half: 0, ends: "round", place: CENTRED } as const;
const capsule = { radius: 0.2, half: 0.4, ends: "round", place: { at: [0.1, 0, 0], R: IDENTITY } } as const;
const cylinder = { radius: 0.3, half: 0.5, ends: "flat", place: CENTRED } as const;
const prism = revolvedPolytope(0.3, -0.5, 0.3, 0.5, 64);
const ring = boundedSource(
  ringSolid(
    [
      [0.5, -0.1],
      [0.9, -0.1],
      [0.9, 0.1],
      [0.5, 0.1],
    ],
    48,
    CENTRED,
  ),
);
const ball = { centre: [0, 0, 0], reach: 0.8 } as const;
const plane = planeSource([0, 0, -0.4], [0, 0, 1], ball);
const hills = {
  sample(x: number, y: number, out: Float64Array): void {
    out[0] = 0.1 * Math.sin(3 * x) * Math.cos(4 * y) - 0.3;
  },
};
const ground = (): RigidSource => new GroundSource(hills, ball);

/** Name, finder, and the distance within which centres are placed. */
const PAIRS: readonly (readonly [string, PatchFinder, number])[] = [
  ["box and cube", new PolytopePressure(box, solid(cube)), 0.8],
  ["cube and cube", new PolytopePressure(cube, solid(cube)), 0.7],
  ["box and cylinder", new PolytopePressure(box, solid(prism)), 0.7],
  ["box and cone", new PolytopePressure(box, solid(revolvedPolytope(0.3, -0.5, 0, 0.5, 64))), 0.7],
  ["box and ring", new PolytopePressure(box, ring), 0.7],
  ["box and plane", new PolytopePressure(box, plane), 0.3],
  ["box and ground", new PolytopePressure(box, ground()), 0.3],
  ["sphere and box", new RoundPressure(sphere, solid(box)), 0.7],
  ["sphere and cylinder", new RoundPressure(sphere, solid(prism)), 0.6],
  ["capsule and box", new RoundPressure(capsule, solid(box)), 0.7],
  ["capsule and ring", new RoundPressure(capsule, ring), 0.7],
  ["cylinder and box", new RoundPressure(cylinder, solid(box)), 0.8],
  ["cylinder and cylinder", new RoundPressure(cylinder, solid(prism)), 0.7],
  ["cylinder and plane", new RoundPressure(cylinder, plane), 0.3],
  ["cylinder and ground", new RoundPressure(cylinder, ground()), 0.3],
  [
    "capsules",
    new LinePressure(
      { from: [-0.4, 0, 0], to: [0.4, 0.1, 0], radius: 0.2 },
      { from: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.15 },
    ),
    0.5,
  ],
  [
    "capsule and sphere",
    new LinePressure({ from: [-0.4, 0, 0], to: [0.4, 0.1, 0], radius: 0.2 }, { from: [0, 0, 0], to: [0, 0, 0], radius: 0.15 }),
    0.5,
  ],
  [
    "spheres",
    new LinePressure({ from: [0, 0, 0], to: [0, 0, 0], radius: 0.2 }, { from: [0, 0, 0], to: [0, 0, 0], radius: 0.15 }),
    0.3,
  ],
];

const store = new PatchStore();

/** Depth, potential, and the wrench on the elastic body about its origin (torque, force) in axes of the rigid body. */
function pressed(finder: PatchFinder, X: Float64Array): { depth: number; energy: number; wrench: number[] } {
  store.clear();
  const depth = finder.find(X, store);
  const sum = [0, 0, 0, 0, 0, 0];
  if (!(depth > 0)) return { depth, energy: 0, wrench: sum };
  let i = 0;
  for (let f = 0; f < store.faceCount; f++) {
    const [nx, ny, nz, end] = [0, 1, 2, 3].map((k) => store.faces[4 * f + k]!) as [number, number, number, number];
    for (; i < end; i++) {
      const [x, y, z, p] = [0, 1, 2, 3].map((k) => store.nodes[4 * i + k]!) as [number, number, number, number];
      const add = [y * nz - z * ny, z * nx - x * nz, x * ny - y * nx, nx, ny, nz];
      for (let k = 0; k < 6; k++) sum[k]! += p * add[k]!;
    }
  }
  const wrench = [0, 3].flatMap((b) =>
    [0, 1, 2].map((r) => X[3 * r]! * sum[b]! + X[3 * r + 1]! * sum[b + 1]! + X[3 * r + 2]! * sum[b + 2]!),
  );
  return { depth, energy: store.energy, wrench };
}

function rotation([x, y, z]: readonly number[]): number[][] {
  const angle = Math.hypot(x!, y!, z!);
  if (angle === 0) return IDENTITY;
  const [a, b, c] = [x! / angle, y! / angle, z! / angle];
  const [s, C] = [Math.sin(angle), 1 - Math.cos(angle)];
  return [
    [1 - C * (b * b + c * c), a * b * C - c * s, a * c * C + b * s],
    [a * b * C + c * s, 1 - C * (a * a + c * c), b * c * C - a * s],
    [a * c * C - b * s, b * c * C + a * s, 1 - C * (a * a + b * b)],
  ];
}

function posed(turn: readonly number[], p: readonly number[]): Float64Array {
  return Float64Array.from([...rotation(turn).flat(), ...p]);
}

/** X, then moved by a twist h (rotation about the origin of the elastic body, translation) in axes of the rigid body. */
function moved(X: Float64Array, twist: readonly number[]): Float64Array {
  const T = rotation(twist.slice(0, 3));
  const Y = X.slice();
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) Y[3 * r + c] = T[r]![0]! * X[c]! + T[r]![1]! * X[3 + c]! + T[r]![2]! * X[6 + c]!;
  for (let r = 0; r < 3; r++) Y[9 + r]! += twist[3 + r]!;
  return Y;
}

const random = (seed: number) => {
  const next = uniform(seed);
  return () => 2 * next() - 1;
};

/** Force and torque against the derivative of the potential at a pose. */
function expectDerivative(finder: PatchFinder, X: Float64Array): void {
  const { wrench } = pressed(finder, X);
  const size = Math.hypot(...wrench.slice(3)) + Math.hypot(...wrench.slice(0, 3)) / SIZE;
  for (let i = 0; i < 6; i++) {
    const unit = i < 3 ? 1 : SIZE;
    const energyAt = (h: number): number => {
      const twist = [0, 1, 2, 3, 4, 5].map((k) => (k === i ? h : 0));
      return pressed(finder, moved(X, twist)).energy;
    };
    const slope = (h: number): number => (energyAt(h) - energyAt(-h)) / (2 * h);
    const h = 1e-4 * unit;
    // Two extrapolations of the central difference; their difference is its error, which is large where features appear.
    const [d1, d2, d3] = [slope(2 * h), slope(h), slope(h / 2)] as const;
    const [r1, r2] = [(4 * d2 - d1) / 3, (4 * d3 - d2) / 3] as const;
    const derivative = (16 * r2 - r1) / 15;
    const error = Math.abs(derivative + wrench[i]!) / (i < 3 ? SIZE : 1);
    // The potential is rounded to about 1e-17 J per Pa here, and is divided by h.
    expect(error).toBeLessThan(1e-8 * size + 2 * Math.abs(derivative - r2) + 2e-12);
  }
}

describe("patches of the pressure law", () => {
  it.each(PAIRS)("%s: force and torque are the derivative of the potential", (_, finder, reach) => {
    const draw = random(7);
    let touching = 0;
    for (let n = 0; n < POSES; n++) {
      const X = posed([3 * draw(), 3 * draw(), 3 * draw()], [reach * draw(), reach * draw(), reach * draw()]);
      const { depth } = pressed(finder, X);
      if (!(depth > 0) || depth > 0.7 * finder.depth) continue;
      touching++;
      expectDerivative(finder, X);
    }
    expect(touching).toBeGreaterThan(POSES / 10);
  });

  it("a cylinder that lies almost flat, so that its patch ends in a tip: the same", () => {
    for (const lift of [0.004, 0.0061, 0.012])
      for (const height of [0.296, 0.294, 0.29])
        expectDerivative(new RoundPressure(cylinder, plane), posed([Math.PI / 2 + 2 * lift, 0, 0.3], [0, 0, height - 0.4]));
  });

  it.each(PAIRS)("%s: forces are continuous along motions", (_, finder, reach) => {
    const draw = random(11);
    for (let n = 0; n < POSES / 6; n++) {
      const X = posed([3 * draw(), 3 * draw(), 3 * draw()], [reach * draw(), reach * draw(), reach * draw()]);
      const twist = [draw(), draw(), draw(), SIZE * draw(), SIZE * draw(), SIZE * draw()];
      const wrenchAt = (s: number): number[] | undefined => {
        const { depth, wrench } = pressed(
          finder,
          moved(
            X,
            twist.map((v) => s * v),
          ),
        );
        return depth > 0.7 * finder.depth ? undefined : wrench.map((w, i) => (i < 3 ? w / SIZE : w));
      };
      // A jump does not shrink as the steps become shorter; a continuous change does.
      let previous = wrenchAt(0);
      for (let k = 1; k <= 200; k++) {
        const next = wrenchAt(k / 400);
        if (previous && next) {
          const change = Math.hypot(...next.map((w, i) => w - previous![i]!));
          // The pressure is at most 1, on at most 2 m², and changes by at most 1/H per distance; edges of patches move up to ten times faster.
          expect(change).toBeLessThan((1 / 400) * (10 / finder.depth));
        }
        previous = next;
      }
    }
  });

  it("finds the force of a sphere on a plane, π d² (1 - d / 2R)²", () => {
    const finder = new RoundPressure(sphere, plane);
    for (const d of [1e-6, 1e-3, 0.05, 0.2]) {
      const { depth, energy, wrench } = pressed(finder, posed([0.3, 1, -0.4], [0.2, -0.1, -0.4 + 0.3 - d]));
      const force = Math.PI * d * d * (1 - d / 0.6) ** 2;
      expect(depth).toBeCloseTo(d, 12);
      expect(wrench[5]).toBeCloseTo(force, 14);
      expect(wrench[5]! / force).toBeCloseTo(1, 8);
      // ∫ π x² (1 - x/2R)² dx
      const potential = Math.PI * (d ** 3 / 3 - d ** 4 / (4 * 0.3) + d ** 5 / (20 * 0.09));
      expect(energy).toBeCloseTo(potential, 14);
      for (const i of [0, 1, 2, 3, 4]) expect(wrench[i]).toBeCloseTo(0, 14);
    }
  });

  it("finds the force of a cylinder on its end and on its side", () => {
    const finder = new RoundPressure(cylinder, plane);
    const d = 0.01;
    // On its end the mean of 1 - ρ²/R² is 1/2: F = π R²/2 (1 - z²/b²) / 2 at the depth d.
    const end = pressed(finder, posed([0, 0, 0.7], [0, 0, -0.4 + 0.5 - d]));
    expect(end.wrench[5]).toBeCloseTo((Math.PI * 0.09 * (1 - (0.49 / 0.5) ** 2)) / 4, 13);
    // On its side: half width c = √(2Rd - d²), ∫ (1 - (v² + (R-d)²)/R²) / 2 dv = 2 c³ / (3 R²), times the length × 2/3.
    const side = pressed(finder, posed([Math.PI / 2, 0, 0], [0, 0, -0.4 + 0.3 - d]));
    const c = Math.sqrt(2 * 0.3 * d - d * d);
    expect(side.wrench[5]).toBeCloseTo(((2 * c ** 3) / (3 * 0.09)) * (2 / 3), 13);
  });

  it("finds the force of equal cubes, one on the other, without a corner inside", () => {
    const finder = new PolytopePressure(cube, solid(cube));
    const d = 0.004;
    const { depth, energy, wrench } = pressed(finder, posed([0, 0, 0], [0, 0, 0.8 - d]));
    expect(depth).toBeCloseTo(d, 14);
    // Area × d / H, less the strip of width d along its edges, where the sides are nearer than the face: ∫ min(d, x) there.
    const area = 0.8 - 2 * d;
    expect(wrench[5]).toBeGreaterThan((area * area * d) / 0.4);
    expect(wrench[5]).toBeLessThan((0.64 * d) / 0.4);
    expect(energy).toBeGreaterThan(0);
    for (const i of [0, 1, 2, 3, 4]) expect(wrench[i]).toBeCloseTo(0, 15);
  });

  it("gives the gap where faces separate the solids, and nothing where they do not touch", () => {
    const finder = new PolytopePressure(cube, solid(cube));
    expect(pressed(finder, posed([0, 0, 0], [0, 0, 0.9])).depth).toBeCloseTo(-0.1, 14);
    expect(pressed(new RoundPressure(sphere, solid(cube)), posed([0, 0, 0], [0, 0, 0.75])).depth).toBeCloseTo(-0.05, 14);
    // Edges across each other, 0.01 apart: no face separates them.
    const tilt = Math.SQRT1_2 * 0.8;
    const turned = posed([Math.PI / 4, 0, 0], [0, 0, 0]);
    const other = placedOnEdge();
    expect(pressed(new PolytopePressure(cube, other), moved(turned, [0, 0, 0, 0, 0, 2 * tilt + 0.01])).depth).toBeLessThanOrEqual(
      0,
    );
    expect(pressed(new PolytopePressure(cube, other), moved(turned, [0, 0, 0, 0, 0, 2 * tilt - 0.01])).depth).toBeGreaterThan(0);
  });
});

/** The cube turned by 45° about y, with an edge on top. */
function placedOnEdge(): RigidSource {
  const s = Math.SQRT1_2;
  const corners = cube.corners.map(([x, y, z]) => [s * (x + z), y, s * (z - x)] as const);
  return solid({
    ...cube,
    corners,
    planes: cube.planes.map(({ normal: [x, y, z], offset }) => ({ normal: [s * (x + z), y, s * (z - x)], offset })),
  });
}
