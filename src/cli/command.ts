/** What a command is: what it takes, how it is explained, what it does. A new command is one file and one line in main.ts. */
import type { ArgDef, ParsedArgs } from "citty";
import type { Terminal } from "./text/terminal.ts";

/** An argument as citty has it; a list may be given several times and with commas, or only several times if it is of texts. */
export type Argument = ArgDef & { readonly list?: true | "of texts" };
export type Arguments = Readonly<Record<string, Argument>>;

export interface Example {
  readonly command: string;
  readonly about: string;
}

export interface Command<A extends Arguments = Arguments> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly about: string;
  /** What else the help should say, in lines of at most 80 characters. */
  readonly details?: string;
  readonly args: A;
  readonly examples: readonly Example[];
  /** The exit code, 0 if nothing is returned. */
  run(args: ParsedArgs<A>, terminal: Terminal): number | undefined | Promise<number | undefined>;
}

/** A command of any arguments, as the list of all commands sees it. */
export type AnyCommand = Omit<Command, "run"> & { run(args: never, terminal: Terminal): ReturnType<Command["run"]> };

/** Infers the types of the arguments. */
export const defineCommand = <const A extends Arguments>(command: Command<A>): Command<A> => command;

/** The command line is not as it should be: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was asked for cannot be done, for a reason that the user can mend: exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
