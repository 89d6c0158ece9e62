/** Loops that engage: impacts compared with closed forms, conservation laws, and the linear algebra of every formulation. */
import { describe, expect, test } from "vitest";
import type { FormulationName } from "../../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { inverseDynamics } from "../../../src/dynamics/programs.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import type { LoopDescription, ModelDescription } from "../../../src/model/description.ts";
import { withEngagedLoops } from "../../../src/model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../../src/model/model.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { changeLoops } from "../../../src/sim/events/engagement.ts";
import type { PlannedEvent } from "../../../src/sim/events/event-plan.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import type { SimulationRun } from "../../../src/sim/run/simulation.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";
import { randomModel, randomState, uniform } from "../../fixtures/models/random-model.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

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

  test("plastic impact: common speed, impulse and energy loss", () => {
    const system = createSystem(carts({ kind: "point-on-plane", axis: "x" } as never), []);
    const { state, impulse: hit } = changeLoops(system, system.start({ q: [0, 1], u: [v1, v2] }), { engage: ["touch"] });
    const { y } = state;
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
    const start = system.start({ q: [0, 1], u: [v1, v2] });
    const { state, impulse: hit } = changeLoops(system, start, { bump: [{ loop: "touch", restitution: e }] });
    const { y } = state;
    expect(y[2]).toBeCloseTo(v1 - ((1 + e) * reduced * (v1 - v2)) / m1, 13);
    expect(y[3]).toBeCloseTo(v2 + ((1 + e) * reduced * (v1 - v2)) / m2, 13);
    expect(hit.dissipated).toBeCloseTo(0.5 * (1 - e * e) * reduced * (v1 - v2) ** 2, 13);
    expect(state.discrete.loops.size).toBe(0);
  });

  test("a plane cannot pull: carts that separate are not bumped", () => {
    const system = createSystem(carts({ kind: "point-on-plane", axis: "x" } as never), []);
    const start = system.start({ q: [0, 1], u: [-1, 1] });
    const { state, impulse } = changeLoops(system, start, { bump: [{ loop: "touch", restitution: 0.5 }] });
    expect(impulse.loops).toEqual([]);
    expect([...state.y.slice(2, 4)]).toEqual([-1, 1]);
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
  test.each([1, 2])("seed %d", (seed) => {
    const model = pair(seed, loop);
    const system = createSystem(model, []);
    const state = randomState(model, seed);
    const start = system.start({ q: state.q, u: state.u });
    const before = system.observe(start);
    const { state: joined, impulse: hit } = changeLoops(system, start, { engage: ["grasp"] });
    const after = system.observe(joined);
    const { y } = joined;
    const workspace = workspaceOf(system, joined);
    const scale = Math.hypot(...before.momentum);
    for (let i = 0; i < 6; i++) expect(Math.abs(after.momentum[i]! - before.momentum[i]!)).toBeLessThan(1e-11 * scale);
    expect(hit.dissipated).toBeGreaterThan(0);
    expect(Math.abs(before.kinetic - after.kinetic - hit.dissipated)).toBeLessThan(1e-12 * before.kinetic);

    // Every formulation by its own linear algebra: M u⁺ = M u⁻ + Jᵀ P with J u⁺ = 0 is its answer to generalised momentum as a force.
    const { closed } = workspace;
    const held = workspace.loops.current.model;
    const found = Float64Array.from(joined.discrete.loops.get("grasp") as number[]);
    const p = momenta(model, state.q, state.u);
    const zero = new Float64Array(model.nu);
    const [f, rates] = [new Float64Array(closed!.rows), new Float64Array(closed!.rows)];
    closed!.residual(0, y.slice(0, model.nq), y.slice(model.nq, model.nq + model.nu), f, rates);
    for (const v of [...f, ...rates]) expect(Math.abs(v)).toBeLessThan(1e-11 * (1 + Math.sqrt(before.kinetic)));
    for (const formulation of Object.values(FORMULATIONS)) {
      const equations = formulation.derive(held, { engagedParameters: found });
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
  const kernel = compile(inverseDynamics({ ...withEngagedLoops(model, new Map()), gravity: [0, 0, 0] }));
  kernel.x.set(q);
  kernel.x.set(u, model.nq + model.nu);
  kernel.evaluate();
  return kernel.y.slice();
}

describe("in a run", () => {
  const run = (model: Model, y: Float64Array, plan: readonly PlannedEvent[], formulation: FormulationName = "articulated") => {
    const system = createSystem(model, [], { formulation });
    const y0 = system.start({ q: y.slice(0, model.nq), u: y.slice(model.nq, model.nq + model.nu) });
    return simulate(system, y0, {
      duration: 2,
      integrator: INTEGRATORS.dop853,
      settings: { relativeTolerance: 1e-12, absoluteTolerance: 1e-12 },
      sample: 0.25,
      plan,
      tolerances: { energy: 1e-9, "linear momentum": 1e-10, "angular momentum": 1e-10 },
    });
  };
  const largest = (a: SimulationRun, b: SimulationRun, names: RegExp): number =>
    Math.max(
      ...a.log.channels
        .filter(({ name }) => names.test(name))
        .flatMap(({ name }) => {
          const [x, y] = [a, b].map(({ log }) =>
            [...log.column(name)].filter((_, i) => log.column("t")[i] !== log.column("t")[i - 1]),
          );
          return x!.map((v, i) => Math.abs(v - y![i]!));
        }),
    );

  test.each(Object.keys(FORMULATIONS) as FormulationName[])(
    "a weld engaged at the start from consistent speeds changes nothing: the machine welded from the start, by %s",
    (formulation) => {
      const open = pair(4, { kind: "fixed" });
      const system = createSystem(open, []);
      const state = randomState(open, 4);
      const { state: joined } = changeLoops(system, system.start({ q: state.q, u: state.u }), { engage: ["grasp"] });
      const { y } = joined;
      // The same weld, declared where it was found.
      const found = joined.discrete.loops.get("grasp") as readonly number[];
      const description = describeModel(open);
      const { from: _, engaged: __, ...loop } = description.loops![0] as { from: object; engaged: boolean } & LoopDescription;
      const matrix = [found.slice(0, 3), found.slice(3, 6), found.slice(6, 9)];
      const from = {
        body: open.bodies[(open.openLoops[0] as { from: { body: number } }).from.body]!.name,
        at: found.slice(9),
        rotation: { matrix },
      };
      const welded = createModel({ ...description, loops: [{ ...loop, from } as never] });
      const event: PlannedEvent = { name: "grasp", at: 0, actions: { engage: ["grasp"] } };
      const [a, b] = [run(open, y, [event], formulation), run(welded, y, [], formulation)];
      expect(a.timeline[0]!.impulse!.dissipated).toBeLessThan(1e-20);
      expect(largest(a, b, /^[qu]\./)).toBeLessThan(1e-9);
    },
  );

  test("release: nothing jumps, and free motion follows", () => {
    const model = pair(6, { kind: "fixed" });
    const state = randomState(model, 6);
    const { y } = createSystem(model, []).start({ q: state.q, u: state.u });
    const plan: PlannedEvent[] = [
      { name: "grasp", at: 0.5, actions: { engage: ["grasp"] } },
      { name: "let go", after: ["grasp"], delay: 0.5, actions: { release: ["grasp"] } },
    ];
    const { log, timeline, waiting } = run(model, y, plan);
    expect(timeline.map(({ t }) => t)).toEqual([0.5, 1]);
    expect(waiting).toEqual([]);
    const at = (t: number): Float64Array => {
      const i = [...log.column("t")].lastIndexOf(t);
      return Float64Array.from(
        log.channels.filter((c) => /^[qu]\./.test(c.name)),
        ({ name }) => log.column(name)[i]!,
      );
    };
    const free = run(model, at(1), []);
    const late = Float64Array.from(
      free.log.channels.filter((c) => /^[qu]\./.test(c.name)),
      ({ name }) => free.log.column(name)[4]!,
    );
    for (const [i, v] of at(2).entries()) expect(Math.abs(v - late[i]!)).toBeLessThan(1e-9);
  });

  test("a clutch brings two rotors to one speed, and a drive engages at the speed that it finds", () => {
    const rotors = createModel({
      name: "rotors",
      bodies: [
        { name: "a", mass: 1, inertia: [1, 1, 2], hinge: { kind: "revolute" } },
        { name: "b", mass: 1, inertia: [1, 1, 3], hinge: { kind: "revolute" } },
      ],
      loops: [
        {
          name: "clutch",
          kind: "coupling",
          terms: [
            { hinge: "a", factor: 1 },
            { hinge: "b", factor: -1 },
          ],
          engaged: false,
        },
        { name: "drive", kind: "prescribed", hinge: "a", motion: { rate: 4 }, engaged: false },
      ],
    });
    const { log, timeline } = run(rotors, Float64Array.of(0, 5, 10, 1), [
      { name: "clutch", at: 1, actions: { engage: ["clutch"] } },
      { name: "drive", at: 1.5, actions: { engage: ["drive"] } },
    ]);
    const common = (2 * 10 + 3 * 1) / 5;
    const after = (name: string, t: number) => log.column(name)[[...log.column("t")].lastIndexOf(t)]!;
    expect([after("u.a", 1), after("u.b", 1)].map((v) => v.toFixed(12))).toEqual([common.toFixed(12), common.toFixed(12)]);
    expect(timeline[0]!.impulse!.dissipated).toBeCloseTo(0.5 * (6 / 5) * 9 ** 2, 10);
    expect(after("q.a", 2) - after("q.b", 2)).toBeCloseTo(after("q.a", 1) - after("q.b", 1), 12);
    // The drive puts in P times its speed, half of the change of momentum turns to heat.
    expect([after("u.a", 2), after("u.b", 2)].map((v) => v.toFixed(12))).toEqual([(4).toFixed(12), (4).toFixed(12)]);
    expect(timeline[1]!.impulse!.supplied).toBeCloseTo(5 * (4 - common) * 4, 10);
    expect(timeline[1]!.impulse!.dissipated).toBeCloseTo(0.5 * 5 * (4 - common) ** 2, 10);
  });

  test("a controller engages and releases a loop", () => {
    const model = pair(8, { kind: "spherical" });
    const state = randomState(model, 8);
    const system = createSystem(model, []);
    const holder: Controller = {
      name: "holder",
      period: 0.1,
      commands: ["grasp.engaged"],
      start: () => undefined,
      update(s, _, command) {
        command[0] = s.t > 0.45 && s.t < 1.25 ? 1 : 0;
      },
    };
    const { timeline } = simulate(system, system.start({ q: state.q, u: state.u }), {
      duration: 2,
      integrator: INTEGRATORS.dop853,
      controllers: [holder],
      tolerances: { energy: 1e-6 },
    });
    expect(timeline.map(({ t, done }) => [t.toFixed(1), ...done])).toEqual([
      ["0.5", "engaged grasp"],
      ["1.3", "released grasp"],
    ]);
  });

  test("engaged as declared with a residual: momentum is conserved, and the energy loss is booked", () => {
    const model = pair(3, { kind: "spherical", engages: "as-declared", tolerance: 0.1 });
    const system = createSystem(model, []);
    const state = randomState(model, 3);
    // Closed where it was found, then opened a little by the free motion of both.
    const at = createSystem(withEngagedLoops(model, new Map([["grasp", "declared"]])), []);
    const { y } = assemble(at, at.start({ q: state.q, u: state.u })).state;
    const parted = Float64Array.from(y);
    for (let i = 0; i < 3; i++) parted[model.bodies.findLast((b) => b.parent < 0)!.hinge.q + 4 + i]! += 0.01 * (i + 1);
    const start = system.start({ q: parted.slice(0, model.nq), u: state.u });
    const before = system.observe(start);
    const { state: joined, impulse } = changeLoops(system, start, { engage: ["grasp"] });
    const { dissipated } = impulse;
    const after = system.observe(joined);
    for (let i = 0; i < 6; i++)
      expect(Math.abs(after.momentum[i]! - before.momentum[i]!)).toBeLessThan(1e-11 * Math.hypot(...before.momentum));
    expect(dissipated).toBeCloseTo(before.kinetic + before.potential - after.kinetic - after.potential, 10);
    const [f, rates] = [new Float64Array(3), new Float64Array(3)];
    const { closed } = workspaceOf(system, joined);
    closed!.residual(0, joined.y.slice(0, model.nq), joined.y.slice(model.nq, model.nq + model.nu), f, rates);
    for (const v of [...f, ...rates]) expect(Math.abs(v)).toBeLessThan(1e-11);
  });

  test("engaged as declared: a small residual is closed, a large one is an error, and a weld that is half a turn off does not count as closed", () => {
    const weld = (q: readonly number[]) => {
      const model = createModel({
        name: "two",
        bodies: [
          { name: "a", mass: 3, inertia: [1, 1, 1], hinge: { kind: "free" } },
          { name: "b", mass: 5, inertia: [1, 1, 1], hinge: { kind: "free" } },
        ],
        loops: [
          {
            name: "weld",
            kind: "fixed",
            from: { body: "a" },
            to: { body: "b" },
            engaged: false,
            engages: "as-declared",
            tolerance: 1e-3,
          },
        ],
      });
      const system = createSystem(model, []);
      return changeLoops(system, system.start({ t: 3, q: [1, 0, 0, 0, 0, 0, 0, ...q] }), { engage: ["weld"] }).state.y;
    };
    const closed = weld([1, 0, 0, 0, 8e-4, 0, 0]);
    expect(closed[11]! - closed[4]!).toBeCloseTo(0, 13);
    expect(closed[4]).toBeCloseTo((5 / 8) * 8e-4, 12); // the mass centre stays
    expect(() => weld([1, 0, 0, 0, 2e-3, 0, 0])).toThrow(
      /weld cannot be engaged at t = 3 s: its residual is 0\.00200 \(m or rad\)/,
    );
    expect(() => weld([0, 0, 0, 1, 0, 0, 0])).toThrow("its residual is 3.14");
    const system = createSystem(carts({ kind: "fixed" }), []);
    expect(() => changeLoops(system, system.start(), { engage: ["touhc"] })).toThrow(
      'no loop is named "touhc". Did you mean "touch"?',
    );
  });
});
