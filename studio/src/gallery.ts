/** The built-in scenarios, each a card that opens it. */
import { fill, h } from "./dom.ts";
import { openButton } from "./drop.ts";
import type { BuiltIn } from "./library.ts";
import type { Studio } from "./studio.ts";

export function showGallery(host: HTMLElement, studio: Studio): void {
  studio.store.watch(["library"], ({ library }) => {
    fill(
      host,
      h(
        "div",
        { class: "lead" },
        h("p", {}, "Choose a machine, or drop a model, a scenario or a log onto the page."),
        openButton(studio, "Open files"),
      ),
      h("ul", { class: "cards" }, ...library.map(card)),
    );
  });
}

function card({ name, files }: BuiltIn): HTMLElement {
  const address = `#/scenario/${encodeURIComponent(name)}`;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card", href: address, "data-scenario": name },
      h("b", {}, name),
      h("span", {}, aboutOf(files["scenario.yaml"] ?? "")),
    ),
  );
}

/** The line `about` of the file, without reading the rest of it. */
const aboutOf = (text: string): string => /^about:\s*(.*)$/m.exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, "$2") ?? "";
