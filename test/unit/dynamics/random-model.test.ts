/** The random models on which formulations are compared: every kind of hinge, every size, reproducible by seed. */
import { expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { HINGES } from "../../../src/model/hinges/index.ts";
import { quaternionStarts } from "../../../src/model/model.ts";
import { MOST_FREEDOMS, randomModel, randomState, uniform } from "../../fixtures/models/random-model.ts";

const models = Array.from({ length: 300 }, (_, seed) => createModel(randomModel(seed)));

test("300 seeds cover every kind of hinge, every subset size of a general one, and 1 to 80 freedoms", () => {
  const hinges = models.flatMap(({ bodies }) => bodies.map(({ hinge }) => hinge));
  expect(new Set(hinges.map(({ kind }) => kind))).toEqual(new Set(Object.keys(HINGES)));
  expect(new Set(hinges.filter(({ kind }) => kind === "general").map(({ nu }) => nu))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
  const sizes = models.map(({ nu }) => nu);
  expect(Math.min(...sizes)).toBe(1);
  expect(Math.max(...sizes)).toBe(MOST_FREEDOMS);
  for (let low = 1; low < MOST_FREEDOMS; low += 10) expect(sizes.some((n) => n >= low && n < low + 10)).toBe(true);
});

test("they branch, have several roots, free and fixed bases, massless bodies, point masses, frames and placements on the body", () => {
  const count = (has: (model: (typeof models)[number]) => boolean): number => models.filter(has).length;
  const roots = (m: (typeof models)[number]) => m.bodies.filter(({ parent }) => parent < 0);
  expect(count((m) => new Set(m.bodies.map(({ parent }) => parent)).size < m.bodies.length)).toBeGreaterThan(50);
  expect(count((m) => roots(m).length > 1)).toBeGreaterThan(30);
  expect(count((m) => roots(m).length === 1 && roots(m)[0]!.hinge.kind === "free")).toBeGreaterThan(30);
  expect(count((m) => roots(m).length === 1 && roots(m)[0]!.hinge.nu < 6)).toBeGreaterThan(30);
  expect(count((m) => m.bodies.some(({ mass }) => mass === 0))).toBeGreaterThan(30);
  expect(count((m) => m.bodies.some(({ mass, inertia }) => mass > 0 && inertia[0][0] === 0))).toBeGreaterThan(30);
  expect(count((m) => m.frames.length > 0)).toBeGreaterThan(100);
  expect(count((m) => m.bodies.some(({ hinge }) => hinge.onBody.p[0] !== 0 && hinge.onBody.R[0][1] !== 0))).toBeGreaterThan(100);
});

test("every body is physical: inertias satisfy the triangle inequality", () => {
  expect(models.flatMap(({ warnings }) => warnings)).toEqual([]);
});

test("the number of freedoms and the kinds are as requested", () => {
  for (const freedoms of [1, 2, 7, 33, 80]) {
    const model = createModel(randomModel(5, { freedoms, kinds: ["revolute"], shape: "chain", base: "fixed", massless: "none" }));
    expect(model.nu).toBe(freedoms);
    expect(model.bodies.every(({ hinge, index, parent }) => hinge.kind === "revolute" && parent === index - 1)).toBe(true);
  }
});

test("a seed determines one model and one state", () => {
  expect(randomModel(42)).toEqual(randomModel(42));
  expect(randomModel(42)).not.toEqual(randomModel(43));
  const model = models[42]!;
  const state = randomState(model, 3, 6);
  expect(state).toEqual(randomState(model, 3, 6));
  for (const at of quaternionStarts(model)) expect(Math.hypot(...state.q.slice(at, at + 4))).toBeCloseTo(1, 14);
});

test("uniform numbers: mean, spread and range of a hundred thousand, and the first ones never change", () => {
  const random = uniform(9);
  const numbers = Array.from({ length: 100_000 }, random);
  const mean = numbers.reduce((a, b) => a + b) / numbers.length;
  expect(mean).toBeCloseTo(0.5, 2);
  expect(numbers.reduce((a, b) => a + (b - mean) ** 2, 0) / numbers.length).toBeCloseTo(1 / 12, 2);
  expect(numbers.every((x) => x >= 0 && x < 1)).toBe(true);
  expect(numbers.slice(0, 2)).toMatchInlineSnapshot(`
    [
      0.7736468829680234,
      0.1506995870731771,
    ]
  `);
});
