/** `verifyScenario` lists formulations that do not apply, with the reason; machines that cannot move pass their audit. */
import { describe, expect, it, vi } from "vitest";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { SingularError } from "../../../src/errors.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { verifyScenario } from "../../../src/scenario/verify.ts";
import { load } from "../../fixtures/models/pendulum.ts";

/** A triangle of bars in a tilted plane, closed by a revolute twice: ten equations of rank 2 for two freedoms. */
const TRUSS = `
castor: 1
name: truss
model:
  name: truss
  bodies:
    - { name: ground, mass: 1, inertia: [1, 1, 1], hinge: { kind: fixed, rotation: { rpy: [0.3, 0.5, 0.2] } } }
    - { name: left, parent: ground, mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.1, 0.1], hinge: { kind: revolute } }
    - { name: right, parent: ground, mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.1, 0.1], hinge: { kind: revolute, at: [1, 0, 0] } }
  loops:
    - { name: apex, kind: revolute, from: { body: left, at: [0.6, 0, 0] }, to: { body: right, at: [0.6, 0, 0] } }
    - { name: apex again, kind: revolute, from: { body: left, at: [0.6, 0, 0] }, to: { body: right, at: [0.6, 0, 0] } }
state:
  q: { left: 34 deg, right: 146 deg }
integrator: { name: dopri5 }
duration: 1
`;

describe("a machine that cannot move", () => {
  it.each(["", "[0, 0, -9.81]"])("passes its audit, and all formulations agree; gravity %s", async (gravity) => {
    const scenario = load(gravity === "" ? TRUSS : TRUSS.replace("  name: truss\n", `  name: truss\n  gravity: ${gravity}\n`));
    const { run, failure } = await runScenario(scenario);
    expect(failure).toBeUndefined();
    expect(run.audit.find(({ channel }) => channel === "energy")!.worst).toBeLessThan(1e-9);
    const { agree, runs, notApplicable } = await verifyScenario(scenario);
    expect({ agree, notApplicable }).toEqual({ agree: true, notApplicable: [] });
    expect(runs.map(({ system }) => system.formulation)).toEqual(["articulated", "kane", "matrix", "partition", "minimal"]);
  });
});

describe("formulations that do not apply", () => {
  it("are listed with the reason if the model has linearised rotations", async () => {
    const scenario = load(`
castor: 1
name: small rotations
model:
  name: small rotations
  bodies: [{ name: tip, mass: 1, inertia: [1, 1, 1], hinge: { kind: general, freedoms: [rx, ry], rotations: small } }]
integrator: { name: rk4, step: 0.01 }
duration: 0.1
`);
    const { runs, notApplicable, agree } = await verifyScenario(scenario);
    expect(runs.map(({ system }) => system.formulation)).toEqual(["articulated"]);
    expect(agree).toBe(false);
    expect(notApplicable).toEqual([
      { formulation: "kane", reason: "it does not support rotations: small" },
      { formulation: "matrix", reason: "it does not support rotations: small" },
    ]);
  });

  it("are listed with the reason if they cannot solve the initial state, also the formulation of the scenario", async () => {
    const derive = vi.spyOn(FORMULATIONS.kane, "derive").mockImplementation(() => {
      throw new SingularError("truss: the mass matrix is singular");
    });
    try {
      const { runs, notApplicable, agree } = await verifyScenario(load(`${TRUSS}formulation: kane\n`));
      expect(notApplicable).toEqual([{ formulation: "kane", reason: expect.stringContaining("the mass matrix is singular") }]);
      expect(runs.map(({ system }) => system.formulation)).toEqual(["articulated", "matrix", "partition", "minimal"]);
      expect(agree).toBe(true);
    } finally {
      derive.mockRestore();
    }
  });

  it("hide no other failure", async () => {
    const derive = vi.spyOn(FORMULATIONS.kane, "derive").mockImplementation(() => {
      throw new TypeError("a defect");
    });
    try {
      await expect(verifyScenario(load(TRUSS))).rejects.toThrow(TypeError);
    } finally {
      derive.mockRestore();
    }
  });
});
