/** The About dialog: README of the scenario, and its table of published values. */

import { h, iconButton, replaceContent } from "../elements/dom.ts";
import { builtInData } from "../files/built-in-data.ts";
import type { Panel } from "../panels/panel.ts";
import type { Studio } from "../studio.ts";
import { markdownElements } from "./markdown.ts";

export const aboutPanel: Panel = {
  id: "about",
  title: "About",
  region: "bar",
  mount(host, studio) {
    const content = h("div", { class: "dialog-body prose" });
    const close = h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, "Close");
    const dialog = h(
      "dialog",
      { class: "window wide", "aria-label": "About this scenario" },
      content,
      h("div", { class: "dialog-foot" }, close),
    );
    const open = (): void => {
      replaceContent(content, ...readmeElements(studio), h("div", { class: "validation" }));
      dialog.showModal();
      content.scrollTop = 0;
      showValidation(content.querySelector(".validation")!, studio);
    };
    replaceContent(
      host,
      iconButton("info", "About this scenario", () => void open()),
      dialog,
    );
    studio.store.watch(["page", "source"], ({ page, source }) => {
      host.hidden = page !== "scenario" || source === undefined;
      if (dialog.open) dialog.close();
    });
  },
};

function readmeElements(studio: Studio): HTMLElement[] {
  const { source, scenario } = studio.state;
  const text = source?.files["README.md"];
  if (text !== undefined) return markdownElements(text);
  return [h("h2", {}, scenario?.name ?? source?.name ?? ""), h("p", {}, scenario?.about || "This scenario has no README.md.")];
}

function showValidation(host: Element, studio: Studio): void {
  const { source } = studio.state;
  if (source === undefined || !source.builtIn) return;
  try {
    const section = builtInData().validation[source.name];
    replaceContent(
      host,
      h("h2", {}, "Published values and results of Castor"),
      ...(section === undefined
        ? [
            h(
              "p",
              { class: "muted" },
              "There are no published values for this scenario. Verify compares the formulations with each other.",
            ),
          ]
        : [
            h(
              "p",
              { class: "muted" },
              "From castor validate. For a quantity with several values, the value with the largest difference is shown.",
            ),
            ...markdownElements(section, 3),
          ]),
    );
  } catch (error) {
    replaceContent(host, h("p", { class: "muted", role: "alert" }, (error as Error).message));
  }
}
