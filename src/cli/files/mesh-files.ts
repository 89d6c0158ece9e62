/** The meshes that a model names, from disk: for the eye only, so one that cannot be read is left out, and whoever draws says so. */
import { ModelError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { pathProblem, type ScenarioFiles } from "../../scenario/files.ts";

/** Larger ones are not handed to a page. */
const LARGEST_MESH = 100 * 2 ** 20;

/**
 * Bytes by the paths that the model gives them, with the buffers and pictures that a .gltf names.
 * @param folders where the model may be, from the folder of the scenario: "" or "models/"
 */
export function meshFiles(model: Model, folders: readonly string[], files: ScenarioFiles): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const add = (file: string): Uint8Array | undefined => {
    for (const folder of found.has(file) ? [] : folders) {
      const bytes = readIfAvailable(folder + file, files);
      if (bytes === undefined) continue;
      found.set(file, bytes);
      return bytes;
    }
    return undefined;
  };
  for (const shape of model.bodies.flatMap(({ shapes }) => shapes)) {
    const bytes = shape.kind === "mesh" ? add(shape.file) : undefined;
    if (shape.kind !== "mesh" || bytes === undefined || !/\.gltf$/i.test(shape.file)) continue;
    const place = shape.file.slice(0, shape.file.lastIndexOf("/") + 1);
    for (const name of referencedFiles(bytes)) if (pathProblem(place + name) === undefined) add(place + name);
  }
  return found;
}

function readIfAvailable(path: string, files: ScenarioFiles): Uint8Array | undefined {
  try {
    const bytes = files.readBytes?.(path);
    return bytes && bytes.byteLength <= LARGEST_MESH ? bytes : undefined;
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

const BUFFER_FILE = /^(?!data:).*\.(bin|png|jpe?g|webp)$/i;

/** Files that a glTF in JSON has its numbers and pictures in. */
function referencedFiles(bytes: Uint8Array): readonly string[] {
  try {
    const { buffers = [], images = [] } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, { uri?: unknown }[]>;
    return [...buffers, ...images].flatMap(({ uri }) =>
      typeof uri === "string" && BUFFER_FILE.test(uri) ? [decodeURIComponent(uri)] : [],
    );
  } catch {
    return []; // what is wrong with it, whoever draws it says
  }
}
