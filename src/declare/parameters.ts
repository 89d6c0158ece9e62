/**
 * Parameters of force elements and controllers, declared once as plain data: type, unit, range, default, and a sentence.
 * Checking, the types of values, schemas and documentation all derive from the declaration.
 */

import type { Axis } from "../spatial/axis.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import type { Freedom } from "./freedom.ts";

/** An SI unit; where the freedom decides (a torque about a turn, a force along a slide), both. */
export type Unit = string | { readonly turn: string; readonly slide: string };

/** Units that depend on the freedom, named by what they measure. */
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
  /** Taken when nothing is given. Without default and not optional, a value must be given. */
  readonly default?: Default;
  readonly optional?: true;
}

/** Smallest and largest values allowed; `above` excludes its bound. */
interface Range {
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
}

export interface NumberParameter extends DeclarationBase<number>, Range {
  readonly type: "number";
  readonly unit: Unit;
}

/** One number for each freedom of the first `freedoms` parameter beside it: a list, or one number for all. */
export interface NumbersParameter extends DeclarationBase<number>, Range {
  readonly type: "numbers";
  readonly unit: Unit;
}

/** Three numbers, each in the range. */
export interface VectorParameter extends DeclarationBase<Vec3<number>>, Range {
  readonly type: "vector";
  readonly unit: string;
  /** What its numbers are called, if not x, y and z. */
  readonly parts?: readonly [string, string, string];
}

/** An axis by name or by components of any length but zero; its value is a unit vector. */
export interface DirectionParameter extends DeclarationBase<Axis> {
  readonly type: "direction";
}

export interface ChoiceParameter extends DeclarationBase<string> {
  readonly type: "choice";
  readonly of: readonly string[];
}

/** Some of a list of words, at least one, in the order of the list. */
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

/** A file beside the scenario, by its path from there. */
export interface FileParameter extends DeclarationBase<string> {
  readonly type: "file";
}

/** A frame or body of the model, by name. */
export interface FrameParameter extends DeclarationBase<string> {
  readonly type: "frame";
}

/** One freedom of the model: a hinge with one freedom by its name, else "hinge.part" as coordinates and speeds are named. */
export interface FreedomParameter extends DeclarationBase<string> {
  readonly type: "freedom";
  /** The law depends on the coordinate, so that a turn of a ball (which has none of its own) does not do. */
  readonly needs?: "coordinate";
}

/** One or several freedoms: a name or a list of names; the name of a hinge stands for all of its freedoms. */
export interface FreedomsParameter extends DeclarationBase<string> {
  readonly type: "freedoms";
}

/** Rows [x, y], x increasing. */
export interface TableParameter extends DeclarationBase<readonly (readonly [number, number])[]> {
  readonly type: "table";
  readonly units: { readonly x: Unit; readonly y: Unit };
  /** What the columns are, for messages and documentation. */
  readonly columns: readonly [string, string];
  /** Fewest rows. */
  readonly rows: number;
}

/** A constant, or rows [time, value] between which the value moves smoothly. */
export interface TrajectoryParameter extends DeclarationBase<number> {
  readonly type: "trajectory";
  readonly unit: Unit;
}

/** A list of objects, each with these parameters; where there are kinds, with those of its `kind`. */
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

/** A table as read: abscissae increasing, and as many ordinates. */
export interface Table {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** What a parameter is once it is read. */
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

/** Parameters as read: defaults filled in, names resolved. */
export type ParameterValues<D extends Parameters> = {
  readonly [K in keyof D]: D[K] extends { readonly optional: true } ? ValueOf<D[K]> | undefined : ValueOf<D[K]>;
};

/** What a user writes for a parameter. */
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
