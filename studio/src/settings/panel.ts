/** The Settings panel: all settings of the scenario. A change runs at once. */
import { matchesSearch, type Setting, settingsOf } from "castor";
import { h, replaceContent } from "../elements/dom.ts";
import type { Panel } from "../panels/panel.ts";
import type { Selection } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { SettingField } from "./field.ts";
import { historyTools } from "./history-tools.ts";
import { selectionCard } from "./selection-card.ts";

const SECTIONS: Readonly<Record<string, string>> = {
  model: "Model",
  bodies: "Bodies",
  loops: "Loops",
  state: "Initial state",
  devices: "Devices",
  terrain: "Ground",
  forces: "Forces",
  events: "Events",
  controllers: "Controllers",
  run: "Run",
};

const groupTitle = ([section]: readonly string[], name: string): string =>
  section === "state" ? (name === "q" ? "Coordinates" : "Speeds") : name;

/** A collapsible group of settings. A closed group is filled when it is opened. */
interface SettingGroup {
  readonly path: readonly string[];
  readonly element: HTMLDetailsElement;
}

export const settingsPanel: Panel = {
  id: "settings",
  title: "Settings",
  region: "right",
  mount(host, studio) {
    const filter = h("input", { type: "search", placeholder: "Find a setting", "aria-label": "Find a setting" });
    const tree = h("div", { class: "settings" });
    replaceContent(host, historyTools(studio), selectionCard(studio), h("div", { class: "panel-tools" }, filter), tree);
    const fields = new Map<string, SettingField>();
    let groups: readonly SettingGroup[] = [];
    let settings: readonly Setting[] = [];
    let treeKey = "";
    /** Whether a group is open when the tree is rebuilt. */
    let wasOpen = (_path: string): boolean => false;

    const show = (): void => {
      const { scenario, overrides, source } = studio.state;
      settings = scenario ? settingsOf(scenario) : [];
      const query = filter.value.trim().toLowerCase();
      const matches = settings.filter((s) => matchesSearch(`${s.path} ${s.group.join(" ")} ${s.label}`, query));
      // While only values change, the fields stay, so that the focus stays.
      const emptyText = emptyMessage(scenario !== undefined, source !== undefined, overrides.length);
      const key = JSON.stringify([
        query,
        matches.length === 0 && emptyText,
        matches.map(({ path, type, entries, choices }) => [path, type, entries, choices]),
      ]);
      if (key !== treeKey) {
        treeKey = key;
        fields.clear();
        const open = new Set(groups.filter(({ element }) => element.open).map(({ path }) => path.join("/")));
        wasOpen = query === "" ? (path) => open.has(path) : () => matches.length <= 40;
        const focusedPath = document.activeElement?.closest<HTMLElement>("[data-path]")?.dataset.path;
        groups = [];
        const sections = sectionsOf(matches).map(([name, members]) => section(name, members));
        replaceContent(tree, ...(sections.length > 0 ? sections : [h("p", { class: "note" }, emptyText)]));
        // Another kind of shape has other fields: the focus returns to the field that was changed.
        if (focusedPath !== undefined) fields.get(focusedPath)?.focus();
      }
      for (const setting of matches) fields.get(setting.path)?.update(setting);
    };

    const section = (name: string, members: readonly Setting[]): HTMLElement =>
      groupElement([name], SECTIONS[name] ?? name.replace(/^./, (first) => first.toUpperCase()), members, 1);

    const groupElement = (path: readonly string[], title: string, members: readonly Setting[], depth: number): HTMLElement => {
      const content = h("div", { class: "setting-list" });
      const element = h(
        "details",
        { class: `group depth-${Math.min(depth, 3)}`, "data-group": path.join("/") },
        h("summary", {}, title),
        content,
      );
      let isFilled = false;
      const open = (): void => {
        if (isFilled || !element.open) return;
        isFilled = true;
        const ownSettings = members.filter(({ group }) => group.length === depth);
        const subgroups = sectionsOf(
          members.filter(({ group }) => group.length > depth),
          depth,
        );
        for (const setting of ownSettings) {
          const field = new SettingField(studio, setting);
          fields.set(setting.path, field);
          content.append(field.element);
          field.update(setting);
        }
        content.append(
          ...subgroups.map(([name, subgroup]) => groupElement([...path, name], groupTitle(path, name), subgroup, depth + 1)),
        );
      };
      element.addEventListener("toggle", open);
      groups = [...groups, { path, element }];
      if (wasOpen(path.join("/")) || (depth === 1 && (members.length <= 12 || path[0] === "run"))) element.open = true;
      open();
      return element;
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
      reveal(tree, selection, studio);
    });
  },
};

function emptyMessage(isRead: boolean, isOpen: boolean, changes: number): string {
  if (isRead) return "No setting matches the search.";
  if (!isOpen) return "No scenario is open.";
  return changes > 0
    ? "The scenario cannot be read with these changes. Reset removes them."
    : "The scenario cannot be read. The problems are listed above.";
}

/** Settings grouped by the name of their group at a depth, in their order. */
function sectionsOf(settings: readonly Setting[], depth = 0): [string, readonly Setting[]][] {
  const sections = new Map<string, Setting[]>();
  for (const setting of settings) {
    const name = setting.group[depth]!;
    sections.set(name, [...(sections.get(name) ?? []), setting]);
  }
  return [...sections];
}

const SECTION_OF: Readonly<Record<Selection["kind"], string>> = {
  body: "bodies",
  hinge: "bodies",
  frame: "bodies",
  loop: "loops",
  force: "forces",
  controller: "controllers",
};

/** Opens and highlights the group of the selected part. */
function reveal(tree: HTMLElement, { kind, name }: Selection, studio: Studio): void {
  const { model } = studio.state.scenario ?? {};
  const owner =
    kind === "hinge"
      ? model?.bodies.find((b) => b.hinge.name === name)?.name
      : kind === "frame"
        ? model?.bodies[model.frames.find((f) => f.name === name)?.body ?? -1]?.name
        : name;
  const find = (path: string): HTMLDetailsElement | undefined =>
    [...tree.querySelectorAll("details")].find((d) => d.dataset.group === path);
  const section = find(SECTION_OF[kind]);
  if (section === undefined || owner === undefined) return;
  section.open = true;
  section.dispatchEvent(new Event("toggle")); // fills the group now, not with the next frame
  const group = find(`${SECTION_OF[kind]}/${owner}`);
  if (group === undefined) return;
  group.open = true;
  group.dispatchEvent(new Event("toggle"));
  group.scrollIntoView({ block: "nearest" });
  for (const element of tree.querySelectorAll(".picked")) element.classList.remove("picked");
  group.classList.add("picked");
}
