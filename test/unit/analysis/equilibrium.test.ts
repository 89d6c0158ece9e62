/** Positions of rest: closed forms and machines whose start is far from rest. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { equilibriumOf } from "../../../src/analysis/equilibrium.ts";
import { DivergenceError, SingularError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription, ModelDescription } from "../../../src/model/description.ts";
import { coordinateNames, homeOf, type Model } from "../../../src/model/model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { parseOverride } from "../../../src/scenario/override.ts";
import { randomModel, randomState, uniform } from "../../fixtures/models/random-model.ts";

const G = 9.81;
/** Rounding of the angles of a position of rest. */
const ROUNDING = 1e-10;

/** Rods of length 1 along x, one after the other, under gravity along -y. */
const chain = (n: number, kind: "revolute" | "spherical"): ModelDescription => ({
  name: `chain of ${n}`,
  gravity: [0, -G, 0],
  bodies: Array.from(
    { length: n },
    (_, i): BodyDescription => ({
      name: `rod-${i}`,
      ...(i > 0 && { parent: `rod-${i - 1}` }),
      mass: 1,
      com: [0.5, 0, 0],
      inertia: [0.01, 1 / 12, 1 / 12],
      hinge: { kind, ...(i > 0 && { at: [1, 0, 0] }) } as BodyDescription["hinge"],
    }),
  ),
});

describe("the arm of Yoshikawa and Hosoda with another stiffness of the first joint of link-2", () => {
  const scenarioWith = (stiffness: number) => {
    const folder = "scenarios/flexible-two-link";
    const overrides = [parseOverride(`model.bodies.link-2.elastic.joints.0.stiffness=${stiffness}`)];
    return loadScenario(readFileSync(`${folder}/scenario.yaml`, "utf8"), "arm", {
      files: diskFiles(folder, { names: [], path: String }),
      overrides,
    });
  };

  it.each([10, 54, 200, 540, 1000, 5400, 54000])("%i Nm/rad: rests after a few steps, and the joint carries its moment", (k) => {
    const { model, forces, q: start } = scenarioWith(k);
    const { q, iterations } = equilibriumOf(model, forces, { q: start, locked: ["motor-1", "motor-2"] });
    expect(iterations).toBeLessThan(8);
    const angle = (name: string): number => q[model.bodies.find(({ hinge }) => hinge.name === name)!.hinge.q]!;
    const [before, beyond] = [
      ["motor-1", "drive-1", "link-1-2", "link-1-3", "motor-2", "drive-2", "link-2-2"].reduce(
        (sum, name) => sum + angle(name),
        0,
      ),
      angle("link-2-3"),
    ];
    // Rod 0.1473 kg over 0.6 m and 0.55 kg at the tip, as seen from the joints at 36 and 330 mm.
    const perLength = 0.1473 / 0.6;
    const [near, far] = [0.33 - 0.036, 0.27];
    const moment =
      G *
      (perLength * near * (near / 2) * Math.cos(before) +
        perLength * far * (near * Math.cos(before) + (far / 2) * Math.cos(before + beyond)) +
        0.55 * (near * Math.cos(before) + far * Math.cos(before + beyond)));
    expect(k * angle("link-2-2")).toBeCloseTo(-moment, 9);
  });
});

describe("a machine far from rest", () => {
  it.each([
    [1, "revolute"],
    [7, "revolute"],
    [60, "revolute"],
    [5, "spherical"],
    [20, "spherical"],
  ] as const)("chain of %i rods with %s hinges falls from the horizontal to the vertical", (n, kind) => {
    const model = createModel(chain(n, kind));
    // Nothing holds the spin of a hanging rod about itself.
    const locked = kind === "spherical" ? model.bodies.map(({ hinge }, i) => `${hinge.name}.${i === 0 ? "wy" : "wx"}`) : [];
    const { q, linear } = equilibriumOf(model, [], { locked });
    if (kind === "revolute") {
      expect(Math.abs(q[0]! + Math.PI / 2)).toBeLessThan(ROUNDING);
      for (const angle of q.subarray(1)) expect(Math.abs(angle)).toBeLessThan(ROUNDING);
    }
    expect(Math.max(...linear.imbalance.map(Math.abs))).toBeLessThan(1e-6);
  });

  it("a mass on a soft spring travels its whole way", () => {
    const model = createModel({
      name: "soft",
      gravity: [0, 0, -1.62],
      bodies: [{ name: "load", mass: 1000, inertia: "none", hinge: { kind: "prismatic", axis: "z" } }],
    });
    const forces = [readForce("hinge-spring", "soft", { hinge: "load", stiffness: 1 }, model)];
    expect(equilibriumOf(model, forces).q[0]).toBeCloseTo(-1620, 9);
  });

  it("keeps the unstable equilibrium beside which it starts, and leaves it from farther away", () => {
    const model = createModel(chain(1, "revolute"));
    expect(equilibriumOf(model, [], { q: Float64Array.of(Math.PI / 2 - 0.01) }).q[0]).toBeCloseTo(Math.PI / 2, 10);
    expect(equilibriumOf(model, [], { q: Float64Array.of(Math.PI / 2 - 1) }).q[0]).toBeCloseTo(-Math.PI / 2, 10);
  });

  it("a cable between two points hangs as a symmetric chain, by a closed loop", () => {
    const n = 12;
    const description = chain(n, "revolute");
    const model = createModel({
      ...description,
      loops: [
        {
          name: "end",
          kind: "general",
          freedoms: ["z", "rx", "ry", "rz"],
          from: { body: `rod-${n - 1}`, at: [1, 0, 0] },
          to: { body: "world", at: [9, 0, 0] },
        },
      ],
    });
    const { q } = equilibriumOf(model);
    const angles = Array.from(q).map((_, i) => q.slice(0, i + 1).reduce((a, b) => a + b, 0));
    for (let i = 0; i < n; i++) expect(angles[i]! + angles[n - 1 - i]!).toBeCloseTo(0, 9);
    expect(angles[0]).toBeLessThan(-0.3);
    // Horizontal tension is the same in each pin: tan(angle) grows linearly along the cable.
    const slopes = angles.map(Math.tan);
    for (let i = 1; i < n - 1; i++) expect(slopes[i + 1]! - slopes[i]!).toBeCloseTo(slopes[1]! - slopes[0]!, 8);
  });
});

describe("random trees with springs at all hinges", () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))("seed %i rests, from a random position far away", (seed) => {
    const next = uniform(seed);
    const description = randomModel(seed, {
      freedoms: 3 + Math.floor(12 * next()),
      base: "fixed",
      massless: "none",
      kinds: ["revolute", "prismatic"],
    });
    const model = createModel({ ...description, gravity: [0, 0, -G] });
    const stiffness = (): number => 10 ** (4 * next() - 1);
    const forces = coordinateNames(model).u.map((freedom, i) =>
      readForce("hinge-spring", `spring-${i}`, { hinge: freedom, stiffness: stiffness() }, model),
    );
    const { linear } = equilibriumOf(model, forces, { q: randomState(model, seed).q });
    const scale = linear.stiffness.reduce((most, k) => Math.max(most, Math.abs(k)), 0);
    for (const force of linear.imbalance) expect(Math.abs(force)).toBeLessThan(1e-8 * scale);
  });
});

describe("no rest", () => {
  const floating: Model = createModel({
    name: "floating",
    bodies: [
      { name: "base", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } },
      { name: "arm", parent: "base", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } },
    ],
  });

  it("names the freedoms that nothing holds", () => {
    const spring = readForce("hinge-spring", "spring", { hinge: "arm", stiffness: 3 }, floating);
    expect(() => equilibriumOf(floating, [spring])).toThrow(
      new SingularError(
        "floating is free to move away: nothing holds base.wx, base.wy, base.wz, base.vx, base.vy, base.vz. Lock these freedoms",
      ),
    );
    expect(equilibriumOf(floating, [spring], { locked: ["base"] }).iterations).toBe(0);
  });

  it("a wheel that falls without a ground says so, and a load beyond every rest diverges", () => {
    const falling = createModel({
      name: "falling",
      gravity: [0, 0, -G],
      bodies: [{ name: "ball", mass: 1, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "z" } }],
    });
    expect(() => equilibriumOf(falling)).toThrow(/^falling is free to move away: nothing holds ball\. Lock these freedoms$/);
    const pendulum = createModel(chain(1, "revolute"));
    const torque = readForce("generalised-force", "motor", { hinge: "rod-0", force: 100 }, pendulum);
    expect(() => equilibriumOf(pendulum, [torque], { q: homeOf(pendulum) })).toThrow(DivergenceError);
  });
});
