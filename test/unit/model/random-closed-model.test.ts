/** The random models with loops on which solution methods are compared: closed, independent, of every kind, reproducible by seed. */
import { describe, expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import { rowCount } from "../../../src/model/loop.ts";
import { type LoopKindName, loopKinds } from "../../../src/model/loops/index.ts";
import { independence, jacobian, residuals } from "../../fixtures/models/closure.ts";
import { INDEPENDENT, randomClosedModel, uniform } from "../../fixtures/models/random-model.ts";

/** Rounding of poses of chains of some metres. */
const CLOSED = 1e-13;
const STEP = 1e-6;
/** Differences of values of order one along motions of order one. */
const DIFFERENCES = 1e-7;

const machines = Array.from({ length: 150 }, (_, seed) => {
  const { description, q } = randomClosedModel(seed);
  return { model: createModel(description), q };
});

test("loops are closed", () => {
  for (const { model, q } of machines) expect(Math.max(...residuals(model, q).map(Math.abs))).toBeLessThan(CLOSED);
});

test("rows are independent and leave freedoms", () => {
  for (const { model, q } of machines) {
    expect(model.loops.reduce((n, loop) => n + rowCount(loop), 0)).toBeLessThan(model.nu);
    expect(Math.min(...independence(jacobian(model, q)))).toBeGreaterThan(INDEPENDENT);
  }
});

test("the rates of the rows are the derivatives of their values along q̇ = N(q) u", () => {
  for (const [seed, { model, q }] of machines.entries()) {
    const random = uniform(seed);
    const u = Array.from({ length: model.nu }, () => 2 * random() - 1);
    const rates = model.bodies.flatMap(({ hinge }) => {
      let { q: qAt, u: uAt } = hinge;
      return hinge.elements.flatMap((e) => {
        const own = e.rates(Array.from(q.slice(qAt, qAt + e.nq)), u.slice(uAt, uAt + e.nu)) as number[];
        qAt += e.nq;
        uAt += e.nu;
        return own;
      });
    });
    const at = (h: number): number[] =>
      residuals(
        model,
        q.map((c, i) => c + h * rates[i]!),
      );
    const [before, after] = [at(-STEP), at(STEP)];
    for (const [i, row] of jacobian(model, q).entries()) {
      const rate = row.reduce((sum, v, k) => sum + v * u[k]!, 0);
      expect(Math.abs((after[i]! - before[i]!) / (2 * STEP) - rate)).toBeLessThan(DIFFERENCES * Math.max(1, Math.abs(rate)));
    }
  }
});

test("150 seeds have every kind of loop, one to four of them, on frames, the world and bodies", () => {
  const loops = machines.flatMap(({ model }) => model.loops);
  expect(new Set(loops.map(({ kind }) => kind))).toEqual(new Set(Object.keys(loopKinds())));
  expect(new Set(machines.map(({ model }) => model.loops.length))).toEqual(new Set([1, 2, 3, 4]));
  const ends = loops.flatMap((loop) => (loop.type === "frames" ? [loop.from, loop.to] : []));
  expect(ends.some(({ frame }) => frame !== undefined) && ends.some(({ body }) => body < 0)).toBe(true);
});

describe("kinds and freedoms as requested", () => {
  test.each(Object.keys(loopKinds()) as LoopKindName[])("%s", (kind) => {
    for (let seed = 0; seed < 5; seed++) {
      const { description } = randomClosedModel(seed, { closings: [kind], freedoms: 9 });
      const model = createModel(description);
      expect([model.nu, model.loops.map((loop) => loop.kind)]).toEqual([9, [kind]]);
    }
  });

  test("several kinds, in a tree with one kind of hinge", () => {
    const closings = ["revolute", "distance", "spherical"] as const;
    const { description, q } = randomClosedModel(3, { closings, kinds: ["revolute"], base: "fixed", massless: "none" });
    const model = createModel(description);
    expect(model.loops.map(({ kind }) => kind)).toEqual(closings);
    expect(Math.max(...residuals(model, q).map(Math.abs))).toBeLessThan(CLOSED);
  });

  test("or none at all", () => {
    expect(() => randomClosedModel(0, { closings: ["fixed"], freedoms: 5 })).toThrow(/seed 0: no machine with loops found/);
  });
});

test("a seed determines one model", () => {
  expect(randomClosedModel(42)).toEqual(randomClosedModel(42));
  expect(randomClosedModel(42)).not.toEqual(randomClosedModel(43));
});
