/**
 * A strict and small reader of XML. Files may come from untrusted sources: there is no document type, no entity except the five that XML
 * predefines, and no reference to another file; size, depth and counts are limited before they cost time or memory.
 */
import { ModelError, valueText } from "../../errors.ts";
import { LARGEST_TEXT } from "../document.ts";
import { decodeReferences } from "./references.ts";
import type { XmlElement } from "./xml-element.ts";

/** Most nested elements: each body of an MJCF file is nested in its parent. */
const MOST_LEVELS = 1_000;
const MOST_ELEMENTS = 150_000;
const MOST_ATTRIBUTES = 200;
const LONGEST_NAME = 200;

const NAME = /[\p{L}_:][\p{L}\p{N}_:.-]*/uy;
const SPACE = /\s*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

interface OpenXmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  readonly text: string[];
  readonly line: number;
  readonly column: number;
}

/** The root element of a document. @throws ModelError at the first place that is not well formed or beyond a limit */
export function readXml(text: string, source: string): XmlElement {
  if (text.length > LARGEST_TEXT)
    throw new ModelError(source, [{ path: "", message: `is larger than ${LARGEST_TEXT / 2 ** 20} MiB` }]);
  return new XmlReader(text, source).read();
}

class XmlReader {
  private at = 0;
  private elements = 0;
  /** Line and column are counted while reading: `lineStart` is the offset of the current line. */
  private line = 1;
  private lineStart = 0;
  private counted = 0;
  private readonly open: OpenXmlElement[] = [];
  private root: XmlElement | undefined;

  constructor(
    private readonly text: string,
    private readonly source: string,
  ) {}

  read(): XmlElement {
    const forbidden = FORBIDDEN.exec(this.text);
    if (forbidden !== null) this.fail(forbidden.index, "a control character is not XML", undefined, valueText(forbidden[0]));
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1;
    while (this.at < this.text.length) {
      if (this.text[this.at] === "<") this.readMarkup();
      else this.readText();
    }
    const unclosed = this.open.at(-1);
    if (unclosed !== undefined)
      this.fail(this.text.length, `the file ends inside <${unclosed.name}>, which starts in line ${unclosed.line}`, TRUNCATED);
    return this.root ?? this.fail(0, "has no element", "An XML file has one root element, e.g. <robot>");
  }

  private readMarkup(): void {
    const { text, at } = this;
    if (text.startsWith("<!--", at)) this.skipTo("-->", at + 4, "a comment");
    else if (text.startsWith("<?", at)) this.skipTo("?>", at + 2, "an instruction <?");
    else if (text.startsWith("<![CDATA[", at)) this.readCharacterData();
    else if (text.startsWith("<!", at))
      this.fail(at, "a document type or declaration <! is not read", "Remove it, and write entities out");
    else if (text.startsWith("</", at)) this.readEndTag();
    else this.readStartTag();
  }

  private skipTo(end: string, from: number, what: string): number {
    const found = this.text.indexOf(end, from);
    if (found < 0) this.fail(this.at, `${what} is not closed by ${end}`, TRUNCATED);
    this.at = found + end.length;
    return found;
  }

  private readText(): void {
    const next = this.text.indexOf("<", this.at);
    const end = next < 0 ? this.text.length : next;
    const raw = this.text.slice(this.at, end);
    const inside = this.open.at(-1);
    if (raw.trim() !== "") {
      if (inside === undefined)
        this.fail(this.at + raw.search(/\S/), "there is text outside of the root element", undefined, valueText(raw.trim()));
      inside.text.push(this.decoded(raw, this.at));
    }
    this.at = end;
  }

  private readCharacterData(): void {
    const start = this.at + "<![CDATA[".length;
    const inside = this.open.at(-1);
    if (inside === undefined) this.fail(this.at, "there is text outside of the root element");
    inside.text.push(this.text.slice(start, this.skipTo("]]>", start, "<![CDATA[")));
  }

  private readStartTag(): void {
    const start = this.at;
    const { line, column } = this.position(start);
    this.at++;
    const name = this.readName("an element");
    if (this.root !== undefined) this.fail(start, `<${name}> is a second root element`, "An XML file has one root element");
    if (++this.elements > MOST_ELEMENTS) this.fail(start, `has more than ${MOST_ELEMENTS} elements`);
    if (this.open.length >= MOST_LEVELS) this.fail(start, `is nested deeper than ${MOST_LEVELS} levels`);
    const attributes = this.readAttributes(name);
    const element: OpenXmlElement = { name, attributes, children: [], text: [], line, column };
    if (this.text.startsWith("/>", this.at)) {
      this.at += 2;
      this.close(element);
    } else {
      this.at++; // the >
      this.open.push(element);
    }
  }

  /** Attributes up to > or />. */
  private readAttributes(element: string): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (;;) {
      const hadSpace = this.skipSpace();
      const next = this.text[this.at];
      if (next === ">" || this.text.startsWith("/>", this.at)) return attributes;
      if (next === undefined) this.fail(this.at, `the file ends inside the tag <${element}`, TRUNCATED);
      if (!hadSpace) this.fail(this.at, `the tag <${element} has an unexpected character`, undefined, valueText(next));
      const at = this.at;
      const name = this.readName(`an attribute of <${element}>`);
      if (attributes.has(name)) this.fail(at, `<${element}> has the attribute ${name} twice`, "Remove one of them");
      if (attributes.size >= MOST_ATTRIBUTES) this.fail(at, `<${element}> has more than ${MOST_ATTRIBUTES} attributes`);
      attributes.set(name, this.readValue(element, name));
    }
  }

  private readValue(element: string, name: string): string {
    const what = `the attribute ${name} of <${element}>`;
    this.skipSpace();
    if (this.text[this.at] !== "=") this.fail(this.at, `${what} has no value`, `Write ${name}="..."`);
    this.at++;
    this.skipSpace();
    const quote = this.text[this.at];
    if (quote !== '"' && quote !== "'") this.fail(this.at, `the value of ${what} is not in quotes`, `Write ${name}="..."`);
    const start = this.at + 1;
    const end = this.text.indexOf(quote, start);
    const raw = this.text.slice(start, end < 0 ? this.text.length : end);
    const bracket = raw.indexOf("<");
    if (end < 0 || bracket >= 0)
      this.fail(bracket >= 0 ? start + bracket : this.at, `the value of ${what} is not closed by ${quote} before the next <`);
    this.at = end + 1;
    return this.decoded(raw.replace(/[\t\r\n]/g, " "), start);
  }

  private readEndTag(): void {
    const start = this.at;
    this.at += 2;
    const name = this.readName("an end tag");
    this.skipSpace();
    if (this.text[this.at] !== ">") this.fail(start, `the end tag </${name} is not closed by >`);
    this.at++;
    const element = this.open.pop();
    if (element === undefined) this.fail(start, `</${name}> closes nothing`, "Remove it");
    if (element.name !== name)
      this.fail(start, `</${name}> does not close <${element.name}>, which starts in line ${element.line}`);
    this.close(element);
  }

  private close({ name, attributes, children, text, line, column }: OpenXmlElement): void {
    const closed: XmlElement = { name, attributes, children, text: text.join("").trim(), line, column };
    const parent = this.open.at(-1);
    if (parent === undefined) this.root = closed;
    else parent.children.push(closed);
  }

  private readName(what: string): string {
    NAME.lastIndex = this.at;
    const name = NAME.exec(this.text)?.[0];
    if (name === undefined)
      this.fail(this.at, `${what} has no name`, "A < in text is written &lt;", valueText(this.text.slice(this.at, this.at + 10)));
    if (name.length > LONGEST_NAME) this.fail(this.at, `the name of ${what} has more than ${LONGEST_NAME} characters`);
    this.at += name.length;
    return name;
  }

  private skipSpace(): boolean {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    const moved = SPACE.lastIndex > this.at;
    this.at = SPACE.lastIndex;
    return moved;
  }

  private decoded(raw: string, start: number): string {
    return decodeReferences(raw, (offset, message, advice) => this.fail(start + offset, message, advice));
  }

  /** Line and column of an offset. Offsets of start tags increase, so each line is counted once. */
  private position(offset: number): { line: number; column: number } {
    if (offset < this.counted) return positionIn(this.text, offset);
    for (let i = this.text.indexOf("\n", this.counted); i >= 0 && i < offset; i = this.text.indexOf("\n", i + 1)) {
      this.line++;
      this.lineStart = i + 1;
    }
    this.counted = offset;
    return { line: this.line, column: offset - this.lineStart + 1 };
  }

  private fail(offset: number, message: string, advice?: string, value?: string): never {
    const { line, column } = positionIn(this.text, offset);
    const problem = { path: "", message, ...(advice !== undefined && { advice }), ...(value !== undefined && { value }) };
    throw new ModelError(this.source, [{ ...problem, line, column }]);
  }
}

const TRUNCATED = "The file is truncated or damaged";

function positionIn(text: string, offset: number): { line: number; column: number } {
  let [line, start] = [1, 0];
  for (let i = text.indexOf("\n"); i >= 0 && i < offset; i = text.indexOf("\n", i + 1)) {
    line++;
    start = i + 1;
  }
  return { line, column: offset - start + 1 };
}
