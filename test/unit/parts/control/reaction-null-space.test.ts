/** Motion in the reaction null space: the base does not turn, without wheels or external forces. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { homeOf } from "../../../../src/model/model.ts";
import { CONTROLLERS } from "../../../../src/parts/control/controllers.ts";
import { HINGES, ROBOT, run, start } from "../../../fixtures/models/two-arm-robot.ts";

const ARM2 = ["stabilizer-yaw", "stabilizer-pitch", "stabilizer-disc"];
const reference = (from: number, by: number) => [
  [0, from],
  [10, from + by],
];

describe("reaction null space", () => {
  it("an arm moves, the second arm compensates, the base keeps its attitude to 1e-9 rad and the wheels stand still", () => {
    const q = start();
    const references = [
      { hinge: "shoulder-yaw", reference: reference(q[7]!, 0.3) },
      { hinge: "elbow", reference: reference(q[9]!, 0.4) },
      ...["wheel-roll", "wheel-pitch", "wheel-yaw"].map((hinge) => ({ hinge, reference: 0 })),
    ];
    const log = run("reaction-null-space", { references, free: ARM2 }, { duration: 15, step: 0.02 });
    expect(log.largest("c.attitude")).toBeLessThan(1e-9);
    for (const part of ["wx", "wy", "wz"]) expect(log.largest(`u.base.${part}`)).toBeLessThan(1e-9);
    expect(log.largest("u.stabilizer-disc")).toBeGreaterThan(0.5);
    // The arm covered most of its reference motion.
    expect(log.column("q.shoulder-yaw").at(-1)! - q[7]!).toBeGreaterThan(0.2);
  });

  it("a robot at rest stays at rest", () => {
    const log = run("reaction-null-space", { references: [], free: ARM2 }, { duration: 1, step: 0.02 });
    expect(log.largest("c.attitude")).toBeLessThan(1e-12);
  });

  it("a robot with too few hinges is refused, and so is a reference of a free hinge", () => {
    const few = createModel({
      name: "few",
      bodies: [
        { name: "base", mass: 10, inertia: [1, 1, 1], hinge: { kind: "free" } },
        { name: "arm", parent: "base", mass: 1, inertia: [0.1, 0.1, 0.1], hinge: { kind: "revolute", axis: "z" } },
      ],
    });
    expect(homeOf(few)).toHaveLength(8);
    expect(() => CONTROLLERS["reaction-null-space"].create("c", { motors: "m", hinges: "arm" } as never, few)).toThrow(
      "It takes four or more",
    );
    const both = { motors: "m", hinges: HINGES, references: [{ hinge: "elbow", reference: 1 }], free: "elbow" };
    expect(() => CONTROLLERS["reaction-null-space"].create("c", both as never, ROBOT)).toThrow("free: elbow has a reference");
    const some = { motors: "m", hinges: HINGES.slice(1) };
    expect(() => CONTROLLERS["reaction-null-space"].create("c", some as never, ROBOT)).toThrow("shoulder-yaw is missing");
  });
});
