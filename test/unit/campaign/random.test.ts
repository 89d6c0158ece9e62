import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile, upperQuantile, upperTail } from "../../../src/campaign/random/normal.ts";
import { permuted } from "../../../src/campaign/random/permutation.ts";
import { philox, RandomStream } from "../../../src/campaign/random/philox.ts";

describe("Philox", () => {
  // Known answers of the authors' implementation (Random123, kat_vectors).
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      ["d16cfe09", "94fdcceb", "5001e420", "24126ea1"],
    ],
  ])("counter %j", (counter, key, expected) => {
    const words = Uint32Array.from(counter);
    philox(words, key[0]!, key[1]!);
    expect(Array.from(words, (w) => w.toString(16).padStart(8, "0"))).toEqual(expected);
  });

  it("gives independent uniform numbers for names, cases and dimensions", () => {
    const [a, b] = [new RandomStream(1, "a"), new RandomStream(1, "b")];
    const n = 20_000;
    let [sum, squares, names, neighbours, dimensions] = [0, 0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const u = a.uniform(i, 0) - 0.5;
      sum += u;
      squares += u * u;
      names += u * (b.uniform(i, 0) - 0.5);
      neighbours += u * (a.uniform(i + 1, 0) - 0.5);
      dimensions += u * (a.uniform(i, 1) - 0.5);
    }
    // Standard errors: of the mean 1 / √(12 n), of products 1 / (12 √n). Limit: 4 of them.
    expect(Math.abs(sum / n)).toBeLessThan(4 / Math.sqrt(12 * n));
    expect(Math.abs(squares / n - 1 / 12)).toBeLessThan(4 / Math.sqrt(180 * n));
    for (const product of [names, neighbours, dimensions]) expect(Math.abs(product / n)).toBeLessThan(4 / (12 * Math.sqrt(n)));
  });
});

describe("the normal distribution", () => {
  // Values of tables with 15 and more digits.
  it.each([
    [0, 0.5],
    [1, 0.15865525393145705],
    [2.9, 0.0018658133003840378],
    [3.1, 0.0009676032132183569],
    [5, 2.866515718791939e-7],
    [10, 7.61985302416053e-24],
    [37, 5.725571222524576e-300],
  ])("P(Z > %s)", (x, tail) => {
    expect(Math.abs(upperTail(x) / tail - 1)).toBeLessThan(5e-14);
    expect(normalCdf(-x)).toBe(upperTail(x));
  });

  it("inverts itself, also far in the tails", () => {
    for (const p of [1e-300, 1e-100, 1e-20, 1e-6, 0.01, 0.2, 0.4999, 0.5]) {
      expect(Math.abs(upperTail(upperQuantile(p)) / p - 1)).toBeLessThan(1e-12);
      expect(normalQuantile(p)).toBe(-upperQuantile(p));
    }
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14);
  });
});

describe("streams of small seeds", () => {
  const CASES = 400;
  const SEEDS = Array.from({ length: 200 }, (_, i) => i + 1);
  const drawn = (seed: number, name: string): number[] => {
    const stream = new RandomStream(seed, name);
    return Array.from({ length: CASES }, (_, k) => stream.uniform(k, 0));
  };
  const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
  /** Largest distance of the empirical distribution from a distribution, times √n [Kolmogorov]: above 1.95 for one sample of a thousand. */
  const kolmogorov = (values: readonly number[], cdf: (x: number) => number): number => {
    const sorted = values.map(cdf).sort((a, b) => a - b);
    const n = sorted.length;
    return Math.sqrt(n) * Math.max(...sorted.map((p, i) => Math.max(Math.abs(p - i / n), Math.abs((i + 1) / n - p))));
  };

  it.each(["closing", "roll", "tilt-rate"])("consecutive cases of %s are uniform and independent", (name) => {
    const samples = SEEDS.map((seed) => drawn(seed, name));
    // Number of draws below one half, e.g. of slow cases: normal with mean 200 and deviation 10.
    const halves = samples.map((u) => (u.filter((x) => x < 0.5).length - CASES / 2) / Math.sqrt(CASES / 4));
    expect(kolmogorov(halves, normalCdf)).toBeLessThan(1.95);
    expect(Math.abs(mean(halves)) * Math.sqrt(SEEDS.length)).toBeLessThan(3.3);
    // Chi-square of 16 bins: mean 15, variance 30.
    const squares = samples.map((u) => {
      const bins = new Array<number>(16).fill(0);
      for (const x of u) bins[Math.floor(16 * x)]!++;
      return bins.reduce((sum, count) => sum + (count - CASES / 16) ** 2 / (CASES / 16), 0);
    });
    expect(Math.abs(mean(squares) - 15) / Math.sqrt(30 / SEEDS.length)).toBeLessThan(3.3);
    // Neighbours are uncorrelated: the products of their deviations have variance 1/144.
    const serial = samples.map((u) => mean(u.slice(1).map((x, k) => 12 * (x - 0.5) * (u[k]! - 0.5))) * Math.sqrt(CASES - 1));
    expect(Math.abs(mean(serial)) * Math.sqrt(SEEDS.length)).toBeLessThan(3.3);
    expect(kolmogorov(samples.flat(), (x) => x)).toBeLessThan(1.95);
  });

  it("the same case of consecutive seeds, and two names of one seed, are uncorrelated", () => {
    const products = (a: readonly number[], b: readonly number[]): number[] => a.map((x, k) => 12 * (x - 0.5) * (b[k]! - 0.5));
    const seeds = SEEDS.slice(1).flatMap((seed) => products(drawn(seed, "closing"), drawn(seed - 1, "closing")));
    const names = SEEDS.flatMap((seed) => products(drawn(seed, "closing"), drawn(seed, "roll")));
    for (const values of [seeds, names]) expect(Math.abs(mean(values)) * Math.sqrt(values.length)).toBeLessThan(3.3);
  });
});

describe("a permutation", () => {
  it.each([1, 2, 3, 10, 64, 1000])("of %i numbers has every number once", (n) => {
    const stream = new RandomStream(3, "x");
    const images = Array.from({ length: n }, (_, i) => permuted(i, n, stream, 0, 16));
    expect([...images].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
  });

  it("differs between dimensions", () => {
    const stream = new RandomStream(3, "x");
    const image = (d: number): number[] => Array.from({ length: 100 }, (_, i) => permuted(i, 100, stream, d, 16));
    expect(image(0)).not.toEqual(image(1));
  });
});
