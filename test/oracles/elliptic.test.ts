import { expect, test } from "vitest";
import { asymmetricTop } from "./asymmetric-top.ts";
import { amplitude, completeK, thirdKind } from "./elliptic.ts";
import { rootedTrees } from "./order-conditions.ts";

test("elliptic functions and integrals have their tabulated values (mpmath, 30 digits)", () => {
  expect(completeK(0.5)).toBeCloseTo(1.8540746773013719, 14);
  expect(amplitude(completeK(0.5), 0.5)).toBeCloseTo(Math.PI / 2, 14);
  expect(thirdKind(-2, 1, 0.3)).toBeCloseTo(0.726685413351734, 14);
  expect(thirdKind(-0.7, 10, 0.6)).toBeCloseTo(9.26472635024832, 13);
});

test("the closed form of the asymmetric top satisfies its differential equation", () => {
  const top = asymmetricTop([1, 2, 3], 0.6, 0.5);
  const rate = new Float64Array(7);
  const h = 1e-3;
  for (const t of [0, 0.7, 3.1, 12.9, 400.3]) {
    top.derivative(t, top.stateAt(t), rate);
    const [a, b, c, d] = [t - 2 * h, t - h, t + h, t + 2 * h].map((time) => top.stateAt(time));
    const difference = rate.map((_, i) => (a![i]! - 8 * b![i]! + 8 * c![i]! - d![i]!) / (12 * h));
    for (let i = 0; i < 7; i++) expect(difference[i]).toBeCloseTo(rate[i]!, 9);
  }
});

test("there are 1, 1, 2, 4, 9, 20, 48, 115 rooted trees of 1 to 8 nodes", () => {
  expect(rootedTrees(8).map((trees) => trees.length)).toEqual([1, 1, 2, 4, 9, 20, 48, 115]);
});
