/** A kind of controller: description, parameters, and factory from checked values to the controller. One file each. */
import type { Parameters, ParameterValues, WrittenParameters } from "../../declare/parameters.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import type { Model } from "../../model/model.ts";
import type { Controller } from "../../sim/run/controller.ts";
import { createChecked, type NoteProblem } from "../../sim/system/create-checked.ts";

export interface ControllerKind<D extends Parameters = Parameters> {
  readonly name: string;
  /** Description with its law, for the documentation and the schema. */
  readonly about: string;
  readonly parameters: D;
  /** Valid parameters, for the documentation and for the contract suite. */
  readonly examples: readonly WrittenParameters<D>[];
  /** @throws ModelError with every problem of the parameters. */
  create(name: string, parameters: WrittenParameters<D>, model: Model, reading?: ParseContext): Controller;
}

/** A kind as its file declares it. */
export interface ControllerDeclaration<D extends Parameters> extends Omit<ControllerKind<D>, "create"> {
  controller(name: string, values: ParameterValues<D>, note: NoteProblem, model: Model, reading: ParseContext): Controller;
}

export function controllerKind<const D extends Parameters>({ controller, ...kind }: ControllerDeclaration<D>): ControllerKind<D> {
  return {
    ...kind,
    create: (name, parameters, model, reading = {}) =>
      createChecked(kind.parameters, name, parameters, model, reading, (values, note) =>
        controller(name, values, note, model, reading),
      ),
  };
}
