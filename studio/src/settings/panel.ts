/** The Settings panel: all settings of the scenario. A change runs at once. */
import { matchesSearch, settingsOf } from "castor/scenario";
import { h, replaceContent } from "../elements/dom.ts";
import type { Panel } from "../panels/panel.ts";
import { historyTools } from "./history-tools.ts";
import { selectionCard } from "./selection-card.ts";
import { SettingsTree } from "./settings-tree.ts";

export const settingsPanel: Panel = {
  id: "settings",
  title: "Settings",
  region: "right",
  mount(host, studio) {
    const filter = h("input", { type: "search", placeholder: "Find a setting", "aria-label": "Find a setting" });
    const tree = new SettingsTree(studio);
    replaceContent(host, historyTools(studio), selectionCard(studio), h("div", { class: "panel-tools" }, filter), tree.element);

    const show = (): void => {
      const { scenario, overrides, source } = studio.state;
      const query = filter.value.trim().toLowerCase();
      const settings = (scenario ? settingsOf(scenario) : []).filter((s) =>
        matchesSearch(`${s.path} ${s.group.join(" ")} ${s.label}`, query),
      );
      tree.show(settings, query, emptyMessage(scenario !== undefined, source !== undefined, overrides.length));
    };
    filter.addEventListener("input", show);

    let openSource: unknown;
    studio.store.watch(["scenario", "overrides", "source"], ({ source }) => {
      if (source !== openSource) filter.value = ""; // the search text belongs to the scenario before
      openSource = source;
      show();
    });
    studio.store.watch(["selection"], ({ selection }) => {
      if (selection === undefined) return;
      if (filter.value !== "") {
        filter.value = "";
        show();
      }
      tree.reveal(selection);
    });
  },
};

/** Why the panel shows no settings. */
function emptyMessage(isRead: boolean, isOpen: boolean, changes: number): string {
  if (isRead) return "No setting matches the search.";
  if (!isOpen) return "No scenario is open.";
  return changes > 0
    ? "The scenario cannot be read with these changes. Reset removes them."
    : "The scenario cannot be read. The problems are listed above.";
}
