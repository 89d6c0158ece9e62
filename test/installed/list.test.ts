import { beforeAll, describe, expect, it } from "vitest";
import { HINGES } from "../../src/model/hinges/index.ts";
import { CONTROLLERS } from "../../src/parts/control/controllers.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { castor, workFolder } from "../fixtures/installed.ts";
import { SCENARIOS } from "../fixtures/models/pendulum.ts";

let folder: string;
beforeAll(() => {
  folder = workFolder();
});

describe("castor list", () => {
  it("has everything there is to choose from, in narrow lines", () => {
    const { status, stdout, stderr } = castor(folder, ["list"]);
    expect([status, stderr]).toEqual([0, ""]);
    const names = [SCENARIOS, ...[INTEGRATORS, FORCES, CONTROLLERS, HINGES].map((kinds) => Object.keys(kinds))].flat();
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\w`, "m"));
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it("finds entries by the words of the field", () => {
    const joints = JSON.parse(castor(folder, ["list", "joint", "--json"]).stdout);
    expect(Object.keys(joints.hinges)).toEqual(Object.keys(HINGES));
    expect(Object.keys(joints)[0]).toBe("hinges");
    expect(Object.keys(JSON.parse(castor(folder, ["list", "scenarios", "--json"]).stdout))[0]).toBe("scenarios");
    const torques = castor(folder, ["list", "torque"]);
    expect([torques.status, torques.stderr]).toEqual([0, ""]);
    expect(torques.stdout).toMatch(/^ {2}computed-torque /m);
    expect(torques.stdout).not.toMatch(/^ {2}rover-flat /m);
    const nothing = castor(folder, ["list", "perpetuum"]);
    expect([nothing.status, nothing.stderr]).toEqual([1, expect.stringContaining('nothing matches "perpetuum"')]);
  });

  it("in full for programs", () => {
    const all = JSON.parse(castor(folder, ["list", "--json"]).stdout);
    expect(Object.keys(all)).toEqual([
      "scenarios",
      "campaigns",
      "formulations",
      "integrators",
      "forces",
      "controllers",
      "devices",
      "hinges",
    ]);
    expect(all.scenarios["satellite-manipulator"]).toContain("TR-942");
    expect(all.forces.friction).toBe(FORCES.friction.about);
  });
});
