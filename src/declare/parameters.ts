/** The types of the values that a declaration describes: as they are parsed, and as a user writes them. */

import type { Axis } from "../spatial/axis.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import type * as declared from "./declarations.ts";
import type { Parameter, Parameters } from "./declarations.ts";
import type { Freedom } from "./freedom.ts";

export type * from "./declarations.ts";
export { FREEDOM_UNITS } from "./declarations.ts";

/** A parsed table: increasing abscissae x, and one ordinate y for each. */
export interface Table {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Types of parsed values that do not depend on the rest of the declaration. */
export interface SimpleValues {
  readonly number: number;
  readonly numbers: readonly number[];
  readonly vector: Vec3<number>;
  readonly array: readonly number[];
  readonly series: readonly number[];
  readonly matrix: readonly (readonly number[])[];
  readonly direction: Vec3<number>;
  readonly axis: Axis;
  readonly boolean: boolean;
  readonly name: string;
  readonly text: string;
  readonly texts: readonly (string | undefined)[];
  readonly quantity: number | string;
  readonly reference: string;
  readonly references: readonly (string | undefined)[];
  readonly file: string;
  readonly frame: string;
  readonly freedom: Freedom;
  readonly freedoms: readonly Freedom[];
  readonly coordinate: CoordinateReference;
  readonly table: Table;
  readonly trajectory: Table;
}

/** A coordinate of a single turn or slide: its name, its index in q and that of its rate in u. */
export interface CoordinateReference {
  readonly name: string;
  readonly q: number;
  readonly u: number;
  readonly motion: "turn" | "slide";
}

/** Type of the parsed value of a parameter. */
export type ValueOf<P extends Parameter> = P extends { readonly type: keyof SimpleValues }
  ? SimpleValues[P["type"]]
  : P extends declared.ChoiceParameter
    ? P["of"][number]
    : P extends declared.ChoicesParameter
      ? readonly P["of"][number][]
      : P extends declared.ListParameter
        ? readonly ParameterValues<P["of"]>[]
        : P extends declared.ObjectParameter
          ? ParameterValues<P["of"]>
          : unknown; // kinds, records, lists and alternatives: the reader of the section knows their type

/** Parsed parameters: defaults are filled in and names are resolved. */
export type ParameterValues<D extends Parameters> = {
  readonly [K in keyof D]: D[K] extends { readonly optional: true } ? ValueOf<D[K]> | undefined : ValueOf<D[K]>;
};

/** Types of written values that differ from the parsed ones. */
export interface SimpleWritten {
  readonly numbers: number | readonly number[] | Float64Array;
  readonly vector: Vec3<number> | Float64Array;
  readonly array: readonly number[] | Float64Array;
  readonly series: readonly number[] | Float64Array;
  readonly direction: Axis;
  readonly freedom: string;
  readonly freedoms: string | readonly string[];
  readonly coordinate: string;
  readonly references: string | readonly string[];
  readonly texts: string | readonly string[];
  readonly table: readonly (readonly [number, number])[];
  readonly trajectory: number | readonly (readonly [number, number])[];
}

/** Type of the value that a user writes for a parameter. */
export type WrittenOf<P extends Parameter> = P extends { readonly type: keyof SimpleWritten }
  ? SimpleWritten[P["type"]]
  : P extends declared.ListParameter
    ? readonly WrittenParameters<P["of"]>[]
    : P extends declared.ObjectParameter
      ? WrittenParameters<P["of"]>
      : ValueOf<P>;

export type Omissible<D extends Parameters> = {
  [K in keyof D]: D[K] extends { readonly optional: true } ? K : D[K] extends { readonly default: unknown } ? K : never;
}[keyof D];

/** Parameters as a user writes them. */
export type WrittenParameters<D extends Parameters> = { readonly [K in Exclude<keyof D, Omissible<D>>]: WrittenOf<D[K]> } & {
  readonly [K in Omissible<D>]?: WrittenOf<D[K]>;
};
