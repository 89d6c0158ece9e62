/**
 * Files of saved runs: the scenario with its model and maps, the run, the version, and a hash. A file continues the run bit for bit, or branches
 * from it with changed values.
 */
import { FormatError, ModelError, type Problem, valueText } from "../errors.ts";
import { decodePlainData, encodePlainData } from "../formats/plain-data-json.ts";
import { contentKey } from "../kernel/run/program-cache.ts";
import type { SavedRun } from "../sim/run/saved-run.ts";
import { VERSION } from "../version.ts";
import { NO_FILES, type ScenarioFiles } from "./files.ts";
import { openScenario } from "./open.ts";
import type { Override } from "./override.ts";
import type { ScenarioRun } from "./run.ts";
import type { Scenario } from "./scenario.ts";

/** Largest file, in characters. */
const MAX_LENGTH = 200_000_000;
const KIND = "saved run";
const ADVICE = "Save the run again: castor run NAME --until T --save FILE";

/** A saved run and the scenario that continues it. */
export interface ContinuedScenario {
  readonly scenario: Scenario;
  /** Time at which the run was saved, s. */
  readonly t: number;
  readonly from: SavedRun;
  /** Contents of the maps and meshes of the scenario, by their paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

interface Content {
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly structure: readonly string[];
  /** Time between samples, s. */
  readonly sample: number;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly run: SavedRun;
}

/** The text of a file for the end of a run. @param files contents of maps and meshes that the scenario names, by their paths */
export async function formatSavedRun(
  { scenario, saved }: Pick<ScenarioRun, "scenario" | "saved">,
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<string> {
  if (!saved) throw new FormatError("saved: the run was not saved. Run the scenario with the option save: true");
  const content: Content = {
    scenario: scenario.document,
    structure: structureOf(scenario),
    sample: scenario.sample,
    files,
    run: saved,
  };
  const data = encodePlainData(content);
  return JSON.stringify({ castor: KIND, version: VERSION, hash: await hashOf(data), t: saved.state.t, content: data });
}

/**
 * Reads a saved run and its scenario with changes. The bodies, loops and parts must be the saved ones; their values may change. A change of
 * anything but the duration, the samples and the output restarts the integrator and the audit at the saved state.
 * @throws FormatError if the file is damaged or of another version, ModelError if the changed scenario has problems or another structure
 */
export async function openSavedRun(
  text: string,
  source: string,
  overrides: readonly Override[] = [],
): Promise<ContinuedScenario> {
  const { scenario: document, structure, sample, files, run } = await readContent(text, source);
  const scenario = await openScenario(JSON.stringify(document), source, { files: filesOf(files), overrides });
  const problems = structureProblems(structure, structureOf(scenario));
  if (problems.length > 0) throw new ModelError(source, problems);
  const isSame = motionKey(document) === motionKey(scenario.document);
  const { state, audit, samples, peaks, growth, events } = run;
  const { method, ...withoutMethod } = state;
  const from: SavedRun = {
    state: isSame && method ? { ...withoutMethod, method } : withoutMethod,
    ...(isSame && audit !== undefined && { audit }),
    ...(isSame && growth !== undefined && { growth }),
    ...(scenario.sample === sample && samples !== undefined && { samples }),
    ...(peaks !== undefined && { peaks }),
    events,
  };
  return { scenario, t: state.t, from, files };
}

async function readContent(text: string, source: string): Promise<Content> {
  if (text.length > MAX_LENGTH) throw new FormatError(`${source}: is larger than ${MAX_LENGTH} characters`);
  const file = parseJson(text, source);
  if (file.castor !== KIND) throw new FormatError(`${source}: is not a saved run. ${ADVICE}`);
  if (file.version !== VERSION)
    throw new FormatError(
      `${source}: was saved by Castor ${valueText(file.version)}, and this is ${VERSION}: a run continues only in the version that saved it. ${ADVICE}`,
    );
  if (file.hash !== (await hashOf(file.content)))
    throw new FormatError(`${source}: its hash does not fit: the file is damaged. ${ADVICE}`);
  const content = decodePlainData(file.content, source) as Partial<Content> | null;
  const { scenario, structure, sample, files, run } = content ?? {};
  const isText = (value: unknown): boolean => typeof value === "string";
  if (typeof scenario !== "object" || scenario === null) throw new FormatError(`${source}: has no scenario. ${ADVICE}`);
  if (!(Array.isArray(structure) && structure.every(isText))) throw new FormatError(`${source}: has no list of parts. ${ADVICE}`);
  if (!(files instanceof Map && [...files].every(([name, bytes]) => isText(name) && bytes instanceof Uint8Array)))
    throw new FormatError(`${source}: has no list of files. ${ADVICE}`);
  if (typeof run?.state?.discrete?.run !== "object" || run.state.discrete.run === null || !Array.isArray(run.events))
    throw new FormatError(`${source}: has no state of a run. ${ADVICE}`);
  return { scenario, structure, sample: Number(sample), files, run };
}

function parseJson(text: string, source: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === "object" && data !== null) return data as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new FormatError(`${source}: is not a saved run: it is not JSON, or it is cut off. ${ADVICE}`);
}

/** SHA-256 of the data as JSON. */
async function hashOf(data: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(data) ?? "");
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return `sha256-${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The bodies, loops and parts of a scenario, one line each. A saved state fits only these. */
function structureOf({ model, forces, controllers, events, coordinates }: Scenario): string[] {
  return [
    ...(coordinates === "world" ? [] : [`coordinates ${coordinates}`]),
    ...model.bodies.map(({ name, parent, hinge }) => {
      const on = parent < 0 ? "world" : model.bodies[parent]!.name;
      return `body ${name} on ${on} by the hinge ${hinge.name} (${hinge.kind}, ${hinge.nq} coordinates)`;
    }),
    ...[...model.loops, ...model.openLoops].map(({ name, kind }) => `loop ${name} (${kind})`),
    ...model.springs.map(({ name }) => `springs of ${name}`),
    ...forces.map(({ name, kind }) => `force ${name} (${kind})`),
    ...controllers.map(({ name }) => `controller ${name}`),
    ...events.map(({ name }) => `event ${name}`),
  ];
}

function structureProblems(saved: readonly string[], present: readonly string[]): Problem[] {
  const advice = "A saved run continues with the same bodies and parts. Change values only, or start a new run";
  const missing = saved.filter((line) => !present.includes(line));
  const added = present.filter((line) => !saved.includes(line));
  const problems = [
    ...missing.map((line) => ({ path: "", message: `the saved run has ${line}, the changed scenario has not`, advice })),
    ...added.map((line) => ({ path: "", message: `the changed scenario has ${line}, the saved run has not`, advice })),
  ];
  if (problems.length > 0 || saved.join("\n") === present.join("\n")) return problems;
  return [{ path: "", message: "the bodies or parts are in another order than in the saved run", advice }];
}

/** Keys of a scenario that do not change the motion. */
const OUTPUT_KEYS = new Set([
  "castor",
  "$schema",
  "name",
  "about",
  "duration",
  "sample",
  "channels",
  "plots",
  "limits",
  "compare",
  "identify",
]);

/** Text that is equal for scenarios with the same motion. */
const motionKey = (document: Readonly<Record<string, unknown>>): string | undefined =>
  contentKey(Object.fromEntries(Object.entries(document).filter(([key, value]) => !OUTPUT_KEYS.has(key) && value !== undefined)));

const filesOf = (files: ReadonlyMap<string, Uint8Array>): ScenarioFiles => ({
  ...NO_FILES,
  readBytes(path) {
    const bytes = files.get(path);
    if (!bytes) throw new ModelError(path, [{ path: "", message: "is not among the files of the saved run", advice: ADVICE }]);
    return bytes;
  },
});
