/** Loads a campaign from the text of its file, and reports all problems at once, each with its line. */
import { checkMembers, checkOptions, checkText } from "../arguments.ts";
import type { ParameterValues } from "../declare/parameters.ts";
import { NO_NAMES, readValue } from "../declare/parse-parameters.ts";
import { childPath, type Fields } from "../declare/plain-data.ts";
import { readQuantityInUnit } from "../declare/units.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { readDocument, type SourceDocument } from "../formats/document.ts";
import type { ScenarioFiles } from "../scenario/files.ts";
import { describeScenario, loadScenario } from "../scenario/load.ts";
import { withMaps } from "../scenario/open.ts";
import { applyOverrides, type Override, parseOverride } from "../scenario/override.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { VERSION } from "../version.ts";
import type { Campaign, CampaignScenario, Dispersion } from "./campaign.ts";
import { drawnCase } from "./cases.ts";
import { CAMPAIGN } from "./declaration.ts";
import { DESIGNS } from "./designs/index.ts";
import type { Design } from "./designs/kind.ts";
import { type CorrelatedDispersion, readCorrelations } from "./dispersions/correlation.ts";
import type { Column } from "./dispersions/kind.ts";
import { readHistories } from "./histories/histories.ts";
import { readDispersions } from "./read-dispersions.ts";
import { readMeasures, readSuccess } from "./read-measures.ts";

/** Access to the files that a campaign names. */
export interface CampaignFiles {
  /** The scenario with a name: a file next to the campaign, or a built-in scenario. @throws ModelError if there is none */
  scenario(name: string): CampaignScenario;
  /** Text of a file next to the campaign, such as a list of cases. @throws ModelError */
  readText(path: string): string;
}

export interface CampaignOptions {
  readonly files: CampaignFiles;
  /** Changes of the campaign file, before it is checked: `seed`, `design.cases`. */
  readonly overrides?: readonly Override[];
}

type CampaignValues = ParameterValues<typeof CAMPAIGN>;

/** Columns of the table that every campaign has. */
export const FIXED_COLUMNS: readonly string[] = ["case", "status", "reason", "seconds", "host"];

/** Loads a campaign from text. @throws ModelError with every problem of the text, of the scenario, and of the middle case. */
export async function openCampaign(text: string, source: string, options: CampaignOptions): Promise<Campaign> {
  checkText("text", text, "the contents of a campaign file");
  checkText("source", source, "a name for messages");
  checkOptions("options", options, ["files", "overrides"]);
  checkMembers("options.files", options.files, ["scenario", "readText"], "an object with scenario and readText");
  const document = readDocument(text, source);
  const problems: Problem[] = [...document.problems];
  const data = applyOverrides(document.data, options.overrides ?? [], problems);
  const values = readCampaignValues(data, problems);
  if (values?.scenario === undefined) throw document.error(problems);
  const base = await loadBase(values, options.files, document, problems);
  if (base === undefined) throw document.error(problems);
  const dispersions = readDispersions((values.dispersions ?? {}) as never, base.scenario, problems);
  const design = createDesign(values, dispersions, options.files, problems);
  const known = dispersions.map(({ name }) => name);
  const refused = Object.keys(values.dispersions ?? {}).filter((name) => !known.includes(name));
  const correlations = readCorrelations((values.correlations ?? []) as never, dispersions.map(correlated), refused, problems);
  if (design?.kind === "grid" && correlations.length > 0)
    problems.push({
      path: "correlations",
      message: "a grid has no correlations",
      advice: "Leave them out, or use another design",
    });
  checkStop(values, design, problems);
  if (problems.length > 0 || design === undefined) throw document.error(problems);
  const drawn = { design, dispersions, scenario: { ...base.source, overrides: base.overrides } };
  const middle = middleScenario(drawn, source);
  const inputs = [...(design.listed?.columns ?? []), ...dispersions.flatMap(inputColumns)];
  checkColumns(inputs, values, problems);
  const measures = readMeasures((values.measures ?? {}) as never, inputs, middle, problems);
  const taken = [...FIXED_COLUMNS, ...inputs.map(({ name }) => name), ...Object.keys((values.measures ?? {}) as object)];
  const histories = readHistories(values.histories as never, middle, taken, problems);
  const success = readSuccess(values.success ?? [], fieldsOf(data).success, inputs, measures, problems);
  if (problems.length > 0) throw document.error(problems);
  return {
    name: values.name ?? base.scenario.name,
    about: values.about,
    seed: values.seed,
    cases: design.cases,
    correlations,
    inputs,
    measures,
    ...(histories && { histories }),
    success,
    ...(values.require && { require: values.require }),
    ...(values.stop && { stop: values.stop }),
    keep: values.keep ?? { logs: [], cases: [], most: 20 },
    limit: values.limit,
    chunk: values.chunk,
    ...drawn,
    definition: {
      castor: VERSION,
      campaign: definingValues(data),
      scenario: describeScenario(base.scenario),
      files: base.digests(),
      ...(design.kind === "list" && { list: Array.from({ length: design.cases }, (_, i) => design.listed!.case(i).cells) }),
    },
  };
}

const fieldsOf = (data: unknown): Fields => (typeof data === "object" && data !== null ? (data as Fields) : {});

const correlated = ({ name, start, drawing }: Dispersion): CorrelatedDispersion => ({
  name,
  start,
  dimensions: drawing.dimensions,
});

const inputColumns = ({ name, drawing }: Dispersion): readonly Column[] =>
  drawing.columns.map(({ suffix, type, unit }) => ({ name: `${name}${suffix}`, type, unit }));

/** The data of the file without keys that do not change results: titles, kept runs, requirements, sizes of chunks. */
function definingValues(data: unknown): Fields {
  const { name, about, keep, require, chunk, ...rest } = fieldsOf(data);
  return rest;
}

function readCampaignValues(data: unknown, problems: Problem[]): Partial<CampaignValues> & CampaignValues {
  const root = { type: "object", about: "A campaign.", of: CAMPAIGN } as const;
  return readValue(root, data ?? {}, NO_NAMES, problems, { quantity: readQuantityInUnit }) as CampaignValues;
}

interface Base {
  readonly source: CampaignScenario;
  readonly overrides: readonly Override[];
  readonly scenario: Scenario;
  /** Sizes and hashes of binary files that the scenario has read. */
  digests(): Readonly<Record<string, string>>;
}

/** The scenario of the campaign with the changes of `set`. */
async function loadBase(
  { scenario: name, set = [] }: CampaignValues,
  files: CampaignFiles,
  document: SourceDocument,
  problems: Problem[],
): Promise<Base | undefined> {
  const overrides = set.flatMap((text, i) => {
    try {
      return text === undefined ? [] : [parseOverride(text, `set: ${text}`)];
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      problems.push(...error.problems.map((p) => ({ ...p, path: childPath("set", i) })));
      return [];
    }
  });
  let found: CampaignScenario;
  try {
    found = files.scenario(name);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    problems.push(...error.problems.map((p) => ({ ...p, path: "scenario", value: valueText(name) })));
    return undefined;
  }
  if (problems.length > 0) throw document.error(problems);
  const digests = new Map<string, string>();
  const recording = found.files.readBytes && {
    readBytes(path: string): Uint8Array {
      const bytes = found.files.readBytes!(path);
      digests.set(path, byteDigest(bytes));
      return bytes;
    },
  };
  const { text, source } = found;
  const withBytes = { ...readOnce(found.files), ...recording };
  const allFiles = await withMaps(text, source, { files: withBytes, overrides });
  const scenario = loadScenario(text, source, { files: allFiles, overrides });
  return { source: { text, source, files: allFiles }, overrides, scenario, digests: () => Object.fromEntries(digests) };
}

/** Reads each text file once: all cases see the same files, also if someone changes them. */
function readOnce(files: ScenarioFiles): ScenarioFiles {
  const once = <T>(read: (name: string) => T): ((name: string) => T) => {
    const known = new Map<string, T>();
    return (name) => {
      if (!known.has(name)) known.set(name, read(name));
      return known.get(name)!;
    };
  };
  return {
    ...files,
    readBeside: once((path) => files.readBeside(path)),
    readChosen: once((path) => files.readChosen(path)),
    readBuiltIn: once((name) => files.readBuiltIn(name)),
  };
}

/** Size and a hash of 52 bits. */
function byteDigest(bytes: Uint8Array): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b) + a;
  }
  return `${bytes.length}-${(a >>> 0).toString(16)}-${(b >>> 0).toString(16)}`;
}

function createDesign(
  { design: written, seed }: CampaignValues,
  dispersions: readonly Dispersion[],
  files: CampaignFiles,
  problems: Problem[],
): Design | undefined {
  const fields = fieldsOf(written);
  const kind = DESIGNS[fields.kind as string];
  if (kind === undefined || seed === undefined) return undefined;
  const before = problems.length;
  const blocks = dispersions.map(({ name, start, drawing }) => ({
    name,
    start,
    dimensions: drawing.dimensions,
    ...(drawing.levels && { levels: drawing.levels }),
  }));
  const problem = (key: string, message: string, advice?: string): void =>
    void problems.push({
      path: childPath("design", key),
      message,
      value: valueText(fields[key]),
      ...(advice !== undefined && { advice }),
    });
  if (Object.keys(kind.parameters).some((key) => fields[key] === undefined)) return undefined; // reported already
  const design = kind.create(fields as never, { seed, blocks, readText: (path) => files.readText(path), problem });
  if (design !== undefined && dispersions.length === 0 && design.listed === undefined)
    problem("kind", "there is nothing to disperse", "Add dispersions, or cases from a list");
  return problems.length > before ? undefined : design;
}

function checkStop({ stop, success = [] }: CampaignValues, design: Design | undefined, problems: Problem[]): void {
  if (stop === undefined || design === undefined) return;
  if (!design.canStop)
    problems.push({
      path: "stop",
      message: `a ${design.kind} design cannot stop early`,
      advice: "Use monte-carlo or sobol, or leave out stop",
    });
  if (success.length === 0)
    problems.push({ path: "stop", message: "needs a criterion of success", advice: 'Add success, for example ["peak < 3900"]' });
}

/** The scenario of the case in the middle of all distributions. It must be valid: other cases are judged one by one. */
function middleScenario(campaign: Pick<Campaign, "design" | "dispersions" | "scenario">, source: string): Scenario {
  const u = new Float64Array(campaign.dispersions.reduce((sum, { drawing }) => sum + drawing.dimensions, 0)).fill(0.5);
  const { overrides } = drawnCase(campaign, 0, u);
  const { text, source: scenarioSource, files } = campaign.scenario;
  try {
    return loadScenario(text, scenarioSource, { files, overrides });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ModelError(
      source,
      error.problems.map((p) => ({ ...p, file: p.file ?? scenarioSource, message: `in the middle case: ${p.message}` })),
      { cause: error },
    );
  }
}

function checkColumns(inputs: readonly Column[], { measures = {} }: CampaignValues, problems: Problem[]): void {
  const taken = new Set([...FIXED_COLUMNS, ...inputs.map(({ name }) => name)]);
  for (const name of Object.keys(measures as object))
    if (taken.has(name))
      problems.push({
        path: childPath("measures", name),
        message: "the name is taken by a column or an input",
        value: valueText(name),
      });
  for (const { name } of inputs)
    if (FIXED_COLUMNS.includes(name))
      problems.push({ path: childPath("dispersions", name), message: "the name is taken by a column", value: valueText(name) });
  if (Object.keys(measures as object).length === 0)
    problems.push({
      path: "measures",
      message: "must have at least one measure",
      advice: "For example end: { kind: final, of: t }",
    });
}
