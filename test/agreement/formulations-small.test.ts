/** Kane's method and the matrix method on special models and in many states. All formulations on 300 trees: formulations.test.ts. */
import { expect, test } from "vitest";
import type { Equations } from "../../src/dynamics/formulation.ts";
import { kane } from "../../src/dynamics/kane/kane.ts";
import { matrix } from "../../src/dynamics/matrix/matrix-method.ts";
import type { Target } from "../../src/kernel/run/kernel.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { Model } from "../../src/model/model.ts";
import { difference } from "../fixtures/geometry.ts";
import { chainModel } from "../fixtures/models/element-chains.ts";
import { type RandomState, randomModel, randomState, randomWrenches } from "../fixtures/models/random-model.ts";

/** Rounding times the condition of the mass matrix of trees of up to 80 freedoms. The worst of 600 seeds has 4e-12. */
const MOTION = 1e-10;
const REACTIONS = 1e-9;

function compare(model: Model, a: Equations, b: Equations, { q, u, tau, w }: RandomState): void {
  const of = (size: number, compute: (e: Equations, out: Float64Array) => void): number => {
    const [x, y] = [new Float64Array(size), new Float64Array(size)];
    compute(a, x);
    compute(b, y);
    return difference(x, y);
  };
  expect(
    of(model.nu, (e, out) => e.accelerations(q, u, tau, w, out)),
    "accelerations",
  ).toBeLessThan(MOTION);
  expect(
    of(6 * model.bodies.length, (e, out) => e.reactions(q, u, tau, w, out)),
    "reactions",
  ).toBeLessThan(REACTIONS);
  expect(
    of(2, (e, out) => e.energy(q, u, out)),
    "energy",
  ).toBeLessThan(MOTION);
  expect(
    of(6, (e, out) => e.momentum(q, u, out)),
    "momentum",
  ).toBeLessThan(MOTION);
}

/** Both formulations of a random model, with some wrenches. */
function derived(seed: number, model: Model, target: Target): readonly [Equations, Equations] {
  const wrenches = randomWrenches(model, seed);
  return [kane.derive(model, { wrenches, target }), matrix.derive(model, { wrenches, target })];
}

test.each(["wasm", "js"] as const)("the same model in many states, compiled to %s: the pivot order is used again", (target) => {
  for (const freedoms of [3, 12, 30]) {
    const model = createModel(randomModel(freedoms, { freedoms }));
    const [a, b] = derived(freedoms, model, target);
    for (let state = 0; state < 30; state++) compare(model, a, b, randomState(model, state, a.nw));
  }
});

test("hinges that are chains of any elements", () => {
  for (let seed = 0; seed < 5; seed++) {
    const model = chainModel(seed);
    const [a, b] = derived(seed, model, "interpret");
    compare(model, a, b, randomState(model, seed, a.nw));
  }
});

test("a model without freedoms has reactions too", () => {
  const model = createModel({
    name: "bracket",
    gravity: [0, 0, -10],
    bodies: [
      { name: "wall", mass: 2, com: [1, 0, 0], inertia: [1, 1, 1], hinge: { kind: "fixed" } },
      { name: "hook", parent: "wall", mass: 1, inertia: [1, 1, 1], hinge: { kind: "fixed", at: [3, 0, 0] } },
    ],
  });
  const none = new Float64Array(0);
  for (const formulation of [kane, matrix]) {
    const out = new Float64Array(12);
    formulation.derive(model).accelerations(none, none, none, none, none);
    formulation.derive(model).reactions(none, none, none, none, out);
    expect([...out].map((v) => v + 0)).toEqual([0, -50, 0, 0, 0, 30, 0, 0, 0, 0, 0, 10]);
  }
});

test("orbital distance costs no digits: accelerations and reactions do not depend on the base's position", () => {
  const model = createModel(randomModel(11, { freedoms: 20, base: "free", massless: "none" }));
  expect(model.bodies[0]!.hinge.kind).toBe("free");
  const state = randomState(model, 11);
  const far = state.q.slice();
  far.set([6.9e6, -1.2e6, 3.3e6], 4);
  for (const formulation of [kane, matrix]) {
    const equations = formulation.derive(model);
    const [here, there] = [new Float64Array(6 * model.bodies.length), new Float64Array(6 * model.bodies.length)];
    equations.reactions(state.q, state.u, state.tau, state.w, here);
    equations.reactions(far, state.u, state.tau, state.w, there);
    expect(there).toEqual(here);
  }
});
