/**
 * Parameters of force elements and controllers, declared once as plain data: type, unit, range, default, and one sentence.
 * Parsing, the types of the values, schemas and documentation all derive from the declaration.
 */

import type { Axis } from "../spatial/axis.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import type { Freedom } from "./freedom.ts";

/** An SI unit, or two of them if the unit depends on the freedom (a torque about a turn, a force along a slide). */
export type Unit = string | { readonly turn: string; readonly slide: string };

/** Units that depend on the freedom, by quantity. */
export const FREEDOM_UNITS = {
  coordinate: { turn: "rad", slide: "m" },
  speed: { turn: "rad/s", slide: "m/s" },
  force: { turn: "N m", slide: "N" },
  forceRate: { turn: "N m/s", slide: "N/s" },
  stiffness: { turn: "N m/rad", slide: "N/m" },
  damping: { turn: "N m s/rad", slide: "N s/m" },
  perSpeed: { turn: "s/rad", slide: "s/m" },
} as const;

interface DeclarationBase<Default> {
  /** One sentence for the documentation. */
  readonly about: string;
  /** Value if none is given. A parameter that has no default and is not optional must be given. */
  readonly default?: Default;
  readonly optional?: true;
}

/** Smallest and largest allowed value; `above` excludes its bound. */
interface Range {
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
}

export interface NumberParameter extends DeclarationBase<number>, Range {
  readonly type: "number";
  readonly unit: Unit;
}

/** One number for each freedom of the first `freedoms` parameter of the same declaration: a list, or one number for all. */
export interface NumbersParameter extends DeclarationBase<number>, Range {
  readonly type: "numbers";
  readonly unit: Unit;
}

/** Three numbers; the range applies to each. */
export interface VectorParameter extends DeclarationBase<Vec3<number>>, Range {
  readonly type: "vector";
  readonly unit: string;
  /** Names of the three numbers, if they are not x, y and z. */
  readonly parts?: readonly [string, string, string];
}

/** An axis: its name, or components of any length but zero. The parsed value is a unit vector. */
export interface DirectionParameter extends DeclarationBase<Axis> {
  readonly type: "direction";
}

export interface ChoiceParameter extends DeclarationBase<string> {
  readonly type: "choice";
  readonly of: readonly string[];
}

/** One or more words of a list, in the order of the list. */
export interface ChoicesParameter extends DeclarationBase<readonly string[]> {
  readonly type: "choices";
  readonly of: readonly string[];
}

export interface BooleanParameter extends DeclarationBase<boolean> {
  readonly type: "boolean";
}

/** The name of another part of the scenario, such as an actuator. */
export interface NameParameter extends DeclarationBase<string> {
  readonly type: "name";
}

/** A file, by its path relative to the scenario. */
export interface FileParameter extends DeclarationBase<string> {
  readonly type: "file";
}

/** A frame or body of the model, by name. */
export interface FrameParameter extends DeclarationBase<string> {
  readonly type: "frame";
}

/** One freedom of the model: the name of a hinge with one freedom, else "hinge.part" like the names of coordinates and speeds. */
export interface FreedomParameter extends DeclarationBase<string> {
  readonly type: "freedom";
  /** The law depends on the coordinate. A turn of a ball has none of its own and is refused. */
  readonly needs?: "coordinate";
}

/** One or several freedoms: a name or a list of names. The name of a hinge means all of its freedoms. */
export interface FreedomsParameter extends DeclarationBase<string> {
  readonly type: "freedoms";
}

/** Rows [x, y] with increasing x. */
export interface TableParameter extends DeclarationBase<readonly (readonly [number, number])[]> {
  readonly type: "table";
  readonly units: { readonly x: Unit; readonly y: Unit };
  /** Names of the columns, for messages and documentation. */
  readonly columns: readonly [string, string];
  /** Minimum number of rows. */
  readonly rows: number;
}

/** A constant, or rows [time, value]; the value changes smoothly between the rows. */
export interface TrajectoryParameter extends DeclarationBase<number> {
  readonly type: "trajectory";
  readonly unit: Unit;
}

/** A list of objects with these parameters. If there are kinds, each object has the parameters of its `kind`. */
export interface ListParameter extends DeclarationBase<readonly []> {
  readonly type: "list";
  readonly of: Parameters;
  readonly kinds?: Readonly<Record<string, readonly string[]>>;
}

export type Parameter =
  | NumberParameter
  | NumbersParameter
  | VectorParameter
  | DirectionParameter
  | ChoiceParameter
  | ChoicesParameter
  | BooleanParameter
  | NameParameter
  | FileParameter
  | FrameParameter
  | FreedomParameter
  | FreedomsParameter
  | TableParameter
  | TrajectoryParameter
  | ListParameter;

export type Parameters = { readonly [name: string]: Parameter };

/** A parsed table: increasing abscissae x, and one ordinate y for each. */
export interface Table {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Type of the parsed value of a parameter. */
type ValueOf<P extends Parameter> = P extends NumberParameter
  ? number
  : P extends NumbersParameter
    ? readonly number[]
    : P extends VectorParameter | DirectionParameter
      ? Vec3<number>
      : P extends ChoiceParameter
        ? P["of"][number]
        : P extends ChoicesParameter
          ? readonly P["of"][number][]
          : P extends BooleanParameter
            ? boolean
            : P extends NameParameter | FileParameter | FrameParameter
              ? string
              : P extends FreedomParameter
                ? Freedom
                : P extends FreedomsParameter
                  ? readonly Freedom[]
                  : P extends TableParameter | TrajectoryParameter
                    ? Table
                    : P extends ListParameter
                      ? readonly ParameterValues<P["of"]>[]
                      : never;

/** Parsed parameters: defaults are filled in and names are resolved. */
export type ParameterValues<D extends Parameters> = {
  readonly [K in keyof D]: D[K] extends { readonly optional: true } ? ValueOf<D[K]> | undefined : ValueOf<D[K]>;
};

/** Type of the value that a user writes for a parameter. */
type WrittenOf<P extends Parameter> = P extends NumbersParameter
  ? number | readonly number[]
  : P extends DirectionParameter
    ? Axis
    : P extends FreedomParameter
      ? string
      : P extends FreedomsParameter
        ? string | readonly string[]
        : P extends TableParameter
          ? readonly (readonly [number, number])[]
          : P extends TrajectoryParameter
            ? number | readonly (readonly [number, number])[]
            : P extends ListParameter
              ? readonly WrittenParameters<P["of"]>[]
              : ValueOf<P>;

type Omissible<D extends Parameters> = {
  [K in keyof D]: D[K] extends { readonly optional: true } ? K : D[K] extends { readonly default: unknown } ? K : never;
}[keyof D];

/** Parameters as a user writes them. */
export type WrittenParameters<D extends Parameters> = { readonly [K in Exclude<keyof D, Omissible<D>>]: WrittenOf<D[K]> } & {
  readonly [K in Omissible<D>]?: WrittenOf<D[K]>;
};
