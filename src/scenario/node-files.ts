/** Reads scenario files and the models that they name from disk. For Node only; the rest of the library also runs in browsers. */
import { realpathSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { ModelError } from "../errors.ts";
import { readBytes, readText } from "../formats/node-files.ts";
import type { ScenarioFiles } from "./files.ts";
import { loadScenario } from "./load.ts";
import type { Override } from "./override.ts";
import type { Scenario } from "./scenario.ts";

/** Models that are part of the package. */
export interface BuiltIns {
  readonly names: readonly string[];
  /** Path of the model file of one of them. */
  path(name: string): string;
}

/** Loads a scenario file. @throws ModelError with every problem of the file, or the reason why it cannot be read. */
export function loadScenarioFile(path: string, builtIns: BuiltIns, overrides: readonly Override[] = []): Scenario {
  return loadScenario(readText(path), path, { files: diskFiles(dirname(path), builtIns), overrides });
}

/** File access for a scenario in a folder. */
export function diskFiles(folder: string, builtIns: BuiltIns): ScenarioFiles {
  const read = (path: string): { text: string; source: string } => ({ text: readText(path), source: path });
  return {
    readBeside: (path) => {
      const full = resolve(folder, path);
      checkInsideFolder(folder, full);
      return read(relative(process.cwd(), full));
    },
    readBytes: (path) => {
      const full = resolve(folder, path);
      checkInsideFolder(folder, full);
      return readBytes(relative(process.cwd(), full));
    },
    readChosen: read,
    builtIns: builtIns.names,
    readBuiltIn: (name) => read(builtIns.path(name)),
  };
}

/** Refuses symbolic links that lead out of the folder. */
function checkInsideFolder(folder: string, file: string): void {
  const [realFolder, realFile] = [realPathIfExists(folder), realPathIfExists(file)];
  if (realFolder === undefined || realFile === undefined) return;
  if (realFile.startsWith(realFolder.endsWith(sep) ? realFolder : realFolder + sep)) return;
  throw new ModelError(file, [{ path: "", message: "is a symbolic link that leads out of the scenario's folder" }]);
}

function realPathIfExists(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // reading the file reports that it does not exist
  }
}
