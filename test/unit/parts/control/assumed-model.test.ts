/** `assumes`: a law that computes with other masses and mounts than the machine has. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../../src/errors.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { describeModel } from "../../../../src/model/build/describe-model.ts";
import type { BodyDescription } from "../../../../src/model/description.ts";
import { readController } from "../../../../src/parts/control/controllers.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";
import { HINGES, ROBOT, start, WEIGHTS } from "../../../fixtures/models/two-arm-robot.ts";

const PARAMETERS = {
  motors: "motors",
  hinges: HINGES,
  weights: WEIGHTS,
  tasks: [
    { frame: "hand", kp: 1, kd: 2, moves: [{ by: [-1.2, 0, 0], duration: 9, rise: 3 }] },
    { frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 },
  ],
};
const ASSUMES = [
  { body: "base", mass: 2200, inertia: [1500, 1300, 2100] },
  { body: "elbow", mass: 60, com: [1.1, 0.02, 0], at: [2.45, 0, 0.01] },
];

/** The robot with the assumed numbers in its own description. */
const OTHER = (() => {
  const description = describeModel(ROBOT);
  const bodies = description.bodies.map((body) => {
    if (body.name === "base") return { ...body, mass: 2200, inertia: [1500, 1300, 2100] };
    if (body.name !== "elbow") return body;
    return { ...body, mass: 60, com: [1.1, 0.02, 0], hinge: { ...body.hinge, at: [2.45, 0, 0.01] } };
  }) as BodyDescription[];
  return createModel({ ...description, bodies });
})();

const problemsOf = (assumes: unknown): readonly string[] => {
  try {
    readController("least-torque", "law", { ...PARAMETERS, assumes }, ROBOT);
  } catch (error) {
    if (error instanceof ModelError) return error.problems.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  return [];
};

describe("assumes", () => {
  it("gives the commands of the law for a machine with the assumed numbers", () => {
    const [assuming, other, exact] = [
      readController("least-torque", "law", { ...PARAMETERS, assumes: ASSUMES }, ROBOT),
      readController("least-torque", "law", PARAMETERS, OTHER),
      readController("least-torque", "law", PARAMETERS, ROBOT),
    ];
    const q0 = start();
    const none = new Float64Array(0);
    const rest = { model: ROBOT, t: 0, q: q0, u: new Float64Array(ROBOT.nu), z: none, frames: none };
    const memories = [assuming.start(ROBOT, rest), other.start(OTHER, { ...rest, model: OTHER }), exact.start(ROBOT, rest)];
    for (let seed = 0; seed < 10; seed++) {
      const next = uniform(seed);
      const q = q0.map((x, i) => (i < 7 ? x : x + 0.3 * (next() - 0.5)));
      const u = Float64Array.from({ length: ROBOT.nu }, () => 0.2 * (next() - 0.5));
      const s = { ...rest, t: 8 * next(), q, u };
      const [a, b, c] = [new Float64Array(12), new Float64Array(12), new Float64Array(12)];
      assuming.update(s, memories[0], a);
      other.update({ ...s, model: OTHER }, memories[1], b);
      exact.update(s, memories[2], c);
      expect(a).toEqual(b);
      expect(Math.max(...a.map((x, i) => Math.abs(x - c[i]!)))).toBeGreaterThan(1e-3);
    }
  });

  it("changes nothing if it names nothing", () => {
    expect(problemsOf([])).toEqual([]);
    expect(problemsOf([{ body: "base" }])).toEqual([]);
  });

  it("reports every problem with its path", () => {
    expect(problemsOf([{ body: "bse", mass: 1 }])).toEqual([expect.stringMatching(/^law\.assumes\[0\]\.body: /)]);
    expect(problemsOf([{ body: "base", mass: 0 }])).toEqual([expect.stringMatching(/^law\.assumes\[0\]\.mass: /)]);
    expect(problemsOf([{ body: "base", inertia: [1, -1, 1] }])).toEqual([expect.stringMatching(/^law\.assumes\[0\]\.inertia: /)]);
    expect(problemsOf([{ body: "base", weight: 1 }])).toEqual([expect.stringMatching(/^law\.assumes\[0\]\.weight: /)]);
    expect(
      problemsOf([
        { body: "base", mass: 1 },
        { body: "base", com: [0, 0, 1] },
      ]),
    ).toEqual(["law.assumes: names a body twice"]);
    expect(problemsOf("base")).toEqual([expect.stringMatching(/^law\.assumes: /)]);
  });
});
