/** Messages above the page: problems and warnings of a scenario with the affected line, and the choice between files opened together. */
import type { Problem } from "castor";
import type { Scenario } from "castor/scenario";
import { openFilesButton } from "../files/drop.ts";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import type { FileChoice } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import type { WorkerFailure } from "../worker/protocol.ts";
import { h, iconButton, replaceContent } from "./dom.ts";
import { FileEditor, fileInSource } from "./file-editor.ts";

const MAX_PROBLEMS = 50;

export function problemsView(studio: Studio): HTMLElement {
  const host = h("section", { class: "problems", role: "alert", "aria-label": "Problems", hidden: true });
  /** The warnings that the user has closed. Other warnings are shown again. */
  let closedWarnings = "";
  /** Key of the shown content. It is not rebuilt without need, so that its buttons can be clicked during a run. */
  let shownKey = "";
  const editor = new FileEditor(studio);
  const close = (): void => {
    const { failure, scenario } = studio.state;
    if (failure === undefined) closedWarnings = JSON.stringify(partWarnings(scenario));
    host.hidden = true;
    studio.store.set({ failure: undefined, fileChoice: undefined });
  };
  studio.store.watch(
    ["failure", "scenario", "page", "runs", "fileChoice"],
    ({ failure, scenario, source, page, runs, fileChoice }) => {
      const isAlone = page === "scenario" && scenario === undefined && runs.length === 0 && failure !== undefined;
      host.classList.toggle("alone", isAlone);
      const warnings = partWarnings(scenario);
      const hasWarnings = failure === undefined && warnings.length > 0 && JSON.stringify(warnings) !== closedWarnings;
      const choice = page === "scenario" ? fileChoice : undefined;
      host.hidden = failure === undefined && !hasWarnings && choice === undefined;
      host.classList.toggle("warnings", failure === undefined);
      const key = host.hidden ? "" : JSON.stringify([failure, hasWarnings && warnings, choice, source?.path]);
      if (key === shownKey) return;
      shownKey = key;
      const message = failure ?? { name: "Warning", message: "", problems: warnings, ...(source && { source: source.path }) };
      const lines = failure || hasWarnings ? problemElements(message, source, hasWarnings ? "warning" : "problem") : [];
      const closeButton = iconButton("cancel", "Close the message", close, { class: "icon-button close" });
      if (!isAlone) return replaceContent(host, choice && fileChoiceElement(choice), ...lines, closeButton);
      // Nothing else can be shown: the file is beside its problems, to be corrected.
      const list = h("div", {}, choice && fileChoiceElement(choice), ...lines);
      const leave = iconButton("cancel", "Close the message", () => {
        close();
        studio.showGallery();
      });
      const parts = [h("div", { class: "problem-list" }, leave, list), source ? editor.element : undefined];
      replaceContent(host, h("main", { class: "alone-parts" }, ...parts));
      if (source === undefined) return list.append(openFilesButton(studio, "Open another file"));
      const places = (failure.problems ?? []).map((p) => ({
        file: fileInSource(source, p.file ?? failure.source),
        line: p.line,
      }));
      const file = places.find(({ line }) => line !== undefined)?.file ?? places[0]?.file ?? source.path;
      const linesOf = (name: string): number[] =>
        places.flatMap((p) => (p.file === name && p.line !== undefined ? [p.line] : []));
      let shown = file;
      editor.show(source, file, linesOf(file));
      for (const [i, item] of [...list.querySelectorAll("ol > li")].entries()) {
        const { file: own, line } = places[i] ?? {};
        if (own === undefined || line === undefined) continue;
        const go = (): void => {
          if (own !== shown) editor.show(source, own, linesOf(own));
          shown = own;
          editor.goTo(line);
        };
        item.append(h("button", { type: "button", class: "plain", onclick: go }, `Go to line ${line}`));
      }
    },
  );
  return host;
}

/** A selector for the file to show, if several were opened together. */
function fileChoiceElement({ kind, paths, shown, open }: FileChoice): HTMLElement {
  const options = paths.map((path) => h("option", { value: path, selected: path === shown }, path));
  const select = h("select", { "aria-label": `Choose the ${kind} to show` }, ...options);
  select.addEventListener("change", () => open(select.value));
  return h("p", { class: "head" }, `${paths.length} ${kind}s were opened together. Shown: `, select);
}

/** Warnings of forces, controllers and other parts. Warnings of the model itself are left to the report: published models have some. */
const partWarnings = (scenario: Scenario | undefined): readonly Problem[] =>
  (scenario?.warnings ?? []).filter((warning) => !scenario!.model.warnings.includes(warning));

function problemElements(
  { source: fileName, problems, message, code }: WorkerFailure,
  source: ScenarioSource | undefined,
  noun: string,
): HTMLElement[] {
  if (problems === undefined) {
    const head = h("p", { class: "head" }, message);
    return code === undefined ? [head, h("p", { class: "advice" }, "This is a bug in Castor, not in your input.")] : [head];
  }
  const count = problems.length === 1 ? `1 ${noun}` : `${problems.length} ${noun}s`;
  // A model without a scenario is read through a generated scenario. Its problems name the model file.
  const [first] = problems;
  const file = first?.file !== undefined && problems.every((p) => p.file === first.file) ? first.file : undefined;
  const more = problems.length > MAX_PROBLEMS && h("li", {}, `and ${problems.length - MAX_PROBLEMS} more`);
  const head = [h("b", {}, file ?? fileName ?? "model"), ` has ${count}`];
  const list = h(
    "ol",
    {},
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => problemItem(problem, file ?? fileName, source)),
    more,
  );
  // Robot files often have many: they must not cover the robot. Those of built-in scenarios are intended.
  const isFolded = noun === "warning" && (source?.robot !== undefined || source?.builtIn === true);
  return isFolded
    ? [h("details", {}, h("summary", { class: "head" }, ...head), list)]
    : [h("p", { class: "head" }, ...head), list];
}

function problemItem(problem: Problem, fileName: string | undefined, source: ScenarioSource | undefined): HTMLElement {
  const { path, message, value, advice, line, column, file } = problem;
  const position = line === undefined ? "" : `line ${line}${column === undefined ? "" : `, column ${column}`}`;
  const text = line === undefined ? undefined : textOf(file ?? fileName, source)?.split("\n")[line - 1];
  return h(
    "li",
    {},
    h("span", { class: "where" }, path && h("b", {}, path), file && file !== fileName && ` ${file}`, position && ` ${position}`),
    h("span", { class: "what" }, `${message}${value === undefined ? "" : `, got ${value}`}`),
    advice && h("span", { class: "advice" }, advice),
    text !== undefined && h("code", { class: "line" }, h("span", { class: "number" }, String(line)), text.slice(0, 300)),
  );
}

/** The text of a file, by its name in messages. */
function textOf(fileName: string | undefined, source: ScenarioSource | undefined): string | undefined {
  if (source === undefined || fileName === undefined) return undefined;
  if (fileName === source.path) return source.text;
  return Object.entries(source.files).find(([name]) => fileName === name || fileName.endsWith(`/${name}`))?.[1];
}
