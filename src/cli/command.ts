/** Declaration of a command: arguments and help texts. Its code is an action in `actions`, loaded when the command runs. */
import type { ArgDef, ParsedArgs } from "citty";
import { CastorError } from "../errors.ts";
import type { Terminal } from "./text/terminal.ts";

/** An argument of citty. `list: true` may be repeated and contain commas; a list "of texts" may only be repeated. */
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
  /** Further help text, in lines of at most 80 characters. */
  readonly details?: string;
  readonly args: A;
  readonly examples: readonly Example[];
}

/** Carries out a command. The exit code, 0 if nothing is returned. */
export type Action<C extends Command> = (
  args: ParsedArgs<C["args"]>,
  terminal: Terminal,
) => number | undefined | Promise<number | undefined>;

/** Returns the command; TypeScript infers the types of its arguments. */
export const defineCommand = <const A extends Arguments>(command: Command<A>): Command<A> => command;

/** Wrong command line: exit code 2. */
export class UsageError extends CastorError {
  override readonly name = "UsageError";
  override readonly code = "usage";
}

/** The command cannot be carried out for a reason that the user can correct: exit code 1. */
export class CommandError extends CastorError {
  override readonly name = "CommandError";
  override readonly code = "command";
}
