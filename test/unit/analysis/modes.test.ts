/** Small motions compared with closed forms (pendulums, loops, rigid motions, spin, dampers) and with the Jacobian of the motion itself. */
import { describe, expect, it } from "vitest";
import { equilibriumOf } from "../../../src/analysis/equilibrium.ts";
import { frequencyResponse } from "../../../src/analysis/frequency-response.ts";
import { linearise } from "../../../src/analysis/linearise.ts";
import { modesOf } from "../../../src/analysis/modes/modes.ts";
import { complianceOf } from "../../../src/analysis/statics.ts";
import { ModelError } from "../../../src/errors.ts";
import { jacobian } from "../../../src/kernel/trace/differentiate.ts";
import { choleskySolver } from "../../../src/math/linear/cholesky.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import type { Model } from "../../../src/model/model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

const pendulum = buildModel("pendulum")
  .gravity([0, 0, -9.81])
  .body({ name: "bob", mass: 2, com: [0, 0, -0.5], inertia: "none", hinge: { kind: "revolute", axis: "y" } })
  .build();

const spring = (model: Model, hinge: string, stiffness: number, damping = 0) =>
  readForce("hinge-spring", `spring-${hinge}`, { hinge, stiffness, damping }, model);

describe("natural frequencies", () => {
  it("of a pendulum, hanging and upright", () => {
    const [hanging] = modesOf(linearise(pendulum));
    expect(hanging!.frequency).toBeCloseTo(Math.sqrt(9.81 / 0.5) / (2 * Math.PI), 12);
    expect(hanging!.kind).toBe("vibration");
    const upright = modesOf(linearise(pendulum, [], { q: Float64Array.of(Math.PI) }));
    expect(upright.map((m) => m.kind).sort()).toEqual(["decay", "unstable"]);
    expect(upright.map((m) => m.eigenvalue.re).sort()[1]).toBeCloseTo(Math.sqrt(9.81 / 0.5), 9);
  });

  it("of a parallelogram with a heavy coupler: as a point mass on a crank, g / l", () => {
    const crank = { mass: 1e-9, inertia: "none" } as const;
    const model = buildModel("parallelogram")
      .gravity([0, -9.81, 0])
      .body({ name: "left", ...crank, com: [0, -0.3, 0], hinge: { kind: "revolute" } })
      .body({ name: "right", ...crank, com: [0, -0.3, 0], hinge: { kind: "revolute", at: [1, 0, 0] } })
      .body({
        name: "bar",
        parent: "left",
        mass: 3,
        com: [0.5, 0, 0],
        inertia: [0.1, 0.25, 0.25],
        hinge: { kind: "revolute", at: [0, -0.3, 0] },
      })
      .loop({
        name: "pin",
        kind: "general",
        freedoms: ["z", "rx", "ry", "rz"],
        from: { body: "bar", at: [1, 0, 0] },
        to: { body: "right", at: [0, -0.3, 0] },
      })
      .build();
    const linear = linearise(model);
    expect(linear.m).toBe(1);
    expect(modesOf(linear)[0]!.frequency).toBeCloseTo(Math.sqrt(9.81 / 0.3) / (2 * Math.PI), 7);
  });

  it("of a free body with a spring: six rigid motions, one vibration of the reduced inertia", () => {
    const model = buildModel("two discs")
      .body({ name: "a", mass: 2, inertia: [1, 1, 3], hinge: { kind: "free" } })
      .body({ name: "b", parent: "a", mass: 1, inertia: [1, 1, 2], hinge: { kind: "revolute", axis: "z" } })
      .build();
    const modes = modesOf(linearise(model, [spring(model, "b", 10)]));
    expect(modes.map((m) => m.kind)).toEqual([...new Array(6).fill("rigid"), "vibration"]);
    expect(modes[6]!.frequency).toBeCloseTo(Math.sqrt(10 / (6 / 5)) / (2 * Math.PI), 12);
    expect(modes[6]!.shape[2]! / modes[6]!.shape[6]!).toBeCloseTo(-2 / 5, 12); // the carrier turns the other way
    const held = modesOf(linearise(model, [spring(model, "b", 10)], { locked: ["a"] }));
    expect(held.map((m) => m.frequency)).toEqual([expect.closeTo(Math.sqrt(10 / 2) / (2 * Math.PI), 12)]);
  });

  it("of a spinning top without torque: nutation at Izz Ω / Ixx in inertial axes", () => {
    const top = buildModel("top")
      .body({ name: "top", mass: 1, inertia: [1, 1, 1.5], hinge: { kind: "free" } })
      .build();
    const modes = modesOf(linearise(top, [], { u: Float64Array.of(0, 0, 3, 0, 0, 0) }));
    expect(modes.at(-1)!.eigenvalue.im).toBeCloseTo(4.5, 9);
  });

  it("with dampers: ratio of one oscillator, real roots where it is above one", () => {
    const disc = buildModel("disc")
      .body({ name: "disc", mass: 1, inertia: [1, 1, 2], hinge: { kind: "revolute", axis: "z" } })
      .build();
    const [light] = modesOf(linearise(disc, [spring(disc, "disc", 8, 0.4)]));
    expect(light!.frequency).toBeCloseTo(2 / (2 * Math.PI), 12);
    expect(light!.dampingRatio).toBeCloseTo(0.4 / (2 * 2 * 2), 12);
    const heavy = modesOf(linearise(disc, [spring(disc, "disc", 8, 20)]));
    expect(heavy.map((m) => m.eigenvalue.re)).toEqual([
      expect.closeTo(-5 + Math.sqrt(21), 12),
      expect.closeTo(-5 - Math.sqrt(21), 12),
    ]);
  });

  it("with a damper that couples modes: every root satisfies (λ² M + λ D + K) y = 0", () => {
    const chain = buildModel("chain")
      .body({ name: "a", mass: 1, inertia: [1, 1, 1], com: [1, 0, 0], hinge: { kind: "revolute" } })
      .body({ name: "b", parent: "a", mass: 2, inertia: [1, 1, 1], com: [1, 0, 0], hinge: { kind: "revolute", at: [2, 0, 0] } })
      .build();
    const linear = linearise(chain, [spring(chain, "a", 50, 0), spring(chain, "b", 30, 3)]);
    const modes = modesOf(linear);
    expect(modes).toHaveLength(2);
    const { m, mass, damping, stiffness } = linear;
    for (const {
      eigenvalue: { re, im },
      shape,
      shapeIm,
    } of modes)
      for (let i = 0; i < m; i++) {
        let [x, y] = [0, 0];
        for (let j = 0; j < m; j++) {
          const k = i * m + j;
          const pr = (re * re - im * im) * mass[k]! + re * damping[k]! + stiffness[k]!;
          const pi = 2 * re * im * mass[k]! + im * damping[k]!;
          x += pr * shape[j]! - pi * shapeIm[j]!;
          y += pr * shapeIm[j]! + pi * shape[j]!;
        }
        expect(Math.hypot(x, y)).toBeLessThan(1e-7 * 50);
      }
  });

  it.each([1, 3])("matrices of a random machine in motion are the Jacobian of the motion (seed %i)", (seed) => {
    const model = createModel(
      randomModel(seed, {
        freedoms: 6,
        kinds: ["revolute", "prismatic", "universal", "cylindrical"],
        massless: "none",
      }),
    );
    const { q, u } = randomState(model, seed);
    const forces = model.bodies.filter((b) => b.hinge.nu === 1).map((b) => spring(model, b.hinge.name, 20, 0.7));
    const linear = linearise(model, forces, { q, u });
    const system = createSystem(model, forces);
    const { nq, nu } = model;
    expect(nq).toBe(nu); // no quaternions, so that changes of q and of s are the same
    const { ny } = system.layout;
    const J = new Float64Array(ny * ny);
    workspaceOf(system).problem.jacobian!(0, system.start({ q, u }).y, J, jacobian);
    const cholesky = choleskySolver(nu);
    expect(cholesky.factor(linear.mass)).toBe(-1);
    const size = Math.max(...linear.stiffness.map(Math.abs), 1);
    for (const [which, first] of [
      ["stiffness", 0],
      ["damping", nq],
    ] as const)
      for (let j = 0; j < nu; j++) {
        const column = Float64Array.from({ length: nu }, (_, i) => -linear[which][i * nu + j]!);
        cholesky.solve(column);
        for (let i = 0; i < nu; i++) expect(Math.abs(column[i]! - J[(nq + i) * ny + first + j]!)).toBeLessThan(1e-8 * size);
      }
  });
});

describe("statics", () => {
  it("a beam on a spring under gravity rests where the moments balance, with compliance 1 / k", () => {
    const model = buildModel("beam")
      .gravity([0, -9.81, 0])
      .body({
        name: "beam",
        mass: 2,
        com: [1, 0, 0],
        inertia: "none",
        hinge: { kind: "revolute" },
        frames: { tip: { at: [2, 0, 0] } },
      })
      .build();
    const { q, linear } = equilibriumOf(model, [spring(model, "beam", 40)]);
    expect(40 * q[0]! + 2 * 9.81 * Math.cos(q[0]!)).toBeCloseTo(0, 11);
    const k = 40 - 2 * 9.81 * Math.sin(q[0]!);
    expect(complianceOf(linear, [{ freedom: "beam" }, { frame: "tip", about: [0, 0, 1] }])[0]![1]).toBeCloseTo(1 / k, 12);
    expect(complianceOf(linear, [{ frame: "tip", along: [0, 1, 0] }])[0]![0]).toBeCloseTo((2 * Math.cos(q[0]!)) ** 2 / k, 12);
  });

  it("reports free motion, and locks with unknown names", () => {
    expect(() =>
      equilibriumOf(
        buildModel("free")
          .body({ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } })
          .build(),
      ),
    ).toThrow(/free to move away/);
    expect(() => linearise(pendulum, [], { locked: ["bop"] })).toThrow(ModelError);
  });

  it("frequency response: static below, (k - m ω² + i ω d)⁻¹ everywhere", () => {
    const disc = buildModel("disc")
      .body({ name: "disc", mass: 1, inertia: [1, 1, 2], hinge: { kind: "revolute", axis: "z" } })
      .build();
    const linear = linearise(disc, [spring(disc, "disc", 8, 0.4)]);
    const at = { freedom: "disc" };
    for (const { frequency, amplitude, phase } of frequencyResponse(linear, {
      force: at,
      motion: at,
      frequencies: [0, 0.1, 2 / (2 * Math.PI), 3],
    })) {
      const w = 2 * Math.PI * frequency;
      expect(amplitude).toBeCloseTo(1 / Math.hypot(8 - 2 * w * w, 0.4 * w), 12);
      expect(phase).toBeCloseTo(-Math.atan2(0.4 * w, 8 - 2 * w * w), 12);
    }
  });
});
