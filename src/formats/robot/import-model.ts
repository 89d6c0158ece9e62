/** Reads a robot file with everything that it describes, not only its model. */
import { checkOptions, checkText } from "../../arguments.ts";
import { ModelError } from "../../errors.ts";
import { formatOf, readModelDocument } from "../model-formats.ts";
import type { ImportedModel, ImportOptions } from "./imported-model.ts";

/**
 * The model of a robot file (URDF, MJCF) with its forces, states, groups and shapes for contact, and the list of what was not understood.
 * @throws ModelError with every problem of the text, each with its line
 */
export function importModel(text: string, source = "model", options: ImportOptions = {}): ImportedModel {
  checkText("text", text, "the contents of a robot file");
  checkText("source", source, "a name for messages");
  checkOptions("options", options, ["base", "findMesh", "readMeshFile", "readInclude", "srdf", "pose"]);
  const { imported } = readModelDocument(text, source, options);
  if (imported !== undefined) return imported;
  const name = formatOf(text, source)?.name ?? "Castor's own";
  throw new ModelError(source, [
    { path: "", message: `this is a file of the format ${name}, which has a model only`, advice: "Read it with parseModel" },
  ]);
}
