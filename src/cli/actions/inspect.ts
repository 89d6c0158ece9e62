/** `castor inspect`: shows what a model file contains, and what of it was not understood. */
import { extname } from "node:path";
import { ModelError } from "../../errors.ts";
import { readMesh } from "../../formats/mesh/mesh-file.ts";
import { inspect } from "../../report/inspection.ts";
import { machinePicture } from "../../report/pictures/machine-picture.ts";
import type { MeshTriangles } from "../../report/pictures/shape-faces.ts";
import { renderPng } from "../../report/plots/png.ts";
import { type Action, CommandError, UsageError } from "../command.ts";
import type { inspectCommand } from "../commands/inspect.ts";
import { loadScenarioArgument } from "../files/scenario-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { inspectionText } from "../text/inspection-text.ts";
import { toJson } from "../text/json.ts";

export const run: Action<typeof inspectCommand> = async (args, terminal) => {
  const format = args.picture === undefined ? undefined : pictureFormat(args.picture);
  const { scenario, source, kind, imported, meshes } = await loadScenarioArgument(args.file, args);
  const inspection = inspect(scenario, { source, kind }, imported());
  if (args.picture !== undefined) {
    const picture = machinePicture(scenario.model, scenario.q, meshReader(meshes()));
    if (picture === undefined) throw new CommandError(`${source} has nothing to draw: no body has a shape or mass`);
    writeFileAtomically(args.picture, format === "svg" ? picture.svg : renderPng(picture.svg));
  }
  terminal.print(args.json ? toJson(inspection) : inspectionText(inspection, terminal));
  return 0;
};

function pictureFormat(path: string): "svg" | "png" {
  const extension = extname(path).toLowerCase();
  if (extension === ".svg" || extension === ".png") return extension.slice(1) as "svg" | "png";
  throw new UsageError(`--picture must end with .svg or .png, got ${JSON.stringify(path)}`);
}

/** Triangles of meshes by their paths in the model. A mesh that cannot be read is drawn by the inertia of its body. */
function meshReader(contents: ReadonlyMap<string, Uint8Array>): (file: string) => MeshTriangles | undefined {
  const meshes = new Map<string, MeshTriangles | undefined>();
  const read = (file: string): Uint8Array => {
    const bytes = contents.get(file);
    if (bytes === undefined) throw new ModelError(file, [{ path: "", message: "there is no such file" }]);
    return bytes;
  };
  return (file) => {
    if (!meshes.has(file))
      meshes.set(
        file,
        readOrNothing(() => readMesh(file, read)),
      );
    return meshes.get(file);
  };
}

function readOrNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}
