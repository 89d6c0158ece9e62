/** A small scenario that carries its model along, for tests. */
import { readFileSync } from "node:fs";
import type { ModelError, Problem } from "../../src/errors.ts";
import { type LoadOptions, loadScenario } from "../../src/scenario/load.ts";
import { filesFor } from "../../src/scenario/node-files.ts";
import { parseOverride } from "../../src/scenario/override.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";

export const PENDULUM = `
name: pendulum
model:
  name: pendulum
  gravity: [0, 0, -10]
  bodies:
    - name: rod
      mass: 2 kg
      com: [0, 0, -1]
      inertia: [0.5, 0.5, 0.01]
      hinge: { kind: revolute, axis: y }
      frames: { bob: { at: [0, 0, -2] } }
state:
  q: { rod: 30 deg }
forces:
  damper: { kind: hinge-spring, hinge: rod, damping: 0.1 }
  motor: { kind: actuator, hinge: rod }
controllers:
  hold: { kind: hinge-pd, period: 0.1, hinges: [{ hinge: rod, actuator: motor, kp: 1, kd: 1, reference: 0 }] }
integrator: { name: rk4, step: 0.01 }
duration: 2
plots:
  - { title: Angle, channels: [q.rod], unit: deg }
audit: { energy: 1e-3 }
`;

export const load = (text: string, options: LoadOptions = {}): Scenario => loadScenario(text, "test.yaml", options);

export const changed = (text: string, ...sets: readonly string[]): Scenario =>
  load(text, { overrides: sets.map((set) => parseOverride(set)) });

/** The problems of a text that must have some. */
export function problemsOf(text: string, ...sets: readonly string[]): readonly Problem[] {
  try {
    changed(text, ...sets);
  } catch (error) {
    if ((error as Error).name !== "ModelError") throw error;
    return (error as ModelError).problems;
  }
  throw new Error("the scenario has no problems");
}

export const SCENARIOS = [
  "asymmetric-top",
  "block-on-incline",
  "dumbbell-in-orbit",
  "free-floating-arm",
  "satellite-manipulator",
];

const NO_BUILT_INS = { names: [], path: (name: string): string => name };

export const builtIn = (name: string, ...sets: readonly string[]): Scenario =>
  loadScenario(readFileSync(`scenarios/${name}/scenario.yaml`, "utf8"), `${name}/scenario.yaml`, {
    files: filesFor(`scenarios/${name}`, NO_BUILT_INS),
    overrides: sets.map((set) => parseOverride(set)),
  });
