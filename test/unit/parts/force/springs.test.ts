import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { bushing } from "../../../../src/parts/force/springs/bushing.ts";
import { frameSpring } from "../../../../src/parts/force/springs/frame-spring.ts";
import { hingeSpring } from "../../../../src/parts/force/springs/hinge-spring.ts";
import { hingeTable } from "../../../../src/parts/force/springs/hinge-table.ts";
import { polyline } from "../../../../src/parts/force/springs/polyline.ts";
import { ARM, accountOf } from "../../../fixtures/force-bench.ts";
import { runFor } from "../../../fixtures/force-run.ts";
import { block, disc, pair } from "../../../fixtures/models/force-machines.ts";

const still = (model: { readonly nu: number }, q: readonly number[], u: readonly number[] = []) => ({
  t: 0,
  q: Float64Array.from(q),
  u: Float64Array.from({ length: model.nu }, (_, i) => u[i] ?? 0),
  z: new Float64Array(0),
  held: new Float64Array(0),
});

/** Quaternion of a rotation by an angle about a unit axis. */
const turned = (angle: number, axis: readonly number[]): number[] => [
  Math.cos(angle / 2),
  ...axis.map((n) => n * Math.sin(angle / 2)),
];

describe("hinge-spring", () => {
  it("moves as a damped oscillator", () => {
    const [J, k, d, rest, preload] = [2, 18, 0.8, 0.3, 1.5];
    const model = disc(J);
    const spring = hingeSpring.create("s", { hinge: "disc", stiffness: k, damping: d, rest, preload }, model);
    const { q, dissipated } = runFor(model, [spring], 4);
    const centre = rest + preload / k;
    const decay = d / (2 * J);
    const w = Math.sqrt(k / J - decay ** 2);
    const at = (t: number): number => centre - centre * Math.exp(-decay * t) * (Math.cos(w * t) + (decay / w) * Math.sin(w * t));
    expect(q[0]).toBeCloseTo(at(4), 10);
    expect(dissipated).toBeGreaterThan(0);
  });

  it("acts on a ball hinge with k sin(angle) about its rotation axis, for both signs of the quaternion", () => {
    const model = createModel({
      name: "ball",
      bodies: [{ name: "ball", mass: 1, inertia: [1, 1, 1], hinge: { kind: "spherical" } }],
    });
    const axis = [2 / 3, -1 / 3, 2 / 3];
    const account = accountOf(model, hingeSpring.create("s", { hinge: "ball", stiffness: 5 }, model));
    for (const angle of [0, 1e-6, 0.4, 1.5, 3, Math.PI, 4]) {
      const q = turned(angle, axis);
      for (const sign of [1, -1]) {
        const { tau, potential } = account(
          still(
            model,
            q.map((c) => sign * c),
          ),
        );
        for (const [i, n] of axis.entries()) expect(tau[i]).toBeCloseTo(-5 * Math.sin(angle) * n, 12);
        expect(potential).toBeCloseTo(5 * (1 - Math.cos(angle)), 12);
      }
    }
  });

  it("refuses a spring about a single rotation of a ball hinge, but not a damper", () => {
    expect(() => hingeSpring.create("s", { hinge: "wrist.wx", stiffness: 1 }, ARM)).toThrow(/no angle for a spring.*wrist/);
    expect(() => hingeSpring.create("s", { hinge: "wrist", stiffness: [1, 2, 3] }, ARM)).toThrow(/the same about all axes/);
    expect(() => hingeSpring.create("s", { hinge: "wrist", stiffness: 1, rest: 0.1 }, ARM)).toThrow(/neither rest nor preload/);
    expect(() => hingeSpring.create("s", { hinge: "wrist.wx", damping: 1 }, ARM)).not.toThrow();
  });
});

describe("hinge-table", () => {
  it("interpolates linearly between its rows and extrapolates beyond; the potential is its integral", () => {
    const table = { x: [-1, 0, 0.5, 2], y: [3, 0, -4, -5] };
    const line = polyline(table, "continues");
    for (const [i, x] of table.x.entries()) expect(line.value(x)).toBeCloseTo(table.y[i]!, 14);
    expect(line.value(0.25)).toBeCloseTo(-2, 14);
    expect(line.value(-2)).toBeCloseTo(6, 14);
    expect(line.value(3.5)).toBeCloseTo(-6, 14);
    expect(polyline(table, "holds").value(-7)).toBe(3);
    expect(polyline(table, "holds").value(9)).toBeCloseTo(-5, 13);
    const trapezoids = 0.5 * 3 - 0.5 * 0.5 * 4 - 1.5 * 4.5;
    expect(line.integral(2)).toBeCloseTo(trapezoids, 14);
  });

  it("equals a linear spring if its rows are on a line", () => {
    const model = block(3);
    const force = [-1, -0.3, 0.2, 1].map((x) => [x, -40 * x] as const);
    const resistance = [-2, 0, 2].map((v) => [v, 1.5 * v] as const);
    const start = { q: [0.4], u: [0.2] };
    const table = runFor(model, [hingeTable.create("t", { hinge: "block", force, resistance }, model)], 2, start);
    const spring = runFor(model, [hingeSpring.create("s", { hinge: "block", stiffness: 40, damping: 1.5 }, model)], 2, start);
    expect(table.q[0]).toBeCloseTo(spring.q[0]!, 9);
    expect(table.dissipated).toBeCloseTo(spring.dissipated, 9);
  });

  it("refuses tables that do not increase, and resistances that would add energy", () => {
    const force = [
      [0, 1],
      [1, 0],
    ] as const;
    const create = (more: object) => () => hingeTable.create("t", { hinge: "elbow", force, ...more }, ARM);
    expect(create({ force: [...force, [1, 2]] })).toThrow(/force\[2\]\[0\]: coordinate must increase/);
    expect(create({ force: [[0, 1]] })).toThrow(/2 to 1000 rows/);
    expect(create({ force: [[0, 1], [1]] })).toThrow(/force\[1\]: must be a row \[coordinate, force\]/);
    const through = (y: number) => ({
      resistance: [
        [-1, -1],
        [0, y],
        [1, 1],
      ],
    });
    expect(create(through(0))).not.toThrow();
    expect(create(through(0.1))).toThrow(/would add energy/);
    expect(create({ hinge: "wrist.wx" })).toThrow(/no angle of its own/);
  });
});

describe("frame-spring", () => {
  it("two free bodies oscillate with the reduced mass", () => {
    const [ma, mb, k, L0] = [3, 5, 50, 1];
    const model = pair(ma, mb);
    const spring = frameSpring.create("s", { from: "a", to: "b", stiffness: k, naturalLength: L0 }, model);
    const w = Math.sqrt(k * (1 / ma + 1 / mb));
    const q = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1.2, 0, 0];
    const t = 3;
    const end = runFor(model, [spring], t, { q });
    expect(end.q[11]! - end.q[4]!).toBeCloseTo(L0 + 0.2 * Math.cos(w * t), 9);
    expect(ma * end.q[4]! + mb * end.q[11]!).toBeCloseTo(mb * 1.2, 10);
  });

  it("passes through length zero; without natural length the force is linear in the distance", () => {
    const model = pair(1, 1);
    const at = (d: readonly number[], v: readonly number[] = []) =>
      still(model, [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, ...d], [0, 0, 0, 0, 0, 0, 0, 0, 0, ...v]);
    const linear = frameSpring.create("s", { from: "b", point: [0, 0, 0], stiffness: 7 }, model);
    for (const d of [
      [0, 0, 0],
      [1e-12, 0, 0],
      [0.1, -0.2, 0.3],
    ]) {
      const { net, potential } = accountOf(model, linear)(at(d));
      for (const i of [0, 1, 2]) expect(net[3 + i]).toBeCloseTo(-7 * d[i]!, 14);
      expect(potential).toBeCloseTo(3.5 * d.reduce((s, c) => s + c * c, 0), 14);
    }
    const stiff = { from: "a", to: "b", stiffness: 7, damping: 3, naturalLength: 1, preload: 2 };
    const { power, potential } = accountOf(model, frameSpring.create("s", stiff, model))(at([0, 0, 0], [1, 2, 3]));
    expect(power).toBe(0);
    expect(potential).toBeCloseTo(3.5 - 2, 12);
  });

  it("refuses ends that are missing, doubled or the same", () => {
    const create = (p: object) => () => frameSpring.create("s", { from: "hull", stiffness: 1, ...p }, ARM);
    expect(create({})).toThrow(/given once/);
    expect(create({ to: "hand", point: [0, 0, 0] })).toThrow(/given once/);
    expect(create({ to: "hull" })).toThrow(/same frame/);
    expect(create({ to: "hnad" })).toThrow(/Did you mean "hand"/);
    expect(create({ to: "hand", stiffness: -1 })).toThrow(/must not be negative, got -1/);
  });
});

describe("bushing", () => {
  const model = pair(1, 1);
  const values = { from: "a", to: "b", stiffness: [10, 20, 30], angularStiffness: [3, 5, 7] } as const;
  const account = accountOf(model, bushing.create("b", values, model));
  const tiny = 1e-5;

  it("is six springs for small displacements", () => {
    for (const i of [0, 1, 2]) {
      const d = [0, 0, 0].map((_, k) => (k === i ? tiny : 0));
      const axis = d.map((c) => c / tiny);
      const shifted = account(still(model, [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, ...d]));
      expect(shifted.potential).toBeCloseTo(0.5 * values.stiffness[i]! * tiny ** 2, 18);
      const bent = account(still(model, [1, 0, 0, 0, 0, 0, 0, ...turned(tiny, axis), 0, 0, 0]));
      expect(bent.potential).toBeCloseTo(0.5 * values.angularStiffness[i]! * tiny ** 2, 15);
    }
  });

  it("follows its frame: a common rotation of both bodies changes nothing", () => {
    const q = turned(1.1, [0.6, 0, 0.8]);
    const { potential, net } = account(still(model, [...q, 1, 2, 3, ...q, 1, 2, 3]));
    expect(potential).toBeCloseTo(0, 14);
    for (const v of net) expect(v).toBeCloseTo(0, 13);
  });

  it("makes a body oscillate at its natural frequency", () => {
    const anchored = createModel({
      name: "anchored",
      bodies: [
        { name: "ground", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed" } },
        { name: "b", mass: 4, inertia: [1, 2, 3], hinge: { kind: "free" } },
      ],
    });
    const element = bushing.create("b", { ...values, from: "ground" }, anchored);
    const t = 5;
    const small = 1e-5;
    const end = runFor(anchored, [element], t, { q: [...turned(small, [0, 1, 0]), 0, 0, small] });
    expect(2 * end.q[2]!).toBeCloseTo(small * Math.cos(Math.sqrt(5 / 2) * t), 11);
    expect(end.q[6]).toBeCloseTo(small * Math.cos(Math.sqrt(30 / 4) * t), 11);
  });
});
