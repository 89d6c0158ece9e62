/** `castor run`: simulates a scenario and writes log, plots and report. */
import { join } from "node:path";
import { buildRunReport } from "../../report/run-report.ts";
import { checkOutputFolder, writeRun } from "../../report/write-run.ts";
import { formatScenario } from "../../scenario/format.ts";
import { runScenario, type ScenarioRun } from "../../scenario/run.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { defineCommand } from "../command.ts";
import { EXIT } from "../failure.ts";
import { shortestPath } from "../files/model-argument.ts";
import { FORMULATION_OPTION, loadScenarioArgument, SCENARIO_ARGUMENT, SCENARIO_CHANGES } from "../files/scenario-argument.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import { runJson, runText } from "../text/run-text.ts";
import type { Terminal } from "../text/terminal.ts";
import { openStudio } from "./studio.ts";

export const runCommand = defineCommand({
  name: "run",
  about: "simulate a scenario and write log, plots and report",
  args: {
    scenario: SCENARIO_ARGUMENT,
    ...SCENARIO_CHANGES,
    formulation: FORMULATION_OPTION,
    out: { type: "string", alias: "o", valueHint: "DIR", description: "output folder (default: out/NAME)" },
    open: { type: "boolean", description: "open the run in the studio when it is finished" },
    json: { type: "boolean", description: "print the summary as JSON" },
  },
  details: [
    "Writes log.csv, log.json, report.html, each plot as SVG and PNG, and",
    "scenario.yaml, which reproduces the run. The folder appears complete or not at",
    "all. Ctrl-C ends the run and writes what was simulated until then.",
    "",
    "--set changes any value of the scenario file. The value is YAML: a number, text",
    "with a unit, [1, 2, 3]. List items are addressed by name or number:",
    "model.bodies.hand.mass=35.",
    "",
    `Exit code: 0 if the run is complete, ${EXIT.failure} if the input has problems or the audit`,
    `fails, ${EXIT.usage} for a wrong command line, ${EXIT.interrupted} after Ctrl-C.`,
  ].join("\n"),
  examples: [
    {
      command: "castor run satellite-manipulator",
      about: "the built-in satellite with an arm; output in out/satellite-manipulator",
    },
    {
      command: "castor run satellite-manipulator --integrator rkg --set integrator.step=0.05",
      about: "with the integrator and step of the report of 1987",
    },
    {
      command: "castor run arm.yaml --set forces.spring.stiffness=12 --duration '2 min' --out stiff",
      about: "your own scenario",
    },
  ],
  async run(args, terminal) {
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
  },
});

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
