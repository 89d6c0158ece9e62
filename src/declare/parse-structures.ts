/** Parses objects, kinds, records, lists and alternatives. What cannot be read is left out, so that one pass finds every problem. */

import { type Problem, valueText } from "../errors.ts";
import type {
  DeclaredKind,
  EitherParameter,
  Group,
  ItemsParameter,
  KindsParameter,
  MatrixParameter,
  Parameter,
  Parameters,
  RecordParameter,
} from "./declarations.ts";
import { didYouMean, readName } from "./names.ts";
import type { NameContext } from "./parse-names.ts";
import { missingProblem } from "./parse-values.ts";
import { childPath, type Fields, type ForeignKeys, isFields, itemsOf, readArray, readFields, readRecord } from "./plain-data.ts";
import { looksLikeQuantity } from "./units.ts";

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

const isFreedom = ([, p]: readonly [string, Parameter]): boolean =>
  p.type === "freedom" || p.type === "freedoms" || p.type === "coordinate";

/** The values of a group. Values with a problem are undefined. Returns undefined if there is no object. */
export function readGroup(
  { of, exactlyOne, foreign, rule }: Group,
  written: unknown,
  path: string,
  parser: ParameterParser,
  inherited: OwnFreedoms = [],
): Record<string, unknown> | undefined {
  const { problems } = parser;
  const fields = readFields(written, path, Object.keys(of), problems, foreign);
  if (fields === undefined) return undefined;
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

function readValues(
  of: Parameters,
  fields: Fields,
  path: string,
  parser: ParameterParser,
  inherited: OwnFreedoms,
): Record<string, unknown> {
  const ownFreedoms: { motion: "turn" | "slide" }[] = [...inherited];
  const values: Record<string, unknown> = {};
  // Freedoms are parsed first: units and the lengths of lists depend on them.
  const entries = Object.entries(of);
  for (const [key, parameter] of [...entries.filter(isFreedom), ...entries.filter((e) => !isFreedom(e))]) {
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

/** An object whose `kind` determines its parameters. Keys of other kinds are refused with the kinds that have them. */
export function readKinds(
  parameter: KindsParameter,
  written: unknown,
  path: string,
  parser: ParameterParser,
): Record<string, unknown> | undefined {
  const { problems } = parser;
  const { noun, common, rule: commonRule } = parameter;
  const declared = parameter.kinds();
  const fields = readRecord(written, path, problems);
  if (fields === undefined) return undefined;
  const name = readKindName(fields.kind, parameter, childPath(path, "kind"), problems);
  const { rule, parameters }: DeclaredKind = name === undefined ? { about: "", parameters: {} } : declared[name]!;
  const isKey = ([key]: readonly [string, unknown]): boolean => key === "name";
  const inCommon = Object.entries(common);
  const known = [...inCommon.filter(isKey).map(([key]) => key), "kind", ...Object.keys(parameters)];
  const rest = inCommon.filter((e) => !isKey(e)).map(([key]) => key);
  const foreign = foreignKeys(name, noun, declared, [...known, ...rest]);
  readFields(fields, path, [...known, ...(name === undefined ? Object.keys(foreign) : []), ...rest], problems, foreign);
  const { kind: _, ...members } = fields;
  const ownKeys = new Set([...Object.keys(common), ...Object.keys(parameters)]);
  const own = Object.fromEntries(Object.entries(members).filter(([key]) => ownKeys.has(key)));
  const rules: NonNullable<Group["rule"]> = (values, note, given) => {
    commonRule?.(values, note, given);
    rule?.(values, note, given);
  };
  const values = readGroup({ of: { ...common, ...parameters }, rule: rules }, own, path, parser);
  return values && { kind: name, ...values };
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
  if (items.length < least) problems.push({ path, message: `needs at least one ${noun}` });
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

export const alternativeFor = (of: readonly Parameter[], value: unknown): Parameter | undefined =>
  of.find((parameter) => hasForm(parameter, value));

function hasForm(parameter: Parameter, value: unknown): boolean {
  const items = itemsOf(value);
  switch (parameter.type) {
    case "number":
      return typeof value === "number" || (typeof value === "string" && looksLikeQuantity(value));
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return items?.length === parameter.parts.length && !items.some((item) => itemsOf(item) !== undefined);
    case "matrix":
      return items !== undefined && (parameter.free || items.length === 3) && items.some((item) => itemsOf(item) !== undefined);
    case "vector":
    case "series":
    case "items":
    case "list":
      return items !== undefined;
    case "object":
      return isFields(value) && (parameter.marker === undefined || value[parameter.marker] !== undefined);
    case "kinds":
    case "record":
      return isFields(value);
    case "either":
      return alternativeFor(parameter.of, value) !== undefined;
    default:
      return typeof value === "string";
  }
}

/** Rows of numbers: three rows of three, or any. */
export function readMatrix(
  { unit, free }: MatrixParameter,
  written: unknown,
  path: string,
  parser: ParameterParser,
): readonly (readonly number[])[] | undefined {
  const { problems, quantity } = parser;
  const rows = readArray(written, path, free ? "rows of numbers" : "three rows of three numbers", problems);
  if (rows === undefined) return undefined;
  const before = problems.length;
  if (!free && rows.length !== 3)
    problems.push({ path, message: `must have 3 rows, has ${rows.length}`, value: valueText(written) });
  else {
    const numbers = Array.from(rows, (row, i) => {
      const rowPath = childPath(path, i);
      const items = readArray(row, rowPath, free ? "a row of numbers" : "3 numbers", problems);
      if (items && !free && items.length !== 3)
        problems.push({ path: rowPath, message: `must have 3 numbers, has ${items.length}`, value: valueText(row) });
      else return Array.from(items ?? [], (item, j) => quantity(item, unit, childPath(rowPath, j), problems)!);
      return [];
    });
    if (problems.length === before) return numbers;
  }
  return undefined;
}
