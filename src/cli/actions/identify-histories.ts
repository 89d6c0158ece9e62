/** `castor identify` for a scenario: its unknown values from measured time histories. */

import { withIdentification } from "../../report/identification.ts";
import { countText } from "../../report/numbers.ts";
import { buildRunReport } from "../../report/run-report.ts";
import { checkOutputFolder, writeRun } from "../../report/write-run.ts";
import { formatScenario } from "../../scenario/format.ts";
import { loadScenario } from "../../scenario/load.ts";
import { type IdentifiedScenario, identifyScenario } from "../../scenario/measured/identify-run.ts";
import { runScenario } from "../../scenario/run.ts";
import { UsageError } from "../command.ts";
import { type ChosenScenario, loadScenarioArgument } from "../files/scenario-argument.ts";
import { identifiedJson, identifiedText } from "../text/identified-text.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import type { Terminal } from "../text/terminal.ts";

interface HistoryArguments {
  readonly file: string;
  readonly set?: string | undefined;
  readonly out?: string | undefined;
  readonly grid?: boolean | undefined;
  readonly plot?: string | undefined;
  readonly json?: boolean | undefined;
}

export async function identifyFromHistories(args: HistoryArguments, terminal: Terminal): Promise<number> {
  if (args.grid || args.plot !== undefined)
    throw new UsageError(`${args.grid ? "--grid" : "--plot"} is for measurement files, and ${args.file} is a scenario`);
  if (args.out !== undefined) checkOutputFolder(args.out);
  const chosen = await loadScenarioArgument(args.file, args);
  const found = identifyWithProgress(chosen, terminal);
  const files = args.out === undefined ? [] : await writeFoundRun(args.out, chosen, found);
  if (args.json) terminal.print(toJson(identifiedJson(chosen.scenario, found, files)));
  else terminal.print(identifiedText(chosen.scenario, found, { file: args.file, folder: args.out }, terminal));
  return 0;
}

function identifyWithProgress({ scenario, files }: ChosenScenario, terminal: Terminal): IdentifiedScenario {
  const progress = createProgress(terminal);
  // The number of simulations is not known before; the bar approaches its end.
  const usual = 30 * (scenario.identify?.unknowns.length ?? 1);
  try {
    return identifyScenario(scenario, {
      files,
      progress: (runs) => progress.show(runs / (runs + usual), countText(runs, "simulation")),
    });
  } finally {
    progress.done();
  }
}

/** Runs the scenario with the found values, and writes the report. */
async function writeFoundRun(
  folder: string,
  { scenario, name, files, maps, meshes }: ChosenScenario,
  found: IdentifiedScenario,
): Promise<readonly string[]> {
  const withValues = loadScenario(formatScenario(scenario), name, { files, overrides: found.overrides });
  const result = await runScenario(withValues);
  if (result.failure) throw result.failure;
  return writeRun(folder, {
    report: withIdentification(buildRunReport(name, result), found),
    scenario: formatScenario(withValues),
    otherFiles: new Map([...maps, ...Array.from(meshes(), ([file, bytes]) => [file, () => bytes] as const)]),
  });
}
