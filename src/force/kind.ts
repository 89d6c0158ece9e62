/** A kind of force element: what it is, its parameters, and the factory from checked values to the element. One file each. */
import type { Model } from "../model/model.ts";
import { createChecked, type Note } from "../sim/create-checked.ts";
import type { ForceElement } from "../sim/force-element.ts";
import type { Parameters, Values, Written } from "../sim/parameters.ts";
import type { Reading } from "../sim/read-parameters.ts";

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
  element(name: string, values: Values<D>, note: Note, model: Model, reading: Reading): Omit<ForceElement, "name" | "kind">;
}

export function forceKind<const D extends Parameters>({ element, ...kind }: Declaration<D>): ForceKind<D> {
  return {
    ...kind,
    create(name, parameters, model, reading = {}) {
      const made = createChecked(kind.parameters, name, parameters, model, reading, (values, note) =>
        element(name, values, note, model, reading),
      );
      return { name, kind: kind.name, ...made };
    },
  };
}
