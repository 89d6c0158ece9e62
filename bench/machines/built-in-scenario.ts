/** Built-in scenarios, with optional overrides. */
import { readFileSync } from "node:fs";
import { loadScenario, type Override, type Scenario } from "castor/scenario";

export function builtInScenario(name: string, changes: Readonly<Record<string, unknown>> = {}): Scenario {
  const folder = new URL(`../../scenarios/${name}/`, import.meta.url);
  const beside = (file: string) => ({ text: readFileSync(new URL(file, folder), "utf8"), source: file });
  const none = (): never => {
    throw new Error("the scenario names no other models");
  };
  const overrides = Object.entries(changes).map(([path, value]): Override => ({ path, value, from: "bench" }));
  return loadScenario(beside("scenario.yaml").text, name, {
    overrides,
    files: { readBeside: beside, readChosen: none, builtIns: [], readBuiltIn: none },
  });
}
