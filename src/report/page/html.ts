/** HTML templates that escape every value, unless the value is HTML itself. */

const HTML = Symbol("html");

/** Text that is known to be safe HTML, because `html` or `trusted` made it. */
export interface Html {
  readonly [HTML]: string;
}

type TemplateValue = string | number | Html | readonly Html[];

/** Template tag: escapes the values. */
export function html(texts: TemplateStringsArray, ...parts: readonly TemplateValue[]): Html {
  let text = texts[0]!;
  for (let i = 0; i < parts.length; i++) text += valueHtml(parts[i]!) + texts[i + 1]!;
  return { [HTML]: text };
}

/** Marks markup, style or script of this package as safe. Never use it for text from a file. */
export const trusted = (text: string): Html => ({ [HTML]: text });

export const NOTHING: Html = { [HTML]: "" };

export const htmlText = (part: Html): string => part[HTML];

function valueHtml(part: TemplateValue): string {
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return HTML in part ? part[HTML] : part.map(htmlText).join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNKNOWN_TO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Replaces characters that are not allowed in XML and HTML. */
export const xmlSafeText = (text: string): string => text.replace(UNKNOWN_TO_XML, "\ufffd");

/** Escapes text for element content and for quoted attributes. */
export const escapeHtml = (text: string): string => xmlSafeText(text).replace(/[&<>"']/g, (c) => ENTITIES[c]!);

/** Data for `<script type="application/json">`. `<` is escaped, so that no text can end the element or begin a comment. */
export const jsonScript = (value: unknown): Html => trusted(JSON.stringify(value).replace(/</g, "\\u003c"));
