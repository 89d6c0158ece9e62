/** Logs as JSON, in columns: `{ "channels": [{ "name", "unit", "about" }], "columns": { name: [numbers] } }`. */

import { checkText } from "../../arguments.ts";
import { ModelError } from "../../errors.ts";
import { type Channel, checkLog, type Log, Recording } from "../../log/log.ts";
import { decodedPieces, LogText } from "./log-samples.ts";

/** The log as text, in pieces. Equal logs give equal text. @throws FormatError at a number that is not finite. */
export const jsonLog = (log: Log): Generator<string> => decodedPieces(jsonBytes(log));

const COMMA = 44;

/** The same text as bytes. A piece is valid until the next one is made. */
export function jsonBytes(log: Log): Generator<Uint8Array> {
  checkLog(log);
  return jsonPieces(log);
}

function* jsonPieces(log: Log): Generator<Uint8Array> {
  const text = new LogText(log);
  const channels = log.channels.map(({ name, unit, about }) => JSON.stringify({ name, unit, about }));
  yield* text.addText(`{\n"channels": [\n${channels.join(",\n")}\n],\n"columns": {`);
  for (const [c, { name }] of log.channels.entries()) {
    yield* text.addText(`${c === 0 ? "" : "],"}\n${JSON.stringify(name)}: [`);
    for (let i = 0; i < log.length; i++) {
      if (i > 0) text.addCharacter(COMMA);
      text.addSample(c, i);
      if (text.isFull) yield text.takePiece();
    }
  }
  yield* text.addText(`${channels.length === 0 ? "" : "]"}\n}\n}\n`);
}

/** Reads a log from the text that `jsonLog` writes. @throws ModelError with the first problem and its path. */
export function parseJsonLog(text: string, source = "log"): Log {
  checkText("text", text, "a log in JSON");
  checkText("source", source, "a name for messages");
  const refuse = (path: string, message: string): never => {
    throw new ModelError(source, [{ path, message }]);
  };
  const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === "object" && value !== null && !Array.isArray(value);

  const file = parseJson(text, refuse);
  if (!isRecord(file) || !Array.isArray(file.channels) || !isRecord(file.columns))
    return refuse("", 'must be an object with a list "channels" and an object "columns"');
  const { columns } = file;

  const seen = new Set<string>();
  const channels = file.channels.map((channel: unknown, i): Channel => {
    const path = `channels[${i}]`;
    if (!isRecord(channel)) return refuse(path, "must be an object");
    const { name, unit, about } = channel;
    if (typeof name !== "string" || name === "") return refuse(`${path}.name`, "must be text");
    if (typeof unit !== "string") return refuse(`${path}.unit`, "must be text");
    if (about !== undefined && typeof about !== "string") return refuse(`${path}.about`, "must be text");
    if (seen.has(name)) return refuse(`${path}.name`, `two channels are named "${name}"`);
    seen.add(name);
    return { name, unit, ...(about !== undefined && { about }) };
  });

  const samples = channels.map(({ name }): readonly number[] => {
    const path = `columns.${name}`;
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!Array.isArray(column)) return refuse(path, "must be a list of numbers");
    const bad = column.findIndex((x) => !Number.isFinite(x));
    return bad < 0 ? column : refuse(`${path}[${bad}]`, "must be a finite number");
  });
  const length = samples[0]?.length ?? refuse("channels", "must name one channel at least");
  const other = samples.findIndex((column) => column.length !== length);
  if (other >= 0) refuse(`columns.${channels[other]!.name}`, `has ${samples[other]!.length} numbers, the first has ${length}`);

  const recording = new Recording(channels, length);
  const row = new Float64Array(channels.length);
  for (let i = 0; i < length; i++) {
    for (let c = 0; c < row.length; c++) row[c] = samples[c]![i]!;
    recording.add(row);
  }
  return recording;
}

function parseJson(text: string, refuse: (path: string, message: string) => never): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return refuse("", `is not JSON: ${(error as SyntaxError).message}`);
  }
}
