import { describe, expect, it } from "vitest";
import { Recording } from "../../../src/log/log.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { coordinateNames, type Model } from "../../../src/model/model.ts";
import { posturePicture } from "../../../src/report/pictures/postures.ts";

const pendulum = createModel({
  name: "pendulum",
  bodies: [
    {
      name: "rod",
      mass: 1,
      com: [0, 0, -1],
      inertia: [1, 1, 1],
      hinge: { kind: "revolute", axis: "y" },
      frames: { tip: { at: [0, 0, -2] } },
    },
  ],
});

/** A log of coordinates that are functions of time, at t = 0, 1, ... duration. */
function logOf(model: Model, duration: number, q: (t: number) => readonly number[]): Recording {
  const names = coordinateNames(model).q.map((name) => ({ name: `q.${name}`, unit: "" }));
  const log = new Recording([{ name: "t", unit: "s" }, ...names]);
  for (let t = 0; t <= duration; t++) log.add([t, ...q(t)]);
  return log;
}

/** Lines of a picture by posture: opacity and end points. */
const linesOf = (svg: string) =>
  Array.from(svg.matchAll(/<g opacity="([\d.]+)">(.*?)<\/g>/g), ([, opacity, paths]) => ({
    opacity: Number(opacity),
    lines: Array.from(paths!.matchAll(/M([\d.-]+) ([\d.-]+)L([\d.-]+) ([\d.-]+)/g), (m) => m.slice(1).map(Number)),
  }));

describe("a picture of postures", () => {
  const picture = posturePicture(
    pendulum,
    logOf(pendulum, 10, (t) => [(Math.PI / 20) * t]),
  )!;

  it("shows the machine at regular times, the last posture opaque", () => {
    const postures = linesOf(picture.svg);
    expect(picture.about).toMatch(
      /^One posture every 2 s; the last one, at 10 s, is opaque\. Thin lines: path of tip\. View along y\.$/,
    );
    expect(postures.map((p) => p.lines.length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(postures.map((p) => p.opacity)).toEqual([...postures.map((p) => p.opacity)].sort((a, b) => a - b));
    expect(postures.at(-1)!.opacity).toBe(1);
  });

  it("has the geometry of the machine: a rod of constant length that makes a quarter turn about a point", () => {
    const rods = linesOf(picture.svg).map((p) => p.lines[0]!);
    const [first, last] = [rods[0]!, rods.at(-1)!];
    const length = Math.hypot(first[2]! - first[0]!, first[3]! - first[1]!);
    for (const [x, y, toX, toY] of rods as [number, number, number, number][]) {
      expect([x, y]).toEqual(first.slice(0, 2));
      expect(Math.abs(Math.hypot(toX - x, toY - y) - length)).toBeLessThan(0.2); // coordinates have one decimal
    }
    expect(first[3]! - first[1]!).toBeCloseTo(length, 1); // down at the start; down is positive
    expect(Math.abs(last[2]! - last[0]!)).toBeCloseTo(length, 0); // to the side at the end
    const [, label] = /h([\d.]+)v-4.*>([\d.]+) m</.exec(picture.svg)!.slice(1);
    const bar = Number(/h([\d.]+)v-4/.exec(picture.svg)![1]);
    expect(bar / Number(label)).toBeCloseTo(length / 2, 0);
  });

  it("is undefined without all coordinates", () => {
    const log = new Recording([{ name: "t", unit: "s" }]);
    log.add([0]);
    expect(posturePicture(pendulum, log)).toBeUndefined();
    expect(
      posturePicture(
        pendulum,
        logOf(pendulum, -1, () => [0]),
      ),
    ).toBeUndefined();
  });

  it("centres a machine that flies away, and draws hubs as boxes", () => {
    const model = createModel({
      name: "flyer",
      bodies: [{ name: "hull", mass: 12, inertia: [2, 2, 2], hinge: { kind: "free" } }],
    });
    const far = posturePicture(
      model,
      logOf(model, 10, (t) => [1, 0, 0, 0, 1e6 * t, 0, 0]),
    )!;
    expect(far.about).toContain("Each posture is centred.");
    const postures = linesOf(far.svg);
    expect(postures.map((p) => p.lines.length)).toEqual([12, 12, 12, 12, 12, 12]);
    expect(postures.at(-1)!.lines).toEqual(postures[0]!.lines);
  });
});
