import { describe, expect, it } from "vitest";
import { simplifyPolyline } from "../../../studio/src/view/geometry/polyline.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("simplified lines", () => {
  /** 3000 points: a spiral, then a straight line, then back along the same line. */
  const spiral = Float32Array.from(
    range(1000).flatMap((i) => [(i / 1000) * Math.cos(i / 50), (i / 1000) * Math.sin(i / 50), i / 2000]),
  );
  const straight = range(1000).flatMap((i) => [1 + i / 500, 0, 0]);
  const back = range(1000).flatMap((i) => [3 - i / 500, 0, 0]);
  const line = Float32Array.from([...spiral, ...straight, ...back]);
  const at = (i: number): number[] => [...line.subarray(3 * i, 3 * i + 3)];
  const apart = (a: number[], b: number[]): number => Math.hypot(...a.map((x, k) => x - b[k]!));
  const beside = (p: number[], a: number[], b: number[]): number => {
    const d = b.map((x, k) => x - a[k]!);
    const square = d.reduce((sum, x) => sum + x * x, 0);
    const s = square > 0 ? Math.min(1, Math.max(0, d.reduce((sum, x, k) => sum + x * (p[k]! - a[k]!), 0) / square)) : 0;
    return apart(p, a.map((x, k) => x + s * d[k]!)); // biome-ignore format: one line
  };

  it("pass all points within the tolerance, with far fewer points, in order and with both ends", () => {
    const needed = simplifyPolyline(line, 0.002, 0.2);
    expect([needed[0], needed.at(-1)]).toEqual([0, 2999]);
    expect([...needed]).toEqual([...needed].sort((a, b) => a - b));
    expect(needed.length).toBeLessThan(250);
    for (let k = 1; k < needed.length; k++) {
      const [from, to] = [needed[k - 1]!, needed[k]!];
      expect(to - from === 1 || apart(at(from), at(to)) <= 0.2 + 1e-6).toBe(true);
      for (let i = from + 1; i < to; i++) expect(beside(at(i), at(from), at(to))).toBeLessThanOrEqual(0.002 + 1e-6);
    }
    expect([...needed].some((i) => Math.abs(i - 2000) < 3)).toBe(true); // the point where the line turns back
  });

  it("with equal points, one point or no point keep their ends", () => {
    expect([...simplifyPolyline(new Float32Array(3000).fill(2), 0.002, 0.2)]).toEqual([0, 999]);
    expect([...simplifyPolyline(Float32Array.of(1, 2, 3), 0.002, 0.2)]).toEqual([0]);
    expect([...simplifyPolyline(new Float32Array(0), 0.002, 0.2)]).toEqual([]);
  });
});
