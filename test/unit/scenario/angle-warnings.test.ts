/** Angles beyond a full turn that are written without a unit: they may be degrees. */
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../../src/scenario/load.ts";

const scenario = (state: string, reference: string) =>
  loadScenario(`
castor: 1
duration: 1
model:
  name: arm
  bodies:
    - { name: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: universal } }
    - { name: arm, parent: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute } }
    - { name: slide, parent: arm, mass: 1, inertia: [1, 1, 1], hinge: { kind: prismatic } }
state: ${state}
forces:
  motor: { kind: actuator, hinge: arm }
  push: { kind: actuator, hinge: slide }
controllers:
  pd:
    kind: hinge-pd
    hinges:
      - { hinge: arm, actuator: motor, kp: 1, kd: 1, reference: ${reference} }
      - { hinge: slide, actuator: push, kp: 1, kd: 1, reference: 90 }`);

describe("an angle without a unit beyond a full turn", () => {
  it("is a warning at the start of a hinge, with path, line and advice", () => {
    expect(scenario("{ q: { arm: 90 } }", "1").warnings).toEqual([
      {
        path: "state.q.arm",
        message: "is 14.3 turns, because angles without a unit are in radians",
        value: "90",
        advice: 'Write "90 deg" for degrees, or "90 rad" if it is meant so',
        line: 10,
        column: 20,
      },
    ]);
    expect(scenario("{ q: { base: [0, -45] } }", "1").warnings.map(({ path }) => path)).toEqual(["state.q.base[1]"]);
  });

  it("is a warning in references of controllers, constant or in rows", () => {
    expect(scenario("{}", "40").warnings.map(({ path }) => path)).toEqual(["controllers.pd.hinges[0].reference"]);
    const rows = scenario("{}", "[[0, 0], [1, 180]]").warnings;
    expect(rows.map(({ path }) => path)).toEqual(["controllers.pd.hinges[0].reference[1][1]"]);
  });

  it("is none with a unit, within a full turn, for lengths and for speeds", () => {
    for (const angle of ["90 deg", "90 rad", "6.28", "-6.28"])
      expect(scenario(`{ q: { arm: ${angle}, slide: 90 }, u: { arm: 100 } }`, angle).warnings).toEqual([]);
  });
});
