/** Errors of the library. Each one names the problem, its place, the value, and what to do. */

/** One problem of a model, a state or a scenario. */
export interface Problem {
  /** Path in the file or description, e.g. `bodies[2].inertia`. */
  readonly path: string;
  readonly message: string;
  /** The offending value, shortened for printing. */
  readonly value?: string;
  /** Advice: how to correct it. */
  readonly advice?: string;
  /** Line and column in the file, counted from 1, if they are known. */
  readonly line?: number;
  readonly column?: number;
  /** Name of the file or option that `path` and `line` refer to, if it is not the document that was being read. */
  readonly file?: string;
}

export function describeProblem(p: Problem): string {
  const line = p.line === undefined ? "" : `line ${p.line}${p.column === undefined ? "" : `, column ${p.column}`}`;
  const inFile = p.path === "" || line === "" ? p.path + line : `${p.path} (${line})`;
  const location = [p.file ?? "", inFile].filter((text) => text !== "").join(": ");
  const value = p.value === undefined ? "" : `, got ${p.value}`;
  return `${location === "" ? "" : `${location}: `}${p.message}${value}${p.advice === undefined ? "" : `. ${p.advice}`}`;
}

/** Maximum number of problems that a message lists; the rest is counted. */
const MAX_PRINTED_PROBLEMS = 50;

/** All problems of a model or of a file at once. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  constructor(
    /** The document that was being read: a file name or a model's name. */
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

/** A matrix that must be regular is singular. The message names the body or loop, and the time. */
export class SingularError extends Error {
  override readonly name = "SingularError";
}

const MAX_TEXT_LENGTH = 80;
const MAX_TEXT_DEPTH = 3;

/** A value as short text for an error message. The text is short even for cyclic, deep or huge values. */
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
