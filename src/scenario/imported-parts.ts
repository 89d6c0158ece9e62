/** A scenario whose model is a robot file also gets the forces and the start of that file. */
import { type Fields, isFields } from "../declare/plain-data.ts";
import type { ImportedModel } from "../formats/robot/imported-model.ts";

/**
 * The data of a scenario with the parts of its robot file. An entry of the scenario with the same name replaces that of the file, and `null`
 * removes it. The state of the scenario replaces that of the file hinge by hinge.
 */
export function withImportedParts(data: Fields, { forces, states }: ImportedModel): Fields {
  return { ...data, ...mergedForces(data.forces, forces), ...startState(data.state, states.start) };
}

function mergedForces(own: unknown, imported: ImportedModel["forces"]): Fields {
  if (own !== undefined && own !== null && !isFields(own)) return {}; // reported by the reader of the scenario
  const entries = Object.entries({ ...imported, ...own }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(imported, name),
  );
  return entries.length === 0 ? {} : { forces: Object.fromEntries(entries) };
}

function startState(own: unknown, start: ImportedModel["states"][string] | undefined): Fields {
  if (start === undefined || (own !== undefined && !isFields(own))) return {};
  const state: Fields = own ?? {};
  const values = (key: "q" | "u"): Fields => {
    const [given, written] = [start[key], state[key]];
    if (given === undefined || Object.keys(given).length === 0 || (written !== undefined && !isFields(written))) return {};
    return { [key]: { ...given, ...written } };
  };
  const merged = { ...state, ...values("q"), ...values("u") };
  return Object.keys(merged).length === 0 ? {} : { state: merged };
}
