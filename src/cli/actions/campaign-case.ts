/** Single cases of a campaign: the complete run of one, and the scenarios of all. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Campaign } from "../../campaign/campaign.ts";
import { type Case, caseOf, caseScenario } from "../../campaign/cases.ts";
import { errorReason, runCase } from "../../campaign/run-case.ts";
import { schemaOf } from "../../campaign/store/table.ts";
import { ModelError } from "../../errors.ts";
import { countText } from "../../report/numbers.ts";
import { buildRunReport } from "../../report/run-report.ts";
import { writeFolder } from "../../report/write-folder.ts";
import { writeRun } from "../../report/write-run.ts";
import { formatScenario } from "../../scenario/format.ts";
import { loadScenario } from "../../scenario/load.ts";
import { runScenario } from "../../scenario/run.ts";
import { EXIT } from "../exit-codes.ts";
import { shortestPath } from "../files/chosen-file.ts";
import { toJson } from "../text/json.ts";
import type { Terminal } from "../text/terminal.ts";

/** Runs a case completely and writes its folder, as `castor run` does. @throws ModelError if its values are not possible */
export async function writeCaseRun(campaign: Campaign, index: number, folder: string): Promise<void> {
  const scenario = await caseScenario(campaign, caseOf(campaign, index));
  const result = await runScenario(scenario, { signal: AbortSignal.timeout(1000 * campaign.limit) });
  await writeRun(folder, { report: buildRunReport(`case ${index}`, result), scenario: formatScenario(scenario) });
}

/** Runs one case, writes its folder and prints its row. */
export async function writeCase(campaign: Campaign, index: number, folder: string, terminal: Terminal): Promise<number> {
  await writeCaseRun(campaign, index, folder);
  const row = await runCase(campaign, index);
  const lines = [
    `case ${index}: ${row.status}${row.reason === "" ? "" : `, ${row.reason}`}`,
    ...campaign.inputs.map(({ name, unit }, i) => `  ${name} = ${row.inputs[i]} ${unit}`.trimEnd()),
    ...campaign.measures.map(({ name, unit }, i) => `  ${name}: ${row.measures[i] ?? "none"} ${unit}`.trimEnd()),
    `  ${join(shortestPath(folder), "report.html")}   plots, audit, model`,
  ];
  terminal.print(lines.join("\n"));
  return row.status === "passed" ? 0 : row.status === "failed" ? EXIT.broken : EXIT.failure;
}

/** Writes the complete runs of cases into the store, as far as they are not there. A case whose values are not possible has none. */
export async function writeKeptRuns(campaign: Campaign, cases: readonly number[], store: string): Promise<void> {
  for (const index of cases) {
    const folder = join(store, "runs", `case-${index}`);
    if (existsSync(folder)) continue;
    try {
      await writeCaseRun(campaign, index, folder);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error; // the row of the case has the reason
    }
  }
}

/** Writes the exact scenario of every case, and a table of the drawn values. Cases whose values are not possible are listed. */
export async function writeCaseScenarios(
  campaign: Campaign,
  folder: string,
  isJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const digits = String(campaign.cases - 1).length;
  const name = (index: number): string => `case-${String(index).padStart(digits, "0")}.yaml`;
  const impossible: { readonly case: number; readonly reason: string }[] = [];
  const cases = Array.from({ length: campaign.cases }, (_, index) => index);
  const text = (index: number): string => {
    try {
      return formatScenario(loadCase(campaign, caseOf(campaign, index)));
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      impossible.push({ case: index, reason: errorReason(error) });
      return `# This case is not possible: ${errorReason(error)}\n`;
    }
  };
  await writeFolder(
    folder,
    [
      ...cases.map((index) => ({ name: name(index), content: () => text(index) })),
      { name: "cases.csv", content: () => inputTable(campaign, cases) },
    ],
    { obstacle: (_, files) => files.find((file) => !/^case-\d+\.yaml$|^cases\.csv$/.test(file)) },
  );
  const place = shortestPath(folder);
  if (isJson) terminal.print(toJson({ folder: place, cases: campaign.cases, impossible }));
  else
    terminal.print(`${countText(campaign.cases, "scenario")} in ${place}; the drawn values are in ${join(place, "cases.csv")}`);
  for (const { case: index, reason } of impossible.slice(0, 10)) terminal.remark(`case ${index} is not possible: ${reason}`);
  return impossible.length > 0 ? EXIT.failure : 0;
}

function loadCase(campaign: Campaign, { overrides }: Case) {
  const { text, source, files } = campaign.scenario;
  return loadScenario(text, source, { files, overrides });
}

function* inputTable(campaign: Campaign, cases: readonly number[]): Generator<string> {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  yield `${["case", ...schemaOf(campaign).inputs.map(({ name }) => quoted(name))].join(",")}\n`;
  for (const index of cases)
    yield `${[index, ...caseOf(campaign, index).inputs.map((cell) => quoted(String(cell)))].join(",")}\n`;
}
