/**
 * The store of a campaign: a folder with a manifest, finished chunks of cases, and journals of chunks in progress. The store is the only truth about
 * a campaign; threads, shards and queues are ways to fill it, also several at once. For Node only.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FormatError, WriteError } from "../../errors.ts";
import { removeStaleDrafts } from "../../report/stale-drafts.ts";
import { writeErrorOf } from "../../report/write-error.ts";
import type { Campaign, CaseRange } from "../campaign.ts";
import type { CaseRow } from "../run-case.ts";
import { writeDurably } from "./atomic-file.ts";
import { blockOfRows, type CaseBlock, partOf } from "./case-block.ts";
import {
  type ChunkName,
  chunkName,
  chunkPrefix,
  encodeChunk,
  type HistoryRow,
  parseChunkName,
  readChunk,
  readChunkBlock,
  readChunkHistories,
} from "./chunk-file.ts";
import { Journals } from "./journal.ts";
import { differenceText, MANIFEST, type Manifest, manifestOf, readManifest } from "./manifest.ts";

const CHUNKS = "chunks";
/** Finished neighbours are joined to chunks of up to this many cases when there are more files than this. */
const COMPACTED_CASES = 50_000;
const MAX_FILES = 64;

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

  /** Stores rows, unless a file with the same results exists. Returns the name of the file. */
  #write(rows: readonly CaseRow[]): string {
    const prefix = chunkPrefix(rows);
    const known = this.#chunkFiles().find((file) => file.startsWith(prefix) && parseChunkName(file));
    if (known !== undefined) return known;
    const bytes = encodeChunk(rows, this.manifest, this.manifest.identity);
    const file = chunkName(prefix, bytes);
    writeDurably(join(this.folder, CHUNKS, file), bytes);
    return file;
  }

  /** Rows in the order of their cases, each case once, from finished chunks and, at their places, from journals. */
  async *rows(): AsyncGenerator<CaseRow> {
    let next = 0;
    const loose = this.#looseRows();
    for await (const { chunk, content } of this.#contents(readChunk)) {
      while (loose.length > 0 && loose[0]!.case < chunk.first) {
        const row = loose.shift()!;
        if (row.case >= next) yield row;
      }
      for (const row of content) if (row.case >= next) yield row;
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
    const read = (folder: string, chunk: ChunkName): Promise<CaseBlock> =>
      readChunkBlock(folder, chunk, this.manifest, needsInputs);
    for await (const { chunk, content: block } of this.#contents(read)) {
      if (loose.length > 0 && loose[0]!.case < chunk.first) yield looseBlock(chunk.first);
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
    for await (const { chunk, content } of this.#contents(readChunkHistories)) {
      yield* takeLoose(chunk.first);
      for (const row of content) if (row.case >= next) yield row;
      next = Math.max(next, chunk.end);
    }
    yield* takeLoose(Number.POSITIVE_INFINITY);
  }

  /** Contents of all chunks in the order of their cases, also while another process joins them to larger ones. */
  async *#contents<T>(
    read: (folder: string, chunk: ChunkName, manifest: Manifest) => Promise<T>,
  ): AsyncGenerator<{ readonly chunk: ChunkName; readonly content: T }> {
    let next = 0;
    let vanished = "";
    for (let chunks = [...this.chunks()]; chunks.length > 0; ) {
      const chunk = chunks.shift()!;
      let content: T;
      try {
        content = await read(join(this.folder, CHUNKS), chunk, this.manifest);
      } catch (error) {
        if (!isMissingFile(error) || vanished === chunk.file) throw error;
        vanished = chunk.file;
        chunks = this.chunks().filter(({ end }) => end > next);
        continue;
      }
      yield { chunk, content };
      next = chunk.end;
    }
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
    for await (const { content } of other.#contents(readChunk)) this.#write(content);
    for (const chunk of other.#journals.chunks()) for (const row of other.#journals.read(chunk).values()) this.append(chunk, row);
  }

  /**
   * Removes journals of finished chunks, which a killed process may have left, and joins finished neighbours to larger chunks if there are many
   * files. The old ones are removed after the new one is stored. Another process may do the same at the same time.
   */
  async compact(): Promise<void> {
    try {
      await this.#compact();
    } catch (error) {
      if (!isMissingFile(error)) throw error; // the other process was faster
    }
  }

  async #compact(): Promise<void> {
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
        const kept = this.#write(rows);
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

const isMissingFile = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";
