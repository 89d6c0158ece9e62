/** Largest errors of the elementary functions over many arguments, in units of the last place, against exact arithmetic. */
import { describe, expect, test } from "vitest";
import { arcCosine, arctangent } from "../../../src/math/elementary/arctangent.ts";
import { cubeRoot } from "../../../src/math/elementary/cube-root.ts";
import {
  exponential,
  exponentialMinusOne,
  hyperbolicCosine,
  hyperbolicTangent,
} from "../../../src/math/elementary/exponential.ts";
import { euclideanNorm, hypotenuse } from "../../../src/math/elementary/hypotenuse.ts";
import { logarithm } from "../../../src/math/elementary/logarithm.ts";
import { integerPower, power } from "../../../src/math/elementary/power.ts";
import { cosine, sine, tangent } from "../../../src/math/elementary/sincos.ts";
import {
  errorInUlp,
  exact,
  exactArcCosine,
  exactArctangent,
  exactCubeRoot,
  exactExponential,
  exactHyperbolicCosine,
  exactHyperbolicTangent,
  exactLogarithm,
  exactMinusOne,
  exactNorm,
  exactPower,
  exactSineAndCosine,
  exactTangent,
} from "../../oracles/exact-functions.ts";

/** Uniform numbers in [0, 1) from a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 4294967296;
  };
}

const COUNT = 250;
const between = (low: number, high: number, seed = 1): number[] => {
  const random = randomNumbers(seed);
  return Array.from({ length: COUNT }, () => low + (high - low) * random());
};
/** Numbers of all magnitudes between two powers of ten. */
const ofMagnitude = (low: number, high: number, seed = 2): number[] => between(low, high, seed).map((d) => 10 ** d);
const bothSigns = (v: readonly number[]): number[] => v.map((x, i) => (i % 2 === 0 ? x : -x));

const largestError = (errors: readonly number[]): number => errors.reduce((most, e) => Math.max(most, e), 0);

interface Case {
  readonly name: string;
  readonly computed: (x: number) => number;
  readonly expected: (x: bigint) => bigint;
  readonly arguments: readonly number[];
  /** Largest error in ulp that the comment of the function states. */
  readonly ulp: number;
}

const sineOf = (x: bigint): bigint => exactSineAndCosine(x)[0];
const cosineOf = (x: bigint): bigint => exactSineAndCosine(x)[1];
/** The double nearest to a multiple of π/2: 6381956970095103 2^797. */
const WORST_ANGLE = 5.319372648326541e255;
const HUGE_ANGLES = [...ofMagnitude(6, 308.2), WORST_ANGLE, Number.MAX_VALUE, 1e6, 1e22];

const CASES: readonly Case[] = [
  { name: "sine", computed: sine, expected: sineOf, arguments: bothSigns(between(-7, 7)), ulp: 0.8 },
  { name: "sine to 1e6", computed: sine, expected: sineOf, arguments: bothSigns(ofMagnitude(-8, 6)), ulp: 0.8 },
  { name: "sine of huge angles", computed: sine, expected: sineOf, arguments: bothSigns(HUGE_ANGLES), ulp: 0.8 },
  { name: "cosine", computed: cosine, expected: cosineOf, arguments: bothSigns(between(-7, 7)), ulp: 0.8 },
  { name: "cosine to 1e6", computed: cosine, expected: cosineOf, arguments: bothSigns(ofMagnitude(-8, 6)), ulp: 0.8 },
  { name: "cosine of huge angles", computed: cosine, expected: cosineOf, arguments: bothSigns(HUGE_ANGLES), ulp: 0.8 },
  { name: "tangent", computed: tangent, expected: exactTangent, arguments: bothSigns(between(-7, 7)), ulp: 2.5 },
  { name: "exponential", computed: exponential, expected: exactExponential, arguments: between(-1, 1), ulp: 1 },
  { name: "exponential of any size", computed: exponential, expected: exactExponential, arguments: between(-699, 699), ulp: 1 },
  {
    name: "exponential minus one",
    computed: exponentialMinusOne,
    expected: (x) => exactMinusOne(exactExponential(x)),
    arguments: [...between(-2, 2), ...bothSigns(ofMagnitude(-12, 1))],
    ulp: 4,
  },
  { name: "logarithm near 1", computed: logarithm, expected: exactLogarithm, arguments: between(0.5, 2), ulp: 1 },
  { name: "logarithm", computed: logarithm, expected: exactLogarithm, arguments: ofMagnitude(-307, 308), ulp: 1 },
  {
    name: "hyperbolic tangent",
    computed: hyperbolicTangent,
    expected: exactHyperbolicTangent,
    arguments: between(-22, 22),
    ulp: 3,
  },
  {
    name: "hyperbolic tangent near 0",
    computed: hyperbolicTangent,
    expected: exactHyperbolicTangent,
    arguments: bothSigns(ofMagnitude(-9, 0)),
    ulp: 3,
  },
  { name: "hyperbolic cosine", computed: hyperbolicCosine, expected: exactHyperbolicCosine, arguments: between(-30, 30), ulp: 2 },
  { name: "arc cosine", computed: arcCosine, expected: exactArcCosine, arguments: between(-1, 1), ulp: 2 },
  { name: "cube root", computed: cubeRoot, expected: exactCubeRoot, arguments: bothSigns(ofMagnitude(-322, 308)), ulp: 1 },
];

describe("errors against exact arithmetic", () => {
  test.each(CASES)("$name: within $ulp ulp", ({ computed, expected, arguments: all, ulp }) => {
    const most = largestError(all.map((x) => errorInUlp(computed(x), expected(exact(x)))));
    expect(most).toBeLessThanOrEqual(ulp);
  });

  test("arctangent of two arguments: within 2 ulp", () => {
    const [y, x] = [bothSigns(ofMagnitude(-3, 3, 5)), ofMagnitude(-3, 3, 6)];
    const most = largestError(
      y.map((v, i) => {
        const w = i % 3 === 0 ? -x[i]! : x[i]!;
        return errorInUlp(arctangent(v, w), exactArctangent(exact(v), exact(w)));
      }),
    );
    expect(most).toBeLessThanOrEqual(2);
  });

  test("lengths: within 2 ulp", () => {
    const [a, b, c] = [3, 4, 5].map((seed) => bothSigns(ofMagnitude(-2, 2, seed))) as [number[], number[], number[]];
    const most = largestError(
      a.flatMap((x, i) => {
        const v = [x, b[i]!, c[i]!];
        const expected = exactNorm(v.map(exact));
        return [errorInUlp(hypotenuse(x, b[i]!, c[i]!), expected), errorInUlp(euclideanNorm(v), expected)];
      }),
    );
    expect(most).toBeLessThanOrEqual(2);
  });

  test("power: within 2 + |p ln x| ulp", () => {
    const [x, p] = [ofMagnitude(-30, 30, 7), between(-3, 3, 8)];
    const share = x.map((v, i) => {
      const error = errorInUlp(power(v, p[i]!), exactPower(exact(v), exact(p[i]!)));
      return error / (2 + Math.abs(p[i]! * Math.log(v)));
    });
    expect(largestError(share)).toBeLessThanOrEqual(1);
  });

  test("integer powers: within n / 2 ulp", () => {
    for (const n of [2, 3, 5, 8])
      for (const x of between(0.1, 10, 9))
        expect(errorInUlp(integerPower(x, n), exactProduct(exact(x), n))).toBeLessThanOrEqual(n / 2);
  });
});

/** xⁿ; the places of x that are multiplied are few, so nothing is lost. */
function exactProduct(x: bigint, n: number): bigint {
  let product = x;
  for (let k = 1; k < n; k++) product = (product * x) >> 2400n;
  return product;
}
