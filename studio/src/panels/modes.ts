/** The Modes panel: a table of natural frequencies and damping ratios. The scene shows the chosen mode. */
import type { Model } from "castor";
import { h, icon, iconButton, replaceContent } from "../elements/dom.ts";
import { placeBeside } from "../elements/menu.ts";
import { numberText } from "../plots/text.ts";
import type { ModesPanelState } from "../run/modes-session.ts";
import { currentRun, type StudioState, shownMode } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import type { ModesResult } from "../worker/protocol.ts";
import type { Panel } from "./panel.ts";

export const modesPanel: Panel = {
  id: "modes",
  title: "Modes",
  region: "bottom",
  opening: { key: "modes", open: (studio) => studio.modes.open(), close: (studio) => studio.modes.close() },
  mount(host, studio) {
    const status = h("p", { class: "modes-status", role: "status" });
    const remarks = h("div", { class: "modes-remarks" });
    const table = h("div", { class: "modes-table" });
    replaceContent(host, toolbar(studio), status, remarks, table);
    let shownResult: ModesResult | undefined;
    studio.store.watch(["modes", "scenario", "current"], (state) => {
      const { modes } = state;
      if (modes === undefined) return;
      host.setAttribute("aria-busy", String(modes.status === "computing"));
      const text = statusText(modes, state);
      if (status.textContent !== text) status.textContent = text;
      if (modes.result !== shownResult || modes.failure || modes.status !== "ready")
        replaceContent(remarks, ...remarkElements(modes));
      if (modes.result !== shownResult) replaceContent(table, ...tableElements(modes, studio));
      shownResult = modes.result;
      for (const box of table.querySelectorAll("input")) {
        const isChosen = Number(box.value) === modes.chosen;
        if (isChosen && !box.checked) table.scrollTop = Math.max(0, box.closest("tr")!.offsetTop - table.clientHeight / 2);
        box.checked = isChosen;
      }
    });
    document.addEventListener("keydown", (event) => {
      const open = studio.state.modes !== undefined && studio.state.page === "scenario";
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (event.key !== "Escape" || event.defaultPrevented || !open) return;
      if (target.closest("dialog, [popover], input[type=text], input[type=search]")) return;
      studio.modes.close();
      document.getElementById("tab-plots")?.focus();
    });
  },
};

function toolbar(studio: Studio): HTMLElement {
  const play = iconButton("play", "Play", () => studio.store.set({ playing: !studio.state.playing }));
  const back = h("button", { type: "button", class: "plain", onclick: () => studio.modes.close() }, "Back to the run");
  back.title = "Back to the run (Escape)";
  const restBox = h("input", { type: "checkbox" });
  restBox.addEventListener("change", () => studio.modes.setOptions({ about: restBox.checked ? "rest" : "state" }));
  const amplitude = h("input", { type: "range", min: "0.02", max: "0.5", step: "0.01", "aria-label": "Amplitude of the motion" });
  amplitude.addEventListener("input", () => studio.modes.setAmplitude(Number(amplitude.value)));
  const cancel = iconButton("cancel", "Cancel", () => studio.modes.cancel());
  const again = h("button", { type: "button", class: "plain", onclick: () => studio.modes.recompute() }, "Compute again");
  studio.store.watch(["modes", "playing"], (state) => {
    const { modes, playing } = state;
    if (modes === undefined) return;
    const mode = shownMode(state);
    restBox.checked = modes.options.about === "rest";
    amplitude.value = String(modes.amplitude);
    amplitude.setAttribute("aria-valuetext", `${Math.round(100 * modes.amplitude)} percent of the machine's radius`);
    play.disabled = amplitude.disabled = mode === undefined;
    play.replaceChildren(icon(playing && mode ? "pause" : "play"));
    play.setAttribute("aria-label", playing && mode ? "Pause the mode" : "Play the mode");
    play.title = playing && mode ? "Pause (space)" : "Play (space)";
    cancel.hidden = modes.status !== "computing";
    again.hidden = modes.status !== "cancelled";
  });
  return h(
    "div",
    { class: "plot-tools modes-tools", role: "toolbar", "aria-label": "Modes" },
    play,
    h("label", { class: "modes-size" }, "amplitude", amplitude),
    h(
      "label",
      { title: "Linearise about the equilibrium near this state, as castor modes --rest" },
      restBox,
      "about the nearest equilibrium",
    ),
    lockMenu(studio),
    cancel,
    again,
    h("span", { class: "gap" }),
    back,
  );
}

/** Menu of the hinges that can be locked, as with --lock. Joints inside elastic bodies are not listed. */
function lockMenu(studio: Studio): HTMLElement {
  const buttonText = h("span", {});
  const button = h(
    "button",
    { type: "button", class: "plain", popovertarget: "modes-held", "aria-haspopup": "dialog" },
    buttonText,
  );
  const list = h("div", {
    id: "modes-held",
    popover: "auto",
    class: "details held",
    role: "group",
    "aria-label": "Locked hinges",
  });
  list.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "open") placeBeside(list, button);
  });
  let model: Model | undefined;
  studio.store.watch(["scenario", "current", "modes"], (state) => {
    const currentModel = (currentRun(state)?.scenario ?? state.scenario)?.model;
    const { locked = [] } = state.modes?.options ?? {};
    buttonText.textContent = locked.length === 0 ? "no hinge locked" : `locked: ${locked.join(", ")}`;
    button.title = `Locked hinges, as castor modes --lock${locked.length === 0 ? "" : `: ${locked.join(", ")}`}`;
    if (currentModel !== model) {
      model = currentModel;
      replaceContent(list, ...(currentModel ? hingeChoices(currentModel, studio) : []));
      button.hidden = list.childElementCount === 0;
    }
    for (const box of list.querySelectorAll("input")) box.checked = locked.includes(box.value);
  });
  return h("span", { class: "menu-holder" }, button, list);
}

function hingeChoices({ bodies, springs }: Model, studio: Studio): HTMLElement[] {
  const joints = new Set(springs.flatMap(({ joints }) => joints.map(({ hinge }) => hinge)));
  return bodies
    .filter(({ hinge }) => hinge.nu > 0 && !joints.has(hinge.name))
    .map(({ hinge }) => {
      const box = h("input", { type: "checkbox", value: hinge.name });
      box.addEventListener("change", () => {
        const others = (studio.state.modes?.options.locked ?? []).filter((name) => name !== hinge.name);
        studio.modes.setOptions({ locked: box.checked ? [...others, hinge.name] : others });
      });
      return h("label", {}, box, hinge.name, h("small", {}, hinge.kind));
    });
}

function statusText({ status, result, options }: ModesPanelState, { scenario, runs, current }: StudioState): string {
  if (scenario === undefined && currentRun({ runs, current })?.scenario === undefined) return "No model is open.";
  if (status === "computing") return "computing";
  if (status === "cancelled") return "cancelled";
  if (result === undefined) return "";
  const { freedoms, t, modes } = result;
  if (freedoms === 0) return "The model has no degrees of freedom.";
  const about = options.about === "rest" ? "the equilibrium near" : "the state at";
  const place =
    t === 0 ? (options.about === "rest" ? "the equilibrium near the start" : "the start") : `${about} ${numberText(t, 6)} s`;
  const modeCount = modes.length === 1 ? "the slowest mode" : `the ${modes.length} slowest modes`;
  return `${freedoms} ${freedoms === 1 ? "degree" : "degrees"} of freedom, ${modeCount} about ${place}.`;
}

/** Remarks about the state, or the problems, with the same text as on the command line. */
function remarkElements({ result, failure }: ModesPanelState): HTMLElement[] {
  if (failure) {
    const problems = failure.problems?.map(({ message, value, advice }) =>
      [`${message}${value === undefined ? "" : `, got ${value}`}`, advice].filter(Boolean).join(". "),
    );
    return (problems ?? [failure.message]).map((text) => h("p", { class: "verdict bad", role: "alert" }, text));
  }
  return (result?.remarks ?? []).map((text) => h("p", { class: "modes-remark" }, text));
}

function tableElements({ result, options }: ModesPanelState, studio: Studio): HTMLElement[] {
  if (result === undefined || result.modes.length === 0) return [];
  const headers = ["mode", "frequency, Hz", "damping ratio", "real part, 1/s", "kind", "largest motion"];
  const rows = result.modes.map((mode, i) => {
    const choose = h("input", { type: "radio", name: "mode", value: String(i), onchange: () => studio.modes.choose(i) });
    const { kind, frequency, dampingRatio, eigenvalue, mostly } = mode;
    const cellTexts = [
      numberText(frequency, 6),
      kind === "vibration" ? numberText(dampingRatio, 4) : "",
      numberText(eigenvalue.re, 5),
      kind,
      mostly,
    ];
    return h(
      "tr",
      { "data-kind": kind, onclick: () => studio.modes.choose(i) },
      h("th", { scope: "row" }, h("label", {}, choose, h("span", { class: "number" }, i + 1))),
      ...cellTexts.map((text, c) => h("td", { class: c < 3 ? "number" : c === 4 ? "mostly" : "" }, text)),
    );
  });
  const more = h(
    "button",
    { type: "button", class: "plain", onclick: () => studio.modes.setOptions({ count: 2 * options.count }) },
    "More modes",
  );
  return [
    h(
      "table",
      { "aria-label": "Modes, the slowest first" },
      h("thead", {}, h("tr", {}, ...headers.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows),
    ),
    ...(result.modes.length === options.count ? [more] : []),
  ];
}
