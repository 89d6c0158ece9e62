/** Built-in scenarios of any build of Castor, simulated by the code of that build. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as CastorScenario from "castor/scenario";
import type * as CastorSim from "castor/sim";

interface Package {
  readonly bin: { readonly castor: string };
  readonly exports: Readonly<Record<string, { readonly node?: string; readonly default: string }>>;
}

const packageOf = (build: string): Package => JSON.parse(readFileSync(join(build, "package.json"), "utf8")) as Package;

/** The command line of a build. */
export const programOf = (build: string): string => join(resolve(build), packageOf(build).bin.castor);

/** URL of a public entry of a build, as Node loads it, e.g. "./sim". */
export function entryOf(build: string, name: string): string {
  const { node, default: modules } = packageOf(build).exports[name]!;
  return pathToFileURL(join(resolve(build), node ?? modules)).href;
}

/** A function that simulates a built-in scenario with its samples and audit. The file is read, and the system compiled, before. */
export async function motionOf(scenario: string, build: string): Promise<() => void> {
  const { loadScenario, prepareScenario } = (await import(entryOf(build, "./scenario"))) as typeof CastorScenario;
  const { simulate } = (await import(entryOf(build, "./sim"))) as typeof CastorSim;
  const folder = join(resolve(build), "scenarios");
  const read = (...path: readonly string[]) => ({ text: readFileSync(join(folder, ...path), "utf8"), source: path.join("/") });
  const files = {
    readBeside: (file: string) => read(scenario, file),
    readChosen: (file: string) => read(scenario, file),
    builtIns: readdirSync(folder),
    readBuiltIn: (name: string) => read(name, "model.yaml"),
  };
  const { system, start, options } = prepareScenario(loadScenario(read(scenario, "scenario.yaml").text, scenario, { files }));
  return () => void simulate(system, start, options);
}
