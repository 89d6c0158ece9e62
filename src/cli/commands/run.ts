/** `castor run`: a scenario from its start to its report. */
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
  about: "simulates a scenario: log, plots and report",
  args: {
    scenario: SCENARIO_ARGUMENT,
    ...SCENARIO_CHANGES,
    formulation: FORMULATION_OPTION,
    out: { type: "string", alias: "o", valueHint: "DIR", description: "where to write; out/NAME if not given" },
    open: { type: "boolean", description: "open the run in the studio when it is there" },
    json: { type: "boolean", description: "the summary for programs" },
  },
  details: [
    "Writes log.csv, log.json, report.html, each plot as SVG and PNG, and scenario.yaml, with",
    "which the run can be made again. Files appear complete or not at all; Ctrl-C ends the run",
    "and writes what was simulated.",
    "",
    "--set takes any value of the scenario file, in YAML: a number, text with a unit,",
    "[1, 2, 3]. Parts of a list go by name or number: model.bodies.hand.mass=35.",
    "",
    `Exit code: 0 if all is well, ${EXIT.failure} for problems of the input or a broken audit, ${EXIT.usage} for a`,
    `wrong command line, ${EXIT.interrupted} after Ctrl-C.`,
  ].join("\n"),
  examples: [
    { command: "castor run satellite-manipulator", about: "the built-in satellite with an arm, into out/satellite-manipulator" },
    {
      command: "castor run satellite-manipulator --integrator rkg --set integrator.step=0.05",
      about: "as the report of 1987 integrated it",
    },
    {
      command: "castor run arm.yaml --set forces.spring.stiffness=12 --duration '2 min' --out stiff",
      about: "a scenario of your own",
    },
  ],
  async run(args, terminal) {
    const { scenario, name, isBuiltIn, maps, meshes } = await loadScenarioArgument(args.scenario, args);
    const folder = args.out ?? join("out", name);
    checkOutputFolder(folder);
    const result = await runWithProgress(scenario, terminal);
    const beside = new Map([...maps, ...Array.from(meshes(), ([file, bytes]) => [file, () => bytes] as const)]);
    const files = await writeRun(folder, { report: buildRunReport(name, result), scenario: formatScenario(scenario), beside });
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
  const place = shortestPath(folder);
  const plots = files.filter((f) => f.startsWith("plots/")).length;
  return [
    style.bold("Files"),
    `  ${join(place, "report.html")}   open this one: plots, audit, model`,
    `  ${join(place, "log.csv")}   all numbers; the same in log.json`,
    ...(plots > 0 ? [`  ${join(place, "plots")}   every plot as SVG and PNG`] : []),
    ...(builtIn === undefined
      ? []
      : [
          "",
          style.bold("Try next"),
          `  npx castor verify ${builtIn}   the same motion by every formulation`,
          `  npx castor studio ${builtIn}   see it move, in a browser`,
        ]),
  ].join("\n");
}
