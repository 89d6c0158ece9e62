/** Formats of model files besides Castor's own: programs register a reader for the endings of its files. */
import { checkList, checkMembers } from "../arguments.ts";
import { registerKind } from "../declare/register-kind.ts";
import { ArgumentError, ModelError, valueText } from "../errors.ts";
import type { ModelDescription } from "../model/description.ts";
import { readDocument, type SourceDocument } from "./document.ts";

export interface ModelFormat {
  readonly name: string;
  /** One sentence for messages and documentation. */
  readonly about: string;
  /** Endings of file names, with the dot: [".urdf"]. */
  readonly extensions: readonly string[];
  /** The description of the model, in SI units. @throws ModelError with the problems of the text; `line` and `column` locate them. */
  read(text: string, source: string): ModelDescription;
}

/** Endings of Castor's own model files. */
const OWN_EXTENSIONS: readonly string[] = [".yaml", ".yml", ".json"];

const MODEL_FORMATS: Readonly<Record<string, ModelFormat>> = {};

/**
 * Adds a format of model files. `parseModel` and the key `model` of a scenario then read files with its endings.
 * @throws ArgumentError if the name or an ending is taken
 */
export function registerFormat(format: ModelFormat): ModelFormat {
  checkMembers("format", format, ["extensions", "read"], "a format with name, extensions and the function read(text, source)");
  checkList("format.extensions", format.extensions, 'endings, such as ".urdf"');
  for (const extension of format.extensions) {
    if (typeof extension !== "string" || !/^\.[^./\\]+$/.test(extension))
      throw new ArgumentError("format.extensions", `must be endings with a dot, such as ".urdf", got ${valueText(extension)}`);
    const owner = OWN_EXTENSIONS.includes(extension.toLowerCase()) ? "Castor's own files" : formatOf(`x${extension}`)?.name;
    if (owner !== undefined && owner !== format.name)
      throw new ArgumentError("format.extensions", `${extension} belongs to ${owner}. Choose another ending`);
  }
  return registerKind(MODEL_FORMATS, format, "file format");
}

const formatOf = (source: string): ModelFormat | undefined =>
  Object.values(MODEL_FORMATS).find(({ extensions }) =>
    extensions.some((extension) => source.toLowerCase().endsWith(extension.toLowerCase())),
  );

/** Endings of all files that can contain a model. */
export const modelExtensions = (): string[] => [
  ...OWN_EXTENSIONS,
  ...Object.values(MODEL_FORMATS).flatMap(({ extensions }) => extensions),
];

export const isModelFileName = (name: string): boolean =>
  modelExtensions().some((extension) => name.toLowerCase().endsWith(extension.toLowerCase()));

/** The document of a model file, read by the format of its name. @throws ModelError if the text is not well formed. */
export function readModelDocument(text: string, source: string): SourceDocument {
  const format = formatOf(source);
  if (format === undefined) return readDocument(text, source);
  return {
    data: format.read(text, source),
    problems: [],
    locate: (problem) => problem,
    error: (problems) => new ModelError(source, problems),
  };
}
