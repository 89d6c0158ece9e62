/**
 * Sine and cosine of the WebAssembly target against Math.sin and Math.cos, in units of the last place; those of the other targets have the
 * same bits.
 */
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { trace } from "../../../src/kernel/trace/program.ts";
import { cos, sin } from "../../../src/kernel/trace/scalar.ts";
import { cosine, sine } from "../../../src/math/elementary/sincos.ts";

const sincos = trace("sincos", { x: 1 }, ({ x }) => ({ sin: [sin(x[0]!)], cos: [cos(x[0]!)] }));
const one = compile(sincos);
const two = compile(sincos, { lanes: 2 });
const js = compile(sincos, { target: "js" });

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** Maps doubles, in order, to consecutive integers. */
function rank(x: number): bigint {
  double[0] = x;
  return bits[0]! >= 0n ? bits[0]! : -(2n ** 63n) - bits[0]!;
}

const ulpsBetween = (a: number, b: number): number => {
  if (Object.is(a, b)) return 0;
  const d = Number(rank(a) - rank(b));
  return Math.abs(d);
};

/** Largest difference over the arguments. Also checks that the target "js", and both lanes, agree with the kernel for one state. */
function worst(xs: Iterable<number>): number {
  let largest = 0;
  let previous = 0.5;
  for (const x of xs) {
    one.x[0] = x;
    one.evaluate();
    const [s, c] = one.y as unknown as [number, number];
    if (!Object.is(sine(x), s) || !Object.is(cosine(x), c)) throw new Error(`the functions for numbers differ at ${x}`);
    js.x[0] = x;
    js.evaluate();
    if (!Object.is(js.y[0], s) || !Object.is(js.y[1], c)) throw new Error(`the JavaScript target differs at ${x}`);
    largest = Math.max(largest, ulpsBetween(s, Math.sin(x)), ulpsBetween(c, Math.cos(x)));
    two.x.set([x, previous]);
    two.evaluate();
    if (!Object.is(two.y[0], s) || !Object.is(two.y[2], c)) throw new Error(`lane 0 differs at ${x}`);
    two.x.set([previous, x]);
    two.evaluate();
    if (!Object.is(two.y[1], s) || !Object.is(two.y[3], c)) throw new Error(`lane 1 differs at ${x}`);
    previous = x;
  }
  return largest;
}

/** Fixed pseudo-random sequence, uniform in [0, 1). */
function* uniform(count: number): Generator<number> {
  let state = 12345;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield (state + i / count) / 2 ** 32;
  }
}

/** The doubles next to x. */
function* neighbours(x: number): Generator<number> {
  double[0] = x;
  const middle = bits[0]!;
  for (let k = -3n; k <= 3n; k++) {
    bits[0] = middle + k;
    yield double[0];
  }
}

describe("sin and cos in WebAssembly are within 1 ulp of Math", () => {
  test("up to 1e6", () => {
    const xs = function* () {
      for (const scale of [1, 4, 100, 1e4, 1e6]) for (const u of uniform(20_000)) yield scale * (2 * u - 1);
    };
    expect(worst(xs())).toBeLessThanOrEqual(1);
  });

  test("and have the same bits for 98 % of arguments, which a missing term of the argument reduction would change", () => {
    let same = 0;
    let all = 0;
    for (const u of uniform(100_000)) {
      const x = 1000 * (2 * u - 1);
      one.x[0] = x;
      one.evaluate();
      same += Number(one.y[0] === Math.sin(x)) + Number(one.y[1] === Math.cos(x));
      all += 2;
    }
    expect(same / all).toBeGreaterThan(0.98); // 0.982; without the term s r²/2 it would be 0.975, without s 0.84
  });

  test("also if angles are computed in pairs", () => {
    const several = trace("several", { x: 3 }, ({ x }) => ({ sin: x.map((v) => sin(v)), cos: x.map((v) => cos(v)) }));
    const kernel = compile(several);
    for (const x of [
      [0.1, 2, -3],
      [1e7, 0.3, -0],
      [Number.NaN, -1e22, 5],
    ]) {
      kernel.x.set(x);
      kernel.evaluate();
      x.forEach((angle, i) => {
        one.x[0] = angle;
        one.evaluate();
        expect([kernel.y[i], kernel.y[3 + i]]).toEqual([...one.y]);
      });
    }
  });

  test("for small arguments", () => {
    const xs = function* () {
      for (let e = -1074; e < 0; e++) for (const u of uniform(8)) yield 2 ** e * (1 + u) * (e % 2 ? 1 : -1);
    };
    expect(worst(xs())).toBeLessThanOrEqual(1);
  });

  test("near multiples of pi/4, where all digits cancel", () => {
    const xs = function* () {
      for (let n = 1; n < 3000; n++) for (const x of neighbours((n * Math.PI) / 4)) yield n % 2 ? x : -x;
      for (let n = 3000; n < 1.27e6; n += 97) for (const x of neighbours((n * Math.PI) / 4)) yield x;
    };
    expect(worst(xs())).toBeLessThanOrEqual(1);
  });

  test("for very large arguments", () => {
    const xs = function* () {
      yield* [1e6, 1e6 + 0.5, -1e7, 1e22, Number.MAX_VALUE, -Number.MAX_VALUE];
      for (let e = 20; e < 1024; e++) for (const u of uniform(4)) yield 2 ** e * (0.5 + u / 2) * (e % 2 ? 1 : -1);
    };
    expect(worst(xs())).toBeLessThanOrEqual(1);
  });

  test("and are NaN for infinities and NaN", () => {
    expect(worst([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])).toBe(0);
  });

  test("with sin(-0) = -0", () => {
    expect(worst([0, -0])).toBe(0);
  });
});
