/** Standard input as the argument `-`. */
import { readFileSync } from "node:fs";
import { LARGEST_TEXT } from "../../formats/document.ts";
import { CommandError } from "../command.ts";

/** All text of standard input. @throws CommandError if it cannot be read, is empty, or is no text. */
export function readStandardInput(): string {
  const bytes = readInputBytes();
  if (bytes.byteLength === 0) throw new CommandError("standard input is empty: pipe a file into castor, e.g. < arm.yaml");
  if (bytes.byteLength > LARGEST_TEXT) throw new CommandError(`standard input is larger than ${LARGEST_TEXT / 2 ** 20} MiB`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError("standard input is not UTF-8 text");
  }
}

function readInputBytes(): Uint8Array {
  try {
    return readFileSync(process.stdin.fd);
  } catch (error) {
    throw new CommandError(`cannot read standard input: ${(error as Error).message}`);
  }
}
