/** Columns of the Parquet files of a store. */
import { readFileSync } from "node:fs";
import { parquetMetadata, parquetRead } from "hyparquet";
import { FormatError } from "../../errors.ts";
import { bytesDigest } from "./digest.ts";

export const IDENTITY_KEY = "castor.campaign";

/** A column, in parts as they are in the file. */
export class StoredColumn {
  readonly #parts: { readonly values: ArrayLike<unknown>; readonly start: number }[] = [];

  add(values: ArrayLike<unknown>, start: number): void {
    this.#parts.push({ values, start });
  }

  values(): ArrayLike<unknown> {
    return this.#parts.length === 1 ? this.#parts[0]!.values : this.#parts.flatMap(({ values }) => Array.from(values));
  }

  /** The values as numbers; NaN where one is missing. */
  numbers(count: number): Float64Array {
    const numbers = new Float64Array(count).fill(Number.NaN);
    for (const { values, start } of this.#parts) {
      if (values instanceof Float64Array) numbers.set(values, start);
      else
        for (let i = 0; i < values.length; i++) {
          const value = values[i];
          if (typeof value === "number") numbers[start + i] = value;
        }
    }
    return numbers;
  }
}

/**
 * Columns of a file, by name. Parquet has no obligatory checksums and readers do not survive every damage, so the bytes are compared with a digest
 * before they are read. @throws FormatError if the file is damaged, or belongs to another campaign
 */
export async function readColumns(
  path: string,
  columns: readonly string[],
  { digest, identity }: { readonly digest: string; readonly identity: string },
): Promise<ReadonlyMap<string, StoredColumn>> {
  const bytes = readFileSync(path); // a file that does not exist is an error of its own: another process may have joined it with others
  if (bytesDigest(bytes) !== digest) throw damagedChunk(path, "is damaged: its bytes do not have the digest of its name");
  const found = new Map(columns.map((name) => [name, new StoredColumn()]));
  try {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const metadata = parquetMetadata(file);
    const owner = metadata.key_value_metadata?.find(({ key }) => key === IDENTITY_KEY)?.value;
    if (owner !== identity) throw damagedChunk(path, "belongs to another campaign");
    await parquetRead({
      ...{ file, metadata, columns: [...columns] },
      onChunk: ({ columnName, columnData, rowStart }) => found.get(columnName)!.add(columnData as ArrayLike<unknown>, rowStart),
    });
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw damagedChunk(path, `is not a chunk of a campaign: ${(error as Error).message}`, error);
  }
  return found;
}

export const damagedChunk = (path: string, what: string, cause?: unknown): FormatError =>
  new FormatError(`${path} ${what}. Remove it, and run the campaign again`, { cause });
