/** The errors of the library that name what is wrong, where, with which value, and what to do. */

/** One thing wrong with a model, a state or a scenario. */
export interface Problem {
  /** Where in the file or description, e.g. `bodies[2].inertia`. */
  readonly path: string;
  readonly message: string;
  /** The offending value, shortened for printing. */
  readonly value?: string;
  /** What to do about it. */
  readonly advice?: string;
  /** Line and column in the file, from 1, where known. */
  readonly line?: number;
  readonly column?: number;
  /** Where path and line are, if not in what was being read: a file that it names, an option of the command line. */
  readonly file?: string;
}

export function describeProblem(p: Problem): string {
  const line = p.line === undefined ? "" : `line ${p.line}${p.column === undefined ? "" : `, column ${p.column}`}`;
  const inFile = p.path === "" || line === "" ? p.path + line : `${p.path} (${line})`;
  const place = [p.file ?? "", inFile].filter((part) => part !== "").join(": ");
  const value = p.value === undefined ? "" : `, got ${p.value}`;
  return `${place === "" ? "" : `${place}: `}${p.message}${value}${p.advice === undefined ? "" : `. ${p.advice}`}`;
}

/** So many problems are printed; the rest is counted. */
const MAX_PRINTED_PROBLEMS = 50;

/** All problems of a model or of a file at once. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  constructor(
    /** What was being read: a file name or a model's name. */
    readonly source: string,
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const lines = problems.slice(0, MAX_PRINTED_PROBLEMS).map((p) => `  ${describeProblem(p)}`);
    if (problems.length > MAX_PRINTED_PROBLEMS) lines.push(`  and ${problems.length - MAX_PRINTED_PROBLEMS} more`);
    super(`${source}: ${count}\n${lines.join("\n")}`, options);
  }
}

/** A matrix that must be regular is not: which body or loop, and when. */
export class SingularError extends Error {
  override readonly name = "SingularError";
}

const MAX_TEXT_LENGTH = 80;
const MAX_TEXT_DEPTH = 3;

/** A value as short text for an error message; never long, whatever the value (cyclic, deep, huge). */
export function valueText(value: unknown, depth = 0): string {
  let text: string;
  if (typeof value === "number" || value === undefined || value === null || typeof value === "boolean") text = String(value);
  else if (typeof value === "bigint") text = "a bigint";
  else if (typeof value === "function" || typeof value === "symbol") text = `a ${typeof value}`;
  else if (typeof value === "string") text = JSON.stringify(value.slice(0, MAX_TEXT_LENGTH));
  else if (!Array.isArray(value)) text = `an object with ${keysText(value)}`;
  else if (depth === MAX_TEXT_DEPTH) text = "[...]";
  else {
    const items = value.slice(0, 9).map((item) => valueText(item, depth + 1));
    text = `[${items.join(", ")}${value.length > 9 ? ", ..." : ""}]`;
  }
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 3)}...` : text;
}

function keysText(value: object): string {
  const keys = Object.keys(value).slice(0, 6);
  return keys.length === 0 ? "no keys" : `keys ${keys.map((k) => JSON.stringify(k.slice(0, 20)).slice(1, -1)).join(", ")}`;
}
