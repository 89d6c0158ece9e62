/** Random programs over every operation, with bounds on values and rounding errors, so that tolerances are derived. */
import fc from "fast-check";
import { type Program, trace } from "../../src/kernel/trace/program.ts";
import type { Scalar } from "../../src/kernel/trace/scalar.ts";
import * as S from "../../src/kernel/trace/scalar.ts";

export interface Recipe {
  readonly name: string;
  readonly inputs: number;
  /** Operation and three numbers that pick its operands among the values so far. */
  readonly steps: readonly (readonly [Choice, number, number, number])[];
  /** Picks the outputs: any value so far, the same twice, inputs and constants included. */
  readonly outputs: readonly number[];
}

const CHOICES = [
  "add",
  "sub",
  "mul",
  "div",
  "neg",
  "sqrt",
  "sin",
  "cos",
  "sincos",
  "abs",
  "min",
  "max",
  "select",
  "const",
] as const;
type Choice = (typeof CHOICES)[number];

const pick = fc.nat(2 ** 20);

export const recipes = (maxSteps: number): fc.Arbitrary<Recipe> =>
  fc.record({
    name: fc.constant("random"),
    inputs: fc.integer({ min: 1, max: 6 }),
    steps: fc.array(fc.tuple(fc.constantFrom(...CHOICES), pick, pick, pick), { maxLength: maxSteps, size: "max" }),
    outputs: fc.array(pick, { minLength: 1, maxLength: 12 }),
  });

/** Inputs in [-2, 2], zeros of both signs among them. */
export const inputValues = (n: number): fc.Arbitrary<number[]> =>
  fc.array(fc.oneof(fc.double({ min: -2, max: 2, noNaN: true }), fc.constantFrom(0, -0, 1, -1)), { minLength: n, maxLength: n });

interface Value {
  readonly s: Scalar;
  /** |value| <= bound. */
  readonly bound: number;
  /** Targets may differ by this many 2^-52, because their sines may differ by 1 ulp; 0 means that they agree bit for bit. */
  readonly error: number;
}

export interface RandomProgram {
  readonly program: Program<{ readonly x: number }, { readonly y: number }>;
  /** Largest difference of each output between targets. */
  readonly tolerance: readonly number[];
}

export function programOf(recipe: Recipe): RandomProgram {
  let tolerance: number[] = [];
  const program = trace(recipe.name, { x: recipe.inputs }, ({ x }) => {
    const values: Value[] = x.map((s) => ({ s, bound: 2, error: 0 }));
    const at = (k: number): Value => values[values.length - 1 - (k % Math.min(values.length, 30))]!;
    for (const [op, i, j, k] of recipe.steps) values.push(...apply(op, at(i), at(j), at(k), i).map(tamed));
    const results = recipe.outputs.map((k) => values[k % values.length]!);
    tolerance = results.map(({ error }) => error * 2 ** -52);
    return { y: results.map(({ s }) => s) };
  });
  return { program, tolerance };
}

function apply(op: Choice, a: Value, b: Value, c: Value, k: number): Value[] {
  const rounded = (s: Scalar, bound: number, error: number): Value => ({ s, bound, error: error === 0 ? 0 : error + bound });
  switch (op) {
    case "const":
      return [{ s: ((k % 2001) - 1000) / 128, bound: 8, error: 0 }];
    case "add":
    case "sub":
      return [rounded((op === "add" ? S.add : S.sub)(a.s, b.s), a.bound + b.bound, a.error + b.error)];
    case "mul":
      return [rounded(S.mul(a.s, b.s), a.bound * b.bound, a.error * b.bound + b.error * a.bound)];
    case "div": {
      // a / (1/2 + b²): the divisor is at least 1/2
      const divisor = S.add(0.5, S.square(b.s));
      const divisorError = b.error === 0 ? 0 : 2 * b.bound * b.error + 2 * (b.bound ** 2 + 0.5);
      return [rounded(S.div(a.s, divisor), 2 * a.bound, 2 * a.error + 4 * a.bound * divisorError)];
    }
    case "sqrt": // of 1/4 + |a|, where the slope is at most 1
      return [rounded(S.sqrt(S.add(0.25, S.abs(a.s))), 1 + a.bound, a.error)];
    case "sin":
    case "cos":
      return [{ s: (op === "sin" ? S.sin : S.cos)(a.s), bound: 1, error: a.error + 1 }];
    case "sincos":
      return [...apply("sin", a, b, c, k), ...apply("cos", a, b, c, k)];
    case "neg":
    case "abs":
      return [{ ...a, s: (op === "neg" ? S.neg : S.abs)(a.s) }];
    case "min":
    case "max":
      return [
        { s: (op === "min" ? S.min : S.max)(a.s, b.s), bound: Math.max(a.bound, b.bound), error: Math.max(a.error, b.error) },
      ];
    case "select": {
      // only on values that are the same bits in every target: otherwise a last bit could choose the branch
      const test = [a, b, c].find((v) => v.error === 0);
      if (!test) return [a];
      return [{ s: S.select(test.s, b.s, c.s), bound: Math.max(b.bound, c.bound), error: Math.max(b.error, c.error) }];
    }
  }
}

/** Keeps values and errors in a sane range. */
const tamed = (v: Value): Value => {
  if (v.error > 1e4) return { s: S.mul(2 ** -16, v.s), bound: v.bound * 2 ** -16, error: v.error * 2 ** -16 };
  return v.bound > 1e3 ? apply("sin", v, v, v, 0)[0]! : v;
};
