/** Text of logs as bytes: numbers as text that reads back to the same number, in pieces of limited size. */
import { FormatError } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { type NumberWriter, numberWriter } from "./number-text.ts";

/** Length of a piece of text: large enough for fast writing, small enough for logs of any size. */
const PIECE_LENGTH = 1 << 16;
/** Space behind a piece, for a number with a separator. */
const SLACK = 64;

/** Writes the text of a log into pieces, which all use the same memory. */
export class LogText {
  readonly #log: Log;
  readonly #columns: readonly Float64Array[];
  readonly #numbers: NumberWriter = numberWriter(PIECE_LENGTH + SLACK);
  #length = 0;

  constructor(log: Log) {
    this.#log = log;
    this.#columns = log.channels.map(({ name }) => log.column(name));
  }

  /** True if the piece must be taken before more is written. */
  get isFull(): boolean {
    return this.#length >= PIECE_LENGTH;
  }

  /** Adds a text of any length, in pieces. */
  *addText(text: string): Generator<Uint8Array> {
    yield this.takePiece();
    const bytes = new TextEncoder().encode(text);
    for (let from = 0; from < bytes.length; from += PIECE_LENGTH) yield bytes.subarray(from, from + PIECE_LENGTH);
  }

  /** Adds one ASCII character. */
  addCharacter(code: number): void {
    this.#numbers.bytes[this.#length++] = code;
  }

  /** Adds the shortest text that reads back to the same number, including the sign of zero. @throws FormatError unless it is finite. */
  addSample(channel: number, sample: number): void {
    const x = this.#columns[channel]![sample]!;
    if (!Number.isFinite(x)) throw notFinite(this.#log, this.#columns, channel, sample);
    this.#length = this.#numbers.write(x, this.#length);
  }

  /** The text since the last piece; valid until more is added. */
  takePiece(): Uint8Array {
    const piece = this.#numbers.bytes.subarray(0, this.#length);
    this.#length = 0;
    return piece;
  }
}

/** The same pieces as text. Logs are read and written as UTF-8. */
export function* decodedPieces(pieces: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    if (text !== "") yield text;
  }
}

function notFinite(log: Log, columns: readonly Float64Array[], channel: number, sample: number): FormatError {
  const { name } = log.channels[channel]!;
  const x = columns[channel]![sample]!;
  const time = log.channels[0]!;
  const when = channel === 0 ? "" : ` at ${time.name} = ${columns[0]![sample]!}${time.unit && ` ${time.unit}`}`;
  return new FormatError(
    `channel "${name}" is ${x}${when} (sample ${sample + 1} of ${log.length}): a log file has finite numbers only. ` +
      "The motion has diverged: use a smaller step or a tighter tolerance",
  );
}
