/** Files of the package: its version, the built-in scenarios, and in the repository the benchmark. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Path in the folder of the package, which is the nearest folder with a package.json: the build joins files, so their depth varies. */
export const packagePath = (path: string): string => join(PACKAGE_FOLDER, path);

const folderWithPackage = (folder: string): string =>
  existsSync(join(folder, "package.json")) ? folder : folderWithPackage(dirname(folder));

const PACKAGE_FOLDER = folderWithPackage(dirname(fileURLToPath(import.meta.url)));

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { readonly version: string }).version;

/** Names of the built-in scenarios that have the given file. */
export function builtInNames(
  file: "model.yaml" | "scenario.yaml" | "campaign.yaml" | "measurements.yaml" = "model.yaml",
): string[] {
  const folder = packagePath("scenarios");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(packagePath(`scenarios/${name}/${file}`)))
    .sort();
}
