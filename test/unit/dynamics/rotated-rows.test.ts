/** Rows of loops in the axes with the fewest operations are equivalent to rows in their own axes, on the loops and off them. */
import { expect, test } from "vitest";
import { loopConstraints } from "../../../src/dynamics/loops/rows/constraint-rows.ts";
import { linkTreeOf } from "../../../src/dynamics/tree/link-tree.ts";
import { interpret } from "../../../src/kernel/emit/interpret.ts";
import { offsetsOf, sizeOf, trace } from "../../../src/kernel/trace/program.ts";
import type { Scalar } from "../../../src/kernel/trace/scalar.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../../src/model/description.ts";
import { quaternionStarts } from "../../../src/model/model.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const body = (name: string, hinge: BodyDescription["hinge"], parent?: string): BodyDescription => ({
  name,
  ...(parent !== undefined && { parent }),
  mass: 1,
  inertia: [1, 1, 1],
  hinge,
});

/** A plate on two different legs, which a third leg holds completely. */
const MODEL = createModel({
  name: "plate",
  bodies: [
    body("base", { kind: "free" }),
    body("plate", { kind: "free", at: [0, 0, 1] }, "base"),
    body("cylinder", { kind: "universal", at: [1, 0, 0] }, "base"),
    body("rod", { kind: "prismatic", at: [0, 0.2, 0.5] }, "cylinder"),
    body("bar", { kind: "spherical", at: [0, 1, 0] }, "base"),
    body("hand", { kind: "revolute", at: [0.3, 0.4, 0], axis: [1, 0, 0] }, "bar"),
  ],
  loops: [
    { name: "ball", kind: "spherical", from: { body: "rod", at: [0, 0, 0.1] }, to: { body: "plate", at: [0.5, 0, 0] } },
    { name: "pin", kind: "revolute", from: { body: "hand", at: [0.1, 0, 0.3] }, to: { body: "plate", at: [0, 0.6, 0] } },
    { name: "bond", kind: "fixed", from: { body: "rod" }, to: { body: "hand", at: [0, 0.1, 0.2] } },
    { name: "still", kind: "spherical", from: { body: "base" }, to: { body: "hand" } },
  ],
});

test("residuals, J, rates and biases are rotated, and nothing else, at a state with open loops", () => {
  const { nq, nu } = MODEL;
  let rows: readonly number[][] = [];
  const program = trace("rows", { q: nq, u: nu }, ({ q, u }) => {
    const parts = (axes: "own" | "shortest") => {
      const found = loopConstraints(MODEL, linkTreeOf(MODEL), 0, q, u, axes);
      const J = found.rows.flatMap((row) => {
        const dense = new Array<Scalar>(nu).fill(0);
        for (const { u: k, value } of row.J) dense[k] = value;
        return dense;
      });
      return { found, numbers: [...found.rows.map((r) => r.residual), ...found.rates, ...found.bias, ...J] };
    };
    const [own, short] = [parts("own"), parts("shortest")];
    expect(own.found.rotated).toEqual([]);
    rows = short.found.rotated.map((t) => [...t.rows]);
    return { own: own.numbers, short: short.numbers, R: short.found.rotated.flatMap(({ R }) => R.flat()) };
  });
  expect(rows).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [8, 9, 10],
  ]);
  const random = uniform(5);
  const y = new Float64Array(sizeOf(program.outputs));
  const x = Float64Array.from({ length: nq + nu }, () => random() - 0.5);
  for (const k of quaternionStarts(MODEL)) {
    const size = Math.hypot(...x.subarray(k, k + 4));
    for (let i = k; i < k + 4; i++) x[i]! /= size;
  }
  interpret(program, x, y);
  const at = offsetsOf(program.outputs);
  const m = (at.short - at.own) / (3 + nu);
  const number = (from: number, what: number, row: number): number =>
    y[from + (what < 3 ? what * m + row : 3 * m + row * nu + what - 3)]!;
  const turned = new Map(rows.flatMap((three, k) => three.map((row, i) => [row, { three, R: at.R + 9 * k + 3 * i }] as const)));
  for (let what = 0; what < 3 + nu; what++)
    for (let row = 0; row < m; row++) {
      const { three = [row], R = -1 } = turned.get(row) ?? {};
      const expected = three.reduce((sum, other, i) => sum + (R < 0 ? 1 : y[R + i]!) * number(at.short, what, other), 0);
      expect(Math.abs(number(at.own, what, row) - expected), `row ${row}, number ${what}`).toBeLessThan(1e-14);
    }
});
