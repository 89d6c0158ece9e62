/** Impulses as events: jumps of the speeds compared with closed forms and with an independent solution of the impact equations. */
import { describe, expect, test } from "vitest";
import type { FormulationName } from "../../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { impulseJump } from "../../../src/dynamics/tree/impulse.ts";
import type { AppliedImpulse } from "../../../src/dynamics/tree/impulse-wrench.ts";
import { denseLU } from "../../../src/math/linear/dense-lu.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { applyImpulse } from "../../../src/sim/events/applied-impulse.ts";
import type { PlannedEvent } from "../../../src/sim/events/event-plan.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import type { State } from "../../../src/sim/state.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";
import type { System } from "../../../src/sim/system/system.ts";
import { fromQuaternion } from "../../../src/spatial/rotation.ts";
import { builtIn } from "../../fixtures/models/pendulum.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

/** Speeds, energy and momentum before and after an impulse at a state. */
function push(system: System, state: State, impulse: AppliedImpulse) {
  const workspace = workspaceOf(system, state);
  const { nq, nu, ny } = system.layout;
  const y = state.y.slice();
  const observe = () => {
    const { kinetic, momentum } = workspace.observe(state.t, y);
    return { kinetic, momentum: momentum.slice(), u: y.slice(nq, nq + nu) };
  };
  const before = observe();
  const result = applyImpulse(workspace, state.t, y, impulse);
  const after = observe();
  return { before, after, result, ledger: y.slice(ny - 8), du: after.u.map((u, i) => u - before.u[i]!) };
}

describe("a free body", () => {
  const model = createModel({
    name: "hull",
    bodies: [
      {
        name: "hull",
        mass: 7,
        com: [0.1, -0.2, 0.3],
        inertia: [2, 3, 4],
        hinge: { kind: "free" },
        frames: { nozzle: { at: [0.5, 0.4, -0.3] } },
      },
    ],
  });
  const system = createSystem(model, []);
  const quaternion = [0.5, 0.5, -0.5, 0.5] as const;
  const start = system.start({ q: [...quaternion, 3, -2, 1], u: [0.3, -0.1, 0.2, 1, 2, -1] });

  test.each(["world", "body"] as const)(
    "an impulse in %s axes changes momentum by itself and speeds by Newton and Euler",
    (axes) => {
      const [F, T, at] = [[4, -3, 2] as const, [0.7, 0.5, -0.9] as const, [0.05, 0.02, 0.1] as const];
      const { before, after, result, du, ledger } = push(system, start, { frame: "nozzle", force: F, torque: T, at, axes });
      const R = fromQuaternion(quaternion) as readonly (readonly number[])[];
      const turn = (v: readonly number[]) => R.map((row) => row[0]! * v[0]! + row[1]! * v[1]! + row[2]! * v[2]!);
      const cross = (a: readonly number[], b: readonly number[]) => [
        a[1]! * b[2]! - a[2]! * b[1]!,
        a[2]! * b[0]! - a[0]! * b[2]!,
        a[0]! * b[1]! - a[1]! * b[0]!,
      ];
      const [Fw, Tw] = axes === "world" ? [[...F], [...T]] : [turn(F), turn(T)];
      const reach = turn([0.55, 0.42, -0.2]);
      const centre = turn([0.1, -0.2, 0.3]);
      const point = reach.map((r, i) => r + [3, -2, 1][i]!);
      // Momentum about the world origin.
      const moment = cross(point, Fw).map((m, i) => m + Tw[i]!);
      for (let i = 0; i < 3; i++) {
        expect(Math.abs(after.momentum[i]! - before.momentum[i]! - moment[i]!)).toBeLessThan(1e-12 * 30);
        expect(Math.abs(after.momentum[3 + i]! - before.momentum[3 + i]! - Fw[i]!)).toBeLessThan(1e-12 * 10);
        expect(ledger[2 + i]).toBeCloseTo(moment[i]!, 12);
        expect(ledger[5 + i]).toBeCloseTo(Fw[i]!, 12);
      }
      // Euler about the mass centre in body axes, then the velocity of the origin.
      const momentAboutCentre = cross(
        reach.map((r, i) => r - centre[i]!),
        Fw,
      ).map((m, i) => m + Tw[i]!);
      const columns = [0, 1, 2].map((j) => R.reduce((sum, row, i) => sum + row[j]! * momentAboutCentre[i]!, 0) / [2, 3, 4][j]!);
      const dw = turn(columns);
      const dv = cross(dw, centre).map((c, i) => Fw[i]! / 7 - c);
      for (let i = 0; i < 3; i++) {
        expect(du[i]).toBeCloseTo(dw[i]!, 13);
        expect(du[3 + i]).toBeCloseTo(dv[i]!, 13);
      }
      expect(ledger[1]).toBeCloseTo(after.kinetic - before.kinetic, 12);
      expect(result.supplied).toBe(ledger[1]);
      expect(result.loops).toEqual([]);
    },
  );
});

test("a pendulum struck at its centre of percussion: ω jumps by P l / J, and the pin feels nothing", () => {
  const [m, c, J0] = [2, 0.6, 0.3];
  const J = J0 + m * c * c;
  const percussion = J / (m * c);
  const model = createModel({
    name: "pendulum",
    gravity: [0, 0, -9.81],
    bodies: [{ name: "rod", mass: m, com: [0, 0, -c], inertia: [J0, J0, 0.01], hinge: { kind: "revolute", axis: "y" } }],
  });
  const system = createSystem(model, []);
  const { du, after, before } = push(system, system.start({ q: [0], u: [0.4] }), {
    frame: "rod",
    at: [0, 0, -percussion],
    force: [5, 0, 0],
  });
  expect(du[0]).toBeCloseTo((-5 * percussion) / J, 13); // a force along x below the y axis turns about -y
  // The momentum changes by the struck impulse alone: there is no impulse of the pin.
  expect(after.momentum[3]! - before.momentum[3]!).toBeCloseTo(5, 12);
  const off = push(system, system.start({ q: [0] }), { frame: "rod", at: [0, 0, -1], force: [5, 0, 0] });
  expect(off.after.momentum[3]! - 5).toBeCloseTo(5 * ((m * c) / J - 1), 12); // the impulse of the pin
});

/** The impact equations of the four-bar in absolute coordinates of three planar bodies: 9 speeds and 8 rows of pins. */
function fourBarJump(angles: readonly [number, number, number], atTracer: readonly [number, number]): readonly number[] {
  const [crank, coupler, rocker] = angles;
  const at = (angle: number, x: number, y = 0) => [
    x * Math.cos(angle) - y * Math.sin(angle),
    x * Math.sin(angle) + y * Math.cos(angle),
  ];
  const masses = [
    [1.2, 0.0016],
    [2.4, 0.025],
    [2, 0.0155],
  ] as const;
  const K = new Float64Array(17 * 17);
  const b = new Float64Array(17);
  for (const [i, [m, J]] of masses.entries()) {
    K[3 * i * 17 + 3 * i] = K[(3 * i + 1) * 17 + 3 * i + 1] = m;
    K[(3 * i + 2) * 17 + 3 * i + 2] = J;
  }
  let row = 9;
  /** Velocity of a point of body i at r from its mass centre, with a sign: one row for x, one for y. */
  const pin = (...sides: readonly (readonly [number, number, readonly number[]])[]) => {
    for (const axis of [0, 1]) {
      for (const [sign, i, r] of sides) {
        const entries: [number, number][] = [
          [3 * i + axis, sign],
          [3 * i + 2, sign * (axis === 0 ? -r[1]! : r[0]!)],
        ];
        for (const [column, value] of entries) K[row * 17 + column] = K[column * 17 + row] = value;
      }
      row++;
    }
  };
  pin([1, 0, at(crank, -0.06)]);
  pin([1, 0, at(crank, 0.06)], [-1, 1, at(coupler, -0.175)]);
  pin([1, 2, at(rocker, -0.15)]);
  pin([1, 1, at(coupler, 0.175)], [-1, 2, at(rocker, 0.15)]);
  const r = at(coupler, 0, 0.12); // the tracer, from the mass centre of the coupler
  b.set([atTracer[0], atTracer[1], r[0]! * atTracer[1] - r[1]! * atTracer[0]], 3);
  const lu = denseLU(17);
  lu.factor(K);
  lu.solve(b);
  return [b[2]!, b[5]! - b[2]!, b[8]!];
}

describe("a four-bar linkage", () => {
  const { model, q, u } = builtIn("four-bar");
  const struck = { frame: "tracer", force: [1.5, -2.5, 0] } as const;

  test.each(Object.keys(FORMULATIONS) as FormulationName[])(
    "%s: the jump solves the constrained impact equations",
    (formulation) => {
      const system = createSystem(model, [], { formulation });
      const { state } = assemble(system, system.start({ q, u }));
      const [crank, coupler, rocker] = state.y as unknown as [number, number, number];
      const { du, before, after, result } = push(system, state, struck);
      const expected = fourBarJump([crank, crank + coupler, rocker], [1.5, -2.5]);
      for (let i = 0; i < 3; i++) expect(Math.abs(du[i]! - expected[i]!)).toBeLessThan(1e-11 * Math.abs(expected[i]!));
      expect(Math.abs(result.supplied - (after.kinetic - before.kinetic))).toBeLessThan(1e-11 * before.kinetic);
      expect(result.loops.map(({ loop }) => loop)).toEqual(["pin"]);
      const jump = impulseJump(model, state.y.slice(0, 3), [struck]);
      for (let i = 0; i < 3; i++) expect(du[i]).toBeCloseTo(jump.du[i]!, 11);
    },
  );
});

test("a prescribed motion keeps its rate through an impulse, and its work is booked", () => {
  const model = createModel({
    name: "driven arm",
    gravity: [0, -9.81, 0],
    bodies: [
      { name: "arm", mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1], hinge: { kind: "revolute" } },
      {
        name: "bob",
        parent: "arm",
        mass: 2,
        com: [0.3, 0, 0],
        inertia: [0.1, 0.1, 0.1],
        hinge: { kind: "revolute", at: [1, 0, 0] },
      },
    ],
    loops: [{ name: "drive", kind: "prescribed", hinge: "arm", motion: { rate: 2 } }],
  });
  const system = createSystem(model, []);
  const state = system.start({ q: [0, 0], u: [2, 0] });
  const { du, before, after, result } = push(system, state, { frame: "bob", at: [0.3, 0, 0], force: [1, 3, 0] });
  // The bob turns about its pin as if the arm were fixed: J = 0.1 + 2 · 0.3².
  expect(Math.abs(du[0]!)).toBeLessThan(1e-14);
  expect(du[1]).toBeCloseTo((0.3 * 3) / 0.28, 13);
  expect(result.supplied).toBeCloseTo(after.kinetic - before.kinetic, 12);
});

describe("random free-floating trees", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("seed %i: momentum changes by the impulse to 1e-12, and energy by its work", (seed) => {
    const description = randomModel(seed, { base: "free", freedoms: 6 + 3 * seed, massless: "none" });
    const model = createModel(description);
    const system = createSystem(model, []);
    const { q, u } = randomState(model, seed);
    const state = system.start({ q, u });
    const frame = model.bodies.at(-1)!.name;
    const impulse = { frame, at: [0.3, -0.2, 0.1], force: [1, -2, 3], torque: [0.3, 0.2, -0.4], axes: "body" } as const;
    const { before, after, ledger } = push(system, state, impulse);
    const scale = Math.max(...before.momentum.map(Math.abs), ...after.momentum.map(Math.abs), 1);
    for (let i = 0; i < 6; i++)
      expect(Math.abs(after.momentum[i]! - before.momentum[i]! - ledger[2 + i]!)).toBeLessThan(1e-12 * scale);
    const energies = Math.max(before.kinetic, after.kinetic);
    expect(Math.abs(after.kinetic - before.kinetic - ledger[1]!)).toBeLessThan(1e-12 * energies);
    const { du } = push(system, state, impulse);
    const jump = impulseJump(model, state.y.slice(0, model.nq), [impulse]);
    const largest = Math.max(...jump.du.map(Math.abs));
    for (let i = 0; i < model.nu; i++) expect(Math.abs(du[i]! - jump.du[i]!)).toBeLessThan(1e-10 * largest);
  });
});

describe("as an event of a run", () => {
  const model = createModel({
    name: "hull",
    bodies: [{ name: "hull", mass: 2, inertia: [1, 2, 3], hinge: { kind: "free" } }],
  });
  const system = createSystem(model, []);
  const plan: PlannedEvent[] = [
    { name: "first", at: 0.5, actions: { impulse: { frame: "hull", force: [4, 0, 0] } } },
    { name: "second", after: ["first"], delay: 0.25, actions: { impulse: { frame: "hull", torque: [0, 0, 6], axes: "body" } } },
  ];

  test("the motion, the timeline and the audit count it", () => {
    const run = simulate(system, system.start(), { duration: 1, sample: 0.25, plan });
    expect(run.y[4]).toBeCloseTo(1, 12); // x: 4 N s / 2 kg for 0.5 s
    expect(run.y[7 + 2]).toBeCloseTo(2, 12);
    expect(run.timeline.map(({ t, name, done }) => [t, name, ...done])).toEqual([
      [0.5, "first", "gave hull an impulse of 4 N s, supplied 4 J"],
      [0.75, "second", "gave hull an impulse of 6 N m s, supplied 6 J"],
    ]);
    expect(run.timeline[0]!.impulse!.applied).toEqual({ frame: "hull", wrench: [0, 0, 0, 4, 0, 0] });
    expect(run.audit.length).toBe(4);
    for (const { worst } of run.audit) expect(worst).toBeLessThan(1e-12);
  });

  test("an impulse that is not a number, or in unknown axes, is refused before the run", () => {
    const refused = (impulse: object) => () =>
      new Simulation(system, system.start(), { plan: [{ name: "hit", at: 0, actions: { impulse: impulse as AppliedImpulse } }] });
    expect(refused({ frame: "hull", force: [1, Number.NaN, 0] })).toThrow("options.plan[0].actions.impulse.force");
    expect(refused({ frame: "hull", force: [1, 0, 0], axes: "hull" })).toThrow("options.plan[0].actions.impulse.axes");
    expect(refused({ frame: "hull", strength: 2 })).toThrow("options.plan[0].actions.impulse.strength: there is no such option");
  });

  test("a saved run between the impulses continues to the same bits", () => {
    const whole = new Simulation(system, system.start(), { duration: 1, plan });
    whole.advance();
    const half = new Simulation(system, system.start(), { duration: 1, plan });
    half.advance(0.6);
    const rest = new Simulation(system, half.save(), { duration: 1, plan });
    rest.advance();
    expect(rest.y).toEqual(whole.y);
  });
});
