/** A kind of controller: what it is, its parameters, and the factory from checked values to the controller. One file each. */

import type { Parameters, Values, Written } from "../../declare/parameters.ts";
import type { Reading } from "../../declare/parse-parameters.ts";
import type { Model } from "../../model/model.ts";
import type { Controller } from "../../sim/run/controller.ts";
import { createChecked, type Note } from "../../sim/system/create-checked.ts";

export interface ControllerKind<D extends Parameters = Parameters> {
  readonly name: string;
  /** What it does, with its law, for the documentation and the schema. */
  readonly about: string;
  readonly parameters: D;
  /** Parameters that work, for the documentation and for the contract suite. */
  readonly examples: readonly Written<D>[];
  /** @throws ModelError with every problem of the parameters. */
  create(name: string, parameters: Written<D>, model: Model, reading?: Reading): Controller;
}

interface Declaration<D extends Parameters> extends Omit<ControllerKind<D>, "create"> {
  controller(name: string, values: Values<D>, note: Note, model: Model, reading: Reading): Controller;
}

export function controllerKind<const D extends Parameters>({ controller, ...kind }: Declaration<D>): ControllerKind<D> {
  return {
    ...kind,
    create: (name, parameters, model, reading = {}) =>
      createChecked(kind.parameters, name, parameters, model, reading, (values, note) =>
        controller(name, values, note, model, reading),
      ),
  };
}
