/**
 * Loads a scenario from the text of its file: fills in defaults and reports all problems at once, each with its line. Runs in a browser
 * too: the model that a scenario names is read through the `files` of the caller.
 */

import { checkList, checkMembers, checkOptions, checkText } from "../arguments.ts";
import { type Fields, isFields, readFields } from "../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { pathSegments, readDocument, type SourceDocument } from "../formats/document.ts";
import { type FileKind, kindOfKeys } from "../formats/file-kind.ts";
import { readModelData } from "../formats/model-file.ts";
import { readModelDocument } from "../formats/model-formats.ts";
import type { ImportOptions } from "../formats/robot/imported-model.ts";
import { contentKey, LruCache } from "../kernel/run/program-cache.ts";
import { deepFreeze } from "../model/build/create-model.ts";
import { UNKNOWN_MODEL } from "../model/build/read-model.ts";
import type { ModelDescription } from "../model/description.ts";
import { SCENARIO } from "./declaration.ts";
import { findModelFile, findStateFile, NO_FILES, pathProblem, type ScenarioFiles } from "./files.ts";
import { withImportedParts } from "./imported-parts.ts";
import { withComparedFiles } from "./measured/histories.ts";
import { applyOverrides, type Override, overridesOfFiles, resolvePath } from "./override.ts";
import { withCollisions } from "./read/files/collision-shapes.ts";
import { withMeshFiles } from "./read/files/mesh-files.ts";
import { withTableFiles } from "./read/files/table-files.ts";
import { type LoadedModel, readScenario } from "./read/read-scenario.ts";
import { checkScenario, type Scenario } from "./scenario.ts";

export interface LoadOptions {
  /** Access to model files. Default: none, the scenario must contain its model. */
  readonly files?: ScenarioFiles;
  /** Changes that are made before the scenario is checked. */
  readonly overrides?: readonly Override[];
}

/**
 * LRU caches: the same scenario is read again after every change of an option. The cached model is the same object, so the programs that
 * were traced for it are reused.
 */
const documentCache = new LruCache<SourceDocument>(8);
const modelCache = new LruCache<LoadedModel>(4);
const LARGEST_CACHED_TEXT = 1_048_576;

function cachedDocument(text: string, source: string, read = readDocument): SourceDocument {
  return documentCache.get(text.length > LARGEST_CACHED_TEXT ? undefined : `${source}\n${text}`, () => {
    const document = read(text, source);
    deepFreeze(document.data);
    return document;
  });
}

/** Loads a scenario from text. @throws ModelError with every problem of the text and of the model that it names. */
export function loadScenario(text: string, source = "scenario", options: LoadOptions = {}): Scenario {
  checkLoadArguments(text, source, options);
  const { files = NO_FILES, overrides = [] } = options;
  const document = cachedDocument(text, source);
  const problems: Problem[] = [...document.problems];
  const kind = fileKindOfData(document.data);
  if (kind === "model") throw document.error([...problems, { path: "bodies", ...NOT_A_SCENARIO }]);
  const other = kind && OTHER_KINDS[kind];
  if (other !== undefined) throw document.error([{ path: "", ...other }]);
  // Changes of the whole model or state may name files. The other changes are made in what these files contain, and in what the files of tables,
  // meshes and measurements contain.
  const isOf = (key: string, { path }: Override): boolean => pathSegments(path).length === 1 && pathSegments(path)[0] === key;
  const fileOverrides = overrides.filter((override) => isOf("model", override) || isOf("state", override));
  const fileData = applyOverrides(document.data, fileOverrides, problems);
  const isChosen = (key: string): boolean => fileOverrides.some((override) => isOf(key, override));
  const modelFile = readModelFile(fileData, isChosen("model"), files, problems);
  const stateFile = readStateFile(fileData, isChosen("state"), files, problems);
  const dataOfFiles = {
    ...(modelFile && { model: modelFile.document.data }),
    ...(stateFile && { state: startOf(stateFile) }),
  };
  const ownData = modelFile || stateFile ? { ...(fileData as Fields), ...dataOfFiles } : fileData;
  const dataWithFiles = modelFile?.document.imported
    ? withImportedParts(ownData as Fields, modelFile.document.imported)
    : ownData;
  const otherOverrides = overrides.filter((override) => !fileOverrides.includes(override));
  const ofFiles = overridesOfFiles(dataWithFiles, otherOverrides);
  const ofData = otherOverrides.filter((override) => !ofFiles.includes(override));
  const changedData = applyOverrides(dataWithFiles, ofData, problems);
  const withTables = withTableFiles(changedData, files, problems);
  const fromRobot = new Set<unknown>();
  const withRobotShapes = withCollisions(withTables, modelFile?.document.imported, fromRobot, problems);
  const meshWarnings: Problem[] = [];
  const withMeshes = withMeshFiles(withRobotShapes, files, problems, meshWarnings, fromRobot);
  const data = applyOverrides(withComparedFiles(withMeshes, files, problems), ofFiles, problems);

  const resolvedOverrides = overrides.map(({ path, from }) => ({ path: resolvePath(data, path) ?? path, from }));
  const locate = problemLocator(document, { model: modelFile, state: stateFile }, resolvedOverrides);
  const problemCount = problems.length;
  const fields = readFields(data, "", Object.keys(SCENARIO), problems);
  const scenario = fields && readScenario(fields, readModel(fields.model, locate, problems), files.maps, problems);
  if (scenario !== undefined && problems.length === 0)
    return {
      ...scenario,
      warnings: [...importWarnings(modelFile), ...meshWarnings, ...scenario.warnings, ...unusedLoads(stateFile)].map(locate),
    };
  // Drops follow-up problems at paths already reported.
  const reportedPaths = new Set(problems.slice(0, problemCount).map((p) => p.path));
  throw orderedModelError(source, problems.filter((p, i) => i < problemCount || !reportedPaths.has(p.path)).map(locate));
}

/** Checks the arguments of functions that read a scenario. @throws ArgumentError */
export function checkLoadArguments(text: unknown, source: unknown, options: LoadOptions): void {
  checkText("text", text, "the contents of a scenario file");
  checkText("source", source, "a name for messages");
  checkOptions("options", options, ["files", "overrides"]);
  const { files, overrides } = options;
  const members = ["readBeside", "readChosen", "builtIns", "readBuiltIn"];
  if (files !== undefined) checkMembers("options.files", files, members, `an object with ${members.join(", ")}`);
  if (overrides === undefined) return;
  checkList("options.overrides", overrides, "changes, as parseOverride returns them");
  for (const [i, override] of overrides.entries())
    checkMembers(`options.overrides[${i}]`, override, ["path"], "a change, as parseOverride returns it");
}

const NOT_A_SCENARIO = {
  message: "this is a model file, not a scenario: it has no duration and no initial state",
  advice: "Write a scenario file with `model: arm.yaml` and `duration: 10`, or open the model in the studio",
} as const;

const OTHER_KINDS: Partial<Record<FileKind, Pick<Problem, "message" | "advice">>> = {
  "saved run": {
    message: "this is a saved run, not a scenario",
    advice: "Continue it with: castor run --from FILE, or in code with openSavedRun",
  },
  log: { message: "this is a log, not a scenario", advice: "Open it with castor studio, or read it with parseJsonLog" },
  summary: {
    message: "this is the summary of a run, not a scenario",
    advice: "scenario.yaml in the same folder repeats the run",
  },
  state: { message: "this is a state file, not a scenario", advice: "Name it in a scenario: state: start.yaml" },
  campaign: { message: "this is a campaign, not a scenario", advice: "Run it with: castor campaign FILE" },
};

const fileKindOfData = (data: unknown): FileKind | undefined =>
  typeof data === "object" && data !== null ? kindOfKeys(Object.keys(data)) : undefined;

/** A file that a scenario names. */
interface NamedFile {
  readonly source: string;
  readonly document: SourceDocument;
}

/** Warnings of the reader of a robot file. */
const importWarnings = (file: NamedFile | undefined): readonly Problem[] =>
  (file?.document.warnings ?? []).map((warning) => ({ ...warning, file: file!.source }));

/** Reads the file that `model` names. Returns undefined if `model` is not a name, or after a problem. */
const readModelFile = (data: unknown, chosenByUser: boolean, files: ScenarioFiles, problems: Problem[]): NamedFile | undefined =>
  readNamedFile(data, "model", problems, (name) => {
    const file = findModelFile(name, "model", chosenByUser, files, problems);
    const options = files.importOptions && optionsInFolder(files.importOptions, name);
    return file && { source: file.source, document: wellFormedModel(file.text, file.source, options) };
  });

/** Files that a robot file names are relative to its own folder, if that is below the folder of the scenario; or to the given folders. */
function optionsInFolder(options: ImportOptions, name: string): ImportOptions {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  if (folder === "" || pathProblem(name) !== undefined) return options;
  const { findMesh, readInclude } = options;
  const isRelative = (path: string): boolean => !/^([\\/]|[a-z][a-z\d+.-]*:)/i.test(path);
  return {
    ...options,
    ...(findMesh && { findMesh: (path) => (isRelative(path) ? findMesh(folder + path) : undefined) ?? findMesh(path) }),
    ...(readInclude && { readInclude: (path) => readInclude(isRelative(path) ? folder + path : path) }),
  };
}

/** Reads the file that `state` names. Returns undefined if `state` is not a name, or after a problem. */
const readStateFile = (data: unknown, chosenByUser: boolean, files: ScenarioFiles, problems: Problem[]): NamedFile | undefined =>
  readNamedFile(data, "state", problems, (name) => {
    const file = findStateFile(name, chosenByUser, files, problems);
    const document = file && cachedDocument(file.text, file.source);
    if (document && document.problems.length > 0) throw document.error(document.problems);
    return file && document && { source: file.source, document };
  });

function readNamedFile(
  data: unknown,
  key: "model" | "state",
  problems: Problem[],
  read: (name: string) => NamedFile | undefined,
): NamedFile | undefined {
  const name = typeof data === "object" && data !== null ? (data as Fields)[key] : undefined;
  if (typeof name !== "string") return undefined;
  try {
    return read(name);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // Syntax errors have a line in the file. If the file cannot be read, the problem is reported at the key.
    for (const p of error.problems)
      problems.push(p.line === undefined ? { ...p, path: key, value: valueText(name) } : { ...p, file: error.source });
    return undefined;
  }
}

const LOADS_OF_STATES = ["tau", "wrenches"] as const;

/** The state of a state file, without its loads. */
const startOf = ({ document: { data } }: NamedFile): unknown =>
  isFields(data)
    ? Object.fromEntries(Object.entries(data).filter(([key]) => !LOADS_OF_STATES.includes(key as never)))
    : (data ?? {});

/** Warnings about loads of a state file: those of a run are its forces. */
const unusedLoads = (file: NamedFile | undefined): readonly Problem[] =>
  LOADS_OF_STATES.filter((key) => isFields(file?.document.data) && file.document.data[key] !== undefined).map((key) => ({
    path: `state.${key}`,
    message: "is not used: the loads of a run are its forces",
    advice: "Write them in forces: constant-wrench, or actuator",
  }));

function wellFormedModel(text: string, source: string, options: ScenarioFiles["importOptions"]): SourceDocument {
  const document =
    options === undefined ? cachedDocument(text, source, readModelDocument) : readModelDocument(text, source, options);
  if (document.problems.length > 0) throw document.error(document.problems);
  return document;
}

/** Builds the model from plain data. Problems and warnings get their location. */
function readModel(data: unknown, locate: (problem: Problem) => Problem, problems: Problem[]): LoadedModel {
  const description = data as ModelDescription;
  const unknown: LoadedModel = { description, outline: UNKNOWN_MODEL };
  if (typeof data === "string") return unknown; // the named file could not be read; the problem is already reported
  if (data === undefined) {
    problems.push({
      path: "model",
      message: "is missing",
      advice: "Give a file name, the name of a built-in model, or the model itself",
    });
    return unknown;
  }
  const inScenario = (p: Problem): Problem => ({ ...p, path: prefixPath("model", p.path) });
  const { model, problems: modelProblems, outline } = readModelData(data);
  problems.push(...modelProblems.map(inScenario));
  if (model === undefined) return { description, outline };
  const warnings = model.warnings.map((w) => locate(inScenario(w)));
  return modelCache.get(contentKey([data, warnings]), () => ({
    model: deepFreeze({ ...model, warnings }),
    description,
    outline,
  }));
}

const prefixPath = (parent: string, path: string): string =>
  path === "" ? parent : path.startsWith("[") ? parent + path : `${parent}.${path}`;

/** Problems whose cause may be an option: a missing step is caused by the choice of the integrator. */
const CAUSES: Readonly<Record<string, string>> = { "integrator.step": "integrator.name" };

/** Returns a function that adds the location to a problem: a command-line option, a line of a file that the scenario names, or a line of the scenario. */
function problemLocator(
  document: SourceDocument,
  files: Readonly<Record<"model" | "state", NamedFile | undefined>>,
  overrides: readonly { readonly path: string; readonly from: string }[],
): (problem: Problem) => Problem {
  const isWithin = (path: string, prefix: string): boolean =>
    path === prefix || (path.startsWith(prefix) && (path[prefix.length] === "." || path[prefix.length] === "["));
  return (problem) => {
    if (problem.file !== undefined || problem.line !== undefined) return problem;
    const override = overrides.findLast(({ path }) => isWithin(problem.path, path) || path === CAUSES[problem.path]);
    if (override !== undefined) return { ...problem, file: override.from };
    for (const [key, file] of Object.entries(files)) {
      if (file === undefined || !isWithin(problem.path, key) || problem.path === key) continue;
      const path = problem.path.slice(key.length).replace(/^\./, "");
      return { ...file.document.locate({ ...problem, path }), file: file.source };
    }
    return document.locate(problem);
  };
}

/** Sorts problems: first those of the scenario file by line and column, then those of other files and options. */
function orderedModelError(source: string, problems: readonly Problem[]): ModelError {
  const inScenario = problems.filter((p) => p.file === undefined);
  const line = (p: Problem): number => p.line ?? 0;
  return new ModelError(source, [
    ...inScenario.sort((a, b) => line(a) - line(b) || (a.column ?? 0) - (b.column ?? 0)),
    ...problems.filter((p) => p.file !== undefined),
  ]);
}

/** The scenario as plain data that contains its model. `loadScenario` reads the same scenario from it. */
export function describeScenario(scenario: Scenario): Readonly<Record<string, unknown>> {
  checkScenario(scenario);
  return scenario.document;
}
