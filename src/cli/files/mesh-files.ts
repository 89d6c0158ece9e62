/** Reads the meshes of a model from disk. Meshes are only for display: one that cannot be read is left out, and the viewer reports it. */
import { ModelError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { pathProblem, type ScenarioFiles } from "../../scenario/files.ts";

/** Maximum size of a mesh file, in bytes; larger files are left out. */
const LARGEST_MESH = 100 * 2 ** 20;

/**
 * Contents by the paths in the model, with the buffers and images that a .gltf file refers to.
 * @param folders possible folders of the model, relative to that of the scenario: "" or "models/"
 */
export function meshFiles(model: Model, folders: readonly string[], files: ScenarioFiles): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  const add = (file: string): Uint8Array | undefined => {
    for (const folder of contents.has(file) ? [] : folders) {
      const bytes = readIfAvailable(folder + file, files);
      if (bytes === undefined) continue;
      contents.set(file, bytes);
      return bytes;
    }
    return undefined;
  };
  for (const shape of [model, ...model.bodies].flatMap(({ shapes }) => shapes)) {
    const bytes = shape.kind === "mesh" ? add(shape.file) : undefined;
    if (shape.kind !== "mesh" || bytes === undefined || !/\.gltf$/i.test(shape.file)) continue;
    const folderOfMesh = shape.file.slice(0, shape.file.lastIndexOf("/") + 1);
    for (const name of referencedFiles(bytes)) if (pathProblem(folderOfMesh + name) === undefined) add(folderOfMesh + name);
  }
  return contents;
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

/** Names of the buffers and images of a glTF file in JSON. */
function referencedFiles(bytes: Uint8Array): readonly string[] {
  try {
    const { buffers = [], images = [] } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, { uri?: unknown }[]>;
    return [...buffers, ...images].flatMap(({ uri }) =>
      typeof uri === "string" && BUFFER_FILE.test(uri) ? [decodeURIComponent(uri)] : [],
    );
  } catch {
    return []; // the viewer reports the error
  }
}
