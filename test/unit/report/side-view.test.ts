/** The picture of an approach: views, moments and outlines. */
import { describe, expect, it } from "vitest";
import { Recording } from "../../../src/log/log.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { sideView } from "../../../src/report/pictures/side-view.ts";

const MODEL = createModel({
  name: "two boxes",
  bodies: [
    {
      name: "chaser",
      mass: 1,
      inertia: [1, 1, 1],
      hinge: { kind: "prismatic", axis: "x" },
      frames: { nose: { at: [0.5, 0, 0] } },
      shapes: [{ kind: "box", size: [1, 0.4, 0.2] }],
    },
    {
      name: "target",
      mass: 1,
      inertia: [1, 1, 1],
      hinge: { kind: "prismatic", axis: "y" },
      frames: { port: { at: [2, 0, 0] } },
      shapes: [{ kind: "sphere", radius: 0.3, at: [2, 0, 0] }],
    },
  ],
});

const logOf = (...rows: readonly (readonly [number, number, number])[]): Recording => {
  const log = new Recording(["t", "q.chaser", "q.target"].map((name, i) => ({ name, unit: i === 0 ? "s" : "m" })));
  for (const row of rows) log.add([...row]);
  return log;
};
/** The corners of the first outline of a view, in pixels. */
const outline = (svg: string, view: number): number[][] =>
  [...svg.matchAll(/<g clip-path[^>]*>(.*?)<\/g>/g)]
    [view]![1]!.match(/d="M([^Z]*)Z"/)![1]!
    .split("L")
    .map((p) => p.split(" ").map(Number));

describe("an approach", () => {
  const log = logOf([0, 0, 0], [1, 0.5, 0.25], [2, 1, 0.5]);
  const view = (moments: readonly { name: string; t: number }[]) =>
    sideView({ model: MODEL, log, port: "nose", target: "port", moments })!;

  it("is drawn at the start, at events and at the end, in axes of the target", () => {
    const { svg, size } = view([{ name: "a & b", t: 1 }]);
    expect(size).toBe("large");
    expect(svg.match(/<text[^>]*font-size="12"[^>]*>([^<]*)/g)!.map((t) => t.replace(/.*>/, ""))).toEqual([
      "start",
      "a &amp; b",
      "end",
    ]);
    // The box: 1 m along x, 0.2 m high in the side view, 0.4 m in the top view. The target moves along y, so the box moves down in the top view.
    const extent = (points: number[][], k: 0 | 1): number =>
      Math.max(...points.map((p) => p[k]!)) - Math.min(...points.map((p) => p[k]!));
    const [side, top] = [outline(svg, 0), outline(svg, 1)];
    const pixels = extent(side, 0);
    expect(extent(side, 1)).toBeCloseTo(0.2 * pixels, 0);
    expect(extent(top, 1)).toBeCloseTo(0.4 * pixels, 0);
    const middle = (points: number[][], k: 0 | 1): number => points.reduce((sum, p) => sum + p[k]!, 0) / points.length;
    const end = outline(svg, 5);
    expect(middle(end, 0) - middle(top, 0)).toBeCloseTo(pixels, 0);
    expect(middle(end, 1) - middle(top, 1)).toBeCloseTo(0.5 * pixels, 0);
  });

  it("shows evenly spread events if there are many, and only one of simultaneous events", () => {
    const { svg } = view([0.1, 0.2, 0.3, 0.4, 0.4, 0.5].map((t, i) => ({ name: `e${i}`, t })));
    expect([...svg.matchAll(/>(e\d)</g)].map((m) => m[1])).toEqual(["e0", "e1", "e4", "e5"]);
  });

  it("is undefined if coordinates were not recorded", () => {
    const bare = new Recording([{ name: "t", unit: "s" }]);
    bare.add([0]);
    expect(sideView({ model: MODEL, log: bare, port: "nose", target: "port", moments: [] })).toBeUndefined();
  });
});
