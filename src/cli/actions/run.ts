/** `castor run`: simulates a scenario and writes log, plots and report. */
import { join } from "node:path";
import { buildRunReport } from "../../report/run-report.ts";
import { checkOutputFolder, writeRun } from "../../report/write-run.ts";
import { formatScenario } from "../../scenario/format.ts";
import { runScenario, type ScenarioRun } from "../../scenario/run.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Action } from "../command.ts";
import type { runCommand } from "../commands/run.ts";
import { EXIT } from "../exit-codes.ts";
import { shortestPath } from "../files/chosen-file.ts";
import { loadScenarioArgument } from "../files/scenario-argument.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import { runJson, runText } from "../text/run-text.ts";
import type { Terminal } from "../text/terminal.ts";
import { openStudio } from "./studio.ts";

export const run: Action<typeof runCommand> = async (args, terminal) => {
  const { scenario, name, isBuiltIn, maps, meshes } = await loadScenarioArgument(args.scenario, args);
  const folder = args.out ?? join("out", name);
  checkOutputFolder(folder);
  const result = await runWithProgress(scenario, terminal);
  const otherFiles = new Map([...maps, ...Array.from(meshes(), ([file, bytes]) => [file, () => bytes] as const)]);
  const files = await writeRun(folder, {
    report: buildRunReport(name, result),
    scenario: formatScenario(scenario),
    otherFiles,
  });
  if (args.json) terminal.print(toJson(runJson(name, result, files)));
  else
    terminal.print(
      `${runText(result, terminal)}\n\n${filesAndNextSteps(folder, files, isBuiltIn && !result.failure ? args.scenario : undefined, terminal)}`,
    );
  if (result.failure) {
    terminal.remark(`${terminal.remarkStyle.bad("castor:")} ${result.failure.message}`);
    return EXIT.failure;
  }
  if (args.open) await openStudio({ what: folder }, terminal);
  return result.run.end === "interrupted" ? EXIT.interrupted : 0;
};

async function runWithProgress(scenario: Scenario, terminal: Terminal): Promise<ScenarioRun> {
  const progress = createProgress(terminal);
  try {
    return await runScenario(scenario, {
      progress: (t) => progress.show(t / scenario.duration, `${t.toPrecision(4)} s`),
      signal: abortOnInterrupt(),
    });
  } finally {
    progress.done();
  }
}

function filesAndNextSteps(folder: string, files: readonly string[], builtIn: string | undefined, { style }: Terminal): string {
  const path = shortestPath(folder);
  const plots = files.filter((f) => f.startsWith("plots/")).length;
  return [
    style.bold("Files"),
    `  ${join(path, "report.html")}   open this one: plots, audit, model`,
    `  ${join(path, "log.csv")}   all samples; also in log.json`,
    ...(plots > 0 ? [`  ${join(path, "plots")}   every plot as SVG and PNG`] : []),
    ...(builtIn === undefined
      ? []
      : [
          "",
          style.bold("Try next"),
          `  npx castor verify ${builtIn}   compare all formulations`,
          `  npx castor studio ${builtIn}   watch the motion in a browser`,
        ]),
  ].join("\n");
}
