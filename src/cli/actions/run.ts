/** `castor run`: simulates a scenario and writes log, plots and report. */
import { basename, extname, join } from "node:path";
import { readQuantityInUnit } from "../../declare/units.ts";
import type { Problem } from "../../errors.ts";
import { readLogText } from "../../formats/node-files.ts";
import { countText, shortNumber } from "../../report/numbers.ts";
import { buildRunReport } from "../../report/run-report.ts";
import { checkOutputFolder, OUTPUT_FORMATS, writeRun } from "../../report/write-run.ts";
import { formatScenario } from "../../scenario/format.ts";
import type { LimitPeak } from "../../scenario/limits/limit-peaks.ts";
import { reachedLimits } from "../../scenario/limits/reached-limits.ts";
import { parseOverride } from "../../scenario/override.ts";
import { type RunOptions, runScenario, type ScenarioRun } from "../../scenario/run.ts";
import { formatSavedRun, openSavedRun } from "../../scenario/saved-run-file.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { SavedRun } from "../../sim/run/saved-run.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { type Action, UsageError } from "../command.ts";
import type { runCommand } from "../commands/run.ts";
import { EXIT } from "../exit-codes.ts";
import { shortestPath } from "../files/chosen-file.ts";
import { provenanceOf } from "../files/provenance.ts";
import { loadScenarioArgument, overridesOf } from "../files/scenario-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import { runJson, runText } from "../text/run-text.ts";
import type { Terminal } from "../text/terminal.ts";
import { openStudio } from "./studio.ts";

export const run: Action<typeof runCommand> = async (args, terminal) => {
  const { scenario, name, isBuiltIn, from, files: namedFiles } = await loadRun(args);
  const folder = args.out ?? join("out", name);
  checkOutputFolder(folder);
  const until = args.until === undefined ? undefined : readTime("--until", args.until);
  const result = await runWithProgress(scenario, terminal, {
    ...(until !== undefined && { until }),
    ...(args.save !== undefined && { save: true }),
    ...(from && { from }),
  });
  const otherFiles = namedFiles();
  if (args.save !== undefined && result.saved) {
    const contents = new Map(Array.from(otherFiles, ([file, content]) => [file, content()] as const));
    writeFileAtomically(args.save, await formatSavedRun(result, contents));
  }
  const scenarioText = formatScenario(scenario);
  const provenance = provenanceOf({
    ...{ name, isBuiltIn, scenario: scenarioText, overrides: overridesOf(args) },
    command: args.from === undefined ? `castor run ${args.scenario}` : `castor run --from ${args.from}`,
  });
  const files = await writeRun(folder, {
    report: { ...buildRunReport(name, result), provenance },
    scenario: scenarioText,
    otherFiles,
    ...(args.png && { formats: OUTPUT_FORMATS }),
  });
  if (args.json) terminal.print(toJson(runJson(name, result, files)));
  else
    terminal.print(
      `${runText(result, terminal)}\n\n${filesAndNextSteps(folder, files, isBuiltIn && !result.failure ? name : undefined, terminal)}`,
    );
  if (result.failure) {
    terminal.remark(`${terminal.remarkStyle.bad("castor:")} ${result.failure.message}`);
    return EXIT.failure;
  }
  if (args.save !== undefined) terminal.remark(`saved the run at ${result.run.t} s in ${args.save}`);
  if (args.open) await openStudio({ what: folder }, terminal);
  if (result.run.end === "interrupted") return EXIT.interrupted;
  const broken = reachedLimits(result).filter(({ within }) => !within);
  if (!args.strict || broken.length === 0) return 0;
  terminal.remark(`${terminal.remarkStyle.bad("castor:")} ${brokenText(broken)}`);
  return EXIT.broken;
};

/** Says which limits were broken, and by which values. */
const brokenText = (broken: readonly LimitPeak[]): string =>
  `it ran, but ${countText(broken.length, "limit")} ${broken.length === 1 ? "was" : "were"} broken: ${broken
    .map(({ name, channel, value, limit, unit, bound, at }) =>
      `${name}: ${channel} is ${shortNumber(value, 5)} at ${shortNumber(at, 5)} s, ${bound === "most" ? "above" : "below"} ${shortNumber(limit, 5)} ${unit}`.trimEnd(),
    )
    .join("; ")}`;

interface LoadedRun {
  readonly scenario: Scenario;
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly from?: SavedRun;
  /** Contents of the maps and meshes of the scenario, by their paths. */
  files(): ReadonlyMap<string, () => Uint8Array>;
}

/** The scenario of the command line, or the saved run that --from names. */
async function loadRun(args: Parameters<typeof run>[0]): Promise<LoadedRun> {
  if (args.from === undefined) {
    if (args.scenario === undefined)
      throw new UsageError("SCENARIO is missing. Name a scenario, or a saved run with --from FILE");
    const { scenario, name, isBuiltIn, maps, meshes } = await loadScenarioArgument(args.scenario, args);
    const files = () => new Map([...maps, ...Array.from(meshes(), ([file, bytes]) => [file, () => bytes] as const)]);
    return { scenario, name, isBuiltIn, files };
  }
  if (args.scenario !== undefined)
    throw new UsageError(`--from continues a saved run, which contains its scenario. Leave out ${JSON.stringify(args.scenario)}`);
  registerPrintedForms();
  const { scenario, from, files } = await openSavedRun(readLogText(args.from), args.from, overridesOf(args));
  const named = Array.from(files, ([file, bytes]) => [file, () => bytes] as const);
  return { scenario, name: basename(args.from, extname(args.from)), isBuiltIn: false, from, files: () => new Map(named) };
}

/** A time in seconds or with a unit. @throws UsageError */
function readTime(option: string, text: string): number {
  const problems: Problem[] = [];
  const value = readQuantityInUnit(parseOverride(`t=${text}`).value, "s", option, problems);
  if (value === undefined || !(value > 0))
    throw new UsageError(`${option} needs a time above 0 in seconds or with a unit, got ${text}`);
  return value;
}

async function runWithProgress(
  scenario: Scenario,
  terminal: Terminal,
  options: Pick<RunOptions, "until" | "save" | "from">,
): Promise<ScenarioRun> {
  const progress = createProgress(terminal);
  try {
    return await runScenario(scenario, {
      ...options,
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
    ...(plots > 0
      ? [`  ${join(path, "plots")}   every plot as SVG${files.some((f) => f.endsWith(".png")) ? " and PNG" : ""}`]
      : []),
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
