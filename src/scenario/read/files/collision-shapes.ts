/** Shapes of kind `collisions`: the shapes of the robot file in their place, and the pairs of them that never touch. */
import { didYouMean } from "../../../declare/names.ts";
import { childPath, type Fields, isFields } from "../../../declare/plain-data.ts";
import { type Problem, valueText } from "../../../errors.ts";
import type { ImportedModel } from "../../../formats/robot/imported-model.ts";
import { fieldsOf } from "../../fields-of.ts";

/** Shapes without a body. */
const WORLD = "world";

/**
 * The data of a scenario with the shapes of its robot file in every force of kind contact or clearance that names them.
 * @param fromRobot receives these shapes
 */
export function withCollisions(
  data: unknown,
  imported: ImportedModel | undefined,
  fromRobot: Set<unknown>,
  problems: Problem[],
): unknown {
  if (imported === undefined) return data; // a shape of this kind is then refused by its reader
  const forces = Object.entries(fieldsOf(fieldsOf(data).forces));
  if (!forces.some(([, force]) => namesCollisions(force))) return data;
  const replaced = forces.map(([name, force]) =>
    namesCollisions(force)
      ? ([name, withShapes(force, childPath("forces", name), imported, fromRobot, problems)] as const)
      : [name, force],
  );
  return { ...(data as Fields), forces: Object.fromEntries(replaced) };
}

const isCollisions = (shape: unknown): shape is Fields => isFields(shape) && shape.kind === "collisions";

function namesCollisions(force: unknown): force is Fields {
  if (!isFields(force) || (force.kind !== "contact" && force.kind !== "clearance")) return false;
  return [force.shapes, force.against].some((list) => Array.isArray(list) && list.some(isCollisions));
}

function withShapes(force: Fields, path: string, imported: ImportedModel, fromRobot: Set<unknown>, problems: Problem[]): Fields {
  const isAmongThemselves = !Array.isArray(force.against) || force.against.length === 0;
  const used: Fields[] = [];
  const listed = (key: "shapes" | "against"): Fields => {
    const list: unknown = force[key];
    if (!Array.isArray(list)) return list === undefined ? {} : { [key]: list };
    const shapes = list.flatMap((shape: unknown, i): unknown[] => {
      if (!isCollisions(shape)) return [shape];
      const chosen = chosenShapes(shape, childPath(childPath(path, key), i), imported, isAmongThemselves, problems);
      used.push(...chosen);
      for (const own of chosen) fromRobot.add(own);
      return [...chosen];
    });
    return { [key]: shapes };
  };
  const lists = { ...listed("shapes"), ...listed("against") };
  const apart = force.kind === "contact" ? apartOf(used, imported.noContact) : [];
  const own: readonly unknown[] = Array.isArray(force.apart) ? force.apart : [];
  return { ...force, ...lists, ...(apart.length > 0 && { apart: [...own, ...apart] }) };
}

/** Shapes on the body that `on` names; without it all, but those of the world only if the shapes touch each other. */
function chosenShapes(
  { on }: Fields,
  path: string,
  { contactShapes, model }: ImportedModel,
  isAmongThemselves: boolean,
  problems: Problem[],
): readonly Fields[] {
  const chosen = contactShapes.filter((shape) =>
    on === undefined ? isAmongThemselves || shape.on !== undefined : (shape.on ?? WORLD) === on,
  );
  if (chosen.length > 0) return chosen;
  const carriers = [...new Set(contactShapes.map((shape) => (shape.on as string | undefined) ?? WORLD))];
  if (on === undefined || contactShapes.length === 0)
    problems.push({
      path,
      message: `the file of ${JSON.stringify(model.name)} has no shapes that can touch`,
      advice: "Look at castor inspect for what was left out, or give shapes one by one",
    });
  else
    problems.push({
      path: childPath(path, "on"),
      message: "no shape of the robot file that can touch is on this body",
      value: valueText(on),
      advice: typeof on === "string" ? didYouMean(on, carriers) : `There are some on ${carriers.slice(0, 10).join(", ")}`,
    });
  return [];
}

/** Pairs of bodies and shapes in the form of `apart`: names with the same partners together. */
function apartOf(shapes: readonly Fields[], pairs: ImportedModel["noContact"]): readonly Fields[] {
  const names = new Set(shapes.flatMap(({ name, on }) => [name, on]));
  const partners = new Map<string, Set<string>>();
  for (const [a, b] of pairs)
    if (names.has(a) && names.has(b)) {
      const [first, second] = a < b ? [a, b] : [b, a];
      partners.set(first, (partners.get(first) ?? new Set()).add(second));
    }
  const byPartners = new Map<string, { readonly these: string[]; readonly those: readonly string[] }>();
  for (const [name, others] of partners) {
    const those = [...others].sort();
    const key = JSON.stringify(those);
    const entry = byPartners.get(key) ?? { these: [], those };
    entry.these.push(name);
    byPartners.set(key, entry);
  }
  return [...byPartners.values()];
}
