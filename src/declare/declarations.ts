/**
 * Everything that a file may contain, declared once as plain data: type, unit, range, default, and one sentence. Parsing, the types of the
 * values, schemas, settings and documentation all derive from the declaration.
 */

import type { Fields } from "./plain-data.ts";
import type {
  ArrayParameter,
  AxisParameter,
  BooleanParameter,
  ChoiceParameter,
  ChoicesParameter,
  CoordinateParameter,
  DeclarationBase,
  DirectionParameter,
  FileParameter,
  FrameParameter,
  FreedomParameter,
  FreedomsParameter,
  MatrixParameter,
  NameParameter,
  NumberParameter,
  NumbersParameter,
  QuantityParameter,
  ReferenceParameter,
  ReferencesParameter,
  SeriesParameter,
  TableParameter,
  TextParameter,
  TextsParameter,
  TrajectoryParameter,
  ValueProblem,
  VectorParameter,
} from "./value-declarations.ts";

export type * from "./value-declarations.ts";
export { FREEDOM_UNITS } from "./value-declarations.ts";

/** A list of objects with these parameters. If there are kinds, each object has the parameters of its `kind`. */
export interface ListParameter extends DeclarationBase<readonly []> {
  readonly type: "list";
  readonly of: Parameters;
  readonly kinds?: Readonly<Record<string, readonly string[]>>;
}

/** Reports a problem of a group: the key that it belongs to ("" for the group itself), the message and advice. */
export type NoteRule = (key: string, message: string, advice?: string) => void;

/** Parameters that belong together, and the rules between them. */
export interface Group {
  readonly of: Parameters;
  /** Keys of which exactly one must be given. */
  readonly exactlyOne?: readonly string[];
  /** Keys that are refused with a reason. */
  readonly foreign?: Readonly<Record<string, ValueProblem>>;
  /** Rules between the values. A value with a problem of its own is undefined. */
  rule?(values: never, note: NoteRule, written: Fields): void;
}

/** An object with these parameters. */
export interface ObjectParameter extends DeclarationBase<object>, Group {
  readonly type: "object";
  /** Settings of its members are shown with those around it. */
  readonly inline?: true;
  /** Among alternatives: this object is meant if the key is given. */
  readonly marker?: string;
}

/** A kind of an object: one sentence, its own parameters and rules. */
export interface DeclaredKind {
  readonly about: string;
  readonly parameters: Parameters;
  rule?(values: never, note: NoteRule, written: Fields): void;
}

/** An object whose key `kind` determines its other parameters. */
export interface KindsParameter extends DeclarationBase<object> {
  readonly type: "kinds";
  /** Name of the thing that has kinds, for messages: "hinge". */
  readonly noun: string;
  /** The registered kinds. A function, because kinds may be registered later. */
  readonly kinds: () => Readonly<Record<string, DeclaredKind>>;
  /** Why a name that is no kind is refused, if there is a special reason. */
  refusal?(kind: string): ValueProblem | undefined;
  /** Parameters of all kinds, and the rules between them. */
  readonly common: Parameters;
  rule?(values: never, note: NoteRule, written: Fields): void;
}

/** Entries by name. */
export interface RecordParameter extends DeclarationBase<object> {
  readonly type: "record";
  readonly of: Parameter;
  /** Name of the entries, for messages: "frames on a body". */
  readonly nouns: string;
  readonly most?: number;
  /** Names are checked like those of bodies. */
  readonly named?: true;
}

/** A list of values. */
export interface ItemsParameter extends DeclarationBase<readonly []> {
  readonly type: "items";
  readonly of: Parameter;
  /** Names of one item and of several, for messages: "body", "bodies". */
  readonly noun: string;
  readonly nouns: string;
  /** Name of the owner of the list, for a message about too many items: "a body". */
  readonly owner?: string;
  readonly least?: number;
  readonly most?: number;
}

/** One of several forms. */
export interface EitherParameter extends DeclarationBase<never> {
  readonly type: "either";
  readonly of: readonly Parameter[];
  /** All forms in words, for messages: "a number or a list of joints". */
  readonly forms: string;
}

export type Parameter =
  | NumberParameter
  | NumbersParameter
  | VectorParameter
  | ArrayParameter
  | SeriesParameter
  | MatrixParameter
  | DirectionParameter
  | AxisParameter
  | ChoiceParameter
  | ChoicesParameter
  | BooleanParameter
  | NameParameter
  | TextParameter
  | TextsParameter
  | QuantityParameter
  | ReferenceParameter
  | ReferencesParameter
  | FileParameter
  | FrameParameter
  | FreedomParameter
  | FreedomsParameter
  | CoordinateParameter
  | TableParameter
  | TrajectoryParameter
  | ListParameter
  | ObjectParameter
  | KindsParameter
  | RecordParameter
  | ItemsParameter
  | EitherParameter;

export type Parameters = { readonly [name: string]: Parameter };
