/** Strict parsing of the command line of one command. citty alone ignores unknown options. */
import { parseArgs as tokensOf } from "node:util";
import { type ArgsDef, type ParsedArgs, parseArgs } from "citty";
import { didYouMean } from "../declare/names.ts";
import { type Argument, type Arguments, type Command, UsageError } from "./command.ts";

/** Parses the words after the command name. @throws UsageError */
export function readArguments<A extends Arguments>(command: Pick<Command<A>, "args">, words: readonly string[]): ParsedArgs<A> {
  const options = Object.entries<Argument>(command.args).filter(([, { type }]) => type !== "positional");
  const byName = new Map(
    options.flatMap(([name, arg]) => [name, ...aliasesOf(arg)].map((spelled) => [spelled, { name, arg }] as const)),
  );
  const { tokens } = tokensOf({
    args: [...words],
    options: Object.fromEntries(
      options.map(([name, arg]) => {
        const short = aliasesOf(arg).find((alias) => alias.length === 1);
        return [name, { type: arg.type === "boolean" ? "boolean" : "string", ...(short !== undefined && { short }) }];
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string | true>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = byName.get(token.name);
    if (!option) throw new UsageError(`there is no option ${token.rawName}. ${nearestOption(token.name, options)}`);
    const value = optionValue(token.rawName, option.arg, token.value);
    const earlier = values.get(option.name);
    if (earlier !== undefined && !option.arg.list) throw new UsageError(`--${option.name} is given twice`);
    const separator = option.arg.list === "of texts" ? TEXT_SEPARATOR : ",";
    values.set(option.name, earlier === undefined || value === true ? value : `${earlier}${separator}${value}`);
  }
  checkPositionals(command.args, positionals);
  for (const [name, arg] of options)
    if (arg.required && !values.has(name)) throw new UsageError(`--${name} is missing: ${arg.description}`);
  const normalisedWords = [...values].map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`));
  const parsedArguments = parseArgs<ArgsDef & A>([...normalisedWords, "--", ...positionals], command.args as ArgsDef);
  const switches = [...values].filter(([, value]) => value === true); // citty would read --no-x as the negation of --x
  return Object.assign(parsedArguments, Object.fromEntries(switches)) as ParsedArgs<A>;
}

const aliasesOf = ({ type, ...arg }: Argument): readonly string[] => {
  const alias = type !== "positional" && "alias" in arg ? arg.alias : undefined;
  return alias === undefined ? [] : Array.isArray(alias) ? alias : [alias as string];
};

const nearestOption = (name: string, options: readonly (readonly [string, Argument])[]): string =>
  didYouMean(`--${name}`, ["--help", ...options.map(([known]) => `--${known}`)]);

function optionValue(spelled: string, arg: Argument, value: string | undefined): string | true {
  if (arg.type === "boolean") {
    if (value !== undefined) throw new UsageError(`${spelled} takes no value, got ${JSON.stringify(value)}`);
    return true;
  }
  if (value === undefined || value === "") throw new UsageError(`${spelled} needs a value: ${arg.description}`);
  const allowedValues = arg.type === "enum" ? (arg.options ?? []) : [];
  if (allowedValues.length > 0 && !allowedValues.includes(value))
    throw new UsageError(`${spelled} cannot be ${JSON.stringify(value)}. ${didYouMean(value, allowedValues)}`);
  return value;
}

function checkPositionals(args: Arguments, given: readonly string[]): void {
  const declaredPositionals = Object.entries(args).filter(([, { type }]) => type === "positional");
  const firstMissing = declaredPositionals[given.length];
  if (firstMissing && firstMissing[1].required !== false)
    throw new UsageError(`${firstMissing[0].toUpperCase()} is missing: ${firstMissing[1].description}`);
  if (given.length > declaredPositionals.length)
    throw new UsageError(`unexpected argument ${JSON.stringify(given[declaredPositionals.length])}`);
}

/** Separator between the texts of a list of texts. A command line cannot contain it. */
const TEXT_SEPARATOR = "\0";

/** Items of a list of texts, unchanged. */
export const listedTexts = (value: string | undefined): string[] => (value === undefined ? [] : value.split(TEXT_SEPARATOR));

/** Items of a list argument, split at commas and trimmed. */
export const listedItems = (value: string | undefined): string[] =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
