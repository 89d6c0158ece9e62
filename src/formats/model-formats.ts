/**
 * Formats of model files besides Castor's own: URDF, MJCF and those that programs register. A format recognises a text, reads it into plain descriptions,
 * and may write one. A new format is one file with these functions, and one entry in FORMATS.
 */
import { checkList, checkMembers } from "../arguments.ts";
import { registerKind } from "../declare/register-kind.ts";
import { ArgumentError, ModelError, type Problem, valueText } from "../errors.ts";
import { readDocument, type SourceDocument } from "./document.ts";
import { mjcfFormat } from "./mjcf/mjcf-format.ts";
import type { ModelFormat } from "./model-format.ts";
import { featureWarning } from "./robot/import-notes.ts";
import type { ImportedModel, ImportOptions } from "./robot/imported-model.ts";
import { urdfFormat } from "./urdf/urdf-format.ts";
import { rootElementName, wrongXmlProblem } from "./xml/root-element.ts";

/** Endings of Castor's own model files. */
const OWN_EXTENSIONS: readonly string[] = [".yaml", ".yml", ".json"];

/** Formats that Castor has. */
const FORMATS: readonly ModelFormat[] = [urdfFormat, mjcfFormat];

const MODEL_FORMATS: Readonly<Record<string, ModelFormat>> = Object.fromEntries(FORMATS.map((format) => [format.name, format]));

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
    const owner = OWN_EXTENSIONS.includes(extension.toLowerCase()) ? "Castor's own files" : formatByName(`x${extension}`)?.name;
    if (owner !== undefined && owner !== format.name)
      throw new ArgumentError("format.extensions", `${extension} belongs to ${owner}. Choose another ending`);
  }
  return registerKind(MODEL_FORMATS, format, "file format");
}

export const formatNamed = (name: string): ModelFormat | undefined =>
  Object.hasOwn(MODEL_FORMATS, name) ? MODEL_FORMATS[name] : undefined;

/** Names of the formats that can be written. */
export const writableFormats = (): string[] =>
  Object.values(MODEL_FORMATS).flatMap(({ name, write }) => (write === undefined ? [] : [name]));

/** The format that a file of this name is written in; undefined for Castor's own files. */
export const formatByName = (source: string): ModelFormat | undefined =>
  Object.values(MODEL_FORMATS).find(({ extensions }) =>
    extensions.some((extension) => source.toLowerCase().endsWith(extension.toLowerCase())),
  );

/** The format of a text: that of its name, unless its content shows that it is another one. Undefined for Castor's own files. */
export function formatOf(text: string, source: string): ModelFormat | undefined {
  const named = formatByName(source);
  if (named !== undefined && (named.detect === undefined || named.detect(text))) return named;
  return Object.values(MODEL_FORMATS).find(({ detect }) => detect?.(text)) ?? named;
}

/** Endings of all files that can contain a model. */
export const modelExtensions = (): string[] => [
  ...OWN_EXTENSIONS,
  ...Object.values(MODEL_FORMATS).flatMap(({ extensions }) => extensions),
];

export const isModelFileName = (name: string): boolean =>
  modelExtensions().some((extension) => name.toLowerCase().endsWith(extension.toLowerCase()));

/** The format of a text. @throws ModelError for XML that no format reads */
export function checkedFormat(text: string, source: string): ModelFormat | undefined {
  const format = formatOf(text, source);
  const root = rootElementName(text);
  if (root !== undefined && (format === undefined || format.detect?.(text) === false))
    throw new ModelError(source, [wrongXmlProblem(root)]);
  return format;
}

/** The document of a model file, read by the format of its name or content. @throws ModelError if the text is not well formed. */
export function readModelDocument(text: string, source: string, options: ImportOptions = {}): SourceDocument {
  if (typeof text !== "string") return readDocument(text, source);
  const format = checkedFormat(text, source);
  if (format === undefined) return readDocument(text, source);
  const content = format.read(text, source, options);
  const imported = "bodies" in content ? undefined : content;
  return {
    data: imported?.model ?? content,
    problems: [],
    ...(imported && { imported, warnings: [...imported.warnings, ...imported.unsupported.map(featureWarning)] }),
    locate: (problem) => ({ ...problem, ...lineOf(problem.path, imported?.lines) }),
    error: (problems) => new ModelError(source, problems),
  };
}

/** The line of a path, or of the nearest path that contains it. */
function lineOf(path: string, lines: ImportedModel["lines"] | undefined): Pick<Problem, "line"> {
  for (let at = path; lines !== undefined && at !== ""; at = at.replace(/(\.[^.[\]]*|\[[^[\]]*\])$/, "")) {
    const line = lines.get(at);
    if (line !== undefined) return { line };
    if (!/(\.[^.[\]]*|\[[^[\]]*\])$/.test(at)) break;
  }
  return {};
}
