/** The built-in scenarios as data for the page: the text files of each folder, and the meshes. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BuiltInScenario } from "./src/files/scenario-sources.ts";

const TEXT = /\.(ya?ml|json|md|csv|txt)$/i;
/** Larger text files are left out, bytes. A scenario that needs one reports the missing file when it is opened. */
const LARGEST = 400_000;

export function scenarioLibrary(folder: string): BuiltInScenario[] {
  return readdirSync(folder)
    .filter((name) => readdirSync(join(folder, name)).includes("scenario.yaml"))
    .sort()
    .map((name) => ({ name, files: textsIn(join(folder, name)) }));
}

function textsIn(folder: string, prefix = ""): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) Object.assign(texts, textsIn(path, `${prefix}${entry.name}/`));
    else if (TEXT.test(entry.name) && statSync(path).size <= LARGEST) texts[prefix + entry.name] = readFileSync(path, "utf8");
  }
  return texts;
}

const MESH = /\.(stl|obj|glb|gltf)$/i;

/** Meshes of the built-in models, under the paths from which the page fetches them. */
export function meshAssets(folder: string): { readonly fileName: string; readonly source: Uint8Array }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => MESH.test(name))
    .map((name) => ({ fileName: `scenarios/${name.replaceAll("\\", "/")}`, source: readFileSync(join(folder, name)) }));
}
