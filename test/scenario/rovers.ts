/** The built-in rovers, for tests. */
import { readdirSync, readFileSync } from "node:fs";
import type { ModelError } from "../../src/errors.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { filesFor } from "../../src/scenario/node-files.ts";
import { parseOverride } from "../../src/scenario/override.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";

export const ROVERS = readdirSync("scenarios").filter((name) => name.startsWith("rover-"));

const MODELS = { names: ROVERS, path: (name: string): string => `scenarios/${name}/model.yaml` };

export const rover = (name: string, ...sets: readonly string[]): Scenario =>
  loadScenario(readFileSync(`scenarios/${name}/scenario.yaml`, "utf8"), `${name}/scenario.yaml`, {
    files: filesFor(`scenarios/${name}`, MODELS),
    overrides: sets.map((set) => parseOverride(set)),
  });

/** What is wrong with a rover that must not be right. */
export function wrongRover(name: string, ...sets: readonly string[]): string {
  try {
    rover(name, ...sets);
  } catch (error) {
    if ((error as Error).name === "ModelError") return (error as ModelError).message;
    throw error;
  }
  throw new Error("the scenario has no problems");
}
