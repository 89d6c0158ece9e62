/** The runs in the plots: the current run, the compared runs, and buttons to compare with others. */
import type { FormulationName } from "castor";
import { formulationsFor } from "castor/dynamics";
import { h, iconButton, replaceContent, svg } from "../elements/dom.ts";
import { menuButton } from "../elements/menu.ts";
import { editOverrides, withChanges } from "../state/changes.ts";
import { currentRun, type StudioRun } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { drawnRuns } from "./plot-list.ts";
import { dashPattern } from "./plot-options.ts";

export function runChips(studio: Studio): HTMLElement {
  const list = h("ul", { class: "run-chips", "aria-label": "Runs in the plots" });
  const keep = iconButton("pin", "Keep this run for comparison", () => keepCurrent(studio));
  const menu = h("span", {});
  const difference = h("button", { type: "button", class: "plain" }, "Difference");
  difference.title = "Plot the current run minus each compared run";
  difference.addEventListener("click", () => studio.store.set({ difference: !studio.state.difference }));
  studio.store.watch(["runs", "current", "compared", "difference"], (state) => {
    const runs = drawnRuns(state);
    const others = runs.length - 1;
    replaceContent(list, ...[...runs].reverse().map((run, i) => chip(studio, run, i, runs.length)));
    list.hidden = runs.length === 0;
    difference.hidden = others < 1;
    difference.setAttribute("aria-pressed", String(state.difference));
    const run = currentRun(state);
    keep.disabled = run === undefined || run.log.length === 0 || state.compared.includes(run.id);
  });
  studio.store.watch(["scenario"], ({ scenario }) => {
    const names = scenario ? formulationsFor(scenario.model).filter((name) => name !== scenario.formulation) : [];
    replaceContent(
      menu,
      names.length > 0 &&
        menuButton(
          "compare",
          "Compare with another formulation",
          names.map((name) => ({ text: `Compare with ${name}`, action: () => compareFormulation(studio, name) })),
          "Compare",
        ),
    );
  });
  return h("span", { class: "runs" }, list, keep, menu, difference);
}

function chip(studio: Studio, run: StudioRun, order: number, count: number): HTMLElement {
  const isCurrent = run.id === studio.state.current;
  const drop = (): void => studio.store.set({ compared: studio.state.compared.filter((id) => id !== run.id) });
  const dash = isCurrent ? 0 : count - order;
  const sample = svg(
    "svg",
    { viewBox: "0 0 18 6", class: "dash", "aria-hidden": "true" },
    svg("path", {
      d: "M0 3h18",
      stroke: "currentColor",
      "stroke-width": "2",
      "stroke-dasharray": dashPattern(dash).join(" ") || false,
    }),
  );
  return h(
    "li",
    { class: isCurrent ? "run-chip current" : "run-chip", title: run.label },
    sample,
    h("span", { class: "name" }, run.label),
    !isCurrent &&
      h(
        "button",
        { type: "button", class: "remove", "aria-label": `Remove ${run.label} from the comparison`, onclick: drop },
        "×",
      ),
  );
}

function keepCurrent(studio: Studio): void {
  const { current, compared } = studio.state;
  if (current !== undefined && !compared.includes(current)) studio.store.set({ compared: [...compared, current] });
}

/** Keeps the current run for comparison and runs the scenario with another formulation. */
function compareFormulation(studio: Studio, formulation: FormulationName): void {
  keepCurrent(studio);
  editOverrides(
    studio,
    withChanges(studio.state.overrides, [{ path: "formulation", value: formulation }]),
    `formulation ${formulation}`,
  );
}
