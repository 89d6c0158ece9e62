/** The palette (Ctrl+K) finds scenarios, actions, channels and bodies by a few letters. `?` shows the keys. */
import { matchesSearch } from "castor/scenario";
import { addChannel } from "../plots/plot-list.ts";
import { saveRunCsv } from "../plots/plot-menu.ts";
import { redo, reset, undo } from "../state/changes.ts";
import { currentRun } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { h, replaceContent } from "./dom.ts";
import type { FoldablePart } from "./splitter.ts";

interface PaletteCommand {
  readonly text: string;
  readonly kind: string;
  run(): void;
}

const MAX_SHOWN = 60;

const KEYS: readonly (readonly [string, string])[] = [
  ["Ctrl+K", "find scenarios, actions, channels, bodies"],
  ["?", "these keys"],
  ["space", "play and pause"],
  ["left, right", "one sample back or forward; with shift, ten samples"],
  ["Home, End", "go to the start, go to the end"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo and redo a change"],
  ["up, down in a number", "change the last written digit; with shift, by ten"],
  ["W, A, S, D, +, -, F", "in the scene: rotate, zoom, fit"],
  ["1 to 7", "in the scene: front, back, left, right, top, bottom, oblique view"],
  ["arrows on a splitter, Enter", "change the size of a part, fold it"],
  ["Escape", "close a window; in a field, restore the previous value"],
];

export function commandPalette(studio: Studio, fold: (part: FoldablePart) => void): HTMLElement {
  const input = h("input", {
    type: "search",
    placeholder: "Find a scenario, action, channel or body",
    "aria-label": "Find a command",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    "aria-autocomplete": "list",
  });
  const list = h("ul", { id: "palette-list", role: "listbox", "aria-label": "Commands" });
  const palette = h("dialog", { class: "palette", "aria-label": "Commands" }, input, list);
  const help = keysDialog();
  let found: readonly PaletteCommand[] = [];
  let chosen = 0;
  const run = (command: PaletteCommand | undefined): void => {
    palette.close();
    command?.run();
  };
  const mark = (): void => {
    for (const [i, item] of [...list.children].entries()) {
      item.setAttribute("aria-selected", String(i === chosen));
      if (i === chosen) item.scrollIntoView({ block: "nearest" });
    }
    input.setAttribute("aria-activedescendant", found.length > 0 ? `palette-${chosen}` : "");
  };
  const show = (): void => {
    const query = input.value.trim().toLowerCase();
    const matching = commands(studio, fold, help).filter(({ text, kind }) => matchesSearch(`${text} ${kind}`, query));
    found = matching.slice(0, MAX_SHOWN);
    chosen = 0;
    replaceContent(
      list,
      ...found.map((command, i) =>
        h("li", { role: "option", id: `palette-${i}`, onclick: () => run(command) }, command.text, h("small", {}, command.kind)),
      ),
    );
    mark();
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") run(found[chosen]);
    else if (step !== 0 && found.length > 0) {
      chosen = (chosen + step + found.length) % found.length;
      mark();
    } else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const isOpen = document.querySelector("dialog[open]") !== null;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (isOpen) return;
      input.value = "";
      palette.showModal();
      show();
      input.focus();
    } else if (
      event.key === "?" &&
      !isOpen &&
      !(event.target instanceof Element && event.target.closest("input, textarea, select"))
    ) {
      event.preventDefault();
      help.showModal();
    }
  });
  return h("div", {}, palette, help);
}

function keysDialog(): HTMLDialogElement {
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "window", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h(
      "div",
      { class: "dialog-body" },
      h(
        "table",
        { class: "keys" },
        h(
          "tbody",
          {},
          ...KEYS.map(([key, effect]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, effect))),
        ),
      ),
    ),
    h("div", { class: "dialog-foot" }, h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, "Close")),
  );
  return dialog;
}

function commands(studio: Studio, fold: (part: FoldablePart) => void, help: HTMLDialogElement): readonly PaletteCommand[] {
  const { state } = studio;
  const action = (text: string, run: () => void): PaletteCommand => ({ text, kind: "action", run });
  const press = (selector: string) => (): void => document.querySelector<HTMLElement>(selector)?.click();
  const isOpen = state.page === "scenario";
  const actions = [
    action("Open files", press(".part-open button, .hero button")),
    action("Show all scenarios", () => {
      location.hash = "#/";
    }),
    ...(isOpen
      ? [
          action("Play or pause", press(".play")),
          action("Run again", () => studio.run()),
          action("Undo the last change", () => undo(studio)),
          action("Redo", () => redo(studio)),
          action("Reset all changes", () => reset(studio)),
          action("Save the run as CSV", () => saveRunCsv(studio)),
          action("Export: picture, video, 3D file, page", press(".export-menu > button")),
          action("Verify by all formulations", press(".part-verify button")),
          action("Audit plots", press(".plot-tools .audit")),
          action("Show or hide the model and channels", () => fold("left")),
          action("Show or hide the settings", () => fold("right")),
          action("Show or hide the plots", () => fold("bottom")),
          action("Fit the machine into the view", press(".tools .fit")),
        ]
      : []),
    action("Switch between light and dark", press(".part-theme button")),
    action("Keys", () => help.showModal()),
  ];
  const scenarios = state.library.map(({ name }) => ({
    ...{ text: name, kind: "scenario" },
    run: () => {
      location.hash = `#/scenario/${encodeURIComponent(name)}`;
    },
  }));
  if (!isOpen) return [...actions, ...scenarios];
  const bodies = (state.scenario?.model.bodies ?? []).map(({ name }) => ({
    ...{ text: name, kind: "body" },
    run: () => studio.store.set({ selection: { kind: "body", name } }),
  }));
  const channels = (currentRun(state)?.log.channels ?? []).slice(1).map(({ name }) => ({
    ...{ text: name, kind: "plot channel" },
    run: () => addChannel(studio, name, studio.state.activePlot),
  }));
  return [...actions, ...bodies, ...scenarios, ...channels];
}
