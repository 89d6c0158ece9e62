/** Help texts of the program and of each command, from the declarations of the commands. */
import type { Argument, Command, Example } from "./command.ts";
import type { Style } from "./text/terminal.ts";

/** Lines of a name and its description, the names in one column. */
export function definitionList(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`.trimEnd()).join("\n");
}

export function programHelp(version: string, commands: readonly Command[], style: Style): string {
  const examples = commands.flatMap(({ examples }) => examples.slice(0, 1));
  return [
    `${style.bold("castor")} ${version}: multibody dynamics for space robots`,
    "",
    `${style.bold("usage")}  castor COMMAND [options]`,
    "",
    definitionList(commands.map(({ name, about }) => [name, about])),
    "",
    style.bold("for example"),
    exampleLines(examples, style),
    "",
    "castor COMMAND --help explains a command.",
  ].join("\n");
}

export function commandHelp(command: Command, style: Style): string {
  const args = Object.entries<Argument>(command.args);
  const positionals = args.filter(([, { type }]) => type === "positional");
  const options = args.filter(([, { type }]) => type !== "positional");
  const usage = [
    "castor",
    command.name,
    ...positionals.map(([name, a]) => (a.required === false ? `[${name.toUpperCase()}]` : name.toUpperCase())),
  ];
  const requiredOptions = options.filter(([, { required }]) => required).map(optionSpelling);
  return [
    `${style.bold(`castor ${command.name}`)}: ${command.about}`,
    "",
    `${style.bold("usage")}  ${[...usage, ...requiredOptions, ...(requiredOptions.length < options.length ? ["[options]"] : [])].join(" ")}`,
    "",
    definitionList([
      ...positionals.map(([name, { description }]) => [name.toUpperCase(), description ?? ""] as const),
      ...options.map((option) => [optionSpelling(option), optionDescription(option[1])] as const),
      ["--help", "show this help"] as const,
    ]),
    ...(command.details === undefined ? [] : ["", command.details]),
    "",
    style.bold("for example"),
    exampleLines(command.examples, style),
  ].join("\n");
}

const optionDescription = ({ description = "", default: standard }: Argument): string =>
  standard === undefined ? description : `${description} (default: ${standard})`;

export const exampleLines = (examples: readonly Example[], style: Style): string =>
  examples.map(({ command, about }) => `  ${style.dim(`# ${about}`)}\n  ${command}`).join("\n");

/** An option as written on the command line: `--target wasm|js|c`, `-o, --output FILE`. */
function optionSpelling([name, arg]: readonly [string, Argument]): string {
  const alias = "alias" in arg && typeof arg.alias === "string" ? `-${arg.alias}, ` : "";
  const value =
    arg.type === "enum" ? ` ${(arg.options ?? []).join("|")}` : arg.valueHint === undefined ? "" : ` ${arg.valueHint}`;
  return `${alias}--${name}${value}`;
}
