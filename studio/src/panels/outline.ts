/** The Model panel: bodies as a tree, and loops. It shares the selection with the scene. */
import type { Model } from "castor";
import { h, replaceContent } from "../elements/dom.ts";
import type { Selection } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import type { Panel } from "./panel.ts";

export const outlinePanel: Panel = {
  id: "outline",
  title: "Model",
  region: "left",
  mount(host, studio) {
    let shownModel: Model | undefined | "nothing yet" = "nothing yet";
    const buttons = new Map<string, HTMLButtonElement>();
    studio.store.watch(["scenario"], ({ scenario }) => {
      if (scenario?.model === shownModel) return;
      shownModel = scenario?.model;
      buttons.clear();
      replaceContent(
        host,
        ...(shownModel ? outline(shownModel, studio, buttons) : [h("p", { class: "note" }, "No model is open.")]),
      );
    });
    studio.store.watch(["selection", "scenario"], ({ selection }) => {
      for (const [key, button] of buttons)
        button.setAttribute("aria-pressed", String(selection !== undefined && key === selectionKey(selection)));
    });
  },
};

const selectionKey = ({ kind, name }: Selection): string => `${kind} ${name}`;

function outline(model: Model, studio: Studio, buttons: Map<string, HTMLButtonElement>): HTMLElement[] {
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
  const children = (parent: number): HTMLElement[] =>
    model.bodies
      .filter((body) => body.parent === parent)
      .map((body) => {
        const childItems = children(body.index);
        return h(
          "li",
          {},
          entry({ kind: "body", name: body.name }, body.hinge.kind),
          childItems.length > 0 && h("ul", {}, ...childItems),
        );
      });
  const loops = model.loops.map(({ name, kind }) => h("li", {}, entry({ kind: "loop", name }, kind)));
  return [
    h("h2", {}, "Bodies"),
    h("ul", { class: "outline" }, ...children(-1)),
    ...(loops.length > 0 ? [h("h2", {}, "Loops"), h("ul", { class: "outline" }, ...loops)] : []),
  ];
}
