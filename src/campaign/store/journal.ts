/**
 * Journals of chunks that are not complete: every finished case is appended as one line, so a killed process loses no finished case. A line ends with
 * its digest; one that was cut off or is damaged is ignored. The journals of a chunk are removed when the chunk is stored. For Node only.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeErrorOf } from "../../report/write-error.ts";
import type { CaseRange } from "../campaign.ts";
import type { CaseRow } from "../run-case.ts";
import { bytesDigest } from "./digest.ts";
import { parseRow, rowText } from "./row-text.ts";

const NAME = /^(\d+)-(\d+)\.[0-9a-f]+\.ndjson$/;

export class Journals {
  readonly #folder: string;
  /** Journals of this process have names of their own: two processes never append to one file. */
  readonly #mark = randomBytes(6).toString("hex");

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a finished case of a chunk. @throws WriteError */
  append(chunk: CaseRange, row: CaseRow): void {
    const path = join(this.#folder, `${chunk.first}-${chunk.end - 1}.${this.#mark}.ndjson`);
    try {
      mkdirSync(this.#folder, { recursive: true });
      const text = rowText(row);
      appendFileSync(path, `${text} ${bytesDigest(text)}\n`);
    } catch (error) {
      throw writeErrorOf(path, error);
    }
  }

  /** Finished cases of a chunk, by number. The first entry of a case counts. */
  read(chunk: CaseRange): Map<number, CaseRow> {
    const rows = new Map<number, CaseRow>();
    for (const file of this.#files(chunk))
      for (const line of this.#lines(file)) {
        const row = parseLine(line);
        if (row !== undefined && row.case >= chunk.first && row.case < chunk.end && !rows.has(row.case)) rows.set(row.case, row);
      }
    return rows;
  }

  remove(chunk: CaseRange): void {
    for (const file of this.#files(chunk)) rmSync(join(this.#folder, file), { force: true });
  }

  /** All chunks that have journals. */
  chunks(): readonly CaseRange[] {
    return this.#names().flatMap((name) => {
      const [, first, last] = NAME.exec(name) ?? [];
      return first === undefined ? [] : [{ first: Number(first), end: Number(last) + 1 }];
    });
  }

  #lines(file: string): readonly string[] {
    try {
      return readFileSync(join(this.#folder, file), "utf8").split("\n");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return []; // another process has stored the chunk
    }
  }

  #files({ first, end }: CaseRange): readonly string[] {
    return this.#names().filter((name) => name.startsWith(`${first}-${end - 1}.`) && NAME.test(name));
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder).sort();
    } catch {
      return []; // there is no journal yet
    }
  }
}

/** The row of a line; undefined for a line that is not complete, or damaged. */
function parseLine(line: string): CaseRow | undefined {
  const end = line.lastIndexOf(" ");
  const text = line.slice(0, Math.max(0, end));
  return end > 0 && line.slice(end + 1) === bytesDigest(text) ? parseRow(text) : undefined;
}
