/** Output of commands: results to standard output, remarks to standard error. Colours are used only on a terminal. */
import { writeSync } from "node:fs";
import { writeErrorOf } from "../../report/write-error.ts";
import { EXIT } from "../exit-codes.ts";

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
}

export interface Terminal {
  /** Number of characters per line. */
  readonly width: number;
  readonly style: Style;
  /** Style of remarks: standard error may be redirected separately. */
  readonly remarkStyle: Style;
  print(text: string): void;
  remark(text: string): void;
  /** Rewrites the status line on a terminal; does nothing otherwise. "" removes it. */
  status(text: string): void;
}

const paint =
  (on: boolean, code: string, off: string) =>
  (text: string): string =>
    on && text !== "" ? `\u001b[${code}m${text}\u001b[${off}m` : text;

export const createStyle = (colours: boolean): Style => ({
  bold: paint(colours, "1", "22"),
  dim: paint(colours, "2", "22"),
  good: paint(colours, "32", "39"),
  bad: paint(colours, "31", "39"),
  warn: paint(colours, "33", "39"),
});

/** Width and style of text output. */
export type TextFormat = Pick<Terminal, "width" | "style">;

/** Properties of a Node stream that determine colours and width. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** True on a terminal, unless NO_COLOR is set [no-color.org] or TERM is dumb. */
export const usesColour = ({ isTTY }: OutputStream, env: NodeJS.ProcessEnv): boolean =>
  isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";

const MIN_WIDTH = 60;
const DEFAULT_WIDTH = 80;
const MAX_WIDTH = 120;

export const terminalWidth = ({ isTTY, columns }: OutputStream): number =>
  isTTY && columns ? Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns)) : DEFAULT_WIDTH;

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    width: terminalWidth(stdout),
    style: createStyle(usesColour(stdout, env)),
    remarkStyle: createStyle(usesColour(stderr, env)),
    print: (text) => void stdout.write(`${text}\n`),
    remark: (text) => void stderr.write(`${text}\n`),
    status: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001b[2K${text}`);
    },
  };
}

/**
 * Ends the program if its output cannot be written. If the reader of a pipe stops reading (`castor eval ... | head`), this is no error.
 * Otherwise, e.g. if the disk is full, the reason goes to standard error.
 */
export function exitOnFailedOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    try {
      writeSync(process.stderr.fd, `castor: ${writeErrorOf("the standard output", error).message}\n`);
    } catch {
      // The standard error cannot be written either: the exit code tells.
    }
    process.exit(EXIT.failure);
  });
  process.stderr.on("error", () => process.exit(process.exitCode ?? EXIT.failure));
}
