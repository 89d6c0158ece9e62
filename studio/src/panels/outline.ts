/** The Model panel: bodies as a tree that folds, and loops. It shares the selection with the scene. */
import type { Body, Model } from "castor";
import { matchesSearch } from "castor/scenario";
import { h, replaceContent } from "../elements/dom.ts";
import type { Selection } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import type { Panel } from "./panel.ts";

/** With more parts than this, the panel has a search field. */
const MANY = 12;

export const outlinePanel: Panel = {
  id: "outline",
  title: "Model",
  region: "left",
  mount(host, studio) {
    let shownModel: Model | undefined | "nothing yet" = "nothing yet";
    const buttons = new Map<string, HTMLButtonElement>();
    const filter = h("input", { type: "search", placeholder: "Find a body or loop", "aria-label": "Find a body or loop" });
    const tools = h("div", { class: "panel-tools" }, filter);
    const content = h("div", {});
    replaceContent(host, tools, content);
    const mark = (): void => {
      const { selection } = studio.state;
      for (const [key, button] of buttons) {
        const isSelected = selection !== undefined && key === selectionKey(selection);
        button.setAttribute("aria-pressed", String(isSelected));
        for (let list = isSelected && button.closest("ul"); list; list = list.parentElement!.closest("ul"))
          if (list.hidden) list.closest("li")!.querySelector<HTMLElement>(".fold-branch")!.click();
      }
    };
    const show = (): void => {
      buttons.clear();
      const query = filter.value.trim().toLowerCase();
      const model = shownModel === "nothing yet" ? undefined : shownModel;
      replaceContent(
        content,
        ...(model ? outline(model, studio, buttons, query) : [h("p", { class: "note" }, "No model is open.")]),
      );
      mark();
    };
    filter.addEventListener("input", show);
    studio.store.watch(["scenario"], ({ scenario }) => {
      if (scenario?.model === shownModel) return;
      shownModel = scenario?.model;
      tools.hidden = (shownModel?.bodies.length ?? 0) + (shownModel?.loops.length ?? 0) <= MANY;
      if (tools.hidden) filter.value = "";
      show();
    });
    studio.store.watch(["selection"], mark);
  },
};

const selectionKey = ({ kind, name }: Selection): string => `${kind} ${name}`;

function outline(model: Model, studio: Studio, buttons: Map<string, HTMLButtonElement>, query: string): HTMLElement[] {
  const entry = (selection: Selection, about: string): HTMLButtonElement => {
    const choose = (): void => studio.store.set({ selection });
    const button = h(
      "button",
      { type: "button", class: "entry", onclick: choose },
      h("span", { class: "name" }, selection.name),
      h("small", {}, about),
    );
    button.title = `${selection.name}, ${about}`;
    buttons.set(selectionKey(selection), button);
    return button;
  };
  const bodyEntry = (body: Body): HTMLElement => entry({ kind: "body", name: body.name }, body.hinge.kind);
  const matching = (names: string): boolean => query === "" || matchesSearch(names, query);
  const loops = model.loops
    .filter(({ name, kind }) => matching(`${name} ${kind}`))
    .map(({ name, kind }) => h("li", {}, entry({ kind: "loop", name }, kind)));
  const bodies =
    query === ""
      ? bodyTree(model, bodyEntry)
      : model.bodies.filter(({ name, hinge }) => matching(`${name} ${hinge.kind}`)).map((body) => h("li", {}, bodyEntry(body)));
  const isNothing = bodies.length + loops.length === 0;
  return [
    ...(bodies.length > 0 ? [h("h2", {}, "Bodies"), h("ul", { class: "outline" }, ...bodies)] : []),
    ...(loops.length > 0 ? [h("h2", {}, "Loops"), h("ul", { class: "outline" }, ...loops)] : []),
    ...(isNothing ? [h("p", { class: "note" }, "Nothing matches the search.")] : []),
  ];
}

/**
 * The bodies as list items. A body with a single child is followed by it on the same level, so that a chain of a hundred links stays readable;
 * each branch of a body with several children is one level deeper and folds.
 */
function bodyTree(model: Model, entry: (body: Body) => HTMLElement): HTMLElement[] {
  const children: Body[][] = model.bodies.map(() => []);
  const roots: Body[] = [];
  for (const body of model.bodies) (body.parent < 0 ? roots : children[body.parent]!).push(body);
  const branch = (start: Body): HTMLElement[] => {
    const items: HTMLElement[] = [];
    for (let body: Body | undefined = start; body !== undefined; ) {
      const below: Body[] = children[body.index]!;
      const only: Body | undefined = below.length === 1 ? below[0] : undefined;
      items.push(
        below.length > 1
          ? h("li", { class: "branching" }, ...foldable(body.name, entry(body), h("ul", {}, ...below.flatMap(branch))))
          : h("li", { class: body === start ? "" : "chained" }, entry(body)),
      );
      body = only;
    }
    return items;
  };
  return roots.flatMap(branch);
}

/** A line with a button that folds the list below it. */
function foldable(name: string, line: HTMLElement, list: HTMLElement): HTMLElement[] {
  const fold = h("button", { type: "button", class: "fold-branch", "aria-expanded": "true" });
  const label = (): void => fold.setAttribute("aria-label", `${list.hidden ? "Show" : "Hide"} the branches of ${name}`);
  fold.addEventListener("click", () => {
    list.hidden = !list.hidden;
    fold.setAttribute("aria-expanded", String(!list.hidden));
    label();
  });
  label();
  return [h("div", { class: "line" }, fold, line), list];
}
