/** Lines and numbers of mesh files that are text. */
import { DAMAGED, meshError } from "./triangle-mesh.ts";

/** Most characters of a line; a longer one is not of a mesh. */
const LONGEST_LINE = 1_000_000;

export interface TextLine {
  /** Number of the line, counted from 1. */
  readonly line: number;
  readonly words: readonly string[];
}

/** Words of each line that has some. `continuation` at the end of a line joins it with the next one; `comment` begins a comment. */
export function* textLines(
  bytes: Uint8Array,
  file: string,
  { continuation, comment }: { readonly continuation?: string; readonly comment?: string } = {},
): Generator<TextLine> {
  // Names in mesh files have no stated encoding. Every byte is a character of this one.
  const text = new TextDecoder("latin1").decode(bytes);
  const lineEnd = text.includes("\n") ? "\n" : "\r"; // the \r of \r\n is white space
  let line = 0;
  let joined = "";
  let first = 1;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf(lineEnd, start);
    if (end < 0) end = text.length;
    line++;
    if (end === start && joined === "") continue;
    if (end - start + joined.length > LONGEST_LINE)
      throw meshError(file, `a line has more than ${LONGEST_LINE} characters`, "This is not text of a mesh", { line });
    let part = text.slice(start, end);
    if (comment !== undefined) part = part.split(comment, 1)[0]!;
    if (joined === "") first = line;
    if (continuation !== undefined && part.trimEnd().endsWith(continuation)) {
      joined += `${part.trimEnd().slice(0, -continuation.length)} `;
      continue;
    }
    const content = (joined + part).trim();
    joined = "";
    if (content !== "") yield { line: first, words: content.split(/\s+/) };
  }
  if (joined !== "")
    throw meshError(file, `the last line ends with ${continuation}, which continues it`, DAMAGED, { line: first });
}

/** A finite decimal number. Hexadecimal numbers, "nan" and "inf" are none. */
export function readNumber(word: string | undefined, file: string, line: number): number {
  const value = word !== undefined && DECIMAL.test(word) ? Number(word) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw meshError(file, "a coordinate must be a finite number", DAMAGED, { line, value: quoted(word) });
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A word as text for messages. */
export const quoted = (word: string | undefined): string =>
  word === undefined ? "nothing" : JSON.stringify(word.length > 40 ? `${word.slice(0, 37)}...` : word);
