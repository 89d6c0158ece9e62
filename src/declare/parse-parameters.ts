/** Parses what a user wrote against a declaration. Reports every problem at once, with path, value and advice, and fills in defaults. */

import { type Problem, valueText } from "../errors.ts";
import type { RutField } from "../ground/ruts.ts";
import type { Terrain } from "../ground/terrain.ts";
import type { Freedom } from "./freedom.ts";
import { readName } from "./names.ts";
import type { Parameter, Parameters, ParameterValues, Unit } from "./parameters.ts";
import { type KnownNames, type NameContext, readFrame, readFreedom, readFreedoms } from "./parse-names.ts";
import { ifAllRead, inRange, missingProblem, readChoice, readChoices, readDirection, readTable } from "./parse-values.ts";
import { childPath, readArray, readFields, readNumber, readNumbers } from "./plain-data.ts";

export type { KnownNames } from "./parse-names.ts";

/** Reads a number in an SI unit. Readers of files pass one that also accepts text such as "90 deg". */
export type QuantityReader = (value: unknown, unit: string, path: string, problems: Problem[]) => number | undefined;

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

interface ParameterParser extends NameContext {
  readonly quantity: QuantityReader;
}

const plainNumber: QuantityReader = (value, _unit, path, problems) => readNumber(value, path, problems);

/** The values of all declared parameters, or undefined after a problem. */
export function readParameters<D extends Parameters>(
  declared: D,
  written: unknown,
  names: KnownNames,
  problems: Problem[],
  { path = "", quantity = plainNumber }: ParseContext = {},
): ParameterValues<D> | undefined {
  return readGroup(declared, written, path, { ...names, quantity, problems }) as ParameterValues<D> | undefined;
}

function readGroup(
  declared: Parameters,
  written: unknown,
  path: string,
  parser: ParameterParser,
): Record<string, unknown> | undefined {
  const before = parser.problems.length;
  const fields = readFields(written, path, Object.keys(declared), parser.problems);
  if (fields === undefined) return undefined;
  const ownFreedoms: Freedom[] = [];
  const values: Record<string, unknown> = {};
  // Freedoms are parsed first: units and the lengths of lists depend on them.
  const isFreedom = ([, p]: readonly [string, Parameter]): boolean => p.type === "freedom" || p.type === "freedoms";
  const entries = Object.entries(declared);
  for (const [key, parameter] of [...entries.filter(isFreedom), ...entries.filter((e) => !isFreedom(e))]) {
    const writtenValue = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const source = writtenValue === undefined ? parameter.default : writtenValue;
    if (source === undefined && parameter.optional) {
      values[key] = undefined;
      continue;
    }
    const value = readParameter(parameter, source, childPath(path, key), parser, ownFreedoms);
    values[key] = value;
    if (ownFreedoms.length > 0 || value === undefined) continue; // the first such parameter determines the units
    if (parameter.type === "freedom") ownFreedoms.push(value as Freedom);
    if (parameter.type === "freedoms") ownFreedoms.push(...(value as readonly Freedom[]));
  }
  return parser.problems.length === before ? values : undefined;
}

function readParameter(
  parameter: Parameter,
  value: unknown,
  path: string,
  parser: ParameterParser,
  ownFreedoms: readonly Freedom[],
): unknown {
  const { problems } = parser;
  const number = (item: unknown, unit: Unit, itemPath: string, freedom = ownFreedoms[0]): number | undefined =>
    parser.quantity(item, unitForFreedom(unit, freedom), itemPath, problems);
  switch (parameter.type) {
    case "number":
      return inRange(number(value, parameter.unit, path), parameter, path, problems);
    case "numbers": {
      const count = Math.max(1, ownFreedoms.length);
      if (!Array.isArray(value)) {
        const one = inRange(number(value, parameter.unit, path), parameter, path, problems);
        return one === undefined ? undefined : new Array<number>(count).fill(one);
      }
      if (value.length !== ownFreedoms.length && ownFreedoms.length > 0) {
        problems.push({
          path,
          message: `must have one number for each of ${ownFreedoms.length} freedoms`,
          value: valueText(value),
        });
        return undefined;
      }
      return ifAllRead(
        value.map((item, i) => {
          const itemPath = childPath(path, i);
          return inRange(number(item, parameter.unit, itemPath, ownFreedoms[i]), parameter, itemPath, problems);
        }),
      );
    }
    case "vector": {
      const items = readArray(value, path, "three numbers", problems);
      if (items === undefined) return undefined;
      if (items.length !== 3) return readNumbers(items, path, 3, problems);
      return ifAllRead(
        items.map((item, i) => {
          const itemPath = childPath(path, i);
          return inRange(number(item, parameter.unit, itemPath), parameter, itemPath, problems);
        }),
      );
    }
    case "direction":
      return readDirection(value, path, problems);
    case "choice":
      return readChoice(value, parameter.of, path, problems);
    case "choices":
      return readChoices(value, parameter.of, path, problems);
    case "boolean":
      if (typeof value === "boolean") return value;
      problems.push(missingProblem(value, path) ?? { path, message: "must be true or false", value: valueText(value) });
      return undefined;
    case "name":
      return readName(value, path, problems) || undefined;
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
    case "table":
      return readTable(value, parameter, path, problems, (item, axis, itemPath) => number(item, parameter.units[axis], itemPath));
    case "trajectory": {
      if (!Array.isArray(value)) {
        const constant = number(value, parameter.unit, path);
        return constant === undefined ? undefined : { x: [0], y: [constant] };
      }
      const shape = { columns: ["time", "value"] as const, rows: 1 };
      return readTable(value, shape, path, problems, (item, axis, itemPath) =>
        number(item, axis === "x" ? "s" : parameter.unit, itemPath),
      );
    }
    case "list": {
      const items = readArray(value, path, "a list", problems);
      return items && ifAllRead(items.map((item, i) => readGroup(parameter.of, item, childPath(path, i), parser)));
    }
  }
}

/** The unit for a freedom. Where the freedom could not be parsed, the unit for a turn. */
export const unitForFreedom = (unit: Unit, freedom: Freedom | undefined): string =>
  typeof unit === "string" ? unit : unit[freedom?.motion ?? "turn"];
