import { expect, test } from "vitest";
import { envelope, factorEnvelope, solveEnvelope } from "../../../src/math/linear/envelope-ldl.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** Residual relative to the sum of the magnitudes of its terms. */
const BACKWARD = 1e-13;

const SHAPES: readonly [string, (i: number, random: () => number) => number][] = [
  ["full", () => 0],
  ["banded", (i) => Math.max(0, i - 3)],
  ["diagonal", (i) => i],
  ["ragged", (i, random) => Math.floor(random() * (i + 1))],
];

test.each(SHAPES)("solves S x = b in a %s envelope", (_, first) => {
  const random = uniform(6);
  for (const n of [0, 1, 2, 9, 30]) {
    const shape = envelope(Array.from({ length: n }, (_, i) => first(i, random)));
    const dense = new Float64Array(n * n);
    const S = new Float64Array(shape.size);
    for (let i = 0; i < n; i++)
      for (let j = shape.first[i]!; j <= i; j++) {
        const value = i === j ? n + random() : 2 * random() - 1;
        S[shape.offset[i]! + j] = dense[n * i + j] = dense[n * j + i] = value;
      }
    const b = Float64Array.from({ length: n }, random);
    const x = b.slice();
    expect(factorEnvelope(shape, S)).toBeGreaterThan(0.1);
    solveEnvelope(shape, S, x);
    for (let i = 0; i < n; i++) {
      const terms = Array.from(x, (v, j) => dense[n * i + j]! * v);
      const scale = terms.reduce((s, t) => s + Math.abs(t), Math.abs(b[i]!));
      expect(Math.abs(terms.reduce((s, t) => s + t, -b[i]!))).toBeLessThan(BACKWARD * scale);
    }
  }
});

test("returns the remaining fraction of a row that nearly depends on others", () => {
  const pair = (angle: number): number => {
    const S = Float64Array.of(4, 2 * Math.cos(angle), 1); // rows of length 2 and 1 at an angle
    return factorEnvelope(envelope([0, 0]), S);
  };
  expect(pair(1)).toBeCloseTo(Math.sin(1) ** 2, 12);
  expect(pair(1e-3)).toBeCloseTo(1e-6, 9);
  expect(pair(0)).toBe(0);
});

test("a row of zeros or NaN returns 0", () => {
  for (const pivot of [0, -1, Number.NaN]) expect(factorEnvelope(envelope([0, 1]), Float64Array.of(1, pivot))).toBe(0);
});

test("a row that begins after its diagonal is rejected", () => {
  expect(() => envelope([0, 2])).toThrow(/the first column of row 1 is 2/);
});
