/** Parses what a user wrote against a declaration. Reports every problem at once, with path, value and advice, and fills in defaults. */

import { type Problem, valueText } from "../errors.ts";
import type { RutField } from "../ground/ruts.ts";
import type { Terrain } from "../ground/terrain.ts";
import { type Axis, axisVector } from "../spatial/axis.ts";
import type { Freedom } from "./freedom.ts";
import { didYouMean, readName } from "./names.ts";
import type { Parameter, Parameters, ParameterValues, Table, Unit } from "./parameters.ts";
import { childPath, readArray, readFields, readNumber, readNumbers, readVec3 } from "./plain-data.ts";

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

/** A longer list in a file is a mistake: each row of a table costs operations in the kernel. */
const MAX_TABLE_ROWS = 1000;
/** Maximum length of a file path. */
const MAX_FILE_PATH_LENGTH = 1000;
const SHORTEST_AXIS = 1e-9;

/** The names that parameters may refer to; `knownNames` lists those of a model. */
export interface KnownNames {
  /** Bodies and frames. */
  readonly frames: readonly string[];
  readonly hinges: readonly string[];
  readonly freedoms: readonly Freedom[];
}

interface ParameterParser extends KnownNames {
  readonly quantity: QuantityReader;
  readonly problems: Problem[];
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
  reader: ParameterParser,
): Record<string, unknown> | undefined {
  const before = reader.problems.length;
  const fields = readFields(written, path, Object.keys(declared), reader.problems);
  if (fields === undefined) return undefined;
  const own: Freedom[] = [];
  const values: Record<string, unknown> = {};
  // Freedoms are parsed first: units and the lengths of lists depend on them.
  const isFreedom = ([, p]: readonly [string, Parameter]): boolean => p.type === "freedom" || p.type === "freedoms";
  const entries = Object.entries(declared);
  for (const [key, parameter] of [...entries.filter(isFreedom), ...entries.filter((e) => !isFreedom(e))]) {
    const given = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const source = given === undefined ? parameter.default : given;
    if (source === undefined && parameter.optional) {
      values[key] = undefined;
      continue;
    }
    const value = readOne(parameter, source, childPath(path, key), reader, own);
    values[key] = value;
    if (own.length > 0 || value === undefined) continue; // the first such parameter determines the units
    if (parameter.type === "freedom") own.push(value as Freedom);
    if (parameter.type === "freedoms") own.push(...(value as readonly Freedom[]));
  }
  return reader.problems.length === before ? values : undefined;
}

function readOne(parameter: Parameter, value: unknown, path: string, reader: ParameterParser, own: readonly Freedom[]): unknown {
  const { problems } = reader;
  const number = (item: unknown, unit: Unit, at: string, freedom = own[0]): number | undefined =>
    reader.quantity(item, unitForFreedom(unit, freedom), at, problems);
  switch (parameter.type) {
    case "number":
      return inRange(number(value, parameter.unit, path), parameter, path, problems);
    case "numbers": {
      const count = Math.max(1, own.length);
      if (!Array.isArray(value)) {
        const one = inRange(number(value, parameter.unit, path), parameter, path, problems);
        return one === undefined ? undefined : new Array<number>(count).fill(one);
      }
      if (value.length !== own.length && own.length > 0) {
        problems.push({ path, message: `must have one number for each of ${own.length} freedoms`, value: valueText(value) });
        return undefined;
      }
      return ifAllRead(
        value.map((item, i) => {
          const at = childPath(path, i);
          return inRange(number(item, parameter.unit, at, own[i]), parameter, at, problems);
        }),
      );
    }
    case "vector": {
      const items = readArray(value, path, "three numbers", problems);
      if (items === undefined) return undefined;
      if (items.length !== 3) return readNumbers(items, path, 3, problems);
      return ifAllRead(
        items.map((item, i) => {
          const at = childPath(path, i);
          return inRange(number(item, parameter.unit, at), parameter, at, problems);
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
      return readFrame(value, path, reader);
    case "freedom":
      return readFreedom(value, parameter.needs, path, reader);
    case "freedoms":
      return readFreedoms(value, path, reader);
    case "table":
      return readTable(value, parameter, path, problems, (item, axis, at) => number(item, parameter.units[axis], at));
    case "trajectory": {
      if (!Array.isArray(value)) {
        const constant = number(value, parameter.unit, path);
        return constant === undefined ? undefined : { x: [0], y: [constant] };
      }
      const shape = { columns: ["time", "value"] as const, rows: 1 };
      return readTable(value, shape, path, problems, (item, axis, at) => number(item, axis === "x" ? "s" : parameter.unit, at));
    }
    case "list": {
      const items = readArray(value, path, "a list", problems);
      return items && ifAllRead(items.map((item, i) => readGroup(parameter.of, item, childPath(path, i), reader)));
    }
  }
}

const ifAllRead = <T>(items: readonly (T | undefined)[]): readonly T[] | undefined =>
  items.every((item) => item !== undefined) ? (items as readonly T[]) : undefined;

/** The unit for a freedom. Where the freedom could not be parsed, the unit for a turn. */
export const unitForFreedom = (unit: Unit, freedom: Freedom | undefined): string =>
  typeof unit === "string" ? unit : unit[freedom?.motion ?? "turn"];

const missingProblem = (value: unknown, path: string): Problem | undefined =>
  value === undefined ? { path, message: "is missing" } : undefined;

function inRange(
  value: number | undefined,
  range: { readonly least?: number; readonly above?: number; readonly most?: number },
  path: string,
  problems: Problem[],
): number | undefined {
  if (value === undefined) return undefined;
  const { least, above, most } = range;
  const wrong =
    least !== undefined && value < least
      ? least === 0
        ? "must not be negative"
        : `must be at least ${least}`
      : above !== undefined && value <= above
        ? above === 0
          ? "must be positive"
          : `must be above ${above}`
        : most !== undefined && value > most
          ? `must be at most ${most}`
          : undefined;
  if (wrong === undefined) return value;
  problems.push({ path, message: wrong, value: valueText(value) });
  return undefined;
}

function readDirection(value: unknown, path: string, problems: Problem[]): readonly number[] | undefined {
  if (value === "x" || value === "y" || value === "z") return axisVector(value);
  if (!Array.isArray(value)) {
    problems.push(missingProblem(value, path) ?? { path, message: "must be x, y, z or three numbers", value: valueText(value) });
    return undefined;
  }
  const vector = readVec3(value, path, problems);
  if (vector === undefined) return undefined;
  if (Math.hypot(...vector) > SHORTEST_AXIS) return axisVector(vector as Axis);
  const advice = "The length of a direction does not matter, but there must be one";
  problems.push({ path, message: "must not be zero", value: valueText(value), advice });
  return undefined;
}

function readChoice(value: unknown, of: readonly string[], path: string, problems: Problem[]): string | undefined {
  if (typeof value === "string" && of.includes(value)) return value;
  problems.push(
    missingProblem(value, path) ?? {
      path,
      message: "is not one of the choices",
      value: valueText(value),
      advice: didYouMean(value, of),
    },
  );
  return undefined;
}

/** One word or a list of words; the result has the order of the choices. */
function readChoices(value: unknown, of: readonly string[], path: string, problems: Problem[]): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    const one = readChoice(value, of, path, problems);
    return one === undefined ? undefined : [one];
  }
  const items = ifAllRead(value.map((item, i) => readChoice(item, of, childPath(path, i), problems)));
  if (items === undefined) return undefined;
  const chosen = of.filter((choice) => items.includes(choice));
  if (chosen.length === items.length && chosen.length > 0) return chosen;
  problems.push({ path, message: chosen.length === 0 ? "must name at least one" : "names one twice", value: valueText(value) });
  return undefined;
}

function readFrame(value: unknown, path: string, { frames, problems }: ParameterParser): string | undefined {
  if (typeof value === "string" && frames.includes(value)) return value;
  problems.push(
    missingProblem(value, path) ?? {
      path,
      message: "no frame or body has this name",
      value: valueText(value),
      advice: didYouMean(value, frames),
    },
  );
  return undefined;
}

/** The freedoms that a name means: one freedom, or all freedoms of a hinge. */
function namedFreedoms(
  value: unknown,
  path: string,
  { freedoms, hinges, problems }: ParameterParser,
): readonly Freedom[] | undefined {
  const found = freedoms.filter((f) => f.name === value || f.speedName === value || f.hinge === value);
  if (found.length > 0) return found;
  if (typeof value === "string" && hinges.includes(value)) {
    problems.push({ path, message: "the hinge has no freedom", value: valueText(value) });
    return undefined;
  }
  const known = [...new Set([...freedoms.map((f) => f.hinge), ...freedoms.map((f) => f.name)])];
  problems.push(
    missingProblem(value, path) ?? {
      path,
      message: "no hinge has this name",
      value: valueText(value),
      advice: didYouMean(value, known),
    },
  );
  return undefined;
}

function readFreedom(
  value: unknown,
  needs: "coordinate" | undefined,
  path: string,
  reader: ParameterParser,
): Freedom | undefined {
  const found = namedFreedoms(value, path, reader);
  if (found === undefined) return undefined;
  const usable = found.filter((f) => needs === undefined || f.coordinateInHinge !== undefined);
  const [freedom] = usable;
  if (found.length === 1 && freedom !== undefined) return freedom;
  const message =
    found.length > 1 ? `the hinge has ${found.length} freedoms, one is wanted` : "a turn of a ball has no angle of its own";
  const advice = usable.length > 0 ? `Write one of ${usable.map((f) => f.name).join(", ")}` : "Choose a turn or a slide";
  reader.problems.push({ path, message, value: valueText(value), advice });
  return undefined;
}

function readFreedoms(value: unknown, path: string, reader: ParameterParser): readonly Freedom[] | undefined {
  if (!Array.isArray(value)) return namedFreedoms(value, path, reader);
  const named = value.map((item, i) => namedFreedoms(item, childPath(path, i), reader));
  if (!named.every((f) => f !== undefined)) return undefined;
  const all = named.flat();
  const twice = all.find((f, i) => all.indexOf(f) !== i);
  if (all.length > 0 && twice === undefined) return all;
  const message = twice === undefined ? "must name at least one freedom" : `${twice.name} is named twice`;
  reader.problems.push({ path, message, value: valueText(value) });
  return undefined;
}

function readTable(
  value: unknown,
  { columns, rows }: { readonly columns: readonly [string, string]; readonly rows: number },
  path: string,
  problems: Problem[],
  number: (item: unknown, axis: "x" | "y", at: string) => number | undefined,
): Table | undefined {
  const form = `a list of rows [${columns.join(", ")}]`;
  const items = readArray(value, path, form, problems);
  if (items === undefined) return undefined;
  if (items.length < rows || items.length > MAX_TABLE_ROWS) {
    const message = `must have ${rows} to ${MAX_TABLE_ROWS} rows [${columns.join(", ")}], has ${items.length}`;
    problems.push({ path, message });
    return undefined;
  }
  const before = problems.length;
  const x: number[] = [];
  const y: number[] = [];
  for (const [i, row] of items.entries()) {
    const at = childPath(path, i);
    if (!Array.isArray(row) || row.length !== 2) {
      problems.push({ path: at, message: `must be a row [${columns.join(", ")}]`, value: valueText(row) });
      continue;
    }
    const [xi, yi] = [number(row[0], "x", childPath(at, 0)), number(row[1], "y", childPath(at, 1))];
    if (xi === undefined || yi === undefined) continue;
    if (x.length > 0 && xi <= x.at(-1)!)
      problems.push({ path: childPath(at, 0), message: `${columns[0]} must increase from row to row`, value: valueText(xi) });
    x.push(xi);
    y.push(yi);
  }
  return problems.length === before ? { x, y } : undefined;
}
