/** A kind of force element: description, parameters, and factory from checked values to the element. One file each. */

import type { Parameters, ParameterValues, WrittenParameters } from "../../declare/parameters.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import { contentKey } from "../../kernel/run/program-cache.ts";
import type { Model } from "../../model/model.ts";
import { createChecked, type NoteProblem } from "../../sim/system/create-checked.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";

export interface ForceKind<D extends Parameters = Parameters> {
  readonly name: string;
  /** Description with its equation, for the documentation and the schema. */
  readonly about: string;
  /** Loads between bodies of the model are equal and opposite; loads from outside change its momentum. */
  readonly acts: "between bodies" | "from outside";
  readonly parameters: D;
  /** Valid parameters, for the documentation and for the contract suite. */
  readonly examples: readonly WrittenParameters<D>[];
  /** Converts an item of a list to another kind, with all required values; `metres` reads a length. */
  readonly asKind?: (item: Fields, kind: string, metres: (value: unknown) => number | undefined) => Fields;
  /** @throws ModelError with every problem of the parameters. */
  create(name: string, parameters: WrittenParameters<D>, model: Model, reading?: ParseContext): ForceElement;
}

/** A kind as its file declares it. */
export interface ForceDeclaration<D extends Parameters> extends Omit<ForceKind<D>, "create"> {
  element(
    name: string,
    values: ParameterValues<D>,
    note: NoteProblem,
    model: Model,
    reading: ParseContext,
  ): Omit<ForceElement, "name" | "kind">;
}

/**
 * Cache key of an element in traced programs. A numeric element may depend on more than its parameters (terrain), but only its interface
 * matters to the programs of others.
 */
function elementContentKey(
  kind: string,
  name: string,
  values: unknown,
  element: Omit<ForceElement, "name" | "kind">,
): string | undefined {
  const { apply, trace, switches, z0, held, frames, channels } = element;
  if (apply === undefined) return contentKey([kind, name, values]);
  return trace || switches ? undefined : contentKey([kind, name, { z0, held, frames, channels }]);
}

export function forceKind<const D extends Parameters>({ element, ...kind }: ForceDeclaration<D>): ForceKind<D> {
  return {
    ...kind,
    create(name, parameters, model, reading = {}) {
      return createChecked(kind.parameters, name, parameters, model, reading, (values, note) => {
        const created = element(name, values, note, model, reading);
        const of = elementContentKey(kind.name, name, values, created);
        return { name, kind: kind.name, ...(of !== undefined && { traceKey: of }), ...created };
      });
    },
  };
}
