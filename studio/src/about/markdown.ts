/**
 * Converts the Markdown of the scenario pages to elements: headings, paragraphs, lists, code, tables, emphasis, links. Text is inserted as
 * text, never as markup.
 */
import { h } from "../elements/dom.ts";

/** @param level of the first heading; the others follow from it */
export function markdownElements(text: string, level = 2): HTMLElement[] {
  const lines = text.split(/\r?\n/);
  const first = /^#{1,4} /m.exec(text)?.[0].trim().length ?? 1;
  const blocks: HTMLElement[] = [];
  let index = 0;
  const takeWhile = (accepts: (line: string) => boolean): string[] => {
    const start = index;
    while (index < lines.length && accepts(lines[index]!)) index++;
    return lines.slice(start, index);
  };
  while (index < lines.length) {
    const line = lines[index]!;
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (line.trim() === "") index++;
    else if (heading) {
      index++;
      blocks.push(h(`h${Math.max(level, Math.min(6, heading[1]!.length - first + level))}` as "h2", {}, ...inline(heading[2]!)));
    } else if (line.startsWith("```")) {
      index++;
      const code = takeWhile((l) => !l.startsWith("```"));
      index++;
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
  const row = (texts: readonly string[], tag: "th" | "td"): HTMLElement =>
    h("tr", {}, ...texts.map((cell, i) => h(tag, { class: alignment[i] ?? "" }, ...inline(cell))));
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
  let start = 0;
  for (const match of text.matchAll(INLINE)) {
    const [matched, code, strong, starred, underscored, label, address, bare] = match;
    parts.push(text.slice(start, match.index));
    start = match.index + matched.length;
    if (code !== undefined) parts.push(h("code", {}, code));
    else if (strong !== undefined) parts.push(h("strong", {}, strong));
    else if (label !== undefined) parts.push(link(label, address!));
    else if (bare !== undefined) parts.push(link(bare, bare));
    else parts.push(h("em", {}, (starred ?? underscored)!));
  }
  return [...parts, text.slice(start)].filter((part) => part !== "");
}

/** A link to a web address. Links to files of the repository become plain text: the files are not next to the page. */
const link = (label: string, address: string): HTMLElement | string =>
  /^https?:\/\//.test(address) ? h("a", { href: address, target: "_blank", rel: "noreferrer noopener" }, label) : label;
