/** The Channels panel: all channels of the run as a tree. Drag a channel to a plot, or click it to add it to the highlighted plot. */
import type { Channel } from "castor";
import { matchesSearch } from "castor/scenario";
import { h, replaceContent } from "../elements/dom.ts";
import type { Panel } from "../panels/panel.ts";
import { currentRun } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { makeChannelDraggable } from "./drag.ts";
import { addChannel, addPlot, QUANTITY_TITLES, removeChannel } from "./plot-list.ts";
import { unitText } from "./text.ts";

/** Maximum number of channels in a plot of a whole group. */
const MAX_CHANNELS = 12;

export const channelsPanel: Panel = {
  id: "channels",
  title: "Channels",
  region: "left",
  mount(host, studio) {
    const filter = h("input", { type: "search", placeholder: "Find a channel", "aria-label": "Find a channel" });
    const tree = h("div", { class: "channel-tree" });
    const hint = h("p", { class: "hint" }, "Click a channel to add it to the highlighted plot, or drag it to a plot.");
    replaceContent(host, h("div", { class: "panel-tools" }, filter), hint, tree);
    const buttons = new Map<string, HTMLButtonElement>();
    let shown = "";
    const show = (): void => {
      const channels = (currentRun(studio.state)?.log.channels ?? []).slice(1);
      const wanted = filter.value.trim().toLowerCase();
      const key = `${wanted}\n${channels.map((c) => c.name).join("\n")}`;
      if (key === shown) return;
      shown = key;
      buttons.clear();
      const found = channels.filter(({ name, about }) => matchesSearch(`${name} ${about ?? ""}`, wanted));
      const groups = groupsOf(found);
      const isOpen = wanted !== "";
      replaceContent(tree, ...[...groups].map(([head, own]) => group(studio, head, own, isOpen, buttons)));
      if (found.length === 0)
        replaceContent(
          tree,
          h("p", { class: "note" }, channels.length === 0 ? "There is no run yet." : "No channel matches the search."),
        );
      mark(studio, buttons);
    };
    filter.addEventListener("input", show);
    studio.store.watch(["runs", "current"], show);
    studio.store.watch(["plots", "activePlot"], () => mark(studio, buttons));
  },
};

function groupsOf(channels: readonly Channel[]): ReadonlyMap<string, readonly Channel[]> {
  const groups = new Map<string, Channel[]>();
  for (const channel of channels) {
    const parts = channel.name.split(".");
    const head =
      ["frame", "reaction", "carried", "momentum", "loop"].includes(parts[0]!) && parts.length > 2
        ? `${parts[0]}.${parts[1]}`
        : parts[0]!;
    groups.set(head, [...(groups.get(head) ?? []), channel]);
  }
  return groups;
}

function group(
  studio: Studio,
  head: string,
  channels: readonly Channel[],
  isOpen: boolean,
  buttons: Map<string, HTMLButtonElement>,
): HTMLElement {
  const [first, second] = head.split(".") as [string, string | undefined];
  const title = [QUANTITY_TITLES[first] ?? first, second].filter(Boolean).join(" · ");
  const items = channels.map((channel) => h("li", {}, entry(studio, channel, head, buttons)));
  const all = h(
    "button",
    {
      type: "button",
      class: "icon-text",
      title: `Plot the group (at most ${MAX_CHANNELS} channels)`,
      "aria-label": `Plot ${title}`,
    },
    "+",
  );
  all.addEventListener("click", () => addPlot(studio, channels.map((c) => c.name).slice(0, MAX_CHANNELS), title));
  const summary = h("summary", {}, title, h("small", {}, String(channels.length)));
  return h("div", { class: "channel-group" }, h("details", { open: isOpen }, summary, h("ul", {}, ...items)), all);
}

function entry(
  studio: Studio,
  { name, unit, about }: Channel,
  head: string,
  buttons: Map<string, HTMLButtonElement>,
): HTMLElement {
  const toggle = (event: MouseEvent): void => {
    const { plots, activePlot } = studio.state;
    const plot = plots.find(({ id }) => id === activePlot);
    if (event.shiftKey) addPlot(studio, [name]);
    else if (plot?.channels.includes(name)) removeChannel(studio, name, plot.id);
    else addChannel(studio, name, activePlot);
  };
  const title = `${about ?? name}. Click: add to the highlighted plot. Shift+click: new plot`;
  const label = name.startsWith(`${head}.`) ? name.slice(head.length + 1) : name;
  const button = h(
    "button",
    { type: "button", class: "entry", title, "aria-label": name, onclick: toggle },
    h("span", { class: "name" }, label),
    h("small", {}, unitText(unit)),
  );
  makeChannelDraggable(button, name);
  buttons.set(name, button);
  return button;
}

function mark(studio: Studio, buttons: ReadonlyMap<string, HTMLButtonElement>): void {
  const { plots, activePlot } = studio.state;
  const here = new Set(plots.find(({ id }) => id === activePlot)?.channels);
  for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(here.has(name)));
}
