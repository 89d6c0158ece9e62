/** Parses what a user wrote against a declaration. Reports every problem at once, with path, value and advice, and fills in defaults. */

import { type Problem, valueText } from "../errors.ts";
import type { RutField } from "../ground/ruts.ts";
import type { Terrain } from "../ground/terrain.ts";
import { axisVector } from "../spatial/axis.ts";
import { readName } from "./names.ts";
import type { NumbersParameter, Parameter, Parameters, ParameterValues, Unit, ValueProblem } from "./parameters.ts";
import { type KnownNames, readFrame, readFreedom, readFreedoms } from "./parse-names.ts";
import {
  type OwnFreedoms,
  type ParameterParser,
  type QuantityReader,
  readEither,
  readEntries,
  readGroup,
  readItems,
  readKinds,
} from "./parse-structures.ts";
import {
  ifAllRead,
  inRange,
  missingProblem,
  readAxis,
  readChoice,
  readChoices,
  readMatrix,
  readReference,
  readReferences,
  readSet,
  readTable,
  readText,
  readTexts,
} from "./parse-values.ts";
import { childPath, type Fields, itemsOf, readArray, readNumber } from "./plain-data.ts";

export type { KnownNames } from "./parse-names.ts";
export type { QuantityReader } from "./parse-structures.ts";

export interface ParseContext {
  /** Path of the parameters in the file, for problems. */
  readonly path?: string;
  readonly quantity?: QuantityReader;
  /** The ground under wheels and bodies; flat if not given. */
  readonly terrain?: Terrain;
  /** Creates the field of wheel tracks of a system, if wheels leave tracks. All wheels share it. */
  readonly ruts?: () => RutField;
  /** Receives warnings about values that are possible but unlikely, with their path in the file. */
  readonly warn?: (warning: Problem) => void;
}

/** Maximum length of a file path. */
const MAX_FILE_PATH_LENGTH = 1000;

/** For declarations that name nothing of a model. */
export const NO_NAMES: KnownNames = { frames: [], hinges: [], freedoms: [] };

const plainNumber: QuantityReader = (value, _unit, path, problems) => readNumber(value, path, problems);

const parserFor = (
  names: KnownNames,
  problems: Problem[],
  { quantity = plainNumber }: ParseContext,
  fillsDefaults: boolean,
): ParameterParser => ({ ...names, quantity, problems, fillsDefaults, read: readParameter });

/** The values of all declared parameters, or undefined after a problem. */
export function readParameters<D extends Parameters>(
  declared: D,
  written: unknown,
  names: KnownNames,
  problems: Problem[],
  context: ParseContext = {},
): ParameterValues<D> | undefined {
  const before = problems.length;
  const values = readGroup({ of: declared }, written, context.path ?? "", parserFor(names, problems, context, true));
  return problems.length === before ? (values as ParameterValues<D> | undefined) : undefined;
}

/** The value of a parameter as far as it can be read, with defaults. Returns undefined for an optional value that is not written. */
export function readValue(
  parameter: Parameter,
  written: unknown,
  names: KnownNames,
  problems: Problem[],
  context: ParseContext = {},
): unknown {
  const source = written === undefined ? parameter.default : written;
  if (source === undefined && parameter.optional) return undefined;
  return readParameter(parameter, source, context.path ?? "", parserFor(names, problems, context, true), []);
}

/** The value as it is written, in SI units and without defaults, as far as it can be read. */
export function readWritten(
  parameter: Parameter,
  written: unknown,
  names: KnownNames,
  problems: Problem[],
  context: ParseContext = {},
): unknown {
  return readParameter(parameter, written, context.path ?? "", parserFor(names, problems, context, false), []);
}

/** The defaults of the parameters that have one. */
export const defaultsOf = (declared: Parameters): Fields =>
  Object.fromEntries(Object.entries(declared).flatMap(([key, p]) => (p.default === undefined ? [] : [[key, p.default]])));

function readParameter(
  parameter: Parameter,
  value: unknown,
  path: string,
  parser: ParameterParser,
  ownFreedoms: OwnFreedoms,
): unknown {
  const before = parser.problems.length;
  const read = readForm(parameter, value, path, parser, ownFreedoms);
  if (parameter.check === undefined || read === undefined || parser.problems.length > before) return read;
  const refusal: ValueProblem | undefined = parameter.check(read as never);
  if (refusal === undefined) return read;
  const { message, advice } = refusal;
  const shown = "value" in refusal ? refusal.value : value;
  parser.problems.push({ path, message, value: valueText(shown), ...(advice !== undefined && { advice }) });
  return undefined;
}

function readForm(
  parameter: Parameter,
  value: unknown,
  path: string,
  parser: ParameterParser,
  ownFreedoms: OwnFreedoms,
): unknown {
  const { problems } = parser;
  const number = (item: unknown, unit: Unit, itemPath: string, freedom = ownFreedoms[0]): number | undefined =>
    readQuantityOf(item, unit, freedom, itemPath, parser);
  switch (parameter.type) {
    case "number": {
      const read = inRange(number(value, parameter.unit, path), parameter, path, problems);
      if (read === undefined || !parameter.whole || Number.isInteger(read)) return read;
      problems.push({ path, message: "must be a whole number", value: valueText(value) });
      return undefined;
    }
    case "numbers":
      return readNumbersOfFreedoms(parameter, value, path, parser, ownFreedoms);
    case "vector":
    case "array":
    case "series": {
      const count = parameter.type === "series" ? undefined : (parameter.parts?.length ?? 3);
      return readNumberList(parameter, count, value, path, parser, ownFreedoms);
    }
    case "matrix":
      return readMatrix(parameter, value, path, problems, parser.quantity);
    case "axis":
      return readAxis(value, path, problems);
    case "direction": {
      const axis = readAxis(value, path, problems);
      return axis && axisVector(axis);
    }
    case "choice":
      return readChoice(value, parameter.of, path, problems, parameter.refusal);
    case "choices":
      return parameter.set ? readSet(value, parameter, path, problems) : readChoices(value, parameter.of, path, problems);
    case "boolean":
      if (typeof value === "boolean") return value;
      problems.push(missingProblem(value, path) ?? { path, message: "must be true or false", value: valueText(value) });
      return undefined;
    case "name":
      return readName(value, path, problems) || undefined;
    case "text":
      return readText(value, parameter, path, problems);
    case "texts":
      return readTexts(value, parameter, path, problems);
    case "quantity":
      if (typeof value === "number" || typeof value === "string") return value;
      problems.push(missingProblem(value, path) ?? { path, message: "must be a number", value: valueText(value) });
      return undefined;
    case "reference":
      return readReference(value, parameter.to, path, problems);
    case "references":
      return readReferences(value, parameter.to, path, problems);
    case "file":
      if (typeof value === "string" && value !== "" && value.length <= MAX_FILE_PATH_LENGTH) return value;
      problems.push(missingProblem(value, path) ?? { path, message: "must be the path of a file", value: valueText(value) });
      return undefined;
    case "frame":
      return readFrame(value, path, parser);
    case "freedom":
      return readFreedom(value, parameter.needs, path, parser);
    case "freedoms":
      return readFreedoms(value, path, parser);
    case "coordinate":
      return parser.coordinate?.(value, path, problems);
    case "table":
      return readTable(value, parameter, path, problems, (item, axis, itemPath) => number(item, parameter.units[axis], itemPath));
    case "trajectory": {
      if (itemsOf(value) === undefined) {
        const constant = number(value, parameter.unit, path);
        return constant === undefined ? undefined : { x: [0], y: [constant] };
      }
      const shape = { columns: ["time", "value"] as const, rows: 1 };
      return readTable(value, shape, path, problems, (item, axis, itemPath) =>
        number(item, axis === "x" ? "s" : parameter.unit, itemPath),
      );
    }
    case "list":
      return readArray(value, path, "a list", problems)?.map((item, i) =>
        readGroup({ of: parameter.of }, item, childPath(path, i), parser),
      );
    case "object":
      return readGroup(parameter, value, path, parser, ownFreedoms);
    case "kinds":
      return readKinds(parameter, value, path, parser);
    case "record":
      return readEntries(parameter, value, path, parser);
    case "items":
      return readItems(parameter, value, path, parser);
    case "either":
      return readEither(parameter, value, path, parser, ownFreedoms);
  }
}

type NumberRange = { readonly unit: Unit; readonly least?: number; readonly above?: number; readonly most?: number };

/** A list of numbers in one unit, of a given length if there is one. */
function readNumberList(
  parameter: NumberRange,
  count: number | undefined,
  value: unknown,
  path: string,
  parser: ParameterParser,
  ownFreedoms: OwnFreedoms,
): readonly number[] | undefined {
  const { problems } = parser;
  const items = readArray(value, path, count === undefined ? "a list of numbers" : `${count} numbers`, problems);
  if (items === undefined) return undefined;
  if (count !== undefined && items.length !== count) {
    problems.push({ path, message: `must have ${count} numbers, has ${items.length}`, value: valueText(value) });
    return undefined;
  }
  return ifAllRead(
    Array.from(items, (item, i) => {
      const itemPath = childPath(path, i);
      return inRange(readQuantityOf(item, parameter.unit, ownFreedoms[0], itemPath, parser), parameter, itemPath, problems);
    }),
  );
}

/** One number for each freedom of the group: a list, or one number for all. */
function readNumbersOfFreedoms(
  parameter: NumbersParameter,
  value: unknown,
  path: string,
  parser: ParameterParser,
  ownFreedoms: OwnFreedoms,
): readonly number[] | undefined {
  const { problems } = parser;
  const number = (item: unknown, itemPath: string, freedom = ownFreedoms[0]): number | undefined =>
    inRange(readQuantityOf(item, parameter.unit, freedom, itemPath, parser), parameter, itemPath, problems);
  const items = itemsOf(value);
  if (items === undefined) {
    const one = number(value, path);
    return one === undefined ? undefined : new Array<number>(Math.max(1, ownFreedoms.length)).fill(one);
  }
  if (items.length !== ownFreedoms.length && ownFreedoms.length > 0) {
    problems.push({ path, message: `must have one number for each of ${ownFreedoms.length} freedoms`, value: valueText(value) });
    return undefined;
  }
  return ifAllRead(items.map((item, i) => number(item, childPath(path, i), ownFreedoms[i])));
}

/** A number in the unit for a freedom. If the freedom could not be read, the units for turns and for slides are both accepted. */
function readQuantityOf(
  value: unknown,
  unit: Unit,
  freedom: OwnFreedoms[number] | undefined,
  path: string,
  { problems, quantity }: ParameterParser,
): number | undefined {
  const asSlide = freedom === undefined && typeof unit !== "string" ? quantity(value, unit.slide, path, []) : undefined;
  return asSlide ?? quantity(value, unitForFreedom(unit, freedom), path, problems);
}

/** The unit for a freedom. Where the freedom could not be parsed, the unit for a turn. */
export const unitForFreedom = (unit: Unit, freedom: OwnFreedoms[number] | undefined): string =>
  typeof unit === "string" ? unit : unit[freedom?.motion ?? "turn"];
