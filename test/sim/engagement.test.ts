/** Loops that take hold: impacts against closed forms, conservation, and every formulation's own answer. */
import { describe, expect, test } from "vitest";
import { FORMULATIONS } from "../../src/dynamics/all.ts";
import { inverseDynamics } from "../../src/dynamics/programs.ts";
import { compile } from "../../src/kernel/kernel.ts";
import { createModel } from "../../src/model/create.ts";
import type { LoopDescription, ModelDescription } from "../../src/model/description.ts";
import { withLoops } from "../../src/model/found.ts";
import type { Model } from "../../src/model/model.ts";
import { changeLoops } from "../../src/sim/engagement.ts";
import { createSystem } from "../../src/sim/system.ts";
import { randomModel, randomState, uniform } from "../random-model.ts";

/** Two carts on one line. */
const carts = (loop: Partial<LoopDescription> & { kind: LoopDescription["kind"] }): Model =>
  createModel({
    name: "carts",
    bodies: [
      { name: "a", mass: 3, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } },
      { name: "b", mass: 5, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } },
    ],
    loops: [{ name: "touch", from: { body: "a" }, to: { body: "b" }, engaged: false, ...loop } as LoopDescription],
  });

describe("two carts on one line, closed forms", () => {
  const [m1, m2, v1, v2] = [3, 5, 2, -0.7];
  const reduced = (m1 * m2) / (m1 + m2);

  test("plastic: the common speed, impulse and loss", () => {
    const system = createSystem(carts({ kind: "point-on-plane", axis: "x" } as never), []);
    const y = system.initial(Float64Array.of(0, 1), Float64Array.of(v1, v2));
    const hit = changeLoops(system, 0, y, { engage: ["touch"] });
    const common = (m1 * v1 + m2 * v2) / (m1 + m2);
    expect(y[2]).toBeCloseTo(common, 14);
    expect(y[3]).toBeCloseTo(common, 14);
    expect(hit.loops[0]!.rows[0]).toBeCloseTo(reduced * (v1 - v2), 13);
    expect(hit.loops[0]!.wrench![3]).toBeCloseTo(reduced * (v1 - v2), 13);
    expect(hit.dissipated).toBeCloseTo(0.5 * reduced * (v1 - v2) ** 2, 13);
    expect(y[4]).toBe(hit.dissipated);
  });

  test.each([0, 0.3, 1])("a bump with restitution %d", (e) => {
    const system = createSystem(carts({ kind: "point-on-plane", axis: "x" } as never), []);
    const y = system.initial(Float64Array.of(0, 1), Float64Array.of(v1, v2));
    const hit = changeLoops(system, 0, y, { bump: [{ loop: "touch", restitution: e }] });
    expect(y[2]).toBeCloseTo(v1 - ((1 + e) * reduced * (v1 - v2)) / m1, 13);
    expect(y[3]).toBeCloseTo(v2 + ((1 + e) * reduced * (v1 - v2)) / m2, 13);
    expect(hit.dissipated).toBeCloseTo(0.5 * (1 - e * e) * reduced * (v1 - v2) ** 2, 13);
    expect(system.loops.held.size).toBe(0);
  });

  test("a plane does not pull: carts that part are not bumped", () => {
    const system = createSystem(carts({ kind: "point-on-plane", axis: "x" } as never), []);
    const y = system.initial(Float64Array.of(0, 1), Float64Array.of(-1, 1));
    expect(changeLoops(system, 0, y, { bump: [{ loop: "touch", restitution: 0.5 }] }).loops).toEqual([]);
    expect([...y.slice(2, 4)]).toEqual([-1, 1]);
  });
});

/** A random free-flying machine, a second one apart from it, and a loop between them. */
function pair(seed: number, loop: object): Model {
  const machine = (prefix: string, s: number): ModelDescription["bodies"] =>
    randomModel(s, { base: "free", freedoms: 10, massless: "none" }).bodies.map((b) => ({
      ...b,
      name: prefix + b.name,
      ...(b.parent !== undefined && { parent: prefix + b.parent }),
      hinge: { ...b.hinge, name: `${prefix}${b.hinge.name ?? b.name}` },
      frames: {},
    }));
  const [a, b] = [machine("a", seed), machine("b", seed + 1000)];
  const random = uniform(seed);
  const place = () => ({ at: [random(), random(), random()], rotation: { rpy: [random(), random(), 3 * random()] } });
  return createModel({
    name: `pair ${seed}`,
    bodies: [...a, ...b],
    loops: [
      {
        name: "grasp",
        from: { body: a.at(-1)!.name, ...place() },
        to: { body: b.at(-1)!.name, ...place() },
        engaged: false,
        ...loop,
      } as never,
    ],
  });
}
const KINDS = [
  { kind: "fixed" },
  { kind: "revolute", axis: "y" },
  { kind: "spherical" },
  { kind: "prismatic", axis: "x" },
  { kind: "helical", axis: "z", pitch: 0.1 },
  { kind: "universal" },
  { kind: "distance", length: 2 },
  { kind: "point-on-line" },
  { kind: "point-on-plane" },
];

describe.each(KINDS)("random machines joined by $kind", (loop) => {
  test.each([1, 2, 3])("seed %d", (seed) => {
    const model = pair(seed, loop);
    const system = createSystem(model, []);
    const state = randomState(model, seed);
    const y = system.initial(state.q, state.u);
    const before = { ...system.observe(0, y), momentum: system.observe(0, y).momentum.slice() };
    const hit = changeLoops(system, 0, y, { engage: ["grasp"] });
    const after = system.observe(0, y);
    const scale = Math.hypot(...before.momentum);
    for (let i = 0; i < 6; i++) expect(Math.abs(after.momentum[i]! - before.momentum[i]!)).toBeLessThan(1e-11 * scale);
    expect(hit.dissipated).toBeGreaterThan(0);
    expect(Math.abs(before.kinetic - after.kinetic - hit.dissipated)).toBeLessThan(1e-12 * before.kinetic);

    // Every formulation by its own linear algebra: M u⁺ = M u⁻ + Jᵀ P with J u⁺ = 0 is its answer to generalised momentum as a force.
    const { closed } = system;
    const held = system.loops.current.model;
    const found = Float64Array.from(system.loops.held.get("grasp") as number[]);
    const p = momenta(model, state.q, state.u);
    const zero = new Float64Array(model.nu);
    const [f, rates] = [new Float64Array(closed!.rows), new Float64Array(closed!.rows)];
    closed!.residual(0, y.slice(0, model.nq), y.slice(model.nq, model.nq + model.nu), f, rates);
    for (const v of [...f, ...rates]) expect(Math.abs(v)).toBeLessThan(1e-11 * (1 + Math.sqrt(before.kinetic)));
    for (const formulation of Object.values(FORMULATIONS)) {
      const equations = formulation.derive(held, { found });
      const [pushed, still] = [new Float64Array(model.nu), new Float64Array(model.nu)];
      equations.accelerations(state.q, zero, p, new Float64Array(0), pushed);
      equations.accelerations(state.q, zero, zero, new Float64Array(0), still);
      for (let i = 0; i < model.nu; i++) expect(pushed[i]! - still[i]!).toBeCloseTo(y[model.nq + i]!, 9);
      const impulses = new Float64Array(closed!.rows);
      equations.loopForces(state.q, zero, p, new Float64Array(0), impulses);
      const rest = new Float64Array(closed!.rows);
      equations.loopForces(state.q, zero, zero, new Float64Array(0), rest);
      const size = Math.hypot(...impulses) + 1;
      for (const [i, P] of hit.loops[0]!.rows.entries()) expect(Math.abs(impulses[i]! - rest[i]! - P)).toBeLessThan(1e-9 * size);
    }
  });
});

/** M u, by Newton-Euler. */
function momenta(model: Model, q: Float64Array, u: Float64Array): Float64Array {
  const kernel = compile(inverseDynamics({ ...withLoops(model, new Map()), gravity: [0, 0, 0] }));
  kernel.x.set(q);
  kernel.x.set(u, model.nq + model.nu);
  kernel.evaluate();
  return kernel.y.slice();
}
