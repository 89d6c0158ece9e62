/**
 * A campaign as data that travels: its text and the contents of all files that it reads. A worker opens it from these contents alone and reads no
 * file of its own machine. Files that only single cases read are sent when a worker lacks them.
 */
import { ModelError, type Problem } from "../../errors.ts";
import type { NamedText, ScenarioFiles } from "../../scenario/files.ts";
import type { Override } from "../../scenario/override.ts";
import type { Campaign, CampaignScenario } from "../campaign.ts";
import { type CampaignFiles, type CampaignOptions, openCampaign } from "../load.ts";
import { LackingFilesError, PoolError } from "../pool/pool.ts";

/** Content of a file: a text, bytes, or the problems of a file that cannot be read. */
export type FileContent =
  | NamedText
  | { readonly base64: string }
  | { readonly source: string; readonly problems: readonly Problem[] };

/** Contents by key: the way in which the file is named, a colon, and its name. */
export type FileContents = Readonly<Record<string, FileContent>>;

/** The part of a campaign that is not in files. */
export interface BundleHead {
  readonly text: string;
  readonly source: string;
  readonly overrides: readonly Override[];
  /** Names of the models that a scenario may name without a path. */
  readonly builtIns: readonly string[];
}

export interface CampaignBundle extends BundleHead {
  readonly files: FileContents;
}

/** Ways in which campaigns and scenarios name files. */
const WAYS = ["list", "scenario", "beside", "bytes", "built-in", "chosen"] as const;
type Way = (typeof WAYS)[number];

const keyOf = (way: Way, name: string): string => `${way}:${name}`;

/** A campaign that was opened here, with everything that a worker needs to open it elsewhere. */
export interface RecordedCampaign {
  readonly campaign: Campaign;
  readonly head: BundleHead;
  /** Contents that have been read so far. */
  contents(): FileContents;
  /** The content of a file that a worker lacks; undefined if the campaign does not name it. */
  supply(key: string): FileContent | undefined;
}

/** Opens a campaign and keeps what it reads. @throws ModelError as `openCampaign` does */
export async function recordCampaign(text: string, source: string, options: CampaignOptions): Promise<RecordedCampaign> {
  const recorder = new FileRecorder(options.files);
  const campaign = await openCampaign(text, source, { ...options, files: recorder.files });
  return {
    campaign,
    head: { text, source, overrides: options.overrides ?? [], builtIns: recorder.builtIns },
    contents: () => Object.fromEntries(recorder.contents),
    supply: (key) => recorder.supply(key, [text]),
  };
}

class FileRecorder {
  readonly contents = new Map<string, FileContent>();
  readonly files: CampaignFiles;
  builtIns: readonly string[] = [];
  #scenarioFiles: ScenarioFiles | undefined;

  constructor(files: CampaignFiles) {
    this.files = {
      readText: (path) => this.#text("list", path, () => ({ text: files.readText(path), source: path })).text,
      scenario: (name) => this.#scenario(name, files),
    };
  }

  /** Reads a file for a worker. Files that were named by their full path must occur in the texts: a worker cannot ask for others. */
  supply(key: string, texts: readonly string[]): FileContent | undefined {
    const known = this.contents.get(key);
    if (known) return known;
    const [, way, name] = /^([a-z-]+):(.*)$/s.exec(key) ?? [];
    const files = this.#scenarioFiles;
    if (files === undefined || way === undefined || name === undefined) return undefined;
    const all = [...texts, ...[...this.contents.values()].flatMap((content) => ("text" in content ? content.text : []))];
    if (name === "" || !all.some((text) => text.includes(name))) return undefined;
    try {
      if (way === "beside") files.readBeside(name);
      else if (way === "chosen") files.readChosen(name);
      else if (way === "built-in") files.readBuiltIn(name);
      else if (way === "bytes") files.readBytes?.(name);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error; // otherwise its problems were recorded
    }
    return this.contents.get(key);
  }

  #scenario(name: string, files: CampaignFiles): CampaignScenario {
    let found: CampaignScenario | undefined;
    this.#text("scenario", name, () => {
      found = files.scenario(name);
      return { text: found.text, source: found.source };
    });
    const { text, source, files: own } = found!;
    if (own.importOptions?.findMesh || own.importOptions?.readInclude)
      throw new PoolError(`${name}: a robot file with meshes or includes in other folders cannot be sent through a queue`);
    this.builtIns = own.builtIns;
    this.#scenarioFiles = {
      ...own,
      readBeside: (path) => this.#text("beside", path, () => own.readBeside(path)),
      readChosen: (path) => this.#text("chosen", path, () => own.readChosen(path)),
      readBuiltIn: (model) => this.#text("built-in", model, () => own.readBuiltIn(model)),
      ...(own.readBytes && { readBytes: (path: string) => this.#bytes(path, () => own.readBytes!(path)) }),
    };
    return { text, source, files: this.#scenarioFiles };
  }

  #text(way: Way, name: string, read: () => NamedText): NamedText {
    return this.#keep(keyOf(way, name), read, ({ text, source }) => ({ text, source }));
  }

  #bytes(path: string, read: () => Uint8Array): Uint8Array {
    return this.#keep(keyOf("bytes", path), read, (bytes) => ({ base64: Buffer.from(bytes).toString("base64") }));
  }

  #keep<T>(key: string, read: () => T, content: (value: T) => FileContent): T {
    try {
      const value = read();
      if (!this.contents.has(key)) this.contents.set(key, content(value));
      return value;
    } catch (error) {
      if (error instanceof ModelError) this.contents.set(key, { source: error.source, problems: error.problems });
      throw error;
    }
  }
}

export interface OpenedBundle {
  readonly campaign: Campaign;
  /** Keys of files that were asked for and are not in the bundle. What was computed without them does not count. */
  lacking(): readonly string[];
}

/** Opens a campaign from its bundle. @throws ModelError, LackingFilesError */
export async function openBundle({ text, source, overrides, builtIns, files }: CampaignBundle): Promise<OpenedBundle> {
  const lacking = new Set<string>();
  const find = (way: Way, name: string): FileContent => {
    const key = keyOf(way, name);
    const content = Object.hasOwn(files, key) ? files[key] : undefined;
    if (content === undefined) lacking.add(key);
    const problems = [{ path: "", message: "is not among the files that were sent with the campaign" }];
    if (content === undefined) throw new ModelError(name, problems);
    if ("problems" in content) throw new ModelError(content.source, content.problems);
    return content;
  };
  const readText = (way: Way, name: string): NamedText => find(way, name) as NamedText;
  const scenarioFiles: ScenarioFiles = {
    readBeside: (path) => readText("beside", path),
    readChosen: (path) => readText("chosen", path),
    builtIns,
    readBuiltIn: (name) => readText("built-in", name),
    readBytes: (path) => new Uint8Array(Buffer.from((find("bytes", path) as { readonly base64: string }).base64, "base64")),
  };
  const campaign = await openCampaign(text, source, {
    overrides,
    files: {
      readText: (path) => readText("list", path).text,
      scenario: (name) => ({ ...readText("scenario", name), files: scenarioFiles }),
    },
  }).catch((error: unknown) => {
    throw lacking.size > 0 ? new LackingFilesError([...lacking]) : error;
  });
  return { campaign, lacking: () => [...lacking] };
}
