/** Where a command writes: results to standard output, remarks to standard error, with colours only where somebody sees them. */

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
}

export interface Terminal {
  /** Columns of text that fit. */
  readonly width: number;
  readonly style: Style;
  /** The style of remarks, which may go elsewhere. */
  readonly remarkStyle: Style;
  print(text: string): void;
  remark(text: string): void;
  /** Rewrites one line for whoever looks on; nothing where nobody does. "" takes it away. */
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

/** The part of a stream of Node that decides. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Colours only on a terminal, unless NO_COLOR says otherwise [no-color.org]. */
export const usesColour = ({ isTTY }: OutputStream, env: NodeJS.ProcessEnv): boolean =>
  isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";

const LEAST_WIDTH = 60;
const DEFAULT_WIDTH = 80;
const MOST_WIDTH = 120;

export const terminalWidth = ({ isTTY, columns }: OutputStream): number =>
  isTTY && columns ? Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, columns)) : DEFAULT_WIDTH;

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

/** Whoever reads our output may stop reading (`castor eval ... | head`): that ends the program and is no error. */
export function exitQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
      throw error;
    });
}
