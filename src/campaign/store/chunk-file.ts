/**
 * Chunks of the store as Parquet files. The name of a chunk has the range of its cases and a hash of its results, without times and machines: the same
 * chunk that was computed twice has one name, so it is stored once.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parquetRead, parquetReadObjects, type SchemaElement } from "hyparquet";
import { parquetWriteBuffer, schemaFromColumnData } from "hyparquet-writer";
import { FormatError } from "../../errors.ts";
import type { CaseRange } from "../campaign.ts";
import type { HistoryValues } from "../histories/histories.ts";
import type { CaseRow, CaseStatus } from "../run-case.ts";
import type { CaseBlock } from "./case-block.ts";
import { resultCells, type TableSchema } from "./table.ts";

/** The histories of a case. */
export type HistoryRow = Required<Pick<CaseRow, "case" | "status" | "histories">>;

export interface ChunkName extends CaseRange {
  readonly file: string;
}

const NAME = /^(\d+)-(\d+)-([0-9a-f]{16})\.parquet$/;
const DIGITS = 9;

/** The range of a file name; undefined if it is not a chunk. */
export function parseChunkName(file: string): ChunkName | undefined {
  const [, first, last] = NAME.exec(file) ?? [];
  return first === undefined ? undefined : { file, first: Number(first), end: Number(last) + 1 };
}

/** Name of a chunk with these rows, which are in the order of their cases and without gaps. */
export function chunkName(rows: readonly CaseRow[]): string {
  const number = (row: CaseRow): string => String(row.case).padStart(DIGITS, "0");
  return `${number(rows[0]!)}-${number(rows.at(-1)!)}-${resultsHash(rows)}.parquet`;
}

function resultsHash(rows: readonly CaseRow[]): string {
  const hash = createHash("sha256");
  for (const row of rows) hash.update(`${JSON.stringify([...resultCells(row), ...(row.histories ?? [])])}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** Parquet bytes of rows. Histories are lists of numbers. */
export function encodeChunk(rows: readonly CaseRow[], schema: TableSchema, identity: string): Uint8Array {
  const columns = plainColumns(rows, schema);
  const { histories = [] } = schema;
  const options = { rowGroupSize: 100_000, createdBy: "castor", kvMetadata: [{ key: "castor.campaign", value: identity }] };
  if (histories.length === 0) return new Uint8Array(parquetWriteBuffer({ columnData: columns, ...options }));
  const [root, ...elements] = schemaFromColumnData({ columnData: columns });
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        ...columns.map(({ name, data }) => ({ name, data })),
        ...histories.map(({ name }, k) => ({ name, data: rows.map((row) => row.histories?.[k] ?? []) })),
      ],
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

/** The rows of a chunk. @throws FormatError if the file is damaged or belongs to another campaign */
export async function readChunk(folder: string, name: ChunkName, schema: TableSchema): Promise<CaseRow[]> {
  const rows = await readObjects(join(folder, name.file));
  const { inputs, measures, histories } = schema;
  const read = rows.map(
    (row): CaseRow => ({
      case: Number(row.case),
      status: row.status as CaseStatus,
      reason: String(row.reason),
      inputs: inputs.map((column) => row[column.name] as number | string),
      measures: measures.map((column) => (row[column.name] as number | null | undefined) ?? null),
      ...(histories && { histories: histories.map((column) => (row[column.name] as HistoryValues | undefined) ?? []) }),
      seconds: Number(row.seconds),
      host: String(row.host),
    }),
  );
  const isComplete = read.length === name.end - name.first && read.every((row, i) => row.case === name.first + i);
  if (!isComplete) throw incomplete(folder, name);
  return read;
}

/** The columns of a chunk; without inputs if they are not needed. @throws FormatError as readChunk */
export async function readChunkBlock(
  folder: string,
  name: ChunkName,
  { inputs, measures }: TableSchema,
  needsInputs: boolean,
): Promise<CaseBlock> {
  const read = needsInputs ? inputs : [];
  const columns = ["case", "status", "reason", "seconds", ...[...read, ...measures].map((column) => column.name)];
  const found = await readColumns(join(folder, name.file), columns);
  const count = name.end - name.first;
  const cases = Int32Array.from(valuesOf(found, "case") as ArrayLike<number>);
  if (cases.length !== count || !cases.every((index, i) => index === name.first + i)) throw incomplete(folder, name);
  const numbers = (column: string): Float64Array => numbersOf(found.get(column) ?? [], count);
  return {
    cases,
    status: valuesOf(found, "status") as CaseStatus[],
    reasons: valuesOf(found, "reason") as string[],
    seconds: numbers("seconds"),
    inputs: read.map(({ name: column, type }) => (type === "number" ? numbers(column) : (valuesOf(found, column) as string[]))),
    measures: measures.map(({ name: column }) => numbers(column)),
  };
}

/** Histories of the cases of a chunk, with their statuses. @throws FormatError as readChunk */
export async function readChunkHistories(
  folder: string,
  name: ChunkName,
  { histories = [] }: TableSchema,
): Promise<readonly HistoryRow[]> {
  const found = await readColumns(join(folder, name.file), ["case", "status", ...histories.map((column) => column.name)]);
  const cases = valuesOf(found, "case");
  const status = valuesOf(found, "status") as ArrayLike<CaseStatus>;
  const values = histories.map((column) => valuesOf(found, column.name) as ArrayLike<HistoryValues>);
  if (cases.length !== name.end - name.first) throw incomplete(folder, name);
  return Array.from(cases, (index, i) => ({
    case: Number(index),
    status: status[i]!,
    histories: values.map((column) => column[i] ?? []),
  }));
}

type ColumnParts = readonly { readonly values: ArrayLike<unknown>; readonly start: number }[];

async function readColumns(path: string, columns: string[]): Promise<ReadonlyMap<string, ColumnParts>> {
  const found = new Map<string, { values: ArrayLike<unknown>; start: number }[]>();
  await readParquet(path, (file) =>
    parquetRead({
      file,
      columns,
      onChunk({ columnName, columnData, rowStart }) {
        const parts = found.get(columnName) ?? [];
        found.set(columnName, parts);
        parts.push({ values: columnData as ArrayLike<unknown>, start: rowStart });
      },
    }),
  );
  return found;
}

function valuesOf(found: ReadonlyMap<string, ColumnParts>, column: string): ArrayLike<unknown> {
  const parts = found.get(column) ?? [];
  return parts.length === 1 ? parts[0]!.values : parts.flatMap(({ values }) => Array.from(values));
}

function numbersOf(parts: ColumnParts, count: number): Float64Array {
  const numbers = new Float64Array(count).fill(Number.NaN);
  for (const { values, start } of parts) {
    if (values instanceof Float64Array) numbers.set(values, start);
    else
      for (let i = 0; i < values.length; i++) {
        const value = values[i];
        if (typeof value === "number") numbers[start + i] = value;
      }
  }
  return numbers;
}

const incomplete = (folder: string, name: ChunkName): FormatError =>
  new FormatError(`${join(folder, name.file)} does not contain the cases of its name. Remove it, and run the campaign again`);

const readObjects = (path: string): Promise<readonly Record<string, unknown>[]> =>
  readParquet(path, (file) => parquetReadObjects({ file }));

async function readParquet<T>(path: string, read: (file: ArrayBuffer) => Promise<T>): Promise<T> {
  const bytes = readFileSync(path);
  try {
    return await read(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
  } catch (error) {
    throw new FormatError(
      `${path} is not a chunk of a campaign: ${(error as Error).message}. Remove it, and run the campaign again`,
      { cause: error },
    );
  }
}
