/** Messages above the page: problems and warnings of a scenario with the affected line, and the choice between files opened together. */
import type { Problem, Scenario } from "castor";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import type { FileChoice } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import type { WorkerFailure } from "../worker/protocol.ts";
import { h, iconButton, replaceContent } from "./dom.ts";

const SHOWN = 50;

export function problemsView(studio: Studio): HTMLElement {
  const host = h("section", { class: "problems", role: "alert", "aria-label": "Problems", hidden: true });
  /** The warnings that the user has closed. Other warnings are shown again. */
  let seen = "";
  /** Key of the shown content. It is not rebuilt without need, so that its buttons can be clicked during a run. */
  let shown = "";
  const close = (): void => {
    const { failure, scenario } = studio.state;
    if (failure === undefined) seen = JSON.stringify(ofParts(scenario));
    host.hidden = true;
    studio.store.set({ failure: undefined, given: undefined });
  };
  studio.store.watch(["failure", "scenario", "page", "runs", "given"], ({ failure, scenario, source, page, runs, given }) => {
    host.classList.toggle("alone", page === "scenario" && scenario === undefined && runs.length === 0);
    const warnings = ofParts(scenario);
    const warned = failure === undefined && warnings.length > 0 && JSON.stringify(warnings) !== seen;
    const choice = page === "scenario" ? given : undefined;
    host.hidden = failure === undefined && !warned && choice === undefined;
    host.classList.toggle("warnings", failure === undefined);
    const key = host.hidden ? "" : JSON.stringify([failure, warned && warnings, choice, source?.path]);
    if (key === shown) return;
    shown = key;
    const said = failure ?? { name: "Warning", message: "", problems: warnings, ...(source && { source: source.path }) };
    const words = failure || warned ? describe(said, source, warned ? "warning" : "problem") : [];
    const cross = iconButton("cancel", "Close the message", close, { class: "icon-button close" });
    replaceContent(host, choice && choiceOf(choice), ...words, cross);
  });
  return host;
}

/** A selector for the file to show, if several were opened together. */
function choiceOf({ kind, paths, shown, open }: FileChoice): HTMLElement {
  const options = paths.map((path) => h("option", { value: path, selected: path === shown }, path));
  const select = h("select", { "aria-label": `Choose the ${kind} to show` }, ...options);
  select.addEventListener("change", () => open(select.value));
  return h("p", { class: "head" }, `${paths.length} ${kind}s were opened together. Shown: `, select);
}

/** Warnings of forces, controllers and other parts. Warnings of the model itself are left to the report: published models have some. */
const ofParts = (scenario: Scenario | undefined): readonly Problem[] =>
  (scenario?.warnings ?? []).filter((warning) => !scenario!.model.warnings.includes(warning));

function describe(
  { source: place, problems, message }: WorkerFailure,
  source: ScenarioSource | undefined,
  what: string,
): HTMLElement[] {
  if (problems === undefined) return [h("p", { class: "head" }, message)];
  const count = problems.length === 1 ? `1 ${what}` : `${problems.length} ${what}s`;
  // A model without a scenario is read through a generated scenario. Its problems name the model file.
  const [first] = problems;
  const file = first?.file !== undefined && problems.every((p) => p.file === first.file) ? first.file : undefined;
  const more = problems.length > SHOWN && h("li", {}, `and ${problems.length - SHOWN} more`);
  return [
    h("p", { class: "head" }, h("b", {}, file ?? place ?? "model"), ` has ${count}`),
    h("ol", {}, ...problems.slice(0, SHOWN).map((problem) => item(problem, file ?? place, source)), more),
  ];
}

function item(problem: Problem, place: string | undefined, source: ScenarioSource | undefined): HTMLElement {
  const { path, message, value, advice, line, column, file } = problem;
  const position = line === undefined ? "" : `line ${line}${column === undefined ? "" : `, column ${column}`}`;
  const text = line === undefined ? undefined : textOf(file ?? place, source)?.split("\n")[line - 1];
  return h(
    "li",
    {},
    h("span", { class: "where" }, path && h("b", {}, path), file && file !== place && ` ${file}`, position && ` ${position}`),
    h("span", { class: "what" }, `${message}${value === undefined ? "" : `, got ${value}`}`),
    advice && h("span", { class: "advice" }, advice),
    text !== undefined && h("code", { class: "line" }, h("span", { class: "number" }, String(line)), text.slice(0, 300)),
  );
}

/** The text of a file, by its name in messages. */
function textOf(place: string | undefined, source: ScenarioSource | undefined): string | undefined {
  if (source === undefined || place === undefined) return undefined;
  if (place === source.path) return source.text;
  return Object.entries(source.files).find(([name]) => place === name || place.endsWith(`/${name}`))?.[1];
}
