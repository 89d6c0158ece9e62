/** Modes of difficult machines (stiff, spinning, floating, drifting, with follower forces, closed, elastic), compared with closed forms. */
import { describe, expect, it } from "vitest";
import { equilibriumOf } from "../../../src/analysis/equilibrium.ts";
import { frequencyResponse } from "../../../src/analysis/frequency-response.ts";
import { linearise } from "../../../src/analysis/linearise.ts";
import { generalModes } from "../../../src/analysis/modes/general-modes.ts";
import { modalAnalysis, modalRemarks } from "../../../src/analysis/modes/modal-analysis.ts";
import { type Mode, modesOf } from "../../../src/analysis/modes/modes.ts";
import { complianceOf } from "../../../src/analysis/statics.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import type { Model } from "../../../src/model/model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";

const spring = (model: Model, hinge: string, stiffness: number, damping = 0) =>
  readForce("hinge-spring", `spring-${hinge}`, { hinge, stiffness, damping }, model);

const slider = { inertia: "none", hinge: { kind: "prismatic", axis: "x" } } as const;
const rates = (modes: readonly Mode[]): number[] => modes.map(({ eigenvalue }) => eigenvalue.re);
const kinds = (modes: readonly Mode[]): string => modes.map(({ kind }) => kind).join(" ");
const advice = { rest: "", held: "" };

describe("dampers", () => {
  // x₁ on the ground with a damper, x₂ on x₁: free, but damped.
  const pair = buildModel("pair")
    .body({ name: "a", mass: 1, ...slider })
    .body({ name: "b", parent: "a", mass: 1, ...slider })
    .build();

  it("drag on one of two masses with a spring between them: λ (λ + 2) (λ² + λ + 6)", () => {
    const modes = modesOf(linearise(pair, [spring(pair, "a", 0, 3), spring(pair, "b", 4)]));
    expect(kinds(modes)).toBe("rigid decay vibration");
    expect(modes[1]!.eigenvalue.re).toBeCloseTo(-2, 12);
    expect(modes[2]!.eigenvalue.re).toBeCloseTo(-0.5, 12);
    expect(modes[2]!.eigenvalue.im).toBeCloseTo(Math.sqrt(5.75), 12);
    expect(modes[0]!.shape[1]! / modes[0]!.shape[0]!).toBeCloseTo(0, 12); // both go together
  });

  it("drag alone: a rigid motion and a decay", () => {
    const one = buildModel("one")
      .body({ name: "a", mass: 2, ...slider })
      .build();
    const modes = modesOf(linearise(one, [spring(one, "a", 0, 3)]));
    expect(kinds(modes)).toBe("rigid decay");
    expect(modes[1]!.eigenvalue.re).toBeCloseTo(-1.5, 14);
  });

  it("slow modes of a stiff machine keep their own accuracy", () => {
    // The stiff spring holds both masses together to 1e-12: 2 λ² + λ/2 + 1/100 = 0.
    const modes = modesOf(linearise(pair, [spring(pair, "a", 0.01, 0.5), spring(pair, "b", 1e10, 3e4)]));
    const root = Math.sqrt(0.25 - 0.08);
    expect(kinds(modes)).toBe("decay decay vibration");
    expect(Math.abs(rates(modes)[0]! / ((-0.5 + root) / 4) - 1)).toBeLessThan(1e-10);
    expect(Math.abs(rates(modes)[1]! / ((-0.5 - root) / 4) - 1)).toBeLessThan(1e-10);
  });

  it("any roots: those of triangular matrices (λ + A)(λ + B) are on their diagonals, with zeros that come once and twice", () => {
    const n = 5;
    const [a, b] = [
      [300, 2, 0, 0.5, 0],
      [4e4, 0.03, 7, 0, 0],
    ] as const;
    const entry = (diagonal: readonly number[], i: number, j: number, s: number): number =>
      i === j ? diagonal[i]! : i < j && diagonal[i]! + diagonal[j]! > 0 ? Math.sin(s * (i + 2) * (j + 1)) : 0;
    const [K, D] = [new Float64Array(n * n), new Float64Array(n * n)];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        D[i * n + j] = entry(a, i, j, 1) + entry(b, i, j, 2);
        for (let k = 0; k < n; k++) K[i * n + j]! += entry(a, i, k, 1) * entry(b, k, j, 2);
      }
    for (let i = 0; i < n; i++) K[i * n + 4] = D[i * n + 4] = 0; // neither held nor damped
    const found = generalModes(D, K, n).map(({ re }) => re);
    const expected = [0, 0, 0, -0.03, -0.5, -2, -7, -300, -4e4];
    expect(found).toHaveLength(expected.length);
    for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(1e-9 * Math.abs(value) + 1e-12);
  });
});

describe("rigid motions", () => {
  it("three masses in a row: 0, √(k/m), √(3k/m)", () => {
    const row = buildModel("row")
      .body({ name: "a", mass: 2, ...slider })
      .body({ name: "b", parent: "a", mass: 2, ...slider })
      .body({ name: "c", parent: "b", mass: 2, ...slider })
      .build();
    const modes = modesOf(linearise(row, [spring(row, "b", 50), spring(row, "c", 50)]));
    expect(kinds(modes)).toBe("rigid vibration vibration");
    expect(modes.map(({ eigenvalue }) => eigenvalue.im)).toEqual([0, expect.closeTo(5, 12), expect.closeTo(Math.sqrt(75), 12)]);
  });

  it("a free machine: translations, turns about its mass centre, and hinges that leave momentum zero", () => {
    const model = buildModel("arm")
      .body({ name: "base", mass: 5, com: [0.2, 0, 0], inertia: [1, 2, 2], hinge: { kind: "free" } })
      .body({
        name: "arm",
        parent: "base",
        mass: 2,
        com: [0.5, 0, 0],
        inertia: [0.1, 0.3, 0.3],
        hinge: { kind: "revolute", at: [0.4, 0.1, 0] },
      })
      .build();
    const { modes, linear } = modalAnalysis(model, []);
    expect(kinds(modes)).toBe(new Array(7).fill("rigid").join(" "));
    expect(modalRemarks({ linear, modes, mostly: [], imbalance: 0, moving: false, moved: [] }, advice)).toEqual([
      "Nothing vibrates: there is no restoring force.",
    ]);
    // Orthonormal with respect to the mass; the first three move nothing but the origin, the last has no momentum.
    for (const [i, { shape }] of modes.entries()) {
      if (i < 3) for (const k of [0, 1, 2, 6]) expect(Math.abs(shape[k]!)).toBeLessThan(1e-12);
      for (const [j, other] of modes.entries()) {
        let product = 0;
        for (let a = 0; a < 7; a++) for (let b = 0; b < 7; b++) product += shape[a]! * linear.mass[a * 7 + b]! * other.shape[b]!;
        expect(product).toBeCloseTo(i === j ? 1 : 0, 10);
      }
    }
  });

  it("a spinning free machine: its zero roots are exactly zero, in spite of rounding of double roots", () => {
    const top = buildModel("top")
      .body({ name: "top", mass: 3, com: [0.1, 0.2, 0.3], inertia: [2, 2, 3], hinge: { kind: "free" } })
      .build();
    // About its mass centre, which is at rest.
    const Ω = 4;
    const u = Float64Array.of(0, 0, Ω, 0.2 * Ω, -0.1 * Ω, 0);
    const modes = modesOf(linearise(top, [], { u }));
    // Three translations, three turns, and the nutation in inertial axes at C Ω / A.
    expect(kinds(modes)).toBe("rigid rigid rigid rigid rigid rigid vibration");
    expect(modes[6]!.eigenvalue.im).toBeCloseTo(6, 12);
    expect(modes[6]!.dampingRatio).toBe(0);
  });

  it("a horizontal pendulum without support: neither restoring nor unstable, and reported as unbalanced", () => {
    const pendulum = buildModel("pendulum")
      .gravity([0, 0, -9.81])
      .body({ name: "bob", mass: 2, com: [0, 0, -0.5], inertia: "none", hinge: { kind: "revolute", axis: "y" } })
      .build();
    const found = modalAnalysis(pendulum, [], { q: Float64Array.of(Math.PI / 2) });
    expect(kinds(found.modes)).toBe("rigid");
    expect(found.imbalance).toBeCloseTo(9.81, 9);
    expect(modalRemarks(found, advice)[1]).toContain("unbalanced forces up to 9.8");
    expect(modalAnalysis(pendulum, []).imbalance).toBe(0);
  });

  it("no freedom at all, and a freedom without mass", () => {
    const model = buildModel("block")
      .body({ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } })
      .build();
    const found = modalAnalysis(model, [], { locked: ["a"] });
    expect(found.modes).toEqual([]);
    expect(modalRemarks(found, advice)).toEqual(["No freedom is left: nothing moves."]);
    expect(complianceOf(found.linear, [{ freedom: "a" }])).toEqual([[0]]);
    const empty = buildModel("empty")
      .body({ name: "a", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } })
      .body({ name: "b", parent: "a", mass: 1, inertia: "none", hinge: { kind: "revolute" } })
      .build();
    expect(() => modalAnalysis(empty, [])).toThrow(/a freedom moves no mass/);
    expect(modalAnalysis(empty, [], { locked: ["b"] }).modes).toHaveLength(1);
  });
});

describe("invalid input", () => {
  const ball = buildModel("ball")
    .gravity([0, 0, -9.81])
    .body({ name: "b", mass: 2, com: [0, 0, -0.5], inertia: [0.1, 0.2, 0.05], hinge: { kind: "spherical" } })
    .build();

  it("states of the wrong size, values and frequencies that are not finite", () => {
    expect(() => linearise(ball, [], { q: new Float64Array(2) })).toThrow(
      "options.q: must have 4 numbers (the coordinates of ball), got 2",
    );
    expect(() => linearise(ball, [], { u: Float64Array.of(0, Number.NaN, 0) })).toThrow(
      "options.u[1]: must be a finite number, got NaN",
    );
    const at = { freedom: "b.wx" };
    const answer = (f: number) => frequencyResponse(linearise(ball), { force: at, motion: at, frequencies: [f] });
    expect(() => answer(Number.NaN)).toThrow("options.frequencies[0]: must be a finite number, got NaN");
    expect(() => complianceOf(linearise(ball), [at])).toThrow(/free to move away/); // about the vertical
    expect(complianceOf(linearise(ball, [], { locked: ["b.wz"] }), [at])[0]![0]).toBeCloseTo(1 / 9.81, 14);
  });
});

describe("spin and follower forces", () => {
  const [A, C, m, l, g] = [0.02, 0.01, 1.5, 0.1, 9.81];
  const top = buildModel("sleeping top")
    .gravity([0, 0, -g])
    .body({ name: "gimbal", mass: 0, inertia: "none", hinge: { kind: "universal" } })
    .body({ name: "top", parent: "gimbal", mass: m, com: [0, 0, l], inertia: [A, A, C], hinge: { kind: "revolute", axis: "z" } })
    .build();
  const I1 = A + m * l * l;
  const fall = 4 * I1 * m * g * l;

  it("a sleeping top swings at (CΩ ± √(C²Ω² - 4 I m g l)) / 2I", () => {
    const Ω = (1.5 * Math.sqrt(fall)) / C;
    const modes = modesOf(linearise(top, [], { u: Float64Array.of(0, 0, Ω) }));
    expect(kinds(modes)).toBe("rigid vibration vibration");
    const root = Math.sqrt((C * Ω) ** 2 - fall);
    expect(modes[1]!.eigenvalue.im).toBeCloseTo((C * Ω - root) / (2 * I1), 9);
    expect(modes[2]!.eigenvalue.im).toBeCloseTo((C * Ω + root) / (2 * I1), 9);
    expect(modes[1]!.dampingRatio).toBeCloseTo(0, 9);
  });

  it("and is unstable if it spins too slowly", () => {
    const Ω = (0.5 * Math.sqrt(fall)) / C;
    const modes = modesOf(linearise(top, [], { u: Float64Array.of(0, 0, Ω) }));
    const spiral = modes.find(({ kind }) => kind === "unstable")!;
    expect(spiral.eigenvalue.re).toBeCloseTo(Math.sqrt(fall - (C * Ω) ** 2) / (2 * I1), 9);
    expect(spiral.eigenvalue.im).toBeCloseTo((C * Ω) / (2 * I1), 9);
  });

  it("Ziegler's column under a load that follows it flutters from P = (7/2 - √2) k/l", () => {
    const [k, L] = [3, 0.7];
    const model = buildModel("Ziegler")
      .body({ name: "lower", mass: 4, com: [L, 0, 0], inertia: "none", hinge: { kind: "revolute" } })
      .body({
        name: "upper",
        parent: "lower",
        mass: 2,
        com: [L, 0, 0],
        inertia: "none",
        hinge: { kind: "revolute", at: [L, 0, 0] },
        frames: { tip: { at: [L, 0, 0] } },
      })
      .build();
    const critical = ((3.5 - Math.SQRT2) * k) / L;
    const under = (P: number): string => {
      const load = readForce("constant-wrench", "load", { frame: "tip", force: [-P, 0, 0], axes: "body" }, model);
      return kinds(modesOf(linearise(model, [spring(model, "lower", k), spring(model, "upper", k), load])));
    };
    expect(under(0.9999 * critical)).toBe("vibration vibration");
    expect(under(1.0001 * critical)).toContain("unstable");
  });

  it("an upright double pendulum has two unstable and two decaying modes, and no vibration", () => {
    const link = { mass: 1, com: [0, 0, 1], inertia: "none" } as const;
    const model = buildModel("double pendulum")
      .gravity([0, 0, -g])
      .body({ name: "a", ...link, hinge: { kind: "revolute", axis: "y" } })
      .body({ name: "b", parent: "a", ...link, hinge: { kind: "revolute", axis: "y", at: [0, 0, 1] } })
      .build();
    const modes = modesOf(linearise(model));
    const expected = [2 - Math.SQRT2, 2 + Math.SQRT2].flatMap((f) => [-Math.sqrt(f * g), Math.sqrt(f * g)]);
    expect(kinds(modes).split(" ").sort()).toEqual(["decay", "decay", "unstable", "unstable"]);
    for (const [i, value] of rates(modes)
      .sort((a, b) => Math.abs(a) - Math.abs(b) || a - b)
      .entries())
      expect(Math.abs(value)).toBeCloseTo(Math.abs(expected[i]!), 10);
  });
});

describe("elastic bodies and loops", () => {
  const boom = (name: string, yaw: number): string => `
  - name: ${name}
    parent: hub
    elastic: { length: 2, massPerLength: 0.5, bendingStiffness: 30, freedoms: [ry], joints: 3 }
    hinge: { kind: fixed, rotation: { rpy: [0, 0, ${yaw} deg] } }`;
  const cross = (hub: string): Model =>
    parseModel(`
name: cross
bodies:
  - { name: hub, mass: 3, inertia: [0.1, 0.1, 0.2], hinge: { kind: ${hub} } }${[0, 90, 180, 270].map((a) => boom(`boom${a}`, a)).join("")}
`);

  it("four equal booms on a free hub: modes without hub motion have the clamped frequency", () => {
    const clamped = modesOf(linearise(cross("fixed"))).map(({ frequency }) => frequency);
    expect(clamped[3]! / clamped[0]!).toBeCloseTo(1, 9); // four times the same
    const free = modesOf(linearise(cross("free")));
    expect(free.filter(({ kind }) => kind === "rigid")).toHaveLength(6);
    const there = free.filter(({ frequency }) => Math.abs(frequency / clamped[0]! - 1) < 1e-9);
    expect(there).toHaveLength(1); // one pair up, the other down
    for (const speed of there[0]!.shape.subarray(0, 6)) expect(Math.abs(speed)).toBeLessThan(1e-8);
    expect(modesOf(linearise(cross("free"), [], { locked: ["hub"] })).map(({ frequency }) => frequency)).toEqual(
      clamped.map((f) => expect.closeTo(f, 9)),
    );
  });

  it("a body welded to a rod tip by a loop has the same modes and response as one built on it", () => {
    const rod = `
  - name: rod
    elastic: { length: 1.5, massPerLength: 0.8, bendingStiffness: 40, freedoms: [ry, rz], joints: 3 }
    hinge: { kind: fixed }`;
    const load = "name: load, mass: 0.6, com: [0.1, 0.02, 0], inertia: [0.01, 0.02, 0.02]";
    const built = parseModel(`
name: built
gravity: [0, 0, -9.81]
bodies:${rod}
  - { ${load}, parent: rod, hinge: { kind: fixed, at: [1.5, 0, 0] }, frames: { end: { at: [0.2, 0, 0] } } }`);
    const welded = parseModel(`
name: welded
gravity: [0, 0, -9.81]
bodies:${rod}
  - { ${load}, hinge: { kind: free }, frames: { end: { at: [0.2, 0, 0] } } }
loops:
  - { name: weld, kind: fixed, from: { body: rod, at: [1.5, 0, 0] }, to: { body: load } }`);
    // First the load is moved to its place, then both sag.
    const [a, b] = [modalAnalysis(built, [], { about: "rest" }), modalAnalysis(welded, [], { about: "rest" })];
    expect(b.linear.m).toBe(6);
    for (const [i, { frequency }] of a.modes.entries())
      expect(Math.abs(b.modes[i]!.frequency / frequency - 1)).toBeLessThan(1e-8);
    const end = { frame: "end", along: [0, 0.6, 0.8] } as const;
    const compliance = [a, b].map(({ linear }) => complianceOf(linear, [end])[0]![0]!);
    expect(compliance[1]! / compliance[0]!).toBeCloseTo(1, 8);
    const answers = [a, b].map(({ linear }) => frequencyResponse(linear, { force: end, motion: end, frequencies: [0, 1.3] }));
    expect(answers[0]![0]!.amplitude).toBeCloseTo(compliance[0]!, 12);
    expect(answers[1]![1]!.amplitude / answers[0]![1]!.amplitude).toBeCloseTo(1, 7);
    // The home position of the welded machine is not closed: the modes are those of the assembled state.
    const home = modalAnalysis(welded, []);
    expect(Math.max(...home.linear.misfit.map(Math.abs))).toBeLessThan(1e-12);
    expect(modalRemarks(home, advice)[0]).toMatch(/^Loops were closed first, as in a run: q\.load\./);
  });

  it("a rod clamped at both ends, one by a loop: β L = 4.730, converging with the square of the number of joints", () => {
    const beam = (joints: number): Model =>
      parseModel(`
name: clamped
bodies:
  - name: rod
    elastic: { length: 1, massPerLength: 1, bendingStiffness: 1, freedoms: [rz], joints: ${joints} }
    hinge: { kind: fixed }
loops:
  - { name: wall, kind: general, freedoms: [x, z, rx, ry], from: { body: rod, at: [1, 0, 0] }, to: { body: world, at: [1, 0, 0] } }`);
    const error = (joints: number): number => {
      const { modes, linear } = modalAnalysis(beam(joints), []);
      expect(linear.m).toBe(joints - 2);
      return Math.abs((2 * Math.PI * modes[0]!.frequency) / 4.730040744862704 ** 2 - 1);
    };
    const [coarse, fine] = [error(8), error(16)];
    expect(coarse).toBeLessThan(0.02);
    expect(coarse / fine).toBeGreaterThan(3.3);
    expect(equilibriumOf(beam(8)).iterations).toBe(0);
  });
});
