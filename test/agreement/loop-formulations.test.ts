/** Kane's method and the matrix method on random models with loops. Loops do no work, and closed loops stay closed. */
import { describe, expect, test } from "vitest";
import type { Equations } from "../../src/dynamics/formulation.ts";
import { kaneIntegrals, kaneLoopErrors } from "../../src/dynamics/kane/equations.ts";
import { kane } from "../../src/dynamics/kane/kane.ts";
import { matrix, matrixIntegrals, matrixLoopErrors } from "../../src/dynamics/matrix/matrix-method.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { type LoopKindName, loopKinds } from "../../src/model/loops/index.ts";
import type { Model } from "../../src/model/model.ts";
import { dot } from "../../src/spatial/vec3.ts";
import { evaluateDual } from "../fixtures/dual.ts";
import { coordinateRates, difference, frameMovement } from "../fixtures/geometry.ts";
import { answersOf, closedSpeeds, loopRows } from "../fixtures/models/loop-states.ts";
import { type RandomClosedOptions, randomClosedModel, randomState, randomWrenches } from "../fixtures/models/random-model.ts";

/** Rounding times the conditions of the mass matrix and of the loops in it. */
const MOTION = 1e-9;
const FORCES = 1e-8;
/** Rounding against the sum of the magnitudes of all terms. */
const BALANCE = 1e-10;

interface Case {
  readonly model: Model;
  readonly seed: number;
  readonly q: Float64Array;
}

function caseOf(seed: number, options?: RandomClosedOptions): Case {
  const { description, q } = randomClosedModel(seed, options);
  return { model: createModel(description), seed, q };
}

/** A state whose speeds satisfy the loops at time 0. */
function stateOf({ model, seed, q }: Case, equations: Equations) {
  const { u, tau, w } = randomState(model, seed, equations.nw);
  return { q, u: closedSpeeds(equations, q, u), tau, w };
}

const KINDS = Object.keys(loopKinds()) as LoopKindName[];
const CASES: readonly Case[] = [
  ...KINDS.map((kind, i) => caseOf(i, { closings: [kind] })),
  ...Array.from({ length: 30 }, (_, i) => caseOf(100 + i)),
];

test.each(CASES)("$model.name: the same motion, reactions and loop forces", (machine) => {
  const { model, seed } = machine;
  const wrenches = randomWrenches(model, seed);
  const [a, b] = [kane, matrix].map((f) => f.derive(model, { wrenches, target: "interpret" })) as [Equations, Equations];
  const state = stateOf(machine, a);
  const [x, y] = [answersOf(a, state), answersOf(b, state)];
  expect(difference(x.udot, y.udot), "accelerations").toBeLessThan(MOTION);
  expect(difference(x.reactions, y.reactions), "reactions").toBeLessThan(FORCES);
  expect(difference(x.lambda, y.lambda), "loop forces").toBeLessThan(FORCES);
  expect([a, b].map((e) => e.loopRank!(state.q).rank)).toEqual([loopRows(model), loopRows(model)]);
  const errors = [a, b].map((e) => {
    const out = new Float64Array(2 * loopRows(model));
    e.loopErrors(state.q, state.u, out);
    return out;
  });
  for (const out of errors) expect(Math.max(...out.map(Math.abs))).toBeLessThan(1e-12);
});

describe.each([
  { formulation: kane, integrals: kaneIntegrals, errors: kaneLoopErrors },
  { formulation: matrix, integrals: matrixIntegrals, errors: matrixLoopErrors },
])("$formulation.name", ({ formulation, integrals, errors }) => {
  test.each(CASES)("$model.name: loops stay closed, and do work only if they prescribe a motion", (machine) => {
    const { model, seed } = machine;
    const wrenches = randomWrenches(model, seed);
    const equations = formulation.derive(model, { wrenches, target: "interpret" });
    const state = stateOf(machine, equations);
    const { q, u, tau, w } = state;
    const { udot, lambda } = answersOf(equations, state);
    const m = loopRows(model);
    const rates = [...coordinateRates(model, q, u), ...udot];

    const closing = evaluateDual(errors(model), [...q, ...u, 0], [...rates, 1]).dy;
    const size = Math.max(1, ...udot.map(Math.abs));
    for (let i = 0; i < 2 * m; i++) expect(Math.abs(closing[i]!)).toBeLessThan(BALANCE * size);

    const still = new Float64Array(2 * m);
    equations.loopErrors(q, new Float64Array(model.nu), still); // ∂f/∂t: the rate that prescribed motions require of the speeds, with the opposite sign
    const powers = [
      ...tau.map((force, i) => force * u[i]!),
      ...wrenches.flatMap((name, i) => {
        const { angularVelocity, velocity } = frameMovement(model, q, u, name);
        const [torque, force] = [w.slice(6 * i, 6 * i + 3), w.slice(6 * i + 3, 6 * i + 6)].map((v) => [...v] as const);
        return [dot(torque as never, angularVelocity) as number, dot(force as never, velocity) as number];
      }),
      ...lambda.map((force, i) => -force * still[m + i]!),
    ];
    const supplied = powers.reduce((s, p) => s + p, 0);
    const { dy } = evaluateDual(integrals(model), [...q, ...u], rates);
    const terms = [...powers, dy[0]!, dy[1]!].reduce((s, p) => s + Math.abs(p), 0);
    expect(Math.abs(dy[0]! + dy[1]! - supplied)).toBeLessThan(BALANCE * terms);
  });
});

test.each(["wasm", "js"] as const)("compiled to %s, in many successive states", (target) => {
  const machine = caseOf(7, { closings: ["revolute", "distance", "coupling"] });
  const [a, b] = [kane, matrix].map((f) => f.derive(machine.model, { target })) as [Equations, Equations];
  for (let k = 0; k < 20; k++) {
    const state = stateOf({ ...machine, seed: k }, a);
    expect(difference(answersOf(a, state).udot, answersOf(b, state).udot)).toBeLessThan(MOTION);
  }
});
