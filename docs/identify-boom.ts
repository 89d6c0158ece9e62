/** Draws the picture of docs/flexible.md: the measured acceleration of a boom over the simulated one, with the values that were identified from it. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildRunReport, plotSvg } from "castor/report";
import { loadScenario, runScenario, type ScenarioFiles } from "castor/scenario";

const folder = new URL("./scenarios/identify-boom/", import.meta.resolve("castor/package.json"));
const read = (path: string) => ({ text: readFileSync(fileURLToPath(new URL(path, folder)), "utf8"), source: path });
const files: ScenarioFiles = { readBeside: read, readChosen: read, builtIns: [], readBuiltIn: read };
const { text, source } = read("scenario.yaml");

/** As castor identify finds them. */
const FOUND: Readonly<Record<string, number>> = {
  twist: 159.99,
  "bending-y": 799.66,
  "bending-z": 1200.2,
  "joint-1": 0.4004,
  damping: 0.00040013,
  payload: 2.501,
};
const overrides = loadScenario(text, source, { files }).identify!.unknowns.flatMap(({ name, paths }) =>
  paths.map((path) => ({ path, value: FOUND[name]!, from: "identified" })),
);
const report = buildRunReport("identify-boom", await runScenario(loadScenario(text, source, { files, overrides })));
console.log(plotSvg(report.log, report.plots.find(({ title }) => title.endsWith("along x"))!));
