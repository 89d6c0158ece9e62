import { describe, expect, test } from "vitest";
import { type NumberWriter, numberWriter, plainNumberWriter } from "../../../src/formats/log/number-text.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

const textOf = ({ bytes, write }: NumberWriter, x: number): string =>
  new TextDecoder().decode(bytes.subarray(0, write(x, 0)).slice());

const writer = numberWriter(256);
/** Numbers whose text differs from that of `String`. */
const wrong = (numbers: readonly number[]): readonly (readonly [string, string])[] =>
  numbers.flatMap((x) => {
    const expected = Object.is(x, -0) ? "-0" : String(x);
    const text = textOf(writer, x);
    return text === expected ? [] : [[expected, text] as const];
  });

describe("the text of numbers is that of String(x)", () => {
  test("for zeros, integers, and the borders between the forms with and without exponent", () => {
    const borders = [
      0, -0, 1, -1, 10, 1e20, 1e21, 123456789012345680000, 1e22, 1e23, 1e-6, 1e-7, 9.99999999999e-7, 1.5e-6, 1.5e-7,
    ];
    expect(wrong([...borders, 5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, 2 ** 53, 2 ** 53 + 2, 0.1, 4.35])).toEqual([]);
  });

  test("without WebAssembly", () => {
    expect([0.25, -0, -1e-7].map((x) => textOf(plainNumberWriter(64), x))).toEqual(["0.25", "-0", "-1e-7"]);
  });

  test("for every power of two with its neighbours, and every power of ten", () => {
    const twos = Array.from({ length: 2098 }, (_, i) => 2 ** (i - 1074));
    expect(wrong(twos.flatMap((x) => [x, x * (1 + 2 ** -52), x * (1 - 2 ** -53), 1.5 * x].filter(Number.isFinite)))).toEqual([]);
    expect(wrong(Array.from({ length: 632 }, (_, i) => Number(`${1 + (i % 9)}e${i - 324}`)))).toEqual([]);
  });

  test("for random bits, random decimals and multiples of a sample time", () => {
    const next = uniform(5);
    const bits = new Uint32Array(2);
    const double = new Float64Array(bits.buffer);
    const random = Array.from({ length: 100_000 }, () => {
      bits[0] = next() * 2 ** 32;
      bits[1] = next() * 2 ** 32;
      return double[0]!;
    });
    expect(wrong(random.filter(Number.isFinite))).toEqual([]);
    expect(wrong(random.map((_, i) => i * 1e-3))).toEqual([]);
    expect(wrong(random.map(() => Math.round(next() * 1e12) / 1e4))).toEqual([]);
  });
});
