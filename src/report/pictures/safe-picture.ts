/** Drawings from outside, made safe for the page: rebuilt from allowed elements and attributes only. */
import { escapeHtml, type Html, NOTHING, trusted } from "../page/html.ts";

const ELEMENTS: ReadonlySet<string> = new Set([
  ..."svg g defs symbol use title desc text tspan".split(" "),
  ..."path line polyline polygon rect circle ellipse".split(" "),
  ..."linearGradient radialGradient stop marker clipPath mask pattern".split(" "),
]);

const ATTRIBUTES: ReadonlySet<string> = new Set([
  ..."id viewBox preserveAspectRatio x y x1 y1 x2 y2 cx cy r rx ry width height d points dx dy fx fy transform".split(" "),
  ..."fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray".split(" "),
  ..."stroke-dashoffset stroke-miterlimit opacity color vector-effect clip-path clip-rule mask visibility display".split(" "),
  ..."font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing".split(" "),
  ..."offset stop-color stop-opacity gradientUnits gradientTransform patternUnits patternTransform clipPathUnits".split(" "),
  ..."markerWidth markerHeight markerUnits orient refX refY marker-start marker-mid marker-end href".split(" "),
]);

/** Original spelling by lower-case name: names are compared in lower case, but SVG names are case-sensitive. */
const SPELLING: ReadonlyMap<string, string> = new Map([...ELEMENTS, ...ATTRIBUTES].map((name) => [name.toLowerCase(), name]));

/** Maximum nesting; deeper elements are left out. Browsers stop nesting at 512. */
const DEEPEST_NESTING = 64;

/**
 * Comment, declaration, script or style with its text, end tag, start tag, text. What matches none of these is text. The page gets nothing of
 * the drawing itself: names are looked up, values are escaped. So a text that confuses this reader cannot become another page.
 */
const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(script|style)\b[\s\S]*?(?:<\/\1[^>]*>|$)|<\/([a-z][\w:-]*)[^>]*>|<([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>|[^<]+|</gi;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;

/** An element that is not closed yet. `endTag` is empty for elements that are left out. */
interface OpenElement {
  readonly name: string;
  readonly endTag: string;
}

/** The drawing as safe HTML. Its ids get a prefix to make them unique on the page. Empty if the text contains no svg element. */
export function safePicture(svg: string, prefix: string): Html {
  let drawing = "";
  const open: OpenElement[] = [];
  const closeDownTo = (depth: number): void => {
    while (open.length > depth) drawing += open.pop()!.endTag;
  };
  for (const [token, , ended, started, attributes = ""] of svg.matchAll(TOKEN)) {
    const isShown = open.at(-1)?.endTag !== "";
    if (started !== undefined) {
      const name = started.toLowerCase();
      if (open.length === 0 && name !== "svg") continue;
      const element = SPELLING.get(name);
      const isAllowed = isShown && element !== undefined && ELEMENTS.has(element) && open.length <= DEEPEST_NESTING;
      if (isAllowed) drawing += `<${element}${safeAttributes(attributes, prefix)}>`;
      open.push({ name, endTag: isAllowed ? `</${element}>` : "" });
      if (/\/\s*$/.test(attributes)) closeDownTo(open.length - 1);
    } else if (ended !== undefined) {
      const depth = open.findLastIndex(({ name }) => name === ended.toLowerCase());
      if (depth >= 0) closeDownTo(depth);
    } else if (open.length > 0 && isShown && (token === "<" || !token.startsWith("<"))) drawing += escapeHtml(plainText(token));
    if (open.length === 0 && drawing !== "") break;
  }
  closeDownTo(0);
  return drawing === "" ? NOTHING : trusted(drawing);
}

function safeAttributes(text: string, prefix: string): string {
  let attributes = "";
  for (const [, name, doubleQuoted, singleQuoted, bare] of text.matchAll(ATTRIBUTE)) {
    const attribute = SPELLING.get(name!.toLowerCase().replace(/^xlink:/, ""));
    const value = plainText((doubleQuoted ?? singleQuoted ?? bare)!);
    const safe = attribute !== undefined && ATTRIBUTES.has(attribute) ? safeValue(attribute, value, prefix) : undefined;
    if (safe !== undefined) attributes += ` ${attribute}="${escapeHtml(safe)}"`;
  }
  return attributes;
}

const NAMED_CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const LARGEST_CODE_POINT = 0x10ffff;

/** Text without character references; those with other names are kept as they are. */
const plainText = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (reference, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_CHARACTERS[name] ?? reference;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= LARGEST_CODE_POINT ? String.fromCodePoint(code) : reference;
  });

/** The attribute value with references kept inside the drawing; undefined if the value could load or run something. */
function safeValue(attribute: string, value: string, prefix: string): string | undefined {
  if (attribute === "id") return prefix + value;
  if (attribute === "href") return value.startsWith("#") ? `#${prefix}${value.slice(1)}` : undefined;
  const inside = value.replace(/url\(\s*(["']?)#([^"')]*)\1\s*\)/g, (_, _quote, id: string) => `url(#${prefix}${id})`);
  return /url\((?!#)|javascript:|expression\(/i.test(inside) ? undefined : inside;
}
