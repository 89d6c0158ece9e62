/** Dry friction with sticking: it breaks away where its force reaches the limit, and always slips against its friction. */
import { describe, expect, test } from "vitest";
import { builtInScenario } from "../../../bench/machines/built-in-scenario.ts";
import { add, mul } from "../../../src/kernel/trace/scalar.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { settleFriction } from "../../../src/sim/events/element-events.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import type { ForceElement } from "../../../src/sim/system/force-element.ts";
import type { System } from "../../../src/sim/system/system.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

/** Pseudo-random numbers between 0 and 1, the same every time. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a block under a force that grows with time", () => {
  const model = buildModel("block")
    .body({ name: "block", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .build();
  const pull = (start: number, rate: number): ForceElement => ({
    name: "pull",
    kind: "test",
    trace(s, out) {
      const force = add(start, mul(rate, s.t));
      out.hinge("block", 0, force);
      out.supplied(mul(force, s.hinge("block").u[0]!));
    },
  });

  test.each(["dop853", "radau5"] as const)("breaks away where the force reaches the limit (%s)", (name) => {
    const draw = draws(1);
    for (let k = 0; k < 15; k++) {
      const breakaway = 1 + draw();
      const coulomb = k % 3 === 0 ? breakaway : breakaway * draw();
      const start = k % 5 === 0 ? breakaway : 0; // at the limit from the first moment
      const rate = (k % 2 ? 1 : -1) * (1 + draw());
      const rub = FORCES.friction.create("rub", { hinge: "block", coulomb, breakaway, stribeckSpeed: 0 }, model);
      const system = createSystem(model, [pull(Math.sign(rate) * start, rate), rub]);
      const run = simulate(system, system.start(), {
        duration: 3,
        integrator: INTEGRATORS[name],
        settings: { relativeTolerance: 1e-10, absoluteTolerance: 1e-14 }, // just after it has begun to move all energies are small
      });
      const at = (breakaway - start) / Math.abs(rate);
      const after = 3 - at;
      const x = (Math.sign(rate) * (((breakaway - coulomb) * after ** 2) / 2 + (Math.abs(rate) * after ** 3) / 6)) / 2;
      expect(run.events.map((e) => e.name)).toEqual(["friction rub.block"]);
      expect(Math.abs(run.events[0]!.t - at)).toBeLessThan(1e-12);
      expect(Math.abs(run.y[0]! - x)).toBeLessThan(1e-9);
    }
  });
});

describe("several freedoms that begin to slip at once", () => {
  /** A planar arm at rest under torques, with dry friction in all hinges. */
  const chain = (lengths: readonly number[], masses: readonly number[], torques: readonly number[]): System => {
    let builder = buildModel("arm");
    for (const [i, length] of lengths.entries())
      builder = builder.body({
        name: `link${i}`,
        ...(i > 0 && { parent: `link${i - 1}` }),
        ...(i === 0 ? { mass: 1, inertia: [1, 1, 1] } : { mass: masses[i]!, com: [length, 0, 0], inertia: "none" }),
        hinge: { kind: "revolute", axis: "z", at: [i === 0 ? 0 : lengths[i - 1]!, 0, 0] },
      });
    const model = builder.build();
    const hinges = lengths.map((_, i) => `link${i}`);
    return createSystem(model, [
      FORCES["generalised-force"].create("motors", { hinge: hinges, force: torques }, model),
      ...hinges.map((hinge, i) => FORCES.friction.create(`rub${i}`, { hinge, coulomb: 1 }, model)),
    ]);
  };

  test("a freedom that the others push back slips backward, not forward driven by its own friction", () => {
    // M = [[5.26, 0.47], [0.47, 0.053]]: W = [[1, -9], [-9, 100]]. By itself the first would go forward, 2 - 1 > 0; with the second
    // it goes backward, 2 + 1 - 9 (1.5 - 1) < 0.
    const m = 1 / 19;
    const system = chain([8, 1], [1, m], [2, 1.5]);
    const y = system.start();
    const run = simulate(system, y, { duration: 1e-3, integrator: INTEGRATORS.dop853 });
    expect(run.y[2]! / 1e-3).toBeCloseTo(-1.5, 2);
    expect(run.y[3]! / 1e-3).toBeCloseTo(23, 1);
    expect(run.events).toEqual([]);
  });

  test("all modes agree with forces and accelerations, 60 random arms", () => {
    const draw = draws(2);
    for (let k = 0; k < 60; k++) {
      const n = 2 + (k % 4);
      const some = (of: (r: number) => number): number[] => Array.from({ length: n }, () => of(draw()));
      const system = chain(
        some((r) => 0.1 + 3 * r),
        some((r) => 10 ** (3 * r - 2)),
        some((r) => 4 * (r - 0.5)),
      );
      const state = system.start({ q: some((r) => 6 * r) });
      const { y } = state;
      const workspace = workspaceOf(system, state);
      settleFriction(workspace, 0, y);
      const ydot = new Float64Array(y.length);
      workspace.problem.derivative(0, y, ydot);
      for (let i = 0; i < n; i++) {
        const mode = workspace.friction.modeOf(i);
        if (mode === 0) expect(workspace.friction.margin(i, y), `arm ${k}`).toBeGreaterThanOrEqual(0);
        else expect(mode * ydot[n + i]!, `arm ${k}`).toBeGreaterThan(0);
      }
    }
  });
});

/**
 * The arm of Yoshikawa and Hosoda by an independent program: Lagrange's equations of the plane, classical Runge-Kutta steps of 2.5 µs,
 * changes of mode by bisection of the step, modes at rest by trying all. Halved steps change nothing before the 13th digit.
 */
const CHANGES = [
  0.411716934, 0.431250458, 0.444193235, 0.475565393, 0.763052026, 0.812865711, 0.853295174, 0.928186091, 1.090675804,
  1.156662028, 1.800485851, 1.857726778,
];
const MOTORS = [
  [0.5, 0.810626692890149, 0.785557945376435],
  [0.7, 0.606063317247879, 0.667759058814357],
  [1, 0.599862876827985, 0.677579051371012],
  [1.83, 0.635027420544186, 0.686653266089183],
  [1.9, 0.63420467257964, 0.686653266089183],
] as const;

test("the motion of an arm with friction in its motors converges with the tolerance", async () => {
  const error: number[] = [];
  for (const tolerance of [1e-4, 1e-5, 1e-6, 1e-7]) {
    const { run } = await runScenario(
      builtInScenario("flexible-two-link", {
        integrator: { relativeTolerance: tolerance, absoluteTolerance: tolerance / 100 },
        duration: 1.9,
        sample: "10 ms",
        channels: ["q.motor-1", "q.motor-2"],
        plots: [],
      }),
    );
    const columns = [run.log.column("q.motor-1"), run.log.column("q.motor-2")];
    const off = MOTORS.flatMap(([t, ...angles]) => angles.map((angle, k) => Math.abs(columns[k]![Math.round(100 * t)]! - angle)));
    error.push(Math.max(...off));
    expect(run.events.length).toBe(CHANGES.length);
    for (const [i, { t }] of run.events.entries()) expect(Math.abs(t - CHANGES[i]!)).toBeLessThan(3e-8);
  }
  for (const e of error) expect(e).toBeLessThan(3e-9);
  expect(error.at(-1)!).toBeLessThan(error[0]! / 3);
});

describe("trial stages and contacts that hold one freedom", () => {
  test("flexible-two-link with an explicit integrator: stages with enormous accelerations are rejected steps", async () => {
    const scenario = builtInScenario("flexible-two-link", { duration: 0.5 });
    const { run, failure } = await runScenario(scenario, { integrator: INTEGRATORS.dop853 });
    expect(failure).toBeUndefined();
    expect(run.end).toBe("complete");
    const implicit = await runScenario(scenario, { integrator: INTEGRATORS.radau5 });
    for (const name of ["q.motor-1", "q.motor-2"])
      expect(Math.abs(run.log.column(name).at(-1)! - implicit.run.log.column(name).at(-1)!)).toBeLessThan(1e-5); // tolerance 1e-6
  });

  test("a contact that slips the wrong way from rest comes to rest at once", () => {
    const model = buildModel("block")
      .body({ name: "block", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
      .build();
    const rub = FORCES.friction.create("rub", { hinge: "block", coulomb: 3, breakaway: 3, stribeckSpeed: 0 }, model);
    const pull = FORCES.actuator.create("pull", { hinge: "block" }, model);
    const system = createSystem(model, [rub, pull]);
    const start = system.start({ inputs: { "pull.force": 1 } });
    const slipping = { ...start, discrete: { ...start.discrete, friction: [1] as const } };
    const run = simulate(system, slipping, { duration: 2 });
    expect(run.events.map((e) => e.name)).toEqual(["friction rub.block"]);
    expect(Math.abs(run.q[0]!)).toBeLessThan(1e-15);
  });

  test("two contacts on one freedom are refused by name", () => {
    const model = buildModel("block")
      .body({ name: "block", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
      .build();
    const rub = (name: string) => FORCES.friction.create(name, { hinge: "block", coulomb: 3 }, model);
    const system = createSystem(model, [rub("left"), rub("right")]);
    expect(() => simulate(system, system.start(), { duration: 1 })).toThrow(
      'the sticking force of the friction "right.block" is not unique: its freedom is already held by "left.block". ' +
        "Two friction elements act on one freedom there: replace them by one",
    );
  });
});
