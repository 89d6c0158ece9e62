/** Registration of kinds by programs: hinges, force elements, controllers and file formats. */
import { ArgumentError, type Problem, valueText } from "../errors.ts";
import { readName } from "./names.ts";

/**
 * Adds a kind to the registry of its interface, so that files can name it. Registering the same object again has no effect.
 * @throws ArgumentError if its name is not a name, or belongs to another kind
 */
export function registerKind<K extends { readonly name: string }>(
  registry: Readonly<Record<string, unknown>>,
  kind: K,
  what: string,
): K {
  const problems: Problem[] = [];
  const name = readName(kind?.name, "kind.name", problems);
  const problem = problems[0];
  if (problem) throw new ArgumentError("kind.name", `${problem.message}, got ${valueText(kind?.name)}. Give the ${what} a name`);
  if (Object.hasOwn(registry, name) && registry[name] !== kind)
    throw new ArgumentError("kind.name", `there is already a ${what} named "${name}". Choose another name`);
  (registry as Record<string, unknown>)[name] = kind;
  return kind;
}
