/** Elastic bodies: expansion, exact properties of the discretisation, attachments, and refused descriptions. */

import { describe, expect, it } from "vitest";
import { equilibriumOf } from "../../../src/analysis/equilibrium.ts";
import { evaluate } from "../../../src/analysis/evaluate.ts";
import { linearise } from "../../../src/analysis/linearise.ts";
import { modesOf } from "../../../src/analysis/modes/modes.ts";
import { complianceOf } from "../../../src/analysis/statics.ts";
import { ModelError } from "../../../src/errors.ts";
import { formatModel, parseModel } from "../../../src/formats/model-file.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { buildElasticModel } from "../../../src/model/build/model-builder.ts";
import type { ElasticDescription } from "../../../src/model/description.ts";
import type { Model } from "../../../src/model/model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import type { State } from "../../../src/sim/state.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";

/** Roots of cos λ cosh λ = -1. */
const ROOTS = [1.8751040687119611, 4.694091132974175, 7.854757438237613];
const UNIT = { length: 1, massPerLength: 1, bendingStiffness: 1 } as const;

const cantilever = (elastic: ElasticDescription): Model =>
  buildElasticModel("cantilever")
    .body({ name: "rod", elastic, hinge: { kind: "fixed" }, frames: { tip: { at: [elastic.length, 0, 0] } } })
    .build();

const tipCompliance = (model: Model, along: "y" | "z" = "y") => {
  const [axis, about] =
    along === "y"
      ? ([
          [0, 1, 0],
          [0, 0, 1],
        ] as const)
      : ([
          [0, 0, 1],
          [0, -1, 0],
        ] as const);
  const C = complianceOf(linearise(model), [
    { frame: "tip", along: axis },
    { frame: "tip", about },
  ]);
  return { u_P: C[0]![0]!, phi_P: C[0]![1]!, phi_M: C[1]![1]! };
};

describe("a uniform clamped body", () => {
  it.each([2, 3, 4, 5, 6, 8, 17])("of %i joints has the exact compliance of its tip", (joints) => {
    const { u_P, phi_P, phi_M } = tipCompliance(cantilever({ ...UNIT, freedoms: ["rz"], joints }));
    expect(u_P * 3).toBeCloseTo(1, 12);
    expect(phi_P * 2).toBeCloseTo(1, 12);
    expect(phi_M).toBeCloseTo(1, 12);
  });

  it.each([
    [3, [1]],
    [4, [0, 1]],
    [5, [0, 1, 2]],
    [6, [0, 1, 2]],
  ])("of %i joints has the exact frequencies for which its set is calibrated", (joints, exact) => {
    const modes = modesOf(linearise(cantilever({ ...UNIT, freedoms: ["rz"], joints })));
    for (const k of exact) expect(Math.abs((2 * Math.PI * modes[k]!.frequency) / ROOTS[k]! ** 2 - 1)).toBeLessThan(1e-9);
  });

  it("in space is equal in all directions if its section is round, also far from rest", () => {
    const model = cantilever({ length: 1, material: "steel", section: { kind: "round", diameter: 0.01 } });
    const rest = (force: [number, number, number]) => {
      const { q } = equilibriumOf(model, [readForce("constant-wrench", "load", { frame: "tip", force }, model)]);
      return q;
    };
    const [straight, slanted] = [rest([0, 60, 0]), rest([0, 36, 48])];
    for (let j = 0; j < 4; j++) expect(slanted[4 * j]!).toBeCloseTo(straight[4 * j]!, 11); // cosines of the half angles
    expect(Math.acos(straight[0]!) * 2).toBeGreaterThan(0.05);
  });

  it("has the torsional stiffness G J / L and the axial stiffness E A / L", () => {
    const model = cantilever({
      length: 2,
      material: { youngs: 70e9, shear: 26e9, density: 2700 },
      section: { kind: "tube", outer: 0.05, inner: 0.04 },
      freedoms: ["x", "rx", "ry", "rz"],
    });
    const C = complianceOf(linearise(model), [
      { frame: "tip", along: [1, 0, 0] },
      { frame: "tip", about: [1, 0, 0] },
    ]);
    const [A, J] = [(Math.PI / 4) * (0.05 ** 2 - 0.04 ** 2), (Math.PI / 32) * (0.05 ** 4 - 0.04 ** 4)];
    expect(C[0]![0]! / (2 / (70e9 * A))).toBeCloseTo(1, 10);
    expect(C[1]![1]! / (2 / (26e9 * J))).toBeCloseTo(1, 10);
  });
});

describe("a tapered body", () => {
  it("has the compliance of the integral along its length, in both planes, and its mass", () => {
    const [w0, w1, h0, h1] = [0.04, 0.02, 0.06, 0.015];
    const model = cantilever({
      length: 2,
      material: "aluminium",
      section: { kind: "box", width: w0, height: h0 },
      tipSection: { kind: "box", width: w1, height: h1 },
      joints: 5,
    });
    const integral = (f: (x: number) => number): number => {
      let sum = 0;
      for (let i = 0; i < 20000; i++) sum += f(((i + 0.5) * 2) / 20000) * (2 / 20000);
      return sum;
    };
    const [w, h] = [(x: number) => w0 + (x / 2) * (w1 - w0), (x: number) => h0 + (x / 2) * (h1 - h0)];
    for (const [along, I] of [
      ["y", (x: number) => (h(x) * w(x) ** 3) / 12],
      ["z", (x: number) => (w(x) * h(x) ** 3) / 12],
    ] as const) {
      const { u_P, phi_P, phi_M } = tipCompliance(model, along);
      expect(u_P / integral((x) => (2 - x) ** 2 / (70e9 * I(x)))).toBeCloseTo(1, 6);
      expect(phi_P / integral((x) => (2 - x) / (70e9 * I(x)))).toBeCloseTo(1, 6);
      expect(phi_M / integral((x) => 1 / (70e9 * I(x)))).toBeCloseTo(1, 6);
    }
    expect(model.bodies.reduce((sum, b) => sum + b.mass, 0)).toBeCloseTo(
      integral((x) => 2700 * w(x) * h(x)),
      6,
    );
  });

  it.each([
    [0.5, 3.8238],
    [0.2, 4.2925],
  ])("of a height that falls to %f has the known first frequency, %f √(EI₀ / (μ₀ L⁴))", (tip, expected) => {
    const omega = (joints: number): number => {
      const model = cantilever({
        length: 1,
        material: { youngs: 12e6, density: 1 },
        section: { kind: "box", width: 1e-3, height: 1e-3 },
        tipSection: { kind: "box", width: 1e-3, height: tip * 1e-3 },
        freedoms: ["ry"],
        joints,
      });
      return 2 * Math.PI * modesOf(linearise(model))[0]!.frequency;
    };
    expect(Math.abs(omega(24) / expected - 1)).toBeLessThan(5e-4);
    expect(Math.abs(omega(4) / expected - 1)).toBeLessThan(1e-3);
  });

  const cone = (joints: number, mass?: number): Model =>
    cantilever({
      length: 1,
      material: "steel",
      section: { kind: "round", diameter: 0.02 },
      tipSection: { kind: "round", diameter: 0.008 },
      freedoms: ["rz"],
      joints,
      ...(mass !== undefined && { mass }),
    });
  /** An independent computation with 160 cubic elements and rotary inertia, converged to seven digits. */
  const CONE = [20.41861, 77.70586];

  it("has accurate slow frequencies with few joints: two within one per cent from four joints on", () => {
    for (const joints of [4, 5, 6])
      for (const [i, { frequency }] of modesOf(linearise(cone(joints)), { count: 2 }).entries())
        expect(Math.abs(frequency / CONE[i]! - 1), `${joints} joints`).toBeLessThan(0.006);
    expect(Math.abs(modesOf(linearise(cone(2)))[0]!.frequency / CONE[0]! - 1)).toBeLessThan(0.02);
  });

  it.each([2, 3, 4, 7])("of %i joints has the exact compliance of its tip", (joints) => {
    const { u_P, phi_P, phi_M } = tipCompliance(cone(joints));
    // 1 / EI = (1 - c x)⁻⁴ / EI₀ with c = 0.6; in the diameter s = 1 - c x the integrals are powers.
    const [c, EI] = [0.6, (206e9 * Math.PI * 0.02 ** 4) / 64];
    const power = (n: number): number => (1 - (1 - c) ** (n + 1)) / (n + 1); // ∫ sⁿ from 1 - c to 1
    const [a, b, d] = [power(-4), power(-3), power(-2)] as const;
    const tip = 1 - c; // 1 - x = (s - tip) / c
    expect((phi_M * EI * c) / a).toBeCloseTo(1, 9);
    expect((phi_P * EI * c * c) / (b - tip * a)).toBeCloseTo(1, 9);
    expect((u_P * EI * c ** 3) / (d - 2 * tip * b + tip * tip * a)).toBeCloseTo(1, 9);
  });

  it("with a given mass has it distributed by area", () => {
    const weight = cone(8).bodies.reduce((sum, b) => sum + b.mass, 0);
    const [dense, given] = [cone(8), cone(8, 3 * weight)];
    for (const [i, { mass, com }] of given.bodies.entries()) {
      expect(mass / dense.bodies[i]!.mass).toBeCloseTo(3, 9);
      expect(com[0]).toBeCloseTo(dense.bodies[i]!.com[0], 12);
    }
  });
});

describe("a body whose mass is not divided at its joints", () => {
  it("has the same mass, mass centre and inertia at rest as one that is", () => {
    const massMatrixOf = (cuts: readonly (number | undefined)[]): readonly number[] => {
      const joints = [0.25, 0.7].map((at, j) => ({ at, stiffness: 50, ...(cuts[j] !== undefined && { cut: cuts[j] }) }));
      const model = createModel({
        name: "free",
        bodies: [{ name: "rod", elastic: { length: 1, mass: 2, joints }, hinge: { kind: "free" } }],
      });
      const { massMatrix } = evaluate(model);
      return massMatrix.slice(0, 6).flatMap((line) => line.slice(0, 6));
    };
    const cut = massMatrixOf([0.4, 0.6]);
    for (const [i, v] of massMatrixOf([undefined, undefined]).entries()) expect(cut[i]).toBeCloseTo(v, 12);
  });
});

describe("damping", () => {
  const ratios = (damping: ElasticDescription["damping"]): number[] =>
    modesOf(linearise(cantilever({ ...UNIT, freedoms: ["rz"], damping: damping! }))).map((m) => m.dampingRatio);

  it("with one ratio grows with the frequency", () => {
    const found = ratios(0.01);
    expect(found[0]).toBeCloseTo(0.01, 10);
    expect(found[1]! / found[0]!).toBeCloseTo((ROOTS[1]! / ROOTS[0]!) ** 2, 8);
    expect(ratios({ decrement: (2 * Math.PI * 0.01) / Math.sqrt(1 - 0.01 ** 2) })[0]).toBeCloseTo(0.01, 10);
  });

  it("of twist is relative to the frequencies of twist", () => {
    const twisting = { ...UNIT, torsionStiffness: 3, polarInertia: 0.02, freedoms: ["rx"] } as const;
    expect(modesOf(linearise(cantilever({ ...twisting, damping: 0.01 })))[0]!.dampingRatio).toBeCloseTo(0.01, 10);
    const found = modesOf(linearise(cantilever({ ...twisting, damping: { ratios: [0.01, 0.02] } })));
    expect(found[0]!.dampingRatio).toBeCloseTo(0.01, 10);
    expect(found[1]!.dampingRatio).toBeCloseTo(0.02, 10);
  });

  it("with several ratios has exactly these", () => {
    const found = ratios({ ratios: [0.01, 0.01, 0.02, 0.05] });
    for (const [k, ratio] of [0.01, 0.01, 0.02, 0.05].entries()) expect(Math.abs(found[k]! - ratio)).toBeLessThan(1e-9);
  });
});

describe("attachments", () => {
  it("move to the link at their position: bodies, frames, loops", () => {
    const model = buildElasticModel("mast")
      .body({
        name: "mast",
        elastic: { ...UNIT, length: 2 },
        hinge: { kind: "fixed" },
        frames: { root: {}, middle: { at: [1, 0.1, 0] }, tip: { at: [2, 0, 0] } },
      })
      .body({ name: "lamp", parent: "mast", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", at: [0.9, 0, 0.2] } })
      .loop({ name: "stay", kind: "distance", length: 1, from: { body: "world" }, to: { body: "mast", at: [1.5, 0, 0] } })
      .build();
    expect(model.bodies.map((b) => b.name)).toEqual(["mast", "mast-2", "mast-3", "mast-4", "mast-5", "lamp"]);
    expect(model.frames.map((f) => [f.name, model.bodies[f.body]!.name])).toEqual([
      ["root", "mast"],
      ["middle", "mast-3"],
      ["tip", "mast-5"],
    ]);
    expect(model.bodies[model.bodies[5]!.parent]!.name).toBe("mast-3");
    const poses = (name: string): number => {
      const { body, placement } = model.frames.find((f) => f.name === name)!;
      let x = placement.p[0];
      for (let b = body; b > 0; b = model.bodies[b]!.parent) x += model.bodies[b]!.hinge.onParent.p[0];
      return x;
    };
    expect([poses("root"), poses("middle"), poses("tip")]).toEqual([0, expect.closeTo(1, 14), expect.closeTo(2, 14)]);
    expect(model.loops[0]!.type === "frames" && model.bodies[model.loops[0]!.to.body]!.name).toBe("mast-4");
  });

  it("may be placed by at or by a Denavit-Hartenberg row; and a joint at the very root is allowed", () => {
    const loaded = (hinge: object, frame: object): Model =>
      createModel({
        name: "m",
        bodies: [
          {
            name: "rod",
            elastic: {
              length: 1,
              mass: 1,
              joints: [
                { at: 0, stiffness: 1 },
                { at: 0.47, stiffness: 2 },
              ],
            },
            hinge: { kind: "fixed" },
            frames: { tip: frame },
          },
          { name: "load", parent: "rod", mass: 5, inertia: "none", hinge: { kind: "fixed", ...hinge } },
        ],
      } as never);
    const [a, b] = [loaded({ at: [1, 0, 0] }, { at: [1, 0, 0] }), loaded({ dh: { a: 1 } }, { dh: { a: 1, d: 0 } })];
    expect(b.bodies[b.bodies.at(-1)!.parent]!.name).toBe("rod-3");
    expect(b.frames[0]!.placement.p).toEqual(a.frames[0]!.placement.p);
    const [f, g] = [a, b].map((m) => modesOf(linearise(m))[0]!.frequency);
    expect(g).toBe(f);
  });

  it("an elastic body can close loops by its hinges, and bends no more than necessary", () => {
    const rod = { material: "aluminium", section: { kind: "round", diameter: 0.008 }, freedoms: ["rz"] } as const;
    const fourBar = createSystem(
      buildElasticModel("elastic four-bar")
        .body({ name: "crank", mass: 1, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01], hinge: { kind: "revolute" } })
        .body({
          name: "coupler",
          parent: "crank",
          elastic: { ...rod, length: 1 },
          hinge: { kind: "revolute", at: [0.3, 0, 0] },
        })
        .body({ name: "rocker", elastic: { ...rod, length: 0.8 }, hinge: { kind: "revolute", at: [1.2, 0, 0] } })
        .loop({
          name: "pin",
          kind: "revolute",
          from: { body: "coupler", at: [0.9, 0, 0] },
          to: { body: "rocker", at: [0.55, 0, 0] },
        })
        .build(),
      [],
    );
    const y0 = fourBar.start({ q: Float64Array.of(1.2, -0.6, 0, 0, 0, 0, 2, 0, 0, 0, 0), u: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
    const { moved } = assemble(fourBar, y0);
    for (const { name, from, to } of moved)
      if (/-\d$/.test(name)) expect(Math.abs(to - from), name).toBeLessThan(1e-9);
      else expect(Math.abs(to - from), name).toBeLessThan(3);

    const bent = createSystem(
      buildElasticModel("bent rod")
        .body({ name: "rod", elastic: { ...rod, length: 1 }, hinge: { kind: "fixed" } })
        .loop({ name: "pin", kind: "spherical", from: { body: "rod", at: [1, 0, 0] }, to: { body: "world", at: [0.97, 0.2, 0] } })
        .build(),
      [],
    );
    const { y } = assemble(bent, bent.start()).state;
    for (const angle of y.subarray(0, 4)) expect(Math.abs(angle)).toBeLessThan(0.5);
  });

  it("survives a file: elastic bodies are expanded, with their springs", () => {
    const model = parseModel(`
name: boom
bodies:
  - name: boom
    elastic:
      length: 900 mm
      material: { youngs: 70 GPa, shear: 26 GPa, density: 2.7 g/cm^3 }
      section: { kind: tube, outer: 20 mm, inner: 18 mm }
      damping: { ratios: [0.01, 0.02] }
    hinge: { kind: revolute, axis: y }
`);
    const again = parseModel(formatModel(model));
    expect(again.springs).toEqual(model.springs.map(({ elastic: _, ...springs }) => springs)); // links in a file belong to no rod
    expect(modesOf(linearise(again)).map((m) => m.frequency)).toEqual(modesOf(linearise(model)).map((m) => m.frequency));
  });
});

describe("springs of balls", () => {
  const ball = createModel({
    name: "ball",
    bodies: [{ name: "body", mass: 1, inertia: [1, 2, 2.5], hinge: { kind: "spherical" } }],
    springs: [{ name: "spring", joints: [{ hinge: "body", stiffness: [3, 5, 8] }] }],
  });
  const system = createSystem(ball, []);
  const at = (axis: number, angle: number): State => {
    const q = Float64Array.of(Math.cos(angle / 2), 0, 0, 0);
    q[1 + axis] = Math.sin(angle / 2);
    return system.start({ q });
  };

  it.each([1e-9, 0.3, 1.5, 3, -2])("pull back by k times the angle, %f rad", (angle) => {
    for (const [axis, k] of [3, 5, 8].entries()) {
      const { tau, potential } = system.observe(at(axis, angle));
      expect(Math.abs(tau[axis]! / (-k * angle) - 1)).toBeLessThan(1e-13);
      expect(Math.abs(potential / (0.5 * k * angle * angle) - 1)).toBeLessThan(1e-13);
    }
  });

  it("conserve energy through large rotations about all axes", () => {
    const start = at(0, 0.4);
    start.y.set([2, -1.5, 1], 4);
    const { audit, log } = simulate(system, start, {
      duration: 20,
      integrator: INTEGRATORS.dop853,
      settings: { relativeTolerance: 1e-11, absoluteTolerance: 1e-12 },
    });
    expect(audit.find((row) => row.channel === "energy")!.worst).toBeLessThan(1e-9);
    expect(Math.min(...log.column("q.body.qw"))).toBeLessThan(0.8); // more than 70 degrees
  });
});

describe("bad descriptions", () => {
  it("an attachment outside of the body", () => {
    const onRod = (x: number, load: object = {}): (() => unknown) => {
      const rod = { name: "rod", elastic: UNIT, hinge: { kind: "fixed" } };
      const hinge = { kind: "fixed", at: [x, 0, 0] };
      const loop = { name: "stay", kind: "distance", length: 1, from: { body: "world" }, to: { body: "rod", at: [x, 0, 0] } };
      const body = { name: "load", parent: "rod", mass: 1, inertia: "none", hinge, ...load };
      return () => createModel({ name: "m", bodies: [rod, body], loops: [loop] } as never);
    };
    expect(onRod(1 + 1e-12)).not.toThrow();
    expect(onRod(1.5)).toThrow(/bodies\[1\]\.hinge\.at: lies beyond the tip of rod, which is 1 m long, got \[1.5, 0, 0\]/);
    expect(onRod(1.5)).toThrow(/loops\[0\]\.to\.at: lies beyond the tip/);
    expect(onRod(-0.1)).toThrow(/lies before the root of rod/);
  });

  it("no mass before the first joint for the hinge to move", () => {
    const elastic = { length: 1, mass: 1, joints: [{ at: 0, stiffness: 10 }] };
    const on = (kind: "revolute" | "free", armature?: number): (() => unknown) => {
      const model = createModel({
        name: "m",
        bodies: [{ name: "rod", elastic, hinge: { kind, ...(armature && { armature }) } } as never],
      });
      return () => createSystem(model, []);
    };
    expect(on("revolute")).toThrow(/the hinge of rod has no inertia.*first joint beyond its root/);
    expect(on("free")).toThrow(/has no inertia|singular/);
    expect(on("revolute", 0.1)).not.toThrow();
  });

  const problemsOf = (elastic: object, body: object = {}): string[] => {
    try {
      createModel({ name: "m", bodies: [{ name: "rod", elastic, hinge: { kind: "fixed" }, ...body } as never] });
    } catch (error) {
      if (error instanceof ModelError) return error.problems.map((p) => `${p.path}: ${p.message}`);
    }
    return [];
  };
  it.each<[object, RegExp]>([
    [{ ...UNIT, length: -1 }, /elastic\.length: must be positive/],
    [{ length: 1 }, /its stiffness is not given/],
    [{ length: 1, bendingStiffness: 2 }, /its mass is not given/],
    [{ ...UNIT, measured: { frequency: 3 } }, /given 2 times/],
    [{ length: 1, material: "steal", section: { kind: "round", diameter: 1 } }, /no such material/],
    [{ length: 1, material: "steel", section: { kind: "tube", outer: 1, inner: 2 } }, /inner diameter 2 must be less/],
    [{ length: 1, material: "steel", section: { kind: "box", width: 1, height: 1, wall: 0.6 } }, /do not fit/],
    [{ length: 1, material: "steel", section: { kind: "round", diameter: -1 } }, /diameter: must be positive/],
    [
      { length: 1, material: "steel", section: { kind: "custom", area: 1, Iy: 1, Iz: 1, torsion: 9 } },
      /exceeds the polar moment/,
    ],
    [
      { length: 1, material: "steel", section: { kind: "custom", area: 1e-4, Iy: 1e-14, Iz: 1e-9 } },
      /second moments .* too small for the area 0.0001/,
    ],
    [
      { length: 1, material: { youngs: 1, density: 1, poisson: 0.7 }, section: { kind: "round", diameter: 1 } },
      /poisson: must be at most 0.5/,
    ],
    [{ ...UNIT, joints: 0 }, /joints: must be at least 1/],
    [{ ...UNIT, joints: [{ at: 2, stiffness: 1 }] }, /given 2 times/],
    [{ length: 1, mass: 1, joints: [{ at: 2, stiffness: 1 }] }, /between the root and the tip/],
    [{ length: 1, mass: 1, joints: [{ at: 0.5, stiffness: -1 }] }, /stiffness: must be positive/],
    [
      { length: 1, mass: 1, joints: [{ at: 0.5, cut: 1, stiffness: 1 }] },
      /joints\[0\]\.cut: must lie between the root and the tip/,
    ],
    [
      { length: 1, mass: 1, joints: [{ at: 0.5, cut: -0.1, stiffness: 1 }] },
      /joints\[0\]\.cut: must lie between the root and the tip/,
    ],
    [
      {
        length: 1,
        mass: 1,
        joints: [
          { at: 0.2, cut: 0.6, stiffness: 1 },
          { at: 0.5, stiffness: 1 },
        ],
      },
      /joints\[1\]\.cut: must lie beyond the cut before it/,
    ],
    [{ ...UNIT, damping: 2 }, /from 0 to below 1/],
    [{ ...UNIT, damping: { ratios: [0.1, 0.1, 0.1, 0.1, 0.1] } }, /1 to 4 ratios/],
    [{ ...UNIT, freedoms: ["rx"] }, /its stiffness along rx/],
    [{ ...UNIT, torsionStiffness: 1 }, /polarInertia: is missing/],
    [{ ...UNIT, stiff: 1 }, /unknown key/],
  ])("%j", (elastic, message) => {
    expect(problemsOf(elastic).join("\n")).toMatch(message);
  });

  it("reports that mass belongs to the sections, and where the hinge may sit", () => {
    expect(problemsOf(UNIT, { mass: 3 }).join()).toMatch(/has no mass of its own/);
    expect(problemsOf(UNIT, { hinge: { kind: "fixed", onBody: { at: [0.5, 0, 0] } } }).join()).toMatch(
      /must sit before its first joint/,
    );
  });
});
