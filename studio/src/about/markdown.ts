/**
 * Converts the Markdown of the scenario pages to elements: headings, paragraphs, lists, code, tables, emphasis, links. Text is inserted as
 * text, never as markup.
 */
import { h } from "../elements/dom.ts";

export function markdownElements(text: string): HTMLElement[] {
  const lines = text.split(/\r?\n/);
  const blocks: HTMLElement[] = [];
  let at = 0;
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at]!)) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (line.trim() === "") at++;
    else if (heading) {
      at++;
      blocks.push(h(`h${Math.min(4, heading[1]!.length + 1)}` as "h2", {}, ...inline(heading[2]!)));
    } else if (line.startsWith("```")) {
      at++;
      const code = takeWhile((l) => !l.startsWith("```"));
      at++;
      blocks.push(h("pre", {}, h("code", {}, code.join("\n"))));
    } else if (/^ {4}\S/.test(line)) {
      const code = takeWhile((l) => /^ {4}/.test(l) || l.trim() === "");
      blocks.push(
        h(
          "pre",
          {},
          h(
            "code",
            {},
            code
              .map((l) => l.slice(4))
              .join("\n")
              .trimEnd(),
          ),
        ),
      );
    } else if (line.startsWith("|")) blocks.push(table(takeWhile((l) => l.startsWith("|"))));
    else if (BULLET.test(line)) blocks.push(list(takeWhile((l) => BULLET.test(l) || /^ {2,}\S/.test(l))));
    else blocks.push(h("p", {}, ...inline(takeWhile(isParagraph).join(" "))));
  }
  return blocks;
}

const BULLET = /^(?:[-*]|\d+\.) /;
const isParagraph = (line: string): boolean => line.trim() !== "" && !/^(#{1,4} |```|\|)/.test(line) && !BULLET.test(line);

function list(lines: readonly string[]): HTMLElement {
  const items: string[] = [];
  for (const line of lines)
    if (BULLET.test(line)) items.push(line.replace(BULLET, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  return h(/^\d/.test(lines[0]!) ? "ol" : "ul", {}, ...items.map((item) => h("li", {}, ...inline(item))));
}

function table(lines: readonly string[]): HTMLElement {
  const cells = lines.map((line) =>
    line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim()),
  );
  const [head = [], rule = [], ...rows] = cells;
  const alignment = rule.map((cell) => (cell.endsWith(":") ? "number" : ""));
  const row = (of: readonly string[], tag: "th" | "td"): HTMLElement =>
    h("tr", {}, ...of.map((cell, i) => h(tag, { class: alignment[i] ?? "" }, ...inline(cell))));
  return h(
    "div",
    { class: "table", tabindex: "0", role: "group", "aria-label": "Table" },
    h("table", {}, h("thead", {}, row(head, "th")), h("tbody", {}, ...rows.map((r) => row(r, "td")))),
  );
}

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|_([^_\s][^_]*)_(?!\w)|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:\/\/[^>\s]+)>/g;

function inline(text: string): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, star, under, words, address, bare] = match;
    parts.push(text.slice(from, match.index));
    from = match.index + whole.length;
    if (code !== undefined) parts.push(h("code", {}, code));
    else if (strong !== undefined) parts.push(h("strong", {}, strong));
    else if (words !== undefined) parts.push(link(words, address!));
    else if (bare !== undefined) parts.push(link(bare, bare));
    else parts.push(h("em", {}, (star ?? under)!));
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** A link to a web address. Links to files of the repository become plain text: the files are not next to the page. */
const link = (words: string, address: string): HTMLElement | string =>
  /^https?:\/\//.test(address) ? h("a", { href: address, target: "_blank", rel: "noreferrer noopener" }, words) : words;
