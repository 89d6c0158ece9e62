/**
 * `npm run bench [-- --quick] [--json] [--before FOLDER] [--help] [section ...] [model ...]` compares Castor with its peers. It prints tables or JSON, writes
 * bench/results/, and fails if a limit is exceeded.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { MODEL_NAMES, type ModelName } from "./machines/models.ts";
import type { BenchSection, Effort, SectionOutcome } from "./run/section.ts";
import { SECTIONS } from "./sections/index.ts";

const HELP = `npm run bench [-- --quick] [--json] [--before FOLDER] [--help] [SECTION ...] [MODEL ...]

Compares Castor with its peers, mostly by ratios of times measured in the same run. Exits with 1 if a limit is exceeded.

Sections (default: all):
${SECTIONS.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join("\n")}

Models: ${MODEL_NAMES.join(", ")}.
Models apply to the sections forward, quantities and throughput. If only models are named, only these sections run.

  --quick   shorter, less accurate measurements
  --json    print the results as JSON; they are always written to bench/results/
  --before  folder of another build of Castor, to which the sections quantities, runs and start compare this one

npm run bench -- --quick throughput drift
npm run bench -- forward m1a m2a`;

const RESULTS_FOLDER = new URL("../bench/results/", import.meta.url);

/** Runs the sections and returns the exit code. */
function runBenchmark({ quick, json, before, sections, models }: ReturnType<typeof commandLine>): number {
  if (!json) console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}.\n`);
  const effort: Effort = quick ? "quick" : "full";
  const outcomes = sections.map((section): readonly [string, SectionOutcome] => {
    const outcome = section.run({ models: models.length > 0 ? models : (section.models ?? []), effort, before });
    mkdirSync(RESULTS_FOLDER, { recursive: true });
    writeFileSync(new URL(`${section.name}.json`, RESULTS_FOLDER), `${JSON.stringify(outcome.results, undefined, 2)}\n`);
    if (!json) console.log(`${outcome.text}\n`);
    return [section.name, outcome];
  });
  const pass = outcomes.every(([, { verdicts }]) => verdicts.every((verdict) => verdict.pass));
  if (json) console.log(JSON.stringify({ pass, ...Object.fromEntries(outcomes.map(([name, { results }]) => [name, results])) }));
  else console.log(pass ? "All limits are met." : "Some limits are exceeded: see FAIL above.");
  return pass ? 0 : 1;
}

function commandLine(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: flag, json: flag, help: flag, before: { type: "string" } },
  });
  const isModel = (word: string): word is ModelName => MODEL_NAMES.includes(word as ModelName);
  const models = positionals.filter(isModel);
  const sectionNames = positionals.filter((word) => !isModel(word));
  const unknown = sectionNames.find((word) => !SECTIONS.some(({ name }) => name === word));
  if (unknown !== undefined) throw new Error(`unknown section or model ${JSON.stringify(unknown)}`);
  const isChosen = (section: BenchSection): boolean =>
    sectionNames.length > 0 ? sectionNames.includes(section.name) : models.length === 0 || section.models !== undefined;
  return { ...values, models, sections: SECTIONS.filter(isChosen) };
}

function parseOrExplain(args: readonly string[]): ReturnType<typeof commandLine> | undefined {
  try {
    return commandLine(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    return undefined;
  }
}

const parsedArguments = parseOrExplain(process.argv.slice(2));
if (parsedArguments?.help) console.log(HELP);
else process.exitCode = parsedArguments ? runBenchmark(parsedArguments) : 2;
