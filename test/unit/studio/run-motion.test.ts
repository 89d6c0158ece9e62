import { describe, expect, it } from "vitest";
import { parseModel } from "../../../src/formats/model-file.ts";
import { RunLog } from "../../../studio/src/run/run-log.ts";
import { sampleIndexAt } from "../../../studio/src/run/sample-index.ts";
import { bodyDirectionToWorld, bodyPointToWorld } from "../../../studio/src/view/geometry/body-points.ts";
import { machineExtent } from "../../../studio/src/view/geometry/machine-extent.ts";
import { largestAngularMomentum } from "../../../studio/src/view/layers/momentum.ts";
import { hermiteCubic, RunMotion, slerp } from "../../../studio/src/view/motion/run-motion.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("between samples", () => {
  it("Hermite cubics are exact for cubics, and of fourth order for other functions", () => {
    const f = (t: number): number => 2 - t + 3 * t * t - 0.5 * t ** 3;
    const df = (t: number): number => -1 + 6 * t - 1.5 * t * t;
    for (const s of [0, 0.2, 0.5, 0.9, 1]) expect(hermiteCubic(f(1), f(3), df(1), df(3), 2, s)).toBeCloseTo(f(1 + 2 * s), 13);
    const error = (h: number): number => Math.abs(hermiteCubic(0, Math.sin(h), 1, Math.cos(h), h, 0.5) - Math.sin(h / 2));
    expect(error(0.2) / error(0.1)).toBeGreaterThan(14);
    expect(hermiteCubic(1, 3, undefined, undefined, 2, 0.25)).toBe(1.5);
  });

  it("attitudes turn at a constant rate, the shorter way", () => {
    const q = (angle: number): number[] => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
    const between = (a: number[], b: number[], s: number): Float64Array => {
      const out = new Float64Array(4);
      slerp(
        range(4).map((k) => Float64Array.of(a[k]!, b[k]!)),
        0,
        1,
        s,
        out,
        0,
      );
      return out;
    };
    for (const s of [0, 0.3, 1])
      for (const b of [q(1.2), q(1.2).map((x) => -x)])
        for (const [k, x] of between(q(0.2), b, s).entries()) expect(x).toBeCloseTo(q(0.2 + s)[k]!, 14);
    expect([...between(q(1), q(1), 0.5)]).toEqual(q(1).map((x) => expect.closeTo(x, 15)));
  });

  it("poses follow from the coordinates, and hinges stay closed", async () => {
    const model = parseModel(`
name: arm
bodies:
  - { name: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: free } }
  - { name: arm, parent: base, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1], hinge: { kind: revolute, at: [0, 1, 0] } }
`);
    const motion = await RunMotion.create(model, Float64Array.of(1, 0, 0, 0, 5, 0, 0, 0));
    expect(bodyPointToWorld(motion.at(0).poses, 1, [1, 0, 0])).toEqual([6, 1, 0]);
    const names = ["t", "q.base.qw", "q.base.qx", "q.base.qy", "q.base.qz", "q.base.x", "q.base.y", "q.base.z", "q.arm"];
    const log = new RunLog(names.map((name) => ({ name, unit: "" })));
    const half = Math.SQRT1_2;
    const samples = [
      [0, 1, 0, 0, 0, 0, 0, 0, 0],
      [2, half, 0, 0, half, 4, 0, 0, Math.PI / 2],
    ];
    log.append({ count: 2, values: Float64Array.from(names.flatMap((_, c) => samples.map((sample) => sample[c]!))) });
    motion.setLog(log);
    for (const t of [0, 0.7, 1, 2]) {
      const { poses } = motion.at(t);
      const turn = (Math.PI / 4) * t;
      const [x, y] = bodyPointToWorld(poses, 0, [0, 1, 0]);
      expect([x, y]).toEqual([expect.closeTo(2 * t - Math.sin(turn), 12), expect.closeTo(Math.cos(turn), 12)]);
      expect(bodyPointToWorld(poses, 1, [0, 0, 0]).slice(0, 2)).toEqual([expect.closeTo(x, 12), expect.closeTo(y, 12)]);
      expect(bodyDirectionToWorld(poses, 1, [1, 0, 0])[0]).toBeCloseTo(Math.cos(2 * turn), 12);
    }
    expect(bodyPointToWorld(motion.atSample(1).poses, 0, [0, 0, 0])[0]).toBeCloseTo(4, 12);
    const extent = machineExtent(model, motion.at(0).poses, [[], []]);
    expect(extent).toMatchObject({ gravity: false, comoving: false, up: [0, 0, 1] });
  });

  it("angular momentum is taken about the mass centre", () => {
    const names = ["momentum.angular.", "momentum.linear.", "centre."].flatMap((head) =>
      ["x", "y", "z"].map((axis) => head + axis),
    );
    const log = new RunLog(names.map((name) => ({ name, unit: "" })));
    // A spin of 3 about z, moving along x at a distance of 1000 m: c × p = (0, 0, -2000).
    log.append({ count: 1, values: Float64Array.of(0, 0, 3 - 2000, 2, 0, 0, 5, 1000, 0) });
    expect(largestAngularMomentum(log)).toBe(3);
  });

  it("the last sample up to a time is found", () => {
    const t = Float64Array.of(0, 1, 2, 2, 3);
    expect([-1, 0, 0.5, 1, 2, 2.9, 3, 9].map((x) => sampleIndexAt(t, x))).toEqual([0, 0, 0, 1, 3, 3, 4, 4]);
  });
});
