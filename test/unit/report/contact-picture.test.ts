import { describe, expect, it } from "vitest";
import { Recording } from "../../../src/log/log.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { contactPicture } from "../../../src/report/pictures/contact-picture.ts";

const model = createModel({
  name: "foot",
  bodies: [
    { name: "foot", mass: 1, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "z" }, frames: { sole: { at: [0, 0, -1] } } },
  ],
});
const FORCE = { name: "ground", point: ["g.px", "g.py", "g.pz"], force: ["g.fx", "g.fy", "g.fz"] } as const;

/** Loads over time, at a point below the foot. */
function logOf(loads: readonly number[]): Recording {
  const names = ["t", "q.foot", ...FORCE.point, ...FORCE.force];
  const log = new Recording(names.map((name) => ({ name, unit: "" })));
  for (const [t, load] of loads.entries()) log.add([t, 0, 0, 0, load > 0 ? -1 : 0, 0, 0, load]);
  return log;
}

describe("a picture of contact forces", () => {
  it("shows the time of the largest total, and an arrow from the point along the force", () => {
    const picture = contactPicture(model, logOf([0, 3, 40, 5]), [FORCE])!;
    expect(picture.about).toMatch(/^At 2 s, when the total is largest: 40 N in total, longest arrow 40 N\./);
    const [x, y, toX, toY] = /M([\d.-]+) ([\d.-]+)L([\d.-]+) ([\d.-]+)M[^"]*" stroke="#c62828"/
      .exec(picture.svg)!
      .slice(1)
      .map(Number) as [number, number, number, number];
    expect(toX).toBe(x);
    expect(toY).toBeLessThan(y - 50); // up
  });

  it("is undefined without forces, or if forces or coordinates were not recorded", () => {
    expect(contactPicture(model, logOf([0, 0]), [FORCE])).toBeUndefined();
    expect(contactPicture(model, logOf([1, 2]), [])).toBeUndefined();
    expect(contactPicture(model, logOf([1, 2]), [{ ...FORCE, force: ["g.fx", "g.fy", "h.fz"] }])).toBeUndefined();
  });
});
