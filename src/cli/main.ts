#!/usr/bin/env node
/** The program `castor`: finds the command, loads its code, runs it, and reports errors. */
import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";
import { didYouMean } from "../declare/names.ts";
import { readArguments } from "./arguments.ts";
import { type Action, type Arguments, type Command, UsageError } from "./command.ts";
import { benchCommand } from "./commands/bench.ts";
import { campaignCommand } from "./commands/campaign.ts";
import { compileCommand } from "./commands/compile.ts";
import { convertCommand } from "./commands/convert.ts";
import { evalCommand } from "./commands/eval.ts";
import { identifyCommand } from "./commands/identify.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { listCommand } from "./commands/list.ts";
import { mapCommand } from "./commands/map.ts";
import { modesCommand } from "./commands/modes.ts";
import { runCommand } from "./commands/run.ts";
import { studioCommand } from "./commands/studio.ts";
import { validateCommand } from "./commands/validate.ts";
import { verifyCommand } from "./commands/verify.ts";
import { workerCommand } from "./commands/worker.ts";
import { describeFailure } from "./failure.ts";
import { packageVersion } from "./files/package-files.ts";
import { commandHelp, programHelp } from "./help.ts";
import { toJson } from "./text/json.ts";
import { exitOnFailedOutput, processTerminal, type Terminal } from "./text/terminal.ts";

interface Entry {
  readonly command: Command;
  run(words: readonly string[], terminal: Terminal): Promise<number>;
}

/** A command with the loader of its action, which is loaded only when it runs: loading all takes longer than most of them run. */
const entry = <A extends Arguments>(command: Command<A>, load: () => Promise<{ run: Action<Command<A>> }>): Entry => ({
  command,
  run: async (words, terminal) => {
    const args = readArguments(command, words);
    const { run } = await load();
    return (await run(args, terminal)) ?? 0;
  },
});

/** Commands in the order of the help. */
const COMMANDS: readonly Entry[] = [
  entry(runCommand, () => import("./actions/run.ts")),
  entry(campaignCommand, () => import("./actions/campaign.ts")),
  entry(workerCommand, () => import("./actions/worker.ts")),
  entry(studioCommand, () => import("./actions/studio.ts")),
  entry(verifyCommand, () => import("./actions/verify.ts")),
  entry(validateCommand, () => import("./actions/validate.ts")),
  entry(listCommand, () => import("./actions/list.ts")),
  entry(inspectCommand, () => import("./actions/inspect.ts")),
  entry(convertCommand, () => import("./actions/convert.ts")),
  entry(modesCommand, () => import("./actions/modes.ts")),
  entry(mapCommand, () => import("./actions/map.ts")),
  entry(identifyCommand, () => import("./actions/identify.ts")),
  entry(evalCommand, () => import("./actions/eval.ts")),
  entry(compileCommand, () => import("./actions/compile.ts")),
  entry(benchCommand, () => import("./actions/bench.ts")),
];

const HELP: ReadonlySet<string | undefined> = new Set(["--help", "-h"]);

async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  if (name === "--version" || name === "-v") terminal.print(packageVersion());
  else if (name === undefined || HELP.has(name) || (name === "help" && rest.length === 0)) {
    const commands = COMMANDS.map(({ command }) => command);
    terminal.print(programHelp(packageVersion(), commands, terminal.style));
  } else if (name === "help") terminal.print(commandHelp(entryOf(rest[0]!).command, terminal.style));
  else {
    const chosen = entryOf(name);
    if (rest.some((word) => HELP.has(word))) terminal.print(commandHelp(chosen.command, terminal.style));
    else return chosen.run(rest, terminal);
  }
  return 0;
}

const findEntry = (name: string | undefined): Entry | undefined => COMMANDS.find(({ command }) => command.name === name);

function entryOf(name: string): Entry {
  const known = findEntry(name);
  if (known) return known;
  if (name.startsWith("-")) throw new UsageError(`the command comes first, got ${name}`);
  const names = COMMANDS.map(({ command }) => command.name);
  throw new UsageError(`there is no command ${JSON.stringify(name)}. ${didYouMean(name, names)}`);
}

/** Node 22 and later store compiled code of the modules that are loaded from now on, for the next start. */
function enableCompileCache(): void {
  if ("enableCompileCache" in nodeModule) (nodeModule.enableCompileCache as () => void)();
}

/**
 * Lets the engine optimise functions later. Commands end after seconds: at its normal setting, a sixth of the time of a docking run is the
 * optimisation of code that runs for a moment only, above all while programs are traced. Longer runs lose nothing.
 */
const optimiseLater = (): void => setFlagsFromString("--interrupt-budget=600000");

async function main(words: readonly string[]): Promise<void> {
  enableCompileCache();
  optimiseLater();
  if (process.env.CASTOR_DEBUG) process.setSourceMapsEnabled(true); // stack traces then name the files of src
  exitOnFailedOutput();
  const terminal = processTerminal();
  try {
    process.exitCode = await run(words, terminal);
  } catch (error) {
    const { text, code, json } = describeFailure(error, `For help: castor ${findEntry(words[0]) ? `${words[0]} ` : ""}--help`, {
      ...terminal,
      style: terminal.remarkStyle,
    });
    if (words.includes("--json")) terminal.print(toJson({ error: json }));
    terminal.remark(text);
    if (process.env.CASTOR_DEBUG) console.error(error);
    process.exitCode = code;
  }
}

await main(process.argv.slice(2));
