/** A kind of force element: what it is, its parameters, and the factory from checked values to the element. One file each. */
import { ModelError, type Problem, shown } from "../model/errors.ts";
import type { Model } from "../model/model.ts";
import { readName } from "../model/names.ts";
import { childPath } from "../model/reading.ts";
import type { ForceElement } from "../sim/force-element.ts";
import type { Parameters, Values, Written } from "../sim/parameters.ts";
import { type Reading, readParameters } from "../sim/read-parameters.ts";

/** Notes what is wrong between parameters that are each right by themselves. */
export type Note = (parameter: string, message: string, advice?: string) => void;

export interface ForceKind<D extends Parameters = Parameters> {
  readonly name: string;
  /** What it does, with its equation, for the documentation and the schema. */
  readonly about: string;
  /** Between bodies of the model the loads are equal and opposite; from outside they change its momentum. */
  readonly acts: "between bodies" | "from outside";
  readonly parameters: D;
  /** Parameters that work, for the documentation and for the contract suite. */
  readonly examples: readonly Written<D>[];
  /** @throws ModelError with every problem of the parameters. */
  create(name: string, parameters: Written<D>, model: Model, reading?: Reading): ForceElement;
}

/** What a file of this folder declares. */
interface Declaration<D extends Parameters> extends Omit<ForceKind<D>, "create"> {
  element(name: string, values: Values<D>, note: Note, model: Model): Omit<ForceElement, "name" | "kind">;
}

export function forceKind<const D extends Parameters>({ element, ...kind }: Declaration<D>): ForceKind<D> {
  return {
    ...kind,
    create(name, parameters, model, reading = {}) {
      const made = createChecked(kind.parameters, name, parameters, model, reading, (values, note) =>
        element(name, values, note, model),
      );
      return { name, kind: kind.name, ...made };
    },
  };
}

/** Reads the parameters and makes something of them, or throws all that is wrong. */
export function createChecked<D extends Parameters, T>(
  declared: D,
  name: string,
  written: unknown,
  model: Model,
  reading: Reading,
  make: (values: Values<D>, note: Note) => T,
): T {
  const problems: Problem[] = [];
  const path = reading.path ?? (typeof name === "string" ? name : "");
  readName(name, "name", problems);
  const values = readParameters(declared, written, model, problems, { ...reading, path });
  const given = written as Readonly<Record<string, unknown>>;
  const note: Note = (parameter, message, advice) => {
    const value = given[parameter];
    problems.push({
      path: childPath(path, parameter),
      message,
      ...(value !== undefined && { value: shown(value) }),
      ...(advice !== undefined && { advice }),
    });
  };
  const made = values && make(values, note);
  if (made === undefined || problems.length > 0) throw new ModelError(model.name, problems);
  return made;
}
