/** Bodies that start on the ground: parallel to it at any slope, at the right position on any hill; gravity by the name of a world. */
import { describe, expect, it } from "vitest";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { loadWithOverrides, PENDULUM } from "../../fixtures/models/pendulum.ts";
import { rover, wrongRover } from "../../fixtures/models/rovers.ts";

const base = (scenario: Scenario): number[] => Array.from(scenario.q.subarray(0, 7));
const HEIGHT = 0.27569737242302916;

describe("on the ground", () => {
  it.each([0, 5, 15, 30])("up a slope of %d degrees", (degrees) => {
    const a = (degrees * Math.PI) / 180;
    const found = base(rover("rover-slope", `terrain.slope.slope=${a}`));
    const wanted = [Math.cos(a / 2), 0, -Math.sin(a / 2), 0, -HEIGHT * Math.sin(a), 0, HEIGHT * Math.cos(a)];
    for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, 14);
  });

  it("across a slope with a heading: the heading is a rotation within the slope", () => {
    const [a, heading] = [0.3, 0.7];
    const q = rover(
      "rover-side-slope",
      `terrain.slope.slope=${a}`,
      `state.q.base=[${Math.cos(heading / 2)},0,0,${Math.sin(heading / 2)},2,1,0.28]`,
    ).q;
    const [w, x, y, z] = [q[0]!, q[1]!, q[2]!, q[3]!];
    // The body's z is the normal of the ground, (0, -sin a, cos a).
    expect(2 * (x * z + w * y)).toBeCloseTo(0, 14);
    expect(2 * (y * z - w * x)).toBeCloseTo(-Math.sin(a), 14);
    expect(1 - 2 * (x * x + y * y)).toBeCloseTo(Math.cos(a), 14);
    expect([q[4], q[5]]).toEqual([expect.closeTo(2, 14), expect.closeTo(1 - 0.28 * Math.sin(a), 14)]);
    expect(q[6]).toBeCloseTo(Math.tan(a) + 0.28 * Math.cos(a), 14);
  });

  it("refuses hinges that cannot be placed, and positions where the ground is not known", () => {
    expect(wrongRover("rover-flat", "state.onGround=bse")).toMatch(
      /state.onGround: must name a free hinge.*"bse".*Did you mean "base"/s,
    );
    expect(wrongRover("rover-flat", "state.onGround=[base,7]")).toMatch(/got 7/);
    expect(() => loadWithOverrides(PENDULUM, "state.onGround=arm")).toThrow(/there is no ground/);
    const hole = "{kind: heights, spacing: 1, x: 10, rows: [{heights: [0, 0]}, {heights: [0, 0]}]}";
    expect(wrongRover("rover-flat", `terrain.plain=${hole}`, "state.onGround=base")).toMatch(
      /ground is not known at x = 0, y = 0/,
    );
  });

  it("gravity of a world by name", () => {
    for (const [name, g] of [
      ["earth", 9.81],
      ["mars", 3.71],
      ["moon", 1.62],
    ] as const)
      expect(rover("rover-flat", `model.gravity=${name}`).model.gravity).toEqual([0, 0, -g]);
  });
});
