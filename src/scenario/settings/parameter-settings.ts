/** Parameters of forces, controllers and devices as settings: from the declaration of their kind and what is written. */

import type { Freedom } from "../../declare/freedom.ts";
import type { ListParameter, Parameter, Parameters, Unit } from "../../declare/parameters.ts";
import { readParameters, unitForFreedom } from "../../declare/parse-parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { freedomsOf, knownNames } from "../../model/freedoms.ts";
import type { Model } from "../../model/model.ts";
import type { ForceKind } from "../../parts/force/kind.ts";
import { resolvePath } from "../override.ts";
import { fieldsOf, type Setting, type SettingEntry } from "./setting.ts";

interface SettingContext {
  readonly path: string;
  readonly group: readonly string[];
  /** The whole scenario, in which paths are found. */
  readonly document: Fields;
  readonly model: Model;
  readonly asKind?: ForceKind["asKind"] | undefined;
}

export function parameterSettings(declared: Parameters, written: Fields, place: SettingContext): readonly Setting[] {
  const freedoms = freedomsNamedIn(declared, written, place.model);
  return Object.entries(declared).flatMap(([key, parameter]): readonly Setting[] => {
    const path = childPath(place.path, key);
    const given = written[key];
    if (parameter.type === "list")
      return ((given ?? []) as readonly unknown[]).flatMap((item, i) => {
        const at = itemPath(place.document, path, item, i);
        const group = [...place.group, `${key} ${labelOf(item) ?? i + 1}`];
        return itemSettings(parameter, fieldsOf(item), { ...place, path: at, group });
      });
    const value = given ?? parameter.default;
    return [
      {
        path,
        group: place.group,
        label: key,
        about: parameter.about,
        value,
        written: given !== undefined,
        optional: parameter.default !== undefined || parameter.optional === true,
        ...settingShape(parameter, value, freedoms, place.model),
      },
    ];
  });
}

/** Of an item of a list: what its kind has; with another kind it is another item. */
function itemSettings({ of, kinds }: ListParameter, item: Fields, place: SettingContext): readonly Setting[] {
  if (kinds === undefined) return parameterSettings(of, item, place);
  const own = kinds[item.kind as string] ?? Object.keys(of);
  const settings = parameterSettings(Object.fromEntries(Object.entries(of).filter(([key]) => own.includes(key))), item, place);
  const { asKind } = place;
  if (asKind === undefined) return settings;
  const by = (choices: readonly string[]): Fields =>
    Object.fromEntries(choices.map((kind) => [kind, asKind(item, kind, metresIn)]));
  return settings.map((setting) =>
    setting.label === "kind" && setting.choices
      ? { ...setting, replaces: { path: place.path, by: by(setting.choices) } }
      : setting,
  );
}

const metresIn = (value: unknown): number | undefined =>
  value === undefined ? undefined : readQuantityInUnit(value, "m", "", []);

/** The freedoms that a part names: units and lengths of lists follow from them. */
function freedomsNamedIn(declared: Parameters, written: Fields, model: Model): readonly Freedom[] {
  return Object.entries(declared).flatMap(([key, parameter]) => {
    if (parameter.type !== "freedom" && parameter.type !== "freedoms") return [];
    const read = readParameters({ [key]: parameter }, { [key]: written[key] }, knownNames(model), [])?.[key];
    return (read === undefined ? [] : Array.isArray(read) ? read : [read]) as readonly Freedom[];
  });
}

type SettingShape = Pick<Setting, "type" | "entries" | "choices" | "least" | "above" | "most">;

function settingShape(parameter: Parameter, value: unknown, freedoms: readonly Freedom[], model: Model): SettingShape {
  const entry = (unit: Unit, label = "", freedom = freedoms[0]): SettingEntry => ({ label, unit: unitForFreedom(unit, freedom) });
  switch (parameter.type) {
    case "number":
      return { type: "number", entries: [entry(parameter.unit)], ...rangeFields(parameter) };
    case "numbers":
      if (!Array.isArray(value)) return { type: "number", entries: [entry(parameter.unit)], ...rangeFields(parameter) };
      return { type: "numbers", entries: freedoms.map((f) => entry(parameter.unit, f.name, f)), ...rangeFields(parameter) };
    case "vector": {
      const { unit, parts = ["x", "y", "z"] } = parameter;
      return { type: "numbers", entries: parts.map((part) => entry(unit, part)), ...rangeFields(parameter) };
    }
    case "trajectory":
      return Array.isArray(value) ? { type: "data" } : { type: "number", entries: [entry(parameter.unit)] };
    case "choice":
      return { type: "choice", choices: parameter.of };
    case "boolean":
      return { type: "boolean" };
    case "frame":
      return { type: "choice", choices: [...model.bodies, ...model.frames].map(({ name }) => name) };
    case "freedom":
      return { type: "choice", choices: includingValue(usableFreedoms(model, parameter.needs), value) };
    default:
      return { type: "data" };
  }
}

function usableFreedoms(model: Model, needs: "coordinate" | undefined): readonly string[] {
  return freedomsOf(model)
    .filter((f) => needs === undefined || f.coordinateInHinge !== undefined)
    .map((f) => f.name);
}

/** A freedom may be written by the name of its speed, too. */
const includingValue = (names: readonly string[], value: unknown): readonly string[] =>
  typeof value !== "string" || names.includes(value) ? names : [value, ...names];

function rangeFields({
  least,
  above,
  most,
}: Pick<SettingShape, "least" | "above" | "most">): Pick<SettingShape, "least" | "above" | "most"> {
  return { ...(least !== undefined && { least }), ...(above !== undefined && { above }), ...(most !== undefined && { most }) };
}

const labelOf = (item: unknown): string | undefined =>
  ["name", "hinge", "title"].map((key) => fieldsOf(item)[key]).find((label): label is string => typeof label === "string");

/** The path of an item of a list: by its name where that finds it, else by its number. */
export function itemPath(document: Fields, list: string, item: unknown, i: number): string {
  const byNumber = childPath(list, i);
  const label = labelOf(item);
  const byName = label === undefined ? byNumber : childPath(list, label);
  return resolvePath(document, byName) === resolvePath(document, byNumber) ? byName : byNumber;
}
