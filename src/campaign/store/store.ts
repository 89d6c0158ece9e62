/**
 * The store of a campaign: a folder with a manifest, finished chunks of cases, and journals of chunks in progress. The store is the only truth about
 * a campaign; threads, shards and queues are ways to fill it, also several at once. For Node only.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FormatError, WriteError } from "../../errors.ts";
import { removeStaleDrafts } from "../../report/stale-drafts.ts";
import { writeErrorOf } from "../../report/write-error.ts";
import { VERSION } from "../../version.ts";
import type { Campaign, CaseRange } from "../campaign.ts";
import type { CaseRow } from "../run-case.ts";
import { writeDurably } from "./atomic-file.ts";
import { blockOfRows, type CaseBlock, partOf } from "./case-block.ts";
import {
  type ChunkName,
  chunkName,
  encodeChunk,
  type HistoryRow,
  parseChunkName,
  readChunk,
  readChunkBlock,
  readChunkHistories,
} from "./chunk-file.ts";
import { Journals } from "./journal.ts";
import { schemaOf, type TableSchema } from "./table.ts";

const MANIFEST = "campaign.json";
const CHUNKS = "chunks";
/** Finished neighbours are joined to chunks of up to this many cases when there are more files than this. */
const COMPACTED_CASES = 50_000;
const MAX_FILES = 64;

/** What the file campaign.json contains. */
export interface Manifest extends TableSchema {
  readonly castor: "campaign";
  readonly version: string;
  /** SHA-256 of the definition. Chunks of one store have the same identity. */
  readonly identity: string;
  readonly name: string;
  readonly seed: number;
  readonly design: string;
  /** Number of cases; with a stopping rule the largest number. */
  readonly cases: number;
  readonly chunk: number;
  readonly definition: Readonly<Record<string, unknown>>;
}

export class CaseStore {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly #journals: Journals;

  private constructor(folder: string, manifest: Manifest) {
    this.folder = folder;
    this.manifest = manifest;
    this.#journals = new Journals(join(folder, "journal"));
  }

  /** Opens the store of a campaign in a folder, or creates it. @throws WriteError, FormatError if the folder belongs to another campaign */
  static open(folder: string, campaign: Campaign): CaseStore {
    const manifest = manifestOf(campaign);
    const path = join(folder, MANIFEST);
    if (existsSync(path)) {
      const stored = readManifest(folder);
      if (stored.identity !== manifest.identity) throw new FormatError(differenceText(folder, stored, manifest));
      removeStaleDrafts(path);
      return new CaseStore(folder, stored);
    }
    try {
      if (existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith(".")))
        throw new WriteError(`cannot write ${folder}: it exists and has other files in it. Choose another folder or remove it`);
      mkdirSync(join(folder, CHUNKS), { recursive: true });
    } catch (error) {
      throw error instanceof WriteError ? error : writeErrorOf(folder, error);
    }
    writeDurably(path, `${JSON.stringify(manifest, null, 2)}\n`);
    return new CaseStore(folder, manifest);
  }

  /** Opens an existing store for reading. @throws FormatError if there is none */
  static read(folder: string): CaseStore {
    return new CaseStore(folder, readManifest(folder));
  }

  /** Finished chunks in the order of their cases. A chunk whose cases are all in another one is left out. */
  chunks(): readonly ChunkName[] {
    const names = this.#chunkFiles().flatMap((file) => parseChunkName(file) ?? []);
    names.sort((a, b) => a.first - b.first || b.end - a.end || (a.file < b.file ? -1 : 1));
    let covered = 0;
    return names.filter(({ end }) => {
      if (end <= covered) return false;
      covered = end;
      return true;
    });
  }

  /** Ranges of chunk size, from `first` to before `end`, that are not finished. */
  *unfinished(end = this.manifest.cases): Generator<CaseRange> {
    const size = this.manifest.chunk;
    const finished = this.chunks();
    let next = 0;
    for (let first = 0; first < end; first += size) {
      while (next < finished.length && finished[next]!.end <= first) next++;
      const last = Math.min(first + size, this.manifest.cases);
      const isFinished = next < finished.length && finished[next]!.first <= first && finished[next]!.end >= last;
      if (!isFinished) yield { first, end: last };
    }
  }

  /** Finished cases of a chunk that is not complete. */
  finishedCases(chunk: CaseRange): Map<number, CaseRow> {
    return this.#journals.read(chunk);
  }

  /** Keeps a finished case. @throws WriteError */
  append(chunk: CaseRange, row: CaseRow): void {
    this.#journals.append(chunk, row);
  }

  /** Stores a complete chunk and removes its journals. @throws WriteError */
  seal(chunk: CaseRange, rows: readonly CaseRow[]): void {
    const sorted = [...rows].sort((a, b) => a.case - b.case);
    this.#write(sorted);
    this.#journals.remove(chunk);
  }

  #write(rows: readonly CaseRow[]): void {
    const path = join(this.folder, CHUNKS, chunkName(rows));
    if (!existsSync(path)) writeDurably(path, encodeChunk(rows, this.manifest, this.manifest.identity));
  }

  /** Rows in the order of their cases, each case once, from finished chunks and, at their places, from journals. */
  async *rows(): AsyncGenerator<CaseRow> {
    let next = 0;
    const loose = this.#looseRows();
    for (const chunk of this.chunks()) {
      while (loose.length > 0 && loose[0]!.case < chunk.first) {
        const row = loose.shift()!;
        if (row.case >= next) yield row;
      }
      for (const row of await readChunk(join(this.folder, CHUNKS), chunk, this.manifest)) if (row.case >= next) yield row;
      next = Math.max(next, chunk.end);
    }
    for (const row of loose) if (row.case >= next) yield row;
  }

  /** The same rows as columns, many at a time. Inputs are read only if they are needed. */
  async *blocks(needsInputs = false): AsyncGenerator<CaseBlock> {
    let next = 0;
    let loose = this.#looseRows();
    const looseBlock = (end: number): CaseBlock => {
      const rows = loose.filter((row) => row.case >= next && row.case < end);
      loose = loose.filter((row) => row.case >= end);
      return blockOfRows(rows, needsInputs ? this.manifest : { ...this.manifest, inputs: [] });
    };
    for (const chunk of this.chunks()) {
      if (loose.length > 0 && loose[0]!.case < chunk.first) yield looseBlock(chunk.first);
      const block = await readChunkBlock(join(this.folder, CHUNKS), chunk, this.manifest, needsInputs);
      yield partOf(block, Math.max(0, next - chunk.first), block.cases.length);
      next = Math.max(next, chunk.end);
    }
    if (loose.length > 0) yield looseBlock(Number.POSITIVE_INFINITY);
  }

  /** Histories of all cases, in their order. */
  async *histories(): AsyncGenerator<HistoryRow> {
    let next = 0;
    const loose = this.#looseRows();
    const takeLoose = function* (end: number): Generator<HistoryRow> {
      for (; loose.length > 0 && loose[0]!.case < end; loose.shift()) {
        const { case: index, status, histories = [] } = loose[0]!;
        if (index >= next) yield { case: index, status, histories };
      }
    };
    for (const chunk of this.chunks()) {
      yield* takeLoose(chunk.first);
      for (const row of await readChunkHistories(join(this.folder, CHUNKS), chunk, this.manifest))
        if (row.case >= next) yield row;
      next = Math.max(next, chunk.end);
    }
    yield* takeLoose(Number.POSITIVE_INFINITY);
  }

  #looseRows(): CaseRow[] {
    const rows = new Map<number, CaseRow>();
    for (const chunk of this.#journals.chunks()) for (const [index, row] of this.#journals.read(chunk)) rows.set(index, row);
    return [...rows.values()].sort((a, b) => a.case - b.case);
  }

  /** Takes over everything of another store of the same campaign. @throws FormatError if it belongs to another campaign */
  async merge(other: CaseStore): Promise<void> {
    if (other.manifest.identity !== this.manifest.identity)
      throw new FormatError(differenceText(other.folder, other.manifest, this.manifest));
    for (const chunk of other.chunks()) this.#write(await readChunk(join(other.folder, CHUNKS), chunk, this.manifest));
    for (const chunk of other.#journals.chunks()) for (const row of other.#journals.read(chunk).values()) this.append(chunk, row);
  }

  /**
   * Removes journals of finished chunks, which a killed process may have left, and joins finished neighbours to larger chunks if there are many
   * files. The old ones are removed after the new one is stored.
   */
  async compact(): Promise<void> {
    const finished = this.chunks();
    for (const chunk of this.#journals.chunks())
      if (finished.some(({ first, end }) => first <= chunk.first && end >= chunk.end)) this.#journals.remove(chunk);
    if (this.#chunkFiles().length <= MAX_FILES) return;
    let group: ChunkName[] = [];
    const joinGroup = async (): Promise<void> => {
      if (group.length > 1) {
        const rows: CaseRow[] = [];
        for (const name of group)
          for (const row of await readChunk(join(this.folder, CHUNKS), name, this.manifest))
            if (rows.length === 0 || row.case > rows.at(-1)!.case) rows.push(row);
        this.#write(rows);
        const kept = chunkName(rows);
        for (const { file } of group) if (file !== kept) rmSync(join(this.folder, CHUNKS, file), { force: true });
      }
      group = [];
    };
    for (const chunk of this.chunks()) {
      const isNeighbour = group.length > 0 && chunk.first <= group.at(-1)!.end;
      if (!isNeighbour || chunk.end - group[0]!.first > COMPACTED_CASES) await joinGroup();
      group.push(chunk);
    }
    await joinGroup();
  }

  #chunkFiles(): readonly string[] {
    try {
      return readdirSync(join(this.folder, CHUNKS)).sort();
    } catch (error) {
      throw new FormatError(`${this.folder} is not the store of a campaign: ${(error as Error).message}`, { cause: error });
    }
  }
}

function manifestOf(campaign: Campaign): Manifest {
  return {
    castor: "campaign",
    version: VERSION,
    identity: identityOf(campaign),
    name: campaign.name,
    seed: campaign.seed,
    design: campaign.design.kind,
    cases: campaign.cases,
    chunk: campaign.chunk,
    ...schemaOf(campaign),
    definition: campaign.definition,
  };
}

/** SHA-256 of everything that determines the results of a campaign. */
export const identityOf = ({ definition }: Campaign): string =>
  createHash("sha256").update(canonicalJson(definition)).digest("hex");

/** JSON with sorted keys, so that the order of a file does not matter. */
const canonicalJson = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    if (manifest.castor === "campaign" && typeof manifest.identity === "string" && Array.isArray(manifest.measures))
      return manifest;
  } catch (error) {
    throw new FormatError(`${folder} is not the store of a campaign: ${(error as Error).message}`, { cause: error });
  }
  throw new FormatError(`${path} is not the manifest of a campaign`);
}

function differenceText(folder: string, stored: Manifest, wanted: Manifest): string {
  const keys = [...new Set([...Object.keys(stored.definition), ...Object.keys(wanted.definition)])];
  const changed = keys.filter(
    (key) => canonicalJson(stored.definition[key] ?? null) !== canonicalJson(wanted.definition[key] ?? null),
  );
  const what = changed.map((key) => (key === "castor" ? `version ${stored.version}` : key)).join(", ");
  return `${folder} has the cases of another campaign: it differs in ${what}. Choose another folder with --out, or remove it`;
}
