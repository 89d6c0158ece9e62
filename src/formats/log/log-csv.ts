/**
 * Logs as CSV: one header line, `name [unit]` per column, then one line per sample. Spreadsheets and pandas read a single header line
 * without options, and the unit stays with the name of the column.
 */

import { checkText, refuseArgument } from "../../arguments.ts";
import { FormatError, ModelError } from "../../errors.ts";
import { type Channel, checkLog, type Log, Recording } from "../../log/log.ts";
import { decodedPieces, LogText } from "./log-samples.ts";

/** The log as text, in pieces. Equal logs give equal text. @throws FormatError at a number that is not finite. */
export const csvLog = (log: Log): Generator<string> => decodedPieces(csvBytes(log));

const [COMMA, NEW_LINE] = [44, 10];

/** The same text as bytes. A piece is valid until the next one is made. */
export function csvBytes(log: Log): Generator<Uint8Array> {
  checkLog(log);
  return csvPieces(log);
}

function* csvPieces(log: Log): Generator<Uint8Array> {
  const text = new LogText(log);
  const { channels, length } = log;
  yield* text.addText(`${channels.map(headerCell).join(",")}\n`);
  for (let i = 0; i < length; i++) {
    for (let c = 0; c < channels.length; c++) {
      if (c > 0) text.addCharacter(COMMA);
      text.addSample(c, i);
      if (text.isFull) yield text.takePiece();
    }
    text.addCharacter(NEW_LINE);
  }
  yield text.takePiece();
}

/**
 * Reads a log from the text that `csvLog` writes, whole or in pieces. It does not contain the descriptions of channels.
 * @throws ModelError with the line of the first problem.
 */
export function parseCsvLog(text: string | Iterable<string>, source = "log"): Log {
  if (typeof (text as Iterable<string> | undefined)?.[Symbol.iterator] !== "function")
    refuseArgument("text", "the text of a log, or its pieces", text);
  checkText("source", source, "a name for messages");
  let recording: Recording | undefined;
  let row = new Float64Array(0);
  let line = 0;
  for (const content of splitLines(typeof text === "string" ? [text] : text)) {
    line++;
    if (recording === undefined) {
      recording = new Recording(readHeader(content, source));
      row = new Float64Array(recording.channels.length);
    } else if (content !== "") {
      readSample(content, row, recording.channels, source, line);
      recording.add(row);
    }
  }
  return recording ?? refuse(source, 1, "the file is empty", "The first line must name the channels");
}

function* splitLines(pieces: Iterable<string>): Generator<string> {
  let rest = "";
  for (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  if (rest !== "") yield rest;
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

function readSample(content: string, row: Float64Array, channels: readonly Channel[], source: string, line: number): void {
  const cells = content.split(",");
  if (cells.length !== row.length) refuse(source, line, `there are ${row.length} channels, but ${cells.length} numbers`);
  for (let c = 0; c < row.length; c++) {
    const cell = cells[c]!;
    row[c] = NUMBER.test(cell) ? Number(cell) : Number.NaN;
    if (!Number.isFinite(row[c])) refuse(source, line, `channel "${channels[c]!.name}" must be a finite number, got "${cell}"`);
  }
}

/** Spreadsheets execute cells that begin like this as formulas. Such names get an apostrophe in front. */
const FORMULA = /^'*[=+\-@]/;
const UNIT = /^(.*) \[([^[\]]*)\]$/s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it detects control characters
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

function headerCell({ name, unit }: Channel): string {
  if (CONTROL_CHARACTER.test(name + unit) || /[[\]]/.test(unit))
    throw new FormatError(`channel ${JSON.stringify(name)} [${JSON.stringify(unit)}] cannot be the header of a CSV column`);
  const cell = unit !== "" || UNIT.test(name) ? `${name} [${unit}]` : name;
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function readHeader(content: string, source: string): Channel[] {
  const cells = splitHeader(content.replace(/^\ufeff/, ""), source);
  const channels = cells.map((cell): Channel => {
    const text = FORMULA.test(cell) ? cell.replace(/^'/, "") : cell;
    const [, name = text, unit = ""] = UNIT.exec(text) ?? [];
    return { name, unit };
  });
  const names = channels.map(({ name }) => name);
  const bad = names.find((name, i) => name === "" || names.indexOf(name) !== i);
  if (bad !== undefined) refuse(source, 1, bad === "" ? "a channel has no name" : `two channels are named "${bad}"`);
  return channels;
}

/** The cells of a header line, quoted or not. */
function splitHeader(content: string, source: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let more = true; more; ) {
    const [, quoted, plain, end] = cell.exec(content) ?? refuse(source, 1, "a quotation mark in the header is not closed");
    cells.push(quoted?.replaceAll('""', '"') ?? plain!);
    more = end === ",";
  }
  return cells;
}

function refuse(source: string, line: number, message: string, advice?: string): never {
  throw new ModelError(source, [{ path: "", message, line, ...(advice !== undefined && { advice }) }]);
}
