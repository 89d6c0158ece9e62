/**
 * Chunks of the store as Parquet files. The name of a chunk has the range of its cases, a hash of its results without times and machines, so that the
 * same chunk that was computed twice is stored once, and a digest of its bytes, so that damage is noticed.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer, schemaFromColumnData } from "hyparquet-writer";
import type { CaseRange } from "../campaign.ts";
import type { HistoryValues } from "../histories/histories.ts";
import type { CaseRow, CaseStatus } from "../run-case.ts";
import type { CaseBlock } from "./case-block.ts";
import { bytesDigest } from "./digest.ts";
import { damagedChunk, IDENTITY_KEY, readColumns, type StoredColumn } from "./stored-columns.ts";
import { resultCells, type TableSchema } from "./table.ts";

/** The histories of a case. */
export type HistoryRow = Required<Pick<CaseRow, "case" | "status" | "histories">>;

export interface ChunkName extends CaseRange {
  readonly file: string;
  /** Hash of the results. */
  readonly results: string;
  /** Digest of the bytes of the file. */
  readonly digest: string;
}

const NAME = /^(\d+)-(\d+)-([0-9a-f]{16})-([0-9a-f]{16})\.parquet$/;
const DIGITS = 9;

/** The range of a file name; undefined if it is not a chunk. */
export function parseChunkName(file: string): ChunkName | undefined {
  const [, first, last, results, digest] = NAME.exec(file) ?? [];
  return first === undefined
    ? undefined
    : { file, first: Number(first), end: Number(last) + 1, results: results!, digest: digest! };
}

/** Beginning of the names of chunks with these results. The rows are in the order of their cases and without gaps. */
export function chunkPrefix(rows: readonly CaseRow[]): string {
  const number = (row: CaseRow): string => String(row.case).padStart(DIGITS, "0");
  return `${number(rows[0]!)}-${number(rows.at(-1)!)}-${resultsHash(rows)}`;
}

/** Name of a chunk with these bytes. */
export const chunkName = (prefix: string, bytes: Uint8Array): string => `${prefix}-${bytesDigest(bytes)}.parquet`;

function resultsHash(rows: readonly CaseRow[]): string {
  const hash = createHash("sha256");
  for (const row of rows) hash.update(`${JSON.stringify([...resultCells(row), ...(row.histories ?? [])])}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** Parquet bytes of rows. Histories are lists of numbers. */
export function encodeChunk(rows: readonly CaseRow[], schema: TableSchema, identity: string): Uint8Array {
  const columns = plainColumns(rows, schema);
  const { histories = [] } = schema;
  const listed = histories.map(({ name }, k) => ({ name, data: rows.map((row) => row.histories?.[k] ?? []) }));
  const options = { rowGroupSize: 100_000, createdBy: "castor", kvMetadata: [{ key: IDENTITY_KEY, value: identity }] };
  if (histories.length === 0) return new Uint8Array(parquetWriteBuffer({ columnData: columns, ...options }));
  const [root, ...elements] = schemaFromColumnData({ columnData: columns });
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [...columns.map(({ name, data }) => ({ name, data })), ...listed],
      schema: [
        { ...root!, num_children: columns.length + histories.length },
        ...elements,
        ...histories.flatMap(({ name }) => listElements(name)),
      ],
      ...options,
    }),
  );
}

type PlainColumn = { readonly name: string; readonly nullable: boolean } & (
  | { readonly data: Int32Array; readonly type: "INT32" }
  | { readonly data: string[]; readonly type: "STRING" }
  | { readonly data: (number | null)[]; readonly type: "DOUBLE" }
);

function plainColumns(rows: readonly CaseRow[], { inputs, measures }: TableSchema): PlainColumn[] {
  const text = (name: string, of: (row: CaseRow) => string): PlainColumn => ({
    ...{ name, data: rows.map(of), type: "STRING", nullable: false },
  });
  const number = (name: string, of: (row: CaseRow) => number | null): PlainColumn => ({
    ...{ name, data: rows.map(of), type: "DOUBLE", nullable: true },
  });
  return [
    { name: "case", data: Int32Array.from(rows, (row) => row.case), type: "INT32", nullable: false },
    text("status", (row) => row.status),
    text("reason", (row) => row.reason),
    ...inputs.map(({ name, type }, i) =>
      type === "text" ? text(name, (row) => String(row.inputs[i])) : number(name, (row) => row.inputs[i] as number),
    ),
    ...measures.map(({ name }, i) => number(name, (row) => row.measures[i] ?? null)),
    number("seconds", (row) => row.seconds),
    text("host", (row) => row.host),
  ];
}

/** Parquet schema of a column of lists of numbers. */
const listElements = (name: string): SchemaElement[] => [
  { name, repetition_type: "REQUIRED", converted_type: "LIST", num_children: 1 },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  { name: "element", repetition_type: "OPTIONAL", type: "DOUBLE" },
];

/** Columns of the chunks of a store, and the identity of their campaign. */
type ChunkSchema = TableSchema & { readonly identity: string };

/** The rows of a chunk. @throws FormatError if the file is damaged or belongs to another campaign */
export async function readChunk(folder: string, name: ChunkName, schema: ChunkSchema): Promise<CaseRow[]> {
  const { inputs, measures, histories } = schema;
  const all = ["seconds", "host", ...[...inputs, ...measures, ...(histories ?? [])].map((column) => column.name)];
  const columns = await readChunkColumns(folder, name, schema.identity, [...RESULT, ...all]);
  const cell = (column: string): ArrayLike<unknown> => columns.get(column)!.values();
  const [status, reason, seconds, host] = ["status", "reason", "seconds", "host"].map(cell);
  const [inputCells, measureCells, historyCells] = [inputs, measures, histories].map((list) => list?.map((c) => cell(c.name)));
  return Array.from(
    { length: name.end - name.first },
    (_, i): CaseRow => ({
      case: name.first + i,
      status: status![i] as CaseStatus,
      reason: String(reason![i]),
      inputs: inputCells!.map((cells) => cells[i] as number | string),
      measures: measureCells!.map((cells) => (cells[i] as number | null | undefined) ?? null),
      ...(historyCells && { histories: historyCells.map((cells) => (cells[i] as HistoryValues | undefined) ?? []) }),
      seconds: Number(seconds![i]),
      host: String(host![i]),
    }),
  );
}

/** The columns of a chunk; without inputs if they are not needed. @throws FormatError as readChunk */
export async function readChunkBlock(
  folder: string,
  name: ChunkName,
  { inputs, measures, identity }: ChunkSchema,
  needsInputs: boolean,
): Promise<CaseBlock> {
  const read = needsInputs ? inputs : [];
  const all = ["seconds", ...[...read, ...measures].map((column) => column.name)];
  const columns = await readChunkColumns(folder, name, identity, [...RESULT, ...all]);
  const count = name.end - name.first;
  const numbers = (column: string): Float64Array => columns.get(column)!.numbers(count);
  const words = (column: string): readonly string[] => columns.get(column)!.values() as string[];
  return {
    cases: Int32Array.from(columns.get("case")!.values() as ArrayLike<number>),
    status: words("status") as CaseStatus[],
    reasons: words("reason"),
    seconds: numbers("seconds"),
    inputs: read.map(({ name: column, type }) => (type === "number" ? numbers : words)(column)),
    measures: measures.map(({ name: column }) => numbers(column)),
  };
}

/** Histories of the cases of a chunk, with their statuses. @throws FormatError as readChunk */
export async function readChunkHistories(
  folder: string,
  name: ChunkName,
  { histories = [], identity }: ChunkSchema,
): Promise<readonly HistoryRow[]> {
  const columns = await readChunkColumns(folder, name, identity, [...RESULT, ...histories.map((column) => column.name)]);
  const status = columns.get("status")!.values() as ArrayLike<CaseStatus>;
  const values = histories.map((column) => columns.get(column.name)!.values() as ArrayLike<HistoryValues>);
  return Array.from({ length: name.end - name.first }, (_, i) => ({
    case: name.first + i,
    status: status[i]!,
    histories: values.map((column) => column[i] ?? []),
  }));
}

/** Columns that every reader checks. */
const RESULT = ["case", "status", "reason"] as const;

/** Columns of a chunk whose cases are those of its name. */
async function readChunkColumns(
  folder: string,
  name: ChunkName,
  identity: string,
  columns: readonly string[],
): Promise<ReadonlyMap<string, StoredColumn>> {
  const path = join(folder, name.file);
  const found = await readColumns(path, columns, { digest: name.digest, identity });
  const cases = found.get("case")!.values();
  let isComplete = cases.length === name.end - name.first;
  for (let i = 0; i < cases.length; i++) isComplete &&= cases[i] === name.first + i;
  if (!isComplete) throw damagedChunk(path, "does not contain the cases of its name");
  return found;
}
