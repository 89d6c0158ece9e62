#!/usr/bin/env node
/** The program `castor`: finds the command, runs it, reports what goes wrong. */
import { didYouMean } from "../model/names.ts";
import { readArguments } from "./arguments.ts";
import { benchCommand } from "./bench.ts";
import { type AnyCommand, UsageError } from "./command.ts";
import { compileCommand } from "./compile.ts";
import { evalCommand } from "./eval.ts";
import { failureOf } from "./failure.ts";
import { commandHelp, programHelp } from "./help.ts";
import { identifyCommand } from "./identify.ts";
import { toJson } from "./json.ts";
import { listCommand } from "./list.ts";
import { mapCommand } from "./map.ts";
import { modesCommand } from "./modes.ts";
import { packageVersion } from "./package-files.ts";
import { runCommand } from "./run.ts";
import { studioCommand } from "./studio.ts";
import { endQuietlyWithoutReader, processTerminal, type Terminal } from "./terminal.ts";
import { validateCommand } from "./validate.ts";
import { verifyCommand } from "./verify.ts";

const COMMANDS: readonly AnyCommand[] = [
  runCommand,
  studioCommand,
  verifyCommand,
  validateCommand,
  listCommand,
  modesCommand,
  mapCommand,
  identifyCommand,
  evalCommand,
  compileCommand,
  benchCommand,
];

const HELP: ReadonlySet<string | undefined> = new Set(["--help", "-h"]);

async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  if (name === "--version" || name === "-v") terminal.print(packageVersion());
  else if (name === undefined || HELP.has(name) || (name === "help" && rest.length === 0))
    terminal.print(programHelp(packageVersion(), COMMANDS, terminal.style));
  else if (name === "help") terminal.print(commandHelp(commandOf(rest[0]!), terminal.style));
  else {
    const command = commandOf(name);
    if (rest.some((word) => HELP.has(word))) terminal.print(commandHelp(command, terminal.style));
    else return (await command.run(readArguments(command, rest) as never, terminal)) ?? 0;
  }
  return 0;
}

function commandOf(name: string): AnyCommand {
  const command = COMMANDS.find((c) => c.name === name);
  if (command) return command;
  if (name.startsWith("-")) throw new UsageError(`the command comes first, got ${name}`);
  const advice = didYouMean(
    name,
    COMMANDS.map((c) => c.name),
  );
  throw new UsageError(`there is no command ${JSON.stringify(name)}. ${advice}`);
}

async function main(words: readonly string[]): Promise<void> {
  endQuietlyWithoutReader();
  const terminal = processTerminal();
  try {
    process.exitCode = await run(words, terminal);
  } catch (error) {
    const known = COMMANDS.some((c) => c.name === words[0]);
    const { text, code, json } = failureOf(error, `castor ${known ? `${words[0]} ` : ""}--help shows what there is`, {
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
