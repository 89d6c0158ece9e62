/** Parses objects, kinds, records, lists and alternatives. What cannot be read is left out, so that one pass finds every problem. */

import { type Problem, valueText } from "../errors.ts";
import type {
  DeclaredKind,
  EitherParameter,
  Group,
  ItemsParameter,
  KindsParameter,
  Parameter,
  Parameters,
  RecordParameter,
} from "./declarations.ts";
import { didYouMean, readName } from "./names.ts";
import type { NameContext } from "./parse-names.ts";
import { missingProblem } from "./parse-values.ts";
import { childPath, type Fields, type ForeignKeys, readArray, readFields, readRecord } from "./plain-data.ts";
import { alternativeFor } from "./value-forms.ts";

/** Reads a number in an SI unit. Readers of files pass one that also accepts text such as "90 deg". */
export type QuantityReader = (value: unknown, unit: string, path: string, problems: Problem[]) => number | undefined;

/** The freedoms that a group names. Units and the lengths of lists depend on them. */
export type OwnFreedoms = readonly { readonly motion: "turn" | "slide" }[];

export interface ParameterParser extends NameContext {
  readonly quantity: QuantityReader;
  /** True if defaults are filled in; else the result has only what is written. */
  readonly fillsDefaults: boolean;
  read(parameter: Parameter, value: unknown, path: string, parser: ParameterParser, freedoms: OwnFreedoms): unknown;
}

/** The result of a function of declarations, computed once for each declaration. */
function oncePer<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    const result = results.get(key) ?? compute(key);
    results.set(key, result);
    return result;
  };
}

const isFreedom = ([, p]: readonly [string, Parameter]): boolean =>
  p.type === "freedom" || p.type === "freedoms" || p.type === "coordinate";

/** The values of a group. Values with a problem are undefined. Returns undefined if there is no object. */
export function readGroup(
  group: Group,
  written: unknown,
  path: string,
  parser: ParameterParser,
  inherited: OwnFreedoms = [],
): Record<string, unknown> | undefined {
  const fields = readFields(written, path, Object.keys(group.of), parser.problems, group.foreign);
  return fields && readMembers(group, fields, path, parser, inherited);
}

/** The values of a group whose keys have been checked. */
function readMembers(
  { of, exactlyOne, rule }: Group,
  fields: Fields,
  path: string,
  parser: ParameterParser,
  inherited: OwnFreedoms = [],
): Record<string, unknown> {
  const { problems } = parser;
  const values = readValues(of, fields, path, parser, inherited);
  if (exactlyOne) checkExactlyOne(exactlyOne, fields, path, problems);
  checkExclusions(of, fields, path, problems);
  rule?.(values as never, noteRule(fields, path, problems), fields);
  return values;
}

const noteRule =
  (fields: Fields, path: string, problems: Problem[]) =>
  (key: string, message: string, advice?: string): void => {
    const value = key === "" ? undefined : fields[key];
    problems.push({
      path: key === "" ? path : childPath(path, key),
      message,
      ...(value !== undefined && { value: valueText(value) }),
      ...(advice !== undefined && { advice }),
    });
  };

/** Freedoms are parsed first: units and the lengths of lists depend on them. */
const entriesInOrder = oncePer((of: Parameters) => {
  const entries = Object.entries(of);
  return [...entries.filter(isFreedom), ...entries.filter((e) => !isFreedom(e))];
});

function readValues(
  of: Parameters,
  fields: Fields,
  path: string,
  parser: ParameterParser,
  inherited: OwnFreedoms,
): Record<string, unknown> {
  const ownFreedoms: { motion: "turn" | "slide" }[] = [...inherited];
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of entriesInOrder(of)) {
    const writtenValue = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const isOmissible = parameter.optional || (parameter.default !== undefined && !parser.fillsDefaults);
    const source = writtenValue === undefined && parser.fillsDefaults ? parameter.default : writtenValue;
    if (source === undefined && isOmissible) {
      if (parser.fillsDefaults) values[key] = undefined;
      continue;
    }
    const value = parser.read(parameter, source, childPath(path, key), parser, ownFreedoms);
    values[key] = value;
    if (ownFreedoms.length > 0 || value === undefined) continue; // the first such parameter determines the units
    if (parameter.type === "freedoms") ownFreedoms.push(...(value as OwnFreedoms));
    else if (isFreedom([key, parameter])) ownFreedoms.push(value as OwnFreedoms[number]);
  }
  return values;
}

function checkExclusions(of: Parameters, fields: Fields, path: string, problems: Problem[]): void {
  for (const [key, { excludes = [], exclusion }] of Object.entries(of))
    for (const other of excludes.filter((k) => fields[key] !== undefined && fields[k] !== undefined)) {
      const reason = exclusion ?? { message: `must not be given together with ${key}`, advice: "Leave one of them out" };
      problems.push({ path: childPath(path, other), ...reason, value: valueText(fields[other]) });
    }
}

function checkExactlyOne(keys: readonly string[], fields: Fields, path: string, problems: Problem[]): void {
  const given = keys.filter((key) => fields[key] !== undefined);
  if (given.length === 1) return;
  const message =
    given.length === 0 ? `contains none of ${keys.join(", ")}` : `is given ${given.length} times, as ${given.join(" and ")}`;
  problems.push({ path, message, advice: `Give one of ${keys.join(", ")}` });
}

const UNKNOWN_KIND: DeclaredKind = { about: "", parameters: {} };

/** An object whose `kind` determines its parameters. Keys of other kinds are refused with the kinds that have them. */
export function readKinds(
  parameter: KindsParameter,
  written: unknown,
  path: string,
  parser: ParameterParser,
): Record<string, unknown> | undefined {
  const { problems } = parser;
  const { common, rule: commonRule } = parameter;
  const fields = readRecord(written, path, problems);
  if (fields === undefined) return undefined;
  const name = readKindName(fields.kind, parameter, childPath(path, "kind"), problems);
  const { rule, parameters }: DeclaredKind = name === undefined ? UNKNOWN_KIND : parameter.kinds()[name]!;
  const of = membersOfKind(common)(parameters);
  checkKeysOfKind(fields, name, Object.keys(of), parameter, path, problems);
  const rules: NonNullable<Group["rule"]> = (values, note, given) => {
    commonRule?.(values, note, given);
    rule?.(values, note, given);
  };
  return { kind: name, ...readMembers({ of, rule: rules }, fields, path, parser) };
}

/** The parameters of a kind and of all kinds. */
const membersOfKind = oncePer(({ name, ...rest }: Parameters) =>
  oncePer((parameters: Parameters): Parameters => ({ ...(name && { name }), ...parameters, ...rest })),
);

/** Reports unknown keys, and keys of other kinds. If the kind is not known, keys of all kinds are accepted. */
function checkKeysOfKind(
  fields: Fields,
  name: string | undefined,
  own: readonly string[],
  { noun, kinds }: KindsParameter,
  path: string,
  problems: Problem[],
): void {
  if (Object.keys(fields).every((key) => key === "kind" || own.includes(key))) return;
  const known = own[0] === "name" ? ["name", "kind", ...own.slice(1)] : ["kind", ...own];
  const foreign = foreignKeys(name, noun, kinds(), known);
  readFields(fields, path, [...known, ...(name === undefined ? Object.keys(foreign) : [])], problems, foreign);
}

function readKindName(
  value: unknown,
  { noun, kinds, refusal }: KindsParameter,
  path: string,
  problems: Problem[],
): string | undefined {
  const declared = kinds();
  if (typeof value === "string" && Object.hasOwn(declared, value)) return value;
  const reason = typeof value === "string" ? refusal?.(value) : undefined;
  const advice = didYouMean(value, Object.keys(declared));
  if (value === undefined) problems.push({ path, message: "is missing", advice });
  else if (reason !== undefined) problems.push({ path, ...reason, value: valueText(value) });
  else problems.push({ path, message: `no such kind of ${noun}`, value: valueText(value), advice });
  return undefined;
}

/** Keys that only other kinds have, with the advice which kinds. */
function foreignKeys(
  name: string | undefined,
  noun: string,
  declared: Readonly<Record<string, DeclaredKind>>,
  own: readonly string[],
): ForeignKeys {
  const owners = new Map<string, string[]>();
  for (const [kind, { parameters }] of Object.entries(declared))
    for (const key of Object.keys(parameters)) if (!own.includes(key)) owners.set(key, [...(owners.get(key) ?? []), kind]);
  return Object.fromEntries(
    [...owners].map(([key, kinds]) => [
      key,
      { message: `a ${name} ${noun} has no ${key}`, advice: `Leave it out; it belongs to ${kinds.join(", ")}` },
    ]),
  );
}

/** Entries by name. An entry with a problem is undefined, so that its name is known. */
export function readEntries(
  { of, nouns, most = Number.POSITIVE_INFINITY, named }: RecordParameter,
  written: unknown,
  path: string,
  parser: ParameterParser,
): Readonly<Record<string, unknown>> | undefined {
  const { problems } = parser;
  const entries = Object.entries(readRecord(written, path, problems) ?? {});
  if (entries.length > most) {
    problems.push({ path, message: `at most ${most} ${nouns}, this has ${entries.length}` });
    return undefined;
  }
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const entryPath = childPath(path, key);
      if (named) readName(key, entryPath, problems);
      return [key, parser.read(of, value, entryPath, parser, [])];
    }),
  );
}

/** A list. An item with a problem is undefined, so that the others keep their indices. */
export function readItems(
  parameter: ItemsParameter,
  written: unknown,
  path: string,
  parser: ParameterParser,
): readonly unknown[] | undefined {
  const items = countedItems(parameter, written, path, parser.problems);
  return items && Array.from(items, (item, i) => parser.read(parameter.of, item, childPath(path, i), parser, []));
}

/** The items of a list as they are written, if there are not too many. */
export function countedItems(
  { noun, nouns, owner, least = 0, most = Number.POSITIVE_INFINITY }: ItemsParameter,
  written: unknown,
  path: string,
  problems: Problem[],
): readonly unknown[] | undefined {
  const items = readArray(written, path, `a list of ${nouns}`, problems);
  if (items === undefined) return undefined;
  if (items.length > most) {
    const what = owner === undefined ? nouns : `${nouns} ${owner}`;
    problems.push({ path, message: `at most ${most} ${what}, this has ${items.length}` });
    return undefined;
  }
  if (items.length < least)
    problems.push({ path, message: least === 1 ? `needs at least one ${noun}` : `needs at least ${least} ${nouns}` });
  return items;
}

/** The first alternative whose form the value has. */
export function readEither(
  { of, forms }: EitherParameter,
  written: unknown,
  path: string,
  parser: ParameterParser,
  freedoms: OwnFreedoms,
): unknown {
  const alternative = alternativeFor(of, written);
  if (alternative !== undefined) return parser.read(alternative, written, path, parser, freedoms);
  parser.problems.push(missingProblem(written, path) ?? { path, message: `must be ${forms}`, value: valueText(written) });
  return undefined;
}
