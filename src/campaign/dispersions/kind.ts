/** A kind of dispersion: how random numbers in (0, 1) become values of settings. One file for each kind. */
import type { DeclaredKind, Parameters, ParameterValues } from "../../declare/parameters.ts";

/** A value of a table: a number, or text. */
export type Cell = number | string;

export interface Column {
  readonly name: string;
  readonly type: "number" | "text";
  /** SI unit; "" for pure numbers and texts. */
  readonly unit: string;
}

export interface Draw {
  /** One value for each path of the dispersion. */
  readonly values: readonly unknown[];
  /** The same as entries of the table of cases. */
  readonly cells: readonly Cell[];
}

/** A dispersion of certain settings, ready to draw. */
export interface Drawing {
  /** Count of random numbers for one draw. */
  readonly dimensions: number;
  readonly columns: readonly (Pick<Column, "type" | "unit"> & { readonly suffix: string })[];
  draw(u: Float64Array): Draw;
  /** Values of u for a full grid with about `count` levels; only for dispersions of one dimension. */
  levels?(count: number): readonly number[];
}

/** What a kind may ask about the settings that it disperses. */
export interface DispersionContext {
  readonly paths: readonly string[];
  /** SI unit of each setting; undefined if it is not known. */
  readonly units: readonly (string | undefined)[];
  /** A quantity of the declaration in SI units; text has a unit of the dimension of the setting. Returns NaN after a problem. */
  quantity(key: string, value: number | string, unit?: string): number;
  /** The value of the setting in the scenario, in SI units; undefined if it has none. */
  nominal(path: string): unknown;
  problem(key: string, message: string, advice?: string): void;
}

export interface DispersionKind<D extends Parameters = Parameters> extends DeclaredKind {
  readonly name: string;
  readonly parameters: D;
  /** Examples, with which the contract suite runs the kind. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  create(values: ParameterValues<D>, context: DispersionContext): Drawing | undefined;
}

/** Returns the kind; TypeScript infers the types of its parameters. */
export const dispersionKind = <const D extends Parameters>(kind: DispersionKind<D>): DispersionKind => kind as never;

/** How a drawn number changes a setting. */
export const APPLIED = {
  as: {
    type: "choice",
    of: ["value", "offset", "factor"],
    refusal: "must be value, offset or factor",
    default: "value",
    about: "The drawn number is the value of the setting, is added to its value in the scenario, or multiplies it.",
  },
} as const satisfies Parameters;

export type Applied = "value" | "offset" | "factor";

/** Turns a scalar distribution into a drawing: every path gets the same drawn number, or its own value changed by it. */
export function scalarDrawing(
  context: DispersionContext,
  as: Applied,
  quantile: (u: number) => number,
  levels?: (count: number) => readonly number[],
): Drawing | undefined {
  const nominals = as === "value" ? [] : context.paths.map((path) => nominalNumbers(path, as, context));
  if (nominals.some((nominal) => nominal === undefined)) return undefined;
  const change = (nominal: number, drawn: number): number => (as === "offset" ? nominal + drawn : nominal * drawn);
  return {
    dimensions: 1,
    columns: [{ suffix: "", type: "number", unit: as === "factor" ? "" : (context.units[0] ?? "") }],
    draw(u) {
      const drawn = quantile(u[0]!);
      const values = context.paths.map((_, i) => {
        const nominal = nominals[i];
        if (nominal === undefined) return drawn;
        return typeof nominal === "number" ? change(nominal, drawn) : nominal.map((n) => change(n, drawn));
      });
      return { values, cells: [drawn] };
    },
    ...(levels && { levels }),
  };
}

/** A number, or a list of numbers that are changed together. */
function nominalNumbers(path: string, as: Applied, context: DispersionContext): number | readonly number[] | undefined {
  const value = context.nominal(path);
  if (typeof value === "number") return value;
  if (as === "factor" && Array.isArray(value) && value.every((v) => typeof v === "number")) return value;
  context.problem(
    "as",
    `cannot be ${as}: ${path} has no ${as === "factor" ? "number or list of numbers" : "number"} in the scenario`,
    "Write the value in the scenario, or use as: value",
  );
  return undefined;
}

/** Middles of `count` parts of equal probability: the levels of a distribution without bounds. */
export const middleLevels = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => (i + 0.5) / count);
