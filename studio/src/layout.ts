/**
 * Layout of the page: a bar on top, and below it the gallery or the desk. On a wide screen the desk has a left region (model tree), the view
 * with the timeline and the bottom region (plots), and a right region (settings). On a narrow screen the view stays on top and the regions
 * follow below it.
 */
import { commandPalette } from "./elements/command-palette.ts";
import { h, replaceContent } from "./elements/dom.ts";
import { problemsView } from "./elements/problems.ts";
import { addSplitters } from "./elements/splitter.ts";
import { timeline } from "./elements/timeline.ts";
import { acceptDrops } from "./files/drop.ts";
import { showGallery } from "./gallery/gallery.ts";
import { PANELS } from "./panels/index.ts";
import type { Panel, Region } from "./panels/panel.ts";
import type { Studio } from "./studio.ts";

export function mountStudio(root: HTMLElement, studio: Studio): void {
  const gallery = h("main", { class: "gallery", "aria-label": "Built-in scenarios" });
  const view = h("section", { class: "view", "aria-label": "Scene" });
  const desk = h(
    "main",
    { class: "desk", "aria-label": "Scenario" },
    h("div", { class: "stage" }, view, timeline(studio)),
    region("bottom", "Plots", studio),
    region("left", "Model", studio),
    region("right", "Inspector", studio),
  );
  const fold = addSplitters(desk);
  replaceContent(root, bar(studio), problemsView(studio), gallery, desk, acceptDrops(studio), commandPalette(studio, fold));
  void loadScene(view, studio);
  showGallery(gallery, studio);
  studio.store.watch(["page"], ({ page }) => {
    gallery.hidden = page !== "gallery";
    desk.hidden = page !== "scenario";
  });
}

/** Loads the scene, which is a large part of the page, when the first scenario is opened. */
async function loadScene(view: HTMLElement, studio: Studio): Promise<void> {
  await new Promise<void>((resolve) => studio.store.watch(["page"], ({ page }) => page === "scenario" && resolve()));
  try {
    const { mountScene } = await import("./view/mount.ts");
    mountScene(view, studio);
  } catch (error) {
    replaceContent(view, h("p", { class: "note", role: "alert" }, `The scene cannot be drawn: ${(error as Error).message}.`));
  }
}

function bar(studio: Studio): HTMLElement {
  const title = h("h1", { class: "title", tabindex: "-1" });
  studio.store.watch(["page", "scenario", "source"], ({ page, scenario, source }) => {
    const name = page === "gallery" ? "" : (scenario?.name ?? source?.name ?? "recorded log");
    title.textContent = name;
    title.setAttribute("aria-hidden", String(name === ""));
    // The focused card is hidden now. Keyboard and screen-reader users continue at the title.
    if (page === "scenario" && name !== "" && document.activeElement?.closest(".gallery")) title.focus({ preventScroll: true });
    document.title = name === "" ? "Castor studio" : `${name} · Castor studio`;
  });
  const home = h("a", { class: "brand", href: "#/", "aria-label": "Castor studio: all scenarios" }, "Castor");
  const parts = panelsIn("bar").map((panel) => {
    const host = h("div", { class: `part part-${panel.id}`, role: "group", "aria-label": panel.title });
    mountSafely(panel, host, studio);
    return host;
  });
  return h("header", { class: "bar" }, home, title, ...parts);
}

const panelsIn = (region: Region): readonly Panel[] => PANELS.filter((panel) => panel.region === region);

/** A region of the desk. It has a tab per panel if it has several panels. */
function region(name: Exclude<Region, "bar">, label: string, studio: Studio): HTMLElement {
  const panels = panelsIn(name);
  const hosts = panels.map((panel) => {
    const host = h("div", { class: `panel panel-${panel.id}`, id: `panel-${panel.id}`, "data-panel": panel.id });
    mountSafely(panel, host, studio);
    return host;
  });
  const tabs = panels.map((panel, i) =>
    h(
      "button",
      { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": `panel-${panel.id}`, onclick: () => choose(i) },
      panel.title,
    ),
  );
  const choose = (chosen: number): void => {
    for (const [i, { opening }] of panels.entries()) if (i !== chosen) opening?.close(studio);
    panels[chosen]!.opening?.open(studio);
    show(chosen);
  };
  const show = (chosen: number): void => {
    for (const [i, host] of hosts.entries()) host.hidden = i !== chosen;
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
    }
  };
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.stopPropagation();
    const next = (tabs.findIndex((tab) => tab.tabIndex === 0) + step + tabs.length) % tabs.length;
    choose(next);
    tabs[next]!.focus();
  };
  for (const [i, host] of hosts.entries()) {
    if (panels.length < 2) continue;
    host.setAttribute("role", "tabpanel");
    host.setAttribute("aria-labelledby", tabs[i]!.id);
  }
  show(0);
  for (const [i, { opening }] of panels.entries())
    if (opening)
      studio.store.watch([opening.key], (state) => {
        if (state[opening.key] !== undefined) show(i);
        else if (!hosts[i]!.hidden) show(0);
      });
  const head = panels.length > 1 && h("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: move }, ...tabs);
  return h("section", { class: `region region-${name}`, "aria-label": label, hidden: panels.length === 0 }, head, ...hosts);
}

/** Mounts a panel. If that fails, the panel shows the error, and the other panels still work. */
function mountSafely(panel: Panel, host: HTMLElement, studio: Studio): void {
  try {
    panel.mount(host, studio);
  } catch (error) {
    console.warn(error);
    replaceContent(host, h("p", { class: "note", role: "alert" }, `${panel.title} cannot be shown: ${(error as Error).message}`));
  }
}
