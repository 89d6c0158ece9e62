/** Corrects the text of a file that cannot be read: beside its problems, with line numbers. */

import { download } from "../files/download.ts";
import { openFilesButton } from "../files/drop.ts";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import type { Studio } from "../studio.ts";
import { h, replaceContent } from "./dom.ts";

/** Larger files are not shown for editing, characters. */
const MAX_TEXT = 1_000_000;

export class FileEditor {
  readonly element = h("div", { class: "file-editor" });
  readonly #studio: Studio;
  #text: HTMLTextAreaElement | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Shows a file of the source. @param lines lines with problems, from 1 */
  show(source: ScenarioSource, file: string, lines: readonly number[]): void {
    const content = file === source.path ? source.text : (source.files[file] ?? "");
    const isLarge = content.length > MAX_TEXT;
    const numbers = h("pre", { class: "numbers", "aria-hidden": "true" });
    const text = h("textarea", {
      ...{ spellcheck: "false", autocapitalize: "off", wrap: "off", "aria-label": `Text of ${file}`, readonly: isLarge },
    });
    text.value = isLarge ? `${content.slice(0, MAX_TEXT)}\n... (the file is too long to be edited here)` : content;
    this.#text = text;
    const count = (): void => {
      const rows = text.value.split("\n").length;
      replaceContent(
        numbers,
        ...Array.from({ length: rows }, (_, i) => h("span", { class: lines.includes(i + 1) ? "wrong" : "" }, `${i + 1}\n`)),
      );
    };
    count();
    text.addEventListener("input", count);
    text.addEventListener("scroll", () => {
      numbers.scrollTop = text.scrollTop;
    });
    text.addEventListener("keydown", (event) => {
      event.stopPropagation(); // keys belong to the text, also undo
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#read(source, file);
    });
    const read = h("button", { type: "button", class: "plain main", onclick: () => this.#read(source, file) }, "Read again");
    read.title = "Read the corrected text (Ctrl+Enter)";
    const save = h(
      "button",
      { type: "button", class: "plain", onclick: () => download(baseName(file), text.value) },
      "Save text",
    );
    replaceContent(
      this.element,
      h(
        "div",
        { class: "editor-tools" },
        h("b", {}, file),
        h("span", { class: "gap" }),
        !isLarge && read,
        save,
        openFilesButton(this.#studio, "Open another file"),
      ),
      h("div", { class: "editor-text" }, numbers, text),
    );
    if (lines[0] !== undefined) requestAnimationFrame(() => this.goTo(lines[0]!));
  }

  /** Moves the cursor to a line. */
  goTo(line: number): void {
    const text = this.#text;
    if (!text) return;
    const rows = text.value.split("\n");
    const start = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    text.focus({ preventScroll: true });
    text.setSelectionRange(start, start + (rows[line - 1]?.length ?? 0));
    text.scrollTop = Math.max(0, (line - 6) * (text.scrollHeight / rows.length));
  }

  #read(source: ScenarioSource, file: string): void {
    const text = this.#text!.value;
    const files = Object.hasOwn(source.files, file) ? { ...source.files, [file]: text } : source.files;
    const own = baseName(source.path);
    const isMain = file === source.path;
    this.#studio.open({
      ...source,
      builtIn: false,
      text: isMain ? text : source.text,
      files: isMain && Object.hasOwn(files, own) ? { ...files, [own]: text } : files,
    });
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The file of the source that a message names: its path, or the key in `files`. */
export function fileInSource(source: ScenarioSource, name: string | undefined): string {
  if (name === undefined || name === source.path) return source.path;
  return Object.keys(source.files).find((file) => name === file || name.endsWith(`/${file}`)) ?? source.path;
}
