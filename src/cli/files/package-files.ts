/** Files of the package: its version, the built-in scenarios, and in the repository the benchmark. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Path in the folder of the package; works from src/cli/files and from dist/cli/files. */
export const packagePath = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { readonly version: string }).version;

/** Names of the built-in scenarios that have the given file. */
export function builtInNames(file: "model.yaml" | "scenario.yaml" | "measurements.yaml" = "model.yaml"): string[] {
  const folder = packagePath("scenarios");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(packagePath(`scenarios/${name}/${file}`)))
    .sort();
}
