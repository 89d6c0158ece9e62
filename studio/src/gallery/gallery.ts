/** The gallery: the user's recent files, and a card with a picture for each built-in scenario, by field. */
import { matchesSearch } from "castor/scenario";
import { h, iconButton, replaceContent } from "../elements/dom.ts";
import { openFilesButton } from "../files/drop.ts";
import type { BuiltInScenario } from "../files/scenario-sources.ts";
import { forgetSession, type RecentSession, recentSessions } from "../state/saved-sessions.ts";
import type { Studio } from "../studio.ts";
import { CardPicture, HERO_HEIGHT, HERO_WIDTH, hasWebGl, pictureAddress } from "./card-picture.ts";
import { HERO, sections } from "./fields.ts";

export function showGallery(host: HTMLElement, studio: Studio): void {
  const search = h("input", { type: "search", placeholder: "Find a scenario", "aria-label": "Find a scenario" });
  const recent = h("section", { class: "recent", "aria-label": "Recent", hidden: true });
  const list = h("div", { class: "fields" });
  const noWebGl = h(
    "p",
    { class: "no-webgl", role: "status", hidden: true },
    "This browser has no WebGL: scenes cannot be drawn. Plots, settings and runs still work.",
  );
  replaceContent(host, hero(studio), noWebGl, recent, h("div", { class: "find" }, search), list);
  let cards: readonly { readonly element: HTMLElement; readonly text: string }[] = [];
  const filter = (): void => {
    const query = search.value.trim().toLowerCase();
    for (const { element, text } of cards) element.hidden = !matchesSearch(text, query);
    for (const section of list.querySelectorAll("section")) section.hidden = section.querySelector("li:not([hidden])") === null;
    const isNothing = cards.length > 0 && cards.every(({ element }) => element.hidden);
    nothing.hidden = !isNothing;
  };
  const nothing = h("p", { class: "note", role: "status", hidden: true }, "No scenario matches the search.");
  search.addEventListener("input", filter);
  studio.store.watch(["library"], ({ library }) => {
    const all: { element: HTMLElement; text: string }[] = [];
    const parts = sections(library).map(({ title, scenarios }) => {
      const items = scenarios.map((builtIn) => {
        const element = card(builtIn, studio);
        all.push({ element, text: `${builtIn.name} ${element.textContent} ${title}` });
        return element;
      });
      return h("section", { "aria-label": title }, h("h2", {}, title), h("ul", { class: "cards" }, ...items));
    });
    replaceContent(list, ...parts, nothing);
    cards = all;
    filter();
  });
  const update = async (): Promise<void> => {
    const sessions = await recentSessions();
    recent.hidden = sessions.length === 0;
    replaceContent(
      recent,
      h("h2", {}, "Recent"),
      h("ul", {}, ...sessions.slice(0, 8).map((session) => recentItem(session, update))),
    );
  };
  studio.store.watch(["page"], ({ page }) => {
    if (page === "gallery") void update();
  });
  whenLoaded(() => {
    if (hasWebGl()) return;
    noWebGl.hidden = false;
    host.classList.add("without-webgl");
    for (const { element } of cards)
      element.querySelector(".about")?.append(h("small", { class: "no-scene" }, "no 3D scene here: no WebGL"));
  });
}

/** Calls the function when the pictures in the window have been loaded: starting WebGL takes a tenth of a second on some machines. */
function whenLoaded(action: () => void): void {
  const soon = (): void => void setTimeout(action, 200);
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
}

function hero(studio: Studio): HTMLElement {
  const title = "Capture of a tumbling target";
  return h(
    "header",
    { class: "hero" },
    h(
      "a",
      { class: "hero-picture", href: `#/scenario/${HERO}`, "aria-label": `Open the scenario ${title}` },
      h("img", {
        src: pictureAddress("hero") ?? pictureAddress(HERO),
        alt: "",
        width: HERO_WIDTH,
        height: HERO_HEIGHT,
        fetchpriority: "high",
      }),
      h("span", { class: "hero-title" }, title),
    ),
    h(
      "div",
      { class: "hero-text" },
      h("h1", {}, "Simulate space robots in the browser"),
      h(
        "p",
        {},
        "Arms on satellites, docking, rovers, flexible structures. Choose a scenario, or open your own model: nothing leaves this computer.",
      ),
      h(
        "p",
        { class: "hero-actions" },
        openFilesButton(studio, "Open files", "plain main"),
        h("span", {}, "or drop a model, scenario or log onto the page"),
      ),
    ),
  );
}

function recentItem({ id, name, address, when, isBuiltIn }: RecentSession, update: () => Promise<void>): HTMLElement {
  const forget = (): void => void forgetSession(id).then(update);
  return h(
    "li",
    {},
    h(
      "a",
      { href: address },
      h("b", {}, name),
      h("small", {}, `${isBuiltIn ? "built-in" : "own file"}, ${ageText(Date.now() - when)}`),
    ),
    iconButton("cancel", `Forget ${name}`, forget, { class: "icon-button small" }),
  );
}

function ageText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

function card(builtIn: BuiltInScenario, studio: Studio): HTMLElement {
  const { name, files } = builtIn;
  const text = files["scenario.yaml"] ?? "";
  const picture = new CardPicture(builtIn, studio);
  const caption = h(
    "span",
    { class: "about" },
    h("b", {}, valueOfKey(text, "name") || name),
    h("span", { class: "sentence" }, valueOfKey(text, "about")),
    h("code", {}, name),
  );
  const link = h(
    "a",
    { class: "card", href: `#/scenario/${encodeURIComponent(name)}`, "data-scenario": name },
    picture.element,
    caption,
  );
  picture.moveOn(link);
  return h("li", {}, link);
}

/** Value of a one-line key such as `about`, without parsing the file. */
const valueOfKey = (text: string, key: string): string =>
  new RegExp(`^${key}:\\s*(.*)$`, "m").exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, "$2") ?? "";
