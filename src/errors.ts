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

/**
 * Base class of all errors that a user's call, file or machine can cause. Any other error that leaves Castor is a defect of Castor.
 * The page docs/errors.md lists the codes.
 */
export abstract class CastorError extends Error {
  /** Identifies the class of the error. It stays the same between versions, while messages may change. */
  abstract readonly code: string;
}

/** All problems of a model or of a file at once. */
export class ModelError extends CastorError {
  override readonly name = "ModelError";
  override readonly code = "model";
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

/** A function was called with a wrong argument, or at the wrong moment. The message is `argument: reason`. */
export class ArgumentError extends CastorError {
  override readonly name = "ArgumentError";
  override readonly code = "argument";
  constructor(
    /** The wrong argument as the caller wrote it, e.g. `options.duration`, or the function that was called too early. */
    readonly argument: string,
    /** What is wrong, which value was given, and what to do. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${argument}: ${reason}`, options);
  }
}

/** An expression cannot be recorded: expressions of two traces were mixed, or a constant is not finite. */
export class TraceError extends CastorError {
  override readonly name = "TraceError";
  override readonly code = "trace";
}

/** Operands of an operation are in different frames. */
export class FrameError extends CastorError {
  override readonly name = "FrameError";
  override readonly code = "frame";
}

/** A matrix that must be regular is singular. The message names the body or loop, and the time. */
export class SingularError extends CastorError {
  override readonly name = "SingularError";
  override readonly code = "singular";
}

/** A target cannot be reached: by a chain of hinges, or by a planned motion within its limits. */
export class UnreachableError extends CastorError {
  override readonly name = "UnreachableError";
  override readonly code = "unreachable";
}

/** A step could not be made. The message contains the time, the step size and what to try. */
export class StepError extends CastorError {
  override readonly name = "StepError";
  override readonly code = "step";
  constructor(
    message: string,
    /** Start of the failed step. */
    readonly t: number,
  ) {
    super(message);
  }
}

/**
 * An iteration that looks for a state or a fit does not converge, or a motion grows without end. The message says what grew since when, where
 * to start, or what to check.
 */
export class DivergenceError extends CastorError {
  override readonly name = "DivergenceError";
  override readonly code = "divergence";
}

/** Events repeat without end at one time: the laws that switch there contradict each other. */
export class ChatterError extends CastorError {
  override readonly name = "ChatterError";
  override readonly code = "chatter";
  constructor(
    message: string,
    /** Time of the events. */
    readonly t: number,
  ) {
    super(message);
  }
}

/** A loop cannot engage or release as requested. */
export class EngagementError extends CastorError {
  override readonly name = "EngagementError";
  override readonly code = "engagement";
}

/** A run exceeded a tolerance of its audit, or a state is not finite. */
export class AuditError extends CastorError {
  override readonly name = "AuditError";
  override readonly code = "audit";
}

/** Data cannot be expressed in the format of a file, e.g. a log with a number that is not finite, or saved data does not fit. */
export class FormatError extends CastorError {
  override readonly name = "FormatError";
  override readonly code = "format";
}

/** A folder, file or stream could not be written. The message has the path and the reason. No partial output remains. */
export class WriteError extends CastorError {
  override readonly name = "WriteError";
  override readonly code = "write";
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
  else if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    text = valueText(Array.from((value as Float64Array).subarray(0, 10)), depth);
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
