/** Poses, Jacobians and their bias against central differences of the motion; parameters as inputs; momentum. */
import { expect, test } from "vitest";
import * as programs from "../../../src/dynamics/programs.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { costOf } from "../../../src/kernel/trace/program.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { parametersOf, parameterValue, setParameters } from "../../../src/model/parameters.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";

/** Central differences at h = 1e-5 on motions of order one: h² ~ 1e-10 of truncation, 1e-16 / h ~ 1e-11 of rounding. */
const DIFFERENCES = 1e-7;
const H = 1e-5;

/** q after a time h at constant u (to second order in h). */
function moved(model: Model, q: Float64Array, u: Float64Array, h: number): Float64Array {
  const rates = compile(programs.coordinateRates(model));
  const rate = (at: Float64Array): Float64Array => {
    rates.x.set([...at, ...u]);
    rates.evaluate();
    return rates.y.slice();
  };
  const middle = rate(q).map((r, i) => q[i]! + 0.5 * h * r);
  return rate(middle).map((r, i) => q[i]! + h * r);
}

test("Jacobian times u is the velocity of the frame, and its bias the acceleration at constant u", () => {
  for (let seed = 0; seed < 25; seed++) {
    const model = createModel(randomModel(seed, { freedoms: 1 + (seed % 20) }));
    const { q, u } = randomState(model, seed);
    const frame = model.frames[0]?.name ?? model.bodies.at(-1)!.name;
    const kernel = compile(programs.frameKinematics(model, [frame]));
    const at = (x: Float64Array) => {
      kernel.x.set([...x, ...u]);
      kernel.evaluate();
      const y = kernel.y.slice();
      const J = y.subarray(12, 12 + 6 * model.nu);
      const velocity = Array.from({ length: 6 }, (_, i) => u.reduce((s, v, j) => s + J[i * model.nu + j]! * v, 0));
      return { R: y.subarray(0, 9), p: y.subarray(9, 12), velocity, bias: y.subarray(12 + 6 * model.nu) };
    };
    const here = at(q);
    const [before, after] = [at(moved(model, q, u, -H)), at(moved(model, q, u, H))];
    const rate = (a: ArrayLike<number>, b: ArrayLike<number>, i: number): number => (a[i]! - b[i]!) / (2 * H);
    // ω̃ = Ṙ Rᵀ
    const spin = (i: number, j: number): number =>
      [0, 1, 2].reduce((s, k) => s + rate(after.R, before.R, 3 * i + k) * here.R[3 * j + k]!, 0);
    const expected = [spin(2, 1), spin(0, 2), spin(1, 0), ...[0, 1, 2].map((i) => rate(after.p, before.p, i))];
    const scale = 1 + Math.max(...expected.map(Math.abs), ...here.bias.map(Math.abs));
    for (let i = 0; i < 6; i++) {
      expect(Math.abs(expected[i]! - here.velocity[i]!) / scale, `velocity ${i}, seed ${seed}`).toBeLessThan(DIFFERENCES);
      const change = rate(after.velocity, before.velocity, i);
      expect(Math.abs(change - here.bias[i]!) / scale, `bias ${i}, seed ${seed}`).toBeLessThan(DIFFERENCES);
    }
  }
});

test("model parameters as kernel inputs give the same as a model with these numbers", () => {
  for (let seed = 40; seed < 52; seed++) {
    const model = createModel(randomModel(seed, { freedoms: 4 + (seed % 9), massless: "none" }));
    const body = model.bodies.at(-1)!.name;
    const paths = [`${body}.mass`, `${body}.com.x`, `${body}.inertia.xy`, `${body}.hinge.y`, "gravity.z"];
    for (const path of paths) expect([...parametersOf(model).keys()]).toContain(path);
    const changed = paths.map((path) => parameterValue(model, path) * 1.01 + 1e-3);
    const other = setParameters(model, Object.fromEntries(paths.map((path, i) => [path, changed[i]!])));
    const { q, u, tau } = randomState(model, seed);
    const general = compile(programs.forwardDynamics(model, { parameters: paths }));
    const special = compile(programs.forwardDynamics(other));
    general.x.set([...q, ...u, ...tau, ...changed]);
    special.x.set([...q, ...u, ...tau]);
    general.evaluate();
    special.evaluate();
    const scale = Math.max(...special.y.map(Math.abs));
    for (const [i, value] of special.y.entries()) expect(Math.abs(value - general.y[i]!) / scale).toBeLessThan(1e-10);
  }
});

test("parameters keep the structural zeros: one mass as an input costs a few operations, not a dense kernel", () => {
  const model = createModel({
    name: "planar arm",
    bodies: [1, 2, 3, 4].map((i) => ({
      name: `link${i}`,
      ...(i > 1 ? { parent: `link${i - 1}` } : {}),
      mass: 1,
      com: [0.5, 0, 0] as const,
      inertia: [0.01, 0.1, 0.1],
      hinge: { kind: "revolute" as const, axis: "z" as const, at: [i > 1 ? 1 : 0, 0, 0] as const },
    })),
  });
  const numbers = costOf(programs.forwardDynamics(model)).ops;
  const inputs = costOf(programs.forwardDynamics(model, { parameters: ["link4.mass"] })).ops;
  expect(inputs).toBeLessThan(1.25 * numbers);
});

test("at orbital distance the dynamics lose no digits", () => {
  const model = createModel(randomModel(3, { freedoms: 12, base: "free" }));
  const far = [7e6, -3e6, 2e6];
  const { q, u, tau } = randomState(model, 3);
  const there = q.map((v, i) => (i >= 4 && i < 7 ? v + far[i - 4]! : v));
  const kernel = compile(programs.forwardDynamics(model));
  const answer = (at: Float64Array): Float64Array => {
    kernel.x.set([...at, ...u, ...tau]);
    kernel.evaluate();
    return kernel.y.slice();
  };
  expect(answer(there)).toEqual(answer(q));
});
