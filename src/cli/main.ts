#!/usr/bin/env node
/** The program `castor`: finds the command, runs it, and reports errors. */
import "../validation/register.ts";
import { didYouMean } from "../declare/names.ts";
import { readArguments } from "./arguments.ts";
import { type AnyCommand, UsageError } from "./command.ts";
import { describeFailure } from "./failure.ts";
import { packageVersion } from "./files/package-files.ts";
import { commandHelp, programHelp } from "./help.ts";
import { toJson } from "./text/json.ts";
import { exitQuietlyOnClosedPipe, processTerminal, type Terminal } from "./text/terminal.ts";

/** Commands in the order of the help. Each is loaded on demand, because loading all takes longer than most of them run. */
const COMMANDS: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  run: async () => (await import("./commands/run.ts")).runCommand,
  studio: async () => (await import("./commands/studio.ts")).studioCommand,
  verify: async () => (await import("./commands/verify.ts")).verifyCommand,
  validate: async () => (await import("./commands/validate.ts")).validateCommand,
  list: async () => (await import("./commands/list.ts")).listCommand,
  modes: async () => (await import("./commands/modes.ts")).modesCommand,
  map: async () => (await import("./commands/map.ts")).mapCommand,
  identify: async () => (await import("./commands/identify.ts")).identifyCommand,
  eval: async () => (await import("./commands/eval.ts")).evalCommand,
  compile: async () => (await import("./commands/compile.ts")).compileCommand,
  bench: async () => (await import("./commands/bench.ts")).benchCommand,
};

const HELP: ReadonlySet<string | undefined> = new Set(["--help", "-h"]);

async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  if (name === "--version" || name === "-v") terminal.print(packageVersion());
  else if (name === undefined || HELP.has(name) || (name === "help" && rest.length === 0))
    terminal.print(
      programHelp(packageVersion(), await Promise.all(Object.values(COMMANDS).map((load) => load())), terminal.style),
    );
  else if (name === "help") terminal.print(commandHelp(await commandOf(rest[0]!), terminal.style));
  else {
    const command = await commandOf(name);
    if (rest.some((word) => HELP.has(word))) terminal.print(commandHelp(command, terminal.style));
    else return (await command.run(readArguments(command, rest) as never, terminal)) ?? 0;
  }
  return 0;
}

async function commandOf(name: string): Promise<AnyCommand> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!();
  if (name.startsWith("-")) throw new UsageError(`the command comes first, got ${name}`);
  throw new UsageError(`there is no command ${JSON.stringify(name)}. ${didYouMean(name, Object.keys(COMMANDS))}`);
}

async function main(words: readonly string[]): Promise<void> {
  exitQuietlyOnClosedPipe();
  const terminal = processTerminal();
  try {
    process.exitCode = await run(words, terminal);
  } catch (error) {
    const isCommand = Object.hasOwn(COMMANDS, words[0] ?? "");
    const { text, code, json } = describeFailure(error, `For help: castor ${isCommand ? `${words[0]} ` : ""}--help`, {
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
