/** `npm run attack`: the attack suite in long form. See HELP. */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Generator, loadGenerators } from "./generators.ts";
import { CASE_SECONDS, type CaseResult, runJobs } from "./pool.ts";
import { attackReport, reportText } from "./report.ts";

const HELP = `npm run attack -- [--seed N] [--cases N] [--only NAME[,NAME]] [--jobs N] [--json] [--help]

Attacks Castor with seeded cases from test/attacks/cases and reports for each generator: tries, right, refused with a reason, silently wrong.
Exits with 1 if a case is silently wrong, or if more than 1 % of the cases with valid input are refused. A case that does not end within
${CASE_SECONDS} s, that ends its process, or that throws an error of the engine is wrong.

  --seed N    seed of the first case of each generator (default 1); the next ones are N + 1, N + 2, ...
  --cases N   number of cases in all, the same for each generator (default 1000)
  --only      generators to run (default: all)
  --jobs N    number of processes (default: processors)
  --json      print the results as JSON

npm run attack -- --seed 7 --cases 10000
npm run attack -- --only assemblies --seed 41 --cases 1`;

const wholeNumber = (name: string, text: string, least: number): number => {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number of at least ${least}, got ${JSON.stringify(text)}`);
  return value;
};

function selected(generators: readonly Generator[], only: string | undefined): readonly Generator[] {
  if (only === undefined) return generators;
  return only.split(",").map((name) => {
    const generator = generators.find((g) => g.name === name);
    if (generator === undefined)
      throw new Error(`--only: there is no generator ${name}. There are: ${generators.map((g) => g.name).join(", ")}`);
    return generator;
  });
}

function commandLine(rest: readonly string[]) {
  const { values } = parseArgs({
    args: [...rest],
    options: {
      seed: { type: "string", default: "1" },
      cases: { type: "string", default: "1000" },
      only: { type: "string" },
      jobs: { type: "string", default: String(availableParallelism()) },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  return {
    ...values,
    seed: wholeNumber("seed", values.seed, 0),
    cases: wholeNumber("cases", values.cases, 1),
    jobs: wholeNumber("jobs", values.jobs, 1),
  };
}

/** Runs the suite. Returns the exit code: 2 for a wrong command line. */
export async function main(rest: readonly string[]): Promise<number> {
  let options: ReturnType<typeof commandLine>;
  let generators: readonly Generator[];
  try {
    options = commandLine(rest);
    generators = selected(await loadGenerators(), options.only);
  } catch (error) {
    console.error(`${(error as Error).message}\nnpm run attack -- --help lists the options.`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  const perGenerator = Math.ceil(options.cases / generators.length);
  // Cases of all generators in turn: an interrupted run has tried a part of each.
  const jobs = Array.from({ length: perGenerator }, (_, k) =>
    generators.map(({ name }) => ({ generator: name, seed: (options.seed + k) % 2 ** 32 })),
  ).flat();
  const results: CaseResult[] = [];
  await runJobs(jobs, options.jobs, (result) => {
    results.push(result);
    if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${jobs.length} cases`);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const report = attackReport(generators, results);
  console.log(options.json ? JSON.stringify(report, undefined, 2) : reportText(report));
  return report.passed ? 0 : 1;
}
