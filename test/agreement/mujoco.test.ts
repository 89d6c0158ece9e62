/** Castor against MuJoCo: accelerations, mass matrices and energies of the same models in the same states. */
import { describe, expect, test } from "vitest";
import { type BenchState, MODEL_NAMES, readModel } from "../../bench/machines/models.ts";
import { createMujocoSteps } from "../../bench/peers/mujoco-steps.ts";
import { createMujoco } from "../../bench/peers/mujoco-wasm.ts";
import { FORMULATIONS } from "../../src/dynamics/formulations.ts";
import { massMatrix } from "../../src/dynamics/programs.ts";
import { compile } from "../../src/kernel/run/kernel.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { type Model, quaternionStarts } from "../../src/model/model.ts";
import { mixedModel } from "../fixtures/models/mixed-model.ts";

/** Relative to the largest entry. Rounding causes 1e-14, 3e-13 on long chains; a wrong convention or term causes 1e-3 and more. */
const TOLERANCE = 1e-9;

const mujoco = await createMujoco();
const mujocoSteps = await createMujocoSteps();
const descriptions = [...MODEL_NAMES.map((name) => readModel(name).description), mixedModel];

describe.each(descriptions)("$name", (description) => {
  const model = createModel(description);
  const peer = mujoco(description);
  const states = statesOf(model);

  test.each(Object.values(FORMULATIONS))("accelerations by $name", (formulation) => {
    const equations = formulation.derive(model);
    const udot = new Float64Array(model.nu);
    const expected = new Float64Array(model.nu);
    for (const { q, u, tau } of states) {
      equations.accelerations(q, u, tau, new Float64Array(0), udot);
      peer.accelerations(q, u, tau, expected);
      expect(difference(udot, expected)).toBeLessThan(TOLERANCE);
    }
  });

  test.each(Object.values(FORMULATIONS))("energies by $name", (formulation) => {
    const equations = formulation.derive(model);
    const energy = new Float64Array(2);
    const expected = new Float64Array(2);
    for (const { q, u } of states) {
      equations.energy(q, u, energy);
      peer.energy(q, u, expected);
      expect(difference(energy, expected)).toBeLessThan(TOLERANCE);
    }
  });

  test("mass matrix", () => {
    const M = compile(massMatrix(model));
    const expected = new Float64Array(model.nu ** 2);
    for (const { q } of states) {
      M.x.set(q);
      M.evaluate();
      peer.massMatrix(q, expected);
      expect(difference(M.y, expected)).toBeLessThan(TOLERANCE);
    }
  });

  test("a state passed to MuJoCo is returned unchanged", () => {
    const steps = mujocoSteps(description, { integrator: "RK4", step: 0.001 });
    const [backQ, backU] = [new Float64Array(model.nq), new Float64Array(model.nu)];
    for (const { q, u } of states) {
      steps.restart(q, u);
      steps.state(backQ, backU);
      expect(difference(backQ, q)).toBeLessThan(1e-14);
      expect(difference(backU, u)).toBeLessThan(1e-14);
    }
  });

  test("each sequence of MuJoCo calls that the benchmark times gives the accelerations", () => {
    const { q, u, tau } = states[0]!;
    const expected = new Float64Array(model.nu);
    peer.accelerations(q, u, tau, expected);
    const { qacc } = peer.memory();
    const answer = qacc.slice();
    for (const calls of Object.values(peer.forwardDynamics)) {
      qacc.fill(Number.NaN);
      calls();
      expect(difference(qacc, answer)).toBe(0);
    }
  });
});

test("a hinge that MuJoCo does not support is an error with its name", () => {
  const hinge = { kind: "helical", pitch: 0.1 } as const;
  const description = { name: "jack", bodies: [{ name: "screw", mass: 1, inertia: [1, 1, 1], hinge }] };
  expect(() => mujoco(description)).toThrow(/screw.*helical/);
});

/** The state of the file if there is one, and some more. */
function statesOf(model: Model): BenchState[] {
  const name = MODEL_NAMES.find((known) => known === model.name);
  const random = Array.from({ length: 4 }, (_, seed) => randomState(model, seed + 1));
  return name ? [readModel(name).state, ...random] : random;
}

function randomState(model: Model, seed: number): BenchState {
  let bits = seed;
  const draw = (size: number): number => {
    bits = (Math.imul(bits, 1664525) + 1013904223) | 0; // Numerical Recipes' generator is sufficient to pick states
    return (size * bits) / 2 ** 31;
  };
  const q = Float64Array.from({ length: model.nq }, () => draw(3));
  for (const at of quaternionStarts(model)) {
    const norm = Math.hypot(...q.subarray(at, at + 4));
    for (let i = at; i < at + 4; i++) q[i]! /= norm;
  }
  return {
    q,
    u: Float64Array.from({ length: model.nu }, () => draw(2)),
    tau: Float64Array.from({ length: model.nu }, () => draw(5)),
  };
}

function difference(value: Float64Array, expected: Float64Array): number {
  const scale = Math.max(...expected.map(Math.abs));
  return Math.max(...value.map((v, i) => Math.abs(v - expected[i]!))) / scale;
}
