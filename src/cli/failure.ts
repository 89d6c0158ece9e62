/** Error messages for the user: what, where, which value, what to do. No stack trace unless CASTOR_DEBUG is set. */
import { CastorError, ModelError, type Problem } from "../errors.ts";
import { countText } from "../report/numbers.ts";
import { UsageError } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import type { TextFormat } from "./text/terminal.ts";
import { wrapText } from "./text/wrap-text.ts";

/** An error as the user sees it. */
export interface CommandFailure {
  readonly text: string;
  readonly code: number;
  /** The error as JSON, printed under the key `error`. */
  readonly json: object;
}

/** Describes an error for the user. `help`: hint for a wrong command line. */
export function describeFailure(error: unknown, help: string, format: TextFormat): CommandFailure {
  const { style } = format;
  const name = error instanceof Error ? error.name : "Error";
  const message = error instanceof Error ? error.message : String(error);
  const prefix = style.bad("castor:");
  if (!(error instanceof CastorError)) {
    const hint = "This is a bug in Castor, not in your input. CASTOR_DEBUG=1 shows where.";
    return { text: `${prefix} ${message}\n${hint}`, code: EXIT.failure, json: { name, message } };
  }
  const json = { name, code: error.code, message };
  if (error instanceof UsageError) return { text: `${prefix} ${message}\n${style.dim(help)}`, code: EXIT.usage, json };
  if (error instanceof ModelError)
    return {
      text: `${prefix} ${problemList(error, format)}`,
      code: EXIT.failure,
      json: { name, code: error.code, source: error.source, problems: error.problems },
    };
  return { text: `${prefix} ${message}`, code: EXIT.failure, json };
}

/** Maximum number of printed problems; the rest is counted. */
const MAX_PRINTED = 50;

function problemList({ source, problems }: ModelError, format: TextFormat): string {
  const count = countText(problems.length, "problem");
  const more = problems.length > MAX_PRINTED ? [`  and ${problems.length - MAX_PRINTED} more`] : [];
  return [
    `${format.style.bold(source)} has ${count}`,
    ...problems.slice(0, MAX_PRINTED).map((p) => problemText(p, format)),
    ...more,
  ].join("\n");
}

/** Text of a problem: location, message with the value, and advice, one paragraph each. */
export function problemText({ path, message, value, advice, line, column, file }: Problem, { style, width }: TextFormat): string {
  const position = line === undefined ? "" : `line ${line}${column === undefined ? "" : `, column ${column}`}`;
  const location = [path && style.bold(path), file && style.dim(file), position && style.dim(position)]
    .filter(Boolean)
    .join("  ");
  const paragraphs = [`${message}${value === undefined ? "" : `, got ${value}`}`, advice ?? ""].filter((text) => text !== "");
  return [
    ...(location ? [`  ${location}`] : []),
    ...paragraphs.flatMap((text) => wrapText(text, width, location ? "    " : "  ")),
  ].join("\n");
}
