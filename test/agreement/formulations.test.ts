/**
 * Formulations that share no recursion agree on 300 seeded random trees; inverse dynamics inverts forward dynamics.
 *
 * Each program is evaluated once, so compiling takes most of the time. Every fifth tree runs compiled, the others by the interpreter, which
 * gives the same bits up to sin and cos (targets.test.ts).
 */
import { describe, expect, test, vi } from "vitest";
import type { Equations, FormulationName } from "../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../src/dynamics/formulations.ts";
import * as programs from "../../src/dynamics/programs.ts";
import { compile } from "../../src/kernel/run/kernel.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { Model } from "../../src/model/model.ts";
import { randomModel, randomState } from "../fixtures/models/random-model.ts";

/** True while kernels run by the interpreter. */
const interpreter = vi.hoisted(() => ({ isOn: false }));
vi.mock("../../src/kernel/run/kernel.ts", async (importActual) => {
  const kernels = await importActual<typeof import("../../src/kernel/run/kernel.ts")>();
  const compileOrInterpret: typeof kernels.compile = (program, options = {}) =>
    kernels.compile(program, interpreter.isOn ? { ...options, target: "interpret" } : options);
  return { ...kernels, compile: compileOrInterpret };
});

/** Rounding of 10^3..10^5 operations on ill-conditioned 80-freedom trees, relative to the largest component. */
const AGREEMENT = 1e-10;

/** Largest difference of two vectors relative to the largest entry. */
function difference(a: Float64Array, b: Float64Array): number {
  let scale = 0;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    scale = Math.max(scale, Math.abs(a[i]!), Math.abs(b[i]!));
    worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
    if (Number.isNaN(a[i]! - b[i]!)) return Number.NaN;
  }
  return scale === 0 ? 0 : worst / scale;
}

// Without loops `minimal` is the same as `partition`.
const NAMES = (Object.keys(FORMULATIONS) as FormulationName[]).filter((name) => name !== "minimal");

function quantities(model: Model, equations: Equations, seed: number, frames: readonly string[]) {
  const { q, u, tau, w } = randomState(model, seed, 6 * frames.length);
  const udot = new Float64Array(model.nu);
  const reactions = new Float64Array(6 * model.bodies.length);
  const energy = new Float64Array(2);
  const momentum = new Float64Array(6);
  equations.accelerations(q, u, tau, w, udot);
  equations.reactions(q, u, tau, w, reactions);
  equations.energy(q, u, energy);
  equations.momentum(q, u, momentum);
  return { udot, reactions, energy, momentum };
}

const SEEDS = Array.from({ length: 300 }, (_, i) => i);
const BATCH = 25;

describe("300 random trees of 1 to 80 freedoms, every hinge kind", () => {
  for (let first = 0; first < SEEDS.length; first += BATCH) {
    test(`seeds ${first} to ${first + BATCH - 1}`, () => {
      for (const seed of SEEDS.slice(first, first + BATCH)) {
        interpreter.isOn = seed % 5 !== 0;
        const model = createModel(randomModel(seed));
        const frames = model.bodies
          .filter((b) => b.index % 3 === seed % 3)
          .map((b) => b.name)
          .slice(0, 4);
        const results = NAMES.map((name) =>
          quantities(model, FORMULATIONS[name].derive(model, { wrenches: frames }), seed, frames),
        );
        for (const [k, name] of NAMES.entries()) {
          for (const quantity of ["udot", "energy", "momentum", "reactions"] as const) {
            const apart = difference(results[0]![quantity], results[k]![quantity]);
            expect(apart, `${quantity} of ${model.name} (seed ${seed}): ${NAMES[0]} against ${name}`).toBeLessThan(AGREEMENT);
          }
        }
      }
    });
  }
});

test("inverse dynamics returns the forces of forward dynamics, and so does M u̇ + bias", () => {
  for (const seed of SEEDS.filter((s) => s % 6 === 0)) {
    interpreter.isOn = seed % 5 !== 0;
    const model = createModel(randomModel(seed));
    const frames = model.bodies.slice(0, 2).map((b) => b.name);
    const { q, u, tau, w } = randomState(model, seed, 6 * frames.length);
    const udot = new Float64Array(model.nu);
    FORMULATIONS.articulated.derive(model, { wrenches: frames }).accelerations(q, u, tau, w, udot);
    const inverse = compile(programs.inverseDynamics(model, { wrenches: frames }));
    inverse.x.set([...q, ...u, ...udot, ...w]);
    inverse.evaluate();
    const M = compile(programs.massMatrix(model));
    M.x.set(q);
    M.evaluate();
    const bias = compile(programs.biasForce(model, { wrenches: frames }));
    bias.x.set([...q, ...u, ...w]);
    bias.evaluate();
    const sum = Float64Array.from(tau, (_, i) => bias.y[i]! + udot.reduce((s, a, j) => s + M.y[i * model.nu + j]! * a, 0));
    // tau is the difference of much larger forces: the largest of them is the scale
    const scale = Math.max(
      ...bias.y.map(Math.abs),
      ...tau.map(Math.abs),
      ...M.y.map((m, k) => Math.abs(m * udot[k % model.nu]!)),
    );
    for (const other of [inverse.y, sum]) {
      const worst = Math.max(...tau.map((t, i) => Math.abs(t - other[i]!)));
      expect(worst / scale, `seed ${seed}`).toBeLessThan(AGREEMENT);
    }
  }
});
