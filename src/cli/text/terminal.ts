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

export const styleOf = (colours: boolean): Style => ({
  bold: paint(colours, "1", "22"),
  dim: paint(colours, "2", "22"),
  good: paint(colours, "32", "39"),
  bad: paint(colours, "31", "39"),
  warn: paint(colours, "33", "39"),
});

/** The part of a stream of Node that decides. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Colours only on a terminal, unless NO_COLOR says otherwise [no-color.org]. */
export const wantsColour = ({ isTTY }: Screen, env: NodeJS.ProcessEnv): boolean =>
  isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";

const NARROWEST = 60;
const USUAL = 80;
const WIDEST = 120;

export const widthOf = ({ isTTY, columns }: Screen): number =>
  isTTY && columns ? Math.min(WIDEST, Math.max(NARROWEST, columns)) : USUAL;

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    width: widthOf(stdout),
    style: styleOf(wantsColour(stdout, env)),
    remarkStyle: styleOf(wantsColour(stderr, env)),
    print: (text) => void stdout.write(`${text}\n`),
    remark: (text) => void stderr.write(`${text}\n`),
    status: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001b[2K${text}`);
    },
  };
}

/** Whoever reads our output may stop reading (`castor eval ... | head`): that ends the program and is no error. */
export function endQuietlyWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
      throw error;
    });
}
