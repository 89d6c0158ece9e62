/**
 * Conditions on channels, such as `q.waist < 0` or `2 * (energy.kinetic + 1) >= energy.potential`: a comparison of two sums. A recursive
 * descent parser turns the text into nested functions, so a file can compute with channels but cannot run code.
 *
 *     comparison = sum ("<" | "<=" | ">" | ">=") sum
 *     sum        = product { ("+" | "-") product }
 *     product    = factor { ("*" | "/") factor }
 *     factor     = "-" factor | "(" sum ")" | number | channel
 *
 * Names may contain "-", so a minus sign after a name needs a space before it. A name with other special characters is put in quotation
 * marks: "q.left arm".
 */

import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";

export interface Condition {
  /** The text in the file. */
  readonly text: string;
  /** Names of its channels, each once. */
  readonly channels: readonly string[];
  /** Margin from the values of `channels`: positive if the condition is false, negative if it is true. */
  margin(values: Float64Array): number;
}

/** Syntax error of a condition. */
export interface ConditionProblem {
  readonly message: string;
  readonly advice?: string;
}

type ConditionTerm = (values: Float64Array) => number;

const LONGEST_CONDITION = 500;
const DEEPEST_NESTING = 50;

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const OPERATOR = /<=|>=|[-+*/()<>]/y;
const NAME = /[^\s"+*/()<>=-][^\s"+*/()<>=]*/y;
const QUOTED = /"([^"]*)"/y;

type ConditionToken = { readonly kind: "number" | "name" | "operator"; readonly text: string };

class ConditionError extends Error {
  constructor(readonly problem: ConditionProblem) {
    super(problem.message);
  }
}

const fail = (message: string, advice?: string): never => {
  throw new ConditionError(advice === undefined ? { message } : { message, advice });
};

/** Parses a condition. Returns the problem if the text is not valid. The caller checks that the channels exist. */
export function parseCondition(text: string): Condition | ConditionProblem {
  try {
    return parseComparison(text);
  } catch (error) {
    if (error instanceof ConditionError) return error.problem;
    throw error;
  }
}

/** Parser of sums in a text, and the rest of the text after them. */
interface TermParser {
  /** Names that were used so far, each once. */
  readonly channels: string[];
  sum(): ConditionTerm;
  take<T extends string>(...operators: readonly T[]): T | undefined;
  next(): ConditionToken | undefined;
}

function termParser(text: string): TermParser {
  if (text.length > LONGEST_CONDITION) fail(`must have at most ${LONGEST_CONDITION} characters, this has ${text.length}`);
  const tokens = tokenize(text);
  const channels: string[] = [];
  let position = 0;
  let depth = 0;

  const peek = (): string | undefined => (tokens[position]?.kind === "operator" ? tokens[position]!.text : undefined);
  const take = <T extends string>(...operators: readonly T[]): T | undefined => {
    const operator = operators.find((o) => o === peek());
    if (operator !== undefined) position++;
    return operator;
  };

  function sum(): ConditionTerm {
    let left = product();
    for (let o = take("+", "-"); o !== undefined; o = take("+", "-")) {
      const [a, b] = [left, product()];
      left = o === "+" ? (v) => a(v) + b(v) : (v) => a(v) - b(v);
    }
    return left;
  }
  function product(): ConditionTerm {
    let left = factor();
    for (let o = take("*", "/"); o !== undefined; o = take("*", "/")) {
      const [a, b] = [left, factor()];
      left = o === "*" ? (v) => a(v) * b(v) : (v) => a(v) / b(v);
    }
    return left;
  }
  function factor(): ConditionTerm {
    if (++depth > DEEPEST_NESTING) fail(`is nested deeper than ${DEEPEST_NESTING} levels`);
    const value = innerFactor();
    depth--;
    return value;
  }
  function innerFactor(): ConditionTerm {
    if (take("-")) {
      const inner = factor();
      return (v) => -inner(v);
    }
    if (take("(")) {
      const inner = sum();
      if (!take(")")) fail("a bracket is not closed");
      return inner;
    }
    const token = tokens[position++];
    if (token?.kind === "number") {
      const number = Number(token.text);
      return () => number;
    }
    if (token?.kind !== "name") return fail(token ? `a number or a channel is missing before "${token.text}"` : "ends too early");
    let i = channels.indexOf(token.text);
    if (i < 0) i = channels.push(token.text) - 1;
    return (v) => v[i]!;
  }

  return { channels, sum, take, next: () => tokens[position] };
}

function parseComparison(text: string): Condition {
  const { channels, sum, take, next } = termParser(text);
  const left = sum();
  const comparison = take("<", "<=", ">", ">=");
  if (comparison === undefined && next()) fail(`"${next()!.text}" is unexpected`);
  if (comparison === undefined) return fail("must compare two values with <, <=, > or >=", 'For example "q.waist < 0"');
  const right = sum();
  const rest = next();
  if (rest) fail(`"${rest.text}" is unexpected`, adviceAfterComparison(rest));
  if (channels.length === 0) fail("must use at least one channel", 'For example "q.waist < 0"');
  return {
    text,
    channels,
    margin: comparison.startsWith("<") ? (v) => left(v) - right(v) : (v) => right(v) - left(v),
  };
}

/** A sum of channels. */
export interface Expression {
  readonly text: string;
  /** Names of its channels, each once. */
  readonly channels: readonly string[];
  value(values: Float64Array): number;
}

/** Parses a sum as in a condition, without a comparison. Returns the problem if the text is not valid. */
export function parseExpression(text: string): Expression | ConditionProblem {
  try {
    const { channels, sum, next } = termParser(text);
    const value = sum();
    const rest = next();
    if (rest) fail(`"${rest.text}" is unexpected`);
    return { text, channels, value };
  } catch (error) {
    if (error instanceof ConditionError) return error.problem;
    throw error;
  }
}

const adviceAfterComparison = ({ kind, text }: ConditionToken): string => {
  if (text === ")") return "There is no bracket to close";
  return kind === "name" ? "Write numbers in SI units and radians, without units" : "Write one comparison only";
};

function tokenize(text: string): ConditionToken[] {
  const tokens: ConditionToken[] = [];
  for (let at = 0; at < text.length; ) {
    const match = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found) at += found[0].length;
      return found?.[1] ?? found?.[0];
    };
    if (match(/\s+/y) !== undefined) continue;
    const number = match(NUMBER);
    const operator = number ?? match(OPERATOR);
    const name = operator ?? match(NAME) ?? match(QUOTED);
    if (name === undefined)
      return fail(`"${text[at]!}" is unexpected`, "Allowed are numbers, channels and + - * / ( ) < <= > >=");
    tokens.push({ kind: number !== undefined ? "number" : operator !== undefined ? "operator" : "name", text: name });
  }
  return tokens;
}

/** Parses the conditions of a list. `written`: the value in the file, one text or a list. */
export function parseConditions(
  texts: readonly (string | undefined)[],
  written: unknown,
  listPath: string,
  problems: Problem[],
): readonly Condition[] {
  return texts.flatMap((text, i) => {
    if (text === undefined) return []; // no text: reported already
    const condition = parseCondition(text);
    if ("margin" in condition) return [condition];
    const path = typeof written === "string" ? listPath : childPath(listPath, i);
    problems.push({ path, ...condition, value: valueText(text) });
    return [];
  });
}
