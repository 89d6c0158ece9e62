/** Declarations of single values: numbers, vectors, words, names and tables. */

import type { Axis } from "../spatial/axis.ts";
import type { Vec3 } from "../spatial/vec3.ts";

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

export interface DeclarationBase<Default> {
  /** One sentence for the documentation. */
  readonly about: string;
  /** Value if none is given. A parameter that has no default and is not optional must be given. */
  readonly default?: Default;
  readonly optional?: true;
  /** Name of the definition in the JSON Schema, for declarations that are used in several places. */
  readonly id?: string;
  /** Keys of the same group that must not be given together with it. */
  readonly excludes?: readonly string[];
  /** Message and advice for an excluded key, if they are special. */
  readonly exclusion?: ValueProblem;
  /** Among the settings of the studio: only if it is written; only its written members; or never. */
  readonly setting?: "written" | "sparse" | "never";
  /** Label of the group of its settings, if it is not its key. */
  readonly label?: string;
  /** Why a value that was read is refused; undefined if it is not. The path is below the parameter. */
  check?(value: never): ValueProblem | undefined;
}

/** A problem of one value, without its path. */
export interface ValueProblem {
  readonly message: string;
  readonly advice?: string;
  /** The offending value, if it is not the value itself. */
  readonly value?: unknown;
}

/** Smallest and largest allowed value; `above` excludes its bound. */
export interface Range {
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
}

export interface NumberParameter extends DeclarationBase<number>, Range {
  readonly type: "number";
  readonly unit: Unit;
  readonly whole?: true;
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

/** Several numbers with names; the range applies to each. */
export interface ArrayParameter extends DeclarationBase<readonly number[]>, Range {
  readonly type: "array";
  readonly unit: Unit;
  /** Names of the numbers; they determine how many there are. */
  readonly parts: readonly string[];
}

/** Any number of numbers; the range applies to each. */
export interface SeriesParameter extends DeclarationBase<readonly number[]>, Range {
  readonly type: "series";
  readonly unit: Unit;
}

/** Rows of numbers. Three rows of three if no size is given; with `free`, any number of rows of any length. */
export interface MatrixParameter extends DeclarationBase<readonly (readonly number[])[]> {
  readonly type: "matrix";
  readonly unit: string;
  readonly free?: true;
}

/** An axis: its name, or components of any length but zero. The parsed value is a unit vector. */
export interface DirectionParameter extends DeclarationBase<Axis> {
  readonly type: "direction";
}

/** An axis like `direction`. The parsed value is the axis as written. */
export interface AxisParameter extends DeclarationBase<Axis> {
  readonly type: "axis";
}

export interface ChoiceParameter extends DeclarationBase<string> {
  readonly type: "choice";
  readonly of: readonly string[];
  /** Message for another value: "no such formulation". */
  readonly refusal?: string;
}

/** One or more words of a list, in the order of the list. */
export interface ChoicesParameter extends DeclarationBase<readonly string[]> {
  readonly type: "choices";
  readonly of: readonly string[];
  /** Name of the thing that each word stands for, for messages: "freedom". */
  readonly noun?: string;
  /** Only a list, and it may be empty; the order of the list is kept. */
  readonly set?: true;
}

export interface BooleanParameter extends DeclarationBase<boolean> {
  readonly type: "boolean";
}

/** The name of another part of the scenario, such as an actuator. */
export interface NameParameter extends DeclarationBase<string> {
  readonly type: "name";
}

/** Text. Without a limit any text is accepted. */
export interface TextParameter extends DeclarationBase<string> {
  readonly type: "text";
  /** A title: not empty, on one line, of at most 100 characters. */
  readonly title?: true;
  readonly longest?: number;
  /** Regular expression of accepted text, and what it means: "a colour as #rrggbb". */
  readonly pattern?: { readonly source: string; readonly means: string; readonly advice?: string };
}

/** A number, or text with a unit. The unit depends on other sections, whose reader resolves it. */
export interface QuantityParameter extends DeclarationBase<number> {
  readonly type: "quantity";
}

/** One text, or a list of texts: conditions, names of channels. */
export interface TextsParameter extends DeclarationBase<readonly string[]> {
  readonly type: "texts";
  /** What a text is, for messages: "condition". */
  readonly noun: string;
  readonly most?: number;
  /** Advice for a value that is not text. */
  readonly example?: string;
}

/** The name of a thing that the reader of the section resolves: a body, a loop, an event. */
export interface ReferenceParameter extends DeclarationBase<string> {
  readonly type: "reference";
  /** What it names: "body". */
  readonly to: string;
}

/** One name, or a list of names, that the reader of the section resolves. */
export interface ReferencesParameter extends DeclarationBase<readonly string[]> {
  readonly type: "references";
  readonly to: string;
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

/** One coordinate of a single turn or slide, by name. Units of numbers in the same declaration depend on it. */
export interface CoordinateParameter extends DeclarationBase<string> {
  readonly type: "coordinate";
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
