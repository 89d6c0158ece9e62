/**
 * YAML and JSON text to plain data, with the line of every value. Text may come from untrusted sources: its size, depth and number of lexemes
 * are limited before they cost time or memory, and nothing in it is executed, referenced or expanded.
 */
import type { CST, Document, ParsedNode } from "yaml";
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from "yaml";
import { childPath } from "../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { textKindProblem } from "./foreign-kind.ts";
import { oversizedProblem, unindentedKeys } from "./oversized.ts";
import type { ImportedModel } from "./robot/imported-model.ts";

export const LARGEST_TEXT = 16 * 2 ** 20;
/** The keys of longer texts are searched line by line. */
const LONG_TEXT = 200_000;
const MOST_LEVELS = 64;
/** Largest number of lexemes of a text; a model of 10,000 bodies has two million. */
const MOST_LEXEMES = 4_000_000;
const MOST_SYNTAX_PROBLEMS = 50;

/** Version of the format: the optional root key `castor`. */
export const FORMAT_VERSION = 1;

export interface SourceDocument {
  /** Plain data without the header keys. */
  readonly data: unknown;
  /** Problems of well-formed text that is not accepted: duplicate keys, aliases, an unknown version. */
  readonly problems: readonly Problem[];
  /** Warnings of the reader, with their lines. */
  readonly warnings?: readonly Problem[];
  /** What a robot file has beside its model. */
  readonly imported?: ImportedModel;
  /** The problem with the line and column of its path. */
  locate(problem: Problem): Problem;
  /** The error of the document, its problems in the order of the text. */
  error(problems: readonly Problem[]): ModelError;
}

/** @throws ModelError if the text is not well formed or beyond the limits. */
export function readDocument(text: string, source: string): SourceDocument {
  const refuse = (problem: Omit<Problem, "path">): never => {
    throw new ModelError(source, [{ path: "", ...problem }]);
  };
  if (typeof text !== "string") return refuse({ message: "must be text", value: valueText(text) });
  if (text.length > LARGEST_TEXT) return refuse({ message: `is larger than ${LARGEST_TEXT / 2 ** 20} MiB` });
  const oversized = oversizedProblem(text);
  if (oversized !== undefined) throw new ModelError(source, [oversized]);
  const lines = new LineCounter();
  const { document, problems: syntax } = parseSyntax(text, lines);
  const isMapping = isMap(document?.contents);
  const foreign = syntax.length > 0 || !isMapping ? textKindProblem(text, source) : undefined;
  if (foreign !== undefined) throw new ModelError(source, [foreign]);
  if (syntax.length > 0 || document === undefined) throw new ModelError(source, syntax);
  const problems: Problem[] = [];
  const data = withoutHeader(plainDataOf(document.contents, "", lines, problems), problems);
  const locate = (problem: Problem): Problem => ({ ...problem, ...linePosition(document.contents, problem.path, lines) });
  const error = (all: readonly Problem[]): ModelError => {
    const locatedProblems = all.map((p) => (p.line === undefined ? locate(p) : p));
    return new ModelError(
      source,
      locatedProblems.sort((a, b) => a.line! - b.line! || a.column! - b.column!),
    );
  };
  return { data, problems, locate, error };
}

/** The keys at the root, including the header; for text that is not well formed, those before the error. */
export function rootKeys(text: string): readonly string[] {
  if (text.length > LARGEST_TEXT) return [];
  if (text.length > LONG_TEXT) return [...new Set(unindentedKeys(text))];
  const contents = parseSyntax(text, new LineCounter()).document?.contents;
  return isMap(contents) ? contents.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : [])) : [];
}

/** The data without the keys about the file: its version, and the schema for editors. */
function withoutHeader(data: unknown, problems: Problem[]): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const { castor: version, $schema, ...rest } = data as Record<string, unknown>;
  if (version !== undefined && version !== FORMAT_VERSION) {
    const advice = `This version of Castor reads castor: ${FORMAT_VERSION}`;
    problems.push({ path: "castor", message: "unknown format version", value: valueText(version), advice });
  }
  return rest;
}

/** Thrown to stop the parser at a limit, or after too many problems. */
class ParseStopped extends Error {}

function parseSyntax(text: string, lines: LineCounter): { document: Document.Parsed | undefined; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const note = (offset: number, message: string, advice?: string): void => {
    if (problems.length === MOST_SYNTAX_PROBLEMS) throw new ParseStopped();
    const { line, col } = lines.linePos(offset);
    problems.push({ path: "", message, line, column: col, ...(advice !== undefined && { advice }) });
  };
  const composer = new Composer({
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
    resolveKnownTags: false,
    logLevel: "silent",
  });
  // The composer keeps an Error of a kilobyte for every syntax error, without limit and without a hook. This replacement counts them.
  Object.assign(composer, {
    onError: (position: number | readonly number[] | CST.Token, code: string, message: string) =>
      note(offsetOf(position), PARSER_MESSAGES[code] ?? message),
  });
  let document: Document.Parsed | undefined;
  try {
    for (const next of composer.compose(guardedTokens(text, lines, note), true, text.length)) {
      if (document !== undefined) note(next.range[0], "holds several documents", "Keep one, without --- lines between");
      document ??= next as Document.Parsed;
    }
    for (const { pos, message } of document?.errors ?? []) note(pos[0], message);
    if (document?.directives.yaml.explicit && document.directives.yaml.version !== "1.2") note(0, "must be YAML 1.2");
  } catch (error) {
    if (!(error instanceof ParseStopped)) throw error;
    if (problems.length === MOST_SYNTAX_PROBLEMS)
      problems.push({ path: "", message: "there are more problems; reading stopped here" });
  }
  return { document, problems };
}

/** Clearer messages for some codes of the parser. */
const PARSER_MESSAGES: Readonly<Record<string, string>> = {
  NON_STRING_KEY: "a key must be text",
  BLOCK_AS_IMPLICIT_KEY: "a key and its value do not fit here; check the indentation and the colons",
  TAG_RESOLVE_FAILED: "this tag is not accepted",
  TAB_AS_INDENT: "is indented with a tab; use spaces",
};

const offsetOf = (position: number | readonly number[] | CST.Token): number =>
  typeof position === "number" ? position : Array.isArray(position) ? (position[0] as number) : (position as CST.Token).offset;

/** Syntax tokens of the text, up to the first beyond the limits. */
function* guardedTokens(text: string, lines: LineCounter, note: (offset: number, message: string) => void): Generator<CST.Token> {
  const stop = (offset: number, message: string): never => {
    note(offset, message);
    throw new ParseStopped();
  };
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let parts = 0;
  let documentEnds = 0;
  function* accepted(tokens: Iterable<CST.Token>): Generator<CST.Token> {
    for (const token of tokens) {
      if (token.type === "error") note(token.offset, token.message);
      else if (token.type === "doc-end" && ++documentEnds > 1) stop(token.offset, "holds several document ends");
      else yield token;
    }
  }
  for (const lexeme of new Lexer().lex(text)) {
    yield* accepted(parser.next(lexeme));
    if (parser.stack.length > MOST_LEVELS + 2) stop(parser.offset, `is nested deeper than ${MOST_LEVELS} levels`);
    if (++parts > MOST_LEXEMES) stop(parser.offset, `has more than ${MOST_LEXEMES} parts`);
  }
  yield* accepted(parser.end());
}

/** Plain data of a node. Objects have no prototype, so a key `__proto__` is a key like any other. */
function plainDataOf(node: ParsedNode | null, path: string, lines: LineCounter, problems: Problem[]): unknown {
  const note = (at: ParsedNode, problem: Omit<Problem, "line" | "column">): void => {
    const { line, col } = lines.linePos(at.range[0]);
    problems.push({ ...problem, line, column: col });
  };
  if (node === null) return null;
  if (isAlias(node)) {
    note(node, { path, message: "aliases are not accepted", value: valueText(`*${node.source}`), advice: "Write the value out" });
    return undefined;
  }
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map((item, i) => plainDataOf(item as ParsedNode, childPath(path, i), lines, problems));
  const data: Record<string, unknown> = Object.create(null);
  if (!isMap(node)) return data;
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    const at = childPath(path, name);
    if (Object.hasOwn(data, name)) note(key, { path: at, message: "the key is given twice", value: valueText(name) });
    data[name] = plainDataOf(value, at, lines, problems);
  }
  return data;
}

/** Line and column of the value at a path, or of the innermost enclosing value. A block is located by its key. */
function linePosition(root: ParsedNode | null, path: string, lines: LineCounter): { line: number; column: number } {
  let node = root;
  let offset = root?.range[0] ?? 0;
  for (const segment of pathSegments(path)) {
    if (isSeq(node)) {
      node = (node.items[Number(segment)] as ParsedNode | undefined) ?? null;
      offset = node?.range[0] ?? offset;
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
      node = pair?.value ?? null;
      const shownNode = isScalar(node) && node.value !== null ? node : pair?.key;
      offset = shownNode?.range[0] ?? offset;
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

const SEGMENT = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|[^.[\]]+/g;

/** The keys of a path as `childPath` writes it. */
export function pathSegments(path: string): readonly string[] {
  return Array.from(
    path.matchAll(SEGMENT),
    ([text, index, quoted]) => index ?? (quoted === undefined ? text : String(JSON.parse(quoted))),
  );
}
