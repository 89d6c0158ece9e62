/** Built-in scenarios that may name models of other built-in scenarios, as the rovers do. */
import { readdirSync, readFileSync } from "node:fs";
import { loadScenario, type NamedText, type Override, type Scenario, type ScenarioFiles } from "castor/scenario";

const FOLDER = new URL("../../scenarios/", import.meta.url);
const text = (path: string): NamedText => ({ text: readFileSync(new URL(path, FOLDER), "utf8"), source: path });

export function roverScenario(name: string, overrides: readonly Override[] = []): Scenario {
  const files: ScenarioFiles = {
    readBeside: (path) => text(`${name}/${path}`),
    readChosen: (path) => text(path),
    builtIns: readdirSync(FOLDER),
    readBuiltIn: (model) => text(`${model}/model.yaml`),
  };
  return loadScenario(text(`${name}/scenario.yaml`).text, name, { files, overrides });
}

export const benchOverride = (path: string, value: unknown): Override => ({ path, value, from: "bench" });
