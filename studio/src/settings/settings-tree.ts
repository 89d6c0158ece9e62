/** The settings of the scenario as a tree of groups with fields. */
import type { Setting } from "castor/scenario";
import { h, replaceContent } from "../elements/dom.ts";
import type { Selection } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { SettingField } from "./field.ts";

const SECTION_TITLES: Readonly<Record<string, string>> = {
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

/** The section with the settings of a selected part. */
const SECTION_OF: Readonly<Record<Selection["kind"], string>> = {
  body: "bodies",
  hinge: "bodies",
  frame: "bodies",
  loop: "loops",
  force: "forces",
  controller: "controllers",
};

/** Groups with search results are open if there are at most this many results. */
const MAX_OPEN_RESULTS = 40;
/** A section with at most this many settings is open at first. */
const MAX_OPEN_SETTINGS = 12;

/** A collapsible group of settings. */
interface SettingGroup {
  readonly path: readonly string[];
  readonly element: HTMLDetailsElement;
}

export class SettingsTree {
  readonly element = h("div", { class: "settings" });
  readonly #studio: Studio;
  readonly #fields = new Map<string, SettingField>();
  #groups: readonly SettingGroup[] = [];
  /** Key of the shown fields. While only values change, the fields stay, so that the focus stays. */
  #key = "";
  /** True if a group is open when the tree is rebuilt. */
  #isInitiallyOpen = (_path: string): boolean => false;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /**
   * Shows settings.
   * @param query the search that they match; "" shows all
   * @param emptyText text without settings
   */
  show(settings: readonly Setting[], query: string, emptyText: string): void {
    const key = JSON.stringify([
      query,
      settings.length === 0 && emptyText,
      settings.map(({ path, type, entries, choices }) => [path, type, entries, choices]),
    ]);
    if (key !== this.#key) {
      this.#key = key;
      this.#rebuild(settings, query, emptyText);
    }
    for (const setting of settings) this.#fields.get(setting.path)?.update(setting);
  }

  #rebuild(settings: readonly Setting[], query: string, emptyText: string): void {
    const open = new Set(this.#groups.filter(({ element }) => element.open).map(({ path }) => path.join("/")));
    this.#isInitiallyOpen = query === "" ? (path) => open.has(path) : () => settings.length <= MAX_OPEN_RESULTS;
    const focusedPath = document.activeElement?.closest<HTMLElement>("[data-path]")?.dataset.path;
    this.#fields.clear();
    this.#groups = [];
    const sections = groupByName(settings, 0).map(([name, members]) =>
      this.#groupElement([name], SECTION_TITLES[name] ?? name.replace(/^./, (first) => first.toUpperCase()), members),
    );
    replaceContent(this.element, ...(sections.length > 0 ? sections : [h("p", { class: "note" }, emptyText)]));
    // Another kind of shape has other fields: the focus returns to the field that was changed.
    if (focusedPath !== undefined) this.#fields.get(focusedPath)?.focus();
  }

  /** A group. If it is closed, it is filled when the user opens it. */
  #groupElement(path: readonly string[], title: string, members: readonly Setting[]): HTMLElement {
    const depth = path.length;
    const content = h("div", { class: "setting-list" });
    const element = h(
      "details",
      { class: `group depth-${Math.min(depth, 3)}`, "data-group": path.join("/") },
      h("summary", {}, title),
      content,
    );
    let isFilled = false;
    const fillIfOpen = (): void => {
      if (isFilled || !element.open) return;
      isFilled = true;
      this.#fillGroup(content, path, members);
    };
    element.addEventListener("toggle", fillIfOpen);
    this.#groups = [...this.#groups, { path, element }];
    const isSmallSection = depth === 1 && (members.length <= MAX_OPEN_SETTINGS || path[0] === "run");
    if (this.#isInitiallyOpen(path.join("/")) || isSmallSection) element.open = true;
    fillIfOpen();
    return element;
  }

  #fillGroup(content: HTMLElement, path: readonly string[], members: readonly Setting[]): void {
    const depth = path.length;
    for (const setting of members.filter(({ group }) => group.length === depth)) {
      const field = new SettingField(this.#studio, setting);
      this.#fields.set(setting.path, field);
      content.append(field.element);
      field.update(setting);
    }
    const deeper = members.filter(({ group }) => group.length > depth);
    content.append(
      ...groupByName(deeper, depth).map(([name, subgroup]) =>
        this.#groupElement([...path, name], groupTitle(path, name), subgroup),
      ),
    );
  }

  /** Opens and highlights the group of a selected part. */
  reveal({ kind, name }: Selection): void {
    const { model } = this.#studio.state.scenario ?? {};
    const owner =
      kind === "hinge"
        ? model?.bodies.find((b) => b.hinge.name === name)?.name
        : kind === "frame"
          ? model?.bodies[model.frames.find((f) => f.name === name)?.body ?? -1]?.name
          : name;
    const find = (path: string): HTMLDetailsElement | undefined =>
      [...this.element.querySelectorAll("details")].find((d) => d.dataset.group === path);
    const section = find(SECTION_OF[kind]);
    if (section === undefined || owner === undefined) return;
    section.open = true;
    section.dispatchEvent(new Event("toggle")); // fills the group now, not with the next frame
    const group = find(`${SECTION_OF[kind]}/${owner}`);
    if (group === undefined) return;
    group.open = true;
    group.dispatchEvent(new Event("toggle"));
    group.scrollIntoView({ block: "nearest" });
    for (const element of this.element.querySelectorAll(".picked")) element.classList.remove("picked");
    group.classList.add("picked");
  }
}

const groupTitle = ([section]: readonly string[], name: string): string =>
  section === "state" ? (name === "q" ? "Coordinates" : "Speeds") : name;

/** Settings grouped by the name of their group at a depth, in their order. */
function groupByName(settings: readonly Setting[], depth: number): [string, readonly Setting[]][] {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    const name = setting.group[depth]!;
    groups.set(name, [...(groups.get(name) ?? []), setting]);
  }
  return [...groups];
}
