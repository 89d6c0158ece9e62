/** Wrong arguments of formulations, programs and kernels. */
import { ArgumentError, articulated, buildModel, compile, FORMULATIONS, type FormulationName, programs } from "castor";
import { describe, expect, it } from "vitest";

const arm = buildModel("arm")
  .body({ name: "upper", mass: 2, inertia: [0.1, 0.2, 0.2], com: [0.5, 0, 0], hinge: { kind: "revolute", axis: "y" } })
  .body({ name: "lower", parent: "upper", mass: 1, inertia: [0.1, 0.1, 0.1], hinge: { kind: "revolute", axis: "y" } })
  .build();
const two = (): Float64Array => new Float64Array(2);
const messageOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(ArgumentError);
    return (error as Error).message;
  }
  throw new Error("the call did not throw");
};

describe.each(Object.keys(FORMULATIONS) as FormulationName[])("%s", (name) => {
  const equations = FORMULATIONS[name].derive(arm, { wrenches: ["lower"] });
  const w = Float64Array.of(1, 2, 3, 4, 5, 6);

  it("does not reuse the wrench of an earlier call", () => {
    equations.accelerations(two(), two(), two(), w, two());
    expect(messageOf(() => equations.accelerations(two(), two(), two(), new Float64Array(0), two()))).toBe(
      "w: must be a Float64Array of 6 numbers (6 for each frame of options.wrenches), got an array of 0",
    );
  });

  it.each([
    ["q", () => equations.accelerations(new Float64Array(3), two(), two(), w, two())],
    ["u", () => equations.energy(two(), new Float64Array(1), two())],
    ["tau", () => equations.reactions(two(), two(), undefined as never, w, new Float64Array(12))],
    ["udot", () => equations.accelerations(two(), two(), two(), w, new Float64Array(1))],
    ["out", () => equations.reactions(two(), two(), two(), w, new Float64Array(6))],
    ["out", () => equations.momentum(two(), two(), two())],
    ["out", () => equations.loopForces(two(), two(), two(), w, two())],
    ["out", () => equations.loopErrors(two(), two(), two())],
  ])("refuses a wrong length of %s", (argument, call) => {
    expect(messageOf(call)).toMatch(new RegExp(`^${argument}: must be a Float64Array of \\d+ numbers \\(.*\\), got`));
  });
});

describe("options", () => {
  it.each([
    [
      () => articulated.derive(arm, { wrench: ["lower"] } as never),
      /^options\.wrench: there is no such option\. Did you mean "wrenches"/,
    ],
    [() => articulated.derive(arm, { target: "wasn" } as never), /^options\.target: there is no target named "wasn"/],
    [() => articulated.derive({} as never), /^model: must be a Model/],
    [
      () => FORMULATIONS.kane.derive(arm, { wrenches: "lower" } as never),
      /^options\.wrenches: must be a list of names of frames/,
    ],
    [() => programs.massMatrix(arm, { wrenches: [] } as never), /^options\.wrenches: there is no such option/],
    [() => programs.forwardDynamics(arm, { actuated: ["lowr"] }), /^options\.actuated\[0\]: there is no hinge named "lowr"/],
    [() => programs.frameKinematics(arm, "lower" as never), /^frames: must be a list of names of frames/],
    [() => compile(programs.massMatrix(arm), { lanes: 3 } as never), /^options\.lanes: must be 1 or 2, got 3/],
    [() => compile(programs.massMatrix(arm), { targets: "js" } as never), /^options\.targets: there is no such option/],
    [() => compile(arm as never), /^program: must be a Program, from trace or programs/],
  ])("%s", (call, message) => {
    expect(messageOf(call)).toMatch(message);
  });
});
