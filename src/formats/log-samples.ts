/** Common functions of log formats: numbers as text that reads back to the same number, and text in pieces of limited size. */
import { FormatError } from "../errors.ts";
import type { Log } from "../log/log.ts";

/** Length of a piece of text: large enough for fast writing, small enough for logs of any size. */
const PIECE_LENGTH = 1 << 16;

/** Joins small texts into pieces of about 64 KiB. */
export function* joinIntoPieces(texts: Iterable<string>): Generator<string> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length >= PIECE_LENGTH) {
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}

/** The columns of a log in the order of its channels. */
export const logColumns = (log: Log): readonly Float64Array[] => log.channels.map(({ name }) => log.column(name));

/** The shortest text that reads back to the same number, including the sign of zero. @throws FormatError unless it is finite. */
export function sampleText(log: Log, columns: readonly Float64Array[], channel: number, sample: number): string {
  const x = columns[channel]![sample]!;
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  return Number.isFinite(x) ? String(x) : refuse(log, columns, channel, sample);
}

function refuse(log: Log, columns: readonly Float64Array[], channel: number, sample: number): never {
  const { name } = log.channels[channel]!;
  const x = columns[channel]![sample]!;
  const time = log.channels[0]!;
  const when = channel === 0 ? "" : ` at ${time.name} = ${columns[0]![sample]!}${time.unit && ` ${time.unit}`}`;
  throw new FormatError(
    `channel "${name}" is ${x}${when} (sample ${sample + 1} of ${log.length}): a log file has finite numbers only. ` +
      "The motion has diverged: use a smaller step or a tighter tolerance",
  );
}
