/** Error messages for the user: what, where, which value, what to do. No stack trace unless CASTOR_DEBUG is set. */
import { ModelError, type Problem } from "../errors.ts";
import { CommandError, UsageError } from "./command.ts";
import type { Terminal } from "./text/terminal.ts";

type TextFormat = Pick<Terminal, "width" | "style">;

export const EXIT = { failure: 1, usage: 2, interrupted: 130 } as const;

/** Names of errors whose message is written for the user. */
const EXPLAINED_ERRORS: ReadonlySet<string> = new Set([
  "CommandError",
  "SingularError",
  "FrameMismatch",
  "AuditError",
  "StepError",
  "LogError",
  "WriteError",
]);

export interface CommandFailure {
  readonly text: string;
  readonly code: number;
  /** The error as JSON, printed under the key `error`. */
  readonly json: object;
}

export function describeFailure(error: unknown, help: string, page: TextFormat): CommandFailure {
  const { style } = page;
  const name = error instanceof Error ? error.name : "Error";
  const message = error instanceof Error ? error.message : String(error);
  const head = style.bad("castor:");
  if (error instanceof UsageError)
    return { text: `${head} ${message}\n${style.dim(help)}`, code: EXIT.usage, json: { name, message } };
  if (error instanceof ModelError)
    return {
      text: `${head} ${problemList(error, page)}`,
      code: EXIT.failure,
      json: { name, source: error.source, problems: error.problems },
    };
  if (error instanceof CommandError || EXPLAINED_ERRORS.has(name))
    return { text: `${head} ${message}`, code: EXIT.failure, json: { name, message } };
  const report = "This is a bug in Castor, not in your input. CASTOR_DEBUG=1 shows where.";
  return { text: `${head} ${message}\n${report}`, code: EXIT.failure, json: { name, message } };
}

/** Maximum number of printed problems; the rest is counted. */
const MAX_PRINTED = 50;

function problemList({ source, problems }: ModelError, page: TextFormat): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const more = problems.length > MAX_PRINTED ? [`  and ${problems.length - MAX_PRINTED} more`] : [];
  return [
    `${page.style.bold(source)} has ${count}`,
    ...problems.slice(0, MAX_PRINTED).map((p) => problemText(p, page)),
    ...more,
  ].join("\n");
}

/** Text of a problem: location, message with the value, and advice, one paragraph each. */
export function problemText({ path, message, value, advice, line, column, file }: Problem, { style, width }: TextFormat): string {
  const position = line === undefined ? "" : `line ${line}${column === undefined ? "" : `, column ${column}`}`;
  const place = [path && style.bold(path), file && style.dim(file), position && style.dim(position)].filter(Boolean).join("  ");
  const paragraphs = [`${message}${value === undefined ? "" : `, got ${value}`}`, advice ?? ""].filter((text) => text !== "");
  return [...(place ? [`  ${place}`] : []), ...paragraphs.flatMap((text) => wrapText(text, width, place ? "    " : "  "))].join(
    "\n",
  );
}

/** The text in lines of at most `width` characters, broken at spaces. */
export function wrapText(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line !== indent && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}
