/** Drawings from outside, made safe for the page: rebuilt from allowed elements and attributes only. */
import { parseHTML } from "linkedom";
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

/** Original spelling by lower-case name: HTML parsers return names in lower case, but SVG names are case-sensitive. */
const SPELLING: ReadonlyMap<string, string> = new Map([...ELEMENTS, ...ATTRIBUTES].map((name) => [name.toLowerCase(), name]));

/** Maximum nesting; deeper elements are left out. Browsers stop nesting at 512. */
const DEEPEST_NESTING = 64;

/** The drawing as safe HTML. Its ids get a prefix to make them unique on the page. Empty if the text contains no svg element. */
export function safePicture(svg: string, prefix: string): Html {
  const root = parseHTML(`<!doctype html><html><body>${svg}</body></html>`).document.querySelector("svg");
  return root === null ? NOTHING : trusted(rebuildElement(root, prefix, 0));
}

function rebuildElement(element: Element, prefix: string, depth: number): string {
  const name = SPELLING.get(element.localName.toLowerCase());
  if (name === undefined || !ELEMENTS.has(name) || depth > DEEPEST_NESTING) return "";
  let attributes = "";
  for (const { name: attributeName, value } of element.attributes) {
    const attribute = SPELLING.get(attributeName.toLowerCase().replace(/^xlink:/, ""));
    const safe = attribute !== undefined && ATTRIBUTES.has(attribute) ? safeValue(attribute, value, prefix) : undefined;
    if (safe !== undefined) attributes += ` ${attribute}="${escapeHtml(safe)}"`;
  }
  let content = "";
  for (const node of element.childNodes) {
    if (node.nodeType === 1) content += rebuildElement(node as Element, prefix, depth + 1);
    else if (node.nodeType === 3) content += escapeHtml(node.textContent ?? "");
  }
  return `<${name}${attributes}>${content}</${name}>`;
}

/** The attribute value with references kept inside the drawing; undefined if the value could load or run something. */
function safeValue(attribute: string, value: string, prefix: string): string | undefined {
  if (attribute === "id") return prefix + value;
  if (attribute === "href") return value.startsWith("#") ? `#${prefix}${value.slice(1)}` : undefined;
  const inside = value.replace(/url\(\s*(["']?)#([^"')]*)\1\s*\)/g, (_, _quote, id: string) => `url(#${prefix}${id})`);
  return /url\((?!#)|javascript:|expression\(/i.test(inside) ? undefined : inside;
}
