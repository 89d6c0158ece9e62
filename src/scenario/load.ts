/**
 * From the text of a scenario file to a scenario: completed and checked, with every problem at once, each with its line. Runs in a
 * browser too: the model that a scenario names comes from the `files` that the caller gives.
 */

import { type Fields, readFields } from "../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { pathSegments, readDocument, type SourceDocument } from "../formats/document.ts";
import { type FileKind, kindOfKeys } from "../formats/file-kind.ts";
import { readModelData } from "../formats/model-file.ts";
import { contentKey, LruCache } from "../kernel/run/program-cache.ts";
import { deepFreeze } from "../model/build/create-model.ts";
import { findModelFile, NO_FILES, type ScenarioFiles } from "./files.ts";
import { applyOverrides, type Override, resolvePath } from "./override.ts";
import { type LoadedModel, readScenario, SCENARIO_KEYS } from "./read/read-scenario.ts";
import type { Scenario } from "./scenario.ts";

export interface LoadOptions {
  /** Where named models come from; nowhere if not given. */
  readonly files?: ScenarioFiles;
  /** Changes to make before the scenario is checked. */
  readonly overrides?: readonly Override[];
}

/**
 * What was read last: a scenario is read again whenever it is changed by options. A model that is read again is the same object, and what
 * was traced of it is there.
 */
const documentCache = new LruCache<SourceDocument>(8);
const modelCache = new LruCache<LoadedModel>(4);
const LARGEST_CACHED_TEXT = 2 ** 20;

function cachedDocument(text: string, source: string): SourceDocument {
  return documentCache.get(text.length > LARGEST_CACHED_TEXT ? undefined : `${source}\n${text}`, () => {
    const document = readDocument(text, source);
    deepFreeze(document.data);
    return document;
  });
}

/** @throws ModelError with every problem of the text and of the model that it names. */
export function loadScenario(text: string, source = "scenario", options: LoadOptions = {}): Scenario {
  const { files = NO_FILES, overrides = [] } = options;
  const document = cachedDocument(text, source);
  const problems: Problem[] = [...document.problems];
  if (fileKindOfData(document.data) === "model") throw document.error([...problems, { path: "bodies", ...NOT_A_SCENARIO }]);
  const chosen = overrides.filter(({ path }) => pathSegments(path).length === 1 && pathSegments(path)[0] === "model");
  const written = applyOverrides(document.data, chosen, problems);
  const modelFile = readModelFile(written, chosen.length > 0, files, problems);
  const whole = modelFile ? { ...(written as Fields), model: modelFile.document.data } : written;
  const others = overrides.filter((override) => !chosen.includes(override));
  const data = applyOverrides(whole, others, problems);

  const settled = overrides.map(({ path, from }) => ({ path: resolvePath(data, path) ?? path, from }));
  const place = problemLocator(document, modelFile, settled);
  const noted = problems.length;
  const fields = readFields(data, "", SCENARIO_KEYS, problems);
  const model = fields && readModel(fields.model, place, problems);
  const scenario = fields && readScenario(fields, model, files.maps, problems);
  if (scenario !== undefined && problems.length === 0) return { ...scenario, warnings: scenario.warnings.map(place) };
  // What is wrong already need not be found wrong again.
  const known = new Set(problems.slice(0, noted).map((p) => p.path));
  throw orderedModelError(source, problems.filter((p, i) => i < noted || !known.has(p.path)).map(place));
}

const NOT_A_SCENARIO = {
  message: "this is a model, and no scenario: nothing says how long it shall move, nor from where",
  advice:
    "Write a scenario that names it, as in `model: arm.yaml` and `duration: 10`; or look at it in the studio, where a model moves by itself",
} as const;

const fileKindOfData = (data: unknown): FileKind | undefined =>
  typeof data === "object" && data !== null ? kindOfKeys(Object.keys(data)) : undefined;

interface ModelFile {
  readonly source: string;
  readonly document: SourceDocument;
}

/** The file that `model` names, if it names one. */
function readModelFile(data: unknown, chosenByUser: boolean, files: ScenarioFiles, problems: Problem[]): ModelFile | undefined {
  const name = typeof data === "object" && data !== null ? (data as Fields).model : undefined;
  if (typeof name !== "string") return undefined;
  try {
    const named = findModelFile(name, "model", chosenByUser, files, problems);
    return named && { source: named.source, document: readModelDocument(named.text, named.source) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // A fault of the file's own text has a line; that it cannot be read is said where it is named.
    for (const p of error.problems)
      problems.push(p.line === undefined ? { ...p, path: "model", value: valueText(name) } : { ...p, file: error.source });
    return undefined;
  }
}

function readModelDocument(text: string, source: string): SourceDocument {
  const document = cachedDocument(text, source);
  if (document.problems.length > 0) throw document.error(document.problems);
  return document;
}

/** The model of the data, its problems and warnings with the place where they are. */
function readModel(data: unknown, place: (problem: Problem) => Problem, problems: Problem[]): LoadedModel | undefined {
  if (typeof data === "string") return undefined; // the file that it names could not be read, which is noted
  if (data === undefined) {
    problems.push({ path: "model", message: "is missing", advice: "Give a file, a built-in model, or a model itself" });
    return undefined;
  }
  const inScenario = (p: Problem): Problem => ({ ...p, path: prefixPath("model", p.path) });
  const { model, description, problems: found } = readModelData(data);
  problems.push(...found.map(inScenario));
  if (model === undefined || description === undefined) return undefined;
  const warnings = model.warnings.map((w) => place(inScenario(w)));
  return modelCache.get(contentKey([data, warnings]), () => ({ model: deepFreeze({ ...model, warnings }), description }));
}

const prefixPath = (parent: string, path: string): string =>
  path === "" ? parent : path.startsWith("[") ? parent + path : `${parent}.${path}`;

/** Gives a problem its place: an option of the command line, a line of the model's file, or a line of the scenario. */
function problemLocator(
  document: SourceDocument,
  modelFile: ModelFile | undefined,
  overrides: readonly { readonly path: string; readonly from: string }[],
): (problem: Problem) => Problem {
  const isAt = (path: string, place: string): boolean =>
    path === place || (path.startsWith(place) && (path[place.length] === "." || path[place.length] === "["));
  return (problem) => {
    if (problem.file !== undefined || problem.line !== undefined) return problem;
    const override = overrides.findLast(({ path }) => isAt(problem.path, path));
    if (override !== undefined) return { ...problem, file: override.from };
    if (modelFile === undefined || !isAt(problem.path, "model") || problem.path === "model") return document.locate(problem);
    const path = problem.path.slice("model".length).replace(/^\./, "");
    return { ...modelFile.document.locate({ ...problem, path }), file: modelFile.source };
  };
}

/** Problems of the scenario in the order of its text, then those of other places. */
function orderedModelError(source: string, problems: readonly Problem[]): ModelError {
  const own = problems.filter((p) => p.file === undefined);
  const line = (p: Problem): number => p.line ?? 0;
  return new ModelError(source, [
    ...own.sort((a, b) => line(a) - line(b) || (a.column ?? 0) - (b.column ?? 0)),
    ...problems.filter((p) => p.file !== undefined),
  ]);
}

/** The scenario as plain data, with its model in it: what `loadScenario` reads again to the same scenario. */
export const describeScenario = (scenario: Scenario): Readonly<Record<string, unknown>> => scenario.document;
