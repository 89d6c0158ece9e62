/** Castor's model files in YAML or JSON: the description of a model, optionally with units. */
import { Document, isCollection, isMap, isScalar, isSeq, type Node, visit } from "yaml";
import { isFields } from "../declare/plain-data.ts";
import { readQuantityInUnit } from "../declare/units.ts";
import type { Problem } from "../errors.ts";
import { deepFreeze, type ModelAttempt, tryCreateModel } from "../model/build/create-model.ts";
import { describeModel } from "../model/build/describe-model.ts";
import { NO_MOTION } from "../model/loops/prescribed.ts";
import type { Model } from "../model/model.ts";
import { FORMAT_VERSION } from "./document.ts";
import { kindOfKeys } from "./file-kind.ts";
import { readModelDocument } from "./model-formats.ts";
import type { ImportOptions } from "./robot/imported-model.ts";

/**
 * The model in a text: Castor's own YAML or JSON, URDF, MJCF, or another registered format. Warnings of the model list what was not understood.
 * @param options for robot files: the base, and where meshes and included files are
 * @throws ModelError with every problem of the text, each with its line.
 */
export function parseModel(text: string, source = "model", options: ImportOptions = {}): Model {
  const document = readModelDocument(text, source, options);
  const scenario = scenarioProblem(document.data);
  if (scenario !== undefined) throw document.error([...document.problems, scenario]);
  const { model, problems } = readModelData(document.data, document.problems);
  if (model === undefined) throw document.error(problems);
  return deepFreeze({ ...model, warnings: [...(document.warnings ?? []), ...model.warnings.map(document.locate)] });
}

/** The problem of a scenario that is given instead of a model; undefined for other data. */
function scenarioProblem(data: unknown): Problem | undefined {
  if (!isFields(data) || data.bodies !== undefined || kindOfKeys(Object.keys(data)) !== "scenario") return undefined;
  const model = typeof data.model === "string" ? `Give its model instead: ${data.model}` : "Put its model into a file of its own";
  return {
    path: data.model === undefined ? "duration" : "model",
    message: "this is a scenario file, not a model file",
    advice: `${model}. A scenario is simulated by castor run, and changed in the studio`,
  };
}

/** Numbers of files may be text with a unit. */
const FILE_CONTEXT = { quantity: readQuantityInUnit };

/** The model from the data of a model file, or its problems. Drops follow-up problems at paths already reported. */
export function readModelData(data: unknown, noted: readonly Problem[] = []): ModelAttempt {
  const attempt = tryCreateModel(data, FILE_CONTEXT);
  const known = new Set(noted.map((p) => p.path));
  const problems = [...noted, ...attempt.problems.filter((p) => !known.has(p.path))];
  return problems.length === 0 ? attempt : { problems, outline: attempt.outline };
}

/** The model as a YAML file. Numbers have all their digits: reading the file gives the same model. */
export function formatModel(model: Model): string {
  const document = new Document({ castor: FORMAT_VERSION, ...describeModel(model) }, { aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_, node) => {
      node.flow = isShort(node);
    },
  });
  return document.toString({ lineWidth: 130, flowCollectionPadding: false });
}

/** True if a node is written on one line: vectors, matrices, placements, terms and motions. */
function isShort(node: Node): boolean {
  if (isSeq(node)) return node.items.every((item) => isScalar(item) || (isSeq(item) && isShort(item)));
  if (!isMap(node)) return false;
  const keys = node.items.map(({ key }) => (isScalar(key) ? key.value : key));
  return (
    keys.length > 0 &&
    keys.every((key) => SHORT_KEYS.has(key)) &&
    node.items.every(({ value }) => !isCollection(value) || isShort(value))
  );
}

const SHORT_KEYS: ReadonlySet<unknown> = new Set([
  ...["body", "frame", "at", "rotation", "quaternion", "matrix"],
  ...["hinge", "factor"],
  ...["kind", "size", "radius", "length", "file", "scale", "colour"],
  ...Object.keys(NO_MOTION),
]);
