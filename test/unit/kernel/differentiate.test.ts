import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interpret } from "../../../src/kernel/emit/interpret.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { derivatives, jacobian } from "../../../src/kernel/trace/differentiate.ts";
import type { Expr } from "../../../src/kernel/trace/graph.ts";
import { costOf, type Program, sizeOf, trace } from "../../../src/kernel/trace/program.ts";
import * as S from "../../../src/kernel/trace/scalar.ts";
import { TangentEvaluator } from "../../../src/kernel/trace/tangents.ts";
import { programOf, recipes } from "../../fixtures/random-program.ts";

type Body = (x: readonly S.Scalar[]) => S.Scalar;

function interpreted(program: Program, x: readonly number[]): Float64Array {
  const y = new Float64Array(sizeOf(program.outputs));
  interpret(program, Float64Array.from(x), y);
  return y;
}

/** The gradient of `body` at x, by differentiation of the graph. */
function gradient(body: Body, x: readonly number[]): number[] {
  const p = trace("f", { x: x.length }, (inputs) => ({ f: [body(inputs.x)] }));
  return [...interpreted(jacobian(p, "x"), x)];
}

describe("derivatives against closed forms", () => {
  const [a, b] = [0.7, -1.3];
  const cases: Record<string, readonly [Body, number[]]> = {
    "a + b": [([p, q]) => S.add(p!, q!), [1, 1]],
    "a - b": [([p, q]) => S.sub(p!, q!), [1, -1]],
    "a b": [([p, q]) => S.mul(p!, q!), [b, a]],
    "3 a²": [([p]) => S.mul(3, S.square(p!)), [6 * a, 0]],
    "a / b": [([p, q]) => S.div(p!, q!), [1 / b, -a / b ** 2]],
    "1 / a": [([p]) => S.div(1, p!), [-1 / a ** 2, 0]],
    "-a": [([p]) => S.neg(p!), [-1, 0]],
    "sqrt a": [([p]) => S.sqrt(p!), [0.5 / Math.sqrt(a), 0]],
    "sin(a b)": [([p, q]) => S.sin(S.mul(p!, q!)), [b * Math.cos(a * b), a * Math.cos(a * b)]],
    "cos(a - b)": [([p, q]) => S.cos(S.sub(p!, q!)), [-Math.sin(a - b), Math.sin(a - b)]],
    "|b|": [([, q]) => S.abs(q!), [0, -1]],
    "min(a, b)": [([p, q]) => S.min(p!, q!), [0, 1]],
    "max(a, b)": [([p, q]) => S.max(p!, q!), [1, 0]],
    "min(a, 0.2)": [([p]) => S.min(p!, 0.2), [0, 0]],
    "max(0.2, a)": [([p]) => S.max(0.2, p!), [1, 0]],
    "b >= 0 ? a² : 5 a": [([p, q]) => S.select(q!, S.square(p!), S.mul(5, p!)), [5, 0]],
    constant: [() => 4, [0, 0]],
  };
  test.each(Object.entries(cases))("%s", (_, [body, expected]) => {
    gradient(body, [a, b]).forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i]!, 14);
    });
  });
});

/** Values away from the kinks: not near zero and not near each other. */
const ordinaryValues = (n: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.integer({ min: -2000, max: 2000 }), { minLength: n, maxLength: n })
    .map((ks) => ks.map((k, i) => (k + 0.137 + i / 50) / 1000));

test("derivatives against central differences, on random programs", () => {
  let compared = 0;
  let passedOver = 0;
  const cases = recipes(40).chain((recipe) => fc.tuple(fc.constant(recipe), ordinaryValues(recipe.inputs)));
  fc.assert(
    fc.property(cases, ([recipe, x]) => {
      const { program } = programOf(recipe);
      const n = recipe.inputs;
      const J = interpreted(jacobian(program, "x"), x);
      for (let j = 0; j < n; j++) {
        const shifted = (step: number): Float64Array => interpreted(program, x.with(j, x[j]! + step));
        const slopes = [1e-4, 5e-5, 1e-5].map((h) => {
          const [up, down] = [shifted(h), shifted(-h)];
          return up.map((v, i) => (v - down[i]!) / (2 * h));
        });
        slopes[2]!.forEach((slope, i) => {
          // At kinks, and if the curvature is too large for these steps, differences are not accurate.
          const spread = Math.max(...slopes.map((s) => Math.abs(s[i]! - slope)));
          const [up, middle, down] = [shifted(1e-4)[i]!, shifted(0)[i]!, shifted(-1e-4)[i]!];
          const kink = Math.abs(up - 2 * middle + down) > 1e-6 * (1 + Math.abs(middle));
          if (kink || spread > 1e-4 * (1 + Math.abs(slope))) {
            passedOver++;
            return;
          }
          compared++;
          expect(Math.abs(J[i * n + j]! - slope)).toBeLessThanOrEqual(1e-3 * (1 + Math.abs(slope)));
        });
      }
    }),
    { numRuns: 100 },
  );
  expect(compared).toBeGreaterThan(4 * passedOver);
});

test("the tangent evaluator agrees with the recorded derivatives, on random programs", () => {
  const cases = recipes(60).chain((recipe) => fc.tuple(fc.constant(recipe), ordinaryValues(recipe.inputs)));
  let moved = 0;
  fc.assert(
    fc.property(cases, ([recipe, x]) => {
      const { program } = programOf(recipe);
      const n = recipe.inputs;
      const J = interpreted(jacobian(program, "x"), x);
      const tangents = new TangentEvaluator(program);
      tangents.x.set(x);
      tangents.evaluate();
      const values = interpreted(program, x);
      for (const [i, v] of values.entries()) expect(Math.abs(tangents.y[i]! - v)).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(v)));
      // More directions than fit into a block: each input separately, repeated, with doubled rates.
      const directions = Array.from({ length: 70 }, (_, k) => [{ input: k % n, rate: 1 + (k & 1) }]);
      const rates = tangents.directionalDerivatives(directions);
      for (let i = 0; i < values.length; i++)
        for (const [k, [{ input, rate }]] of (directions as [[{ input: number; rate: number }]]).entries()) {
          const expected = rate * J[i * n + input]!;
          if (expected !== 0) moved++;
          if (!Number.isFinite(expected)) continue;
          expect(Math.abs(rates[i * directions.length + k]! - expected)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(expected)));
        }
    }),
    { numRuns: 100 },
  );
  expect(moved).toBeGreaterThan(1000);
});

test("variables can be inner nodes, and are independent of each other", () => {
  const p = trace("f", { x: 1 }, ({ x }) => {
    const s = S.sin(x[0]!) as Expr;
    const f = S.mul(s, S.mul(x[0]!, x[0]!));
    return { d: derivatives([f], [s, x[0] as Expr])[0]! };
  });
  const [ds, dx] = interpreted(p, [0.6]) as unknown as [number, number];
  expect(ds).toBeCloseTo(0.36, 15);
  expect(dx).toBeCloseTo(2 * 0.6 * Math.sin(0.6), 15);
});

test("zero derivatives cost no operations", () => {
  const n = 20;
  const p = trace("separate", { x: n }, ({ x }) => ({ y: x.map((v) => S.mul(v, S.mul(v, v))) }));
  const J = jacobian(p, "x");
  expect(J.results.filter((id) => J.graph.opOf(id) === "const").length).toBe(n * n - n);
  expect(costOf(J).ops).toBe(3 * n); // v², 2 v² and their sum
});

test("a jacobian compiles like any program, and can be differentiated again", () => {
  const p = trace("f", { q: 2, u: 1 }, ({ q, u }) => ({ y: [S.mul(S.sin(q[0]!), S.mul(q[1]!, u[0]!)), S.div(u[0]!, q[1]!)] }));
  const J = jacobian(p, "q");
  expect(J.inputs).toEqual({ q: 2, u: 1 });
  expect(J.outputs).toEqual({ jacobian: 4 });
  const kernel = compile(J);
  const [a, b, c] = [0.3, 0.8, 1.7];
  kernel.x.set([a, b, c]);
  kernel.evaluate();
  [b * c * Math.cos(a), c * Math.sin(a), 0, -c / b ** 2].forEach((v, i) => {
    expect(kernel.y[i]).toBeCloseTo(v, 14);
  });
  const H = interpreted(jacobian(jacobian(p, "u"), "q"), [a, b, c]);
  [b * Math.cos(a), Math.sin(a), 0, -1 / b ** 2].forEach((v, i) => {
    expect(H[i]).toBeCloseTo(v, 14);
  });
});

test("invalid arguments are rejected", () => {
  const p = trace("f", { x: 1 }, ({ x }) => ({ y: [S.sin(x[0]!)] }));
  expect(() => jacobian(p, "z" as "x")).toThrow('input: there is no input of f named "z". There is: x');
  let foreign: S.Scalar = 0;
  trace("g", { x: 1 }, ({ x }) => {
    foreign = x[0]!;
    return { y: [] };
  });
  expect(() => derivatives([p.graph.expr(p.results[0]!)], [foreign as Expr])).toThrow("each trace has its own graph");
});
