/** Mounts the scene with its tools when it is first needed. If it cannot be drawn, the rest of the page works without it. */
import { h, icon, iconButton, replaceContent } from "../elements/dom.ts";
import { menuButton, placeBeside } from "../elements/menu.ts";
import { sceneMenu } from "../export/scene-menu.ts";
import type { Studio } from "../studio.ts";
import { LAYERS } from "./layers/index.ts";
import { STANDARD_VIEWS } from "./overlay.ts";
import { SceneView } from "./scene-view.ts";

export function mountScene(host: HTMLElement, studio: Studio): void {
  const legend = h("p", { class: "legend" });
  const remark = h("p", { class: "remark", role: "status" });
  const tools = h("div", { class: "tools", role: "group", "aria-label": "Scene" });
  replaceContent(host, tools, legend, remark);
  const texts = {
    legend: (lines: readonly string[]): void => {
      const text = lines.join(" · ");
      if (legend.textContent !== text) legend.textContent = text;
    },
    remark: (text: string): void => {
      remark.textContent = text;
      remark.hidden = text === "";
    },
  };
  texts.remark("");
  let isMounted = false;
  studio.store.watch(["page"], ({ page }) => {
    if (isMounted || page !== "scenario") return;
    isMounted = true;
    try {
      const view = new SceneView(host, studio, texts);
      replaceContent(
        tools,
        layersMenu(studio, view),
        followMenu(studio),
        iconButton("fit", "Fit the machine into the view (F)", () => view.fit(), { class: "icon-button fit" }),
        menuButton(
          "axes",
          "Standard views",
          STANDARD_VIEWS.map((name, i) => ({
            text: `${name[0]!.toUpperCase()}${name.slice(1)} (${i + 1})`,
            action: () => view.lookFrom(name),
          })),
          "Views",
        ),
        sceneMenu(studio, view, host),
        fullscreenButton(host.closest<HTMLElement>(".stage") ?? host),
      );
    } catch (error) {
      replaceContent(host, h("p", { class: "note", role: "alert" }, failureText(error)));
    }
  });
}

const failureText = (error: unknown): string =>
  `The scene cannot be drawn here: ${(error as Error).message || "this browser has no WebGL"}. Plots, settings and runs still work.`;

/** Menu with a switch per layer. It lists the layers that the scenario has; the list is updated when the menu opens. */
function layersMenu(studio: Studio, view: SceneView): HTMLElement {
  const boxes = LAYERS.map(({ id, title, shownByDefault }) => {
    const box = h("input", { type: "checkbox", name: id });
    box.addEventListener("change", () => studio.store.set({ layers: { ...studio.state.layers, [id]: box.checked } }));
    studio.store.watch(["layers"], (state) => {
      box.checked = state.layers[id] ?? shownByDefault;
    });
    return h("label", {}, box, title);
  });
  const emptyNote = h("p", { class: "note" }, "There is nothing to draw.");
  const list = h(
    "div",
    { id: "layers", popover: "auto", class: "switches", role: "group", "aria-label": "Layers" },
    ...boxes,
    emptyNote,
    qualityChoice(studio),
  );
  const updateList = (): void => {
    for (const [i, layer] of LAYERS.entries()) boxes[i]!.hidden = !view.has(layer);
    emptyNote.hidden = boxes.some(({ hidden }) => !hidden);
  };
  const attributes = { "aria-label": "Show or hide layers", title: "Show or hide layers", popovertarget: "layers" };
  const button = h(
    "button",
    { type: "button", class: "plain with-icon", ...attributes },
    icon("layers"),
    h("span", { class: "word" }, "Layers"),
  );
  list.addEventListener("beforetoggle", (event) => {
    if ((event as ToggleEvent).newState === "open") updateList();
  });
  list.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "open") placeBeside(list, button);
  });
  return h("div", { class: "menu-holder" }, button, list);
}

/** Full quality needs a graphics card; the automatic choice notices when there is none. */
function qualityChoice(studio: Studio): HTMLElement {
  const names = { "": "Quality: automatic", full: "Quality: full", reduced: "Quality: reduced" };
  const options = Object.entries(names).map(([value, text]) => h("option", { value }, text));
  const select = h("select", { "aria-label": "Quality of the scene", name: "quality" }, ...options);
  select.addEventListener("change", () =>
    studio.store.set({ quality: select.value === "" ? undefined : (select.value as "full" | "reduced") }),
  );
  studio.store.watch(["quality"], ({ quality }) => {
    select.value = quality ?? "";
  });
  return select;
}

/** Shows the scene with its timeline on the whole screen. Absent where the browser has no such mode, as on some phones. */
function fullscreenButton(stage: HTMLElement): HTMLElement | false {
  if (!document.fullscreenEnabled) return false;
  return iconButton("fullscreen", "Full screen", () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void stage.requestFullscreen();
  });
}

function followMenu(studio: Studio): HTMLElement {
  const select = h("select", { "aria-label": "Follow a body", title: "Follow a body" });
  select.addEventListener("change", () => studio.store.set({ followed: select.value || undefined }));
  studio.store.watch(["scenario"], ({ scenario }) => {
    const names = scenario?.model.bodies.map(({ name }) => name) ?? [];
    replaceContent(
      select,
      h("option", { value: "" }, "follow no body"),
      ...names.map((name) => h("option", { value: name }, `follow ${name}`)),
    );
    select.value = studio.state.followed ?? "";
  });
  studio.store.watch(["followed"], ({ followed }) => {
    select.value = followed ?? "";
  });
  return select;
}
