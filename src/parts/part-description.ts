/** Descriptions of parts as programs write them. */
import type { Parameters, WrittenParameters } from "../declare/parameters.ts";
import { ArgumentError, valueText } from "../errors.ts";

/** A part of one kind: its name, and the parameters that the kind declares. */
export type PartDescription<K extends string, D extends Parameters> = {
  readonly kind: K;
  readonly name: string;
} & WrittenParameters<D>;

/** @throws ArgumentError if the description is not an object with a kind and a name */
export function checkedDescription(description: { readonly kind: string; readonly name: string }): {
  readonly kind: string;
  readonly name: string;
} {
  if (typeof description !== "object" || description === null)
    throw new ArgumentError("description", `must be an object with kind and name, got ${valueText(description)}`);
  for (const key of ["kind", "name"] as const)
    if (typeof description[key] !== "string")
      throw new ArgumentError(`description.${key}`, `must be text, got ${valueText(description[key])}`);
  return description;
}
