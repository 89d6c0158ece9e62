import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { formatOverride, type Override, parseOverride } from "../../../src/scenario/override.ts";
import { saveScenario } from "../../../src/scenario/save.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import type { Setting } from "../../../src/scenario/settings/setting.ts";
import { settingsOf } from "../../../src/scenario/settings/settings.ts";

import { load, PENDULUM } from "../../fixtures/models/pendulum.ts";

const FOLDER = fileURLToPath(new URL("../../../scenarios/", import.meta.url));
const NAMES = readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}${name}/scenario.yaml`));

const textOf = (name: string): string => readFileSync(`${FOLDER}${name}/scenario.yaml`, "utf8");
const optionsOf = (name: string, overrides: readonly Override[] = []) => ({
  files: diskFiles(`${FOLDER}${name}`, { names: NAMES, path: (model) => `${FOLDER}${model}/model.yaml` }),
  overrides,
});
const scenarioOf = (name: string, overrides: readonly Override[] = []) =>
  loadScenario(textOf(name), name, optionsOf(name, overrides));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(NAMES)("%s", (name) => {
  const settings = settingsOf(scenarioOf(name));

  it("has settings with unique paths", () => {
    const paths = settings.map((s) => s.path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const which of ["model.bodies", "state.q", "integrator", "duration"])
      expect(paths.some((path) => path.startsWith(which))).toBe(true);
  });

  it("is the same scenario if every setting is set to its own value", () => {
    const known = settings.filter((s) => s.value !== undefined);
    const sets = known.map((s) => parseOverride(formatOverride(s)));
    for (const [i, set] of sets.entries()) expect(set).toMatchObject({ path: known[i]!.path, value: known[i]!.value });
    // Tolerances and hinge parameters are stored as written; here their defaults have been written. A coordinate that is set is given.
    const numbers = (scenario: Scenario): unknown =>
      JSON.parse(
        JSON.stringify({ ...scenario, document: {}, tolerances: {}, given: {} }, (key, value) =>
          key === "parameters" || key === "warnings" ? {} : value,
        ),
      );
    expect(numbers(scenarioOf(name, sets))).toEqual(numbers(scenarioOf(name)));
  });

  it("is saved in one file that gives the same scenario, also with changes", () => {
    // A machine of elastic bodies only has lengths, but no masses.
    const mass = settings.find((s) => s.label === "mass");
    const length = settings.find((s) => s.label === "length");
    const changes = [
      parseOverride(mass ? `${mass.path}=12.5 kg` : `${length!.path}=12.5 m`),
      parseOverride("duration=1500 ms"),
      parseOverride("sample=null"),
      parseOverride("audit.energy=1e-5"),
    ];
    for (const overrides of [[], changes]) {
      const saved = saveScenario(textOf(name), name, optionsOf(name, overrides));
      expect(plain(loadScenario(saved).document)).toEqual(plain(scenarioOf(name, overrides).document));
    }
  });
});

describe("settings", () => {
  const find = (settings: readonly Setting[], path: string): Setting => settings.find((s) => s.path === path)!;

  it("have type, unit, bounds and default value", () => {
    const settings = settingsOf(scenarioOf("satellite-manipulator"));
    expect(find(settings, "model.bodies.hand.mass")).toMatchObject({
      group: ["bodies", "hand"],
      type: "number",
      value: "30 kg",
      written: true,
      optional: false,
      least: 0,
      entries: [{ label: "", unit: "kg" }],
    });
    expect(find(settings, "state.q.waist")).toMatchObject({ value: "90 deg", entries: [{ unit: "rad" }], written: true });
    expect(find(settings, "state.u.satellite").entries!.map((e) => `${e.label} ${e.unit}`)).toEqual([
      "wx rad/s",
      "wy rad/s",
      "wz rad/s",
      "vx m/s",
      "vy m/s",
      "vz m/s",
    ]);
    expect(find(settings, "forces.control.stiffness")).toMatchObject({
      type: "numbers",
      value: [10, 10, 10, 1],
      least: 0,
      entries: ["waist", "upper-arm", "forearm", "hand"].map((label) => ({ label, unit: "N m/rad" })),
    });
    expect(find(settings, "forces.control.rest")).toMatchObject({ type: "number", value: 0, written: false, optional: true });
    expect(find(settings, "formulation")).toMatchObject({ value: "kane", choices: ["articulated", "kane", "matrix"] });
    expect(find(settings, "integrator.name")).toMatchObject({ type: "choice", value: "dop853" });
    expect(find(settings, "model.bodies.hand.hinge.rotation.rpy")).toMatchObject({ value: [0, 0, 0], written: false });
  });

  it("address list items of controllers by name", () => {
    const settings = settingsOf(load(PENDULUM));
    const gains = settings.filter((s) => s.path.startsWith("controllers.hold.hinges"));
    expect(gains.map((s) => s.label)).toContain("kp");
    expect(find(settings, "controllers.hold.hinges.rod.kp").entries).toEqual([{ label: "", unit: "N m/rad" }]);
  });

  it("have the unit of the coordinate that a loop prescribes", () => {
    const settings = settingsOf(scenarioOf("jansen-leg"));
    const rate = settings.find((s) => s.path.endsWith(".motion.rate"))!;
    expect(rate).toMatchObject({ entries: [{ unit: "rad/s" }] });
  });

  it("have the parameters of the kind of a shape; another kind replaces the whole shape", () => {
    const path = "forces.lively-ball.shapes[0]";
    const shapeOf = (settings: readonly Setting[]): string[] =>
      settings.filter((s) => s.path.startsWith(`${path}.`)).map((s) => s.label);
    const settings = settingsOf(scenarioOf("contact-bouncing"));
    expect(shapeOf(settings)).toEqual(["kind", "name", "on", "at", "radius", "copies", "around"]);
    const { choices, replaces } = find(settings, `${path}.kind`);
    expect(replaces!.path).toBe(path);
    expect(replaces!.by.sphere).toEqual({ kind: "sphere", on: "lively", radius: 0.1 });
    expect(replaces!.by.box).toEqual({ kind: "box", on: "lively", size: [0.2, 0.2, 0.2] });
    expect(replaces!.by.ground).toEqual({ kind: "ground" });
    // Each kind by itself has all its parameters and no others. Which shapes can touch each other is not checked here.
    const changed = (value: unknown): Scenario => scenarioOf("contact-bouncing", [{ path, value, from: "test" }]);
    const ofShape = (kind: string): readonly string[] => {
      try {
        changed(replaces!.by[kind]);
        return [];
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        return error.problems.filter((p) => p.path.startsWith(`${path}.`)).map((p) => `${p.path}: ${p.message}`);
      }
    };
    expect(choices!.flatMap(ofShape)).toEqual([`${path}.kind: the model is not a robot file with collision shapes`]);
    // Changing the kind back gives the original shape.
    const box = settingsOf(changed(replaces!.by.box));
    expect(shapeOf(box)).toEqual(["kind", "name", "on", "at", "size", "rpy", "copies", "around"]);
    expect(find(box, `${path}.rpy`).entries!.map(({ label }) => label)).toEqual(["roll", "pitch", "yaw"]);
    expect(find(box, `${path}.kind`).replaces!.by.sphere).toEqual(replaces!.by.sphere);
  });

  it("can add a rotation to a hinge without one", () => {
    const turned = scenarioOf("simple-pendulum", [parseOverride("model.bodies[0].hinge.rotation.rpy=[0, 0, 90 deg]")]);
    expect(turned.model.bodies[0]!.hinge.onParent.R[1][0]).toBeCloseTo(1, 15);
  });
});

describe("saving", () => {
  it("keeps comments, units and order, and the comments of the model", () => {
    const saved = saveScenario(
      textOf("satellite-manipulator"),
      "s",
      optionsOf("satellite-manipulator", [parseOverride("model.bodies.hand.mass=35 kg"), parseOverride("state.q.waist=80 deg")]),
    );
    expect(saved).toContain("# The report's control: torque");
    expect(saved).toContain("# Value of the report. No real body has such an inertia");
    expect(saved).toContain("mass: 35 kg");
    expect(saved).toContain("waist: 80 deg, upper-arm: -90 deg");
    expect(saved).not.toContain("yaml-language-server");
    expect(saved.indexOf("state:")).toBeLessThan(saved.indexOf("forces:"));
  });

  it("throws an error with the problems of the changes", () => {
    expect(() => saveScenario(PENDULUM, "p", { overrides: [parseOverride("duration=-1")] })).toThrow(/must be positive/);
  });
});
