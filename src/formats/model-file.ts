/** Castor's model files, in YAML or JSON: the description of a model, with units where wanted. */
import { Document, isCollection, isMap, isScalar, isSeq, type Node, visit } from "yaml";
import { createModel, deepFreeze } from "../model/create.ts";
import { describeModel } from "../model/describe.ts";
import type { ModelDescription } from "../model/description.ts";
import { ModelError, type Problem } from "../model/errors.ts";
import type { Model } from "../model/model.ts";
import { FORMAT_VERSION, readDocument } from "./document.ts";
import { inSI } from "./quantity.ts";

/** @throws ModelError with every problem of the text, each with its line. */
export function parseModel(text: string, source = "model"): Model {
  const document = readDocument(text, source);
  const { model, problems } = readModelData(document.data, document.problems);
  if (model === undefined) throw document.error(problems);
  return deepFreeze({ ...model, warnings: model.warnings.map(document.locate) });
}

/** Model and description are there if there are no problems. */
export interface ModelData {
  readonly model?: Model;
  /** What the model was made of, in SI units. */
  readonly description?: ModelDescription;
  readonly problems: readonly Problem[];
}

/** The model of the data of a model file, or what is wrong with them; one problem for each place is enough. */
export function readModelData(data: unknown, noted: readonly Problem[] = []): ModelData {
  const problems: Problem[] = [...noted];
  const description = inSI(data, problems);
  const { model, problems: found } = tryCreate(description as ModelDescription);
  const known = new Set(problems.map((p) => p.path));
  problems.push(...found.filter((p) => !known.has(p.path)));
  return model === undefined || problems.length > 0
    ? { problems }
    : { model, description: description as ModelDescription, problems };
}

function tryCreate(description: ModelDescription): { readonly model?: Model; readonly problems: readonly Problem[] } {
  try {
    return { model: createModel(description), problems: [] };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { problems: error.problems };
  }
}

/** The model as a YAML file. Numbers are written with all their digits: reading it gives the same model. */
export function formatModel(model: Model): string {
  const document = new Document({ castor: FORMAT_VERSION, ...describeModel(model) });
  visit(document, {
    Collection: (_, node) => {
      node.flow = isShort(node);
    },
  });
  return document.toString({ lineWidth: 130, flowCollectionPadding: false });
}

/** Vectors, matrices and placements read best on one line. */
function isShort(node: Node): boolean {
  if (isSeq(node)) return node.items.every((item) => isScalar(item) || (isSeq(item) && isShort(item)));
  if (!isMap(node)) return false;
  const keys = node.items.map(({ key }) => (isScalar(key) ? key.value : key));
  return (
    keys.length > 0 &&
    keys.every((key) => PLACEMENT_KEYS.has(key)) &&
    node.items.every(({ value }) => !isCollection(value) || isShort(value))
  );
}

const PLACEMENT_KEYS: ReadonlySet<unknown> = new Set(["at", "rotation", "quaternion", "matrix"]);
